// SPDX-License-Identifier: MIT
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <loom/base/progress_part.h>

namespace loom {
namespace {

TEST(Progress, PartsOfPartsAreStretchesOfTheWhole) {
  std::vector<std::pair<double, std::string>> told;
  const Progress whole([&](double share, std::string_view what) {
    told.emplace_back(share, what);
    return true;
  });
  const Progress half = part_of(whole, 0.5, 1);
  half.report(0, "a");
  part_of(half, 0.5, 1, "named").report(0.5, "b");
  half.report(7, "c");  // beyond its end is its end
  ASSERT_EQ(told.size(), 3u);
  EXPECT_EQ(told[0], std::pair(0.5, std::string("a")));
  EXPECT_EQ(told[1], std::pair(0.875, std::string("named")));
  EXPECT_EQ(told[2], std::pair(1.0, std::string("c")));
}

TEST(Progress, APartIsToldToStopAndASilentOneNever) {
  const Progress stopping([](double, std::string_view) { return false; });
  EXPECT_FALSE(part_of(stopping, 0, 0.5).report(0, ""));
  EXPECT_TRUE(part_of(Progress(), 0, 0.5).report(0, ""));
}

}  // namespace
}  // namespace loom
