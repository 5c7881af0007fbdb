// SPDX-License-Identifier: MIT
#include "studio/scene.h"

#include <loom/policy/response.h>

namespace loom::studio {

bool differ(const CharacterPose& a, const CharacterPose& b) {
  return policy::looks_different(a.root, a.rotations, b.root, b.rotations);
}

StreamCharacter::StreamCharacter(std::unique_ptr<motion::MotionStream> stream) : stream_(std::move(stream)) {
  const std::size_t joints = stream_->skeleton()->size();
  before_.rotations.resize(joints);
  after_.rotations.resize(joints);
}

std::optional<StreamCharacter> StreamCharacter::clone() const {
  auto stream = stream_->clone();
  if (stream == nullptr) return std::nullopt;
  StreamCharacter copy(std::move(stream));
  copy.before_ = before_;
  copy.after_ = after_;
  copy.source_ = source_;
  copy.poses_ = poses_;
  copy.phase_ = phase_;
  copy.started_ = started_;
  return copy;
}

bool StreamCharacter::pull(const motion::Control& control, CharacterPose& pose) {
  motion::StreamPose next;
  next.rotations = pose.rotations;
  if (!stream_->next(control, next)) return false;
  pose.root = next.root;
  pose.planted = next.planted;
  source_ = next.source;
  ++poses_;
  return true;
}

bool StreamCharacter::step(double seconds, const motion::Control& control, CharacterPose& pose) {
  if (!started_) {
    if (!pull(control, after_)) return false;
    started_ = true;
  }
  for (phase_ += seconds * stream_->rate(); phase_ >= 1; phase_ -= 1) {
    std::swap(before_, after_);
    if (!pull(control, after_)) return false;
  }
  const auto t = static_cast<float>(phase_);
  pose.root = lerp(before_.root, after_.root, t);
  pose.rotations.resize(after_.rotations.size());
  for (std::size_t j = 0; j < pose.rotations.size(); ++j) {
    pose.rotations[j] = slerp(before_.rotations[j], after_.rotations[j], t);
  }
  pose.planted = t < 0.5f ? before_.planted : after_.planted;
  return true;
}

}  // namespace loom::studio
