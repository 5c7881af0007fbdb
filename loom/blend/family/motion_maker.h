// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <loom/base/result.h>
#include <loom/blend/blend.h>
#include <loom/blend/example_limits.h>
#include <loom/blend/family/family.h>
#include <loom/blend/family/family_model.h>
#include <loom/blend/inverse_blending.h>
#include <loom/blend/weights/weights.h>

namespace loom::blend {

/// What is wanted of a joint at a stroke: a place, a line it is to lie on, or a way it is to be turned (Huang 2012
/// §3.4). Several at once point, pour and grasp: see `Constraint`, which has the same fields.
struct JointTarget {
  int joint = 0;
  Vec3 point;              ///< metres, seen from the character at the start; for places and lines
  std::size_t stroke = 0;  ///< which one, counted from 0
  Constraint::Kind kind = Constraint::Kind::kPosition;
  Vec3 direction{0, 0, 1};   ///< for lines
  Quat orientation{};        ///< for turns: from the rest pose, facing +Z
  std::uint8_t axes = 7;     ///< for turns: 1 about x, 2 about y, 4 about z
  double priority = 1;       ///< c, in [0, 1]
  double normalisation = 0;  ///< n; 0: the usual
};

/// The problem whose weights meet `targets`: what `MotionMaker::reach` solves, without the motion. Fails on no targets,
/// a stroke that is not there, and as `InverseBlending::create` does.
Result<InverseBlending> constrain(const BlendSpace& space, std::span<const JointTarget> targets);

/// A motion made to order, and how well it came out.
struct MadeMotion {
  Blended blended;
  std::vector<float> weights;   ///< one an example
  Weighed weighed;              ///< whether the parameters were outside the examples
  std::vector<double> reached;  ///< the parameters of the made motion itself, in their units; none for targets
  std::vector<double> errors;   ///< metres from each target, radians of turns; none for parameters
  double error = 0;  ///< how far the motion is from what was asked: in coordinates, or the largest of `errors`
};

/// Makes motions of a family: for given parameters, or with joints in given places.
class MotionMaker {
 public:
  /// `space` is the motion of the family's members. Fails when they have no extent.
  static Result<MotionMaker> create(std::shared_ptr<const Family> family, std::shared_ptr<const BlendSpace> space,
                                    Method method);
  /// The same where the members are tied into simplices already (`triangulate`).
  static MotionMaker of(std::shared_ptr<const Family> family, std::shared_ptr<const BlendSpace> space,
                        std::shared_ptr<const Triangulation> points, Method method);

  /// The motion with these parameters, one number for each of the family's, in their units. Parameters outside the
  /// examples are clamped or extrapolated as asked. (Where clamping is asked for and the method still extrapolates so
  /// far that the result would be no motion, as off the shell a punch reaches, inverse blending takes over: the
  /// nearest that a blend proper can do. Where knees, elbows or feet would leave what they do in the examples, as much
  /// of the extrapolation is taken as they allow.)
  ///
  /// Planting feet moves a body by millimetres after it was blended. So the parameters of the motion are measured, and
  /// what they are off is asked for on top, a few times. Fails on a wrong number of parameters or one not finite.
  Result<MadeMotion> at(std::span<const double> values, Outside outside, const BlendOptions& options = {}) const;

  /// The motion whose joints are at their targets, by inverse blending, as near as all of them can be met together by
  /// `objective`. Feet are answered for as above. A place for the joint the family is about is also tried as its
  /// parameters, and the better taken: a stretched arm never comes nearer in convex blends of stretched arms. Fails on
  /// no targets, a joint or a stroke that is not there, a number not finite, and as `InverseBlending::create` does.
  Result<MadeMotion> reach(std::span<const JointTarget> targets, const BlendOptions& options = {},
                           Objective objective = Objective::kSquares) const;

 private:
  MotionMaker() = default;
  Weighed weigh(std::span<const double> at, Outside outside, std::span<float> weights) const;
  /// Makes the motion at coordinates `at`, with as much extrapolation as the body allows.
  Result<MadeMotion> make(std::span<const double> at, Outside outside, const BlendOptions& options) const;
  Result<void> restrain(std::span<const double> at, const BlendOptions& options, MadeMotion& made) const;
  [[nodiscard]] std::vector<double> coordinates_of(const MadeMotion& made) const;

  std::shared_ptr<const Family> family_;
  std::shared_ptr<const BlendSpace> space_;
  std::shared_ptr<const FamilyModel> model_;
  std::shared_ptr<const Triangulation> points_;
  std::shared_ptr<const Weighting> weighting_;
  std::shared_ptr<const Weighting> convex_;  ///< what takes over where that extrapolates too far
  ExampleLimits limits_;
};

}  // namespace loom::blend
