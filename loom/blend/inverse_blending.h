// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <loom/base/math.h>
#include <loom/base/result.h>
#include <loom/blend/pose_blend.h>
#include <loom/blend/weights/simplex_least_squares.h>
#include <loom/motion/kinematics.h>
#include <loom/motion/skeleton.h>

namespace loom::blend {

/// Something wanted of a joint at one moment of a motion (Huang 2012 §3.4). Lengths in metres, in the frame the poses
/// of that moment were laid on: for a family, that of the character at the start.
struct Constraint {
  enum class Kind {
    kPosition,     ///< the joint's point is at `point`: 3 degrees of freedom
    kLine,         ///< it is on the line through `point` along `direction`: 2
    kOrientation,  ///< the joint is turned as `orientation`, about the world's axes of `axes`: 1 to 3
  };
  Kind kind = Kind::kPosition;
  std::size_t moment = 0;  ///< which of the moments of the problem
  int joint = 0;
  Vec3 offset;               ///< the point of the joint meant, in its own frame
  Vec3 point;                ///< for positions and lines
  Vec3 direction{0, 0, 1};   ///< for lines
  Quat orientation;          ///< for orientations
  std::uint8_t axes = 7;     ///< of the difference in orientation: 1 about x, 2 about y, 4 about z
  double priority = 1;       ///< c: how much this constraint counts against the others, in [0, 1]
  double normalisation = 0;  ///< n: what one metre or radian of error weighs; 0: the usual, see `usual_normalisation`
};

/// One metre of a position or a line weighs 1; one radian of an orientation 0.4, about the length of a forearm and
/// hand: what the turn moves at the end of the limb.
double usual_normalisation(Constraint::Kind kind);

/// What a joint at `frame` (the point meant, and how the joint is turned) lacks to meet the constraint: metres or
/// radians.
double constraint_error(const Constraint& constraint, const motion::JointFrame& frame);

/// c·n: what one metre or radian of error counts.
double constraint_weight(const Constraint& constraint);

/// What is made least where constraints contradict each other; where all can be met, both meet them.
enum class Objective : std::uint8_t {
  /// Σ (c·n·e)²: every constraint gives way a little. Priorities act squared.
  kSquares,
  /// Σ c·n·e, as Huang 2012 §3.3 has it. What has the upper hand is met, and what is in its way bears all of the error:
  /// of two places for one joint the one of higher priority is reached, not a point in between.
  kSum,
};

/// "squares" or "sum".
const char* to_string(Objective objective);
/// The objective of that name; nothing when there is none.
std::optional<Objective> objective_named(std::string_view name);

/// How inverse blending went.
struct InverseSolution {
  std::vector<double> errors;  ///< what is left of each constraint: metres or radians
  double length = 0;           ///< of all errors together, normalised and by priority: their sum, or root of squares
  std::size_t steps = 0;       ///< of the optimisation
};

struct InverseOptions {
  std::size_t examples = 0;  ///< k: how many of the examples nearest to the constraints take part; 0: all
  SimplexOptions solver;
  Objective objective = Objective::kSquares;
};

/// Finds convex weights for which a blend meets constraints (Huang 2012 §3.3), several at once and at several moments.
///
/// The examples that meet the constraints best start with a Gaussian of their errors; from there the weights are
/// optimised on the simplex with exact derivatives. Constraints that contradict each other end in the best compromise
/// by priority, as `Objective` says, and the errors left are told. It is made once for a set of constraints; then
/// targets may be moved and the problem solved again without allocating.
class InverseBlending {
 public:
  /// `moments` are the poses of the examples at the moments constraints may name, all of the same examples in the same
  /// order. Fails on no moments or examples, a constraint on a joint or moment that is not there, numbers that are not
  /// finite, a priority outside [0, 1], more than kMaxResiduals degrees of freedom in all.
  static Result<InverseBlending> create(const motion::Skeleton& skeleton, std::span<const PoseSet> moments,
                                        std::vector<Constraint> constraints);

  InverseBlending(InverseBlending&&) noexcept;
  InverseBlending& operator=(InverseBlending&&) noexcept;
  ~InverseBlending();

  [[nodiscard]] std::size_t examples() const;
  /// Another target for a constraint of this problem: its point, direction and orientation; the rest stays.
  void retarget(std::size_t constraint, const Constraint& target);

  /// Solves for the weights, one an example. `solution.errors` should have room for all constraints; then nothing is
  /// allocated.
  void solve(const InverseOptions& options, std::span<float> weights, InverseSolution& solution) const;
  /// What is left of each constraint with these weights, in metres or radians.
  void measure(std::span<const float> weights, std::span<double> errors) const;

 private:
  class Problem;
  explicit InverseBlending(std::unique_ptr<Problem> problem);
  [[nodiscard]] double sum_of(std::span<const double> errors) const;
  void make_sum_least(const InverseOptions& options, std::span<const double> distances, std::span<const bool> excluded,
                      std::span<float> weights, InverseSolution& solution) const;
  void lower_sum(const InverseOptions& options, std::span<const bool> excluded, std::span<float> tried,
                 std::span<float> weights, InverseSolution& solution) const;

  std::unique_ptr<Problem> problem_;
};

}  // namespace loom::blend
