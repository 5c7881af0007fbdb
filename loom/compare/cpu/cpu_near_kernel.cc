// SPDX-License-Identifier: MIT
// Bounds of blocks and of pairs, and distances pair by pair, compiled once for each kind of vector unit (see
// cpu_near.h).
#include <bit>
#include <cmath>

#include <loom/compare/cpu/cpu_near.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "loom/compare/cpu/cpu_near_kernel.cc"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace loom::compare::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::CappedTag<float, 16>;
using Vector = hn::Vec<Lanes>;

/// Bits of a mask, lane 0 first.
HWY_INLINE std::uint32_t bits_of(hn::Mask<Lanes> mask) {
  std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(Lanes(), mask, bytes);
  return bytes[0] | static_cast<std::uint32_t>(bytes[1]) << 8;
}

/// The bound of the head of this file's header. `row(n)` and `column(n)` are the n-th numbers of both sides.
template <std::size_t kHeights, std::size_t kFloor, typename Row, typename Column>
HWY_INLINE Vector bound(const Row& row, const Column& column) {
  std::size_t n = 0;
  Vector heights = hn::Mul(row(0), column(0));
  for (n = 1; n <= kHeights; ++n) heights = hn::MulAdd(row(n), column(n), heights);
  Vector cosine = hn::Zero(Lanes()), sine = hn::Zero(Lanes());
  for (std::size_t k = 0; k < kFloor; ++k, n += 2) {
    const Vector ar = row(n), ai = row(n + 1), br = column(n), bi = column(n + 1);
    cosine = hn::MulAdd(ai, bi, hn::MulAdd(ar, br, cosine));
    sine = hn::NegMulAdd(ai, br, hn::MulAdd(ar, bi, sine));
  }
  const Vector fit = hn::Sqrt(hn::MulAdd(cosine, cosine, hn::Mul(sine, sine)));
  const Vector alike = hn::Add(hn::MulAdd(row(n), column(n), heights), fit);
  const Vector energy = hn::Add(row(n + 1), column(n + 1));
  return hn::NegMulAdd(hn::Set(Lanes(), 2.0f), alike, energy);
}

void near_blocks(const NearTable& table, std::size_t block, std::size_t begin, std::size_t end, float reach,
                 float margin, std::vector<std::uint32_t>& found) {
  const Lanes d;
  const std::size_t lanes = hn::Lanes(d), stride = table.coarse_stride;
  const float* const numbers = table.coarse.data();
  Vector own[kCoarseNumbers];
  for (std::size_t n = 0; n < kCoarseNumbers; ++n) own[n] = hn::Set(d, numbers[n * stride + block]);
  const Vector near = hn::Set(d, reach + table.reach.data()[block]), slack = hn::Set(d, margin);
  for (std::size_t b = begin; b < end; b += lanes) {
    const Vector least = bound<kCoarseHeights, kCoarseFloor>(
        [&](std::size_t n) HWY_ATTR { return own[n]; },
        [&](std::size_t n) HWY_ATTR { return hn::Load(d, numbers + n * stride + b); });
    const Vector far = hn::Add(near, hn::Load(d, table.reach.data() + b));
    std::uint32_t bits = bits_of(hn::Le(least, hn::MulAdd(far, far, slack)));
    for (; bits != 0; bits &= bits - 1) {
      found.push_back(static_cast<std::uint32_t>(b + static_cast<std::size_t>(std::countr_zero(bits))));
    }
  }
}

