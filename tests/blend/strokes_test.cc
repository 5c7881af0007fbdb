// SPDX-License-Identifier: MIT
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <loom/blend/align/strokes.h>
#include <loom/motion/body.h>
#include <loom/sample/sample.h>

namespace loom::blend {
namespace {

/// How many frames the best proposal is away from the truth.
double frames_off(const std::string& name, bool leg) {
  const auto made = sample::make_sample(name).value();
  const motion::Body body = motion::find_body(*made.clip.skeleton);
  const auto proposals = propose_strokes(made.clip, leg ? body.right_leg.end : body.right_arm.end).value();
  return std::abs(static_cast<double>(proposals.front().frame) - static_cast<double>(made.stroke.value()));
}

TEST(ProposeStrokes, FindsTheTouchOfSampleReachesPunchesAndKicks) {
  for (const char* number : {"01", "05", "09", "14"}) {
    EXPECT_LE(frames_off(std::string("reach-") + number, false), 6) << number;
    EXPECT_LE(frames_off(std::string("punch-family-") + number, false), 3) << number;
    EXPECT_LE(frames_off(std::string("kick-family-") + number, true), 3) << number;
  }
}

TEST(ProposeStrokes, SaysWhyThereIsNone) {
  const auto made = sample::make_sample("reach-01").value();
  EXPECT_FALSE(propose_strokes(made.clip, -1));
  EXPECT_FALSE(propose_strokes(made.clip, 10000));
  EXPECT_FALSE(propose_strokes(motion::cut(made.clip, 0, 4).value(), 3));
  motion::Clip still = motion::cut(made.clip, 0, 20).value();
  for (std::size_t f = 1; f < still.frames(); ++f) {
    still.roots[f] = still.roots[0];
    std::copy(still.pose(0).begin(), still.pose(0).end(), still.pose(f).begin());
  }
  EXPECT_FALSE(propose_strokes(still, motion::find_body(*still.skeleton).right_arm.end));
}

TEST(Strokes, AreReadFromLabels) {
  const auto made = sample::make_sample("reach-03").value();
  motion::Clip clip = made.clip;
  clip.labels = {{"stroke", 78, 79}, {"reach", 0, 100}, {"stroke", 30, 31}};
  EXPECT_EQ(marked_strokes(clip), (std::vector<double>{0.5, 1.3}));
}

TEST(Strokes, OutsideTheClipOrOutOfOrderAreRefused) {
  const auto made = sample::make_sample("reach-03").value();
  EXPECT_TRUE(check_strokes(made.clip, {0.5, 1.3}));
  for (const std::vector<double>& bad : {std::vector{99.0}, {0.0}, {-1.0}, {1.3, 0.5}, {std::nan("")}}) {
    EXPECT_FALSE(check_strokes(made.clip, bad));
  }
}

}  // namespace
}  // namespace loom::blend
