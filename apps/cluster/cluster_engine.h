// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include <loom/base/parts_file.h>
#include <loom/compare/pair_engine.h>

#include "cluster/crew.h"
#include "cluster/parts_work.h"

namespace loom::cluster {

/// What the cluster is to look at, and what it keeps.
struct ClusterOptions {
  compare::On on = compare::On::kAuto;  ///< of every rank
  /// Pairs of a part, about: some are handed out at a time, and what a killed rank had is done again. A quarter of a
  /// second of two cores comparing all.
  double part_pairs = 2e8;
};

/// All pairs on the ranks of a crew, some rows at a time (compare/row_search.h). Rank 0 plans, hands out, keeps what
/// comes back in a file of parts and joins it; the others come here with the same metric, of the same library, and help
/// until they are dismissed.
class ClusterEngine final : public compare::PairEngine {
 public:
  /// `kept` is rank 0's, null elsewhere. Both must outlive the engine.
  ClusterEngine(Crew& crew, PartsFile* kept, const ClusterOptions& options)
      : crew_(crew), kept_(kept), options_(options) {}

  /// On rank 0 what `find_local_minima` finds. On the others `ErrorKind::kStopped`, once they are dismissed.
  [[nodiscard]] Result<compare::PairsFound> find(const compare::Metric& metric, const compare::PairQuery& query,
                                                 const Progress& progress) const override;

  [[nodiscard]] const PartsReport& report() const { return report_; }

 private:
  [[nodiscard]] Result<compare::PairsFound> lead(const compare::Metric& metric, const compare::PairQuery& query,
                                                 const std::string& key, const Progress& progress) const;

  Crew& crew_;
  PartsFile* kept_;
  ClusterOptions options_;
  mutable PartsReport report_;
};

/// The rows of `frames` frames in parts of about `pairs` pairs each: where each begins, and the end. The first rows
/// have most partners, so that parts grow. The same whatever the number of ranks.
std::vector<std::uint64_t> plan_rows(std::uint64_t frames, double pairs);

/// Names all that the answer depends on: the frames, the metric and the query.
std::string search_key(const compare::Metric& metric, const compare::PairQuery& query, double part_pairs);

}  // namespace loom::cluster