void near_frames(const NearTable& table, std::size_t block, std::span<const std::uint32_t> blocks, float limit,
                 std::array<std::vector<NearHit>, kNearBlock>& found) {
  const Lanes d;
  const std::size_t lanes = hn::Lanes(d), rows = lanes / kNearBlock;  // four columns fill a quarter of a vector each
  const float* const left = table.fine.data() + block * kFineNumbers * kNearBlock;
  // Lane l of a vector is row l / 4 and column l % 4 of two blocks.
  HWY_ALIGN float spread[kFineNumbers][kNearPairs];
  for (std::size_t n = 0; n < kFineNumbers; ++n) {
    for (std::size_t l = 0; l < kNearPairs; ++l) spread[n][l] = left[n * kNearBlock + l / kNearBlock];
  }
  const Vector most = hn::Set(d, limit);
  for (const std::uint32_t other : blocks) {
    const float* const right = table.fine.data() + other * kFineNumbers * kNearBlock;
    for (std::size_t r = 0; r < kNearBlock; r += rows) {
      const Vector least = bound<kFineHeights, kFineFloor>(
          [&](std::size_t n) HWY_ATTR { return hn::Load(d, spread[n] + r * kNearBlock); },
          [&](std::size_t n) HWY_ATTR { return hn::LoadDup128(d, right + n * kNearBlock); });
      for (std::uint32_t bits = bits_of(hn::Le(least, most)); bits != 0; bits &= bits - 1) {
        const auto l = static_cast<std::uint32_t>(std::countr_zero(bits));
        const std::uint32_t column = table.first[other] + l % kNearBlock;
        found[r + l / kNearBlock].push_back({column, 0});
      }
    }
  }
}

void near_distances(const NearTable& table, const NearRows& rows, std::size_t row, std::span<NearHit> hits) {
  const Lanes d;
  const std::size_t size = (2 * table.half_window + 1) * table.points;
  const float *ax = rows.x[row].data(), *ay = rows.y[row].data(), *az = rows.z[row].data();
  for (NearHit& hit : hits) {
    const std::size_t start = (hit.column - table.half_window) * table.points;
    const float *bx = table.x.data() + start, *by = table.y.data() + start, *bz = table.z.data() + start;
    const Vector mx = hn::Set(d, table.mean_x[hit.column]), mz = hn::Set(d, table.mean_z[hit.column]);
    Vector cosine = hn::Zero(d), sine = hn::Zero(d), height = hn::Zero(d);
    for (std::size_t n = 0; n < size; n += hn::Lanes(d)) {
      const Vector x = hn::Sub(hn::LoadU(d, bx + n), mx), z = hn::Sub(hn::LoadU(d, bz + n), mz);
      const Vector left_x = hn::Load(d, ax + n), left_z = hn::Load(d, az + n);
      cosine = hn::MulAdd(left_z, z, hn::MulAdd(left_x, x, cosine));
      sine = hn::NegMulAdd(left_z, x, hn::MulAdd(left_x, z, sine));
      height = hn::MulAdd(hn::Load(d, ay + n), hn::LoadU(d, by + n), height);
    }
    const float c = hn::GetLane(hn::SumOfLanes(d, cosine)), s = hn::GetLane(hn::SumOfLanes(d, sine));
    const float h = hn::GetLane(hn::SumOfLanes(d, height));
    hit.distance = rows.energy[row] + table.energy[hit.column] - h - std::sqrt(c * c + s * s);
  }
}

std::size_t near_lanes() { return hn::Lanes(Lanes()); }

}  // namespace loom::compare::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace loom::compare::cpu {

HWY_EXPORT(near_blocks);
HWY_EXPORT(near_frames);
HWY_EXPORT(near_distances);
HWY_EXPORT(near_lanes);

void near_blocks(const NearTable& table, std::size_t block, std::size_t begin, std::size_t end, float reach,
                 float margin, std::vector<std::uint32_t>& found) {
  HWY_DYNAMIC_DISPATCH(near_blocks)(table, block, begin, end, reach, margin, found);
}

void near_frames(const NearTable& table, std::size_t block, std::span<const std::uint32_t> blocks, float limit,
                 std::array<std::vector<NearHit>, kNearBlock>& found) {
  HWY_DYNAMIC_DISPATCH(near_frames)(table, block, blocks, limit, found);
}

void near_distances(const NearTable& table, const NearRows& rows, std::size_t row, std::span<NearHit> hits) {
  HWY_DYNAMIC_DISPATCH(near_distances)(table, rows, row, hits);
}

std::size_t near_lanes() { return HWY_DYNAMIC_DISPATCH(near_lanes)(); }

}  // namespace loom::compare::cpu
#endif
