// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/base/whole.h>
#include <loom/play/splice.h>

namespace loom::play {

Splice::Splice(std::shared_ptr<const take::TakeSet> motion, double rate, float ease_seconds)
    : motion_(std::move(motion)),
      tracks_(&motion_->tracks()),
      frames_a_pose_(motion_->rate() / rate),
      join_(*motion_, Reading::kMoments, ease_seconds, frames_a_pose_, static_cast<float>(1 / rate)) {}

void Splice::start(motion::SourceFrame at, const motion::GroundFrame& place) {
  join_.reset();
  clip_ = at.clip;
  frame_ = at.frame;
  move_to(place);
}

void Splice::jump(std::uint32_t clip, double frame) { jump(clip, frame, place() * inverse(track_at(clip, frame))); }

void Splice::jump(std::uint32_t clip, double frame, const motion::GroundFrame& world) {
  join_.join(now(), {motion_->clips[clip], frame, world});
  clip_ = clip;
  frame_ = frame;
  world_ = world;
}

void Splice::move_to(const motion::GroundFrame& place) { world_ = place * inverse(track_at(clip_, frame_)); }

void Splice::advance(double speed) {
  const auto last = static_cast<double>(motion_->clips[clip_].frames() - 1);
  frame_ = std::min(frame_ + speed * frames_a_pose_, last);
  join_.step();
}

void Splice::write(motion::StreamPose& pose) const {
  pose.root = join_.read(now(), pose.rotations);
  pose.source = {clip_, nearest_frame()};
  pose.planted = motion_->contacts[clip_].planted[nearest_frame()];
}

std::uint32_t Splice::nearest_frame() const { return to_whole<std::uint32_t>(std::round(frame_)); }

double Splice::frames_left() const { return static_cast<double>(motion_->clips[clip_].frames() - 1) - frame_; }

}  // namespace loom::play
