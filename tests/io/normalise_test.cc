// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/io/detail/guess.h>
#include <loom/io/raw_motion.h>
#include <loom/motion/body.h>
#include <loom/motion/fit.h>
#include <loom/motion/hinges.h>
#include <loom/motion/kinematics.h>

#include "tests/make_clip.h"
#include "tests/make_walk.h"

namespace loom::io {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// A clip as a reader would hand it over: in units of `unit` metres, nothing known about it.
RawMotion as_raw(const motion::Clip& clip, float unit = 0.01f) {
  RawMotion raw;
  raw.name = clip.name;
  raw.rate = clip.rate;
  raw.frames = clip.frames();
  raw.rotations = clip.rotations;
  raw.moving = {0};
  for (const motion::Joint& joint : clip.skeleton->joints()) {
    raw.joints.push_back({joint.name, joint.parent, joint.offset / unit, {}});
  }
  for (const motion::EndSite& site : clip.skeleton->end_sites()) {
    raw.end_sites.push_back({site.joint, site.offset / unit});
  }
  for (const Vec3 root : clip.roots) raw.translations.push_back(root / unit);
  return raw;
}

ReadClip normalise_well(RawMotion raw, const ReadOptions& options = {}) {
  Result<ReadClip> read = normalise(std::move(raw), options);
  EXPECT_TRUE(read) << read.error().to_string();
  EXPECT_TRUE(motion::validate(read->clip));
  return std::move(*read);
}

std::string why_refused(RawMotion raw, const ReadOptions& options = {}) {
  const Result<ReadClip> read = normalise(std::move(raw), options);
  EXPECT_FALSE(read);
  return read ? "" : read.error().message;
}

/// Someone who stands and steps about: upright, arms and legs swinging a little.
motion::Clip walking_person(std::size_t frames = 60) {
  motion::Clip clip = testing::random_clip(testing::small_person(), frames, 60, 4);
  for (std::size_t f = 0; f < frames; ++f) {
    const float phase = 0.1f * static_cast<float>(f);
    const auto pose = clip.pose(f);
    for (std::size_t j = 0; j < pose.size(); ++j) {
      pose[j] = axis_angle({1, 0.2f, 0.1f}, 0.3f * std::sin(phase + static_cast<float>(j)));
    }
    pose[0] = axis_angle({0, 1, 0}, 0.02f * static_cast<float>(f));
  }
  return clip;
}

/// The largest distance between the points of two clips on skeletons of the same order.
float farthest_apart(const motion::Clip& a, const motion::Clip& b) {
  const motion::WorldPoses p = motion::forward_kinematics(a), q = motion::forward_kinematics(b);
  EXPECT_EQ(p.positions.size(), q.positions.size());
  float largest = 0;
  for (std::size_t i = 0; i < std::min(p.positions.size(), q.positions.size()); ++i) {
    largest = std::max(largest, distance(p.positions[i], q.positions[i]));
  }
  return largest;
}

TEST(Normalise, KeepsAPlainMotionAsItIs) {
  const motion::Clip clip = walking_person();
  const ReadClip read = normalise_well(as_raw(clip));
  EXPECT_LT(farthest_apart(clip, read.clip), 1e-5f);
  EXPECT_EQ(read.clip.name, clip.name);
  EXPECT_EQ(read.clip.rate, clip.rate);
  EXPECT_TRUE(read.scale_guessed);
  EXPECT_TRUE(read.up_guessed);
  EXPECT_EQ(read.up_axis, 1);
  EXPECT_EQ(read.frames_dropped, 0u);
}

TEST(Normalise, GuessesTheUnitFromTheBodyAndTellsIt) {
  const motion::Clip clip = walking_person(3);
  for (const float unit : {1.0f, 0.01f, 0.001f, 0.0254f, 0.3048f, 0.0564444f}) {
    const ReadClip read = normalise_well(as_raw(clip, unit));
    EXPECT_NEAR(read.metres_per_unit, unit, 1e-4 * unit);
    EXPECT_TRUE(read.scale_guessed);
    EXPECT_THAT(read.notes, ElementsAre(HasSubstr("does not say its unit")));
  }
}

TEST(Normalise, WhatTheUserSaysBeatsTheFileAndTheFileBeatsTheGuess) {
  RawMotion raw = as_raw(walking_person(3));
  raw.metres_per_unit = 0.02;
  raw.up_axis = 2;
  ReadClip read = normalise_well(raw);
  EXPECT_EQ(read.metres_per_unit, 0.02);
  EXPECT_EQ(read.up_axis, 2);
  EXPECT_FALSE(read.scale_guessed);
  EXPECT_FALSE(read.up_guessed);
  ReadOptions options;
  options.metres_per_unit = 0.25;
  options.up_axis = 1;
  read = normalise_well(raw, options);
  EXPECT_EQ(read.metres_per_unit, 0.25);
  EXPECT_EQ(read.up_axis, 1);
}

TEST(Normalise, StandsUpAWorldThatHasAnotherAxisUp) {
  const motion::Clip clip = walking_person();
  const Quat to_z = axis_angle({1, 0, 0}, kPi / 2), to_x = axis_angle({0, 0, 1}, -kPi / 2);
  for (const auto& [axis, turn] : {std::pair{2, to_z}, std::pair{0, to_x}}) {
    // Once with the body at rest along Y, and once with it along the world's own axis.
    for (const bool rest_too : {false, true}) {
      RawMotion raw = as_raw(clip);
      for (Vec3& root : raw.translations) root = rotate(turn, root);
      for (std::size_t f = 0; f < raw.frames; ++f) {
        Quat& q = raw.rotations[f * raw.joints.size()];
        q = turn * q;
      }
      if (rest_too) {
        for (RawJoint& joint : raw.joints) joint.offset = rotate(turn, joint.offset);
        for (motion::EndSite& site : raw.end_sites) site.offset = rotate(turn, site.offset);
        for (std::size_t i = 0; i < raw.rotations.size(); ++i) {
          const bool root = i % raw.joints.size() == 0;
          raw.rotations[i] = (root ? Quat{} : turn) * raw.rotations[i] * conjugate(turn);
        }
      }
      const ReadClip read = normalise_well(raw);
      EXPECT_EQ(read.up_axis, axis);
      EXPECT_TRUE(read.up_guessed);
      EXPECT_THAT(read.notes, Contains(HasSubstr("taken as up")));
      EXPECT_LT(farthest_apart(clip, read.clip), 1e-5f);
      EXPECT_NEAR(distance(read.clip.skeleton->joint(1).offset, clip.skeleton->joint(1).offset), 0, 1e-5f);
    }
  }
}

TEST(Normalise, SomeoneLyingDownDoesNotTipTheWorld) {
  motion::Clip clip = walking_person();
  const Quat down = axis_angle({1, 0, 0}, -kPi / 2);
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    clip.pose(f)[0] = down;
    clip.roots[f] = {0, 0.15f, 0.95f};
  }
  EXPECT_EQ(normalise_well(as_raw(clip)).up_axis, 1);
}

