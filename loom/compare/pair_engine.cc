// SPDX-License-Identifier: MIT
#include <string>

#include <loom/compare/pair_engine.h>

namespace loom::compare {

Result<PairsFound> LocalEngine::find(const Metric& metric, const PairQuery& query, const Progress& progress) const {
  const bool given = card_ != nullptr && on_ != On::kCpu;
  const auto chosen = given ? Result<ChosenBackEnd>({card_, {}}) : choose_back_end(on_, metric);
  if (!chosen) return fail_from(chosen);
  std::string why_not = chosen->why_not_the_card;
  auto found = find_local_minima(metric, query, progress, *chosen->back_end);
  const bool on_card = chosen->back_end != &cpu_back_end();
  if (!found && on_card && on_ == On::kAuto && found.error().kind != ErrorKind::kStopped) {
    why_not = found.error().message;
    found = find_local_minima(metric, query, progress);
  }
  if (found) found->stats.why_not_the_card = why_not;
  return found;
}

}  // namespace loom::compare
