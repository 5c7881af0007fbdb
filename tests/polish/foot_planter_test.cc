// SPDX-License-Identifier: MIT

#include <gtest/gtest.h>

#include <loom/io/read.h>
#include <loom/measure/body_measures.h>
#include <loom/measure/measure.h>
#include <loom/measure/reference_measures.h>
#include <loom/motion/body.h>
#include <loom/motion/kinematics.h>
#include <loom/motion/stand_on_floor.h>
#include <loom/polish/foot_planter.h>
#include <loom/polish/plant_feet.h>
#include <loom/polish/polished_stream.h>
#include <loom/sample/sample.h>

#include "tests/count_allocations.h"
#include "tests/make_clip.h"
#include "tests/make_skeleton.h"
#include "tests/make_walk.h"
#include "tests/shared_data.h"

namespace loom::polish {
namespace {

using measure::Measures;
using motion::Clip;
using motion::Contacts;
using testing::Gait;
using testing::GaitClip;
using testing::made_contacts;
using testing::make_gait;

Clip planted_online(const Clip& clip, const Contacts& contacts, const FootPlanterOptions& options = {}) {
  FootPlanter planter = FootPlanter::create(clip.skeleton, clip.rate, options).value();
  Clip out = clip;
  for (std::size_t f = 0; f < clip.frames(); ++f) planter.plant(contacts.planted[f], out.roots[f], out.pose(f));
  return out;
}

TEST(FootPlanter, KneesThatAJoinSwingsPastStraightDoNotTurnTheLegOver) {
  // As a join between two motions leaves it: in mid-stance the knees go up to 6 degrees past straight and come back.
  const GaitClip made = make_gait({});
  const auto knee = [&](const char* name) { return static_cast<std::size_t>(*made.clip.skeleton->find(name)); };
  Clip clip = made.clip;
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    const float past = 6 * kDegree * std::sin(kPi * static_cast<float>(f % 12) / 12);
    for (const char* name : {"LeftLeg", "RightLeg"}) {
      Quat& q = clip.pose(f)[knee(name)];
      if (f / 12 % 2 == 1 && 2 * std::atan2(q.x, q.w) < 0.6f) q = axis_angle({1, 0, 0}, -past);
    }
  }
  const measure::TurnLimits limits = measure::learn_turn_limits(std::span(&clip, 1)).value();
  for (const Clip& planted :
       {planted_online(clip, made_contacts(made)), plant_feet(clip, made_contacts(made)).value()}) {
    const measure::BodyMeasures m = measure::measure_body(planted);
    EXPECT_LT(m.knee_backward_deg, 0.5) << m.knee_backward_frame;
    EXPECT_EQ(m.foot_reversed_frames, 0u);
    EXPECT_LT(measure::measure_turns(planted, limits).ratio, measure::kFlipRatio);
  }
}

TEST(FootPlanter, AFreeFootThatGoesAlongTheFloorIsLifted) {
  Gait gait;
  gait.lift = 0.001f;  // told to swing, and seen to drag
  gait.rate = 60;
  GaitClip made = make_gait(gait);
  const Contacts floor = motion::stand_on_floor(made.clip);
  FootPlanterOptions options;
  options.standing = floor.rest_height;
  const Clip planted = planted_online(made.clip, made_contacts(made), options);
  EXPECT_GT(measure::measure_body(made.clip).drags_per_minute, 80);
  const measure::BodyMeasures after = measure::measure_body(planted, {.floor = 0.0f});
  EXPECT_LT(after.drags_per_minute, 20);
  EXPECT_NEAR(after.sole_height_m, 0, 0.01);
}

TEST(FootPlanter, AFreeFootThatTipsIntoTheFloorIsLiftedBeforeItIsThere) {
  // Feet that nothing holds point down within four poses, as a join may have them: the toes would go through the floor.
  sample::SampleClip made = *sample::make_sample("walk-normal-1", {1, 60});
  const motion::Body body = motion::find_body(*made.clip.skeleton);
  for (std::size_t f = 0; f < made.clip.frames(); ++f) {
    const float tip = std::clamp((static_cast<float>(f % 30) - 15) / 4, 0.0f, 1.0f);
    for (const int foot : {body.left_leg.end, body.right_leg.end}) {
      Quat& q = made.clip.pose(f)[static_cast<std::size_t>(foot)];
      q = normalized(q * axis_angle({1, 0, 0}, tip * 40 * kDegree));
    }
  }
  FootPlanterOptions options;
  options.standing = made.contacts.rest_height;
  Contacts free = made.contacts;
  std::fill(free.planted.begin(), free.planted.end(), std::uint8_t{0});
  const Clip planted = planted_online(made.clip, free, options);
  EXPECT_LT(measure::measure_body(made.clip, {.floor = 0.0f}).sole_lowest_m, -0.05);
  EXPECT_GT(measure::measure_body(planted, {.floor = 0.0f}).sole_lowest_m, -0.002);
}

TEST(FootPlanter, ASlidingWalkSlidesNoMore) {
  for (const float slide : {0.05f, 0.1f, 0.2f}) {
    for (const double rate : {30.0, 60.0, 120.0}) {
      Gait gait;
      gait.slide = slide;
      gait.rate = rate;
      const GaitClip made = make_gait(gait);
      const Contacts contacts = made_contacts(made);
      const Clip planted = planted_online(made.clip, contacts);
      const Measures before = measure::measure(made.clip, contacts), after = measure::measure(planted, contacts);
      EXPECT_LT(after.foot_slide_mean_mps, 0.005) << "slide " << slide << " at " << rate << " Hz";
      EXPECT_LT(after.largest_jump_m, 1.5 * before.largest_jump_m) << "slide " << slide << " at " << rate << " Hz";
      EXPECT_TRUE(motion::validate(planted).has_value());
    }
  }
}

TEST(FootPlanter, AWalkOnPlantedFeetHardlyChanges) {
  const GaitClip made = make_gait({});
  const Clip planted = planted_online(made.clip, made_contacts(made));
  const motion::WorldPoses was = motion::forward_kinematics(made.clip), is = motion::forward_kinematics(planted);
  for (std::size_t i = 0; i < was.positions.size(); ++i) EXPECT_LT(distance(was.positions[i], is.positions[i]), 0.02f);
}

TEST(FootPlanter, ACorrectionDiesAwayOnceTheFootLifts) {
  Gait gait;
  gait.slide = 0.2f;  // 14 cm a step
  const GaitClip made = make_gait(gait);
  const Contacts contacts = made_contacts(made);
  const Clip planted = planted_online(made.clip, contacts);
  const motion::WorldPoses was = motion::forward_kinematics(made.clip), is = motion::forward_kinematics(planted);
  const auto ankle = static_cast<std::size_t>(*made.clip.skeleton->find("LeftFoot"));
  float at_lift = 0, at_landing = 0;
  for (std::size_t f = 1; f < made.clip.frames(); ++f) {
    const float off = distance(was.position(f, ankle), is.position(f, ankle));
    if (!made.left_planted[f] && made.left_planted[f - 1]) at_lift = std::max(at_lift, off);
    if (made.left_planted[f] && !made.left_planted[f - 1]) at_landing = std::max(at_landing, off);
  }
  EXPECT_GT(at_lift, 0.1f);
  EXPECT_LT(at_landing, 0.25f * at_lift);
}

TEST(FootPlanter, AFootIsNotHeldBackForEver) {
  GaitClip made = make_gait({.speed = 0});
  Contacts contacts;
  contacts.planted.assign(made.clip.frames(), motion::kLeftFoot | motion::kRightFoot);
  for (std::size_t f = 0; f < made.clip.frames(); ++f) made.clip.roots[f].z += 0.3f * static_cast<float>(f) / 30;
  const Clip planted = planted_online(made.clip, contacts);
  const motion::WorldPoses was = motion::forward_kinematics(made.clip), is = motion::forward_kinematics(planted);
  const auto ankle = static_cast<std::size_t>(*made.clip.skeleton->find("LeftFoot"));
  for (std::size_t f = 0; f < made.clip.frames(); ++f) {
    EXPECT_LT(distance(was.position(f, ankle), is.position(f, ankle)), 0.25f) << "frame " << f;
  }
}

/// A walk that from one frame on stands on the other foot, as a join of two motions does: the left foot is in the air
/// when it is told to be planted, and comes down only then.
TEST(FootPlanter, TheFootThatStandsIsHeldUntilTheOtherIsDown) {
  Gait gait;
  gait.rate = 60;
  GaitClip made = make_gait(gait);
  const Contacts floor = motion::stand_on_floor(made.clip);
  FootPlanterOptions options;
  options.standing = floor.rest_height;
  options.max_wander = 0.4f;
  std::size_t swing = 30;
  while (made.left_planted[swing] || !made.left_planted[swing - 1]) ++swing;
  Contacts contacts = made_contacts(made);
  for (std::size_t f = swing + 8; f < swing + 14; ++f) contacts.planted[f] = motion::kLeftFoot;  // right left alone
  FootPlanter planter = FootPlanter::create(made.clip.skeleton, made.clip.rate, options).value();
  for (std::size_t f = 0; f < swing + 14; ++f) {
    const std::uint8_t held = planter.plant(contacts.planted[f], made.clip.roots[f], made.clip.pose(f));
    if (f < swing + 8) continue;
    EXPECT_NE(held & motion::kRightFoot, 0) << f - swing;
    EXPECT_EQ(held & motion::kLeftFoot, 0) << f - swing;
  }
}

TEST(FootPlanter, NobodyIsHeldWhoFlies) {
  GaitClip made = make_gait({.rate = 60});
  FootPlanter planter = FootPlanter::create(made.clip.skeleton, made.clip.rate).value();
  const Contacts contacts = made_contacts(made);
  for (std::size_t f = 0; f < 30; ++f) planter.plant(contacts.planted[f], made.clip.roots[f], made.clip.pose(f));
  EXPECT_EQ(planter.plant(0, made.clip.roots[30], made.clip.pose(30)), 0);
}

TEST(FootPlanter, AFootHeldTooFarBackStepsOffTheFloor) {
  // Both feet are told to stand while the body is carried along.
  GaitClip made = make_gait({.rate = 60, .speed = 0});
  const Contacts floor = motion::stand_on_floor(made.clip);
  Contacts contacts;
  contacts.planted.assign(made.clip.frames(), motion::kLeftFoot | motion::kRightFoot);
  for (std::size_t f = 0; f < made.clip.frames(); ++f) {
    std::copy(made.clip.pose(0).begin(), made.clip.pose(0).end(), made.clip.pose(f).begin());
    made.clip.roots[f] = made.clip.roots[0] + Vec3{0, 0, 0.4f * static_cast<float>(f) / 60};
  }
  FootPlanterOptions options;
  options.standing = floor.rest_height;
  const Clip planted = planted_online(made.clip, contacts, options);
  EXPECT_GT(measure::measure_body(made.clip, {.floor = 0.0f}).drags_per_minute, 10);
  EXPECT_EQ(measure::measure_body(planted, {.floor = 0.0f}).drags_per_minute, 0);
  const motion::WorldPoses poses = motion::forward_kinematics(planted);
  const auto ankle = static_cast<std::size_t>(*made.clip.skeleton->find("LeftFoot"));
  float highest = 0;
  for (std::size_t f = 0; f < planted.frames(); ++f) highest = std::max(highest, poses.position(f, ankle).y);
  EXPECT_GT(highest, poses.position(0, ankle).y + 0.02f);
}

TEST(FootPlanter, AFootThatIsLeftBehindRollsOverItsToe) {
  // The left foot is drawn flat over the floor, and told to stand for a while longer than the leg reaches.
  Gait gait;
  gait.rate = 60;
  gait.lift = 0.001f;
  GaitClip made = make_gait(gait);
  const Contacts floor = motion::stand_on_floor(made.clip);
  FootPlanterOptions options;
  options.standing = floor.rest_height;
  options.max_wander = 1;  // only its leg can make it step
  std::size_t swing = 60;
  while (made.left_planted[swing] || !made.left_planted[swing - 1]) ++swing;
  Contacts contacts = made_contacts(made);
  for (std::size_t f = swing; f < swing + 8; ++f) contacts.planted[f] |= motion::kLeftFoot;
  const Clip planted = planted_online(made.clip, contacts, options);
  const motion::WorldPoses poses = motion::forward_kinematics(planted);
  const motion::FootPoints points = motion::find_foot_points(*made.clip.skeleton).value();
  const auto heel = static_cast<std::size_t>(points[0]), toe = static_cast<std::size_t>(points[1]);
  const Vec3 stood = poses.position(swing - 1, toe), stands = poses.position(swing + 7, toe);
  EXPECT_LT(std::hypot(stands.x - stood.x, stands.z - stood.z), 0.01f);
  EXPECT_GT(poses.position(swing + 7, heel).y, poses.position(swing - 15, heel).y + 0.01f);
}

TEST(FootPlanter, AFootThatIsLetGoDoesNotSpinIntoItsOwnDirection) {
  // The left foot stands while the body turns by 55 degrees over it, and is let go as it is, on the floor.
  GaitClip made = make_gait({.rate = 60, .speed = 0});
  const Contacts floor = motion::stand_on_floor(made.clip);
  FootPlanterOptions options;
  options.standing = floor.rest_height;
  options.release_seconds = 0.005f;  // as good as at once
  const Vec3 root = made.clip.roots[0];
  Contacts contacts;
  for (std::size_t f = 0; f < made.clip.frames(); ++f) {
    std::copy(made.clip.pose(0).begin(), made.clip.pose(0).end(), made.clip.pose(f).begin());
    made.clip.roots[f] = root;
    const float turned = 55 * kDegree * std::min(static_cast<float>(f) / 10, 1.0f);
    made.clip.pose(f)[0] = normalized(axis_angle({0, 1, 0}, turned) * made.clip.pose(0)[0]);
    contacts.planted.push_back(f < 12 ? motion::kLeftFoot : std::uint8_t{0});
  }
  const Clip planted = planted_online(made.clip, contacts, options);
  const motion::WorldPoses poses = motion::forward_kinematics(planted);
  const auto ankle = static_cast<std::size_t>(*made.clip.skeleton->find("LeftFoot"));
  float fastest = 0;
  for (std::size_t f = 1; f < planted.frames(); ++f) {
    fastest = std::max(fastest, angle_between(poses.rotation(f - 1, ankle), poses.rotation(f, ankle)) * 60);
  }
  EXPECT_GT(fastest, 300 * kDegree);
  EXPECT_LT(fastest, 1000 * kDegree);
}

/// A body that keeps its pose, 60 poses a second, and is carried along +Z at `speed(frame)` metres a second.
template <typename Speed>
Clip carried(Speed speed) {
  Clip clip = make_gait({.rate = 60, .speed = 0}).clip;
  motion::stand_on_floor(clip);
  for (std::size_t f = 1; f < clip.frames(); ++f) {
    std::copy(clip.pose(0).begin(), clip.pose(0).end(), clip.pose(f).begin());
    clip.roots[f] = clip.roots[f - 1] + Vec3{0, 0, speed(f) / 60};
  }
  return clip;
}

FootPlanterOptions on_the_floor(Clip clip) {
  FootPlanterOptions options;
  options.standing = motion::stand_on_floor(clip).rest_height;
  return options;
}

TEST(FootPlanter, AFootThatIsLetGoIsOffTheFloorWithinTwoPoses) {
  const Clip clip = carried([](std::size_t f) { return f < 20 ? 0.0f : 1.5f; });
  Contacts contacts;
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    contacts.planted.push_back(f < 20 ? motion::kLeftFoot | motion::kRightFoot : motion::kRightFoot);
  }
  const Clip planted = planted_online(clip, contacts, on_the_floor(clip));
  const motion::WorldPoses poses = motion::forward_kinematics(planted);
  const auto ankle = static_cast<std::size_t>(*clip.skeleton->find("LeftFoot"));
  EXPECT_NEAR(poses.position(19, ankle).y, poses.position(10, ankle).y, 0.001f);
  EXPECT_GT(poses.position(21, ankle).y, poses.position(10, ankle).y + 0.012f);
}

