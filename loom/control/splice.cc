// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/control/splice.h>

namespace loom::control {
namespace {

/// A pose between two frames. Frames are a thirtieth of a second or less apart, where the straight line between two
/// quaternions, brought back to unit length, is within a thousandth of a radian of the arc.
Vec3 read_pose(const motion::Clip& clip, double frame, const motion::GroundFrame& world, std::span<Quat> rotations) {
  const double at = std::clamp(frame, 0.0, static_cast<double>(clip.frames() - 1));
  const auto whole = static_cast<std::size_t>(at);
  const std::size_t next = std::min(whole + 1, clip.frames() - 1);
  const auto share = static_cast<float>(at - static_cast<double>(whole));
  const std::span<const Quat> a = clip.pose(whole), b = clip.pose(next);
  for (std::size_t j = 0; j < a.size(); ++j) {
    const float other = dot(a[j], b[j]) < 0 ? -share : share;
    rotations[j] = normalized(Quat{a[j].w * (1 - share) + b[j].w * other, a[j].x * (1 - share) + b[j].x * other,
                                   a[j].y * (1 - share) + b[j].y * other, a[j].z * (1 - share) + b[j].z * other});
  }
  rotations[0] = normalized(world.rotation() * rotations[0]);
  return transform(world, lerp(clip.roots[whole], clip.roots[next], share));
}

}  // namespace

Splice::Splice(std::shared_ptr<const TrackedMotion> motion, double rate, float ease_seconds)
    : motion_(std::move(motion)),
      frames_a_pose_(motion_->rate / rate),
      seconds_a_pose_(static_cast<float>(1 / rate)),
      offsets_(motion_->motion->skeleton->size(), ease_seconds) {
  for (StepRoom* room : {&from_, &to_}) {
    room->before.resize(motion_->motion->skeleton->size());
    room->now.resize(motion_->motion->skeleton->size());
  }
}

void Splice::start(motion::SourceFrame at, const motion::GroundFrame& place) {
  offsets_.reset();
  clip_ = at.clip;
  frame_ = at.frame;
  move_to(place);
}

void Splice::jump(motion::SourceFrame to) { jump(to, place() * inverse(motion_->track_at(to.clip, to.frame))); }

PoseStep Splice::read_step(std::uint32_t clip, double frame, const motion::GroundFrame& world, StepRoom& room) const {
  // At its first frame a clip has no frame before: its first step stands for it.
  const double now = std::max(frame, frames_a_pose_);
  const motion::Clip& recorded = motion_->motion->clips[clip];
  PoseStep step{{}, {}, room.before, room.now};
  step.root_before = read_pose(recorded, now - frames_a_pose_, world, room.before);
  step.root = read_pose(recorded, now, world, room.now);
  return step;
}

void Splice::jump(motion::SourceFrame to, const motion::GroundFrame& world) {
  const PoseStep old_step = read_step(clip_, frame_, world_, from_);
  const PoseStep new_step = read_step(to.clip, to.frame, world, to_);
  offsets_.join(old_step, new_step, seconds_a_pose_);
  clip_ = to.clip;
  frame_ = std::max<double>(to.frame, frames_a_pose_);
  world_ = world;
}

void Splice::move_to(const motion::GroundFrame& place) { world_ = place * inverse(motion_->track_at(clip_, frame_)); }

void Splice::advance(double speed) {
  const auto last = static_cast<double>(motion_->motion->clips[clip_].frames() - 1);
  frame_ = std::min(frame_ + speed * frames_a_pose_, last);
  offsets_.step(seconds_a_pose_);
}

void Splice::write(motion::StreamPose& pose) const {
  pose.root = read_pose(motion_->motion->clips[clip_], frame_, world_, pose.rotations);
  offsets_.apply(pose.root, pose.rotations);
  pose.source = {clip_, nearest_frame()};
  pose.planted = motion_->motion->contacts[clip_].planted[pose.source.frame];
}

std::uint32_t Splice::nearest_frame() const { return static_cast<std::uint32_t>(std::lround(frame_)); }

double Splice::frames_left() const { return static_cast<double>(motion_->motion->clips[clip_].frames() - 1) - frame_; }

}  // namespace loom::control
