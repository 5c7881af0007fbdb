// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <loom/graph/motion_graph.h>
#include <loom/motion/stream.h>
#include <loom/take/take_set.h>

namespace loom::graph {

/// What two moments of motion differ by, each seen from where its body stands.
struct MomentGap {
  double places_m = 0;     ///< root mean square of how far joints lie apart
  double speeds_mps = 0;   ///< of how their velocities differ
  double turning_rps = 0;  ///< by which the two turn differently
};

/// Reckons it for two moments of clips of one body. O(joints).
MomentGap gap_between(const take::TakeSet& motion, motion::SourceFrame left, motion::SourceFrame entered);

/// A way that a walk could have taken at a seam.
struct SeamCandidate {
  std::uint32_t clip = 0, frame = 0;  ///< where it leads
  float distance = 0, cost = 0;       ///< as the graph has them (Transition)
  MomentGap gap;                      ///< from the frame it leaves
};

/// Where a made motion goes from one recording to another, and what that costs.
struct Seam {
  std::size_t frame = 0;                        ///< of the made motion: the first of the new piece
  std::uint32_t from_clip = 0, from_frame = 0;  ///< that is left
  std::uint32_t to_clip = 0, to_frame = 0;      ///< that is entered
  /// The transition that was taken; none where the piece was entered otherwise.
  std::optional<SeamCandidate> taken;
  MomentGap gap;  ///< between the two
  /// What else left the same frame, cheapest first: of the transition taken, or of the frame that was left.
  std::vector<SeamCandidate> others;
};

/// The seams of a motion that was played on `graph`, for whoever wants to know why it looks as it does. At most `most`
/// others are told of each. O(seams × (joints + transitions)).
///
/// A piece is told to begin in the middle of the blend that leads to it, so the transition is looked for up to half a
/// second to both sides of it.
std::vector<Seam> find_seams(const MotionGraph& graph, const take::TakeSet& motion, const motion::Recording& recording,
                             std::size_t most = 5);

/// The same of one seam, for motion that is made while one looks: `left` was shown last, `entered` is shown now. Its
/// `frame` is 0.
Seam seam_between(const MotionGraph& graph, const take::TakeSet& motion, motion::SourceFrame left,
                  motion::SourceFrame entered, std::size_t most = 5);

}  // namespace loom::graph
