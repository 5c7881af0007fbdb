// SPDX-License-Identifier: MIT
#include <cmath>

#include <loom/base/whole.h>
#include <loom/fight/sight.h>

namespace loom::fight {
namespace {

constexpr double kForgets = 4;  ///< seconds after which a third of the freshness is left

}  // namespace

float Sight::fresh(std::uint32_t node) const {
  return done.empty() ? 0 : static_cast<float>(std::exp((done[node] - now) / kForgets));
}

std::uint32_t Sight::steps_in(double seconds) const {
  return to_whole<std::uint32_t>(std::round(seconds * states.graph.rate));
}

float between(const motion::GroundFrame& a, const motion::GroundFrame& b) { return std::hypot(a.x - b.x, a.z - b.z); }

float bearing(const motion::GroundFrame& from, const motion::GroundFrame& to) {
  return std::atan2(to.x - from.x, to.z - from.z);
}

}  // namespace loom::fight
