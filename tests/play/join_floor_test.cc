// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <vector>

#include <gtest/gtest.h>

#include <loom/motion/kinematics.h>
#include <loom/play/clip_join.h>
#include <loom/play/inertialize.h>
#include <loom/play/planting.h>
#include <loom/play/read_pose.h>
#include <loom/polish/toes.h>
#include <loom/sample/sample.h>

#include "tests/make_walk.h"

namespace loom::play {
namespace {

constexpr float kEase = 0.09f;

/// A walk and a run of one body, recorded at 30 frames a second.
take::TakeSet two_gaits() {
  testing::Gait walk, run;
  run.speed = 2.4;
  run.cycle = 0.75;
  run.duty = 0.38;
  take::TakeSet motion;
  for (const testing::Gait& gait : {walk, run}) {
    motion.clips.push_back(testing::make_gait(gait).clip);
    motion.contacts.push_back(*motion::find_contacts(motion.clips.back()));
  }
  motion.skeleton = motion.clips[0].skeleton;
  return motion;
}

/// How far the lowest point of both feet is above where it stands, metres; negative: in the floor.
float lowest_foot(const take::TakeSet& motion, Vec3 root, std::span<const Quat> rotations) {
  const auto standing = standing_heights(motion);
  float lowest = 1e9f;
  const std::array<polish::Foot, 2> feet = polish::find_feet(*motion.skeleton).value();
  for (const polish::Foot& foot : feet) {
    const polish::FootPlace place = polish::place_of(*motion.skeleton, foot, root, rotations);
    lowest = std::min({lowest, place.heel.y - standing[foot.heel_part], place.toe.y - standing[foot.toe_part]});
  }
  return lowest;
}

/// The lowest that feet come anywhere in the recordings.
float lowest_recorded(const take::TakeSet& motion) {
  float lowest = 0;
  for (const motion::Clip& clip : motion.clips) {
    for (std::size_t f = 0; f < clip.frames(); ++f) {
      lowest = std::min(lowest, lowest_foot(motion, clip.roots[f], clip.pose(f)));
    }
  }
  return lowest;
}

/// How clip `to` lies for the body to stay where it is at frame `from` of another clip that lies as recorded.
motion::GroundFrame laid(const take::TakeSet& motion, const ClipMoment& from, std::size_t clip, double to) {
  const motion::GroundFrameFinder finder(*motion.skeleton);
  std::vector<Quat> rotations(motion.skeleton->size());
  const Vec3 root = read_moment(from.clip, from.frame, from.world, rotations);
  const motion::GroundFrame here = finder.find(root, rotations[0]);
  const Vec3 there = read_moment(motion.clips[clip], to, {}, rotations);
  return here * inverse(finder.find(there, rotations[0]));
}

/// Goes over from frame `from` of the first clip to frame `to` of the second and plays 0.4 s; `show` is told each pose.
template <typename Join, typename Show>
void go_over(const take::TakeSet& motion, double from, double to, Join& join, const Show& show) {
  const motion::GroundFrame here, there = laid(motion, {motion.clips[0], from, here}, 1, to);
  join.join({motion.clips[0], from, here}, {motion.clips[1], to, there});
  std::vector<Quat> rotations(motion.skeleton->size());
  for (int i = 0; i < 12; ++i) {
    const Vec3 root = join.read({motion.clips[1], to + i, there}, rotations);
    show(root, rotations);
    join.step();
  }
}

/// The same join without a thought of feet.
class JointsAlone {
 public:
  explicit JointsAlone(std::size_t joints) : offsets_(joints, kEase), from_(2 * joints), to_(2 * joints) {}
  void join(const ClipMoment& from, const ClipMoment& to) {
    offsets_.join(step(from, from_), step(to, to_), 1 / 30.0f);
  }
  Vec3 read(const ClipMoment& at, std::span<Quat> rotations) const {
    Vec3 root = read_moment(at.clip, at.frame, at.world, rotations);
    offsets_.apply(root, rotations);
    return root;
  }
  void step() { offsets_.step(1 / 30.0f); }

 private:
  static PoseStep step(const ClipMoment& at, std::vector<Quat>& room) {
    const std::span<Quat> both(room), before = both.first(room.size() / 2), now = both.last(room.size() / 2);
    const Vec3 root_before = read_moment(at.clip, at.frame - 1, at.world, before);
    return {root_before, read_moment(at.clip, at.frame, at.world, now), before, now};
  }

