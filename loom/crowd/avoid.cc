// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>

#include <loom/crowd/avoid.h>

namespace loom::crowd {
namespace {

constexpr float kStraightBack = 0.9976f;  ///< the cosine of four degrees
constexpr std::array kSpeeds = {1.0f, 0.75f, 0.5f, 0.25f};

}  // namespace

Flat steer_to_avoid(const Seen& self, Flat facing, Flat wanted, std::span<const Seen> others,
                    const AvoidOptions& options) {
  const float seen = std::cos(options.field_of_view / 2);
  Flat force;
  for (const Seen& other : others) {
    const Flat to = other.place - self.place;
    const float far = length(to), gap = far - other.radius - self.radius;
    if (gap > options.look_ahead || far < 1e-6f || dot(to, facing) < seen * far) continue;
    const float held = std::max(gap, options.least_gap);
    force += to * (-1 / (far * held * held));
  }
  force = force * options.weight;
  const float strength = length(force);
  if (strength < 1e-9f) return wanted;
  if (dot(force, wanted) < -kStraightBack * strength) force = left_of(wanted) * -strength;
  return normalized(wanted + force, wanted);
}

Approach closest_approach(Flat apart, Flat relative_velocity, float horizon) {
  const float square = dot(relative_velocity, relative_velocity);
  const float t = square > 1e-12f ? std::clamp(-dot(apart, relative_velocity) / square, 0.0f, horizon) : 0;
  return {length(apart + relative_velocity * t), t};
}

float safe_speed(const Seen& self, Flat direction, float wanted, std::span<const Seen> others,
                 const AvoidOptions& options) {
  for (const float share : kSpeeds) {
    const Flat velocity = direction * (wanted * share);
    const bool safe = std::all_of(others.begin(), others.end(), [&](const Seen& other) {
      const Flat apart = other.place - self.place;
      // Who is left behind, or comes from behind, is no reason to wait.
      if (dot(apart, direction) <= 0) return true;
      const Approach near = closest_approach(apart, other.velocity - velocity, options.horizon);
      const float kept = self.radius + other.radius + options.margin;
      return near.distance >= std::min(kept, length(apart) - 1e-4f);
    });
    if (safe) return wanted * share;
  }
  return 0;
}

}  // namespace loom::crowd
