// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/graph/actions.h>
#include <loom/play/segment_player.h>
#include <loom/take/take_set.h>

namespace loom::graph {

/// What a path through a graph costs: time and roughness weighed against each other (Zhao 2009 §4.2.2; eq. 5.2 with
/// the figures of table 5.4: 1 a frame, 10 times the transition's cost).
struct PathCost {
  double frame = 1.0;       ///< of every frame
  double roughness = 10.0;  ///< times the cost t of every transition
  double change = 3.0;      ///< of every transition however smooth, so that paths do not flit from clip to clip
  double missed = 3.0;      ///< of every frame of an action that is not played: more than leaving it out saves
};

/// How long a state is shown where nobody says: some steps, a moment of standing.
inline constexpr double kStateSeconds = 2;

/// Something a path has to come by: any one of some nodes, to stay among them for a while; or an action to perform.
struct Key {
  std::string what;                  ///< for messages: "walk", "02_01:35"
  std::vector<Node> nodes;           ///< any of these; ascending
  double stay_seconds = 0;           ///< to go on within `nodes`, once there
  bool or_less = false;              ///< stay less long where the graph cannot stay so long
  std::vector<Performance> actions;  ///< where there are any: one of these is performed, and no node is looked for
  std::string note;                  ///< what the user should know of it: that nothing whole is left of an action
  /// Where nobody can come to `nodes`, or stay there for so long, these are taken instead; ascending, or empty.
  std::vector<Node> or_among = {};
};

/// Reads a key as a user writes it: "LABEL", "LABEL!", "LABEL@SECONDS" or "CLIP:FRAME" (at the graph's rate). A label
/// alone is performed from beginning to end where it is an action, and stayed with for `kStateSeconds`, or as long as
/// the graph can, where it is a state (`manner_of`); with "!" it is performed whatever it is. With seconds the path
/// stays among the frames that show what it is called after (`lively_nodes`), or where the graph cannot stay there for
/// so long among all that carry it; with "@0" it only comes by one. Fails, naming what there is, on anything unknown
/// and on frames that pruning took away. `motion` must belong to the graph. It is not looked at for "@0" and frames;
/// where it has no clips, nothing is known of what frames show, and "@SECONDS" stays among all that carry the label.
Result<Key> parse_key(const MotionGraph& graph, const take::TakeSet& motion, const std::string& text);

/// Where a path comes by a key: its nodes [begin, end).
struct KeyVisit {
  std::size_t begin = 0, end = 0;
};

/// A path that comes by keys.
struct KeyedPath {
  std::vector<Node> nodes;
  std::vector<KeyVisit> visits;  ///< one a key
};

/// The cheapest path that comes by all keys in order, from one of the first key's nodes to one of the last's. An action
/// is played from one of its entering nodes on, without a change of clip, to one of its leaving nodes; between two
/// actions lies a step at least. One search a key over the whole graph, and the best overall: O(keys × edges log
/// nodes), and for a stay O(frames × edges within the key), in little memory (stay.h). Fails when a stay is longer than
/// the graph can remain within a key, saying how long it can, and when `progress` asks to stop.
Result<KeyedPath> find_path(const MotionGraph& graph, std::span<const Key> keys, const PathCost& cost = {},
                            const Progress& progress = {});

/// A path as segments to be played; it starts at the origin, facing +Z. `motion` must belong to the graph.
std::vector<play::Segment> to_segments(const MotionGraph& graph, const take::TakeSet& motion,
                                       std::span<const Node> path);

}  // namespace loom::graph
