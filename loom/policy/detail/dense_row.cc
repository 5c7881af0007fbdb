// SPDX-License-Identifier: MIT
// The maximum over all successors, compiled once for each kind of vector unit (see dense_row.h).
#include <loom/policy/detail/dense_row.h>

#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "loom/policy/detail/dense_row.cc"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace loom::policy::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::CappedTag<float, 16>;
constexpr std::size_t kBlock = ValueColumns::kBlock;

/// The largest value in a block.
HWY_INLINE float block_maximum(const float* HWY_RESTRICT row, const float* HWY_RESTRICT quality,
                               const float* HWY_RESTRICT future) {
  const Lanes d;
  auto best = hn::Set(d, -1e38f);
  for (std::size_t i = 0; i < kBlock; i += hn::Lanes(d)) {
    best = hn::Max(best, hn::MulAdd(hn::LoadU(d, row + i), hn::LoadU(d, quality + i), hn::LoadU(d, future + i)));
  }
  return hn::GetLane(hn::MaxOfLanes(d, best));
}

/// Looks into every block whose bound reaches `best` less `margin`; notes those, and returns the largest value found.
HWY_INLINE float visit_blocks(DenseRow& row, const ValueColumns& columns, std::size_t column, float best,
                              std::size_t& count) {
  const Lanes d;
  const float margin = columns.margin(column);
  const float* HWY_RESTRICT block_quality = columns.block_quality(column);
  const float* HWY_RESTRICT block_future = columns.block_future(column);
  const float* HWY_RESTRICT largest = row.largest.data();
  count = 0;
  for (std::size_t first = 0; first < columns.blocks(); first += hn::Lanes(d)) {
    const auto bound = hn::MulAdd(hn::LoadU(d, largest + first), hn::LoadU(d, block_quality + first),
                                  hn::LoadU(d, block_future + first));
    const auto mask = hn::Ge(bound, hn::Set(d, best - margin));
    if (hn::AllFalse(d, mask)) continue;
    std::uint8_t bytes[8] = {};
    hn::StoreMaskBits(d, mask, bytes);
    for (unsigned bits = bytes[0] | (static_cast<unsigned>(bytes[1]) << 8); bits != 0; bits &= bits - 1) {
      const std::size_t block = first + static_cast<std::size_t>(hwy::Num0BitsBelowLS1Bit_Nonzero32(bits));
      const std::size_t at = block * kBlock;
      const float value =
          block_maximum(row.quality.data() + at, columns.quality(column) + at, columns.future(column) + at);
      if (value < best - margin) continue;
      row.visited[count] = static_cast<std::uint32_t>(block);
      row.reached[count++] = value;
      best = value > best ? value : best;
    }
  }
  return best;
}

/// The last word, in double precision, among the states of the noted blocks that are as good as the best or nearly.
HWY_INLINE Decision choose(const DenseRow& row, const ValueColumns& columns, std::size_t column, float least,
                           std::size_t count) {
  Decision best{kNoState, -1e300};
  const float* quality = columns.quality(column);
  const float* future = columns.future(column);
  for (std::size_t i = 0; i < count; ++i) {
    if (row.reached[i] < least) continue;
    const std::size_t begin = row.visited[i] * kBlock;
    const std::size_t end = begin + kBlock < columns.states() ? begin + kBlock : columns.states();
    for (std::size_t t = begin; t < end; ++t) {
      if (row.quality[t] * quality[t] + future[t] < least) continue;
      const double value =
          static_cast<double>(row.quality[t]) * static_cast<double>(quality[t]) + columns.exact(column)[t];
      if (value > best.value) best = {static_cast<std::uint32_t>(t), value};
    }
  }
  return best;
}

void DecideRow(DenseRow& row, const ValueColumns& columns, std::span<Decision> decisions) {
  for (std::size_t c = 0; c < columns.columns(); ++c) {
    const std::size_t start = decisions[c].to;
    const float known = row.quality[start] * columns.quality(c)[start] + columns.future(c)[start];
    std::size_t count = 0;
    const float best = visit_blocks(row, columns, c, known, count);
    decisions[c] = choose(row, columns, c, best - columns.margin(c), count);
  }
}

void UnpackRow(std::span<const std::uint16_t> codes, std::uint16_t floor, float* HWY_RESTRICT out) {
  const Lanes d;
  const hn::Rebind<std::uint16_t, Lanes> packed;
  const hn::Rebind<std::int32_t, Lanes> wide;
  const auto scale = hn::Set(d, 1.0f / 65535.0f);
  const auto least = hn::Set(d, static_cast<float>(floor));
  for (std::size_t i = 0; i < codes.size(); i += hn::Lanes(d)) {
    const auto code = hn::ConvertTo(d, hn::PromoteTo(wide, hn::LoadU(packed, codes.data() + i)));
    hn::StoreU(hn::IfThenElse(hn::Ge(code, least), hn::Mul(code, scale), hn::Set(d, kNotAllowed)), d, out + i);
  }
}

}  // namespace loom::policy::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace loom::policy {

HWY_EXPORT(DecideRow);
HWY_EXPORT(UnpackRow);

void decide_row(DenseRow& row, const ValueColumns& columns, std::span<Decision> decisions) {
  row.visited.resize(columns.blocks());
  row.reached.resize(columns.blocks());
  HWY_DYNAMIC_DISPATCH(DecideRow)(row, columns, decisions);
}

void unpack_row(std::span<const std::uint16_t> codes, std::span<const std::uint16_t> block_codes, std::uint16_t floor,
                DenseRow& row) {
  row.quality.resize(codes.size());
  row.largest.resize(block_codes.size());
  HWY_DYNAMIC_DISPATCH(UnpackRow)(codes, floor, row.quality.data());
  HWY_DYNAMIC_DISPATCH(UnpackRow)(block_codes, floor, row.largest.data());
}

}  // namespace loom::policy
#endif  // HWY_ONCE
