// SPDX-License-Identifier: MIT
#pragma once

// Shortest-path trees on a card: from many sources of a graph of ways (graph/connect/detail/way_graph.h), and how often
// the trees to what is wanted have each node and each way. Costs are whole numbers and ties are settled by costs alone,
// so that the answer is the processor's (way_trees.h), whatever the order the card works in.
//
// How: 32 sources are 32 lanes, and a node's costs from them lie side by side. A round looks at every node that one of
// its predecessors marked: each lane takes the least of what its predecessors cost and a step more (Bellman 1958,
// pulled instead of pushed, so that no two threads write one number), and a node where a lane became less marks its
// successors for the next round. Numbers only fall, so that it does not matter whether a thread sees a neighbour's cost
// of this round or of the last. When nothing is marked, trees are followed back from what is wanted: the highest bit of
// a cost says that its tree has been followed there, which whoever sets it first does.
//
// The limit, for an H200: a look at a node reads 128 bytes a predecessor, 4.8 × 10¹² bytes a second at most, the costs
// of 100,000 nodes from 32 sources (13 MB) staying in the second-level cache. With four predecessors a node and every
// node looked at six times, 10,000 nodes from 10,000 sources are 3 × 10¹¹ bytes: 65 ms. What it really is depends on
// how often nodes are looked at again, and on the rounds, each of which has to be started (about 10 µs): as many as the
// most steps of a shortest way. All sources that the card's memory holds take part in a round, so that there are few
// rounds.

#include <algorithm>

#include <loom/compare/cuda/shim.h>

namespace loom::card {

inline constexpr std::uint32_t kTreeLanes = 32;       ///< sources that share a warp
inline constexpr std::uint32_t kTreeNodesAtOnce = 4;  ///< of a block
/// More than any way costs, and little enough to be added to.
inline constexpr std::uint32_t kTreeUnreached = 1U << 30;
inline constexpr std::uint32_t kTreeFollowed = 1U << 31;

/// Sets bits of a number in the card's memory and returns what it was.
LOOM_ON_CARD std::uint32_t set_bits(std::uint32_t* number, std::uint32_t bits) {
#ifdef __CUDA_ARCH__
  return atomicOr(number, bits);
#else
  const std::uint32_t before = *number;
  *number |= bits;
  return before;
#endif
}

/// The graph, in the card's memory.
struct TreeGraph {
  std::uint32_t nodes, step;     ///< what going on costs
  const std::uint8_t* goes_on;   ///< of each node, whether node + 1 can be gone on to
  const std::uint32_t* first;    ///< ways of node n: first[n] to first[n + 1] - 1
  const std::uint32_t* sources;  ///< of each way
  const std::uint32_t* targets;
  const std::uint32_t* costs;
  const std::uint32_t* into_first;  ///< ways into node n in `into`, cheapest first
  const std::uint32_t* into;
};

/// What a thread is for: lane `thread % 32` of a bundle of sources, at a node.
struct TreePlace {
  std::uint32_t bundle, node, lane;
  std::uint64_t at;  ///< of its cost

  LOOM_ON_CARD TreePlace(const TreeGraph& graph, std::uint32_t block, std::uint32_t thread) {
    const std::uint32_t blocks = (graph.nodes + kTreeNodesAtOnce - 1) / kTreeNodesAtOnce;
    bundle = block / blocks;
    node = block % blocks * kTreeNodesAtOnce + thread / kTreeLanes;
    lane = thread % kTreeLanes;
    at = place_of(graph, bundle, node, lane);
  }
  LOOM_ON_CARD static std::uint64_t place_of(const TreeGraph& graph, std::uint32_t bundle, std::uint32_t node,
                                             std::uint32_t lane) {
    return (static_cast<std::uint64_t>(bundle) * graph.nodes + node) * kTreeLanes + lane;
  }
};

/// Writes what is known before the first round: sources cost nothing, and what they lead to is marked.
struct TreeStartKernel {
  static constexpr int kPhases = 1;
  static constexpr std::uint32_t kThreads = kTreeNodesAtOnce * kTreeLanes;

  TreeGraph graph;
  const std::uint32_t* from;  ///< the sources, a bundle after the other
  std::uint32_t count;
  std::uint32_t* reached;  ///< bundles × nodes × lanes
  std::uint8_t* marked;    ///< bundles × nodes, nothing yet

  template <int>
  LOOM_ON_CARD void run(std::uint32_t block, std::uint32_t thread, float*) const {
    const TreePlace here(graph, block, thread);
    if (here.node >= graph.nodes) return;
    const std::uint32_t source = here.bundle * kTreeLanes + here.lane;
    const bool begins = source < count && from[source] == here.node;
    reached[here.at] = begins ? 0U : kTreeUnreached;
    if (!begins) return;
    std::uint8_t* marks = marked + static_cast<std::uint64_t>(here.bundle) * graph.nodes;
    if (graph.goes_on[here.node] != 0) marks[here.node + 1] = 1;
    for (std::uint32_t w = graph.first[here.node]; w < graph.first[here.node + 1]; ++w) marks[graph.targets[w]] = 1;
  }
};

/// One round: nodes that are marked look at their predecessors.
struct TreeRoundKernel {
  static constexpr int kPhases = 1;
  static constexpr std::uint32_t kThreads = kTreeNodesAtOnce * kTreeLanes;

