// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/blend/blend.h>
#include <loom/blend/blend_parts.h>
#include <loom/blend/blend_stream.h>
#include <loom/io/read.h>
#include <loom/measure/measure.h>
#include <loom/motion/body.h>
#include <loom/motion/ground_frame.h>
#include <loom/motion/kinematics.h>
#include <loom/polish/plant_feet.h>

#include "tests/blend/random_weights.h"
#include "tests/blend/sample_set.h"
#include "tests/make_walk.h"
#include "tests/shared_data.h"

namespace loom::blend {
namespace {

using testing::family_names;
using testing::random_weights;
using testing::sample_set;
using testing::SampleSet;

std::shared_ptr<const BlendSpace> space_of(const SampleSet& set) {
  AlignOptions options;
  for (const double stroke : set.strokes) options.strokes.push_back({stroke});
  auto alignment = align(set.clips, set.contacts, options).value();
  return BlendSpace::create(set.clips, set.contacts, std::move(alignment)).value();
}

const BlendOptions kUnplanted{.plant_feet = false};

TEST(Blend, AFootThatABlendDrawsAlongInARunIsHeld) {
  // A run whose feet are told to stand for a fifth of a second and are drawn sideways by a third of a metre meanwhile.
  testing::Gait gait{.cycle = 0.65, .duty = 0.35, .speed = 2.5};
  const testing::GaitClip run = testing::make_gait(gait);
  gait.slide = 1.6f;
  const testing::GaitClip drawn = testing::make_gait(gait);
  SampleSet set;
  set.clips = {run.clip, run.clip};
  set.contacts = {motion::find_contacts(run.clip).value(), motion::find_contacts(run.clip).value()};
  const auto space = space_of(set);
  const motion::Contacts contacts = testing::made_contacts(drawn);
  const motion::Clip planted = polish::plant_feet(drawn.clip, contacts, planting_for(*space)).value();
  EXPECT_GT(measure::measure(drawn.clip, contacts).foot_slide_mean_mps, 1.2);
  EXPECT_LT(measure::measure(planted, contacts).foot_slide_mean_mps, 0.05);
  EXPECT_GT(measure::measure(polish::plant_feet(drawn.clip, contacts).value(), contacts).foot_slide_mean_mps, 0.5)
      << "as a recorded foot may go on";
}

TEST(Blend, OneWeightGivesBackItsClip) {
  const SampleSet set = sample_set({"locomotion-01", "locomotion-03", "locomotion-06"});
  const auto space = space_of(set);
  for (std::size_t c = 0; c < 3; ++c) {
    std::vector<float> weights(3, 0.0f);
    weights[c] = 1;
    const Blended made = blend(space, weights, kUnplanted).value();
    ASSERT_NEAR(made.clip.duration(), set.clips[c].duration(), 1.0 / 30);
    const auto start =
        motion::GroundFrameFinder(*space->skeleton()).find(set.clips[c].roots[0], set.clips[c].pose(0)[0]);
    motion::Clip expected = space->clips()[c];
    motion::move(expected, inverse(start));
    const auto poses = motion::forward_kinematics(made.clip), truth = motion::forward_kinematics(expected);
    for (std::size_t f = 0; f < std::min(made.clip.frames(), expected.frames()); ++f) {
      for (std::size_t j = 0; j < poses.joints; ++j) {
        EXPECT_LT(distance(poses.position(f, j), truth.position(f, j)), 0.03f) << c << " " << f << " " << j;
      }
    }
  }
}

TEST(Blend, TheStrokeShowsTheBlendOfTheStrokePoses) {
  for (const char* family : {"reach", "jump-family"}) {
    const auto space = space_of(sample_set(family_names(family, 6)));
    const PoseSet strokes = space->poses_at(space->strokes().front());
    Random random(4);
    for (int trial = 0; trial < 5; ++trial) {
      std::vector<float> weights = random_weights(random, 6);
      if (trial == 4) weights = {0.7f, 0.5f, -0.1f, 0.1f, -0.25f, 0.05f};  // extrapolation
      const Blended made = blend(space, weights, kUnplanted).value();
      ASSERT_EQ(made.strokes.size(), 1U);
      Vec3 root;
      std::vector<Quat> rotations(strokes.joints);
      blend_pose(strokes, weights, root, rotations);
      EXPECT_LT(distance(made.clip.roots[made.strokes[0]], root), 1e-4f);
      for (std::size_t j = 0; j < strokes.joints; ++j) {
        EXPECT_LT(angle_between(made.clip.pose(made.strokes[0])[j], rotations[j]), 1e-3f) << family << " " << j;
      }
      EXPECT_EQ(made.clip.labels.front().begin, made.strokes[0]);
    }
  }
}

TEST(Blend, DurationAndTurnAreTheWeightedMeans) {
  const SampleSet set = sample_set({"locomotion-02", "locomotion-06", "locomotion-07"});
  const auto space = space_of(set);
  const std::vector<float> weights{0.2f, 0.5f, 0.3f};
  Blender blender(space);
  blender.set_weights(weights);
  double duration = 0, turn = 0;
  const PoseSet ends = space->poses_at(1);
  for (std::size_t c = 0; c < 3; ++c) {
    duration += weights[c] * set.clips[c].duration();
    turn += weights[c] * ends.headings[c];
  }
  EXPECT_NEAR(blender.duration(), duration, 1e-4);
  std::vector<Quat> room(space->skeleton()->size());
  motion::StreamPose pose{{}, room, 0, {}};
  blender.pose(blender.duration(), pose);
  const auto end = motion::GroundFrameFinder(*space->skeleton()).find(pose.root, room[0]);
  EXPECT_NEAR(wrap_angle(end.heading - static_cast<float>(turn)), 0, 2e-2);
  for (double u = 0; u <= 1; u += 0.037) EXPECT_NEAR(blender.normalised_at(blender.seconds_at(u)), u, 1e-9);
}

TEST(Blend, ItsPartsAreWhatThePoseSaysItWasTakenFrom) {
  const auto space = space_of(sample_set(family_names("reach", 6)));
  Random random(9);
  std::vector<Quat> room(space->skeleton()->size());
  for (int trial = 0; trial < 8; ++trial) {
    Blender blender(space);
    blender.set_weights(random_weights(random, 6));
    for (double u = 0; u <= 1; u += 0.11) {
      motion::StreamPose pose{{}, room, 0, {}};
      blender.pose_at(u, pose);
      const auto parts = parts_at(*space, blender.weights(), u);
      ASSERT_FALSE(parts.empty());
      EXPECT_EQ(parts.front().at.clip, pose.source.clip);
      EXPECT_NEAR(parts.front().at.frame, pose.source.frame, 1) << u;
      float sum = 0;
      for (const BlendPart& part : parts) sum += part.share;
      EXPECT_NEAR(sum, 1, 0.03f);
    }
  }
}

/// Two clips on circles left and right: half-way between them is a straight line of the same length, not a shorter one,
/// which blending of positions would give.
TEST(Blend, LeftAndRightTurnsMakeAStraightWalkOfFullSpeed) {
  const SampleSet set = sample_set({"walk-turn-left-90", "walk-turn-right-90"});
  const auto space = space_of(set);
  const Blended made = blend(space, std::vector{0.5f, 0.5f}, kUnplanted).value();
  const auto path_length = [](const motion::Clip& clip) {
    float sum = 0;
    for (std::size_t f = 1; f < clip.frames(); ++f) {
      sum += std::hypot(clip.roots[f].x - clip.roots[f - 1].x, clip.roots[f].z - clip.roots[f - 1].z);
    }
    return sum;
  };
  EXPECT_NEAR(path_length(made.clip), (path_length(set.clips[0]) + path_length(set.clips[1])) / 2, 0.2);
  const float sideways = std::abs(made.clip.roots.back().x), ahead = made.clip.roots.back().z;
  EXPECT_LT(sideways, 0.12f * ahead);
}

TEST(Blend, FeetDoNotSlideAndNothingPops) {
  for (const auto& names : {family_names("locomotion", 4), {"locomotion-02", "locomotion-08", "locomotion-09"}}) {
    const SampleSet set = sample_set(names, 60);
    double liveliest = 0;
    for (std::size_t c = 0; c < set.clips.size(); ++c) {
      liveliest = std::max(liveliest, measure::measure(set.clips[c], set.contacts[c]).largest_jump_m);
    }
    const auto space = space_of(set);
    Random random(6);
    for (int trial = 0; trial < 3; ++trial) {
      const Blended made = blend(space, random_weights(random, names.size())).value();
      const measure::Measures measures = measure::measure(made.clip, made.contacts);
      EXPECT_LT(measures.foot_slide_mean_mps, 0.02) << names.front();
      EXPECT_LT(measures.foot_slide_max_mps, 0.25) << names.front() << " at " << measures.foot_slide_max_frame;
      EXPECT_LT(measures.largest_jump_m, 1.5 * liveliest) << names.front() << " at " << measures.largest_jump_frame;
    }
  }
}

TEST(BlendStream, PlaysOnceWhatBlendMakes) {
  const auto space = space_of(sample_set(family_names("locomotion", 3)));
  const std::vector<float> weights{0.25f, 0.5f, 0.25f};
  const auto stream = BlendStream::create(space, weights, BlendPlay::kOnce).value();
  const motion::Recording recorded = motion::record(*stream, 60).value();
  const Blended made = blend(space, weights, {.plant_feet = false}).value();
  EXPECT_EQ(recorded.clip.roots, made.clip.roots);
  EXPECT_EQ(recorded.contacts.planted, made.contacts.planted);
  EXPECT_EQ(recorded.source_names, (std::vector<std::string>{"locomotion-01", "locomotion-02", "locomotion-03"}));
  EXPECT_EQ(recorded.sources.front().clip, 1U);
}

TEST(BlendStream, HoldsItsStrokeAndBeginsAgain) {
  const SampleSet set = sample_set(family_names("reach", 3));
  const auto space = space_of(set);
  const std::vector<float> weights{0.25f, 0.5f, 0.25f};
  const auto held = BlendStream::create(space, weights, BlendPlay::kHold).value();
  const motion::Recording still = motion::record(*held, 1).value();
  EXPECT_EQ(still.clip.roots.front(), still.clip.roots.back());
  const auto again = BlendStream::create(space, weights, BlendPlay::kAgain, 100).value();
  const double round = again->blender().duration() + 0.5;
  const motion::Recording rounds = motion::record(*again, 2.5 * round).value();
  const auto frame = static_cast<std::size_t>(std::ceil(round * 100));
  EXPECT_LT(distance(rounds.clip.roots[frame], rounds.clip.roots[0]), 0.01f) << "the second round begins as the first";
  EXPECT_LT(distance(rounds.clip.roots[frame - 10], rounds.clip.roots[frame - 40]), 1e-6f) << "the pause";
}

TEST(Blend, RefusesUnusableWeights) {
  const auto space = space_of(sample_set(family_names("reach", 2)));
  for (const std::vector<float>& bad :
       {std::vector{1.0f}, {0.0f, 0.0f}, {1.0f, -1.0f}, {std::numeric_limits<float>::quiet_NaN(), 1.0f}}) {
    EXPECT_FALSE(blend(space, bad));
  }
  EXPECT_TRUE(blend(space, std::vector{3.0f, 1.0f}));
}

TEST(BlendSpace, RefusesAnAlignmentOfOtherClips) {
  const SampleSet set = sample_set(family_names("reach", 3));
  Alignment alignment = align(set.clips, set.contacts).value();
  Alignment stray = alignment;
  stray.strokes = {stray.end + 1};
  EXPECT_FALSE(BlendSpace::create(set.clips, set.contacts, stray));
  std::vector<motion::Clip> rates = set.clips;
  rates[1].rate = 50;
  EXPECT_FALSE(BlendSpace::create(rates, set.contacts, alignment));
  alignment.curves.pop_back();
  EXPECT_FALSE(BlendSpace::create(set.clips, set.contacts, alignment));
}

TEST(BlendSpace, TimeStandsWhereEveryClipHasEnded) {
  const SampleSet set = sample_set(family_names("reach", 2));
  Alignment alignment = align(set.clips, set.contacts).value();
  alignment.end += 1;  // a second that no clip has
  Blender blender(BlendSpace::create(set.clips, set.contacts, alignment).value());
  EXPECT_NEAR(blender.duration(), (set.clips[0].duration() + set.clips[1].duration()) / 2, 1e-6);
  std::vector<Quat> room(set.clips[0].joints());
  motion::StreamPose pose{{}, room, 0, {}};
  blender.pose(blender.duration(), pose);
  EXPECT_TRUE(is_finite(pose.root) && is_finite(room[0]));
}

TEST(Blend, MixesWalksOfRealCapture) {
  LOOM_REQUIRE_MOCAP();
  std::vector<motion::Clip> clips;
  std::vector<motion::Contacts> contacts;
  for (const char* name : {"07_01", "07_04", "07_06", "07_11"}) {
    const auto path = testing::mocap_folder() / "cmu30" / (std::string(name) + ".bvh");
    clips.push_back(io::read_motion(path.string()).value().front().clip);
    contacts.push_back(motion::find_contacts(clips.back()).value());
  }
  AlignOptions options;
  options.free_seconds = 0.6;
  auto alignment = align(clips, contacts, options).value();
  for (const double cost : alignment.costs) EXPECT_LT(cost, 0.01);
  const auto space = BlendSpace::create(clips, contacts, std::move(alignment)).value();
  const Blended made = blend(space, std::vector{0.25f, 0.25f, 0.25f, 0.25f}).value();
  const measure::Measures measures = measure::measure(made.clip, made.contacts);
  EXPECT_LT(measures.foot_slide_mean_mps, 0.02);
  EXPECT_GT(measures.mean_speed_mps, 0.95);  // between the slowest walk and the fastest
  EXPECT_LT(measures.mean_speed_mps, 1.65);
}

}  // namespace
}  // namespace loom::blend
