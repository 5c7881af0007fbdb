// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/io/read.h>
#include <loom/motion/contacts.h>
#include <loom/motion/kinematics.h>
#include <loom/sample/sample.h>

#include "tests/make_clip.h"
#include "tests/make_skeleton.h"
#include "tests/make_walk.h"
#include "tests/shared_data.h"

namespace loom::motion {
namespace {

using testing::Gait;
using testing::GaitClip;
using testing::make_gait;
using testing::random_skeleton;
using testing::small_person;

/// The small person standing still at `height`.
Clip standing(std::size_t frames, float height) {
  const auto person = small_person();
  return {"standing",
          person,
          30,
          std::vector<Vec3>(frames, Vec3{0, height + 0.97f, 0}),
          std::vector<Quat>(frames * person->size()),
          {}};
}

/// How many frames of `found` differ from what was made, leaving out those within `near` frames of a change: when
/// exactly a foot lifts is a matter of thresholds.
std::size_t disagreements(const std::vector<std::uint8_t>& found, std::uint8_t foot, const std::vector<bool>& made,
                          std::size_t near) {
  std::size_t count = 0;
  for (std::size_t f = 0; f < made.size(); ++f) {
    bool change_near = false;
    for (std::size_t g = f - std::min(f, near); g <= std::min(f + near, made.size() - 1); ++g) {
      change_near = change_near || made[g] != made[f];
    }
    if (!change_near && ((found[f] & foot) != 0) != made[f]) ++count;
  }
  return count;
}

/// How far the sole of the small person lies below the ends of its toes, which are at the height 0 or `gait.floor`.
constexpr float kSole = 0.0197f;

void expect_found_as_made(const Gait& gait, const char* what) {
  const GaitClip made = make_gait(gait);
  const Contacts contacts = find_contacts(made.clip).value();
  const auto near = static_cast<std::size_t>(std::lround(0.1 * gait.rate));
  ASSERT_EQ(contacts.planted.size(), made.clip.frames()) << what;
  EXPECT_EQ(disagreements(contacts.planted, kLeftFoot, made.left_planted, near), 0u) << what;
  EXPECT_EQ(disagreements(contacts.planted, kRightFoot, made.right_planted, near), 0u) << what;
  EXPECT_NEAR(contacts.floor, gait.floor - kSole, 0.01f) << what;
  EXPECT_NEAR(contacts.rest_height[0], 0.08f + kSole, 0.01f) << what;
  EXPECT_NEAR(contacts.rest_height[1], kSole, 0.01f) << what;
}

TEST(FindContacts, StandingStillPlantsBothFeet) {
  const Contacts contacts = find_contacts(standing(50, 0)).value();
  EXPECT_THAT(contacts.planted, ::testing::Each(kLeftFoot | kRightFoot));
  EXPECT_NEAR(contacts.floor, -kSole, 1e-4f);
  EXPECT_EQ(contact_phases(contacts), (std::vector<ContactPhase>{{Stance::kDouble, 0, 50}}));
}

TEST(FindContacts, FloorTwentyCentimetresUp) {
  EXPECT_NEAR(find_contacts(standing(50, 0.2f)).value().floor, 0.2f - kSole, 1e-4f);
  Gait gait;
  gait.floor = 0.2f;
  expect_found_as_made(gait, "on a stage");
}

TEST(FindContacts, WalksAndRunsAsTheyWereMade) {
  expect_found_as_made({}, "walk");
  Gait slow;
  slow.cycle = 1.6, slow.duty = 0.7, slow.speed = 0.6, slow.lift = 0.08f;
  expect_found_as_made(slow, "slow walk");
  Gait run;
  run.cycle = 0.7, run.duty = 0.36, run.speed = 3.0, run.lift = 0.2f;
  expect_found_as_made(run, "run");
}

TEST(FindContacts, HardlyDependOnTheFrameRate) {
  for (const double rate : {25.0, 60.0, 120.0, 240.0}) {
    Gait gait;
    gait.rate = rate;
    expect_found_as_made(gait, std::to_string(rate).c_str());
  }
}

TEST(FindContacts, FollowATiltedFloor) {
  Gait gait;
  gait.slope = 0.015f;
  expect_found_as_made(gait, "tilted");
  const Contacts contacts = find_contacts(make_gait(gait).clip).value();
  EXPECT_NEAR(contacts.ground.slope_z, 0.015f, 0.003f);
  EXPECT_NEAR(contacts.ground.slope_x, 0, 0.003f);
}

TEST(FindContacts, AreTheSameForTimeRunBackwards) {
  const GaitClip made = make_gait({});
  Clip backwards = made.clip;
  std::reverse(backwards.roots.begin(), backwards.roots.end());
  for (std::size_t f = 0; f < backwards.frames(); ++f) {
    std::copy_n(made.clip.pose(backwards.frames() - 1 - f).begin(), backwards.joints(), backwards.pose(f).begin());
  }
  std::vector<std::uint8_t> planted = find_contacts(backwards).value().planted;
  std::reverse(planted.begin(), planted.end());
  EXPECT_EQ(planted, find_contacts(made.clip).value().planted);
}

TEST(FindContacts, AFootHeldInTheAirIsNotPlanted) {
  Clip clip = standing(60, 0);
  const int thigh = clip.skeleton->find("LeftUpLeg").value(), knee = clip.skeleton->find("LeftLeg").value();
  for (std::size_t f = 20; f < 40; ++f) {  // raised and held still, standing on the right
    clip.pose(f)[static_cast<std::size_t>(thigh)] = axis_angle({1, 0, 0}, -1.0f);
    clip.pose(f)[static_cast<std::size_t>(knee)] = axis_angle({1, 0, 0}, 1.0f);
  }
  const Contacts contacts = find_contacts(clip).value();
  EXPECT_EQ(stance_of(contacts.planted[30]), Stance::kRight);
  EXPECT_EQ(stance_of(contacts.planted[10]), Stance::kDouble);
}

TEST(FindContacts, AJumpIsFlightAndAStepUpIsNot) {
  Clip jump = standing(60, 0), step = jump;
  for (std::size_t f = 20; f < 35; ++f) {
    const float t = static_cast<float>(f - 20) / 30;
    jump.roots[f].y += 2.35f * t - 0.5f * 9.81f * t * t;
  }
  EXPECT_EQ(stance_of(find_contacts(jump).value().planted[27]), Stance::kFlight);
  EXPECT_NEAR(find_contacts(jump).value().floor, -kSole, 1e-3f);
  // Hops onto a box 30 cm high and stays.
  for (std::size_t f = 20; f < step.frames(); ++f)
    step.roots[f].y += 0.3f * smoothstep(static_cast<float>(f - 20) / 10);
  const Contacts on_box = find_contacts(step).value();
  EXPECT_EQ(stance_of(on_box.planted[25]), Stance::kFlight);
  EXPECT_EQ(stance_of(on_box.planted[50]), Stance::kDouble);
  EXPECT_NEAR(on_box.floor, -kSole, 1e-3f);
}

TEST(FindContacts, AClipWithoutFloorContactHasNone) {
  Clip fall = standing(12, 0);
  for (std::size_t f = 0; f < fall.frames(); ++f) {
    const float t = static_cast<float>(f) / 30 + 0.2f;
    fall.roots[f].y += 5 - 0.5f * 9.81f * t * t;
  }
  EXPECT_THAT(find_contacts(fall).value().planted, ::testing::Each(0));
}

TEST(FindContacts, TakesClipsOfNoAndOneFrame) {
  EXPECT_TRUE(find_contacts(standing(0, 0)).value().planted.empty());
  EXPECT_EQ(find_contacts(standing(1, 0)).value().planted.size(), 1u);
}

TEST(FindContacts, RefusesASkeletonWithoutFeet) {
  const Clip clip = testing::random_clip(random_skeleton(10, 1), 5, 30, 1);
  const auto contacts = find_contacts(clip);
  ASSERT_FALSE(contacts);
  EXPECT_THAT(contacts.error().to_string(), ::testing::HasSubstr("LeftFoot"));
}

/// The sample performer knows when its feet rest. It counts a heel only once the foot is flat, so the moments of
/// rolling on and off are left out here.
TEST(FindContacts, AgreeWithTheSamplePerformersOwn) {
  for (const char* name : {"walk-slow", "walk-fast", "run-fast", "jump-up", "kick-left-low"}) {
    const auto sample = sample::make_sample(name);
    ASSERT_TRUE(sample) << sample.error().to_string();
    const Contacts found = find_contacts(sample->clip).value();
    const auto near = static_cast<std::size_t>(std::lround(0.15 * sample->clip.rate));
    for (const std::uint8_t foot : {kLeftFoot, kRightFoot}) {
      std::vector<bool> own;
      for (const std::uint8_t planted : sample->contacts.planted) own.push_back((planted & foot) != 0);
      EXPECT_LE(disagreements(found.planted, foot, own, near), own.size() / 50) << name;
    }
    EXPECT_NEAR(found.floor, sample->contacts.floor, 0.005f) << name;
  }
}

TEST(ContactPhases, CoverAllFramesInOrder) {
  Contacts contacts;
  contacts.planted = {0, kLeftHeel, kLeftHeel | kLeftToe, kLeftToe | kRightHeel, kRightToe, kRightToe, 0};
  EXPECT_EQ(contact_phases(contacts), (std::vector<ContactPhase>{{Stance::kFlight, 0, 1},
                                                                 {Stance::kLeft, 1, 3},
                                                                 {Stance::kDouble, 3, 4},
                                                                 {Stance::kRight, 4, 6},
                                                                 {Stance::kFlight, 6, 7}}));
  EXPECT_TRUE(contact_phases({}).empty());
}

/// The contacts of a real clip as letters and lengths: "D12 L14 -6".
std::string phases_of(const char* file) {
  const auto read = io::read_motion((testing::mocap_folder() / file).string());
  if (!read) return read.error().to_string();
  std::string all;
  for (const ContactPhase& phase : contact_phases(find_contacts(read->front().clip).value())) {
    all += phase.stance == Stance::kFlight   ? '-'
           : phase.stance == Stance::kDouble ? 'D'
           : phase.stance == Stance::kLeft   ? 'L'
                                             : 'R';
  }
  return all;
}

TEST(RealCaptureContacts, WalksAlternateWithDoubleSupport) {
  LOOM_REQUIRE_MOCAP();
  EXPECT_EQ(phases_of("cmu30/02_01.bvh"), "RDLDRDLDRDL");  // on a tilted floor
  EXPECT_EQ(phases_of("cmu30/07_01.bvh"), "DRDLDRDLDR");
  EXPECT_EQ(phases_of("cmu30/39_01.bvh"), "RDLDRDLDRDLDR");
}

TEST(RealCaptureContacts, RunsHaveFlightBetweenSteps) {
  LOOM_REQUIRE_MOCAP();
  EXPECT_EQ(phases_of("cmu30/02_03.bvh"), "-R-L-R-L");
  EXPECT_EQ(phases_of("cmu30/16_35.bvh"), "-L-R-L-R");
  EXPECT_EQ(phases_of("cmu30/09_01.bvh"), "L-R-L-R");
}

TEST(RealCaptureContacts, JumpsAndStairs) {
  LOOM_REQUIRE_MOCAP();
  EXPECT_EQ(phases_of("cmu30/118_01.bvh"), "D-D");
  EXPECT_EQ(phases_of("cmu30/13_13.bvh"), "D-D");
  EXPECT_EQ(phases_of("cmu30/83_30.bvh"), "DRDLDRDLDRDLDRDLD");  // up four steps
}

}  // namespace
}  // namespace loom::motion
