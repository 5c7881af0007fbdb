// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <loom/compare/metric.h>
#include <loom/graph/connect/contact_segments.h>
#include <loom/graph/prune.h>
#include <loom/motion/ground_frame.h>
#include <loom/take/mix.h>

namespace loom::graph {

/// Two segments of equal contacts, p before q, and how far apart their motions are.
struct SegmentPair {
  std::uint32_t p = 0, q = 0;
  float apart = 0;  ///< mean distance of frames that belong together, in the metric's unit

  friend bool operator==(const SegmentPair&, const SegmentPair&) = default;
};

/// All pairs of segments that can be mixed: equal contacts, no more than three times as long the one as the other. By
/// ascending p, then q. O(segments²), on all cores.
std::vector<SegmentPair> pairs_of_segments(std::span<const ContactSegment> segments, const FrameNumbers& numbers,
                                           const compare::Metric& metric);

/// Consecutive segments of one clip beside as many of another (or later ones of the same), contacts equal throughout:
/// what is mixed in one go.
struct Chain {
  std::uint32_t p = 0, q = 0;  ///< the first segments
  std::uint32_t count = 0;
  motion::GroundFrame alignment;        ///< carries q's clip into the coordinates of p's
  std::vector<take::FrameMatch> knots;  ///< of the time map, without margins
  float apart = 0;                      ///< the most of its pairs
  std::vector<float> weights{};         ///< that it is mixed with, ascending
};

/// How many ways it takes, one after the other, from one motion to another that is `apart` from it, where none may go
/// further than `threshold`: 1 at least. Distances of clouds are squares.
double steps_between(double apart, double threshold, bool squares);

/// Puts pairs that follow each other together. A chain ends where the two motions have drifted apart on the floor so
/// far that a mix of them would no longer be a place where somebody goes. Pairs sorted as `pairs_of_segments` has them.
std::vector<Chain> make_chains(std::span<const SegmentPair> pairs, std::span<const ContactSegment> segments,
                               const FrameNumbers& numbers, const compare::Metric& metric);

}  // namespace loom::graph
