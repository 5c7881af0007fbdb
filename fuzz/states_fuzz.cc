// SPDX-License-Identifier: MIT
// Any bytes as a state graph: it is refused, or every route of every frame leads to its goal.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include <loom/behavior/state_graph.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace loom::behavior;
  const auto states = state_graph_from_bytes(std::as_bytes(std::span(data, size)));
  if (!states) return 0;
  for (const std::uint32_t target : states->routes.targets) {
    for (loom::graph::Node n = 0; n < states->graph.nodes(); ++n) {
      loom::graph::Node at = n;
      for (std::uint16_t left = states->routes.to(target, n).frames; left > 0; --left) {
        const Step step = states->routes.to(target, at);
        if (step.frames != left) std::abort();
        at = follow(states->graph, at, step);
      }
      if (states->node_of[at] != target) std::abort();
    }
  }
  return 0;
}
