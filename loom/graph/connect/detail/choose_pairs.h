// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/graph/connect/detail/segment_pairs.h>
#include <loom/graph/connect/detail/way_graph.h>

namespace loom::graph {

/// What pairs of segments are chosen by.
struct ChoiceSetting {
  std::span<const ContactSegment> segments;
  const FrameNumbers& numbers;
  double threshold = 0;
  bool squares = true;    ///< whether the metric's distances are squares
  double smoothness = 2;  ///< as in ConnectOptions
  /// The ways there are with some pairs mixed, over the recorded frames first.
  std::function<Result<WayGraph>(std::span<const SegmentPair> chosen, const Progress& progress)> graph_of;
};

/// Of all pairs those that can shorten a way by much, so that what is mixed grows with what is of use and not with the
/// square of the data. Begins with the nearest few partners of every segment; then, as long as there are any, adds
/// pairs by which one would get from the one segment to the other much sooner than by what is chosen already, going by
/// how many ways it takes. Sorted like `pairs`.
Result<std::vector<SegmentPair>> choose_pairs(std::span<const SegmentPair> pairs, const ChoiceSetting& setting,
                                              const Progress& progress);

}  // namespace loom::graph
