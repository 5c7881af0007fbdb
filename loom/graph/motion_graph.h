// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <loom/base/result.h>
#include <loom/motion/clip.h>
#include <loom/motion/ground_frame.h>
#include <loom/take/mix.h>
#include <loom/take/stretch.h>
#include <loom/take/take_set.h>

namespace loom::graph {

/// A node of a graph: one frame of one of its clips.
using Node = std::uint32_t;

/// A clip that a graph is made of: a stretch of one of a library's, or motion between two of the graph's own, which was
/// never recorded and is computed when the graph is made ready to play (`take::append_mixes`). Of the latter only the
/// number of frames and, for people, a name are told by the stretch.
struct GraphClip : take::Stretch {
  std::vector<motion::Label> labels;  ///< at the graph's rate, counted from the stretch's first frame
  std::optional<take::Mix> mix{};     ///< of recorded clips of the graph
};

/// The clips a graph is to be made of, with the labels they carry.
std::vector<GraphClip> clips_of(const take::TakeSet& motion);
/// What of the library the recorded clips are.
std::vector<take::Stretch> stretches_of(std::span<const GraphClip> clips);
/// The clips that lie between two others.
std::vector<take::Mix> mixes_of(std::span<const GraphClip> clips);
/// Gives clips that lie between two others the labels these two share.
void label_mixes(std::span<GraphClip> clips);

/// Consecutive frames of a clip that are nodes: from each of them one can go on to the next.
///
/// In a strongly connected component the frames of one clip are always consecutive, since what lies between two of them
/// can be reached from the first and reaches the second: such a graph has one run a clip. A state-annotated one, which
/// may forbid to go on, has several, and so has a well-connected one (connect/connect.h), which keeps only what is
/// needed of motion between clips.
struct Run {
  std::uint32_t clip = 0;            ///< which of the graph's
  std::uint32_t begin = 0, end = 0;  ///< frames of the clip, [begin, end); empty when the clip was lost to pruning
  Node first_node = 0;               ///< the node of frame `begin`

  [[nodiscard]] std::uint32_t frames() const { return end - begin; }
  /// One past the node of the last frame.
  [[nodiscard]] Node end_node() const { return first_node + frames(); }
  [[nodiscard]] bool holds(std::uint32_t frame) const { return frame >= begin && frame < end; }
  /// The node of a frame that it holds.
  [[nodiscard]] Node node_at(std::uint32_t frame) const { return first_node + (frame - begin); }

  friend bool operator==(const Run&, const Run&) = default;
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
  double rate = 30;                   ///< frames a second of all clips and of what is played
  double threshold = 0;               ///< largest distance of a transition
  double sigma = 1;                   ///< of the cost
  std::vector<GraphClip> clips;       ///< recorded ones first
  std::vector<Run> runs;              ///< ascending by clip and frame, at least one a clip; nodes are theirs, in order
  std::vector<std::uint32_t> run_of;  ///< run of each node
  std::vector<std::uint32_t> first;   ///< transitions of node n: first[n] to first[n + 1] - 1
  std::vector<Transition> transitions;  ///< of each node, cheapest first

  [[nodiscard]] std::size_t nodes() const { return run_of.size(); }
  /// Ways of going on and transitions together.
  [[nodiscard]] std::size_t edges() const;
  /// How many of the clips, and of the nodes, were recorded: those come first.
  [[nodiscard]] std::uint32_t recorded_clips() const;
  [[nodiscard]] Node recorded_nodes() const;
  /// The clip of a node.
  [[nodiscard]] std::uint32_t clip_of(Node node) const { return runs[run_of[node]].clip; }
  /// The frame of a node in that clip.
  [[nodiscard]] std::uint32_t frame_of(Node node) const {
    const Run& run = runs[run_of[node]];
    return run.begin + (node - run.first_node);
  }
  /// The runs of a clip, in the order of their frames; a clip lost to pruning has an empty one. O(log runs).
  [[nodiscard]] std::span<const Run> runs_of(std::uint32_t clip) const;
  /// The node of a frame of a clip; none where the frame was lost to pruning. O(log runs).
  [[nodiscard]] std::optional<Node> node_at(std::uint32_t clip, std::uint32_t frame) const;
  /// The last node that can be reached from `node` by going on.
  [[nodiscard]] Node last_of_run(Node node) const { return runs[run_of[node]].end_node() - 1; }
  /// Appends a run of frames [begin, end) of `clip` and numbers its nodes.
  void add_run(std::uint32_t clip, std::uint32_t begin, std::uint32_t end);
  /// Whether the next frame is of the same run: the node one may go on to is `node + 1`.
  [[nodiscard]] bool goes_on(Node node) const { return node + 1 < nodes() && run_of[node + 1] == run_of[node]; }
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
