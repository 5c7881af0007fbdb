// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <loom/base/edit_distance.h>
#include <loom/base/random.h>

namespace loom {
namespace {

/// Its definition: the least of what each last step leaves to do.
std::size_t slow_distance(std::string_view a, std::string_view b) {
  if (a.empty() || b.empty()) return a.size() + b.size();
  const std::size_t replaced = slow_distance(a.substr(1), b.substr(1)) + (a[0] == b[0] ? 0 : 1);
  return std::min({replaced, slow_distance(a.substr(1), b) + 1, slow_distance(a, b.substr(1)) + 1});
}

TEST(EditDistance, IsTheLeastOfAllWays) {
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("", "walk"), 4u);
  Random random(2);
  for (int round = 0; round < 200; ++round) {
    std::string a, b;
    for (std::size_t i = random.index(6); i > 0; --i) a += static_cast<char>('a' + random.index(3));
    for (std::size_t i = random.index(6); i > 0; --i) b += static_cast<char>('a' + random.index(3));
    EXPECT_EQ(edit_distance(a, b), slow_distance(a, b)) << a << " " << b;
  }
}

}  // namespace
}  // namespace loom
