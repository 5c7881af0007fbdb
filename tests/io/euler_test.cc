// SPDX-License-Identifier: MIT
#include <array>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/io/detail/euler.h>

namespace loom::io {
namespace {

/// The same product, one turn at a time in doubles.
std::array<double, 4> oracle(const std::vector<int>& axes, const std::vector<double>& degrees) {
  std::array<double, 4> q{1, 0, 0, 0};
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const double half = std::fmod(degrees[i], 720) * std::acos(-1.0) / 360;
    std::array<double, 4> t{std::cos(half), 0, 0, 0};
    t[static_cast<std::size_t>(axes[i]) + 1] = std::sin(half);
    q = {q[0] * t[0] - q[1] * t[1] - q[2] * t[2] - q[3] * t[3], q[0] * t[1] + q[1] * t[0] + q[2] * t[3] - q[3] * t[2],
         q[0] * t[2] - q[1] * t[3] + q[2] * t[0] + q[3] * t[1], q[0] * t[3] + q[1] * t[2] - q[2] * t[1] + q[3] * t[0]};
  }
  return q;
}

TEST(EulerToQuaternions, AgreesWithSinesAndCosinesInDoubles) {
  Random random(11);
  for (int round = 0; round < 2000; ++round) {
    const std::size_t count = random.index(4);
    std::vector<int> axes;
    std::vector<std::vector<double>> degrees(count, std::vector<double>(kBlockFrames));
    EulerTurns turns;
    for (std::size_t i = 0; i < count; ++i) {
      axes.push_back(static_cast<int>(random.index(3)));
      for (double& angle : degrees[i]) {
        angle = random.index(4) == 0 ? 45.0 * std::round(random.uniform(-20, 20)) : random.uniform(-1000, 1000);
        if (random.index(50) == 0) angle *= 1e6;
      }
      turns.turns[turns.count++] = {axes[i], degrees[i].data()};
    }
    std::array<Quat, kBlockFrames> turned;
    euler_to_quaternions(turns, turned.data());
    for (std::size_t f = 0; f < kBlockFrames; ++f) {
      std::vector<double> angles;
      for (const auto& column : degrees) angles.push_back(column[f]);
      const auto expected = oracle(axes, angles);
      const double same =
          turned[f].w * expected[0] + turned[f].x * expected[1] + turned[f].y * expected[2] + turned[f].z * expected[3];
      const double sign = same < 0 ? -1 : 1;
      // A float holds values below one to 6e-8; at 1e9 degrees the angle itself is only good to 1e-7 of them.
      EXPECT_NEAR(turned[f].w, sign * expected[0], 1e-7);
      EXPECT_NEAR(turned[f].x, sign * expected[1], 1e-7);
      EXPECT_NEAR(turned[f].y, sign * expected[2], 1e-7);
      EXPECT_NEAR(turned[f].z, sign * expected[3], 1e-7);
    }
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace loom::io