  TreeGraph graph;
  std::uint32_t* reached;
  const std::uint8_t* marked;  ///< in the round before
  std::uint8_t* next;          ///< marks for the next one, nothing yet
  std::uint32_t* changed;      ///< 1 where anything was

  template <int>
  LOOM_ON_CARD void run(std::uint32_t block, std::uint32_t thread, float*) const {
    const TreePlace here(graph, block, thread);
    const std::uint64_t bundle = static_cast<std::uint64_t>(here.bundle) * graph.nodes;
    if (here.node >= graph.nodes || marked[bundle + here.node] == 0) return;
    const std::uint32_t before = reached[here.at];
    std::uint32_t least = before;
    const auto look = [&](std::uint32_t node, std::uint32_t step) {
      const std::uint32_t cost = reached[TreePlace::place_of(graph, here.bundle, node, here.lane)] + step;
      if (cost < least) least = cost;
    };
    if (here.node > 0 && graph.goes_on[here.node - 1] != 0) look(here.node - 1, graph.step);
    for (std::uint32_t i = graph.into_first[here.node]; i < graph.into_first[here.node + 1]; ++i) {
      const std::uint32_t way = graph.into[i];
      look(graph.sources[way], graph.costs[way]);
    }
    if (least == before) return;
    reached[here.at] = least;
    *changed = 1;
    if (graph.goes_on[here.node] != 0) next[bundle + here.node + 1] = 1;
    for (std::uint32_t w = graph.first[here.node]; w < graph.first[here.node + 1]; ++w) {
      next[bundle + graph.targets[w]] = 1;
    }
  }
};

/// Follows the trees of what is wanted back to their sources. Which of several ways that cost the same belongs to a
/// tree: going on comes first, then the cheapest, then the one with the smallest number.
struct TreeFollowKernel {
  static constexpr int kPhases = 1;
  static constexpr std::uint32_t kThreads = kTreeNodesAtOnce * kTreeLanes;

  TreeGraph graph;
  const std::uint8_t* wanted;  ///< of each node, or null: all are
  std::uint32_t* reached;
  std::uint32_t* node_usage;
  std::uint32_t* way_usage;

  template <int>
  LOOM_ON_CARD void run(std::uint32_t block, std::uint32_t thread, float*) const {
    const TreePlace here(graph, block, thread);
    if (here.node >= graph.nodes || (wanted != nullptr && wanted[here.node] == 0)) return;
    std::uint32_t node = here.node;
    for (;;) {
      std::uint32_t* place = reached + TreePlace::place_of(graph, here.bundle, node, here.lane);
      if (*place == kTreeUnreached) return;
      const std::uint32_t cost = set_bits(place, kTreeFollowed);
      if ((cost & kTreeFollowed) != 0) return;
      count_up(node_usage + node);
      if (cost == 0) return;  // the source
      const auto leads_here = [&](std::uint32_t before, std::uint32_t step) {
        const std::uint32_t there = reached[TreePlace::place_of(graph, here.bundle, before, here.lane)];
        return (there & ~kTreeFollowed) + step == cost;
      };
      if (node > 0 && graph.goes_on[node - 1] != 0 && leads_here(node - 1, graph.step)) {
        --node;
        continue;
      }
      std::uint32_t i = graph.into_first[node];
      const std::uint32_t end = graph.into_first[node + 1];
      while (i < end && !leads_here(graph.sources[graph.into[i]], graph.costs[graph.into[i]])) ++i;
      if (i == end) return;  // never: something led here
      count_up(way_usage + graph.into[i]);
      node = graph.sources[graph.into[i]];
    }
  }
};

class TreeTable {
 public:
  bool load(const TreesInput& in, Failure* failure) {
    if (!use_card(failure)) return false;
    nodes_ = in.nodes;
    ways_ = in.ways;
    step_ = in.step;
    wants_some_ = in.wanted != nullptr;
    const std::size_t n = in.nodes;
    return goes_on_.fill(in.goes_on, n, failure) && first_.fill(in.first, n + 1, failure) &&
           sources_.fill(in.sources, ways_, failure) && targets_.fill(in.targets, ways_, failure) &&
           costs_.fill(in.costs, ways_, failure) && into_first_.fill(in.into_first, n + 1, failure) &&
           into_.fill(in.into, ways_, failure) && (!wants_some_ || wanted_.fill(in.wanted, n, failure)) &&
           node_usage_.make(n, failure) && way_usage_.make(ways_, failure) && changed_.make(1, failure);
  }