TEST(FootPlanter, WhoTakesOffStandsUntilTheSoleLeavesTheFloor) {
  // Told to fly from frame 10 on; the pose is on the floor, as a join shows it, and leaves it at frame 16 or never.
  for (const bool rises : {true, false}) {
    Clip clip = carried([](std::size_t f) { return f < 10 ? 0.0f : 0.9f; });
    const FootPlanterOptions options = on_the_floor(clip);
    FootPlanter planter = FootPlanter::create(clip.skeleton, clip.rate, options).value();
    std::vector<std::uint8_t> held;
    for (std::size_t f = 0; f < 26; ++f) {
      if (rises && f >= 16) clip.roots[f].y += 0.03f;
      const std::uint8_t planted = f < 10 ? motion::kLeftFoot | motion::kRightFoot : 0;
      held.push_back(planter.plant(planted, clip.roots[f], clip.pose(f)));
    }
    EXPECT_EQ(held[15], motion::kLeftFoot | motion::kRightFoot);
    EXPECT_EQ(held[16] == 0, rises);
    EXPECT_EQ(held[25], 0) << "15 cm behind it is let go all the same";
  }
}

TEST(FootPlanter, TheFootThatStandsIsHeldUntilTheOtherHasStopped) {
  // The body goes on over its left foot, and its right foot comes down at 2 m/s.
  Clip clip = carried([](std::size_t) { return 2.0f; });
  FootPlanterOptions options = on_the_floor(clip);
  options.max_wander = 1;
  FootPlanter planter = FootPlanter::create(clip.skeleton, clip.rate, options).value();
  std::vector<std::uint8_t> held;
  for (std::size_t f = 0; f < 14; ++f) {
    held.push_back(planter.plant(f < 4 ? motion::kLeftFoot : motion::kRightFoot, clip.roots[f], clip.pose(f)));
  }
  EXPECT_EQ(held[3] & motion::kRightFoot, 0);
  EXPECT_NE(held[4] & motion::kRightFoot, 0) << "it is down";
  EXPECT_NE(held[5] & motion::kLeftFoot, 0) << "but not yet still";
  EXPECT_EQ(held[13] & motion::kLeftFoot, 0);
  EXPECT_NE(held[13] & motion::kRightFoot, 0);
}

