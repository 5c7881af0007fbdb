// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <loom/graph/motion_graph.h>

namespace loom::studio {

/// Motion that somebody picks: consecutive nodes [begin, end) of a graph.
struct PickedNodes {
  graph::Node begin = 0, end = 0;
};

/// How the ways from one key motion to another are within what was picked.
struct PickedPair {
  std::uint32_t from = 0, to = 0;                   ///< key motions
  std::size_t asked = 0, connected = 0, quick = 0;  ///< ways from frame to frame: all, those there are, those in time
  double mean_frames = 0;                           ///< of those there are
};

/// How well picked motion connects key motions (Zhao 2009 §5.5).
struct PickJudgement {
  std::size_t frames = 0, edges = 0, key_frames = 0;
  std::size_t asked = 0, connected = 0, quick = 0;
  double mean_frames = 0;
  std::vector<PickedPair> pairs;  ///< of different key motions; fewest quick ways first, then fewest ways, then slowest
};

/// Searches from every key frame within the key motions and what was picked. Ways of `within` frames or fewer are
/// quick. O(key frames × edges between the frames), on all cores.
PickJudgement judge_picked(const graph::MotionGraph& graph, std::span<const std::vector<PickedNodes>> keys,
                           std::span<const PickedNodes> picked, std::uint32_t within);

}  // namespace loom::studio
