// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <loom/base/shared_progress.h>

namespace loom {
namespace {

TEST(SharedProgress, TellsEveryPieceUntilItIsAskedToStopAndNothingAfter) {
  int reports = 0;
  double last = 0;
  const Progress progress([&](double share, std::string_view) {
    last = share;
    return ++reports < 3;
  });
  SharedProgress shared(progress, 10, "work");
  for (int i = 0; i < 2; ++i) shared.one_done();
  EXPECT_TRUE(shared.goes_on());
  EXPECT_DOUBLE_EQ(last, 0.2);
  for (int i = 0; i < 5; ++i) shared.one_done();
  EXPECT_FALSE(shared.goes_on());
  EXPECT_EQ(reports, 3);
}

}  // namespace
}  // namespace loom
