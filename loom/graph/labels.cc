// SPDX-License-Identifier: MIT
#include <algorithm>
#include <iterator>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <loom/graph/labels.h>

namespace loom::graph {
namespace {

std::string listed(const std::vector<std::string>& names) {
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

std::vector<std::string> lost_labels(const MotionGraph& graph) {
  std::set<std::string> all;
  for (const GraphClip& clip : graph.clips) {
    for (const motion::Label& label : clip.labels) all.insert(label.name);
  }
  const std::vector<std::string> kept = graph.labels();
  std::vector<std::string> lost;
  std::set_difference(all.begin(), all.end(), kept.begin(), kept.end(), std::back_inserter(lost));
  return lost;
}

Error unknown_label(const MotionGraph& graph, const std::string& label) {
  const std::vector<std::string> lost = lost_labels(graph);
  if (std::binary_search(lost.begin(), lost.end(), label)) {
    return {fmt::format("all motion labelled '{}' was lost to pruning, so the graph has none of it (explaining the "
                        "graph tells why); its labels are: {}",
                        label, listed(graph.labels())),
            {},
            0,
            ErrorKind::kNotFound};
  }
  return {fmt::format("no motion in the graph is labelled '{}'; its labels are: {}{}", label, listed(graph.labels()),
                      lost.empty() ? "" : fmt::format(" (lost to pruning: {})", listed(lost))),
          {},
          0,
          ErrorKind::kNotFound};
}

}  // namespace loom::graph
