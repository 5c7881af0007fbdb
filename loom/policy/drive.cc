// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/policy/drive.h>

namespace loom::policy {

motion::Control sound_control(const motion::Control& control) {
  motion::Control sound = control;
  sound.velocity.y = 0;
  if (!is_finite(sound.velocity)) sound.velocity = {};
  const float speed = length(sound.velocity);
  if (speed > kFastest) sound.velocity *= kFastest / speed;
  sound.turn_rate = std::isfinite(sound.turn_rate) ? std::clamp(sound.turn_rate, -kFastest, kFastest) : 0;
  return sound;
}

motion::Control to_world(const ControlSignal& signal, float heading) {
  motion::Control control;
  // Heading 0 faces +Z, with the left hand towards +X.
  control.velocity = rotate(axis_angle({0, 1, 0}, heading), {signal.left, 0, signal.forward});
  control.turn_rate = signal.turn;
  control.flags = signal.flags;
  return control;
}

ControlSignal seen_from(const motion::Control& control, float heading) {
  const Vec3 velocity = rotate(axis_angle({0, 1, 0}, -heading), control.velocity);
  return {velocity.x, velocity.z, control.turn_rate, control.flags};
}

}  // namespace loom::policy
