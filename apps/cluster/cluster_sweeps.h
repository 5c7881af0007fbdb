// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <loom/base/parts_file.h>
#include <loom/policy/solver.h>

#include "cluster/crew.h"
#include "cluster/parts_work.h"

namespace loom::cluster {

/// Full sweeps of a policy on the ranks of a crew, some controls at a time: of the tables that `solve` works on each
/// rank has its own, and a part is what follows in some columns and the decisions to start from, going out, and what
/// was decided, coming back. Sweeps that an earlier run did are read again, so that the run after it goes the same way,
/// to the bit.
class ClusterSweeps final : public policy::SweepEngine {
 public:
  /// `kept` is rank 0's, null elsewhere. Both must outlive the engine. `columns`: controls of a part.
  ClusterSweeps(Crew& crew, PartsFile* kept, std::size_t columns) : crew_(crew), kept_(kept), columns_(columns) {}

  /// On rank 0 a sweep. On the others `ErrorKind::kStopped`, once they are dismissed.
  Result<void> sweep(const policy::DecisionProblem& problem, std::span<const double> future,
                     std::span<std::uint32_t> next, std::span<double> value) override;

  [[nodiscard]] const PartsReport& report() const { return report_; }

 private:
  Crew& crew_;
  PartsFile* kept_;
  std::size_t columns_;
  PartsReport report_;
};

}  // namespace loom::cluster
