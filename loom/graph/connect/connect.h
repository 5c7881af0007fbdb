// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/graph/build.h>
#include <loom/graph/connect/contact_segments.h>
#include <loom/take/gather.h>

namespace loom::graph {

class TreeEngine;

struct ConnectOptions {
  BuildOptions build;       ///< metric, threshold and what else a plain graph has
  std::size_t weights = 9;  ///< motions between two: 9 are 0.1, 0.2, ... 0.9
  double lambda = 5;        ///< how much dearer a way may become for a smaller graph; 1: not at all
  double smoothness = 2;    ///< frames that the roughest way counts beside its own
  bool every_pair = false;  ///< interpolate all pairs that can be, not only those that shorten a way
  /// Where less than the share to connect is, twice as many weights are tried.
  bool finer_where_poor = true;
  /// Where still less is, ways are looked for between mixes of different pairs, and between them and other recordings.
  bool join_mixes = true;
  /// The feet of recordings are held where they stand, so that those of mixes are (connect/hold_feet.h). `connect`
  /// takes clips as they are: whoever reads them holds them.
  bool hold_feet = true;
  SegmentOptions segments;
  /// Who grows shortest-path trees (graph/cuda/card_trees.h), or null: the processor. What comes out is the same.
  TreeEngine* trees = nullptr;
};

/// A well-connected graph and what it took.
struct Connected {
  Built built;                              ///< `pairs` are of recorded frames
  std::size_t segments = 0;                 ///< that contacts cut the clips into
  std::size_t pairs = 0, chosen_pairs = 0;  ///< of segments: that can be mixed, that were
  std::size_t interpolated_before = 0;      ///< frames, before reduction
  std::size_t weights = 0;                  ///< motions between two, at most
  std::size_t joined = 0;                   ///< ways between mixes of different pairs, before reduction
  std::size_t recorded_nodes = 0;
  double interpolate_seconds = 0, compare_seconds = 0, reduce_seconds = 0;

  /// Nodes for each recorded frame.
  [[nodiscard]] double size_factor() const {
    return static_cast<double>(built.graph.nodes()) / static_cast<double>(built.frames);
  }
};

/// Builds a well-connected graph (Zhao 2009 ch. 4): beside what was recorded it has motion between pairs of recorded
/// ones that stand on the same feet, as much of it as the shortest ways between recorded frames need.
///
/// Fails on parameters that make no sense, on a body without feet, where no two stretches have equal contacts, where
/// nothing is connected, and when `progress` asks to stop.
Result<Connected> connect(const take::Gathered& source, const ConnectOptions& options, const Progress& progress = {});

}  // namespace loom::graph