TEST(FootPlanter, AStepOfItsOwnStartsAtTheSpeedTheFootHas) {
  const Clip clip = carried([](std::size_t) { return 0.9f; });
  Contacts contacts;
  contacts.planted.assign(clip.frames(), motion::kLeftFoot | motion::kRightFoot);
  const Clip planted = planted_online(clip, contacts, on_the_floor(clip));
  const motion::WorldPoses poses = motion::forward_kinematics(planted);
  const auto toe = static_cast<std::size_t>(motion::find_foot_points(*clip.skeleton).value()[1]);
  const auto speed = [&](std::size_t f) {
    const Vec3 by = poses.position(f, toe) - poses.position(f - 1, toe);
    return std::hypot(by.x, by.z) * 60;
  };
  int starts = 0;
  for (std::size_t f = 12; f + 1 < planted.frames(); ++f) {
    if (speed(f) > 0.05f || speed(f + 1) <= 0.05f) continue;
    ++starts;
    EXPECT_LT(speed(f + 1), 0.5f) << f;
  }
  EXPECT_GT(starts, 2);
}

TEST(FootPlanter, TheRootIsNotJerkedWhereAFootIsLetGo) {
  // The left foot is held 25 cm behind its place by then.
  const Clip clip = carried([](std::size_t f) { return f < 60 ? 0.0f : (f < 70 ? 1.5f : 0.0f); });
  Contacts contacts;
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    contacts.planted.push_back(f < 80 ? motion::kLeftFoot : motion::kRightFoot);
  }
  FootPlanterOptions options = on_the_floor(clip);
  options.max_wander = 1;
  const Clip planted = planted_online(clip, contacts, options);
  float most = 0, moved = 0;
  for (std::size_t f = 75; f < 110; ++f) {
    const auto shift = [&](std::size_t g) { return planted.roots[g] - clip.roots[g]; };
    most = std::max(most, length(shift(f + 1) - 2.0f * shift(f) + shift(f - 1)) * 3600);
    moved = std::max(moved, distance(shift(f), shift(75)));
  }
  EXPECT_GT(moved, 0.01f);
  EXPECT_LT(most, 0.45f * moved / (options.root_seconds * options.root_seconds));
}

