// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <loom/base/progress.h>
#include <loom/compare/similar_pair.h>
#include <loom/graph/components.h>
#include <loom/graph/motion_graph.h>

namespace loom::graph {

/// Two similar frames, counted over all clips one after the other: what transitions are made of.
using compare::SimilarPair;

/// All clips of a build, their frames counted through from 0.
class FrameNumbers {
 public:
  explicit FrameNumbers(std::span<const GraphClip> clips);

  [[nodiscard]] std::uint32_t total() const { return first_.back(); }
  /// The number of frame 0 of clip `clip`.
  [[nodiscard]] std::uint32_t first(std::size_t clip) const { return first_[clip]; }
  [[nodiscard]] std::uint32_t clip_of(std::uint32_t frame) const { return clip_of_[frame]; }
  /// Whether frame + 1 is in the same clip.
  [[nodiscard]] bool goes_on(std::uint32_t frame) const {
    return frame + 1 < total() && clip_of_[frame + 1] == clip_of_[frame];
  }

 private:
  std::vector<std::uint32_t> first_, clip_of_;
};

/// All frames with all edges under a threshold, before anything is pruned: frame to next frame, and for a similar pair
/// (i, j) the transitions i to j + 1 and j to i + 1 (Zhao 2009 §3.2). Edges of a frame: going on first.
struct FrameGraph {
  std::vector<std::uint32_t> first, targets;

  [[nodiscard]] EdgesView view() const { return {first, targets}; }
};

FrameGraph frame_graph(const FrameNumbers& numbers, std::span<const SimilarPair> pairs, double threshold);

/// The same edges the other way round. O(frames + edges).
FrameGraph reversed(EdgesView edges);

/// The components as a graph: an edge for every one that leads from a component to another. O(frames + edges).
FrameGraph condensed(EdgesView edges, const Components& components);

/// The frames that can be reached from any of `start`, themselves included. O(frames + edges).
std::vector<bool> reachable(EdgesView edges, std::vector<std::uint32_t> start);

/// The share of all frames in the largest strongly connected component at each of some thresholds, on all cores.
std::vector<double> component_shares(const FrameNumbers& numbers, std::span<const SimilarPair> pairs,
                                     std::span<const double> thresholds, const Progress& progress = {});

/// The share of all frames in the largest strongly connected component at a threshold.
double component_share(const FrameNumbers& numbers, std::span<const SimilarPair> pairs, double threshold);

/// The smallest threshold among the pairs' distances at which the largest component holds at least `share` of all
/// frames; the largest distance of all when none does. O((frames + pairs) log pairs).
double threshold_for_share(const FrameNumbers& numbers, std::span<const SimilarPair> pairs, double share);

/// Makes the graph: the largest component at `threshold`, with transitions and their costs. `align(a, b)` gives the
/// ground frame that carries the coordinates of b's clip into those of a's, best for the similar frames a and b.
/// Each clip gets one run. The graph has no nodes when no component has a cycle.
MotionGraph prune(std::vector<GraphClip> clips, std::span<const SimilarPair> pairs, double threshold, double sigma,
                  double rate, const std::function<motion::GroundFrame(std::uint32_t a, std::uint32_t b)>& align);

/// Why a clip, or part of it, is not in the graph.
struct LostClip {
  std::uint32_t clip = 0;
  std::uint32_t frames_lost = 0;
  std::string reason;    ///< for a user: what is missing
  double joins_at = -1;  ///< the smallest threshold known at which some of it is in; -1: none known
};

/// What pruning took away, clip by clip, worst first: whether a clip can be entered, can be left, or neither, and at
/// what threshold it would be in. `pairs` may go beyond the graph's threshold; the farther, the more can be told. On
/// all cores. Where `progress` asks to stop, thresholds are told from what was looked at.
std::vector<LostClip> explain_losses(const MotionGraph& graph, std::span<const SimilarPair> pairs,
                                     const Progress& progress = {});

}  // namespace loom::graph
