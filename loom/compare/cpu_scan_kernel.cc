// SPDX-License-Identifier: MIT
// What is looked for in a tile of distances, compiled once for each kind of vector unit (see cpu_tile.h).
#include <algorithm>
#include <bit>
#include <cmath>

#include <loom/base/whole.h>
#include <loom/compare/cpu_tile.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "loom/compare/cpu_scan_kernel.cc"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace loom::compare::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::CappedTag<float, 16>;
using Vector = hn::Vec<Lanes>;
using Mask = hn::Mask<Lanes>;

/// Appends the pairs of one vector whose lanes are set.
HWY_INLINE void append(const Tile& tile, std::size_t row, std::size_t lane, Mask mask, std::vector<Candidate>& found) {
  std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(Lanes(), mask, bytes);
  for (std::uint32_t bits = bytes[0] | static_cast<std::uint32_t>(bytes[1]) << 8; bits != 0; bits &= bits - 1) {
    const std::size_t i = tile.row + row;
    const std::size_t j = i + tile.diagonal + lane + static_cast<std::size_t>(std::countr_zero(bits));
    found.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j)});
  }
}

void scan_under(const Tile& tile, float limit, std::vector<Candidate>& found) {
  const Lanes d;
  const Vector most = hn::Set(d, limit);
  for (std::size_t row = 0; row < tile.rows; ++row) {
    const float* lanes = tile.at(static_cast<std::ptrdiff_t>(row));
    for (std::size_t lane = 0; lane < kBandLanes; lane += hn::Lanes(d)) {
      const Mask under = hn::Le(hn::Load(d, lanes + lane), most);
      if (!hn::AllFalse(d, under)) append(tile, row, lane, under, found);
    }
  }
}

/// Which lanes of `under` no neighbour undercuts by more than `slack`. In the skewed tile the neighbour (i + a, j + b)
/// lies a rows down and b - a lanes to the right; beyond the tile all is infinite and undercuts nothing.
HWY_INLINE Mask local_minima(const float* HWY_RESTRICT lanes, Vector distance, Mask under, float slack) {
  const Lanes d;
  const Vector least = hn::Sub(distance, hn::Set(d, slack));
  constexpr auto kStride = static_cast<std::ptrdiff_t>(kLaneStride);
  for (const std::ptrdiff_t step :
       {std::ptrdiff_t{1}, std::ptrdiff_t{-1}, kStride, -kStride, kStride - 1, 1 - kStride, kStride - 2, 2 - kStride}) {
    under = hn::And(under, hn::Le(least, hn::LoadU(d, lanes + step)));
  }
  return under;
}

void scan_minima(const Tile& tile, float limit, float slack, std::vector<Candidate>& found) {
  const Lanes d;
  const Vector most = hn::Set(d, limit);
  for (std::size_t row = 0; row < tile.rows; ++row) {
    const float* lanes = tile.at(static_cast<std::ptrdiff_t>(row));
    for (std::size_t lane = 0; lane < kBandLanes; lane += hn::Lanes(d)) {
      const Vector distance = hn::Load(d, lanes + lane);
      Mask under = hn::Le(distance, most);
      if (hn::AllFalse(d, under)) continue;
      under = local_minima(lanes + lane, distance, under, slack);
      if (!hn::AllFalse(d, under)) append(tile, row, lane, under, found);
    }
  }
}

/// Minimum, sum and number of the finite among `count` distances.
struct RunTotal {
  float minimum = kInfinity;
  double sum = 0;
  std::uint32_t compared = 0;
};

HWY_INLINE RunTotal total(const float* distances, std::size_t count) {
  const Lanes d;
  const std::size_t step = hn::Lanes(d);
  RunTotal run;
  std::size_t n = 0;
  if (count >= step) {
    Vector minimum = hn::Set(d, kInfinity), sum = hn::Zero(d);
    for (; n + step <= count; n += step) {
      const Vector distance = hn::LoadU(d, distances + n);
      const Mask finite = hn::Lt(distance, hn::Set(d, kInfinity));
      minimum = hn::Min(minimum, distance);
      sum = hn::Add(sum, hn::IfThenElseZero(finite, distance));
      run.compared += static_cast<std::uint32_t>(hn::CountTrue(d, finite));
    }
    run.minimum = hn::GetLane(hn::MinOfLanes(d, minimum));
    run.sum = hn::GetLane(hn::SumOfLanes(d, sum));
  }
  for (; n < count; ++n) {
    if (!(distances[n] < kInfinity)) continue;
    run.minimum = std::min(run.minimum, distances[n]);
    run.sum += distances[n];
    ++run.compared;
  }
  return run;
}

void scan_image(const Tile& tile, ImageCells& cells) {
  const double most = cells.most(), units = std::ldexp(1.0, cells.unit_bits());
  for (std::size_t row = 0; row < tile.rows; ++row) {
    const float* lanes = tile.at(static_cast<std::ptrdiff_t>(row));
    const std::size_t i = tile.row + row, begin = i + tile.diagonal;
    const std::size_t end = std::min(begin + kBandWidth, (cells.first_column + cells.columns) * cells.cell);
    for (std::size_t j = begin; j < end;) {
      const std::size_t square = j / cells.cell, stop = std::min(end, (square + 1) * cells.cell);
      const RunTotal run = total(lanes + (j - begin), stop - j);
      const std::size_t at = cells.at(i / cells.cell, square);
      cells.minimum[at] = std::min(cells.minimum[at], std::max(run.minimum, 0.0f));
      cells.sum[at] += to_whole<std::int64_t>(std::round(std::min(run.sum, run.compared * most) * units));
      cells.compared[at] += run.compared;
      j = stop;
    }
  }
}

}  // namespace loom::compare::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace loom::compare::cpu {

HWY_EXPORT(scan_under);
HWY_EXPORT(scan_minima);
HWY_EXPORT(scan_image);

void scan_under(const Tile& tile, float limit, std::vector<Candidate>& found) {
  HWY_DYNAMIC_DISPATCH(scan_under)(tile, limit, found);
}

void scan_minima(const Tile& tile, float limit, float slack, std::vector<Candidate>& found) {
  HWY_DYNAMIC_DISPATCH(scan_minima)(tile, limit, slack, found);
}

void scan_image(const Tile& tile, ImageCells& cells) { HWY_DYNAMIC_DISPATCH(scan_image)(tile, cells); }

}  // namespace loom::compare::cpu
#endif
