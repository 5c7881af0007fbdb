// SPDX-License-Identifier: MIT
#include <cmath>

#include <loom/base/whole.h>
#include <loom/play/clip_join.h>
#include <loom/play/read_pose.h>

namespace loom::play {

ClipJoin::ClipJoin(std::size_t joints, Reading reading, float ease_seconds, double frames_a_pose, float seconds_a_pose)
    : reading_(reading),
      frames_a_pose_(frames_a_pose),
      seconds_a_pose_(seconds_a_pose),
      offsets_(joints, ease_seconds) {
  for (StepRoom* room : {&from_, &to_}) {
    room->before.resize(joints);
    room->now.resize(joints);
  }
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
  offsets_.join(old_step, new_step, seconds_a_pose_);
}

Vec3 ClipJoin::read(const ClipMoment& at, std::span<Quat> rotations) const {
  Vec3 root = read_plain(at, at.frame, rotations);
  offsets_.apply(root, rotations);
  return root;
}

}  // namespace loom::play
