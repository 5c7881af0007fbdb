// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <loom/play/recent_pieces.h>

namespace loom::play {
namespace {

TEST(RecentPieces, KnowWhatWasLeftAndForgetItInTime) {
  RecentPieces pieces(1.0f);
  pieces.enter(3, 100, 0);
  EXPECT_FALSE(pieces.has(3, 105, 0)) << "what plays was not left";
  pieces.enter(5, 40, 110);
  EXPECT_TRUE(pieces.has(3, 100, 0));
  EXPECT_TRUE(pieces.has(3, 110, 0));
  EXPECT_FALSE(pieces.has(3, 111, 0));
  EXPECT_TRUE(pieces.has(3, 112, 3));
  EXPECT_TRUE(pieces.has(3, 97, 3));
  EXPECT_FALSE(pieces.has(3, 96, 3));
  EXPECT_FALSE(pieces.has(4, 105, 3));
  pieces.step(0.9f);
  EXPECT_TRUE(pieces.has(3, 105, 0));
  pieces.step(0.2f);
  EXPECT_FALSE(pieces.has(3, 105, 0));
}

TEST(RecentPieces, AtTheStartOfAClipAMarginDoesNotWrapRound) {
  RecentPieces pieces(1.0f);
  pieces.enter(0, 1, 0);
  pieces.enter(1, 0, 4);
  EXPECT_TRUE(pieces.has(0, 0, 5));
  EXPECT_FALSE(pieces.has(0, 20, 5));
}

TEST(RecentPieces, KeepTheLastOfMany) {
  RecentPieces pieces(100.0f);
  for (std::uint32_t i = 0; i < 20; ++i) pieces.enter(i, 10, 15);
  EXPECT_EQ(pieces.left().size(), RecentPieces::kMost);
  EXPECT_TRUE(pieces.has(18, 12, 0));
  EXPECT_FALSE(pieces.has(0, 12, 0));
}

}  // namespace
}  // namespace loom::play
