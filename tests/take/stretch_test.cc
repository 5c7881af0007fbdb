// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <loom/take/stretch.h>

namespace loom::take {
namespace {

TEST(Stretch, IsCalledByItsClipAndDescribedByItsFrames) {
  const Stretch plain{"walk_01", false, 120, 90}, mirrored{"walk_01", true, 120, 90};
  EXPECT_EQ(plain.title(), "walk_01");
  EXPECT_EQ(mirrored.title(), "walk_01 (mirrored)");
  EXPECT_EQ(plain.describe(), "walk_01 [120-210)");
  EXPECT_EQ(mirrored.describe(), "walk_01 [120-210) (mirrored)");
  EXPECT_EQ(plain.end(), 210u);
}

}  // namespace
}  // namespace loom::take
