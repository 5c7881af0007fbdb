// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <loom/graph/motion_graph.h>
#include <loom/play/segment_player.h>
#include <loom/take/take_set.h>

namespace loom::graph {

/// A stretch of a clip of a graph that carries a label: frames [begin, end), whether they are nodes or not.
struct LabelledRange {
  std::uint32_t clip = 0;
  std::uint32_t begin = 0, end = 0;

  friend auto operator<=>(const LabelledRange&, const LabelledRange&) = default;
};

/// All stretches that carry `label`, in order, each once.
std::vector<LabelledRange> ranges_labelled(const MotionGraph& graph, const std::string& label);

/// What a label stands for. An action has a beginning and an end and is performed from the one to the other: a jump, a
/// kick, a turn. A state goes on for as long as one likes: to stand, to walk, to run.
enum class Manner { kAction, kState };

/// Longer stretches are no single action, whatever they show: somebody boxes for forty seconds.
inline constexpr double kLongestAction = 8;  ///< seconds

/// Whether a label stands for an action or a state, judged by all motion that carries it.
///
/// A stretch that begins and ends inside its clip is an action: somebody said where. One that reaches to an end of its
/// clip, as most labels of capture do, which name whole takes, is a state where its motion is steady: still, or the
/// same over and over (the pose comes back after at most two seconds, or its mirror image after one) at one speed and
/// turning rate; or where it is too long to be one action. The label is a state where more than a third of its
/// stretches are. Of a common label those stretches count that no rarer one overlaps: a take called "run" and "jump"
/// tells about jumping. O(seconds of the label's motion × joints); a label without motion is a state.
Manner manner_of(const MotionGraph& graph, const take::TakeSet& motion, const std::string& label);

/// Whether the motion of a stretch is still or repeats itself, as `manner_of` asks.
bool is_steady(const motion::Clip& clip, std::size_t begin, std::size_t end);

/// The nodes that carry `label` and show what it is called after, where there are any such in the graph in stretches
/// that no rarer label overlaps: all of a steady stretch; of any other those with some movement about them, at least
/// half of what it has on average, so that a fighter who rests does not box, and who is about to walk does not walk
/// yet. Ascending.
std::vector<Node> lively_nodes(const MotionGraph& graph, const take::TakeSet& motion, const std::string& label);

/// An action as a graph can perform it: entered at any node of [enter_first, enter_last], played on without a change
/// of clip, and left at any of [leave_first, leave_last] that is not before. Both lie within a tenth of the stretch,
/// and a fifth of a second, of its ends, or are the nodes that pruning left nearest to them.
struct Performance {
  LabelledRange range;
  Node enter_first = 0, enter_last = 0;
  Node leave_first = 0, leave_last = 0;
  double lost_share = 0;  ///< of the movement in the stretch, how much lies in frames that pruning took

  /// Frames of the range that are not played when it is entered at one node and left at another.
  [[nodiscard]] std::uint32_t missed(const MotionGraph& graph, Node enter, Node leave) const {
    return (graph.frame_of(enter) - range.begin) + (range.end - 1 - graph.frame_of(leave));
  }
};

/// With no more of its movement lost to pruning an action still counts as whole.
inline constexpr double kWholeLoss = 0.2;

/// How the graph can perform a label.
struct Performances {
  std::vector<Performance> list;  ///< in the order of the ranges; empty when pruning took every one
  bool whole = false;             ///< all of these are whole; otherwise none is, and these have lost least
};

/// The ways to perform `label`: of all its stretches those that are whole; where none is, those that have lost hardly
/// more than the best. Stretches longer than `kLongestAction` are left out where there are shorter ones.
Performances performances_of(const MotionGraph& graph, const take::TakeSet& motion, const std::string& label);

}  // namespace loom::graph
