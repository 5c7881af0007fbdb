// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include <loom/base/result.h>
#include <loom/blend/blend_space.h>
#include <loom/blend/family/parameters.h>
#include <loom/blend/weights/triangulation.h>
#include <loom/blend/weights/weights.h>
#include <loom/motion/stream.h>

namespace loom::blend {

/// A way through a parameter space, one point a frame: what parameters are asked for while a motion plays.
struct ParameterPath {
  std::size_t dimensions = 0;
  std::vector<double> points;  ///< frames × dimensions, in coordinates
  /// Whether the motion runs on, cycle after cycle, as locomotion does. Otherwise it stays at its stroke (its middle,
  /// where it has none), and only the parameters move it: a hand led along a curve.
  bool cyclic = false;

  [[nodiscard]] std::size_t size() const { return dimensions == 0 ? 0 : points.size() / dimensions; }
  [[nodiscard]] std::span<const double> operator[](std::size_t i) const {
    return {points.data() + i * dimensions, dimensions};
  }
};

/// A path within the hull of the examples, or nearly, that shows how a method behaves between them, in the manner of
/// Huang 2012 figure 4.5: locomotion goes from slow to fast, straight ahead where the examples allow; a placed joint is
/// led round a circle before the body; everything else round the largest circle about the middle of the examples in the
/// plane of the first two coordinates (to and fro, where there is but one). `frames` is at least 2.
ParameterPath usual_path(const ParameterSpace& space, const Triangulation& triangulation, std::size_t frames);

/// Plays a family along a path (see BlendStream): at each frame the weights are those of that frame's point.
///
/// A motion that is held keeps to what bodies do (`ExampleLimits`): where it would bend a knee or an elbow further,
/// `convex`, where given, weighs in, smoothly. The clip is named after nothing; contacts are those of the examples,
/// blended, and the feet are not held to them yet (`planting_for`). Fails on a path of fewer than two points or of
/// other dimensions than the weighting's.
Result<motion::Recording> lead(const std::shared_ptr<const BlendSpace>& space, const Weighting& weighting,
                               const ParameterPath& path, const Weighting* convex = nullptr);

}  // namespace loom::blend
