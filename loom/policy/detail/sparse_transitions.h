// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include <loom/base/result.h>
#include <loom/policy/transition_table.h>

namespace loom::policy {

/// Transitions where each state has few successors, as in a motion graph.
class SparseTransitions final : public TransitionTable {
 public:
  /// The successors of state s are to[first[s]] to to[first[s + 1] - 1], with their qualities in [0, 1]. Fails when a
  /// state has none, when one leads nowhere, or on qualities out of range.
  static Result<SparseTransitions> create(std::vector<std::uint32_t> first, std::vector<std::uint32_t> to,
                                          std::vector<float> quality);

  [[nodiscard]] std::size_t states() const override { return first_.size() - 1; }
  [[nodiscard]] float quality(std::size_t from, std::size_t to) const override;
  [[nodiscard]] std::uint32_t any_successor(std::size_t from) const override { return to_[first_[from]]; }
  void decide(std::size_t from, const ValueColumns& columns, std::span<Decision> decisions) const override;
  [[nodiscard]] std::size_t memory() const override;

 private:
  SparseTransitions(std::vector<std::uint32_t> first, std::vector<std::uint32_t> to, std::vector<float> quality)
      : first_(std::move(first)), to_(std::move(to)), quality_(std::move(quality)) {}

  std::vector<std::uint32_t> first_, to_;
  std::vector<float> quality_;
};

}  // namespace loom::policy