/// A clip as it would be in a file whose world and offsets have Z up.
RawMotion with_z_up(const motion::Clip& clip) {
  const Quat turn = axis_angle({1, 0, 0}, kPi / 2);
  RawMotion raw = as_raw(clip);
  for (Vec3& root : raw.translations) root = rotate(turn, root);
  for (RawJoint& joint : raw.joints) joint.offset = rotate(turn, joint.offset);
  for (motion::EndSite& site : raw.end_sites) site.offset = rotate(turn, site.offset);
  for (Quat& q : raw.rotations) q = turn * q * conjugate(turn);
  return raw;
}

/// Somebody who swims along an axis: stretched out, a metre up, with the feet where the axis begins; arms and legs
/// never rest.
motion::Clip swimmer(Quat lie, Vec3 hips) {
  motion::Clip clip = walking_person(120);
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    const float phase = 0.4f * static_cast<float>(f);
    for (std::size_t j = 1; j < clip.joints(); ++j) {
      clip.pose(f)[j] = axis_angle({1, 0, 0}, 0.35f * std::sin(phase + static_cast<float>(j)));
    }
    clip.pose(f)[0] = lie;
    clip.roots[f] = hips;
  }
  return clip;
}

TEST(Normalise, SwimmersStayLyingWhereTheOffsetsSayWhatIsUp) {
  for (const float way : {-1.0f, 1.0f}) {
    const Quat along_z = axis_angle({1, 0, 0}, way * kPi / 2), along_x = axis_angle({0, 0, 1}, way * kPi / 2);
    for (const float feet : {0.0f, 0.2f, -0.5f, 2.0f}) {
      for (const motion::Clip& clip :
           {swimmer(along_z, {0, 1, 0.95f + feet}), swimmer(along_x, {0.95f + feet, 1, 0})}) {
        const ReadClip y_up = normalise_well(as_raw(clip)), z_up = normalise_well(with_z_up(clip));
        EXPECT_EQ(y_up.up_axis, 1) << way << ' ' << feet;
        EXPECT_EQ(z_up.up_axis, 2) << way << ' ' << feet;
        EXPECT_LT(farthest_apart(clip, y_up.clip), 1e-4f);
        EXPECT_LT(farthest_apart(clip, z_up.clip), 1e-4f);
      }
    }
  }
}

