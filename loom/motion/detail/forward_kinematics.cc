// SPDX-License-Identifier: MIT
#include <vector>

#include <loom/motion/detail/forward_kinematics.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "loom/motion/detail/forward_kinematics.cc"  // NOLINT(bugprone-macro-parentheses)
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace loom::motion::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Frames handled together: they fill the widest vectors, and the scratch of a usual skeleton stays in the L1 cache.
inline constexpr std::size_t kFrames = 16;
using Lanes = hn::CappedTag<float, kFrames>;
using Vector = hn::Vec<Lanes>;

struct Vectors3 {
  Vector x, y, z;
};
struct Quaternions {
  Vector w, x, y, z;
};

// Scratch is a table with one row a number of a pose and one column a frame. Row 4 j + c holds component c of joint j's
// rotation, row 3 p + c of the other table component c of point p's position.

/// Turns four rows of four into four columns: from `in`, rows `in_stride` apart, to `out`, rows `out_stride` apart.
HWY_INLINE void transpose_4x4(const float* HWY_RESTRICT in, std::size_t in_stride, float* HWY_RESTRICT out,
                              std::size_t out_stride) {
#if HWY_TARGET == HWY_SCALAR
  for (std::size_t r = 0; r < 4; ++r) {
    for (std::size_t c = 0; c < 4; ++c) out[c * out_stride + r] = in[r * in_stride + c];
  }
#else
  const hn::Full128<float> d;
  const hn::Full128<double> pairs;
  const auto a = hn::LoadU(d, in), b = hn::LoadU(d, in + in_stride);
  const auto c = hn::LoadU(d, in + 2 * in_stride), e = hn::LoadU(d, in + 3 * in_stride);
  const auto ab_low = hn::BitCast(pairs, hn::InterleaveLower(d, a, b));   // a0 b0 a1 b1
  const auto ab_high = hn::BitCast(pairs, hn::InterleaveUpper(d, a, b));  // a2 b2 a3 b3
  const auto ce_low = hn::BitCast(pairs, hn::InterleaveLower(d, c, e));
  const auto ce_high = hn::BitCast(pairs, hn::InterleaveUpper(d, c, e));
  hn::StoreU(hn::BitCast(d, hn::InterleaveLower(pairs, ab_low, ce_low)), d, out);
  hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(pairs, ab_low, ce_low)), d, out + out_stride);
  hn::StoreU(hn::BitCast(d, hn::InterleaveLower(pairs, ab_high, ce_high)), d, out + 2 * out_stride);
  hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(pairs, ab_high, ce_high)), d, out + 3 * out_stride);
#endif
}

/// Transposes a table of `rows` × `columns`; rows of `in` are `in_stride` apart, those of `out` `out_stride`.
void transpose(const float* in, std::size_t in_stride, std::size_t rows, std::size_t columns, float* out,
               std::size_t out_stride) {
  const std::size_t full_rows = rows / 4 * 4, full_columns = columns / 4 * 4;
  for (std::size_t r = 0; r < full_rows; r += 4) {
    for (std::size_t c = 0; c < full_columns; c += 4) {
      transpose_4x4(in + r * in_stride + c, in_stride, out + c * out_stride + r, out_stride);
    }
  }
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = r < full_rows ? full_columns : 0; c < columns; ++c)
      out[c * out_stride + r] = in[r * in_stride + c];
  }
}

HWY_INLINE Quaternions load_rotation(const float* rows, std::size_t joint, std::size_t lane) {
  const Lanes d;
  const float* at = rows + 4 * joint * kFrames + lane;
  return {hn::LoadU(d, at), hn::LoadU(d, at + kFrames), hn::LoadU(d, at + 2 * kFrames), hn::LoadU(d, at + 3 * kFrames)};
}

HWY_INLINE void store_rotation(const Quaternions& q, float* rows, std::size_t joint, std::size_t lane) {
  const Lanes d;
  float* at = rows + 4 * joint * kFrames + lane;
  hn::StoreU(q.w, d, at);
  hn::StoreU(q.x, d, at + kFrames);
  hn::StoreU(q.y, d, at + 2 * kFrames);
  hn::StoreU(q.z, d, at + 3 * kFrames);
}

HWY_INLINE Vectors3 load_position(const float* rows, std::size_t point, std::size_t lane) {
  const Lanes d;
  const float* at = rows + 3 * point * kFrames + lane;
  return {hn::LoadU(d, at), hn::LoadU(d, at + kFrames), hn::LoadU(d, at + 2 * kFrames)};
}

HWY_INLINE void store_position(const Vectors3& p, float* rows, std::size_t point, std::size_t lane) {
  const Lanes d;
  float* at = rows + 3 * point * kFrames + lane;
  hn::StoreU(p.x, d, at);
  hn::StoreU(p.y, d, at + kFrames);
  hn::StoreU(p.z, d, at + 2 * kFrames);
}

// The next three follow loom/base/math.h operation by operation; no multiplication is fused with an addition.

