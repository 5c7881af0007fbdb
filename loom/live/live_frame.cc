// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/live/live_frame.h>

namespace loom::live {

bool make_unit(Quat& rotation) {
  if (!is_finite(rotation)) return false;
  const float largest =
      std::max({std::fabs(rotation.w), std::fabs(rotation.x), std::fabs(rotation.y), std::fabs(rotation.z)});
  if (!(largest > 1e-6f) || largest > 1e6f) return false;
  rotation = normalized(rotation);
  return true;
}

bool is_place(Vec3 place) {
  return is_finite(place) && std::fabs(place.x) <= kFarthestPlace && std::fabs(place.y) <= kFarthestPlace &&
         std::fabs(place.z) <= kFarthestPlace;
}

Vec3 to_ours(Axes axes, Vec3 v) {
  switch (axes) {
    case Axes::kOurs:
      return v;
    case Axes::kUnity:
      return {-v.x, v.y, v.z};
    case Axes::kSouthEastUp:
      return {-v.y, v.z, -v.x};
    case Axes::kEastNorthUp:
      return {-v.x, v.z, v.y};
    case Axes::kNorthWestUp:
      return {v.y, v.z, v.x};
    case Axes::kZUpBackwards:
      return {v.x, v.z, -v.y};
  }
  return v;
}

Quat to_ours(Axes axes, Quat q) {
  // The axis of a turn is carried like a vector; where the axes are mirrored, the turn goes the other way round.
  const Vec3 axis = to_ours(axes, Vec3{q.x, q.y, q.z}) * (axes == Axes::kUnity ? -1.0f : 1.0f);
  return {q.w, axis.x, axis.y, axis.z};
}

}  // namespace loom::live