  Inertializer offsets_;
  std::vector<Quat> from_, to_;
};

TEST(JoinFloor, NoJoinCarriesAFootIntoTheFloor) {
  const take::TakeSet motion = two_gaits();
  const float recorded = lowest_recorded(motion);
  float carried = 0, by_joints = 0;
  for (int from = 20; from < 50; from += 3) {
    for (int to = 20; to < 50; to += 3) {
      ClipJoin feet(motion, Reading::kMoments, kEase, 1, 1 / 30.0f);
      go_over(motion, from, to, feet, [&](Vec3 root, std::span<const Quat> rotations) {
        carried = std::min(carried, lowest_foot(motion, root, rotations));
      });
      JointsAlone joints(motion.skeleton->size());
      go_over(motion, from, to, joints, [&](Vec3 root, std::span<const Quat> rotations) {
        by_joints = std::min(by_joints, lowest_foot(motion, root, rotations));
      });
    }
  }
  EXPECT_LT(by_joints, recorded - 0.04f) << "else the test says nothing";
  EXPECT_GT(carried, recorded - 0.015f);
}

TEST(JoinFloor, TheFirstPoseAfterAJoinIsTheOneThatWouldHaveComeAlsoInTheTailOfAnother) {
  const take::TakeSet motion = two_gaits();
  motion::GroundFrame here;
  ClipJoin join(motion, Reading::kMoments, kEase, 1, 1 / 30.0f);
  std::vector<Quat> would(motion.skeleton->size()), is(motion.skeleton->size());
  double frame = 20;
  for (const double to : {35.0, 28.0, 41.0}) {
    const std::size_t clip = to == 28.0 ? 0 : 1;
    const ClipMoment old{motion.clips[1 - clip], frame, here};
    const motion::GroundFrame there = laid(motion, old, clip, to);
    const ClipMoment next{motion.clips[clip], to, there};
    const Vec3 root_would = join.read(old, would);
    join.join(old, next);
    const Vec3 root_is = join.read(next, is);
    EXPECT_LT(distance(root_would, root_is), 1e-4f);
    for (std::size_t j = 0; j < is.size(); ++j) EXPECT_LT(angle_between(would[j], is[j]), 0.01f) << j;
    join.step();
    join.step();
    frame = to + 2;
    here = there;
  }
}

TEST(JoinFloor, FeetComeToWhereTheNewMotionHasThem) {
  const take::TakeSet motion = two_gaits();
  ClipJoin join(motion, Reading::kMoments, kEase, 1, 1 / 30.0f);
  const motion::GroundFrame here;
  join.join({motion.clips[0], 20, here}, {motion.clips[1], 40, here});
  for (int i = 0; i < 60; ++i) join.step();
  std::vector<Quat> rotations(motion.skeleton->size());
  const Vec3 root = join.read({motion.clips[1], 45, here}, rotations);
  EXPECT_LT(distance(root, motion.clips[1].roots[45]), 1e-3f);
  for (std::size_t j = 0; j < rotations.size(); ++j) {
    EXPECT_LT(angle_between(rotations[j], motion.clips[1].pose(45)[j]), 1e-2f);
  }
}

TEST(JoinFloor, ToesOfAFootThatComesDownFastAreNotBentAtOnce) {
  // As joins have it: the foot points down steeply and falls at 3 m/s, from above the floor to 4 cm below.
  motion::Clip clip = sample::make_sample("idle-1").value().clip;
  const polish::Foot foot = polish::find_feet(*clip.skeleton).value()[0];
  const motion::Soles soles = motion::find_soles(*clip.skeleton);
  const auto pose = clip.pose(0);
  Quat& ankle = pose[static_cast<std::size_t>(foot.leg.end)];
  ankle = ankle * axis_angle({1, 0, 0}, 40 * kDegree);
  Vec3 root = clip.roots[0];
  JoinFloor floor(clip.skeleton, motion::find_contacts(clip).value().rest_height);
  root.y += 0.01f - polish::sole_height(*clip.skeleton, soles.feet[0], root, pose);
  const JoinFloor::Places plain = floor.places(root, pose);
  floor.begin(root, pose, false);
  root.y -= 0.05f;
  const std::vector<Quat> before(pose.begin(), pose.end());
  floor.keep(plain, root, pose);
  const auto toes = static_cast<std::size_t>(foot.leg.tip);
  EXPECT_LT(angle_between(before[toes], pose[toes]), 15 * kDegree);
  EXPECT_GT(polish::sole_height(*clip.skeleton, soles.feet[0], root, pose), -0.01f) << "yet it is lifted";
}

TEST(JoinFloor, ABodyWithoutFeetIsLeftAlone) {
  motion::Joint root;
  root.name = "door";
  const auto door = std::make_shared<const motion::Skeleton>(motion::Skeleton::create({root}, {}).value());
  JoinFloor floor(door, {});
  EXPECT_FALSE(floor.known());
  std::vector<Quat> rotations(1);
  floor.begin({}, rotations, false);
  floor.keep(floor.places({}, rotations), {0, -1, 0}, rotations);
  EXPECT_EQ(rotations[0], Quat{});
}

}  // namespace
}  // namespace loom::play