TEST(FootPlanter, FeetOfARunHaveStoppedWhenTheyTouchTheFloor) {
  for (const char* name : {"run-1", "run-turn-left-45", "jog"}) {
    const sample::SampleClip run = *sample::make_sample(name, {1, 60});
    FootPlanterOptions options;
    options.standing = run.contacts.rest_height;
    const Clip planted = planted_online(run.clip, run.contacts, options);
    const double own = measure::measure_body(run.clip).glide_share;
    EXPECT_LT(measure::measure_body(planted).glide_share, 0.3 * own) << name << " " << own;
  }
}

TEST(FootPlanter, TheOnlyFootThatStandsIsHeldThoughItsLegIsALittleTooShort) {
  // A walk that is drawn along 1.6 times as far as it goes: the leg of each foot becomes too short for it before the
  // other has come down.
  sample::SampleClip walk = *sample::make_sample("walk-normal-1", {1, 60});
  for (Vec3& root : walk.clip.roots) root = {1.6f * root.x, root.y, 1.6f * root.z};
  FootPlanterOptions options;
  options.standing = walk.contacts.rest_height;
  options.max_wander = 0.25f;
  FootPlanter planter = FootPlanter::create(walk.clip.skeleton, walk.clip.rate, options).value();
  std::size_t stood = 0, lost = 0;
  for (std::size_t f = 0; f < walk.clip.frames(); ++f) {
    const std::uint8_t told = walk.contacts.planted[f];
    const std::uint8_t held = planter.plant(told, walk.clip.roots[f], walk.clip.pose(f));
    stood += told != 0 ? 1 : 0;
    lost += told != 0 && held == 0 ? 1 : 0;
  }
  EXPECT_GT(stood, 200u);
  EXPECT_EQ(lost, 0u);
}

