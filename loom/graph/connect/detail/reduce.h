// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/graph/connect/detail/way_graph.h>

namespace loom::graph {

class TreeEngine;

/// What is needed of a graph: a byte a node and a byte a way, 1 where it is.
struct Needed {
  std::vector<std::uint8_t> nodes, ways;

  [[nodiscard]] std::size_t node_count() const;
};

/// What the shortest ways from every one of `ends` to every other need: the union of their trees (Zhao 2009 §4.1.3).
/// `ends` themselves are always needed. `gates` are other nodes that ways between lattices begin or end at: what the
/// search takes falls apart there (see Crossings); the answer is the same without them. On all cores; the trees are
/// forgotten one by one. With an `engine` it grows them where it will; the answer is the same.
Result<Needed> union_of_trees(const WayGraph& graph, std::span<const std::uint32_t> ends, const Progress& progress = {},
                              std::span<const std::uint32_t> gates = {}, TreeEngine* engine = nullptr);

/// Fewer nodes for dearer ways (Zhao 2009 §4.1.4): no way from end to end costs more than `lambda` times the shortest
/// there is. The work goes through the ends in some order, each reusing what those before it need, and what comes out
/// depends on it. Here orders are our own, several where there are few ends, and ends come in batches, each twice as
/// large as the one before; then all ends are asked again with what is kept held fast, so that what only an early end
/// wanted falls away, and once more with what fewest ways need made dearer. The smallest counts, and it does not depend
/// on the order of `ends`. lambda = 1 is `union_of_trees`.
Result<Needed> reduce(const WayGraph& graph, std::span<const std::uint32_t> ends, double lambda,
                      const Progress& progress = {}, std::span<const std::uint32_t> gates = {},
                      TreeEngine* engine = nullptr);

/// The work's own way of doing it: one end after the other, in the order given, each reusing what the ones before need.
/// To be compared with.
Needed reduce_in_order(const WayGraph& graph, std::span<const std::uint32_t> ends, double lambda);

}  // namespace loom::graph
