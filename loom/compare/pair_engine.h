// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/compare/all_pairs.h>
#include <loom/compare/cuda/cuda_back_end.h>
#include <loom/compare/metric.h>

namespace loom::compare {

/// Whoever finds the local minima of a distance for a builder: this machine, its card, or the machines of a cluster
/// together. What is found is the same, to the bit; only the time differs.
class PairEngine {
 public:
  virtual ~PairEngine() = default;

  /// What `find_local_minima` finds. `SweepStats::on` says who computed.
  [[nodiscard]] virtual Result<PairsFound> find(const Metric& metric, const PairQuery& query,
                                                const Progress& progress) const = 0;
};

/// This machine: its processor or its card. Where the card may be used and fails, for want of memory or because
/// somebody else has it, the processor does the whole instead, and `SweepStats::why_not_the_card` says so; where it is
/// asked for, that is an error.
class LocalEngine final : public PairEngine {
 public:
  /// `card`: in place of the one that this machine has.
  explicit LocalEngine(On on, const BackEnd* card = nullptr) : on_(on), card_(card) {}

  [[nodiscard]] Result<PairsFound> find(const Metric& metric, const PairQuery& query,
                                        const Progress& progress) const override;

 private:
  On on_;
  const BackEnd* card_;
};

}  // namespace loom::compare
