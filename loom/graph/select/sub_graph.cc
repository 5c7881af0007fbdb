// SPDX-License-Identifier: MIT
#include <algorithm>

#include <loom/graph/select/select.h>

namespace loom::graph {
namespace {

constexpr std::uint32_t kGone = ~std::uint32_t{0};

/// The clips that are needed, and where each comes to be: those with nodes, and the recordings of mixed ones.
std::vector<std::uint32_t> renumbered_clips(const MotionGraph& graph, std::span<const Node> nodes) {
  std::vector<char> needed(graph.clips.size(), 0);
  for (const Node node : nodes) needed[graph.clip_of(node)] = 1;
  for (std::size_t c = 0; c < graph.clips.size(); ++c) {
    if (!needed[c] || !graph.clips[c].mix) continue;
    needed[graph.clips[c].mix->a] = 1;
    needed[graph.clips[c].mix->b] = 1;
  }
  std::vector<std::uint32_t> to(graph.clips.size(), kGone);
  std::uint32_t next = 0;
  for (std::size_t c = 0; c < graph.clips.size(); ++c) {
    if (needed[c]) to[c] = next++;
  }
  return to;
}

}  // namespace

MotionGraph sub_graph(const MotionGraph& graph, std::span<const Node> nodes) {
  MotionGraph part;
  part.rate = graph.rate;
  part.threshold = graph.threshold;
  part.sigma = graph.sigma;
  const std::vector<std::uint32_t> clips = renumbered_clips(graph, nodes);
  for (std::size_t c = 0; c < graph.clips.size(); ++c) {
    if (clips[c] == kGone) continue;
    part.clips.push_back(graph.clips[c]);
    if (auto& mix = part.clips.back().mix) {
      mix->a = clips[mix->a];
      mix->b = clips[mix->b];
    }
  }
  // Runs are maximal stretches of nodes that follow each other; a clip without any has an empty one.
  std::uint32_t next_clip = 0;
  for (std::size_t i = 0; i < nodes.size();) {
    std::size_t end = i + 1;
    while (end < nodes.size() && nodes[end] == nodes[end - 1] + 1 && graph.goes_on(nodes[end - 1])) ++end;
    const std::uint32_t clip = clips[graph.clip_of(nodes[i])], begin = graph.frame_of(nodes[i]);
    for (; next_clip < clip; ++next_clip) part.add_run(next_clip, 0, 0);
    part.add_run(clip, begin, begin + static_cast<std::uint32_t>(end - i));
    next_clip = clip + 1;
    i = end;
  }
  for (; next_clip < part.clips.size(); ++next_clip) part.add_run(next_clip, 0, 0);

  std::vector<std::uint32_t> place(graph.nodes(), kGone);
  for (std::uint32_t i = 0; i < nodes.size(); ++i) place[nodes[i]] = i;
  part.first.reserve(nodes.size() + 1);
  part.first.push_back(0);
  for (const Node node : nodes) {
    for (const Transition& transition : graph.transitions_of(node)) {
      if (place[transition.to] == kGone) continue;
      part.transitions.push_back(transition);
      part.transitions.back().to = place[transition.to];
    }
    part.first.push_back(static_cast<std::uint32_t>(part.transitions.size()));
  }
  return part;
}

}  // namespace loom::graph