TEST(Normalise, AnArtificialPoseBeforeTheMotionSaysWhatIsUp) {
  // The offsets draw no standing body: the legs point forward.
  motion::Clip clip = swimmer(axis_angle({1, 0, 0}, kPi / 2), {0, 1, 0.95f});
  const std::vector<Quat> upright(clip.joints());
  clip.roots.insert(clip.roots.begin(), Vec3{0, 0.95f, 0});
  clip.rotations.insert(clip.rotations.begin(), upright.begin(), upright.end());
  const Quat turn = axis_angle({1, 0, 0}, kPi / 2);
  RawMotion raw = as_raw(clip);  // rest along Y, world along Z
  for (Vec3& root : raw.translations) root = rotate(turn, root);
  for (std::size_t f = 0; f < raw.frames; ++f) {
    Quat& q = raw.rotations[f * raw.joints.size()];
    q = turn * q;
  }
  const ReadClip read = normalise_well(raw);
  EXPECT_EQ(read.up_axis, 2);
  EXPECT_EQ(read.frames_dropped, 1u);
}

TEST(Normalise, TheRateOfTheSourceMayBeSaid) {
  ReadOptions options;
  options.source_rate = 50;
  const ReadClip read = normalise_well(as_raw(walking_person()), options);
  EXPECT_EQ(read.clip.rate, 50);
  EXPECT_THAT(read.notes, Contains(HasSubstr("the file says 60 Hz")));
  options.source_rate = -1;
  EXPECT_THAT(why_refused(as_raw(walking_person()), options), HasSubstr("must be positive"));
}

TEST(Normalise, FoldsRestRotationsIntoTheOffsets) {
  const motion::Clip clip = walking_person();
  Random random(8);
  RawMotion raw = as_raw(clip);
  // Give every joint a frame of its own, turned by a random rotation against the one it has in the clip.
  const std::size_t joints = raw.joints.size();
  std::vector<Quat> frame(joints);
  for (Quat& q : frame) q = testing::random_rotation(random);
  for (std::size_t j = 0; j < joints; ++j) {
    RawJoint& joint = raw.joints[j];
    const Quat parent = j == 0 ? Quat{} : frame[static_cast<std::size_t>(joint.parent)];
    joint.offset = rotate(conjugate(parent), joint.offset);
    joint.rest = normalized(conjugate(parent) * frame[j]);
    for (std::size_t f = 0; f < raw.frames; ++f) {
      Quat& q = raw.rotations[f * joints + j];
      q = normalized(conjugate(parent) * q * frame[j]);
    }
  }
  for (motion::EndSite& site : raw.end_sites) {
    site.offset = rotate(conjugate(frame[static_cast<std::size_t>(site.joint)]), site.offset);
  }
  const ReadClip read = normalise_well(raw);
  EXPECT_LT(farthest_apart(clip, read.clip), 2e-5f);
  for (std::size_t j = 0; j < joints; ++j) {
    EXPECT_LT(distance(read.clip.skeleton->joint(j).offset, clip.skeleton->joint(j).offset), 1e-5f);
  }
}

