// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/compare/cost_strip.h>
#include <loom/compare/metric.h>

namespace loom::compare {

/// The least and the greatest speed at which a stretch may go through an example, as a multiple of the example's own.
inline constexpr std::size_t kMostSpeed = 2;

/// Where a time warp of an example may end, and what it costs.
struct WarpEnd {
  float cost = 0;  ///< mean distance of the example's frames from those they belong to; infinite: none ends here
  std::uint32_t begin = 0;  ///< column at which the cheapest warp that ends here begins
};

/// For every column of a matrix the cheapest warp of all its rows that ends there, wherever it begins (Kovar & Gleicher
/// 2004 look for the same, chains of small distances along diagonals).
///
/// Each row belongs to one column, the first anywhere. From one row to the next the column goes on by one or two, or
/// stays, but never stays twice in a row: speeds lie between a half and two (kMostSpeed). Every row counts once, so the
/// cost is a mean over the example whatever the length of the stretch, and least costs need no division on the way.
/// O(rows × columns).
std::vector<WarpEnd> warp_ends(std::span<const float> matrix, std::size_t rows, std::size_t columns);

/// A stretch that is like an example.
struct SimilarStretch {
  FrameSpan frames;           ///< of the set, within one clip
  std::uint32_t clip = 0;     ///< which
  double distance = 0;        ///< mean over the warp, from what it was found by; in the metric's unit
  double from_example = 0;    ///< mean over the cheapest warp of the example itself that ends about there
  double step = 0;            ///< the largest `distance` on the way here from the example
  std::int32_t through = -1;  ///< which of the stretches found this one is like; -1: the example

  /// What they are ranked by: the geometric mean of how far it is and of the largest step on the way. What is like the
  /// example has its distance; what is further, but reached in small steps, comes before what is as far and is not.
  [[nodiscard]] double rank() const;
};

struct SimilarOptions {
  std::size_t most = 20;  ///< as many are looked for
  /// The largest distance of one step, in the metric's unit; 0 takes `usual_limit`.
  double limit = 0;
  /// Look for what is like what was found, too: what is logically alike but numerically further is reached over what
  /// lies between (Kovar & Gleicher 2004 §4).
  bool through_matches = true;
  /// Stretches that share a greater part of the shorter of them are the same.
  double overlap = 0.5;
};

struct SimilarStretches {
  std::vector<SimilarStretch> found;  ///< by `SimilarStretch::rank`
  double spread = 0;                  ///< mean distance of the example's frames from the one that is most like all
  double limit = 0;                   ///< that was used
  std::size_t searches = 0;           ///< of all frames: one by the example and one by each match that was followed
};

/// The share of an example's own spread up to which another is like it. At the spread itself a body that stands still
/// in the middle of the movement is as near as one that makes it. Set by
/// looking at one kick, one jump and one walk of CMU capture (docs/library.md), not by a labelled set.
inline constexpr double kUsualShare = 0.55;
/// The least share of an example's spread that a stretch like it has, and the least share of its own that the example
/// has: what moves much less or much more is not alike in shape, however near it is.
inline constexpr double kShapeShare = 0.4;
/// What is nearer than this is alike however little the example moves: square metres, 4 cm between markers.
inline constexpr double kAlwaysAlike = 0.0016;

/// The stretches of a set most like the frames `example`, of one clip, ranked; neither the example itself nor two that
/// overlap. Frames at the ends of clips, where no distance is defined, are counted in without being compared.
///
/// The matches are found one after the other, as Prim's algorithm finds a spanning tree: whatever was found becomes an
/// example in turn, and the next is the best by rank of all that is like any of them. One search takes distances of all
/// frames to the example's, on all cores.
///
/// Fails on an example that is empty, leaves its clip or has fewer than four comparable frames, on a metric that has no
/// kernels, where memory does not suffice, and when stopped.
Result<SimilarStretches> find_similar_stretches(const Metric& metric, FrameSpan example,
                                                const SimilarOptions& options = {}, const Progress& progress = {});

}  // namespace loom::compare
