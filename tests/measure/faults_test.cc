// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/io/read.h>
#include <loom/measure/faults.h>
#include <loom/motion/body.h>
#include <loom/motion/contacts.h>
#include <loom/motion/kinematics.h>
#include <loom/motion/mass_centre.h>

#include "tests/make_clip.h"
#include "tests/make_walk.h"
#include "tests/shared_data.h"

namespace loom::measure {
namespace {

using ::testing::ElementsAre;
using testing::Gait;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::make_gait;
using testing::random_clip;
using testing::random_skeleton;
using testing::small_person;

std::size_t joint(const motion::Clip& clip, const char* name) {
  return static_cast<std::size_t>(clip.skeleton->find(name).value());
}

/// Every joint of every frame is within `metres` of where it is in the other clip.
void expect_near(const motion::Clip& a, const motion::Clip& b, float metres) {
  ASSERT_EQ(a.frames(), b.frames());
  const motion::WorldPoses pa = motion::forward_kinematics(a), pb = motion::forward_kinematics(b);
  for (std::size_t i = 0; i < pa.positions.size(); ++i)
    ASSERT_LT(distance(pa.positions[i], pb.positions[i]), metres) << i;
}

/// The small person jumping up from standing, again and again, under `gravity`.
motion::Clip jumps(double gravity, double rate) {
  const auto person = small_person();
  const auto frames = static_cast<std::size_t>(6 * rate);
  motion::Clip clip{
      "jumps", person, rate, std::vector<Vec3>(frames, Vec3{0, 0.97f, 0}), std::vector<Quat>(frames * person->size()),
      {}};
  for (std::size_t f = 0; f < frames; ++f) {
    const double t = std::fmod(static_cast<double>(f) / rate, 1.5) - 0.5;  // half a second on the floor before each
    const double up = 2.5 * t - 0.5 * gravity * t * t;
    if (t > 0 && up > 0) clip.roots[f].y += static_cast<float>(up);
    clip.pose(f)[joint(clip, "LeftArm")] = axis_angle({1, 0, 0}, static_cast<float>(std::sin(5 * t)));
  }
  return clip;
}

TEST(FindFaults, HealthyMotionHasNone) {
  EXPECT_THAT(find_faults(make_gait({}).clip), IsEmpty());
  Gait run;
  run.cycle = 0.7, run.duty = 0.36, run.speed = 3.0, run.lift = 0.2f;
  EXPECT_THAT(find_faults(make_gait(run).clip), IsEmpty());
  EXPECT_THAT(find_faults(random_clip(random_skeleton(30, 2), 100, 30, 2)), IsEmpty());
  EXPECT_THAT(find_faults(jumps(9.81, 60)), IsEmpty());
}

TEST(FindFaults, TakesEmptyAndTinyClips) {
  for (std::size_t frames = 0; frames < 6; ++frames) {
    EXPECT_THAT(find_faults(random_clip(small_person(), frames, 30, 3)), IsEmpty()) << frames;
  }
}

TEST(FindFaults, ATeleportIsToldAndLeftAlone) {
  motion::Clip clip = make_gait({}).clip;
  for (std::size_t f = 60; f < clip.frames(); ++f) clip.roots[f] += Vec3{1.5f, 0, 0};
  const auto faults = find_faults(clip);
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0].kind, FaultKind::kTeleport);
  EXPECT_THAT(faults[0].frames, ElementsAre(motion::FrameRange{60, 61}));
  EXPECT_NEAR(faults[0].amount, 1.5, 0.05);
  EXPECT_FALSE(faults[0].mendable);
  EXPECT_THAT(faults[0].description, HasSubstr("frame 59 to 60"));
  expect_near(mend(clip, faults), clip, 1e-6f);
}

TEST(FindFaults, AFrameThrownAsideIsPutBack) {
  const motion::Clip good = make_gait({}).clip;
  for (const std::size_t length : {1u, 2u, 3u}) {
    motion::Clip clip = good;
    for (std::size_t f = 40; f < 40 + length; ++f) {
      clip.roots[f] += Vec3{0, 2, 3};
      for (Quat& q : clip.pose(f)) q = axis_angle({1, 2, 3}, 2.5f) * q;
    }
    const auto faults = find_faults(clip);
    ASSERT_EQ(faults.size(), 1u) << length;
    EXPECT_THAT(faults[0].frames, ElementsAre(motion::FrameRange{40, 40 + length}));
    expect_near(mend(clip, faults), good, 0.08f);
  }
}