/// `raw` with joints put above its root, which travels below them.
RawMotion hang_from(RawMotion raw, const std::vector<RawJoint>& above) {
  const std::size_t added = above.size(), joints = raw.joints.size();
  RawMotion hung = raw;
  hung.joints = above;
  for (RawJoint joint : raw.joints) {
    joint.parent = joint.parent < 0 ? 0 : joint.parent + static_cast<int>(added);
    hung.joints.push_back(joint);
  }
  for (motion::EndSite& site : hung.end_sites) site.joint += static_cast<int>(added);
  hung.moving = {static_cast<int>(added)};
  hung.rotations.clear();
  for (std::size_t f = 0; f < raw.frames; ++f) {
    hung.rotations.insert(hung.rotations.end(), added, Quat{});
    const auto pose = raw.rotations.begin() + static_cast<std::ptrdiff_t>(f * joints);
    hung.rotations.insert(hung.rotations.end(), pose, pose + static_cast<std::ptrdiff_t>(joints));
  }
  return hung;
}

TEST(Normalise, ATravellingJointBelowAFixedOneBecomesTheRoot) {
  const motion::Clip clip = walking_person();
  RawMotion raw = hang_from(as_raw(clip), {{"Reference", -1, {100, 0, 0}, {}}});
  const Quat quarter = axis_angle({0, 1, 0}, kPi / 2);
  for (std::size_t f = 0; f < raw.frames; ++f) raw.rotations[f * raw.joints.size()] = quarter;
  const ReadClip read = normalise_well(raw);
  ASSERT_EQ(read.clip.joints(), clip.joints());
  EXPECT_EQ(read.clip.skeleton->joint(0).name, "Hips");
  // What the joint above did is not lost.
  const motion::WorldPoses was = motion::forward_kinematics(clip), is = motion::forward_kinematics(read.clip);
  for (std::size_t i = 0; i < was.positions.size(); ++i) {
    ASSERT_LT(distance(is.positions[i], Vec3{1, 0, 0} + rotate(quarter, was.positions[i])), 1e-5f);
  }
}

TEST(Normalise, WhatHangsBesideATravellingBodyIsLeftOutAndTold) {
  const motion::Clip clip = walking_person();
  const RawMotion raw = hang_from(as_raw(clip), {{"root", -1, {}, {}}, {"ik_foot", 0, {}, {}}, {"ik_hand", 0, {}, {}}});
  const ReadClip read = normalise_well(raw);
  EXPECT_LT(farthest_apart(clip, read.clip), 1e-5f);
  EXPECT_THAT(read.warnings, Contains(HasSubstr("'ik_foot', 'ik_hand'")));
}

TEST(Normalise, InnerTranslationsBecomeTheirMeanAndAreToldWhenTheyVary) {
  const motion::Clip clip = walking_person(10);
  RawMotion raw = as_raw(clip);
  const Vec3 spine = raw.joints[1].offset;
  raw.moving = {0, 1};
  const std::vector<Vec3> roots = raw.translations;
  const auto with_spine = [&](float swing) {
    raw.translations.clear();
    for (std::size_t f = 0; f < raw.frames; ++f) {
      raw.translations.push_back(roots[f]);
      raw.translations.push_back(spine + Vec3{f % 2 == 0 ? swing : -swing, 0, 0});
    }
    return raw;
  };
  raw.joints[1].offset = {};  // the samples replace it
  const ReadClip steady = normalise_well(with_spine(0));
  EXPECT_LT(farthest_apart(clip, steady.clip), 1e-5f);
  EXPECT_TRUE(steady.warnings.empty());
  const ReadClip swinging = normalise_well(with_spine(5));
  EXPECT_LT(farthest_apart(clip, swinging.clip), 1e-5f);
  EXPECT_THAT(swinging.warnings, Contains(HasSubstr("'Spine'")));
}

