// SPDX-License-Identifier: MIT
#include <algorithm>

#include <loom/play/inertialize.h>

namespace loom::play {
namespace {

constexpr float kGone = 1e-4f;  ///< radians: a smaller offset is not worth a sine

/// Turning speed over one step, radians a second, in the parent's frame.
Vec3 turning(Quat before, Quat now, float seconds) { return log_vector(now * conjugate(before)) / seconds; }

}  // namespace

Inertializer::Inertializer(std::size_t joints, float ease_seconds) : ease_seconds_(ease_seconds), joints_(joints) {}

void Inertializer::reset() {
  root_ = {};
  std::fill(joints_.begin(), joints_.end(), polish::Spring{});
}

void Inertializer::join(const PoseStep& from, const PoseStep& to, float seconds) {
  root_.value += from.root - to.root;
  root_.velocity += ((from.root - from.root_before) - (to.root - to.root_before)) / seconds;
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    // shown = offset · from becomes shown = new offset · to.
    polish::Spring& offset = joints_[j];
    offset.value = log_vector(exp_vector(offset.value) * from.now[j] * conjugate(to.now[j]));
    offset.velocity += turning(from.before[j], from.now[j], seconds) - turning(to.before[j], to.now[j], seconds);
  }
}

void Inertializer::step(float seconds) {
  root_.step({}, seconds, ease_seconds_);
  for (polish::Spring& offset : joints_) offset.step({}, seconds, ease_seconds_);
}

void Inertializer::apply(Vec3& root, std::span<Quat> rotations) const {
  root += root_.value;
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const Vec3 offset = joints_[j].value;
    if (dot(offset, offset) > kGone * kGone) rotations[j] = normalized(exp_vector(offset) * rotations[j]);
  }
}

}  // namespace loom::play
