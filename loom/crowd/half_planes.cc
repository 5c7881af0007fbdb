// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstddef>

#include <loom/crowd/half_planes.h>

namespace loom::crowd {
namespace {

constexpr float kParallel = 1e-6f;
constexpr float kSlack = 1e-5f;  ///< by which a plane may be missed: rounding
constexpr int kHalvings = 16;    ///< of how far planes are pushed back: 10 m/s to a tenth of a millimetre a second

/// The point on the edge of plane `on` that lies in the planes before it and in the disc, nearest to `wanted`.
bool nearest_on_edge(std::span<const HalfPlane> before, const HalfPlane& on, float disc, Flat wanted, Flat& found) {
  const float inside = disc * disc - on.least * on.least;
  if (inside < 0) return false;
  const Flat foot = on.normal * on.least, along = left_of(on.normal);
  float low = -std::sqrt(inside), high = -low;
  for (const HalfPlane& other : before) {
    // dot(other.normal, foot + t along) >= other.least
    const float slope = dot(other.normal, along), lacks = other.least - dot(other.normal, foot);
    if (std::fabs(slope) < kParallel) {
      if (lacks > kSlack) return false;
    } else if (slope > 0) {
      low = std::max(low, lacks / slope);
    } else {
      high = std::min(high, lacks / slope);
    }
    if (low > high) return false;
  }
  found = foot + along * std::clamp(dot(along, wanted), low, high);
  return true;
}

}  // namespace

bool nearest_allowed(std::span<const HalfPlane> planes, float disc, Flat wanted, Flat& found) {
  const float far = length(wanted);
  Flat best = far > disc ? wanted * (disc / far) : wanted;
  for (std::size_t i = 0; i < planes.size(); ++i) {
    // The best so far is the best of all planes before. Where this one forbids it, the new best lies on its edge.
    if (dot(planes[i].normal, best) >= planes[i].least - kSlack) continue;
    if (!nearest_on_edge(planes.first(i), planes[i], disc, wanted, best)) return false;
  }
  found = best;
  return true;
}

float nearest_bearable(std::span<HalfPlane> planes, std::size_t firm, float disc, Flat wanted, Flat& found) {
  if (nearest_allowed(planes, disc, wanted, found)) return 0;
  found = {};
  // Standing still meets a plane whose `least` is its lack: pushing by the largest of these is always enough, unless
  // the firm ones forbid standing still.
  float enough = 0;
  for (const HalfPlane& plane : planes.subspan(firm)) enough = std::max(enough, plane.least);
  float low = 0, high = enough + kSlack, pushed = 0;
  const auto push_to = [&](float by) {
    for (HalfPlane& plane : planes.subspan(firm)) plane.least -= by - pushed;
    pushed = by;
  };
  for (int n = 0; n < kHalvings; ++n) {
    const float middle = n == 0 ? high : (low + high) / 2;
    push_to(middle);
    (nearest_allowed(planes, disc, wanted, found) ? high : low) = middle;
  }
  push_to(0);
  return high;
}

}  // namespace loom::crowd