TEST(Normalise, NamesBecomeUniqueValidAndNotEmpty) {
  RawMotion raw = as_raw(testing::random_clip(testing::random_skeleton(6, 3), 4, 30, 1));
  const std::vector<std::string> names = {"a", "a", "", "a_2", "caf\xe9", "b\x01"};
  for (std::size_t j = 0; j < names.size(); ++j) raw.joints[j].name = names[j];
  const ReadClip read = normalise_well(raw);
  std::vector<std::string> given;
  for (const motion::Joint& joint : read.clip.skeleton->joints()) given.push_back(joint.name);
  EXPECT_THAT(given, ElementsAre("a", "a_3", "joint2", "a_2", "café", "b"));
  EXPECT_THAT(read.warnings, Contains(HasSubstr("4 joint names were")));
}

/// A clip with an artificial pose put before it.
RawMotion with_first_frame(const motion::Clip& clip, const std::vector<Quat>& pose) {
  RawMotion raw = as_raw(clip);
  raw.rotations.insert(raw.rotations.begin(), pose.begin(), pose.end());
  raw.translations.insert(raw.translations.begin(), raw.translations.front());
  ++raw.frames;
  return raw;
}

TEST(Normalise, DropsAnArtificialTPoseUnlessAskedToKeepIt) {
  const motion::Clip clip = walking_person();
  std::vector<Quat> pose(clip.joints());
  pose[5] = axis_angle({0, 0, 1}, 1.4f);  // the arms are raised by hand
  pose[8] = axis_angle({0, 0, 1}, -1.4f);
  const ReadClip read = normalise_well(with_first_frame(clip, pose));
  EXPECT_EQ(read.frames_dropped, 1u);
  EXPECT_EQ(read.clip.frames(), clip.frames());
  EXPECT_THAT(read.notes, Contains(HasSubstr("T-pose")));
  ReadOptions options;
  options.keep_t_pose = true;
  EXPECT_EQ(normalise_well(with_first_frame(clip, pose), options).clip.frames(), clip.frames() + 1);
}

TEST(Normalise, AMotionThatStartsAtRestKeepsItsFirstFrame) {
  motion::Clip clip = walking_person();
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    const float share = std::min(1.0f, static_cast<float>(f) / 20.0f);
    for (Quat& q : clip.pose(f)) q = slerp(Quat{}, q, share);
  }
  EXPECT_EQ(normalise_well(as_raw(clip)).frames_dropped, 0u);
}

TEST(Normalise, QuaternionsAreUnitAndContinuous) {
  motion::Clip clip = testing::random_clip(testing::small_person(), 200, 60, 9);
  Random random(2);
  RawMotion raw = as_raw(clip);
  for (Quat& q : raw.rotations) {
    const auto scale = static_cast<float>(random.uniform(0.5, 2)) * (random.index(2) == 0 ? 1.0f : -1.0f);
    q = {q.w * scale, q.x * scale, q.y * scale, q.z * scale};
  }
  const ReadClip read = normalise_well(raw);
  EXPECT_LT(farthest_apart(clip, read.clip), 1e-5f);
  for (std::size_t f = 1; f < read.clip.frames(); ++f) {
    for (std::size_t j = 0; j < read.clip.joints(); ++j) {
      ASSERT_GE(dot(read.clip.pose(f)[j], read.clip.pose(f - 1)[j]), 0);
    }
  }
}