TEST(FindFaults, StrayFramesAtTheEndsAreCutOff) {
  motion::Clip clip = make_gait({}).clip;
  clip.labels = {{"walk", 0, clip.frames()}, {"later", 50, 60}};
  const std::size_t frames = clip.frames();
  for (const std::size_t f : {std::size_t{0}, std::size_t{1}, frames - 1}) clip.roots[f] += Vec3{-2, 0, 1};
  const auto faults = find_faults(clip);
  ASSERT_EQ(faults.size(), 2u);
  const motion::Clip mended = mend(clip, faults);
  EXPECT_EQ(mended.frames(), frames - 3);
  EXPECT_EQ(mended.roots[0], clip.roots[2]);
  EXPECT_EQ(mended.labels[1], (motion::Label{"later", 48, 58}));
  EXPECT_THAT(find_faults(mended), IsEmpty());
}

TEST(FindFaults, AJointThatFlipsForAMomentIsMended) {
  const motion::Clip good = make_gait({}).clip;
  motion::Clip clip = good;
  const std::size_t elbow = joint(clip, "LeftForeArm");
  for (const std::size_t f : {30u, 31u, 80u}) clip.pose(f)[elbow] = axis_angle({0, 1, 0}, kPi) * clip.pose(f)[elbow];
  const auto faults = find_faults(clip);
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0].kind, FaultKind::kJointFlip);
  EXPECT_EQ(faults[0].joint, static_cast<int>(elbow));
  EXPECT_NEAR(faults[0].amount, kPi, 0.01);
  EXPECT_THAT(faults[0].frames, ElementsAre(motion::FrameRange{30, 32}, motion::FrameRange{80, 81}));
  EXPECT_THAT(faults[0].description, HasSubstr("'LeftForeArm'"));
  expect_near(mend(clip, faults), good, 1e-3f);
}

TEST(FindFaults, HipsThatAreThrownRoundUnderTheBodyAreTold) {
  // As where two markers of the hips are mistaken: they turn under a back and legs that stay, by 45 degrees in two
  // frames.
  motion::Clip clip = make_gait({}).clip;
  const motion::Body body = motion::find_body(*clip.skeleton);
  const auto back = static_cast<std::size_t>(body.spine.front());
  const auto turned_by = [&](float degrees) {
    motion::Clip turned = clip;
    for (std::size_t f = 40; f < turned.frames(); ++f) {
      const float share = std::min(1.0f, static_cast<float>(f - 39) / 2);
      turned.pose(f)[back] = axis_angle({0, 1, 0}, degrees * kDegree * share) * turned.pose(f)[back];
    }
    return turned;
  };
  const float per_second = static_cast<float>(clip.rate);
  const auto faults = find_faults(turned_by(2 * 700 / per_second));
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0].kind, FaultKind::kJointFlip);
  EXPECT_EQ(faults[0].joint, static_cast<int>(back));
  EXPECT_THAT(faults[0].frames, ElementsAre(motion::FrameRange{40, 41}, motion::FrameRange{41, 42}));
  EXPECT_THAT(find_faults(turned_by(2 * 450 / per_second)), IsEmpty());
}

TEST(FindFaults, HipsThatAreThrownRoundForAMomentAreMendedAndNotTheBackOnThem) {
  const motion::Clip good = make_gait({}).clip;
  motion::Clip clip = good;
  const Quat thrown = axis_angle({0, 0, 1}, 30 * kDegree);
  clip.pose(40)[0] = clip.pose(40)[0] * thrown;
  for (std::size_t j = 1; j < clip.joints(); ++j) {
    if (clip.skeleton->joint(j).parent == 0) clip.pose(40)[j] = conjugate(thrown) * clip.pose(40)[j];
  }
  const auto faults = find_faults(clip);
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_THAT(faults[0].frames, ElementsAre(motion::FrameRange{40, 41}));
  expect_near(mend(clip, faults), good, 0.02f);
}

