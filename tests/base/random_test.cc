// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <vector>

#include <gtest/gtest.h>

#include <loom/base/random.h>

namespace loom {
namespace {

TEST(Random, DrawsTheSameNumbersForEver) {
  // By an independent program, from the definitions of SplitMix64 and xoshiro256**: the first four, and the thousandth.
  const std::map<std::uint64_t, std::vector<std::uint64_t>> known = {
      {0, {0x99ec5f36cb75f2b4, 0xbf6e1f784956452a, 0x1a5f849d4933e6e0, 0x6aa594f1262d2d2c, 0x7aac8c483a2edd2f}},
      {1, {0xb3f2af6d0fc710c5, 0x853b559647364cea, 0x92f89756082a4514, 0x642e1c7bc266a3a7, 0xb8517c33c344d153}},
      {0xdeadbeef,
       {0xc5555444a74d7e83, 0x65c30d37b4b16e38, 0x54f773200a4efa23, 0x429aed75fb958af7, 0xf1c16d7f61082d10}},
  };
  for (const auto& [seed, wanted] : known) {
    Random random(seed);
    std::vector<std::uint64_t> drawn;
    for (int i = 0; i < 1000; ++i) {
      const std::uint64_t bits = random.bits();
      if (i < 4 || i == 999) drawn.push_back(bits);
    }
    EXPECT_EQ(drawn, wanted) << seed;
  }
}

TEST(Random, OneSeedIsOneSequenceAndTwoSeedsAreTwo) {
  Random a(7), b(7), c(8);
  int same = 0;
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t bits = a.bits();
    EXPECT_EQ(bits, b.bits());
    same += bits == c.bits() ? 1 : 0;
  }
  EXPECT_EQ(same, 0);
}

TEST(Random, EveryBitIsSetHalfOfTheTime) {
  Random random(3);
  constexpr int kDraws = 20000;
  std::vector<int> set(64);
  for (int i = 0; i < kDraws; ++i) {
    const std::uint64_t bits = random.bits();
    for (std::size_t b = 0; b < 64; ++b) set[b] += static_cast<int>(bits >> b & 1);
  }
  // Five standard deviations of a fair coin.
  for (const int count : set) EXPECT_NEAR(count, kDraws / 2.0, 5 * std::sqrt(kDraws / 4.0));
}

/// The largest distance of the drawn from the distribution they should have (Kolmogorov and Smirnov).
template <typename Below>
double farthest_off(std::vector<double> drawn, Below share_below) {
  std::sort(drawn.begin(), drawn.end());
  const auto count = static_cast<double>(drawn.size());
  double most = 0;
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    const double share = share_below(drawn[i]);
    most = std::max(
        {most, std::abs(share - static_cast<double>(i) / count), std::abs(share - static_cast<double>(i + 1) / count)});
  }
  return most;
}

constexpr std::size_t kMany = 100000;
/// Farther off are one in a hundred thousand of samples so large that come from the distribution.
const double kAllowed = 2.47 / std::sqrt(static_cast<double>(kMany));

TEST(Random, UniformNumbersFillTheirRange) {
  Random random(4);
  std::vector<double> drawn(kMany);
  for (double& d : drawn) {
    d = random.uniform(-3, 5);
    ASSERT_TRUE(d >= -3 && d < 5);
  }
  EXPECT_LT(farthest_off(drawn, [](double d) { return (d + 3) / 8; }), kAllowed);
}

TEST(Random, NormalNumbersAreNormal) {
  Random random(5);
  std::vector<double> drawn(kMany);
  for (double& d : drawn) d = random.normal();
  EXPECT_LT(farthest_off(drawn, [](double d) { return 0.5 * std::erfc(-d / std::sqrt(2.0)); }), kAllowed);
  // One after the other have nothing to do with each other.
  double together = 0;
  for (std::size_t i = 1; i < kMany; ++i) together += drawn[i] * drawn[i - 1];
  EXPECT_LT(std::abs(together) / std::sqrt(static_cast<double>(kMany)), 5);
}

TEST(Random, EveryIndexIsEquallyLikely) {
  Random random(6);
  for (const std::size_t count : {1u, 2u, 3u, 7u, 10u, 100u}) {
    std::vector<double> times(count);
    for (std::size_t i = 0; i < 1000 * count; ++i) ++times[random.index(count)];
    double chi = 0;
    for (const double n : times) chi += (n - 1000) * (n - 1000) / 1000;
    const auto free = static_cast<double>(count - 1);
    EXPECT_LE(chi, free + 5 * std::sqrt(2 * free)) << count;
  }
}

TEST(Random, IndicesOfHalfOfAllNumbersAreNotTheLowerOnes) {
  // Where the count is a little more than half of what 64 bits tell, a plain remainder would draw the low ones twice as
  // often.
  Random random(7);
  const std::size_t count = (std::size_t{1} << 63) + 1;
  std::vector<double> drawn(20000);
  for (double& d : drawn) {
    const std::size_t index = random.index(count);
    ASSERT_LT(index, count);
    d = static_cast<double>(index) / static_cast<double>(count);
  }
  EXPECT_LT(farthest_off(drawn, [](double d) { return d; }), 2.47 / std::sqrt(20000.0));
}

}  // namespace
}  // namespace loom
