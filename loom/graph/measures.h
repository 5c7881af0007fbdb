// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <loom/base/progress.h>
#include <loom/graph/motion_graph.h>
#include <loom/graph/prune.h>

namespace loom::graph {

/// How well connected a graph is, in the measures of Zhao 2009 §4.2.
struct GraphMeasures {
  std::size_t frames = 0;          ///< of all clips it was built from
  std::size_t nodes = 0;           ///< frames in the graph
  std::size_t recorded_nodes = 0;  ///< of those, the recorded ones: all that follows is about them
  std::size_t edges = 0;           ///< ways of going on and transitions
  std::size_t transitions = 0;
  double component_share = 0;  ///< recorded nodes / frames (§4.2.3)
  std::size_t memory_bytes = 0;

  // Times that no frames give, such as those of a graph without labels, are not a number.
  double mean_transition_s = 0;          ///< mean shortest time from a frame to another (§4.2.4)
  std::size_t sources = 0;               ///< frames it was computed from: all, or evenly spaced ones of a large graph;
                                         ///< those searched from besides, for rare behaviors' sake, are not among them
  std::vector<std::uint64_t> histogram;  ///< pairs by transition time, in bins of kHistogramBin seconds

  std::vector<std::string> behaviors;  ///< the labels of the graph
  std::vector<double> between_s;     ///< behaviors × behaviors: mean time from a frame of the row to one of the column
  std::vector<std::string> missing;  ///< labels of the clips it was built from that no frame in it has
  std::vector<double> maneuverability_s;  ///< of each behavior (eq. 4.1)
  /// Their mean (eq. 4.2). Not a number where a behavior is missing: a graph that lost what is hard to come to would
  /// look quicker than one that kept it (the work gives none either).
  double local_maneuverability_s = 0;
  /// Behaviors × behaviors: eq. 4.1 over the segments that end in the behavior of the row, to that of the column.
  std::vector<double> maneuverability_between_s;
  /// Pairs of two different behaviors by that, in bins of kHistogramBin seconds (figure 4.8).
  std::vector<std::uint64_t> maneuverability_histogram;

  static constexpr double kHistogramBin = 0.1;  ///< seconds
};

struct MeasureOptions {
  std::size_t max_sources = 1000;  ///< searches through the graph; more nodes than this are sampled evenly
};

/// Measures a graph. O(sources × edges), on all cores, the same whatever their number. Where `progress` asks to stop,
/// the measures are those from the sources that were done, as `sources` tells.
///
/// Motion segments, in local maneuverability, are the runs of frames between two places where the graph leaves a
/// choice: a request can only be heeded there, and comes on average in the middle of a run.
GraphMeasures measure(const MotionGraph& graph, const MeasureOptions& options = {}, const Progress& progress = {});

/// A time of the measures for people: "1.23", or "undefined" where it is not a number.
std::string told_seconds(double seconds);

/// The transitive closure as a picture: pixel (row, column) is 255 where the frame of the row, at an even spacing over
/// all clips, reaches the frame of the column, before pruning (Zhao 2009 figure 4.6). `size` × `size` pixels, or fewer
/// where there are fewer frames; the picture's side is the root of its size. What is strongly connected is put together
/// first, so that a row costs what lies outside the largest component.
std::vector<std::uint8_t> closure_picture(const MotionGraph& graph, std::span<const SimilarPair> pairs,
                                          std::size_t size);

}  // namespace loom::graph
