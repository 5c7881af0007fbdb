// SPDX-License-Identifier: MIT
#pragma once

// From candidates to pairs: shared by the searches, and not part of the library's surface.

#include <span>
#include <vector>

#include <loom/base/result.h>
#include <loom/compare/all_pairs.h>

namespace loom::compare {

/// Whether `query` makes sense for `metric`.
Result<void> check(const Metric& metric, const PairQuery& query);

/// The error for more than `query.max_pairs`.
tl::unexpected<Error> too_many_pairs(const PairQuery& query);

/// Whether a pair may be reported at all, whatever its distance.
bool admitted(const Metric& metric, const PairQuery& query, const Candidate& pair);

/// Whether no neighbour of a pair at `distance` is nearer, and no equal one comes before it.
bool is_local_minimum(const Metric& metric, const Candidate& pair, double distance);

/// Appends those of the candidates that the exact distance confirms.
void confirm(const Metric& metric, const PairQuery& query, bool local_minima, std::span<const Candidate> candidates,
             std::vector<SimilarPair>& pairs);

}  // namespace loom::compare