TEST(FootPlanter, AFootThatRollsDoesNotGoThroughTheFloor) {
  // Toes that point down by up to 50 degrees, as in a push off, while the foot is told to stand.
  GaitClip made = make_gait({.rate = 60, .speed = 0});
  const Contacts floor = motion::stand_on_floor(made.clip);
  const auto ankle = static_cast<std::size_t>(*made.clip.skeleton->find("LeftFoot"));
  const Vec3 root = made.clip.roots[0];
  Contacts contacts;
  for (std::size_t f = 0; f < made.clip.frames(); ++f) {
    std::copy(made.clip.pose(0).begin(), made.clip.pose(0).end(), made.clip.pose(f).begin());
    made.clip.roots[f] = root;
    const float down = 25 * kDegree * (1 - std::cos(static_cast<float>(f) / 20));
    made.clip.pose(f)[ankle] = normalized(made.clip.pose(0)[ankle] * axis_angle({1, 0, 0}, down));
    contacts.planted.push_back(motion::kLeftFoot | motion::kRightFoot);
  }
  FootPlanterOptions options;
  options.standing = floor.rest_height;
  const Clip planted = planted_online(made.clip, contacts, options);
  EXPECT_LT(measure::measure_body(made.clip, {.floor = 0.0f}).sole_lowest_m, -0.05);
  EXPECT_GT(measure::measure_body(planted, {.floor = 0.0f}).sole_lowest_m, -0.015);
}

