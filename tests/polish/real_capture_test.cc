// SPDX-License-Identifier: MIT
// What polishing does to real capture, with the project's own measures.
#include <array>
#include <string>

#include <gtest/gtest.h>

#include <loom/io/read.h>
#include <loom/measure/measure.h>
#include <loom/motion/kinematics.h>
#include <loom/polish/foot.h>
#include <loom/polish/plant_feet.h>

#include "tests/shared_data.h"

namespace loom::polish {
namespace {

using measure::Measures;
using motion::Clip;
using motion::Contacts;

Clip read(const std::string& name) {
  const auto path = testing::mocap_folder() / "cmu30" / name;
  return io::read_motion(path.string()).value().front().clip;
}

// Walk, fast walk, run, jump, turns, sidestep, kicks, boxing, picking up, karate, steps, ducking.
constexpr const char* kClips[] = {"02_01.bvh",  "07_01.bvh", "08_02.bvh",  "16_11.bvh",  "16_35.bvh",
                                  "02_03.bvh",  "16_01.bvh", "118_10.bvh", "91_40.bvh",  "69_02.bvh",
                                  "69_30.bvh",  "69_20.bvh", "144_05.bvh", "135_07.bvh", "13_17.bvh",
                                  "115_02.bvh", "69_68.bvh", "83_20.bvh",  "127_20.bvh", "35_01.bvh"};

TEST(RealCapture, FeetSlideLessThanAThirdOfTheRecordingAndNothingJumps) {
  LOOM_REQUIRE_MOCAP();
  double before_sum = 0, after_sum = 0;
  for (const char* name : kClips) {
    const Clip clip = read(name);
    const Contacts contacts = motion::find_contacts(clip).value();
    const Clip planted = plant_feet(clip, contacts).value();
    const Measures before = measure::measure(clip, contacts), after = measure::measure(planted, contacts);
    EXPECT_LT(after.foot_slide_mean_mps, before.foot_slide_mean_mps / 3 + 0.001) << name;
    EXPECT_LT(after.largest_jump_m, 1.3 * before.largest_jump_m) << name << " frame " << after.largest_jump_frame;
    EXPECT_LT(after.penetration_max_m, before.penetration_max_m + 0.003) << name;
    EXPECT_LT(after.jerk_rms, 1.1 * before.jerk_rms) << name;
    before_sum += before.foot_slide_mean_mps;
    after_sum += after.foot_slide_mean_mps;
    RecordProperty(name,
                   std::to_string(before.foot_slide_mean_mps) + " to " + std::to_string(after.foot_slide_mean_mps));
  }
  EXPECT_LT(after_sum, before_sum / 10);
}

TEST(RealCapture, ContactsFoundAnewAgree) {
  LOOM_REQUIRE_MOCAP();
  for (const char* name : {"02_01.bvh", "07_01.bvh", "16_11.bvh", "69_02.bvh"}) {
    const Clip clip = read(name);
    const Clip planted = plant_feet(clip, motion::find_contacts(clip).value()).value();
    EXPECT_LT(measure::measure(planted).foot_slide_mean_mps, 0.25 * measure::measure(clip).foot_slide_mean_mps) << name;
  }
}

TEST(RealCapture, KneesBendAsTheyDidAndNeverBackwards) {
  LOOM_REQUIRE_MOCAP();
  for (const char* name : {"02_01.bvh", "16_11.bvh", "69_02.bvh", "02_03.bvh", "144_05.bvh"}) {
    const Clip clip = read(name);
    const Clip planted = plant_feet(clip, motion::find_contacts(clip).value()).value();
    const motion::WorldPoses was = motion::forward_kinematics(clip), is = motion::forward_kinematics(planted);
    const auto bend = [](const motion::WorldPoses& poses, const Foot& foot, std::size_t f) {
      const auto at = [&](int joint) { return poses.position(f, static_cast<std::size_t>(joint)); };
      return cross(normalized(at(foot.leg.middle) - at(foot.leg.upper)),
                   normalized(at(foot.leg.end) - at(foot.leg.middle)));
    };
    const std::array<Foot, 2> feet = find_feet(*clip.skeleton).value();
    for (const Foot& foot : feet) {
      for (std::size_t f = 0; f < clip.frames(); ++f) {
        const Vec3 a = bend(was, foot, f), b = bend(is, foot, f);
        if (length(a) < 0.2f || length(b) < 0.05f) continue;  // nearly straight: no direction to compare
        EXPECT_GT(dot(normalized(a), normalized(b)), 0.8f) << name << " frame " << f;
      }
    }
  }
}

TEST(RealCapture, DriftOfTheRootIsRepairedToo) {
  LOOM_REQUIRE_MOCAP();
  for (const char* name : {"07_01.bvh", "08_02.bvh", "69_02.bvh"}) {
    Clip clip = read(name);
    const Contacts contacts = motion::find_contacts(clip).value();
    for (std::size_t f = 0; f < clip.frames(); ++f) clip.roots[f].x += 0.1f * static_cast<float>(f) / 30;
    const Clip planted = plant_feet(clip, contacts).value();
    const Measures before = measure::measure(clip, contacts), after = measure::measure(planted, contacts);
    EXPECT_GT(before.foot_slide_mean_mps, 0.07) << name;
    EXPECT_LT(after.foot_slide_mean_mps, 0.01) << name;
    EXPECT_LT(after.largest_jump_m, 1.3 * before.largest_jump_m) << name;
  }
}

}  // namespace
}  // namespace loom::polish
