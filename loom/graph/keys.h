// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/graph/player.h>

namespace loom::graph {

/// What a path through a graph costs: time and roughness weighed against each other (Zhao 2009 §4.2.2; eq. 5.2 with
/// the figures of table 5.4: 1 a frame, 10 times the transition's cost).
struct PathCost {
  double frame = 1.0;       ///< of every frame
  double roughness = 10.0;  ///< times the cost t of every transition
  double change = 3.0;      ///< of every transition however smooth, so that paths do not flit from clip to clip
};

/// Something a path has to come by: any one of some nodes, and to stay among them for a while.
struct Key {
  std::string what;         ///< for messages: "walk", "02_01:35"
  std::vector<Node> nodes;  ///< any of these; ascending
  double stay_seconds = 0;  ///< to go on within `nodes`, once there
};

/// Reads a key as a user writes it: "LABEL", "LABEL@SECONDS" or "CLIP:FRAME" (at the graph's rate). Fails, naming what
/// there is, on anything unknown and on frames that pruning took away.
Result<Key> parse_key(const MotionGraph& graph, const std::string& text);

/// The cheapest path that comes by all keys in order, as nodes from one of the first key's to one of the last's.
/// One search a key over the whole graph, and the best overall: O(keys × edges log nodes), and for a stay O(frames ×
/// edges within the key), in little memory (stay.h). Fails when a stay is longer than the graph can remain within a
/// key, saying how long it can, and when `progress` asks to stop.
Result<std::vector<Node>> find_path(const MotionGraph& graph, std::span<const Key> keys, const PathCost& cost = {},
                                    const Progress& progress = {});

/// A path as segments to be played; it starts at the origin, facing +Z. `motion` must belong to the graph.
std::vector<Segment> to_segments(const MotionGraph& graph, const GraphMotion& motion, std::span<const Node> path);

}  // namespace loom::graph