TEST(FindFaults, AJointThatFlipsAndStaysIsTold) {
  motion::Clip clip = make_gait({}).clip;
  const std::size_t hand = joint(clip, "RightHand"), chest = joint(clip, "Chest");
  for (std::size_t f = 50; f < clip.frames(); ++f) {
    clip.pose(f)[hand] = axis_angle({1, 0, 0}, 2) * clip.pose(f)[hand];
    clip.pose(f)[chest] = axis_angle({1, 0, 0}, 2) * clip.pose(f)[chest];
  }
  const auto faults = find_faults(clip);
  ASSERT_EQ(faults.size(), 2u);
  EXPECT_EQ(faults[0].joint, static_cast<int>(chest));  // the worse one first: more hangs from it
  EXPECT_EQ(faults[1].joint, static_cast<int>(hand));
  EXPECT_FALSE(faults[0].mendable);
  expect_near(mend(clip, faults), clip, 1e-6f);
}

TEST(FindFaults, AKneeBentBackwardIsTold) {
  motion::Clip clip = make_gait({}).clip;
  const std::size_t knee = joint(clip, "LeftLeg");
  std::size_t most = 0;
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    if (angle_between(clip.pose(f)[knee], Quat{}) > angle_between(clip.pose(most)[knee], Quat{})) most = f;
  }
  const float bend = angle_between(clip.pose(most)[knee], Quat{});
  ASSERT_GT(bend, 30 * kDegree);
  const Quat backward = conjugate(clip.pose(most)[knee]);
  for (std::size_t f = 50; f < 62; ++f) clip.pose(f)[knee] = backward;
  const auto faults = find_faults(clip);
  const auto told = std::find_if(faults.begin(), faults.end(),
                                 [](const Fault& fault) { return fault.kind == FaultKind::kBentBackward; });
  ASSERT_NE(told, faults.end());
  EXPECT_EQ(told->joint, static_cast<int>(knee));
  EXPECT_THAT(told->frames, ElementsAre(motion::FrameRange{50, 62}));
  EXPECT_NEAR(told->amount, bend, 0.1);
  EXPECT_GE(told->severity, 0.25f);
}

TEST(FindFaults, AFootTurnedRoundIsToldForAsLongAsItIs) {
  motion::Clip clip = make_gait({}).clip;
  const std::size_t foot = joint(clip, "RightFoot");
  for (std::size_t f = 40; f < clip.frames(); ++f) {
    clip.pose(f)[foot] = axis_angle({0, 1, 0}, 175 * kDegree) * clip.pose(f)[foot];
  }
  const auto faults = find_faults(clip);
  const auto told = std::find_if(faults.begin(), faults.end(),
                                 [](const Fault& fault) { return fault.kind == FaultKind::kFootReversed; });
  ASSERT_NE(told, faults.end());
  EXPECT_EQ(told->joint, static_cast<int>(foot));
  ASSERT_EQ(told->frames.size(), 1u);
  EXPECT_EQ(told->frames[0].begin, 40u);
  EXPECT_EQ(told->frames[0].end, clip.frames());
}

TEST(FindFaults, FreeFallTellsTheTrueFrameRate) {
  for (const double true_rate : {30.0, 60.0, 100.0, 120.0}) {
    motion::Clip clip = jumps(9.81, true_rate);
    clip.rate = true_rate == 60 ? 120 : 60;  // the stamp
    const auto faults = find_faults(clip);
    ASSERT_EQ(faults.size(), 1u) << true_rate;
    EXPECT_EQ(faults[0].kind, FaultKind::kFrameRate);
    EXPECT_EQ(faults[0].amount, true_rate);
    EXPECT_FALSE(faults[0].mendable);
  }
}

TEST(FindFaults, WalksTellARateStampedTwiceTooHigh) {
  // Steps of 0.66 m, 109 a minute: as people walk.
  Gait gait;
  gait.rate = 60, gait.seconds = 8;
  motion::Clip clip = make_gait(gait).clip;
  EXPECT_THAT(find_faults(clip), IsEmpty());
  clip.rate = 120;
  const auto faults = find_faults(clip);
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0].kind, FaultKind::kFrameRate);
  EXPECT_EQ(faults[0].amount, 60);
  EXPECT_THAT(faults[0].description, HasSubstr("120 Hz"));
}

