// SPDX-License-Identifier: MIT
#include <loom/play/inertialize.h>
#include <loom/polish/gentle_ease.h>

namespace loom::play {
namespace {

constexpr float kGone = 1e-4f;  ///< radians: a smaller offset is not worth a sine

/// Turning speed over one step, radians a second, in the parent's frame.
Vec3 turning(Quat before, Quat now, float seconds) { return log_vector(now * conjugate(before)) / seconds; }

/// Accelerations that a body may be given by a join: of the root, metres a second squared, of the root's own turning,
/// by which a body is led, and of a joint above it, radians. What the joints of a trunk are given adds up at its head.
constexpr float kRootPush = 20, kTurnPush = 40, kJointPush = 20;

float gentle_ease(const polish::Spring& spring, float least, float most) {
  return polish::gentle_ease(spring.value, spring.velocity, most, least, Inertializer::kLongestEase);
}

}  // namespace

Inertializer::Inertializer(std::size_t joints, float ease_seconds)
    : ease_seconds_(ease_seconds), root_{{}, ease_seconds}, joints_(joints, Offset{{}, ease_seconds}) {}

void Inertializer::reset() {
  root_.spring = {};
  for (Offset& offset : joints_) offset.spring = {};
}

void Inertializer::join(const PoseStep& from, const PoseStep& to, float seconds) {
  root_.spring.value += from.root - to.root;
  root_.spring.velocity += ((from.root - from.root_before) - (to.root - to.root_before)) / seconds;
  if (!steady_.empty()) root_.ease_seconds = gentle_ease(root_.spring, ease_seconds_, kRootPush);
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    // shown = offset · from becomes shown = new offset · to.
    polish::Spring& offset = joints_[j].spring;
    offset.value = log_vector(exp_vector(offset.value) * from.now[j] * conjugate(to.now[j]));
    offset.velocity += turning(from.before[j], from.now[j], seconds) - turning(to.before[j], to.now[j], seconds);
    if (!steady_.empty() && steady_[j])
      joints_[j].ease_seconds = gentle_ease(offset, ease_seconds_, j == 0 ? kTurnPush : kJointPush);
  }
}

void Inertializer::step(float seconds) {
  root_.spring.step({}, seconds, root_.ease_seconds);
  for (Offset& offset : joints_) offset.spring.step({}, seconds, offset.ease_seconds);
}

void Inertializer::apply(Vec3& root, std::span<Quat> rotations) const {
  root += root_.spring.value;
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const Vec3 offset = joints_[j].spring.value;
    if (dot(offset, offset) > kGone * kGone) rotations[j] = normalized(exp_vector(offset) * rotations[j]);
  }
}

}  // namespace loom::play