TEST(Normalise, RefusesWhatIsNoMotion) {
  const RawMotion good = as_raw(walking_person(5));
  RawMotion raw = good;
  raw.frames = 0;
  raw.rotations.clear();
  raw.translations.clear();
  EXPECT_THAT(why_refused(raw), HasSubstr("no frames"));
  EXPECT_THAT(why_refused({}), HasSubstr("no joints"));
  raw = good;
  raw.rate = 0;
  EXPECT_THAT(why_refused(raw), HasSubstr("frame rate"));
  raw = good;
  raw.rotations.pop_back();
  EXPECT_THAT(why_refused(raw), HasSubstr("samples missing"));
  raw = good;
  raw.rotations[20] = {0, 0, 0, 0};
  EXPECT_THAT(why_refused(raw), HasSubstr("frame 1 of joint 'Neck' is no rotation"));
  raw = good;
  raw.rotations[20].x = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THAT(why_refused(raw), HasSubstr("is no rotation"));
  raw = good;
  raw.translations[3].y = std::numeric_limits<float>::infinity();
  EXPECT_THAT(why_refused(raw), HasSubstr("frame 3 has a position"));
  raw = good;
  raw.joints[2].parent = 5;
  EXPECT_THAT(why_refused(raw), HasSubstr("no parent before it"));
  raw = good;
  raw.joints[1].parent = -1;
  EXPECT_THAT(why_refused(raw), HasSubstr("no parent before it"));
  raw = good;
  raw.end_sites[0].joint = 99;
  EXPECT_THAT(why_refused(raw), HasSubstr("end site"));
  ReadOptions options;
  options.metres_per_unit = -1;
  EXPECT_THAT(why_refused(good, options), HasSubstr("scale must be positive"));
  options = {};
  options.up_axis = 3;
  EXPECT_THAT(why_refused(good, options), HasSubstr("up axis"));
}

/// The motion as a rig tells it whose joints have their bones along X, knees that bend about Z, and no rotation at
/// rest: its offsets draw everything along one line, but for what branches off.
RawMotion with_bones_along_x(const motion::Clip& clip) {
  const motion::Skeleton& skeleton = *clip.skeleton;
  std::vector<Quat> world;  // what X, Y and Z of each joint are in the rest pose of `clip`
  for (const motion::Joint& joint : skeleton.joints()) {
    const bool leg = joint.name.find("Leg") != std::string::npos || joint.name.find("Foot") != std::string::npos;
    const bool arm = joint.name.find("Arm") != std::string::npos || joint.name.find("Hand") != std::string::npos;
    const bool left = joint.name.starts_with("Left");
    const Vec3 down{0, -1, 0}, side{1, 0, 0};
    if (leg) {
      world.push_back(from_axes(down, cross(side, down), side));
    } else if (arm) {
      world.push_back(left ? from_axes(down, {0, 0, 1}, cross(down, {0, 0, 1}))
                           : from_axes(down, {0, 0, -1}, {1, 0, 0}));
    } else {
      world.push_back(from_axes({0, 1, 0}, {0, 0, 1}, {1, 0, 0}));
    }
  }
  RawMotion raw = as_raw(clip);
  const auto above = [&](int parent) { return parent < 0 ? Quat{} : world[static_cast<std::size_t>(parent)]; };
  for (RawJoint& joint : raw.joints) joint.offset = rotate(conjugate(above(joint.parent)), joint.offset);
  for (motion::EndSite& site : raw.end_sites) site.offset = rotate(conjugate(above(site.joint)), site.offset);
  for (std::size_t i = 0; i < raw.rotations.size(); ++i) {
    const std::size_t j = i % world.size();
    raw.rotations[i] = conjugate(above(raw.joints[j].parent)) * raw.rotations[i] * world[j];
  }
  return raw;
}