TEST(FindFaults, ATiltedFloorIsLevelled) {
  Gait gait;
  gait.slope = 0.02f;
  const motion::Clip clip = make_gait(gait).clip;
  const auto faults = find_faults(clip);
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0].kind, FaultKind::kTiltedFloor);
  EXPECT_NEAR(faults[0].amount, 0.02, 0.004);
  const motion::Clip mended = mend(clip, faults);
  EXPECT_LT(std::abs(motion::find_contacts(mended).value().ground.slope_z), 0.003f);
  EXPECT_THAT(find_faults(mended), IsEmpty());
}

TEST(FindFaults, ABodyThatWalksInItsPlaceIsGivenItsWay) {
  motion::Clip clip = make_gait({}).clip;
  for (Vec3& root : clip.roots) root.z = 0;
  const auto faults = find_faults(clip);
  ASSERT_EQ(faults.size(), 1u);  // neither its frame rate nor its floor is judged by feet that never stand
  EXPECT_EQ(faults[0].kind, FaultKind::kInPlace);
  EXPECT_TRUE(faults[0].mendable);
  EXPECT_EQ(cut_off_by_mending(faults), 0u);
  const motion::Clip mended = mend(clip, faults);
  EXPECT_EQ(mended.frames(), clip.frames());
  EXPECT_NEAR(mended.roots.back().z, 4.8, 0.3);
  EXPECT_THAT(find_faults(mended), IsEmpty());
}

TEST(MassCentre, OfAStandingPersonIsNearTheNavel) {
  const motion::Clip clip = jumps(9.81, 30);
  const motion::WorldPoses poses = motion::forward_kinematics(clip);
  const Vec3 centre = motion::mass_centre(poses, motion::find_body(*clip.skeleton))[0];
  EXPECT_NEAR(centre.y, 0.57 * 1.70, 0.08);  // 57 % of the stature (Winter 2009)
  EXPECT_NEAR(centre.x, 0, 1e-3);
}

TEST(RealCaptureFaults, KnownBadFilesAreCaughtAndMended) {
  LOOM_REQUIRE_MOCAP();
  const auto read = [](const char* file) {
    return io::read_motion((testing::mocap_folder() / file).string())->front().clip;
  };
  for (const char* file : {"native/07_12.bvh", "native/09_10.bvh"}) {
    const motion::Clip clip = read(file);
    const auto faults = find_faults(clip);
    ASSERT_FALSE(faults.empty()) << file;
    EXPECT_EQ(faults[0].kind, FaultKind::kTeleport) << file;
    const motion::Clip mended = mend(clip, faults);
    EXPECT_LT(clip.frames() - mended.frames(), 5u) << file;
    for (const Fault& fault : find_faults(mended)) EXPECT_NE(fault.kind, FaultKind::kTeleport) << file;
  }
  const auto slow = find_faults(read("native/74_01.bvh"));
  ASSERT_FALSE(slow.empty());
  EXPECT_EQ(slow[0].kind, FaultKind::kFrameRate);
  EXPECT_EQ(slow[0].amount, 60);
}

TEST(RealCaptureFaults, FewFalseAlarmsInGoodCapture) {
  LOOM_REQUIRE_MOCAP();
  std::size_t files = 0, grave = 0;
  for (const auto& entry : std::filesystem::directory_iterator(testing::mocap_folder() / "cmu30")) {
    const auto read = io::read_motion(entry.path().string());
    ASSERT_TRUE(read) << read.error().to_string();
    ++files;
    for (const Fault& fault : find_faults(read->front().clip)) {
      EXPECT_NE(fault.kind, FaultKind::kTeleport) << entry.path() << fault.description;
      EXPECT_NE(fault.kind, FaultKind::kFrameRate) << entry.path() << fault.description;
      EXPECT_NE(fault.kind, FaultKind::kInPlace) << entry.path() << fault.description;
      EXPECT_NE(fault.kind, FaultKind::kBentBackward) << entry.path() << fault.description;
      if (fault.severity >= 0.25f) ++grave;
    }
  }
  EXPECT_EQ(files, 452u);
  EXPECT_LT(grave, 20u);  // hands and feet of marker swaps, most of them in fingers
}

}  // namespace
}  // namespace loom::measure