TEST(FootPlanter, AFootDoesNotStayBehindABodyThatTurns) {
  // Both feet are told to stand while the body turns on the spot by a full turn in three seconds.
  GaitClip made = make_gait({.rate = 60, .speed = 0});
  const Contacts floor = motion::stand_on_floor(made.clip);
  Contacts contacts;
  contacts.planted.assign(made.clip.frames(), motion::kLeftFoot | motion::kRightFoot);
  const Vec3 root = made.clip.roots[0];
  for (std::size_t f = 0; f < made.clip.frames(); ++f) {
    std::copy(made.clip.pose(0).begin(), made.clip.pose(0).end(), made.clip.pose(f).begin());
    made.clip.roots[f] = root;
    const float turned = 2 * kPi * static_cast<float>(f) / 180;
    made.clip.pose(f)[0] = normalized(axis_angle({0, 1, 0}, turned) * made.clip.pose(0)[0]);
  }
  FootPlanterOptions options;
  options.standing = floor.rest_height;
  options.max_wander = 1;  // only the turn can make them step
  const Clip planted = planted_online(made.clip, contacts, options);
  EXPECT_EQ(measure::measure_body(planted, {.floor = 0.0f}).foot_reversed_frames, 0u);
  const motion::WorldPoses was = motion::forward_kinematics(made.clip), is = motion::forward_kinematics(planted);
  const auto ankle = static_cast<std::size_t>(*made.clip.skeleton->find("LeftFoot"));
  for (std::size_t f = 0; f < planted.frames(); ++f) {
    EXPECT_LT(angle_between(was.rotation(f, ankle), is.rotation(f, ankle)), 62 * kDegree) << f;
  }
}