  /// Adds to the usage, for as many sources at a time as fit into `bytes` of the card's memory.
  bool add_usage(const TreesQuery& query, Failure* failure) {
    if (!use_card(failure)) return false;
    const std::vector<std::uint32_t> none(std::max<std::size_t>(std::max(nodes_, ways_), 1), 0);
    if (!copy_in(node_usage_.data(), none.data(), nodes_ * sizeof(std::uint32_t), failure) ||
        !copy_in(way_usage_.data(), none.data(), ways_ * sizeof(std::uint32_t), failure)) {
      return false;
    }
    const std::uint64_t bundle_bytes = std::uint64_t{nodes_} * (kTreeLanes * sizeof(std::uint32_t) + 2);
    const std::uint64_t bundles = (std::uint64_t{query.count} + kTreeLanes - 1) / kTreeLanes;
    const std::uint64_t fit = std::max<std::uint64_t>(1, query.bytes / std::max<std::uint64_t>(1, bundle_bytes));
    const auto at_once = static_cast<std::uint32_t>(std::min(bundles, fit));
    CardArray<std::uint32_t> reached, from;
    CardArray<std::uint8_t> marks[2];
    const std::size_t marked = std::size_t{at_once} * nodes_;
    if (!reached.make(marked * kTreeLanes, failure) || !from.make(std::size_t{at_once} * kTreeLanes, failure) ||
        !marks[0].make(marked, failure) || !marks[1].make(marked, failure)) {
      return false;
    }
    const std::vector<std::uint8_t> unmarked(marked, 0);
    for (std::uint32_t done = 0; done < query.count; done += at_once * kTreeLanes) {
      const std::uint32_t count = std::min(query.count - done, at_once * kTreeLanes);
      if (!copy_in(from.data(), query.sources + done, count * sizeof(std::uint32_t), failure) ||
          !run(from.data(), count, reached.data(), marks, unmarked, failure)) {
        return false;
      }
    }
    std::vector<std::uint32_t> nodes(nodes_), ways(ways_);
    if (!copy_out(nodes.data(), node_usage_.data(), nodes_ * sizeof(std::uint32_t), failure) ||
        !copy_out(ways.data(), way_usage_.data(), ways_ * sizeof(std::uint32_t), failure)) {
      return false;
    }
    for (std::uint32_t n = 0; n < nodes_; ++n) query.node_usage[n] += nodes[n];
    for (std::uint32_t w = 0; w < ways_; ++w) query.way_usage[w] += ways[w];
    return true;
  }

 private:
  bool run(const std::uint32_t* from, std::uint32_t count, std::uint32_t* reached, const CardArray<std::uint8_t>* marks,
           const std::vector<std::uint8_t>& unmarked, Failure* failure) {
    const TreeGraph graph{nodes_,          step_,         goes_on_.data(),    first_.data(), sources_.data(),
                          targets_.data(), costs_.data(), into_first_.data(), into_.data()};
    const std::uint64_t blocks =
        std::uint64_t{(count + kTreeLanes - 1) / kTreeLanes} * ((nodes_ + kTreeNodesAtOnce - 1) / kTreeNodesAtOnce);
    const auto clear = [&](int which) {
      return copy_in(marks[which].data(), unmarked.data(), unmarked.size(), failure);
    };
    if (!clear(0) || !launch(TreeStartKernel{graph, from, count, reached, marks[0].data()}, blocks, 0, failure)) {
      return false;
    }
    std::uint32_t changed = 1;
    // Costs only fall, and are whole numbers: it ends.
    for (std::uint64_t round = 0; changed != 0; ++round) {
      const int now = static_cast<int>(round % 2);
      changed = 0;
      if (!clear(1 - now) || !copy_in(changed_.data(), &changed, sizeof changed, failure) ||
          !launch(TreeRoundKernel{graph, reached, marks[now].data(), marks[1 - now].data(), changed_.data()}, blocks, 0,
                  failure) ||
          !copy_out(&changed, changed_.data(), sizeof changed, failure)) {
        return false;
      }
    }
    const std::uint8_t* wanted = wants_some_ ? wanted_.data() : nullptr;
    return launch(TreeFollowKernel{graph, wanted, reached, node_usage_.data(), way_usage_.data()}, blocks, 0, failure);
  }

  std::uint32_t nodes_ = 0, ways_ = 0, step_ = 0;
  bool wants_some_ = false;
  CardArray<std::uint8_t> goes_on_, wanted_;
  CardArray<std::uint32_t> first_, sources_, targets_, costs_, into_first_, into_, node_usage_, way_usage_, changed_;
};

inline void* load_trees(const TreesInput* input, Failure* failure) {
  auto* table = new (std::nothrow) TreeTable;
  if (table == nullptr || !table->load(*input, failure)) {
    if (table == nullptr) tell(failure, "there is not enough memory");
    delete table;
    return nullptr;
  }
  return table;
}

inline void drop_trees(void* trees) { delete static_cast<TreeTable*>(trees); }

inline bool trees_on_card(void* trees, const TreesQuery* query, Failure* failure) {
  return static_cast<TreeTable*>(trees)->add_usage(*query, failure);
}

}  // namespace loom::card
