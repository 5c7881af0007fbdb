// SPDX-License-Identifier: MIT
#include <algorithm>

#include <loom/base/math.h>

namespace loom {

Vec3 log_vector(Quat q) {
  if (q.w < 0) q = -q;
  const float s = std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z);
  // sin(a/2) ≈ a/2 near the identity, so the scale tends to 2.
  const float scale = s > 1e-7f ? 2.0f * std::atan2(s, q.w) / s : 2.0f;
  return {q.x * scale, q.y * scale, q.z * scale};
}

Quat exp_vector(Vec3 v) {
  const float angle = length(v);
  const float scale = angle > 1e-7f ? std::sin(angle * 0.5f) / angle : 0.5f;
  return normalized(Quat{std::cos(angle * 0.5f), v.x * scale, v.y * scale, v.z * scale});
}

float angle_between(Quat a, Quat b) { return length(log_vector(conjugate(a) * b)); }

Quat slerp(Quat a, Quat b, float t) {
  float c = dot(a, b);
  if (c < 0) {
    b = -b;
    c = -c;
  }
  float wa = 1 - t;
  float wb = t;
  if (c < 0.9995f) {
    const float angle = std::acos(std::min(c, 1.0f));
    const float s = std::sin(angle);
    wa = std::sin(wa * angle) / s;
    wb = std::sin(wb * angle) / s;
  }
  return normalized(Quat{wa * a.w + wb * b.w, wa * a.x + wb * b.x, wa * a.y + wb * b.y, wa * a.z + wb * b.z});
}

Quat rotation_between(Vec3 from, Vec3 to) {
  const Vec3 a = normalized(from);
  const Vec3 b = normalized(to);
  const float c = dot(a, b);
  if (c < -0.999999f) {
    // Opposite: any axis at right angles will do.
    const Vec3 helper = std::fabs(a.x) < 0.9f ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
    return axis_angle(cross(a, helper), kPi);
  }
  const Vec3 n = cross(a, b);
  return normalized(Quat{1 + c, n.x, n.y, n.z});
}

Quat from_axes(Vec3 x, Vec3 y, Vec3 z) {
  // Shepperd 1978: divide by the largest of the four, so that nothing is lost to cancellation.
  const float trace = x.x + y.y + z.z;
  Quat q;
  if (trace > 0) {
    const float s = 2 * std::sqrt(trace + 1);
    q = {0.25f * s, (y.z - z.y) / s, (z.x - x.z) / s, (x.y - y.x) / s};
  } else if (x.x > y.y && x.x > z.z) {
    const float s = 2 * std::sqrt(1 + x.x - y.y - z.z);
    q = {(y.z - z.y) / s, 0.25f * s, (y.x + x.y) / s, (z.x + x.z) / s};
  } else if (y.y > z.z) {
    const float s = 2 * std::sqrt(1 + y.y - x.x - z.z);
    q = {(z.x - x.z) / s, (y.x + x.y) / s, 0.25f * s, (z.y + y.z) / s};
  } else {
    const float s = 2 * std::sqrt(1 + z.z - x.x - y.y);
    q = {(x.y - y.x) / s, (z.x + x.z) / s, (z.y + y.z) / s, 0.25f * s};
  }
  return normalized(q);
}

Quat twist_about(Quat q, Vec3 axis) {
  const float along = q.x * axis.x + q.y * axis.y + q.z * axis.z;
  return normalized(Quat{q.w, axis.x * along, axis.y * along, axis.z * along});
}

float wrap_angle(float angle) {
  const float wrapped = std::remainder(angle, 2 * kPi);
  return wrapped <= -kPi ? kPi : wrapped;
}

}  // namespace loom
