// SPDX-License-Identifier: MIT
// Somebody performs on a character that something else drives.
#include <cmath>

#include <gtest/gtest.h>

#include <loom/motion/kinematics.h>
#include <loom/play/performed_stream.h>

#include "tests/blend/sample_set.h"

namespace loom::play {
namespace {

using motion::StreamPose;

std::unique_ptr<motion::MotionStream> performance(const std::string& name, double rate = 30) {
  auto set = testing::sample_set({name}, rate);
  return std::make_unique<motion::RecordedStream>(std::move(set.clips[0]), std::move(set.contacts[0]));
}

std::string spine_of(const motion::Skeleton& skeleton) {
  for (const motion::Joint& joint : skeleton.joints()) {
    if (joint.parent == 0 && joint.offset.y > 0) return joint.name;
  }
  return {};
}

/// One pose with room of its own.
struct Seen {
  explicit Seen(std::size_t joints) : rotations(joints) {}
  bool next(motion::MotionStream& stream) {
    StreamPose pose{{}, rotations, 0, {}};
    if (!stream.next({}, pose)) return false;
    root = pose.root;
    planted = pose.planted;
    return true;
  }
  Vec3 root;
  std::vector<Quat> rotations;
  std::uint8_t planted = 0;
};

/// The angle between two rotations, in double precision.
double angle_of_turn(const Quat& a, const Quat& b) {
  const double dot = std::abs(static_cast<double>(a.w) * b.w + static_cast<double>(a.x) * b.x +
                              static_cast<double>(a.y) * b.y + static_cast<double>(a.z) * b.z);
  return 2 * std::acos(std::min(1.0, dot));
}

TEST(PerformedStream, WithoutAPerformerNothingIsChanged) {
  for (const PerformedPart part : {PerformedPart::kUpper, PerformedPart::kBody}) {
    auto driven = performance("walk-normal-1");
    const auto both =
        *PerformedStream::create(driven->clone(), performance("punch-family-01"), part, spine_of(*driven->skeleton()));
    Seen seen(driven->skeleton()->size()), alone(driven->skeleton()->size());
    for (int p = 0; p < 20; ++p) {
      ASSERT_TRUE(seen.next(*both) && alone.next(*driven));
      EXPECT_EQ(seen.root, alone.root);
      for (std::size_t j = 0; j < seen.rotations.size(); ++j) {  // but for rounding, where worlds are joined
        EXPECT_LT(angle_of_turn(seen.rotations[j], alone.rotations[j]), 2e-3) << j;
      }
      EXPECT_EQ(seen.planted, alone.planted);
    }
    EXPECT_EQ(both->performances(), 0U);
  }
}

/// The slow way to the same: each joint at the share of the way that seconds ask for, from the driven pose to that of
/// a LayeredStream, which has tests of its own.
TEST(PerformedStream, UpperBodyGoesOverInAQuarterOfASecondAndBack) {
  const auto driven = performance("walk-normal-1"), performer = performance("punch-family-01");
  const motion::Skeleton& skeleton = *driven->skeleton();
  const std::string back = spine_of(skeleton);
  const auto made = *PerformedStream::create(driven->clone(), performer->clone(), PerformedPart::kUpper, back);
  const auto layered = *LayeredStream::create(driven->clone(), performer->clone(), back);
  Seen seen(skeleton.size()), own(skeleton.size()), other(skeleton.size());
  const double step = 1 / (0.25 * 30);
  double way = 0;
  for (int p = 0; p < 40; ++p) {
    const bool on = p >= 5 && p < 22;
    made->perform(on);
    way = std::min(1.0, std::max(0.0, way + (on ? step : -step)));
    const double share = way * way * (3 - 2 * way);
    ASSERT_TRUE(seen.next(*made) && own.next(*driven) && other.next(*layered));
    EXPECT_EQ(seen.root, own.root) << "the legs' way is never the performer's";
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
      const double apart = angle_of_turn(own.rotations[j], other.rotations[j]);
      EXPECT_NEAR(angle_of_turn(own.rotations[j], seen.rotations[j]), share * apart, 2e-3) << "pose " << p;
      EXPECT_NEAR(angle_of_turn(other.rotations[j], seen.rotations[j]), (1 - share) * apart, 2e-3) << "pose " << p;
    }
  }
  EXPECT_EQ(made->performances(), 1U);
  EXPECT_FALSE(made->performs());
}

TEST(PerformedStream, WholeBodyBeginsWhereTheCharacterStandsAndNeverJumps) {
  const auto driven = performance("walk-normal-1"), performer = performance("punch-family-01");
  const motion::Skeleton& skeleton = *driven->skeleton();
  const auto made = *PerformedStream::create(driven->clone(), performer->clone(), PerformedPart::kBody, "");
  std::vector<Vec3> points(skeleton.size() + skeleton.end_sites().size()), before;
  std::vector<Quat> turns(skeleton.size());
  Seen seen(skeleton.size());
  Vec3 handed;
  for (int p = 0; p < 60; ++p) {
    if (p == 20) handed = seen.root;
    made->perform(p >= 20 && p < 45);
    ASSERT_TRUE(seen.next(*made)) << p;
    motion::forward_kinematics(skeleton, seen.root, seen.rotations, points, turns);
    for (std::size_t i = 0; p > 0 && i < points.size(); ++i) {
      EXPECT_LT(length(points[i] - before[i]), 0.35f) << "a hand at 10 m/s moves less: pose " << p;
    }
    before = points;
    if (p == 44) {
      EXPECT_LT(std::hypot(seen.root.x - handed.x, seen.root.z - handed.z), 0.8f);
    }
  }
  EXPECT_EQ(made->performances(), 1U);
}

TEST(PerformedStream, ACopyGoesOnAsItWould) {
  for (const PerformedPart part : {PerformedPart::kUpper, PerformedPart::kBody}) {
    const auto driven = performance("walk-normal-1");
    const auto made =
        *PerformedStream::create(driven->clone(), performance("punch-family-01"), part, spine_of(*driven->skeleton()));
    Seen a(driven->skeleton()->size()), b(driven->skeleton()->size());
    for (int p = 0; p < 8; ++p) {
      made->perform(p >= 5);
      ASSERT_TRUE(a.next(*made));
    }
    const auto copy = made->clone();
    for (int p = 0; p < 10; ++p) {
      ASSERT_TRUE(a.next(*made) && b.next(*copy));
      EXPECT_EQ(a.root, b.root);
      EXPECT_EQ(a.rotations, b.rotations);
    }
  }
}

TEST(PerformedStream, AMotionThatEndsLeavesTheOtherOrEnds) {
  auto set = testing::sample_set({"walk-normal-1", "punch-family-01"}, 30);
  motion::Clip brief = set.clips[1];
  brief.roots.resize(1);
  brief.rotations.resize(brief.skeleton->size());
  auto made = *PerformedStream::create(std::make_unique<motion::RecordedStream>(set.clips[0], set.contacts[0]),
                                       std::make_unique<motion::RecordedStream>(brief, motion::Contacts{}),
                                       PerformedPart::kBody, "");
  Seen seen(brief.skeleton->size());
  ASSERT_TRUE(seen.next(*made));
  made->perform(true);  // has a single pose: it is not gone over to
  EXPECT_TRUE(seen.next(*made));
  made->perform(false);
  EXPECT_TRUE(seen.next(*made));
}

TEST(PerformedStream, RefusesWhatDoesNotFit) {
  const auto driven = performance("walk-normal-1");
  const std::string back = spine_of(*driven->skeleton());
  for (const PerformedPart part : {PerformedPart::kUpper, PerformedPart::kBody}) {
    EXPECT_FALSE(PerformedStream::create(driven->clone(), performance("idle-1", 60), part, back));
  }
  EXPECT_FALSE(PerformedStream::create(driven->clone(), driven->clone(), PerformedPart::kUpper, "tail"));
}

}  // namespace
}  // namespace loom::play
