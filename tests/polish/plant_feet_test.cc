// SPDX-License-Identifier: MIT
#include <cmath>

#include <gtest/gtest.h>

#include <loom/measure/measure.h>
#include <loom/motion/kinematics.h>
#include <loom/polish/plant_feet.h>

#include "tests/make_clip.h"
#include "tests/make_skeleton.h"
#include "tests/make_walk.h"

namespace loom::polish {
namespace {

using measure::Measures;
using motion::Clip;
using motion::Contacts;
using testing::Gait;
using testing::GaitClip;
using testing::made_contacts;
using testing::make_gait;

float largest_change(const Clip& a, const Clip& b) {
  const motion::WorldPoses pa = motion::forward_kinematics(a), pb = motion::forward_kinematics(b);
  float largest = 0;
  for (std::size_t i = 0; i < pa.positions.size(); ++i) {
    largest = std::max(largest, distance(pa.positions[i], pb.positions[i]));
  }
  return largest;
}

TEST(PlantFeet, BendsTheSameKneesWhateverTheLocalFrames) {
  Gait gait;
  gait.slide = 0.1f;
  const GaitClip made = make_gait(gait);
  std::vector<Quat> frames(made.clip.joints(), axis_angle({0, 0, 1}, 90 * kDegree));  // bones along the local X
  frames[0] = {};
  const Clip planted = plant_feet(made.clip, made_contacts(made)).value();
  const Clip turned = plant_feet(testing::with_frames(made.clip, frames), made_contacts(made)).value();
  EXPECT_LT(largest_change(planted, turned), 0.02f);
}

TEST(PlantFeet, ASlidingWalkSlidesNoMore) {
  for (const float slide : {0.05f, 0.1f, 0.2f}) {
    Gait gait;
    gait.slide = slide;
    const GaitClip made = make_gait(gait);
    const Contacts contacts = made_contacts(made);
    const Clip planted = plant_feet(made.clip, contacts).value();
    const Measures before = measure::measure(made.clip, contacts), after = measure::measure(planted, contacts);
    EXPECT_GT(before.foot_slide_mean_mps, 0.9 * slide);
    EXPECT_LT(after.foot_slide_mean_mps, 0.002) << "slide " << slide;
    EXPECT_LT(after.largest_jump_m, 1.25 * before.largest_jump_m) << "slide " << slide;
    EXPECT_LT(measure::measure(planted).foot_slide_mean_mps, 0.01) << "with contacts found anew";
  }
}

TEST(PlantFeet, AWalkOnPlantedFeetStaysAsItIs) {
  const GaitClip made = make_gait({});
  const Clip planted = plant_feet(made.clip, made_contacts(made)).value();
  EXPECT_LT(largest_change(made.clip, planted), 0.005f);
}

TEST(PlantFeet, DriftOfTheRootAsABlendMakesIsRepaired) {
  GaitClip made = make_gait({});
  const Contacts contacts = made_contacts(made);
  for (std::size_t f = 0; f < made.clip.frames(); ++f) {  // 6 cm to the side and back within a second
    const float along = smoothstep((static_cast<float>(f) - 40) / 15) - smoothstep((static_cast<float>(f) - 60) / 15);
    made.clip.roots[f].x += 0.06f * along;
  }
  const Clip planted = plant_feet(made.clip, contacts).value();
  const Measures before = measure::measure(made.clip, contacts), after = measure::measure(planted, contacts);
  EXPECT_GT(before.foot_slide_mean_mps, 0.02);
  EXPECT_LT(after.foot_slide_mean_mps, 0.002);
  EXPECT_LT(after.largest_jump_m, 1.25 * before.largest_jump_m);
}

TEST(PlantFeet, ABodyThatFloatsOrSinksIsPutOnItsFloor) {
  for (const float off : {-0.02f, 0.02f}) {
    GaitClip made = make_gait({});
    const Contacts contacts = motion::find_contacts(made.clip).value();
    for (Vec3& root : made.clip.roots) root.y += off;
    const Clip planted = plant_feet(made.clip, contacts).value();
    const motion::WorldPoses poses = motion::forward_kinematics(planted);
    for (std::size_t f = 0; f < planted.frames(); ++f) {
      if ((contacts.planted[f] & motion::kLeftHeel) == 0) continue;
      EXPECT_NEAR(poses.position(f, static_cast<std::size_t>(contacts.points[0])).y, 0.08, 0.006) << "frame " << f;
    }
    EXPECT_LT(measure::measure(planted, contacts).penetration_max_m, 0.003);
  }
}

TEST(PlantFeet, WhatIsCarriedDeeperThanFeetMayGoIsPutOnTheFloor) {
  const GaitClip made = make_gait({});
  const Contacts contacts = motion::find_contacts(made.clip).value();
  Clip sunken = made.clip;
  const std::size_t from = sunken.frames() / 3, to = 2 * from;
  for (std::size_t f = from; f < to; ++f) {
    const float share = static_cast<float>(f - from) / static_cast<float>(to - from);
    sunken.roots[f].y -= 0.12f * std::sin(kPi * share);
  }
  const auto lowest = [&](const Clip& clip) {
    const motion::WorldPoses poses = motion::forward_kinematics(clip);
    float below = 1;
    for (std::size_t f = 0; f < poses.frames; ++f) {
      for (std::size_t part = 0; part < motion::kFootParts; ++part) {
        const Vec3 p = poses.position(f, static_cast<std::size_t>(contacts.points[part]));
        below = std::min(below, p.y - contacts.ground.at(p) - contacts.rest_height[part]);
      }
    }
    return below;
  };
  ASSERT_LT(lowest(sunken), -0.1f);
  FootPlantOptions options;
  EXPECT_LT(lowest(plant_feet(sunken, contacts, options).value()), -0.06f) << "as on stairs";
  options.deepest = 0.03f;
  EXPECT_GT(lowest(plant_feet(sunken, contacts, options).value()), -0.035f);
}

TEST(PlantFeet, OverstretchedLegsLowerTheRootRatherThanSlide) {
  // The root is raised by 5.5 cm: in the longest step the legs are a centimetre too short for the floor.
  GaitClip made = make_gait({});
  const Contacts contacts = motion::find_contacts(made.clip).value();
  for (Vec3& root : made.clip.roots) root.y += 0.055f;
  const Clip planted = plant_feet(made.clip, contacts).value();
  EXPECT_LT(measure::measure(planted, contacts).foot_slide_mean_mps, 0.01);
  EXPECT_LT(planted.roots[60].y, made.clip.roots[60].y - 0.01f);
}

TEST(PlantFeet, KneesNeverBendBackwards) {
  Gait gait;
  gait.slide = 0.2f;
  const GaitClip made = make_gait(gait);
  const Clip planted = plant_feet(made.clip, made_contacts(made)).value();
  const motion::WorldPoses poses = motion::forward_kinematics(planted);
  for (const char* side : {"Left", "Right"}) {
    const auto joint = [&](const char* name) {
      return static_cast<std::size_t>(*planted.skeleton->find(std::string(side) + name));
    };
    for (std::size_t f = 0; f < planted.frames(); ++f) {
      const Vec3 thigh = poses.position(f, joint("Leg")) - poses.position(f, joint("UpLeg"));
      const Vec3 shank = poses.position(f, joint("Foot")) - poses.position(f, joint("Leg"));
      EXPECT_GE(cross(thigh, shank).x, -1e-4f) << side << " knee, frame " << f;  // walking along +Z, knees to +Z
    }
  }
}

TEST(PlantFeet, TwiceIsLikeOnce) {
  Gait gait;
  gait.slide = 0.15f;
  const GaitClip made = make_gait(gait);
  const Contacts contacts = made_contacts(made);
  const Clip once = plant_feet(made.clip, contacts).value(), twice = plant_feet(once, contacts).value();
  EXPECT_GT(largest_change(made.clip, once), 0.03f);
  EXPECT_LT(largest_change(once, twice), 0.01f);
}

TEST(PlantFeet, FlickeringContactsMakeNoPops) {
  Gait gait;
  gait.slide = 0.1f;
  const GaitClip made = make_gait(gait);
  Contacts contacts = made_contacts(made);
  for (std::size_t f = 0; f < contacts.planted.size(); f += 7) contacts.planted[f] = 0;
  const Clip planted = plant_feet(made.clip, contacts).value();
  EXPECT_LT(measure::measure(planted).largest_jump_m, 1.3 * measure::measure(made.clip).largest_jump_m);
  EXPECT_LT(measure::measure(planted, made_contacts(made)).foot_slide_mean_mps, 0.005);
}

TEST(PlantFeet, WorksAtAnyRate) {
  Gait gait;
  gait.slide = 0.1f;
  for (const double rate : {24.0, 60.0, 120.0}) {
    gait.rate = rate;
    const GaitClip made = make_gait(gait);
    const Contacts contacts = made_contacts(made);
    const Clip planted = plant_feet(made.clip, contacts).value();
    EXPECT_LT(measure::measure(planted, contacts).foot_slide_mean_mps, 0.002) << rate << " Hz";
    EXPECT_LT(measure::measure(planted, contacts).largest_jump_m, 1.3 * measure::measure(made.clip).largest_jump_m)
        << rate << " Hz";
  }
}

TEST(PlantFeet, KeepsAllButLegsAndRoot) {
  Gait gait;
  gait.slide = 0.1f;
  GaitClip made = make_gait(gait);
  made.clip.labels = {{"walk", 3, 50}};
  const Clip planted = plant_feet(made.clip, made_contacts(made)).value();
  EXPECT_EQ(planted.labels, made.clip.labels);
  EXPECT_EQ(planted.skeleton, made.clip.skeleton);
  EXPECT_EQ(planted.frames(), made.clip.frames());
  EXPECT_TRUE(motion::validate(planted).has_value());
  for (std::size_t f = 0; f < planted.frames(); ++f) {
    for (const char* name : {"Hips", "Spine", "Head", "LeftHand"}) {
      const auto joint = static_cast<std::size_t>(*planted.skeleton->find(name));
      EXPECT_EQ(planted.pose(f)[joint], made.clip.pose(f)[joint]);
    }
  }
}

TEST(PlantFeet, AFootIsDrawnOverTheFloorThatSolesStandOnWhereverContactsHaveIt) {
  // The left foot stands and then is drawn a metre along the floor. Contacts that tell a floor 8 mm lower, and points
  // that rest as much higher above it, tell of the same feet.
  GaitClip made = make_gait({.speed = 0});
  Contacts contacts = motion::find_contacts(made.clip).value();
  const std::vector<Quat> stands(made.clip.pose(0).begin(), made.clip.pose(0).end());
  const Vec3 root = made.clip.roots[0];
  for (std::size_t f = 0; f < made.clip.frames(); ++f) {
    std::copy(stands.begin(), stands.end(), made.clip.pose(f).begin());
    made.clip.roots[f] = root + Vec3{0, 0, 0.1f * std::clamp(static_cast<float>(f) - 20, 0.0f, 10.0f)};
    const bool drawn = f > 20 && f < 30;
    contacts.planted[f] = drawn ? std::uint8_t{0} : std::uint8_t{motion::kLeftFoot | motion::kRightFoot};
  }
  Contacts lower = contacts;
  lower.ground.height -= 0.008f;
  lower.floor -= 0.008f;
  for (float& rest : lower.rest_height) rest += 0.008f;
  const Clip planted = plant_feet(made.clip, contacts).value(), other = plant_feet(made.clip, lower).value();
  const auto toe = static_cast<std::size_t>(contacts.points[1]);
  const float was = motion::forward_kinematics(made.clip).position(25, toe).y;
  EXPECT_GT(motion::forward_kinematics(planted).position(25, toe).y, was + 0.01f) << "it is lifted";
  EXPECT_LT(largest_change(planted, other), 0.001f);
}

TEST(PlantFeet, NoContactsNoChange) {
  const GaitClip made = make_gait({});
  Contacts contacts;
  contacts.planted.assign(made.clip.frames(), 0);
  EXPECT_LT(largest_change(made.clip, plant_feet(made.clip, contacts).value()), 0.005f);
}

TEST(PlantFeet, EmptyAndTinyClipsAreFine) {
  Clip clip = make_gait({}).clip;
  for (const std::size_t frames : {0u, 1u, 2u, 3u}) {
    Clip part = clip;
    part.roots.resize(frames);
    part.rotations.resize(frames * part.joints());
    Contacts contacts;
    contacts.planted.assign(frames, motion::kLeftFoot | motion::kRightFoot);
    const auto planted = plant_feet(part, contacts);
    ASSERT_TRUE(planted.has_value());
    EXPECT_EQ(planted->frames(), frames);
    EXPECT_TRUE(motion::validate(*planted).has_value());
  }
}

TEST(PlantFeet, RefusesABodyWithoutFeetAndContactsOfAnotherClip) {
  Clip door{
      "door",       std::make_shared<motion::Skeleton>(testing::outline_skeleton("Frame{Door[1 0 0]{Handle[0 1 0]}}")),
      30,           {{}},
      {{}, {}, {}}, {}};
  Contacts contacts;
  contacts.planted = {0};
  const auto without_feet = plant_feet(door, contacts);
  ASSERT_FALSE(without_feet.has_value());
  EXPECT_NE(without_feet.error().message.find("left leg"), std::string::npos) << without_feet.error().message;
  const auto other_length = plant_feet(make_gait({}).clip, contacts);
  ASSERT_FALSE(other_length.has_value());
  EXPECT_NE(other_length.error().message.find("1 frames"), std::string::npos) << other_length.error().message;
}

TEST(PlantFeet, AFootThatIsLetGoDoesNotSpinIntoItsOwnDirection) {
  // The left foot stands while the body turns by 110 degrees in a tenth of a second, and then is let go on the floor.
  GaitClip made = make_gait({.speed = 0});
  const Vec3 root = made.clip.roots[0];
  Contacts contacts = motion::find_contacts(made.clip).value();
  for (std::size_t f = 0; f < made.clip.frames(); ++f) {
    std::copy(made.clip.pose(0).begin(), made.clip.pose(0).end(), made.clip.pose(f).begin());
    made.clip.roots[f] = root;
    const float turned = 110 * kDegree * std::clamp((static_cast<float>(f) - 30) / 3, 0.0f, 1.0f);
    made.clip.pose(f)[0] = normalized(axis_angle({0, 1, 0}, turned) * made.clip.pose(0)[0]);
    contacts.planted[f] = f < 32 ? motion::kLeftFoot : std::uint8_t{0};
  }
  const Clip planted = plant_feet(made.clip, contacts).value();
  const motion::WorldPoses was = motion::forward_kinematics(made.clip), is = motion::forward_kinematics(planted);
  const motion::FootPoints points = motion::find_foot_points(*made.clip.skeleton).value();
  const auto fastest = [&](const motion::WorldPoses& poses) {
    const auto heading = [&](std::size_t f) {
      const Vec3 ahead = poses.position(f, static_cast<std::size_t>(points[1])) -
                         poses.position(f, static_cast<std::size_t>(points[0]));
      return std::atan2(ahead.x, ahead.z);
    };
    float most = 0;
    for (std::size_t f = 1; f < poses.frames; ++f) {
      most = std::max(most, std::abs(wrap_angle(heading(f) - heading(f - 1))) * 30);
    }
    return most;
  };
  EXPECT_GT(fastest(was), 1050 * kDegree);
  EXPECT_LT(fastest(is), 910 * kDegree);
}

}  // namespace
}  // namespace loom::polish
