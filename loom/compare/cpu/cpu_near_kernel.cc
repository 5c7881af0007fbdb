// SPDX-License-Identifier: MIT
// Bounds of blocks and of pairs, and distances pair by pair, compiled once for each kind of vector unit (see
// cpu_near.h).
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include <hwy/cache_control.h>

#include <loom/compare/cpu/cpu_near.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "loom/compare/cpu/cpu_near_kernel.cc"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace loom::compare::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t kFetchedAhead = 6;  ///< blocks

using Lanes = hn::CappedTag<float, 16>;
using Vector = hn::Vec<Lanes>;

/// Bits of a mask, lane 0 first.
HWY_INLINE std::uint32_t bits_of(hn::Mask<Lanes> mask) {
  std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(Lanes(), mask, bytes);
  return bytes[0] | static_cast<std::uint32_t>(bytes[1]) << 8;
}

/// The bound of the head of this file's header, number by number, and whether it is at or under a limit.
struct Bound {
  Vector heights, cosine, sine;  ///< products, the latter two of the floor
  Vector rest;                   ///< of the lengths of what the axes leave out

  static HWY_INLINE Bound none() {
    const Vector zero = hn::Zero(Lanes());
    return {zero, zero, zero, zero};
  }

  /// Takes in the next axes. `row(n)` and `column(n)` are the n-th numbers of both sides.
  template <std::size_t kHeights, std::size_t kFloor, typename Row, typename Column>
  HWY_INLINE void add(std::size_t n, const Row& row, const Column& column) {
    for (const std::size_t end = n + kHeights; n < end; ++n) heights = hn::MulAdd(row(n), column(n), heights);
    rest = hn::Mul(row(n), column(n));
    ++n;
    for (std::size_t k = 0; k < kFloor; ++k, n += 2) {
      const Vector ar = row(n), ai = row(n + 1), br = column(n), bi = column(n + 1);
      cosine = hn::MulAdd(ai, bi, hn::MulAdd(ar, br, cosine));
      sine = hn::NegMulAdd(ai, br, hn::MulAdd(ar, bi, sine));
    }
    rest = hn::MulAdd(row(n), column(n), rest);
  }

  /// Where the bound is at or under what `energy`, of both sides, was lessened by. D = E - 2 (A + |F|) <= t is
  /// |F| >= (E - t) / 2 - A, which asks for no root.
  HWY_INLINE hn::Mask<Lanes> under(Vector energy) const {
    const Vector most = hn::Sub(hn::MulSub(hn::Set(Lanes(), 0.5f), energy, heights), rest);
    const Vector left = hn::Max(most, hn::Zero(Lanes()));
    return hn::Le(hn::Mul(left, left), hn::MulAdd(cosine, cosine, hn::Mul(sine, sine)));
  }
};

std::size_t near_members(const NearTable& table, const NearLevel& level, std::size_t block,
                         std::span<const std::uint32_t> groups, float reach, float margin, std::uint32_t* found) {
  const Lanes d;
  const hn::RebindToUnsigned<Lanes> whole;
  std::size_t count = 0;
  const NearTree& tree = table.trees[block / table.tree_blocks];
  const NearLevel& blocks = tree.levels.front();
  const std::size_t lanes = hn::Lanes(d), place = tree.place[block - tree.first];
  const float* const numbers =
      blocks.told.data() + place / kNearGroup * kCoarseNumbers * kNearGroup + place % kNearGroup;
  Vector own[kCoarseNumbers];
  for (std::size_t n = 0; n < kCoarseNumbers; ++n) own[n] = hn::Set(d, numbers[n * kNearGroup]);
  const Vector near = hn::Set(d, reach + blocks.reach.data()[place]), slack = hn::Set(d, margin);
  for (const std::uint32_t group : groups) {
    const float* const told = level.told.data() + std::size_t{group} * kCoarseNumbers * kNearGroup;
    for (std::size_t at = 0; at < kNearGroup; at += lanes) {
      const auto row = [&](std::size_t n) HWY_ATTR { return own[n]; };
      const auto column = [&](std::size_t n) HWY_ATTR { return hn::Load(d, told + n * kNearGroup + at); };
      Bound bound = Bound::none();
      bound.add<kCoarseHeights, kCoarseFloor>(0, row, column);
      const auto first = static_cast<std::uint32_t>(group * kNearGroup + at);
      const Vector far = hn::Add(near, hn::Load(d, level.reach.data() + first));
      const Vector energy = hn::Add(row(kCoarseNumbers - 1), column(kCoarseNumbers - 1));
      const auto is_near = hn::RebindMask(whole, bound.under(hn::Sub(energy, hn::MulAdd(far, far, slack))));
      hn::StoreU(hn::Compress(hn::Iota(whole, first), is_near), whole, found + count);
      count += hn::CountTrue(whole, is_near);
    }
  }
  return count;
}

