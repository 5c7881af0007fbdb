// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <loom/base/result.h>
#include <loom/blend/inverse_blending.h>
#include <loom/blend/steps/footprints.h>
#include <loom/blend/steps/step_examples.h>
#include <loom/blend/steps/step_solver.h>
#include <loom/motion/clip.h>
#include <loom/motion/contacts.h>
#include <loom/polish/foot.h>

namespace loom::blend {

struct StepWalkOptions {
  std::size_t examples = 12;                  ///< k: how many examples nearest to what is wanted take part in each step
  float max_correction = 0.3f;                ///< metres; a footprint that blending misses by more is refused
  Objective objective = Objective::kSquares;  ///< what is made least where place and direction of a foot disagree
  bool from_rest = false;                     ///< the walk begins with somebody who stands still
  bool to_rest = false;                       ///< and ends with them standing still
};

/// How one step came out.
struct StepReport {
  std::size_t footprint = 0;       ///< the one stepped on, counted from 0
  std::size_t begin = 0, end = 0;  ///< frames of the walk: the supporting foot has come down, the stepping foot has
  std::string example;             ///< the one that weighs most
  double blend_error = 0;          ///< metres from the footprint to where blending alone puts the foot
  double turn_error = 0;           ///< radians, the same of its direction
};

/// A walk on given footprints.
struct StepWalk {
  motion::Clip clip;
  motion::Contacts contacts;
  std::vector<StepReport> steps;  ///< one for each footprint from the third on
  std::vector<double> errors;     ///< metres, one a footprint: from it to where the foot stands in the clip
  double largest_error = 0;
};

/// Walks on footprints, again and again: what is reckoned once of the steps is kept.
class StepWalker {
 public:
  /// `library` must stay. Fails where it has no steps.
  static Result<StepWalker> create(const StepLibrary& library);
  /// As `walk_on_footprints`. Where it is to begin or end at rest and no recorded step does, it fails.
  Result<StepWalk> walk(std::span<const Footprint> footprints, const StepWalkOptions& options = {});
  [[nodiscard]] const StepLibrary& library() const { return *library_; }

 private:
  StepWalker() = default;
  const StepLibrary* library_ = nullptr;
  std::array<polish::Foot, 2> feet_;
  std::array<std::optional<StepSolver>, 2 * kStepKinds> solvers_;  ///< by kind, left and right; made when needed
};

/// Walks on footprints (Huang 2012 §3.5). The feet stand on the first two at the start; each further one is stepped on.
///
/// For every step, inverse blending finds weights for which the stepping foot starts where it stands, and weights for
/// which it ends on its footprint and points along it; the weights go from the first to the second on a sine, and time
/// runs so that the root moves with the velocity profile of the example that weighs most. The supporting foot is
/// fixed in place. Steps are joined by letting the difference of pose and velocity die away. What is left, millimetres
/// where the examples surround what is wanted, is taken up by the legs, so that every footprint is met; feet are then
/// planted by polish.
///
/// Fails when a footprint is further from what blending reaches than `max_correction`, naming it and how far.
Result<StepWalk> walk_on_footprints(const StepLibrary& library, std::span<const Footprint> footprints,
                                    const StepWalkOptions& options = {});

}  // namespace loom::blend
