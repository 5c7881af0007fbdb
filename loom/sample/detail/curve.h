// SPDX-License-Identifier: MIT
#pragma once

#include <initializer_list>
#include <vector>

namespace loom::sample {

/// One point a curve goes through.
struct Key {
  double time = 0;          ///< seconds
  double value = 0;         ///< in the unit of the curve
  double velocity = 0;      ///< units a second; used when `fixed`
  double acceleration = 0;  ///< units a second squared; used when `fixed`
  bool fixed = false;       ///< false: velocity and acceleration are chosen from the neighbours
};

/// A number that moves smoothly through keys: what every part of the performer is written in.
///
/// Quintic pieces make it continuous up to the acceleration, as the limbs of people are (Flash and Hogan 1985:
/// reaching movements minimise jerk, which gives quintics). Between free keys it hardly leaves the range of
/// its neighbours, a key higher or lower than both neighbours is an extreme, two equal keys in a row are a hold, and
/// the ends hold their value for ever.
class Curve {
 public:
  Curve() = default;
  /// Always `constant`.
  explicit Curve(double constant) { key(0, constant); }
  /// Through these times and values with free keys: `Curve({{0, 0}, {0.4, 1}, {1.0, 0}})`.
  Curve(std::initializer_list<Key> keys);

  /// Adds a free key; keys may come in any order, no two at the same time.
  Curve& key(double time, double value);
  /// Adds a key whose derivatives are given too.
  Curve& key(double time, double value, double velocity, double acceleration);

  /// The value at `time`; 0 for a curve without keys. O(log keys).
  double operator()(double time) const;
  /// The rate of change at `time`.
  [[nodiscard]] double velocity(double time) const;

  /// The same curve with every value multiplied by `factor`.
  [[nodiscard]] Curve scaled(double factor) const;

  [[nodiscard]] bool empty() const { return keys_.empty(); }

 private:
  void insert(const Key& key);
  [[nodiscard]] Key resolved(std::size_t i) const;

  std::vector<Key> keys_;  ///< by time
};

/// The quintic from `a` to `b` that has their values, velocities and accelerations, at `time`.
double quintic(const Key& a, const Key& b, double time);

/// 0 until `begin`, `value` from `full` to `fading`, and 0 again from `end` on.
Curve hump(double begin, double full, double fading, double end, double value);

/// From 0 to 1 as `share` goes from 0 to 1, at rest at both ends up to the acceleration; clamped outside.
double ease(double share);

}  // namespace loom::sample