HWY_INLINE Quaternions multiply(const Quaternions& a, const Quaternions& b) {
  using hn::Add, hn::Mul, hn::Sub;
  return {Sub(Sub(Sub(Mul(a.w, b.w), Mul(a.x, b.x)), Mul(a.y, b.y)), Mul(a.z, b.z)),
          Sub(Add(Add(Mul(a.w, b.x), Mul(a.x, b.w)), Mul(a.y, b.z)), Mul(a.z, b.y)),
          Add(Add(Sub(Mul(a.w, b.y), Mul(a.x, b.z)), Mul(a.y, b.w)), Mul(a.z, b.x)),
          Add(Sub(Add(Mul(a.w, b.z), Mul(a.x, b.y)), Mul(a.y, b.x)), Mul(a.z, b.w))};
}

HWY_INLINE Vectors3 cross(const Vectors3& a, const Vectors3& b) {
  using hn::Mul, hn::Sub;
  return {Sub(Mul(a.y, b.z), Mul(a.z, b.y)), Sub(Mul(a.z, b.x), Mul(a.x, b.z)), Sub(Mul(a.x, b.y), Mul(a.y, b.x))};
}

HWY_INLINE Vectors3 rotate(const Quaternions& q, Vec3 offset) {
  using hn::Add, hn::Mul;
  const Lanes d;
  const Vectors3 u{q.x, q.y, q.z}, v{hn::Set(d, offset.x), hn::Set(d, offset.y), hn::Set(d, offset.z)};
  const Vectors3 once = cross(u, v);
  const Vectors3 t{Add(once.x, once.x), Add(once.y, once.y), Add(once.z, once.z)};
  const Vectors3 ut = cross(u, t);
  return {Add(Add(v.x, Mul(q.w, t.x)), ut.x), Add(Add(v.y, Mul(q.w, t.y)), ut.y), Add(Add(v.z, Mul(q.w, t.z)), ut.z)};
}

/// Puts a point at `offset` from its joint.
HWY_INLINE void place(const float* turns, float* places, std::size_t joint, Vec3 offset, std::size_t point,
                      std::size_t lane) {
  Vectors3 p = load_position(places, joint, lane);
  if (offset != Vec3{}) {
    const Vectors3 arm = rotate(load_rotation(turns, joint, lane), offset);
    p = {hn::Add(p.x, arm.x), hn::Add(p.y, arm.y), hn::Add(p.z, arm.z)};
  }
  store_position(p, places, point, lane);
}

/// Local rotations in `turns` become world rotations; `places`, with the roots filled in, gets all positions.
void walk_hierarchy(const Skeleton& skeleton, float* turns, float* places) {
  const std::size_t step = hn::Lanes(Lanes());
  const std::size_t joints = skeleton.size();
  for (std::size_t j = 1; j < joints; ++j) {
    const auto parent = static_cast<std::size_t>(skeleton.joint(j).parent);
    for (std::size_t lane = 0; lane < kFrames; lane += step) {
      place(turns, places, parent, skeleton.joint(j).offset, j, lane);
      store_rotation(multiply(load_rotation(turns, parent, lane), load_rotation(turns, j, lane)), turns, j, lane);
    }
  }
  std::size_t point = joints;
  for (const EndSite& site : skeleton.end_sites()) {
    for (std::size_t lane = 0; lane < kFrames; lane += step) {
      place(turns, places, static_cast<std::size_t>(site.joint), site.offset, point, lane);
    }
    ++point;
  }
}

void ForwardKinematics(const PoseBatch& batch) {
  const std::size_t joints = batch.skeleton.size(), points = batch.skeleton.point_count();
  std::vector<float> scratch((4 * joints + 3 * points) * kFrames);
  float* turns = scratch.data();
  float* places = turns + 4 * joints * kFrames;
  for (std::size_t f = 0; f < batch.frames; f += kFrames) {
    const std::size_t count = f + kFrames <= batch.frames ? kFrames : batch.frames - f;
    transpose(&batch.rotations[f * joints].w, 4 * joints, count, 4 * joints, turns, kFrames);
    transpose(&batch.roots[f].x, 3, count, 3, places, kFrames);
    walk_hierarchy(batch.skeleton, turns, places);
    transpose(places, kFrames, 3 * points, count, &batch.positions[f * points].x, 3 * points);
    if (batch.world != nullptr) transpose(turns, kFrames, 4 * joints, count, &batch.world[f * joints].w, 4 * joints);
  }
}

}  // namespace loom::motion::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace loom::motion {

// Poses are seen as tables of floats.
static_assert(sizeof(Quat) == 4 * sizeof(float) && sizeof(Vec3) == 3 * sizeof(float));

HWY_EXPORT(ForwardKinematics);

void run_forward_kinematics(const PoseBatch& batch) { HWY_DYNAMIC_DISPATCH(ForwardKinematics)(batch); }

}  // namespace loom::motion
#endif  // HWY_ONCE
