// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>

#include <loom/base/whole.h>
#include <loom/play/splice.h>

namespace loom::play {
namespace {

/// Four frames around a moment and what each counts: a cubic through the middle two whose slopes are those of their
/// neighbours (Catmull and Rom 1974). Straight lines would bend at every recorded frame, which shows where poses are
/// more frequent than frames.
struct Around {
  std::array<std::size_t, 4> frame;
  std::array<float, 4> weight;
};

Around around(double frame, std::size_t frames) {
  const auto last = static_cast<double>(frames - 1);
  const double at = std::clamp(frame, 0.0, last);
  const auto whole = to_whole<std::size_t>(at);
  const auto t = static_cast<float>(at - static_cast<double>(whole));
  const float s = 1 - t;
  return {{whole - std::min<std::size_t>(whole, 1), whole, std::min(whole + 1, frames - 1),
           std::min(whole + 2, frames - 1)},
          {-0.5f * t * s * s, s * (1 + t * (1 - 1.5f * t)), t * (1 + s * (1 - 1.5f * s)), -0.5f * s * t * t}};
}

/// The pose of `clip` at a moment, in the world; returns the root's place. Rotations are mixed as quaternions of one
/// hemisphere and brought back to unit length.
Vec3 read_pose(const motion::Clip& clip, double frame, const motion::GroundFrame& world, std::span<Quat> rotations) {
  const Around at = around(frame, clip.frames());
  Vec3 root;
  for (std::size_t i = 0; i < 4; ++i) root += clip.roots[at.frame[i]] * at.weight[i];
  const std::span<const Quat> middle = clip.pose(at.frame[1]);
  for (std::size_t j = 0; j < middle.size(); ++j) {
    Quat sum{0, 0, 0, 0};
    for (std::size_t i = 0; i < 4; ++i) {
      const Quat q = clip.pose(at.frame[i])[j];
      const float w = dot(q, middle[j]) < 0 ? -at.weight[i] : at.weight[i];
      sum = {sum.w + q.w * w, sum.x + q.x * w, sum.y + q.y * w, sum.z + q.z * w};
    }
    rotations[j] = normalized(sum);
  }
  rotations[0] = normalized(world.rotation() * rotations[0]);
  return transform(world, root);
}

}  // namespace

Splice::Splice(std::shared_ptr<const take::TakeSet> motion, double rate, float ease_seconds)
    : motion_(std::move(motion)),
      tracks_(&motion_->tracks()),
      frames_a_pose_(motion_->rate() / rate),
      seconds_a_pose_(static_cast<float>(1 / rate)),
      offsets_(motion_->skeleton->size(), ease_seconds) {
  for (StepRoom* room : {&from_, &to_}) {
    room->before.resize(motion_->skeleton->size());
    room->now.resize(motion_->skeleton->size());
  }
}

void Splice::start(motion::SourceFrame at, const motion::GroundFrame& place) {
  offsets_.reset();
  clip_ = at.clip;
  frame_ = at.frame;
  move_to(place);
}

void Splice::jump(std::uint32_t clip, double frame) { jump(clip, frame, place() * inverse(track_at(clip, frame))); }

PoseStep Splice::read_step(std::uint32_t clip, double frame, const motion::GroundFrame& world, StepRoom& room) const {
  const motion::Clip& recorded = motion_->clips[clip];
  PoseStep step{{}, {}, room.before, room.now};
  step.root = read_pose(recorded, frame, world, room.now);
  if (frame >= frames_a_pose_) {
    step.root_before = read_pose(recorded, frame - frames_a_pose_, world, room.before);
    return step;
  }
  // At its first frame a clip has none before: the step it makes next stands for the one it came by.
  step.root_before = 2 * step.root - read_pose(recorded, frame + frames_a_pose_, world, room.before);
  for (std::size_t j = 0; j < room.now.size(); ++j) {
    room.before[j] = room.now[j] * conjugate(room.before[j]) * room.now[j];
  }
  return step;
}

void Splice::jump(std::uint32_t clip, double frame, const motion::GroundFrame& world) {
  const PoseStep old_step = read_step(clip_, frame_, world_, from_);
  const PoseStep new_step = read_step(clip, frame, world, to_);
  offsets_.join(old_step, new_step, seconds_a_pose_);
  clip_ = clip;
  frame_ = frame;
  world_ = world;
}

void Splice::move_to(const motion::GroundFrame& place) { world_ = place * inverse(track_at(clip_, frame_)); }

void Splice::advance(double speed) {
  const auto last = static_cast<double>(motion_->clips[clip_].frames() - 1);
  frame_ = std::min(frame_ + speed * frames_a_pose_, last);
  offsets_.step(seconds_a_pose_);
}

void Splice::write(motion::StreamPose& pose) const {
  pose.root = read_pose(motion_->clips[clip_], frame_, world_, pose.rotations);
  offsets_.apply(pose.root, pose.rotations);
  pose.source = {clip_, nearest_frame()};
  pose.planted = motion_->contacts[clip_].planted[nearest_frame()];
}

std::uint32_t Splice::nearest_frame() const { return to_whole<std::uint32_t>(std::round(frame_)); }

double Splice::frames_left() const { return static_cast<double>(motion_->clips[clip_].frames() - 1) - frame_; }

}  // namespace loom::play
