// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <loom/io/read.h>
#include <loom/motion/body.h>
#include <loom/motion/contacts.h>
#include <loom/motion/ground_frame.h>
#include <loom/motion/kinematics.h>
#include <loom/motion/mirror.h>

#include "tests/make_clip.h"
#include "tests/make_skeleton.h"
#include "tests/make_walk.h"
#include "tests/shared_data.h"

namespace loom::motion {
namespace {

using testing::make_gait;
using testing::outline_skeleton;
using testing::random_clip;
using testing::small_person;

/// The same body standing turned by `turn` about the vertical at rest.
std::shared_ptr<const Skeleton> turned_person(float turn) {
  const auto person = small_person();
  std::vector<Joint> joints = person->joints();
  std::vector<EndSite> sites = person->end_sites();
  for (Joint& joint : joints) joint.offset = rotate(axis_angle({0, 1, 0}, turn), joint.offset);
  for (EndSite& site : sites) site.offset = rotate(axis_angle({0, 1, 0}, turn), site.offset);
  return std::make_shared<Skeleton>(Skeleton::create(joints, sites).value());
}

TEST(Mirror, PutsEveryJointWhereTheMirrorShowsItsCounterpart) {
  for (const float turn : {0.0f, 0.5f * kPi, kPi, 0.7f}) {
    const Clip clip = random_clip(turned_person(turn), 10, 30, 3);
    const Clip mirrored = mirror(clip).value();
    const std::vector<int> pairs = mirror_pairs(*clip.skeleton).value();
    const WorldPoses before = forward_kinematics(clip), after = forward_kinematics(mirrored);
    for (std::size_t f = 0; f < clip.frames(); ++f) {
      for (std::size_t j = 0; j < clip.joints(); ++j) {
        Vec3 p = before.position(f, j);
        p.x = -p.x;
        EXPECT_LT(distance(after.position(f, static_cast<std::size_t>(pairs[j])), p), 1e-5f) << turn << " " << j;
      }
    }
    EXPECT_TRUE(validate(mirrored));
    EXPECT_EQ(mirrored.skeleton, clip.skeleton);
  }
}

TEST(Mirror, TwiceIsTheClipItself) {
  for (const float turn : {0.0f, 0.5f * kPi, 0.7f}) {
    Clip clip = random_clip(turned_person(turn), 10, 30, 4);
    clip.labels = {{"kick-left", 0, 5}, {"Right turn, then LEFT", 2, 7}};
    const Clip twice = mirror(mirror(clip).value()).value();
    EXPECT_EQ(twice.labels, clip.labels);
    EXPECT_EQ(twice.roots, clip.roots);
    for (std::size_t i = 0; i < clip.rotations.size(); ++i) {
      EXPECT_LT(angle_between(twice.rotations[i], clip.rotations[i]), 1e-3f);
    }
  }
}

TEST(Mirror, TurnsLeftTurnsIntoRightTurns) {
  const Clip clip = random_clip(small_person(), 20, 30, 5);
  const GroundFrameFinder finder(*clip.skeleton);
  const auto before = finder.find(clip), after = finder.find(mirror(clip).value());
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    EXPECT_NEAR(wrap_angle(after[f].heading + before[f].heading), 0, 1e-3f);
    EXPECT_EQ(after[f].x, -before[f].x);
  }
}

TEST(Mirror, SwapsTheFeetOnTheFloor) {
  const auto made = make_gait({});
  const Contacts before = find_contacts(made.clip).value(), after = find_contacts(mirror(made.clip).value()).value();
  for (std::size_t f = 0; f < made.clip.frames(); ++f) {
    EXPECT_EQ((before.planted[f] & kLeftFoot) != 0, (after.planted[f] & kRightFoot) != 0) << f;
    EXPECT_EQ((before.planted[f] & kRightFoot) != 0, (after.planted[f] & kLeftFoot) != 0) << f;
  }
}

TEST(Mirror, LabelsChangeSidesAsWords) {
  Clip clip = random_clip(small_person(), 4, 30, 6);
  const std::pair<const char*, const char*> names[] = {{"kick-left", "kick-right"},
                                                       {"TurnRight90", "TurnLeft90"},
                                                       {"RIGHT_punch", "LEFT_punch"},
                                                       {"upright", "upright"},
                                                       {"bright lights", "bright lights"},
                                                       {"left then right", "right then left"},
                                                       {"walk", "walk"},
                                                       {"", ""}};
  for (const auto& [name, wanted] : names) {
    clip.labels = {{name, 0, 4}};
    EXPECT_EQ(mirror(clip).value().labels[0].name, wanted);
  }
}

TEST(Mirror, FailsWhereAJointHasNoCounterpart) {
  const auto skeleton = std::make_shared<Skeleton>(outline_skeleton("Hips{LeftLeg}"));
  EXPECT_FALSE(mirror(random_clip(skeleton, 3, 30, 7)));
}

TEST(RealCaptureMirror, CmuWalksKeepTheirFeetOnTheFloor) {
  LOOM_REQUIRE_MOCAP();
  for (const char* file : {"cmu30/02_01.bvh", "cmu30/118_01.bvh", "asfamc/11_01.amc", "formats/test_mocapbank.bvh"}) {
    const auto read = io::read_motion((testing::mocap_folder() / file).string());
    ASSERT_TRUE(read) << read.error().to_string();
    const Clip& clip = read->front().clip;
    const auto mirrored = mirror(clip);
    ASSERT_TRUE(mirrored) << mirrored.error().to_string();
    EXPECT_NEAR(find_contacts(*mirrored).value().floor, find_contacts(clip).value().floor, 0.03f) << file;
  }
}

}  // namespace
}  // namespace loom::motion
