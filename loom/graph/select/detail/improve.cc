// SPDX-License-Identifier: MIT
#include <algorithm>

#include <loom/graph/select/detail/improve.h>
#include <loom/graph/select/detail/iterate.h>

namespace loom::graph::detail {
namespace {

/// Nodes are taken out in groups of up to so many.
constexpr std::size_t kMostAtOnce = 24;

/// Some nodes that may go, near each other: `first`, and what lies before and after it among those.
std::vector<std::uint32_t> neighbours(const Problem& problem, const Chosen& chosen, const std::vector<char>& kept,
                                      std::uint32_t first, std::size_t most) {
  std::vector<std::uint32_t> group{first};
  const auto add = [&](std::uint32_t node) {
    if (group.size() >= most || kept[node] || !chosen.has(node)) return;
    if (std::find(group.begin(), group.end(), node) == group.end()) group.push_back(node);
  };
  for (std::size_t i = 0; i < group.size() && group.size() < most; ++i) {
    for (const Steps* steps : {&problem.field.forward, &problem.field.backward}) {
      for (std::uint32_t e = steps->first[group[i]]; e < steps->first[group[i] + 1]; ++e) add(steps->to[e]);
    }
  }
  return group;
}

}  // namespace

std::vector<std::uint32_t> improve(const Problem& problem, const std::vector<char>& kept,
                                   std::vector<std::uint32_t> nodes, Random& random,
                                   const std::function<bool(std::size_t round, std::size_t size)>& goes_on) {
  Chosen chosen(problem, nodes);
  ConstrainedPath paths(problem);
  std::vector<Wish> unmet;
  std::vector<std::uint32_t> best = chosen.nodes(), now = best;
  for (std::size_t round = 0; goes_on(round, best.size()); ++round) {
    std::vector<std::uint32_t> may_go;
    for (const std::uint32_t node : now) {
      if (!kept[node]) may_go.push_back(node);
    }
    if (may_go.empty()) break;
    const auto group =
        neighbours(problem, chosen, kept, may_go[random.index(may_go.size())], 1 + random.index(kMostAtOnce));
    unmet.clear();
    chosen.remove(group, unmet);
    // In another order than before, so that another way may be found.
    for (std::size_t i = unmet.size(); i > 1; --i) std::swap(unmet[i - 1], unmet[random.index(i)]);
    meet_wishes(unmet, paths, chosen);
    std::vector<std::uint32_t> after = chosen.nodes(), fresh;
    std::set_difference(after.begin(), after.end(), now.begin(), now.end(), std::back_inserter(fresh));
    for (const std::uint32_t node : fresh) chosen.remove_if_met({&node, 1});
    if (chosen.size() <= now.size()) {
      now = chosen.nodes();
      if (now.size() < best.size()) best = now;
      continue;
    }
    // Back to what it was: what came goes, what went comes. Nothing is unmet then.
    after = chosen.nodes();
    std::vector<std::uint32_t> gone;
    fresh.clear();
    std::set_difference(after.begin(), after.end(), now.begin(), now.end(), std::back_inserter(fresh));
    std::set_difference(now.begin(), now.end(), after.begin(), after.end(), std::back_inserter(gone));
    chosen.add(gone);
    unmet.clear();
    chosen.remove(fresh, unmet);
  }
  return best;
}

}  // namespace loom::graph::detail
