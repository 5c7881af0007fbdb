// SPDX-License-Identifier: MIT
#include <cmath>

#include <loom/play/guide.h>

namespace loom::play {
namespace {

constexpr int kStepsAhead = 4;  ///< between two predicted places: in each the wanted velocity keeps its direction

/// A value whose rate of change goes to `goal`; `seconds` on, in closed form.
template <typename T>
void ease_rate(T& value, T& rate, T goal, float seconds, float ease_seconds) {
  const float keep = std::exp(-seconds / ease_seconds);
  const T away = rate - goal;
  value = value + goal * seconds + away * (ease_seconds * (1 - keep));
  rate = goal + away * keep;
}

Vec3 on_floor(Vec3 v) { return {v.x, 0, v.z}; }

}  // namespace

void Guide::step(const motion::Control& control, float seconds, const GuideOptions& options) {
  Vec3 position = place.position();
  ease_rate(position, velocity, on_floor(control.velocity), seconds, options.velocity_seconds);
  float heading = place.heading;
  ease_rate(heading, turn_rate, control.turn_rate, seconds, options.turn_seconds);
  const Quat turned = axis_angle({0, 1, 0}, heading - place.heading);
  velocity = rotate(turned, velocity);
  place = {position.x, position.z, wrap_angle(heading)};
}

void Guide::predict(const motion::Control& control, float spacing, std::span<motion::GroundFrame> places,
                    const GuideOptions& options) const {
  Guide ahead = *this;
  motion::Control later = control;
  for (motion::GroundFrame& at : places) {
    for (int i = 0; i < kStepsAhead; ++i) {
      const float before = ahead.place.heading;
      ahead.step(later, spacing / kStepsAhead, options);
      later.velocity = rotate(axis_angle({0, 1, 0}, wrap_angle(ahead.place.heading - before)), later.velocity);
    }
    at = ahead.place;
  }
}

}  // namespace loom::play