TEST(FootPlanter, AFootGoesByTheOneThatIsHeldAndNotThroughIt) {
  // A walk that is carried to its left: the right foot swings to where the left one is held.
  Gait gait;
  gait.rate = 60;
  GaitClip made = make_gait(gait);
  for (std::size_t f = 0; f < made.clip.frames(); ++f) {
    made.clip.roots[f].x += 0.5f * static_cast<float>(static_cast<double>(f) / made.clip.rate);
  }
  const auto left = static_cast<std::size_t>(*made.clip.skeleton->find("LeftFoot"));
  const auto right = static_cast<std::size_t>(*made.clip.skeleton->find("RightFoot"));
  const auto least_room = [&](const Clip& clip) {
    const motion::WorldPoses poses = motion::forward_kinematics(clip);
    float least = 1;
    for (std::size_t f = 0; f < poses.frames; ++f) {
      const Vec3 apart = poses.position(f, left) - poses.position(f, right);
      if (std::abs(apart.z) < 0.05f) least = std::min(least, apart.x);
    }
    return least;
  };
  const float own = least_room(made.clip);
  EXPECT_GT(own, 0.1f);
  EXPECT_GT(least_room(planted_online(made.clip, made_contacts(made))), 0.06f);
}

TEST(FootPlanter, AllocatesNothingOnceMade) {
  const GaitClip made = make_gait({.slide = 0.1f});
  const Contacts contacts = made_contacts(made);
  FootPlanter planter = FootPlanter::create(made.clip.skeleton, made.clip.rate).value();
  Clip out = made.clip;
  const std::size_t before = testing::allocations;
  for (std::size_t f = 0; f < out.frames(); ++f) planter.plant(contacts.planted[f], out.roots[f], out.pose(f));
  EXPECT_EQ(testing::allocations, before);
}

