// SPDX-License-Identifier: MIT
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <loom/blend/align/alignment.h>
#include <loom/compare/point_cloud.h>
#include <loom/compare/time_warp.h>

#include "tests/blend/sample_set.h"

namespace loom::blend {
namespace {

using testing::family_names;
using testing::sample_set;
using testing::SampleSet;

/// The clip played along `pace`, which maps [0, 1] onto itself.
template <typename Pace>
motion::Clip played(const motion::Clip& clip, std::size_t frames, const Pace& pace) {
  motion::Clip out{clip.name, clip.skeleton, clip.rate, {}, {}, {}};
  motion::Pose pose;
  for (std::size_t f = 0; f < frames; ++f) {
    motion::sample_pose(clip, clip.duration() * pace(static_cast<double>(f) / static_cast<double>(frames - 1)), pose);
    out.roots.push_back(pose.root);
    out.rotations.insert(out.rotations.end(), pose.rotations.begin(), pose.rotations.end());
  }
  return out;
}

TEST(Align, FindsAKnownChangeOfPace) {
  const SampleSet set = sample_set({"locomotion-03"});
  const auto pace = [](double t) { return t + 0.08 * std::sin(kPi * t); };
  const std::vector<motion::Clip> clips{set.clips[0], played(set.clips[0], set.clips[0].frames() + 20, pace)};
  std::vector<motion::Contacts> contacts;
  for (const auto& clip : clips) contacts.push_back(motion::find_contacts(clip).value());
  AlignOptions options;
  options.reference = 0;
  const Alignment made = align(clips, contacts, options).value();
  for (double u = 0.05; u < 0.95; u += 0.01) {
    const double there = made.curves[1].at(u * clips[0].duration()) / clips[1].duration();
    EXPECT_NEAR(pace(there), u, 0.015);
  }
  EXPECT_LT(made.costs[1], 1e-3);
}

TEST(Align, TheReferenceIsClosestToAllOthersOnAverage) {
  const SampleSet set = sample_set({"locomotion-01", "locomotion-03", "locomotion-04", "locomotion-05"});
  const Alignment made = align(set.clips, set.contacts).value();
  ASSERT_EQ(made.mean_costs.size(), 4U);
  for (std::size_t c = 0; c < 4; ++c) {
    EXPECT_LE(made.mean_costs[made.reference], made.mean_costs[c]);
  }
  // They are in the order of their speeds, so that the outer ones are never in the middle.
  EXPECT_TRUE(made.reference == 1 || made.reference == 2);
  // And the cost to the reference is what warping with it costs.
  AlignOptions options;
  options.reference = made.reference;
  EXPECT_EQ(align(set.clips, set.contacts, options).value().costs, made.costs);
}

TEST(Align, StrokesCoincideExactly) {
  const SampleSet set = sample_set(family_names("reach", 5));
  AlignOptions options;
  for (const double stroke : set.strokes) options.strokes.push_back({stroke});
  options.strokes[2][0] += 0.21;  // a user's own idea
  const Alignment made = align(set.clips, set.contacts, options).value();
  ASSERT_EQ(made.strokes.size(), 1U);
  for (std::size_t c = 0; c < set.clips.size(); ++c) {
    EXPECT_NEAR(made.curves[c].at(made.strokes[0]), options.strokes[c][0], 1e-12);
  }
}

TEST(Align, PlantsOfTheSameFootLineUp) {
  // (In the slowest, locomotion-01, a foot lifts after the other is down and not before: what is in another order
  // cannot line up.)
  const SampleSet set = sample_set({"locomotion-02", "locomotion-03", "locomotion-04"}, 60);
  // How many of some forty moments a foot comes down or lifts lie further than two frames from the same moment
  // elsewhere.
  const auto astray = [&](bool match_contacts) {
    AlignOptions options;
    options.match_contacts = match_contacts;
    const Alignment made = align(set.clips, set.contacts, options).value();
    std::size_t count = 0;
    for (std::size_t c = 0; c < set.clips.size(); ++c) {
      const auto marks = matching_contacts(set.contacts[made.reference], 60, set.contacts[c], 60, made.curves[c]);
      EXPECT_GT(marks.size(), 8U);
      for (const Mark& mark : marks) count += std::abs(made.curves[c].at(mark.from) - mark.to) > 2.0 / 60;
    }
    return count;
  };
  EXPECT_LE(astray(true), 1U);
  EXPECT_GT(astray(false), 4U);
}

TEST(Align, FreeEndsLeaveOutWhatTheOthersLack) {
  const SampleSet set = sample_set({"locomotion-03"});
  const std::vector<motion::Clip> clips{set.clips[0], motion::cut(set.clips[0], 8, set.clips[0].frames() - 6).value()};
  std::vector<motion::Contacts> contacts;
  for (const auto& clip : clips) contacts.push_back(motion::find_contacts(clip).value());
  AlignOptions options;
  options.reference = 0;
  options.free_seconds = 0.5;
  const Alignment made = align(clips, contacts, options).value();
  EXPECT_NEAR(made.begin, 8 / clips[0].rate, 0.1);
  EXPECT_NEAR(made.end, clips[0].duration() - 6 / clips[0].rate, 0.1);
  for (double t = made.begin + 0.2; t < made.end - 0.2; t += 0.1) {
    EXPECT_NEAR(made.curves[1].at(t), t - 8 / clips[0].rate, 0.05);
  }
}

TEST(Align, RefusesClipsThatDoNotBelongTogetherWithTheirCost) {
  const SampleSet set = sample_set({"idle-1", "run-1"});
  const auto refused = align(set.clips, set.contacts);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("do not belong together"), std::string::npos) << refused.error().message;
  EXPECT_NE(refused.error().message.find("cost"), std::string::npos);
  const SampleSet ends = sample_set({"pick-up-right-floor", "run-fast"});
  EXPECT_FALSE(align(ends.clips, ends.contacts));
}

TEST(Align, RefusesBadInput) {
  const SampleSet set = sample_set(family_names("reach", 2));
  const auto one = std::span(set.clips).first(1);
  EXPECT_FALSE(align(one, std::span(set.contacts).first(1)));
  AlignOptions outside;
  outside.strokes = {{1.0}, {99.0}};
  const auto refused = align(set.clips, set.contacts, outside);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("99.000 s lies outside 'reach-02'"), std::string::npos);
  AlignOptions uneven;
  uneven.strokes = {{1.0}, {0.5, 1.0}};
  EXPECT_FALSE(align(set.clips, set.contacts, uneven));
  std::vector<motion::Clip> rates = set.clips;
  rates[1].rate = 50;
  EXPECT_FALSE(align(rates, set.contacts));
  AlignOptions missing;
  missing.reference = 2;
  EXPECT_FALSE(align(set.clips, set.contacts, missing));
}

}  // namespace
}  // namespace loom::blend