/// Walks, with elbows that bend.
motion::Clip walking_gait(double speed) {
  testing::Gait gait;
  gait.speed = speed;
  motion::Clip clip = testing::make_gait(gait).clip;
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    const float bent = 0.4f + 0.1f * std::sin(0.2f * static_cast<float>(f));
    for (const std::size_t elbow : {std::size_t{6}, std::size_t{9}}) clip.pose(f)[elbow] = axis_angle({-1, 0, 0}, bent);
  }
  return clip;
}

TEST(RestPose, OfARigWithBonesAlongOneAxisIsMadeAndTheMotionStays) {
  const motion::Clip clip = walking_gait(1.2);
  const ReadClip read = normalise_well(with_bones_along_x(clip));
  EXPECT_LT(farthest_apart(clip, read.clip), 1e-4f);
  EXPECT_THAT(read.notes, Contains(HasSubstr("draws no body at rest")));
  const motion::Skeleton& made = *read.clip.skeleton;
  EXPECT_TRUE(motion::stands_at_rest(made, motion::find_body(made)));
  // Legs hang as they did, arms are held out, and the face looks along Z.
  for (const std::size_t leg : {12u, 13u, 15u, 16u}) {
    EXPECT_LT(distance(made.joint(leg).offset, clip.skeleton->joint(leg).offset), 1e-4f) << leg;
  }
  EXPECT_LT(distance(made.joint(6).offset, {0.29f, 0, 0}), 1e-4f);
  EXPECT_LT(distance(made.joint(9).offset, {-0.29f, 0, 0}), 1e-4f);
  EXPECT_GT(made.end_sites()[3].offset.z, 0.1f);
}

TEST(RestPose, IsTheSameForAllMotionsOfARig) {
  const ReadClip slow = normalise_well(with_bones_along_x(walking_gait(0.8)));
  RawMotion other = with_bones_along_x(walking_gait(1.4));
  // A file of animation alone: its nodes stand in a pose of the motion.
  for (std::size_t j = 0; j < other.joints.size(); ++j)
    other.joints[j].rest = other.rotations[20 * other.joints.size() + j];
  const ReadClip fast = normalise_well(std::move(other));
  EXPECT_TRUE(motion::same_body(*slow.clip.skeleton, *fast.clip.skeleton));
}

TEST(RestPose, ThatStandsIsKept) {
  for (const bool along_z : {false, true}) {
    RawMotion raw = as_raw(walking_gait(1.2));
    const Quat turn = along_z ? axis_angle({1, 0, 0}, kPi / 2) : Quat{};
    for (RawJoint& joint : raw.joints) joint.offset = rotate(turn, joint.offset);
    for (motion::EndSite& site : raw.end_sites) site.offset = rotate(turn, site.offset);
    for (std::size_t i = 0; i < raw.rotations.size(); ++i) {
      raw.rotations[i] = (i % raw.joints.size() == 0 ? Quat{} : turn) * raw.rotations[i] * conjugate(turn);
    }
    EXPECT_THAT(normalise_well(std::move(raw)).notes, Not(Contains(HasSubstr("at rest")))) << along_z;
  }
}

TEST(RestPose, OfATPoseIsKeptAlthoughThePerformerIsNoMirrorImage) {
  for (const bool held_out : {true, false}) {
    RawMotion raw = as_raw(walking_gait(1.2));
    raw.joints[12].offset = rotate(axis_angle({1, 0, 0}, 10 * kDegree), raw.joints[12].offset);  // the left thigh
    for (const std::size_t arm : {6u, 7u, 9u, 10u}) {
      const float side = arm < 8 ? 1.0f : -1.0f;
      if (held_out) raw.joints[arm].offset = {side * length(raw.joints[arm].offset), 0, 0};
    }
    const auto made = Contains(HasSubstr("at rest"));
    const ReadClip read = normalise_well(std::move(raw));
    if (held_out) {
      EXPECT_THAT(read.notes, Not(made));
    } else {
      EXPECT_THAT(read.notes, made);
    }
  }
}

