// SPDX-License-Identifier: MIT
// The joint-angle distance of a tile of pairs, compiled once for each kind of vector unit (see cpu_tile.h).
#include <loom/compare/cpu/cpu_tile.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "loom/compare/cpu/cpu_angle_kernel.cc"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace loom::compare::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::CappedTag<float, 16>;
using Vector = hn::Vec<Lanes>;

/// 2 asin(sqrt(e) / 2), the half-angle between two rotations a squared chord `e` in [0, 2] apart: sqrt(e) times the
/// Chebyshev series of degree 7 of the rest, which is right to 1.6e-8.
HWY_INLINE Vector half_angle(Vector e) {
  const Lanes d;
  Vector p = hn::MulAdd(hn::Set(d, 6.833550937e-06f), e, hn::Set(d, -2.296051657e-05f));
  p = hn::MulAdd(p, e, hn::Set(d, 7.639542867e-05f));
  p = hn::MulAdd(p, e, hn::Set(d, 6.182775198e-05f));
  p = hn::MulAdd(p, e, hn::Set(d, 7.286908691e-04f));
  p = hn::MulAdd(p, e, hn::Set(d, 4.679279435e-03f));
  p = hn::MulAdd(p, e, hn::Set(d, 4.166748309e-02f));
  p = hn::MulAdd(p, e, hn::Set(d, 9.999999868e-01f));
  return hn::Mul(hn::Sqrt(e), p);
}

/// The squared chord between a rotation and those of a vector of columns, over both signs of the quaternion. From
/// differences, not from 1 - dot, so that small angles keep their precision.
HWY_INLINE Vector squared_chord(const float* HWY_RESTRICT left, const float* HWY_RESTRICT right, std::size_t columns) {
  const Lanes d;
  Vector minus = hn::Zero(d), plus = hn::Zero(d);
  for (std::size_t n = 0; n < 4; ++n) {
    const Vector a = hn::Set(d, left[n]), b = hn::LoadU(d, right + n * columns);
    const Vector difference = hn::Sub(b, a), sum = hn::Add(b, a);
    minus = hn::MulAdd(difference, difference, minus);
    plus = hn::MulAdd(sum, sum, plus);
  }
  return hn::Min(minus, plus);
}

/// The sum over joints of w |S_i - S_j|, how much faster or otherwise they turn.
HWY_INLINE Vector spin_differences(const AnglePanel& panel, std::size_t row, std::size_t lane) {
  const Lanes d;
  const float* left = panel.left_spins.data() + row * 3 * panel.joints;
  const float* right = panel.right_spins.data() + row + lane;
  Vector sum = hn::Zero(d);
  for (std::size_t k = 0; k < panel.joints; ++k, left += 3, right += 3 * panel.columns) {
    Vector squares = hn::Zero(d);
    for (std::size_t n = 0; n < 3; ++n) {
      const Vector s = hn::Sub(hn::LoadU(d, right + n * panel.columns), hn::Set(d, left[n]));
      squares = hn::MulAdd(s, s, squares);
    }
    sum = hn::MulAdd(hn::Set(d, panel.weights[k]), hn::Sqrt(squares), sum);
  }
  return sum;
}

/// d of eq. 3.1 of one row with all its columns.
void fill_row(AnglePanel& panel, std::size_t row) {
  const Lanes d;
  const float* left = panel.left.data() + row * (4 * panel.joints + 3);
  float* out = panel.plane.data() + row * kLaneStride + kLanePad;
  for (std::size_t lane = 0; lane < kBandLanes; lane += hn::Lanes(d)) {
    const float* right = panel.right.data() + row + lane;
    Vector sum = hn::Zero(d);
    for (std::size_t k = 0; k < panel.joints; ++k, right += 4 * panel.columns) {
      const Vector angle = half_angle(squared_chord(left + 4 * k, right, panel.columns));
      sum = hn::MulAdd(hn::Set(d, panel.weights[k]), angle, sum);
    }
    if (panel.joint_velocity_weight > 0) {
      sum = hn::MulAdd(hn::Set(d, panel.joint_velocity_weight), spin_differences(panel, row, lane), sum);
    }
    Vector squares = hn::Zero(d);
    for (std::size_t n = 0; n < 3; ++n) {
      const Vector v = hn::Sub(hn::LoadU(d, right + n * panel.columns), hn::Set(d, left[4 * panel.joints + n]));
      squares = hn::MulAdd(v, v, squares);
    }
    hn::Store(hn::MulAdd(hn::Set(d, panel.velocity_weight), hn::Sqrt(squares), sum), d, out + lane);
  }
}

void fill_angle_tile(AnglePanel& panel, Tile& tile) {
  const Lanes d;
  for (std::size_t row = 0; row <= kTileRows; ++row) fill_row(panel, row);
  for (std::size_t row = 0; row < kTileRows; ++row) {
    const float* now = panel.plane.data() + row * kLaneStride + kLanePad;
    float* out = tile.at(static_cast<std::ptrdiff_t>(row));
    const Vector row_open = hn::Set(d, panel.row_open.data()[row]);
    for (std::size_t lane = 0; lane < kBandLanes; lane += hn::Lanes(d)) {
      const Vector sum = hn::Add(hn::Load(d, now + lane), hn::Load(d, now + kLaneStride + lane));
      const Vector open = hn::Add(row_open, hn::LoadU(d, panel.column_open.data() + row + lane));
      hn::Store(hn::MulAdd(hn::Set(d, 0.5f), sum, open), d, out + lane);
    }
  }
  tile.close();
}

}  // namespace loom::compare::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace loom::compare::cpu {

HWY_EXPORT(fill_angle_tile);

void fill_angle_tile(AnglePanel& panel, Tile& tile) { HWY_DYNAMIC_DISPATCH(fill_angle_tile)(panel, tile); }

}  // namespace loom::compare::cpu
#endif
