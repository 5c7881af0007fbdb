// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/base/whole.h>
#include <loom/motion/body.h>
#include <loom/play/clip_join.h>
#include <loom/play/planting.h>
#include <loom/play/read_pose.h>

namespace loom::play {
namespace {

constexpr float kFades = 12;  ///< time constants after which nothing of a join is seen

/// 1 for every joint that no limb has: of the trunk, the neck and the head.
std::vector<std::uint8_t> without_limbs(const motion::Skeleton& skeleton) {
  const motion::Body body = motion::find_body(skeleton);
  std::vector<std::uint8_t> steady(skeleton.size(), 1);
  for (std::size_t j = 0; j < skeleton.size(); ++j) {
    const int parent = skeleton.joint(j).parent, joint = static_cast<int>(j);
    const bool below = parent >= 0 && steady[static_cast<std::size_t>(parent)] == 0;
    const bool begins = joint == body.left_leg.upper || joint == body.right_leg.upper || joint == body.left_arm.upper ||
                        joint == body.right_arm.upper;
    if (below || begins) steady[j] = 0;
  }
  return steady;
}

}  // namespace

ClipJoin::ClipJoin(const take::TakeSet& motion, Reading reading, float ease_seconds, double frames_a_pose,
                   float seconds_a_pose)
    : reading_(reading),
      frames_a_pose_(frames_a_pose),
      seconds_a_pose_(seconds_a_pose),
      offsets_(motion.skeleton->size(), ease_seconds),
      floor_(motion.skeleton, standing_heights(motion)),
      fade_seconds_(kFades * std::max(ease_seconds, Inertializer::kLongestEase)) {
  const std::size_t joints = motion.skeleton->size();
  if (floor_.known()) offsets_.keep_steady(without_limbs(*motion.skeleton));
  for (StepRoom* room : {&from_, &to_}) {
    room->before.resize(joints);
    room->now.resize(joints);
  }
}

void ClipJoin::reset() {
  offsets_.reset();
  fades_ = 0;
}

void ClipJoin::step() {
  offsets_.step(seconds_a_pose_);
  fades_ = std::max(0.0f, fades_ - seconds_a_pose_);
}

Vec3 ClipJoin::read_plain(const ClipMoment& at, double frame, std::span<Quat> rotations) const {
  if (reading_ == Reading::kMoments) return read_moment(at.clip, frame, at.world, rotations);
  return read_frame(at.clip, to_whole<std::int64_t>(std::round(frame)), at.world, rotations);
}

PoseStep ClipJoin::read_step(const ClipMoment& at, StepRoom& room) const {
  PoseStep step{{}, {}, room.before, room.now};
  step.root = read_plain(at, at.frame, room.now);
  if (at.frame >= frames_a_pose_) {
    step.root_before = read_plain(at, at.frame - frames_a_pose_, room.before);
    return step;
  }
  // At its first frame a clip has none before: the step it makes next stands for the one it came by.
  step.root_before = 2 * step.root - read_plain(at, at.frame + frames_a_pose_, room.before);
  for (std::size_t j = 0; j < room.now.size(); ++j) {
    room.before[j] = room.now[j] * conjugate(room.before[j]) * room.now[j];
  }
  return step;
}

void ClipJoin::join(const ClipMoment& from, const ClipMoment& to) {
  const PoseStep old_step = read_step(from, from_);
  const PoseStep new_step = read_step(to, to_);
  floor_.begin(old_step.root, old_step.now, fades_ > 0);
  offsets_.join(old_step, new_step, seconds_a_pose_);
  fades_ = fade_seconds_;
}

Vec3 ClipJoin::read(const ClipMoment& at, std::span<Quat> rotations) const {
  Vec3 root = read_plain(at, at.frame, rotations);
  if (fades_ == 0) return root;
  const JoinFloor::Places plain = floor_.places(root, rotations);
  offsets_.apply(root, rotations);
  floor_.keep(plain, root, rotations);
  return root;
}

}  // namespace loom::play