TEST(FootPlanter, AfterAResetTheSameMotionGivesTheSamePoses) {
  const GaitClip made = make_gait({.slide = 0.1f});
  const Contacts contacts = made_contacts(made);
  FootPlanter planter = FootPlanter::create(made.clip.skeleton, made.clip.rate).value();
  Clip first = made.clip, second = made.clip;
  for (std::size_t f = 0; f < first.frames(); ++f) planter.plant(contacts.planted[f], first.roots[f], first.pose(f));
  planter.reset();
  for (std::size_t f = 0; f < second.frames(); ++f) planter.plant(contacts.planted[f], second.roots[f], second.pose(f));
  EXPECT_EQ(first.roots, second.roots);
  EXPECT_EQ(first.rotations, second.rotations);
}

TEST(FootPlanter, KnownStandingHeightsLiftASunkenFoot) {
  GaitClip made = make_gait({});
  const Contacts contacts = motion::find_contacts(made.clip).value();
  for (Vec3& root : made.clip.roots) root.y -= 0.02f;
  FootPlanterOptions options;
  options.standing = {0.08f, 0.0f, 0.08f, 0.0f};
  const Clip planted = planted_online(made.clip, contacts, options);
  EXPECT_GT(measure::measure(made.clip, contacts).penetration_max_m, 0.019);
  EXPECT_LT(measure::measure(planted, contacts).penetration_max_m, 0.003);
}

TEST(PolishedStream, WrapsAnyStream) {
  const GaitClip made = make_gait({.slide = 0.1f});
  const Contacts contacts = made_contacts(made);
  auto stream = PolishedStream::create(std::make_unique<motion::RecordedStream>(made.clip, contacts)).value();
  EXPECT_EQ(stream->rate(), 30);
  EXPECT_EQ(stream->source_names(), std::vector<std::string>{"gait"});
  const motion::Recording recording = motion::record(*stream, 100).value();
  ASSERT_EQ(recording.clip.frames(), made.clip.frames());
  EXPECT_EQ(recording.contacts.planted, contacts.planted);
  EXPECT_EQ(recording.sources[17].frame, 17u);
  EXPECT_LT(measure::measure(recording.clip, contacts).foot_slide_mean_mps, 0.005);
}

TEST(PolishedStream, RefusesABodyWithoutFeet) {
  Clip door{"door", std::make_shared<motion::Skeleton>(testing::outline_skeleton("Frame{Door[1 0 0]}")), 30, {}, {},
            {}};
  const auto stream = PolishedStream::create(std::make_unique<motion::RecordedStream>(door, Contacts{}));
  ASSERT_FALSE(stream.has_value());
  EXPECT_NE(stream.error().message.find("left leg"), std::string::npos);
}

TEST(RealCapture, FeetOfAStreamSlideLessThanAThirdOfTheRecordingAndNothingJumps) {
  LOOM_REQUIRE_MOCAP();
  for (const char* name : {"02_01.bvh", "07_01.bvh", "16_11.bvh", "16_35.bvh", "69_02.bvh", "69_30.bvh", "118_10.bvh",
                           "91_40.bvh", "135_07.bvh", "115_02.bvh"}) {
    const auto path = testing::mocap_folder() / "cmu30" / name;
    const Clip clip = io::read_motion(path.string()).value().front().clip;
    const Contacts contacts = motion::find_contacts(clip).value();
    FootPlanter planter = FootPlanter::create(clip.skeleton, clip.rate).value();
    Clip planted = clip;
    Contacts held = contacts;  // a foot that steps while the recording drags it is in the air
    for (std::size_t f = 0; f < clip.frames(); ++f) {
      held.planted[f] = planter.plant(contacts.planted[f], planted.roots[f], planted.pose(f));
    }
    const Measures before = measure::measure(clip, contacts), after = measure::measure(planted, held);
    EXPECT_LT(after.foot_slide_mean_mps, before.foot_slide_mean_mps / 3) << name;
    EXPECT_LT(after.largest_jump_m, 1.5 * before.largest_jump_m) << name;
    EXPECT_LT(after.jerk_rms, 1.1 * before.jerk_rms) << name;
  }
}

}  // namespace
}  // namespace loom::polish
