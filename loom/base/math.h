// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>

namespace loom {

/// Small vectors and rotations, as plain floats that lie in flat arrays and go into files as they are.
///
/// Eigen does the linear algebra inside the solvers; these two types are what crosses the library's surface, so that
/// including a motion header costs nothing. Right-handed, Y up, metres.

inline constexpr float kPi = 3.14159265358979323846f;
inline constexpr float kDegree = kPi / 180.0f;  ///< radians in a degree
inline constexpr double kDegreesARadian = 180 / 3.14159265358979323846;

struct Vec3 {
  float x = 0, y = 0, z = 0;

  friend constexpr bool operator==(const Vec3&, const Vec3&) = default;
};

constexpr Vec3 operator+(Vec3 a, Vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
constexpr Vec3 operator-(Vec3 a, Vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
constexpr Vec3 operator-(Vec3 a) { return {-a.x, -a.y, -a.z}; }
constexpr Vec3 operator*(Vec3 a, float s) { return {a.x * s, a.y * s, a.z * s}; }
constexpr Vec3 operator*(float s, Vec3 a) { return a * s; }
constexpr Vec3 operator/(Vec3 a, float s) { return {a.x / s, a.y / s, a.z / s}; }
constexpr Vec3& operator+=(Vec3& a, Vec3 b) { return a = a + b; }
constexpr Vec3& operator-=(Vec3& a, Vec3 b) { return a = a - b; }
constexpr Vec3& operator*=(Vec3& a, float s) { return a = a * s; }
constexpr float dot(Vec3 a, Vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
constexpr Vec3 cross(Vec3 a, Vec3 b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
inline float length(Vec3 a) { return std::sqrt(dot(a, a)); }
inline float distance(Vec3 a, Vec3 b) { return length(a - b); }
/// `a` at length one; `otherwise` where `a` is too short to have a direction.
inline Vec3 normalized(Vec3 a, Vec3 otherwise = {0, 1, 0}) {
  const float n = length(a);
  return n > 1e-12f ? a / n : otherwise;
}
constexpr Vec3 lerp(Vec3 a, Vec3 b, float t) { return a + (b - a) * t; }
inline bool is_finite(Vec3 a) { return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z); }

/// A rotation as a unit quaternion. `q` and `-q` are the same rotation.
struct Quat {
  float w = 1, x = 0, y = 0, z = 0;

  friend constexpr bool operator==(const Quat&, const Quat&) = default;
};

/// First `b`, then `a`.
constexpr Quat operator*(Quat a, Quat b) {
  return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
          a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
constexpr Quat operator-(Quat q) { return {-q.w, -q.x, -q.y, -q.z}; }
/// The inverse of a unit quaternion.
constexpr Quat conjugate(Quat q) { return {q.w, -q.x, -q.y, -q.z}; }
constexpr float dot(Quat a, Quat b) { return a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z; }
inline bool is_finite(Quat q) {
  return std::isfinite(q.w) && std::isfinite(q.x) && std::isfinite(q.y) && std::isfinite(q.z);
}
/// At length one; the identity where `q` is zero.
inline Quat normalized(Quat q) {
  const float n = std::sqrt(dot(q, q));
  return n > 1e-12f ? Quat{q.w / n, q.x / n, q.y / n, q.z / n} : Quat{};
}
/// `v` turned by `q`.
constexpr Vec3 rotate(Quat q, Vec3 v) {
  const Vec3 u{q.x, q.y, q.z};
  const Vec3 t = 2.0f * cross(u, v);
  return v + q.w * t + cross(u, t);
}
/// Turn by `angle` radians about `axis` (need not be of unit length).
inline Quat axis_angle(Vec3 axis, float angle) {
  const Vec3 n = normalized(axis);
  const float s = std::sin(angle * 0.5f);
  return {std::cos(angle * 0.5f), n.x * s, n.y * s, n.z * s};
}
/// The rotation vector of `q`: axis times angle in [0, pi], the shorter way round. |log_vector(conjugate(a) * b)| is
/// the angle between `a` and `b`; half of it is the quaternion logarithm of the works.
Vec3 log_vector(Quat q);
/// The inverse of `log_vector`.
Quat exp_vector(Vec3 v);
/// Angle between two rotations in radians, in [0, pi].
float angle_between(Quat a, Quat b);
/// Spherical interpolation the shorter way, from `a` at t = 0 to `b` at t = 1.
Quat slerp(Quat a, Quat b, float t);
/// The shortest rotation that turns the direction `from` into the direction `to`.
Quat rotation_between(Vec3 from, Vec3 to);
/// The rotation whose matrix has these columns, which must be orthonormal and right-handed.
Quat from_axes(Vec3 x, Vec3 y, Vec3 z);
/// The part of `q` that turns about the unit vector `axis`: q = swing * twist_about(q, axis).
Quat twist_about(Quat q, Vec3 axis);

/// 3t² − 2t³ on [0, 1], clamped outside: ease-in and ease-out.
constexpr float smoothstep(float t) {
  const float c = t < 0 ? 0.0f : (t > 1 ? 1.0f : t);
  return c * c * (3 - 2 * c);
}
/// `angle` brought into (-pi, pi].
float wrap_angle(float angle);

}  // namespace loom