void near_frames(const NearTable& table, std::size_t block, std::span<std::uint32_t> blocks, float limit,
                 std::array<std::vector<NearHit>, kNearBlock>& found) {
  const Lanes d;
  const std::size_t lanes = hn::Lanes(d);
  const float* const left = table.fine.data() + block * kFineNumbers * kNearBlock;
  // Lane l of a vector is row l / 4 and column l % 4 of two blocks.
  HWY_ALIGN float spread[kFineNumbers][kNearPairs];
  for (std::size_t n = 0; n < kFineNumbers; ++n) {
    for (std::size_t l = 0; l < kNearPairs; ++l) spread[n][l] = left[n * kNearBlock + l / kNearBlock];
  }
  for (std::size_t l = 0; l < kNearPairs; ++l) spread[kCoarseNumbers - 1][l] -= limit;
  const auto numbers_of = [&](std::uint32_t other) { return table.fine.data() + other * kFineNumbers * kNearBlock; };
  // In coarse numbers first: few blocks have anything that is near in these.
  std::size_t kept = 0;
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    const std::uint32_t other = blocks[k];
    const float* const right = numbers_of(other);
    const float* const later = numbers_of(blocks[std::min(k + kFetchedAhead, blocks.size() - 1)]);
    for (std::size_t n = 0; n < kCoarseNumbers; n += 4) hwy::Prefetch(later + n * kNearBlock);
    bool any = false;
    for (std::size_t at = 0; at < kNearPairs; at += lanes) {
      const auto row = [&](std::size_t n) HWY_ATTR { return hn::Load(d, spread[n] + at); };
      const auto column = [&](std::size_t n)
                              HWY_ATTR { return hn::LoadDup128(d, right + n * kNearBlock + at % kNearBlock); };
      Bound bound = Bound::none();
      bound.add<kCoarseHeights, kCoarseFloor>(0, row, column);
      any |= !hn::AllFalse(d, bound.under(hn::Add(row(kCoarseNumbers - 1), column(kCoarseNumbers - 1))));
    }
    blocks[kept] = other;
    kept += any;
  }
  std::array<NearHit*, kNearBlock> next;
  for (std::size_t r = 0; r < kNearBlock; ++r) {
    const std::size_t before = found[r].size();
    found[r].resize(before + kNearBlock * (kept + 1));
    next[r] = found[r].data() + before;
  }
  for (const std::uint32_t other : blocks.first(kept)) {
    const float* const right = numbers_of(other);
    for (std::size_t at = 0; at < kNearPairs; at += lanes) {
      const auto row = [&](std::size_t n) HWY_ATTR { return hn::Load(d, spread[n] + at); };
      const auto column = [&](std::size_t n)
                              HWY_ATTR { return hn::LoadDup128(d, right + n * kNearBlock + at % kNearBlock); };
      Bound bound = Bound::none();
      bound.add<kCoarseHeights, kCoarseFloor>(0, row, column);
      bound.add<kFineHeights - kCoarseHeights, kFineFloor - kCoarseFloor>(kCoarseNumbers, row, column);
      const std::uint32_t bits = bits_of(bound.under(hn::Add(row(kCoarseNumbers - 1), column(kCoarseNumbers - 1))));
      if (bits == 0) continue;
      // Without a branch: a place that nothing is at is written over.
      for (std::size_t l = 0; l < lanes; ++l) {
        NearHit*& hit = next[(at + l) / kNearBlock];
        hit->column = table.first[other] + static_cast<std::uint32_t>((at + l) % kNearBlock);
        hit += bits >> l & 1;
      }
    }
  }
  for (std::size_t r = 0; r < kNearBlock; ++r) found[r].resize(static_cast<std::size_t>(next[r] - found[r].data()));
}

/// A frame's window as a right side, and the sums of its products with a left side.
struct Column {
  const float *x, *y, *z;
  Vector mean_x, mean_z;
  Vector cosine, sine, height;

  static HWY_INLINE Column of(const NearTable& table, std::uint32_t frame) {
    const Lanes d;
    const std::size_t start = (frame - table.half_window) * table.points;
    const Vector zero = hn::Zero(d);
    return {table.x.data() + start,
            table.y.data() + start,
            table.z.data() + start,
            hn::Set(d, table.mean_x[frame]),
            hn::Set(d, table.mean_z[frame]),
            zero,
            zero,
            zero};
  }
  HWY_INLINE void add(std::size_t n, Vector left_x, Vector left_y, Vector left_z) {
    const Lanes d;
    const Vector right_x = hn::Sub(hn::LoadU(d, x + n), mean_x), right_z = hn::Sub(hn::LoadU(d, z + n), mean_z);
    cosine = hn::MulAdd(left_z, right_z, hn::MulAdd(left_x, right_x, cosine));
    sine = hn::NegMulAdd(left_z, right_x, hn::MulAdd(left_x, right_z, sine));
    height = hn::MulAdd(left_y, hn::LoadU(d, y + n), height);
  }
};

