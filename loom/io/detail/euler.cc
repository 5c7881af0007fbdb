// SPDX-License-Identifier: MIT
#include <loom/io/detail/euler.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "loom/io/detail/euler.cc"  // NOLINT(bugprone-macro-parentheses)
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace loom::io::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Doubles = hn::ScalableTag<double>;
using Vector = hn::Vec<Doubles>;

struct SineCosine {
  Vector sine, cosine;
};

/// Σ coefficients[i] · x^i.
template <std::size_t Size>
HWY_INLINE Vector polynomial(const double (&coefficients)[Size], Vector x) {
  const Doubles d;
  Vector sum = hn::Set(d, coefficients[Size - 1]);
  for (std::size_t i = Size - 1; i-- > 0;) sum = hn::Add(hn::Mul(sum, x), hn::Set(d, coefficients[i]));
  return sum;
}

/// Sine and cosine of half the angle, or both negated: q and -q are the same rotation, which leaves two of the four
/// quadrants to tell apart. Taylor series within ±45°; the error is below 1e-11.
HWY_INLINE SineCosine of_half(Vector degrees) {
  const Doubles d;
  constexpr double kSine[] = {1, -1.0 / 6, 1.0 / 120, -1.0 / 5040, 1.0 / 362880, -1.0 / 39916800};
  constexpr double kCosine[] = {1, -1.0 / 2, 1.0 / 24, -1.0 / 720, 1.0 / 40320, -1.0 / 3628800, 1.0 / 479001600};
  constexpr double kHalfRadians = 3.14159265358979323846 / 360;
  const Vector half_turns = hn::Round(hn::Mul(degrees, hn::Set(d, 1.0 / 180)));
  const Vector within = hn::Sub(degrees, hn::Mul(half_turns, hn::Set(d, 180.0)));
  const Vector r = hn::Mul(within, hn::Set(d, kHalfRadians));
  const Vector square = hn::Mul(r, r);
  const Vector sine = hn::Mul(polynomial(kSine, square), r);
  const Vector cosine = polynomial(kCosine, square);
  const Vector pairs = hn::Mul(half_turns, hn::Set(d, 0.5));
  const auto odd = hn::Ne(pairs, hn::Round(pairs));
  return {hn::IfThenElse(odd, cosine, sine), hn::IfThenElse(odd, hn::Neg(sine), cosine)};
}

struct Quaternions {
  Vector w, x, y, z;
};

/// q · (turn about X). The other axes follow by going round x → y → z.
HWY_INLINE Quaternions turn_about_x(const Quaternions& q, const SineCosine& t) {
  return {hn::Sub(hn::Mul(q.w, t.cosine), hn::Mul(q.x, t.sine)), hn::Add(hn::Mul(q.x, t.cosine), hn::Mul(q.w, t.sine)),
          hn::Add(hn::Mul(q.y, t.cosine), hn::Mul(q.z, t.sine)), hn::Sub(hn::Mul(q.z, t.cosine), hn::Mul(q.y, t.sine))};
}

HWY_INLINE Quaternions turn(const Quaternions& q, int axis, const SineCosine& t) {
  if (axis == 0) return turn_about_x(q, t);
  if (axis == 1) {
    const Quaternions r = turn_about_x({q.w, q.y, q.z, q.x}, t);
    return {r.w, r.z, r.x, r.y};
  }
  const Quaternions r = turn_about_x({q.w, q.z, q.x, q.y}, t);
  return {r.w, r.y, r.z, r.x};
}

void EulerToQuaternions(const EulerTurns& turns, Quat* out) {
  const Doubles d;
  alignas(64) double w[kBlockFrames], x[kBlockFrames], y[kBlockFrames], z[kBlockFrames];
  static_assert(kBlockFrames * sizeof(double) >= 64, "a block fills the widest vector");
  for (std::size_t f = 0; f < kBlockFrames; f += hn::Lanes(d)) {
    Quaternions q{hn::Set(d, 1.0), hn::Zero(d), hn::Zero(d), hn::Zero(d)};
    for (std::size_t i = 0; i < turns.count; ++i) {
      q = turn(q, turns.turns[i].axis, of_half(hn::LoadU(d, turns.turns[i].degrees + f)));
    }
    hn::StoreU(q.w, d, w + f);
    hn::StoreU(q.x, d, x + f);
    hn::StoreU(q.y, d, y + f);
    hn::StoreU(q.z, d, z + f);
  }
  for (std::size_t f = 0; f < kBlockFrames; ++f) {
    out[f] = {static_cast<float>(w[f]), static_cast<float>(x[f]), static_cast<float>(y[f]), static_cast<float>(z[f])};
  }
}

}  // namespace loom::io::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace loom::io {

HWY_EXPORT(EulerToQuaternions);

void euler_to_quaternions(const EulerTurns& turns, Quat* out) { HWY_DYNAMIC_DISPATCH(EulerToQuaternions)(turns, out); }

}  // namespace loom::io
#endif  // HWY_ONCE
