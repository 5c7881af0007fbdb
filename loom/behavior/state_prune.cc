// SPDX-License-Identifier: MIT
#include <algorithm>

#include <loom/behavior/state_prune.h>

namespace loom::behavior {
namespace {

/// A part of a graph with nodes counted anew.
struct Part {
  std::vector<std::uint32_t> nodes;  ///< ascending
  std::vector<std::uint32_t> first{0}, targets;
};

template <typename Inside>
Part take_part(graph::EdgesView edges, const Inside& inside) {
  const auto count = static_cast<std::uint32_t>(edges.first.size() - 1);
  Part part;
  std::vector<std::uint32_t> number(count);
  for (std::uint32_t n = 0; n < count; ++n) {
    if (!inside(n)) continue;
    number[n] = static_cast<std::uint32_t>(part.nodes.size());
    part.nodes.push_back(n);
  }
  for (const std::uint32_t n : part.nodes) {
    for (std::uint32_t e = edges.first[n]; e < edges.first[n + 1]; ++e) {
      if (inside(edges.targets[e])) part.targets.push_back(number[edges.targets[e]]);
    }
    part.first.push_back(static_cast<std::uint32_t>(part.targets.size()));
  }
  return part;
}

bool leads_to_itself(const Part& part, std::uint32_t n) {
  const auto begin = part.targets.begin() + part.first[n], end = part.targets.begin() + part.first[n + 1];
  return std::find(begin, end, n) != end;
}

/// Gives all nodes that `inside` lets in, but are not in the largest component among them, the fate `lost`. Returns
/// whether there were any.
template <typename Inside>
bool keep_largest(graph::EdgesView edges, const Inside& inside, Fate lost, std::vector<Fate>& fate) {
  const Part part = take_part(edges, inside);
  if (part.nodes.empty()) return false;
  const graph::Components components = graph::find_components({part.first, part.targets});
  bool cycle = components.size[components.largest] > 1;
  std::uint32_t largest = components.largest;
  // Components of one node are all of equal size: the first that is a cycle is the largest that counts.
  for (std::uint32_t n = 0; n < part.nodes.size() && !cycle; ++n) {
    cycle = leads_to_itself(part, n);
    largest = components.of[n];
  }
  bool changed = false;
  for (std::uint32_t n = 0; n < part.nodes.size(); ++n) {
    if (cycle && components.of[n] == largest) continue;
    fate[part.nodes[n]] = lost;
    changed = true;
  }
  return changed;
}

}  // namespace

StatePruning prune_states(graph::EdgesView edges, std::span<const std::uint32_t> state_of,
                          const std::vector<bool>& self) {
  StatePruning result{std::vector<Fate>(state_of.size(), Fate::kKept), 0};
  std::vector<Fate>& fate = result.fate;
  for (std::size_t n = 0; n < state_of.size(); ++n) {
    if (state_of[n] == kNoState) fate[n] = Fate::kStateless;
  }
  const auto kept = [&](std::uint32_t n) { return fate[n] == Fate::kKept; };
  for (bool changed = true; changed; ++result.rounds) {
    changed = keep_largest(edges, kept, Fate::kOutsideComponent, fate);
    for (std::uint32_t s = 0; s < self.size(); ++s) {
      if (!self[s]) continue;
      const auto of_state = [&](std::uint32_t n) { return fate[n] == Fate::kKept && state_of[n] == s; };
      changed = keep_largest(edges, of_state, Fate::kOutsideSelf, fate) || changed;
    }
  }
  return result;
}

}  // namespace loom::behavior
