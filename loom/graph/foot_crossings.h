// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include <loom/base/result.h>
#include <loom/compare/frame_set.h>

namespace loom::graph {

/// The frames of a set in which one foot passes the other (Huang 2012 §6.3): the right ankle comes before the plane
/// through both hips and the left ankle, or falls behind it. Somebody who walks does each once a cycle, so that
/// transitions between these frames alone, of hundreds of times fewer pairs, still lead from any walk to any other.
struct FootCrossings {
  std::vector<std::uint32_t> ahead;   ///< frames in which the right ankle has just come before the plane, ascending
  std::vector<std::uint32_t> behind;  ///< in which it has just fallen behind it
};

/// Fails on a body without two legs. O(frames).
Result<FootCrossings> find_foot_crossings(const compare::FrameSet& frames);

}  // namespace loom::graph
