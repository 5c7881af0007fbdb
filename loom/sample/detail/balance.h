// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include <loom/base/math.h>
#include <loom/sample/detail/foot_plan.h>

namespace loom::sample {

inline constexpr double kGravity = 9.81;  ///< metres a second squared

/// The way of the centre of mass over the floor, found from where and when the feet press on it.
///
/// A body is a mass on legs: the force of the floor goes from the point of pressure z through the centre of mass c, so
/// that c'' = (g + y'') / y (c - z), with y the height of the mass (Kajita 2003). Given z and y over the whole
/// performance this has one solution that neither falls over nor runs away; it is what makes the weight shift before
/// a step, the body sway over the carrying foot, lean into a turn and fly straight in a jump, where the bracket is
/// zero. Solved by central differences, O(samples).
///
/// `pressure` and `height` (of the centre of mass above the floor, metres) are sampled every `step` seconds. The
/// result starts and ends above the pressure.
std::vector<Vec3> center_of_mass_path(std::span<const Vec3> pressure, std::span<const double> height, double step);

/// How much of the weight the left foot carries over time: all or nothing while one foot stands, a smooth change
/// between, and what `rest` says during longer stands on both feet.
class WeightShare {
 public:
  WeightShare(const FootTrack& left, const FootTrack& right, const Curve& rest, double begin, double end);

  /// In [0, 1].
  double operator()(double time) const { return curve_(time); }

 private:
  Curve curve_;
};

}  // namespace loom::sample
