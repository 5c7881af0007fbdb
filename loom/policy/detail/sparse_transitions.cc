// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>

#include <loom/policy/detail/sparse_transitions.h>

namespace loom::policy {

Result<SparseTransitions> SparseTransitions::create(std::vector<std::uint32_t> first, std::vector<std::uint32_t> to,
                                                    std::vector<float> quality) {
  if (first.size() < 2) return fail("there is nothing to go from one to another: no states");
  const std::size_t states = first.size() - 1;
  if (first.front() != 0 || first.back() != to.size() || to.size() != quality.size()) {
    return fail("the successors of the states do not add up");
  }
  for (std::size_t s = 0; s < states; ++s) {
    if (first[s] >= first[s + 1]) return fail(fmt::format("state {} has no successor", s));
  }
  for (std::size_t e = 0; e < to.size(); ++e) {
    if (to[e] >= states) return fail(fmt::format("transition {} leads to state {} of {}", e, to[e], states));
    if (!(quality[e] >= 0 && quality[e] <= 1))
      return fail(fmt::format("the quality of transition {} is not in 0 to 1", e));
  }
  return SparseTransitions(std::move(first), std::move(to), std::move(quality));
}

float SparseTransitions::quality(std::size_t from, std::size_t to) const {
  float best = -1;
  for (std::size_t e = first_[from]; e < first_[from + 1]; ++e) {
    if (to_[e] == to) best = std::max(best, quality_[e]);
  }
  return best;
}

void SparseTransitions::decide(std::size_t from, const ValueColumns& columns, std::span<Decision> decisions) const {
  for (std::size_t c = 0; c < columns.columns(); ++c) {
    const float* quality = columns.quality(c);
    const double* future = columns.exact(c);
    Decision best{kNoState, -1e300};
    for (std::size_t e = first_[from]; e < first_[from + 1]; ++e) {
      const std::uint32_t t = to_[e];
      const double value = static_cast<double>(quality_[e]) * static_cast<double>(quality[t]) + future[t];
      if (value > best.value || (value == best.value && t < best.to)) best = {t, value};
    }
    decisions[c] = best;
  }
}

std::size_t SparseTransitions::memory() const {
  return (first_.size() + to_.size()) * sizeof(std::uint32_t) + quality_.size() * sizeof(float);
}

}  // namespace loom::policy
