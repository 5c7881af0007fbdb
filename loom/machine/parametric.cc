// SPDX-License-Identifier: MIT
#include <algorithm>

#include <loom/machine/parametric.h>

namespace loom::machine {
namespace {

constexpr double kNear = 1e-4;  ///< squared coordinates: nearer than this a sample counts alone, or nearly

/// How much a sample counts at a place: inverse squares of distances (Shepard 1968).
double weight_at(const ParametricEntry& entry, std::span<const double> from) {
  double squared = kNear;
  for (std::size_t d = 0; d < entry.from.size(); ++d) {
    const double apart = static_cast<double>(entry.from[d]) - from[d];
    squared += apart * apart;
  }
  return 1 / (squared * squared);
}

/// A number of the entries, weighed at a place.
template <typename Number>
double weighed(std::span<const ParametricEntry> entries, std::span<const double> from, Number number) {
  double sum = 0, total = 0;
  for (const ParametricEntry& entry : entries) {
    const double weight = weight_at(entry, from);
    sum += weight * static_cast<double>(number(entry));
    total += weight;
  }
  return sum / total;
}

}  // namespace

void enter_at(std::span<const ParametricEntry> entries, std::span<const double> from, std::span<double> to) {
  for (std::size_t d = 0; d < to.size(); ++d) {
    to[d] = weighed(entries, from, [&](const ParametricEntry& entry) { return entry.best[d]; });
  }
}

double cost_at(std::span<const ParametricEntry> entries, std::span<const double> from) {
  return weighed(entries, from, [](const ParametricEntry& entry) { return entry.cost; });
}

void bring_in(std::span<const ParametricEntry> entries, std::span<const double> from, std::span<double> to) {
  for (std::size_t d = 0; d < to.size(); ++d) {
    const double least = weighed(entries, from, [&](const ParametricEntry& entry) { return entry.least[d]; });
    const double most = weighed(entries, from, [&](const ParametricEntry& entry) { return entry.most[d]; });
    to[d] = std::clamp(to[d], std::min(least, most), std::max(least, most));
  }
}

}  // namespace loom::machine
