// SPDX-License-Identifier: MIT
#include <loom/compare/pair_engine.h>

namespace loom::compare {

Result<PairsFound> LocalEngine::find(const Metric& metric, const PairQuery& query, const Progress& progress) const {
  const auto chosen = choose_back_end(on_, metric);
  if (!chosen) return fail_from(chosen);
  auto found = find_local_minima(metric, query, progress, *chosen->back_end);
  if (found) found->stats.why_not_the_card = chosen->why_not_the_card;
  return found;
}

}  // namespace loom::compare