TEST(Normalise, AHumanOfTheWrongSizeByTheFilesOwnUnitIsMendedAndTold) {
  const motion::Clip clip = walking_person(3);
  for (const double unit : {0.0001, 0.1, 1.0}) {
    RawMotion raw = as_raw(clip);  // in centimetres
    raw.metres_per_unit = unit;
    const ReadClip read = normalise_well(raw);
    EXPECT_NEAR(read.metres_per_unit, 0.01, 1e-9) << unit;
    EXPECT_LT(farthest_apart(clip, read.clip), 1e-4f) << unit;
    EXPECT_THAT(read.warnings, Contains(HasSubstr("where a person has about 2"))) << unit;
    ReadOptions options;
    options.metres_per_unit = unit;
    EXPECT_EQ(normalise_well(raw, options).metres_per_unit, unit);
  }
  RawMotion raw = as_raw(clip);
  raw.metres_per_unit = 0.02;  // somebody large
  EXPECT_THAT(normalise_well(raw).warnings, IsEmpty());
  EXPECT_EQ(normalise_well(raw).metres_per_unit, 0.02);
}

TEST(Normalise, WhatTravelsInAnotherMotionOfTheFileIsTheRoot) {
  motion::Clip clip = walking_person();
  RawMotion raw = as_raw(clip);
  // A fixed node above the hips, with something else on it.
  for (RawJoint& joint : raw.joints) ++joint.parent;
  raw.joints[0].offset = raw.translations[0];
  raw.joints.insert(raw.joints.begin(), {"Rig", motion::kNoParent, {}, {}});
  raw.joints.push_back({"Control", 0, {5, 0, 0}, {}});
  for (motion::EndSite& site : raw.end_sites) ++site.joint;
  std::vector<Quat> rotations;
  for (std::size_t f = 0; f < raw.frames; ++f) {
    rotations.emplace_back();
    const auto pose = clip.pose(f);
    rotations.insert(rotations.end(), pose.begin(), pose.end());
    rotations.emplace_back();
  }
  raw.rotations = std::move(rotations);
  raw.moving.clear();
  raw.translations.clear();
  EXPECT_EQ(normalise_well(raw).clip.skeleton->joint(0).name, "Rig");
  raw.travelling = {1};
  EXPECT_EQ(normalise_well(raw).clip.skeleton->joint(0).name, "Hips");
}

/// The longest path by trying every pair of points.
double longest_path_by_pairs(const motion::Skeleton& skeleton) {
  struct Node {
    int parent;
    double step;
  };
  std::vector<Node> nodes;
  for (const motion::Joint& joint : skeleton.joints()) nodes.push_back({joint.parent, length(joint.offset)});
  for (const motion::EndSite& site : skeleton.end_sites()) nodes.push_back({site.joint, length(site.offset)});
  const auto way_up = [&](std::size_t node) {
    std::vector<double> at(nodes.size(), -1);
    double way = 0;
    for (int n = static_cast<int>(node); n >= 0; n = nodes[static_cast<std::size_t>(n)].parent) {
      at[static_cast<std::size_t>(n)] = way;
      way += nodes[static_cast<std::size_t>(n)].step;
    }
    return at;
  };
  double longest = 0;
  for (std::size_t a = 0; a < nodes.size(); ++a) {
    for (std::size_t b = 0; b < nodes.size(); ++b) {
      const auto from = way_up(a), to = way_up(b);
      double shortest = 1e9;
      for (std::size_t n = 0; n < nodes.size(); ++n) {
        if (from[n] >= 0 && to[n] >= 0) shortest = std::min(shortest, from[n] + to[n]);
      }
      longest = std::max(longest, shortest);
    }
  }
  return longest;
}

TEST(LongestPath, AgreesWithTryingEveryPair) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const auto skeleton = testing::random_skeleton(1 + seed % 15, seed);
    EXPECT_NEAR(longest_path(*skeleton), longest_path_by_pairs(*skeleton), 1e-5) << seed;
  }
}

}  // namespace
}  // namespace loom::io
