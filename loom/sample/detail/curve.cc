// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/sample/detail/curve.h>

namespace loom::sample {
namespace {

constexpr double kDifference = 1e-4;  ///< seconds each side for numerical rates of change

/// The slope through a point between slopes `a` and `b` over times `ha` and `hb` that keeps the curve monotone
/// (Fritsch and Butland 1984).
double monotone_slope(double a, double ha, double b, double hb) {
  if (a * b <= 0) return 0;
  const double wa = 2 * hb + ha, wb = hb + 2 * ha;
  return (wa + wb) / (wa / a + wb / b);
}

}  // namespace

Curve::Curve(std::initializer_list<Key> keys) {
  for (const Key& key : keys) insert(key);
}

Curve& Curve::key(double time, double value) {
  insert({time, value});
  return *this;
}

Curve& Curve::key(double time, double value, double velocity, double acceleration) {
  insert({time, value, velocity, acceleration, true});
  return *this;
}

void Curve::insert(const Key& key) {
  const auto later = [](const Key& a, const Key& b) { return a.time < b.time; };
  keys_.insert(std::upper_bound(keys_.begin(), keys_.end(), key, later), key);
}

Key Curve::resolved(std::size_t i) const {
  Key key = keys_[i];
  if (key.fixed) return key;
  if (i == 0 || i + 1 == keys_.size()) return key;  // at rest
  const double ha = key.time - keys_[i - 1].time, hb = keys_[i + 1].time - key.time;
  if (ha <= 0 || hb <= 0) return key;
  const double a = (key.value - keys_[i - 1].value) / ha, b = (keys_[i + 1].value - key.value) / hb;
  key.velocity = monotone_slope(a, ha, b, hb);
  // A true extreme is passed on a round curve; at a hold (a flat side) the curve comes to rest.
  if (a * b < 0) {
    const double most = 10 * std::min(std::fabs(a) / ha, std::fabs(b) / hb);  // more would overshoot the next key
    key.acceleration = std::clamp(2 * (b - a) / (ha + hb), -most, most);
  }
  return key;
}

double Curve::operator()(double time) const {
  if (keys_.empty()) return 0;
  if (time <= keys_.front().time) return keys_.front().value;
  if (time >= keys_.back().time) return keys_.back().value;
  const auto next =
      std::upper_bound(keys_.begin(), keys_.end(), time, [](double t, const Key& k) { return t < k.time; });
  const auto i = static_cast<std::size_t>(next - keys_.begin());
  return quintic(resolved(i - 1), resolved(i), time);
}

Curve Curve::scaled(double factor) const {
  Curve result = *this;
  for (Key& key : result.keys_) {
    key.value *= factor;
    key.velocity *= factor;
    key.acceleration *= factor;
  }
  return result;
}

double Curve::velocity(double time) const {
  return ((*this)(time + kDifference) - (*this)(time - kDifference)) / (2 * kDifference);
}

double quintic(const Key& a, const Key& b, double time) {
  const double h = b.time - a.time;
  if (h <= 0) return b.value;
  const double u = (time - a.time) / h;
  const double v0 = a.velocity * h, v1 = b.velocity * h;
  const double a0 = a.acceleration * h * h, a1 = b.acceleration * h * h;
  const double d = b.value - a.value;
  const double c3 = 10 * d - 6 * v0 - 4 * v1 - 1.5 * a0 + 0.5 * a1;
  const double c4 = -15 * d + 8 * v0 + 7 * v1 + 1.5 * a0 - a1;
  const double c5 = 6 * d - 3 * v0 - 3 * v1 - 0.5 * a0 + 0.5 * a1;
  return a.value + u * (v0 + u * (0.5 * a0 + u * (c3 + u * (c4 + u * c5))));
}

Curve hump(double begin, double full, double fading, double end, double value) {
  return Curve({{begin, 0}, {full, value}, {fading, value}, {end, 0}});
}

double ease(double share) {
  const double u = std::clamp(share, 0.0, 1.0);
  return u * u * u * (10 + u * (-15 + 6 * u));
}

}  // namespace loom::sample
