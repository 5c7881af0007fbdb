// SPDX-License-Identifier: MIT
#include <cmath>

#include <loom/control/sight.h>

namespace loom::control {

std::uint32_t Sight::steps_in(double seconds) const {
  return static_cast<std::uint32_t>(std::llround(seconds * states.graph.rate));
}

float between(const motion::GroundFrame& a, const motion::GroundFrame& b) { return std::hypot(a.x - b.x, a.z - b.z); }

float bearing(const motion::GroundFrame& from, const motion::GroundFrame& to) {
  return std::atan2(to.x - from.x, to.z - from.z);
}

}  // namespace loom::control
