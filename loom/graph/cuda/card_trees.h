// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include <loom/base/result.h>
#include <loom/compare/cuda/cuda_back_end.h>
#include <loom/graph/connect/tree_engine.h>

namespace loom::graph {

/// Costs (nodes × sources) below which `On::kAuto` does not start a card: two cores find so many in about a quarter of
/// a second.
inline constexpr double kTreesWorthACard = 2e7;

/// Shortest-path trees of the reduction on a graphics card. Where the card need not be used and cannot be, or has no
/// room, the processor grows them; the trees are the same.
class CardTrees final : public TreeEngine {
 public:
  /// Opens the card where `on` wants one. Fails when it must be used and cannot be had.
  static Result<std::unique_ptr<CardTrees>> create(compare::On on);
  /// Over the functions of card.h, whoever has them: for tests of the card's code without one. `bytes` of the card's
  /// memory may be used for costs.
  explicit CardTrees(const card::Api& api, compare::On on = compare::On::kCuda, std::uint64_t bytes = kBytes);

  Result<bool> add_usage(const WayGraph& graph, const WaysInto& into, std::span<const std::uint8_t> wanted,
                         std::span<const std::uint32_t> sources, Usage& usage) override;

  /// "cuda" where the last trees were grown on the card, else "cpu".
  [[nodiscard]] const char* on() const { return on_card_ ? "cuda" : "cpu"; }
  /// Why they were not, in words.
  [[nodiscard]] const std::string& why_not_the_card() const { return why_not_; }

 private:
  static constexpr std::uint64_t kBytes = std::uint64_t{1} << 30;

  CardTrees() = default;

  const card::Api* api_ = nullptr;  ///< null: the processor
  compare::On on_ = compare::On::kCpu;
  std::uint64_t bytes_ = kBytes;
  bool on_card_ = false;
  std::string why_not_;
};

}  // namespace loom::graph
