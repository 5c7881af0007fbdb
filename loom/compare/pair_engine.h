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

/// This machine: its processor or its card.
class LocalEngine final : public PairEngine {
 public:
  explicit LocalEngine(On on) : on_(on) {}

  [[nodiscard]] Result<PairsFound> find(const Metric& metric, const PairQuery& query,
                                        const Progress& progress) const override;

 private:
  On on_;
};

}  // namespace loom::compare
