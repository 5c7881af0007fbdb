// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include <loom/base/result.h>
#include <loom/motion/clip.h>

namespace loom::blend {

/// The label that marks a stroke: the moment a motion is about, when the hand touches or the foot strikes (Huang 2012
/// §5.3.2). Its first frame is the stroke.
inline constexpr const char* kStrokeLabel = "stroke";

/// The strokes marked in `clip`, in seconds, in the order of time.
std::vector<double> marked_strokes(const motion::Clip& clip);

/// A moment that may be a stroke.
struct StrokeProposal {
  std::size_t frame = 0;
  float speed = 0;   ///< of the end effector, metres a second
  float travel = 0;  ///< how far it is from where it started, seen from the body, metres
  float score = 0;   ///< in [0, 1]; higher is more of a stroke
};

/// Proposes strokes for the point (joint or end site) `effector`, best first: moments at which its speed has a
/// minimum, where the velocity passes through zero (Huang 2012 §5.3.2), judged by how far out the effector is and how
/// much it slowed down. For a reach, a punch or a kick the first is the moment of largest extension. Speeds are
/// taken against the body's place on the floor and over a fifteenth of a second. O(frames).
///
/// Fails on a point the skeleton does not have, and on a clip shorter than five frames or in which the effector does
/// not move.
Result<std::vector<StrokeProposal>> propose_strokes(const motion::Clip& clip, int effector);

/// Checks strokes given by a user for a clip: in order, inside the clip and not at its very ends. Names the stroke and
/// the clip's length.
Result<void> check_strokes(const motion::Clip& clip, const std::vector<double>& strokes);

}  // namespace loom::blend
