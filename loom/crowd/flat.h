// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>

#include <loom/base/math.h>

namespace loom::crowd {

/// A place, a way or a velocity on the floor: metres, or metres a second.
struct Flat {
  float x = 0, z = 0;

  friend constexpr bool operator==(const Flat&, const Flat&) = default;
};

constexpr Flat operator+(Flat a, Flat b) { return {a.x + b.x, a.z + b.z}; }
constexpr Flat operator-(Flat a, Flat b) { return {a.x - b.x, a.z - b.z}; }
constexpr Flat operator-(Flat a) { return {-a.x, -a.z}; }
constexpr Flat operator*(Flat a, float s) { return {a.x * s, a.z * s}; }
constexpr Flat operator*(float s, Flat a) { return a * s; }
constexpr Flat& operator+=(Flat& a, Flat b) { return a = a + b; }
constexpr float dot(Flat a, Flat b) { return a.x * b.x + a.z * b.z; }
inline float length(Flat a) { return std::sqrt(dot(a, a)); }
/// `a` at length one; `otherwise` where it is too short to have a direction.
inline Flat normalized(Flat a, Flat otherwise = {0, 1}) {
  const float n = length(a);
  return n > 1e-9f ? a * (1 / n) : otherwise;
}
/// A quarter turn to the left, as headings turn: from +Z to +X.
constexpr Flat left_of(Flat a) { return {a.z, -a.x}; }
/// The heading of a direction (0 is +Z, positive to the left) and back.
inline float heading_of(Flat a) { return std::atan2(a.x, a.z); }
inline Flat direction_of(float heading) { return {std::sin(heading), std::cos(heading)}; }

}  // namespace loom::crowd
