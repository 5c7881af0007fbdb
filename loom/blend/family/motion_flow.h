// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include <loom/base/math.h>
#include <loom/motion/clip.h>

namespace loom::blend {

struct FlowOptions {
  std::size_t window = 7;   ///< frames over which the local mean length is taken, centred; at least 3
  float spacing = 0.12f;    ///< metres: longer bones are filled with pseudo-joints this far apart
  float noticeable = 0.2f;  ///< a length that differs from the local mean by this share of it is sudden
  float still = 0.003f;     ///< metres a frame: where the local mean is less, nothing moves, and nothing is sudden
};

/// The way of one point of the body from a frame to the next.
struct FlowVector {
  Vec3 from, to;     ///< world, metres
  float change = 0;  ///< its length over the local mean, less one: above 0 a sudden speed-up, below a slow-down
};

/// How a motion flows: jitters and jumps show as vectors that are suddenly longer or shorter than those around them in
/// time (Huang 2012 §4.4.2, figure 4.5).
struct MotionFlow {
  std::size_t points = 0;           ///< joints, end sites and pseudo-joints
  std::vector<FlowVector> vectors;  ///< (frames - 1) × points
  double sudden = 0;                ///< the share of moving vectors that are sudden
  double unevenness = 0;            ///< mean |change| of moving vectors
};

/// The flow of a clip. O(frames × points). A clip of fewer than two frames has none.
MotionFlow motion_flow(const motion::Clip& clip, const FlowOptions& options = {});

}  // namespace loom::blend
