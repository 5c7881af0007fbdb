// SPDX-License-Identifier: MIT
// What polishing does to the sample motions, whose contacts are known for sure.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <loom/measure/measure.h>
#include <loom/motion/body.h>
#include <loom/motion/kinematics.h>
#include <loom/motion/soles.h>
#include <loom/polish/plant_feet.h>
#include <loom/sample/sample.h>

namespace loom::polish {
namespace {

using measure::Measures;
using motion::Clip;
using motion::Contacts;

/// Every third sample motion: some of each kind.
const std::vector<sample::SampleClip>& samples() {
  static const std::vector<sample::SampleClip> some = [] {
    std::vector<sample::SampleClip> made;
    const std::vector<std::string> names = sample::sample_names();
    for (std::size_t i = 0; i < names.size(); i += 3) made.push_back(sample::make_sample(names[i]).value());
    return made;
  }();
  return some;
}

/// How deep the soles of a clip go into the floor, metres.
float sole_depth(const Clip& clip) {
  const motion::Soles soles = motion::find_soles(*clip.skeleton);
  const motion::WorldPoses poses = motion::forward_kinematics(clip);
  float deepest = 0;
  for (const auto& foot : soles.feet) {
    for (const motion::SoleBall& ball : foot) {
      for (std::size_t f = 0; f < poses.frames; ++f) deepest = std::max(deepest, -motion::sole_point(poses, f, ball).y);
    }
  }
  return deepest;
}

TEST(Samples, ToesThatPointIntoTheFloorAreBentOverItWhereFeetMayNotGoDeeper) {
  // As blends of feet that roll differently do: heel and ball of the foot are where they should be, the toes are not.
  const sample::SampleClip walk = sample::make_sample("locomotion-02").value();
  Clip pointed = walk.clip;
  const auto toes = static_cast<std::size_t>(motion::find_body(*pointed.skeleton).left_leg.tip);
  for (std::size_t f = 0; f < pointed.frames(); ++f) {
    pointed.pose(f)[toes] = pointed.pose(f)[toes] * axis_angle({1, 0, 0}, 20 * kDegree);
  }
  const float before = sole_depth(walk.clip);
  ASSERT_GT(sole_depth(pointed), before + 0.01f);
  EXPECT_GT(sole_depth(plant_feet(pointed, walk.contacts).value()), before + 0.01f) << "as it was recorded";
  EXPECT_LT(sole_depth(plant_feet(pointed, walk.contacts, {.deepest = before}).value()), before + 0.006f);
}

TEST(Samples, StandOnTheirFeetAfterPolishing) {
  for (const sample::SampleClip& sample : samples()) {
    const Clip planted = plant_feet(sample.clip, sample.contacts).value();
    const Measures before = measure::measure(sample.clip, sample.contacts);
    const Measures after = measure::measure(planted, sample.contacts);
    EXPECT_LT(after.foot_slide_mean_mps, 0.002) << sample.clip.name;
    EXPECT_LT(after.largest_jump_m, 1.4 * before.largest_jump_m) << sample.clip.name;
    EXPECT_LT(after.penetration_max_m, before.penetration_max_m + 0.002) << sample.clip.name;
  }
}

TEST(Samples, SlideLittleWithContactsThatWereFound) {
  double sum = 0;
  for (const sample::SampleClip& sample : samples()) {
    const Clip planted = plant_feet(sample.clip, motion::find_contacts(sample.clip).value()).value();
    const Measures before = measure::measure(sample.clip), after = measure::measure(planted);
    // Feet that roll over heel and ball are found planted a frame early and late: most in the fastest run.
    EXPECT_LT(after.foot_slide_mean_mps, 0.012) << sample.clip.name;
    EXPECT_LT(after.largest_jump_m, 1.6 * before.largest_jump_m) << sample.clip.name;
    sum += after.foot_slide_mean_mps;
  }
  EXPECT_LT(sum / static_cast<double>(samples().size()), 0.003);
}

TEST(Samples, AreRepairedWhenTheyDrift) {
  // The body sways by 5 cm to each side of its way every two seconds, feet and all.
  double before_sum = 0, after_sum = 0;
  for (const sample::SampleClip& sample : samples()) {
    Clip drifting = sample.clip;
    for (std::size_t f = 0; f < drifting.frames(); ++f) {
      drifting.roots[f].x += 0.05f * std::sin(kPi * static_cast<float>(static_cast<double>(f) / drifting.rate));
    }
    const Clip planted = plant_feet(drifting, sample.contacts).value();
    const Measures before = measure::measure(drifting, sample.contacts);
    const Measures after = measure::measure(planted, sample.contacts);
    EXPECT_LT(after.largest_jump_m, 1.5 * before.largest_jump_m) << sample.clip.name;
    before_sum += before.foot_slide_mean_mps;
    after_sum += after.foot_slide_mean_mps;
  }
  EXPECT_LT(after_sum, 0.025 * before_sum);
}

}  // namespace
}  // namespace loom::polish
