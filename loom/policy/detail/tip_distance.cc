// SPDX-License-Identifier: MIT
// Distances between bone tips, compiled once for each kind of vector unit (see tip_distance.h).
#include <algorithm>

#include <loom/policy/detail/tip_distance.h>

#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "loom/policy/detail/tip_distance.cc"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace loom::policy::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::CappedTag<float, 16>;
constexpr std::size_t kVectors = 4;

/// The sums of kVectors vectors of states from `first` on. Products are not fused with sums: all units round alike.
HWY_INLINE void sum_block(const TipTable& table, std::size_t from, const TipTable& to, std::span<const float> weights,
                          std::size_t first, float* HWY_RESTRICT out) {
  const Lanes d;
  const std::size_t lanes = hn::Lanes(d);
  hn::Vec<Lanes> sums[kVectors];
  for (std::size_t v = 0; v < kVectors; ++v) sums[v] = hn::Zero(d);
  for (std::size_t tip = 0; tip < weights.size(); ++tip) {
    const auto x = hn::Set(d, table.plane(tip, 0)[from]);
    const auto y = hn::Set(d, table.plane(tip, 1)[from]);
    const auto z = hn::Set(d, table.plane(tip, 2)[from]);
    const auto weight = hn::Set(d, weights[tip]);
    for (std::size_t v = 0; v < kVectors; ++v) {
      const std::size_t at = first + v * lanes;
      const auto dx = hn::Sub(x, hn::LoadU(d, to.plane(tip, 0) + at));
      const auto dy = hn::Sub(y, hn::LoadU(d, to.plane(tip, 1) + at));
      const auto dz = hn::Sub(z, hn::LoadU(d, to.plane(tip, 2) + at));
      const auto square = hn::Add(hn::Add(hn::Mul(dx, dx), hn::Mul(dy, dy)), hn::Mul(dz, dz));
      sums[v] = hn::Add(sums[v], hn::Mul(weight, hn::Sqrt(square)));
    }
  }
  for (std::size_t v = 0; v < kVectors; ++v) hn::StoreU(sums[v], d, out + v * lanes);
}

void TipDistances(const TipTable& table, std::size_t from, const TipTable& to, std::span<const float> weights,
                  std::span<float> sums) {
  const std::size_t step = kVectors * hn::Lanes(Lanes());
  float block[kVectors * 16];
  for (std::size_t first = 0; first < sums.size(); first += step) {
    sum_block(table, from, to, weights, first, block);
    std::copy_n(block, step < sums.size() - first ? step : sums.size() - first, sums.data() + first);
  }
}

}  // namespace loom::policy::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace loom::policy {

HWY_EXPORT(TipDistances);

TipTable::TipTable(std::size_t states, std::size_t tips)
    : states_(states), stride_((states + 63) / 64 * 64), values_(tips * 3 * stride_) {}

void tip_distances(const TipTable& table, std::size_t from, const TipTable& to, std::span<const float> weights,
                   std::span<float> sums) {
  HWY_DYNAMIC_DISPATCH(TipDistances)(table, from, to, weights, sums);
}

}  // namespace loom::policy
#endif  // HWY_ONCE