#if HWY_TARGET == HWY_SCALAR
HWY_INLINE void sums_of(Vector a, Vector b, Vector c, Vector e, float* sums) {
  const Vector all[4] = {a, b, c, e};
  for (std::size_t k = 0; k < 4; ++k) sums[k] = hn::GetLane(all[k]);
}
#else
/// The sums of what lies a block of four lanes apart.
template <typename D>
HWY_INLINE hn::Vec<hn::CappedTag<float, 4> > sum_of_blocks([[maybe_unused]] D d, hn::Vec<D> v) {
  if constexpr (hn::MaxLanes(D()) > 4) {
    const hn::Half<D> half;
    return sum_of_blocks(half, hn::Add(hn::LowerHalf(half, v), hn::UpperHalf(half, v)));
  } else {
    return v;
  }
}

/// Writes the sums of the lanes of four vectors.
HWY_INLINE void sums_of(Vector a, Vector b, Vector c, Vector e, float* sums) {
  const Lanes d;
  const hn::RepartitionToWide<Lanes> wide;
  const auto ab = hn::BitCast(wide, hn::Add(hn::InterleaveLower(d, a, b), hn::InterleaveUpper(d, a, b)));
  const auto ce = hn::BitCast(wide, hn::Add(hn::InterleaveLower(d, c, e), hn::InterleaveUpper(d, c, e)));
  const Vector lower = hn::BitCast(d, hn::InterleaveLower(wide, ab, ce));
  const Vector upper = hn::BitCast(d, hn::InterleaveUpper(wide, ab, ce));
  hn::Store(sum_of_blocks(d, hn::Add(lower, upper)), hn::CappedTag<float, 4>(), sums);
}
#endif

void near_distances(const NearTable& table, const NearRows& rows, std::size_t row, std::span<NearHit> hits) {
  const Lanes d;
  const std::size_t size = (2 * table.half_window + 1) * table.points;
  const float *ax = rows.x[row].data(), *ay = rows.y[row].data(), *az = rows.z[row].data();
  for (std::size_t h = 0; h < hits.size(); h += 4) {
    // Four at a time, the last again and again where there are fewer.
    const auto frame = [&](std::size_t k) { return hits[std::min(h + k, hits.size() - 1)].column; };
    Column a = Column::of(table, frame(0)), b = Column::of(table, frame(1));
    Column c = Column::of(table, frame(2)), e = Column::of(table, frame(3));
    for (std::size_t n = 0; n < size; n += hn::Lanes(d)) {
      const Vector x = hn::Load(d, ax + n), y = hn::Load(d, ay + n), z = hn::Load(d, az + n);
      a.add(n, x, y, z);
      b.add(n, x, y, z);
      c.add(n, x, y, z);
      e.add(n, x, y, z);
    }
    HWY_ALIGN float cosine[4], sine[4], height[4];
    sums_of(a.cosine, b.cosine, c.cosine, e.cosine, cosine);
    sums_of(a.sine, b.sine, c.sine, e.sine, sine);
    sums_of(a.height, b.height, c.height, e.height, height);
    for (std::size_t k = 0; k < 4; ++k) cosine[k] = std::sqrt(cosine[k] * cosine[k] + sine[k] * sine[k]);
    for (std::size_t k = 0; k < 4 && h + k < hits.size(); ++k) {
      hits[h + k].distance = rows.energy[row] + table.energy[hits[h + k].column] - height[k] - cosine[k];
    }
  }
}

std::size_t near_lanes() { return hn::Lanes(Lanes()); }

}  // namespace loom::compare::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace loom::compare::cpu {

HWY_EXPORT(near_members);
HWY_EXPORT(near_frames);
HWY_EXPORT(near_distances);
HWY_EXPORT(near_lanes);

std::size_t near_members(const NearTable& table, const NearLevel& level, std::size_t block,
                         std::span<const std::uint32_t> groups, float reach, float margin, std::uint32_t* found) {
  return HWY_DYNAMIC_DISPATCH(near_members)(table, level, block, groups, reach, margin, found);
}

void near_frames(const NearTable& table, std::size_t block, std::span<std::uint32_t> blocks, float limit,
                 std::array<std::vector<NearHit>, kNearBlock>& found) {
  HWY_DYNAMIC_DISPATCH(near_frames)(table, block, blocks, limit, found);
}

void near_distances(const NearTable& table, const NearRows& rows, std::size_t row, std::span<NearHit> hits) {
  HWY_DYNAMIC_DISPATCH(near_distances)(table, rows, row, hits);
}

std::size_t near_lanes() { return HWY_DYNAMIC_DISPATCH(near_lanes)(); }

}  // namespace loom::compare::cpu
#endif
