// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/policy/transition_table.h>

namespace loom::policy {

/// Transitions from every state to every state, their qualities kept in 16 bits: 70 MB for 5,934 states, 800 MB for
/// 20,000.
///
/// Quality q is stored as the nearest multiple of 1/65535. That is the problem the solver solves, exactly; the
/// difference to unrounded qualities is at most 0.000008 a step. A transition that is worth nothing is not allowed,
/// unless its state has no other: paths never stutter, even where that would be a way out.
class DenseTransitions final : public TransitionTable {
 public:
  /// Fills row after row: `fill(from, row)` writes the qualities of going from `from` to each state, called from many
  /// threads. Values outside [0, 1] are brought into it. Fails on no states, or when `progress` asks to stop.
  static Result<DenseTransitions> create(std::size_t states,
                                         const std::function<void(std::size_t from, std::span<float> row)>& fill,
                                         const Progress& progress = {});

  /// The same transitions, of which only the best `share` over all pairs may be used (McCann & Pollard 2007 §4.2, the
  /// "-t" variants at 8 %). A state that would have no successor keeps its best. Shares the qualities in memory.
  [[nodiscard]] DenseTransitions thresholded(double share) const;

  [[nodiscard]] std::size_t states() const override { return states_; }
  [[nodiscard]] float quality(std::size_t from, std::size_t to) const override;
  [[nodiscard]] std::uint32_t any_successor(std::size_t from) const override { return best_[from]; }
  void decide(std::size_t from, const ValueColumns& columns, std::span<Decision> decisions) const override;
  [[nodiscard]] std::size_t memory() const override;

  /// How they lie in memory: for those who copy them elsewhere.
  struct Table {
    std::size_t stride = 0, block_stride = 0;    ///< of a row of each
    std::span<const std::uint16_t> codes;        ///< states × stride
    std::span<const std::uint16_t> block_codes;  ///< states × block_stride: largest of each ValueColumns::kBlock
    std::span<const std::uint16_t> floor;        ///< states: smallest code allowed
  };
  [[nodiscard]] Table table() const;

  /// How many of all transitions have each of the 65536 stored qualities: for percentiles.
  [[nodiscard]] std::vector<std::uint64_t> histogram() const;

 private:
  DenseTransitions() = default;

  std::size_t states_ = 0, blocks_ = 0;
  std::shared_ptr<const std::vector<std::uint16_t>> codes_;        ///< states × blocks × kBlock
  std::shared_ptr<const std::vector<std::uint16_t>> block_codes_;  ///< states × padded blocks: largest of each block
  std::vector<std::uint16_t> floor_;                               ///< states: smallest code allowed
  std::vector<std::uint32_t> best_;                                ///< states: successor of the best quality
};

}  // namespace loom::policy
