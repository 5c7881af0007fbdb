// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <loom/base/result.h>
#include <loom/graph/motion_graph.h>
#include <loom/graph/prune.h>

namespace loom::graph {

/// One possible transition, in or out of the graph, with an address a user can look up.
struct PossibleTransition {
  std::uint32_t from_clip = 0, from_frame = 0;
  std::uint32_t to_clip = 0, to_frame = 0;
  double distance = 0;
  double cost = 0;        ///< t = 1 - exp(-s / sigma), with the graph's sigma
  bool in_graph = false;  ///< both ends are nodes, and the distance is under the threshold
};

/// Frames of one clip that a way goes through, one after the other: [from, to], both of them in it.
struct RouteStretch {
  std::uint32_t clip = 0;
  std::uint32_t from = 0, to = 0;

  friend bool operator==(const RouteStretch&, const RouteStretch&) = default;
};

/// What there is between two labels or clips, in one direction.
struct Explanation {
  std::string from, to;
  std::vector<PossibleTransition> best;  ///< direct ones, nearest first; of one pair of clips only the nearest few
  bool connected = false;                ///< whether the graph has a way
  double quickest_s = 0;                 ///< the shortest one, where it has
  double mean_s = 0;                     ///< from a frame of `from` to the nearest of `to`, mean over its frames
  std::vector<RouteStretch> route;       ///< the shortest way itself: from its last frame of `from` to one of `to`
  double connects_at = -1;  ///< smallest threshold known at which some frame of `from` reaches one of `to`; -1: none
};

struct ExplainOptions {
  std::size_t best = 10;        ///< transitions to list
  std::size_t of_one_pair = 3;  ///< at most so many between the same two clips
};

/// Explains the way from `from` to `to`, each a label or the name of a clip. `pairs` are those the graph was chosen
/// from, beyond its threshold too. Fails on a name that is neither, listing the labels.
Result<Explanation> explain(const MotionGraph& graph, std::span<const SimilarPair> pairs, const std::string& from,
                            const std::string& to, const ExplainOptions& options = {});

}  // namespace loom::graph
