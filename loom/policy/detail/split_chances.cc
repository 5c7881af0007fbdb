// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numeric>

#include <loom/policy/detail/split_chances.h>

namespace loom::policy {
namespace {

constexpr std::size_t kRowsTried = 8;  ///< as what is common: the evenest ones
constexpr double kNothing = 1e-15;     ///< a chance that is none

/// How many times `common` lies in `row`: the median of the ratios, which the few entries besides do not move.
double share_of(std::span<const double> row, std::span<const double> common) {
  std::vector<double> ratios;
  for (std::size_t d = 0; d < row.size(); ++d) {
    if (common[d] > 0) ratios.push_back(row[d] / common[d]);
  }
  if (ratios.empty()) return 0;
  const auto middle = ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2);
  std::nth_element(ratios.begin(), middle, ratios.end());
  return *middle;
}

/// The table split by what row `base` holds, its own control apart: staying as one is is never common.
SplitChances split_by(std::span<const double> chances, std::size_t size, std::size_t base) {
  SplitChances split;
  split.rest.assign(chances.begin(), chances.end());
  split.common.assign(chances.begin() + static_cast<std::ptrdiff_t>(base * size),
                      chances.begin() + static_cast<std::ptrdiff_t>((base + 1) * size));
  split.common[base] = 0;
  for (std::size_t c = 0; c < size; ++c) {
    split.share.push_back(share_of(chances.subspan(c * size, size), split.common));
    for (std::size_t d = 0; d < size; ++d) {
      double& rest = split.rest[c * size + d];
      rest -= split.share[c] * split.common[d];
      if (std::abs(rest) <= kNothing) rest = 0;
    }
  }
  return split;
}

std::size_t entries(std::span<const double> values) {
  return values.size() - static_cast<std::size_t>(std::count(values.begin(), values.end(), 0.0));
}

}  // namespace

SplitChances split_chances(std::span<const double> chances, std::size_t size) {
  std::vector<double> unevenness(size);
  for (std::size_t c = 0; c < size; ++c) {
    for (std::size_t d = 0; d < size; ++d) unevenness[c] += d == c ? 0 : std::pow(chances[c * size + d], 2);
    if (unevenness[c] == 0) unevenness[c] = 2;  // a row without anything to be common
  }
  std::vector<std::size_t> order(size);
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return unevenness[a] < unevenness[b]; });
  order.resize(std::min(order.size(), kRowsTried));

  SplitChances best{{chances.begin(), chances.end()}, {}, {}};
  std::size_t least = entries(chances) / 2;
  for (const std::size_t base : order) {
    SplitChances split = split_by(chances, size, base);
    if (const std::size_t left = entries(split.rest); left < least) {
      least = left;
      best = std::move(split);
    }
  }
  return best;
}

}  // namespace loom::policy
