// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/graph/keys.h>
#include <loom/graph/motion_graph.h>

namespace loom::graph {

/// The cheapest way to go on for a given number of frames without leaving some nodes: what `LABEL@SECONDS` asks for.
///
/// Dynamic programming, frame by frame, over these nodes alone. To walk back one would have to keep where every node
/// was come from at every frame; instead the costs are kept now and then, and the frames in between are done again, a
/// stretch at a time: 11 × nodes × sqrt(frames) bytes instead of 4 × nodes × frames, for twice the time.
class Stay {
 public:
  /// `nodes` ascending, of `graph`.
  Stay(const MotionGraph& graph, std::span<const Node> nodes, const PathCost& cost);

  /// What a stay of so many frames takes.
  [[nodiscard]] double bytes(std::size_t frames) const;

  /// Goes `frames` frames on from `cost`, one a node and infinite where one is not; leaves there what it costs to be at
  /// each then. Returns how many frames could be gone: fewer when no way goes on, or when `progress` asks to stop.
  std::size_t run(std::vector<double>& cost, std::size_t frames, const Progress& progress);

  /// The nodes of the cheapest way that ends at nodes()[end], first to last: one more than the frames of `run`.
  [[nodiscard]] std::vector<Node> way_to(std::size_t end) const;

  [[nodiscard]] std::span<const Node> nodes() const { return nodes_; }

 private:
  /// One frame on. `from` is where each node was come from, left as it is where it was not; null: nobody asks.
  void step(std::span<const double> now, std::span<double> later, std::uint32_t* from) const;

  std::vector<Node> nodes_;
  std::vector<std::uint32_t> first_;  ///< of the steps that lead to each node
  std::vector<std::uint32_t> come_from_;
  std::vector<double> step_cost_;
  std::size_t frames_ = 0, stretch_ = 1;
  std::vector<std::vector<double>> kept_;  ///< costs at the beginning of every stretch
};

}  // namespace loom::graph
