// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <loom/blend/inverse_blending.h>
#include <loom/blend/pose_blend.h>
#include <loom/blend/steps/step_examples.h>
#include <loom/motion/ground_frame.h>
#include <loom/polish/foot.h>

namespace loom::blend {

/// What one step is to do, seen from the supporting foot: its ball at the origin, pointing along +Z.
struct StepWish {
  Vec3 from, to;   ///< the ball of the stepping foot at the start and the end, on the floor; heights are not used
  float turn = 0;  ///< the way it points at the end, radians
  std::optional<Vec3> root;  ///< where the root is at the start, if that is known: steps that follow each other agree
  float facing = 0;          ///< which way the body faces at the start where its root is not known, radians
};

/// The weights of a step's examples at its start and at its end.
struct StepWeights {
  std::vector<float> start, end;
  double error = 0;       ///< metres the ball of the stepping foot misses its place by at the end
  double turn_error = 0;  ///< radians
};

/// Solves the two inverse blending problems of a step (Huang 2012 §3.5, phases 1 and 2) for one foot, and gives the
/// poses in between (phase 3).
class StepSolver {
 public:
  /// `library` must stay. Fails as `InverseBlending::create` does, and where there are no steps of this kind.
  static Result<StepSolver> create(const StepLibrary& library, bool left, StepKind kind = StepKind::kOnTheWay);

  [[nodiscard]] StepWeights solve(const StepWish& wish, std::size_t examples,
                                  Objective objective = Objective::kSquares);

  /// The blend of those examples that have weight at normalised time `u` of a step, with `weights`: placed so that the
  /// ball of the supporting foot is at the origin of the floor.
  void pose(double u, std::span<const float> weights, Vec3& root, std::span<Quat> rotations) const;
  /// Which parts of the feet are planted then: those that are in most of the examples, by weight.
  [[nodiscard]] std::uint8_t planted(double u, std::span<const float> weights) const;

  /// The mean length of the examples in seconds, by weight.
  [[nodiscard]] double seconds(std::span<const float> weights) const;
  /// How far the root of example `i` has gone at each of `count` + 1 evenly spaced moments of its own time, as a share
  /// of its whole way: its velocity profile (phase 4).
  [[nodiscard]] std::vector<double> profile(std::size_t i, std::size_t count) const;

  [[nodiscard]] const StepSet& set() const { return *set_; }

 private:
  StepSolver(const StepLibrary& library, bool left, StepKind kind, const std::array<polish::Foot, 2>& feet);
  [[nodiscard]] PoseSet poses_at(double u) const;
  void start(const StepWish& wish, const InverseOptions& options, std::span<float> weights);
  [[nodiscard]] Vec3 ball_in(const PoseSet& moment, std::span<const float> weights, const polish::Foot& foot) const;

  const StepLibrary* library_;
  const StepSet* set_;
  motion::GroundFrameFinder finder_;
  polish::Foot support_, stepping_;
  PoseSet start_, end_;
  Quat flat_;              ///< how the stepping foot is turned in the world when it stands and points along +Z
  float rest_height_ = 0;  ///< of its ball then, metres
  Quat front_;             ///< how the root is turned at the start of a step when the body faces +Z
  std::optional<InverseBlending> first_problem_, start_problem_, end_problem_;
};

}  // namespace loom::blend
