// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <loom/base/result.h>
#include <loom/motion/clip.h>
#include <loom/motion/ground_frame.h>

namespace loom::graph {

/// A node of a graph: one frame of one of its clips.
using Node = std::uint32_t;

/// A clip's part in a graph. In a strongly connected component the frames of one clip are always consecutive: what
/// lies between two of its frames can be reached from the first and reaches the second.
struct GraphClip {
  std::string name;                   ///< in the library; the same for a clip and its mirrored copy
  bool mirrored = false;              ///< the clip as seen in a mirror
  std::uint32_t offset = 0;           ///< frame of the library's clip this one starts at, at the graph's rate
  std::uint32_t frames = 0;           ///< of this clip, at the graph's rate
  std::uint32_t begin = 0, end = 0;   ///< frames that are nodes, [begin, end); empty when the clip was lost to pruning
  Node first_node = 0;                ///< the node of frame `begin`
  std::vector<motion::Label> labels;  ///< at the graph's rate

  /// "walk_01", or "walk_01 (mirrored)".
  [[nodiscard]] std::string title() const { return mirrored ? name + " (mirrored)" : name; }
};

/// A way from one frame to another that was not recorded: the frames i and j are similar, so i may go on with j + 1.
struct Transition {
  Node to = 0;
  float distance = 0;             ///< s, of the similar pair
  float cost = 0;                 ///< t = 1 - exp(-s / sigma), in [0, 1) (Zhao 2009 eq. 3.3)
  motion::GroundFrame alignment;  ///< carries the target clip's coordinates into the source clip's
};

/// A motion graph (Kovar 2002, Zhao 2009 ch. 3): frames as nodes; from every frame one can go on to the next of its
/// clip or over a transition; every node reaches every other, so that a walk never has to end.
///
/// Immutable once built, and compact: going on is not stored, nodes are numbers, transitions lie in one array.
struct MotionGraph {
  double rate = 30;      ///< frames a second of all clips and of what is played
  double threshold = 0;  ///< largest distance of a transition
  double sigma = 1;      ///< of the cost
  std::vector<GraphClip> clips;
  std::vector<std::uint32_t> clip_of;   ///< clip of each node
  std::vector<std::uint32_t> first;     ///< transitions of node n: first[n] to first[n + 1] - 1
  std::vector<Transition> transitions;  ///< of each node, cheapest first

  [[nodiscard]] std::size_t nodes() const { return clip_of.size(); }
  /// Ways of going on and transitions together.
  [[nodiscard]] std::size_t edges() const;
  /// The frame of a node in its clip.
  [[nodiscard]] std::uint32_t frame_of(Node node) const {
    const GraphClip& clip = clips[clip_of[node]];
    return clip.begin + (node - clip.first_node);
  }
  /// Whether the clip's next frame is a node too: the node one may go on to is `node + 1`.
  [[nodiscard]] bool goes_on(Node node) const { return node + 1 < nodes() && clip_of[node + 1] == clip_of[node]; }
  [[nodiscard]] std::span<const Transition> transitions_of(Node node) const {
    return {transitions.data() + first[node], transitions.data() + first[node + 1]};
  }
  /// The nodes that carry a label, ascending.
  [[nodiscard]] std::vector<Node> nodes_labelled(const std::string& label) const;
  /// All labels of nodes, sorted, each once.
  [[nodiscard]] std::vector<std::string> labels() const;
  /// Bytes the graph takes in memory, without the motion itself.
  [[nodiscard]] std::size_t memory() const;
};

/// The graph as bytes, for the library. Same graph, same bytes.
std::vector<std::byte> to_bytes(const MotionGraph& graph);

/// Reads `to_bytes` back, believing nothing: indices, ranges and sizes are checked.
Result<MotionGraph> graph_from_bytes(std::span<const std::byte> bytes);

}  // namespace loom::graph
