// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <loom/base/math.h>
#include <loom/base/result.h>
#include <loom/blend/align/registration.h>
#include <loom/motion/clip.h>
#include <loom/motion/contacts.h>

namespace loom::blend {

/// What a step is of a walk.
enum class StepKind : std::uint8_t {
  kOnTheWay,  ///< from the moment the supporting foot has come down to the moment the stepping foot has
  kFromRest,  ///< the first: from standing still on both feet until the stepping foot has come down
  kToRest,    ///< the last: until the body stands still on both feet
};
inline constexpr std::size_t kStepKinds = 3;

/// One recorded step (Huang 2012 §3.5), the supporting foot standing all the while.
///
/// The clip is laid so that the ball of the supporting foot is at the origin and that foot points along +Z.
struct StepExample {
  std::string source;  ///< the clip it was cut from, and where
  motion::Clip clip;
  std::vector<std::uint8_t> planted;  ///< FootBits, one a frame
  Vec3 from, to;                      ///< the ball of the stepping foot at the start and at the end
  float turn = 0;                     ///< the way the stepping foot points at the end, radians
  double lift = 0;  ///< seconds after which the stepping foot leaves the floor; 0 where it has left before
  double land = 0;  ///< seconds after which it has come down: the end, but where the body comes to rest after it
};

/// Steps of one foot and kind.
struct StepSet {
  bool left = true;  ///< the stepping foot
  StepKind kind = StepKind::kOnTheWay;
  std::vector<StepExample> examples;
  double lift = 0;  ///< share of a step after which the foot leaves the floor, the mean of all
  double land = 1;  ///< share after which it has come down
  /// One an example: normalised time of a step, in which all lift and put down the foot together, to the example's
  /// seconds.
  std::vector<RegistrationCurve> curves;
};

/// All steps found in some motion: each recorded step is an example for its own foot and, mirrored, for the other.
struct StepLibrary {
  std::shared_ptr<const motion::Skeleton> skeleton;
  double rate = 30;
  motion::Contacts feet;  ///< the points of the feet and how high they stand; no frames
  float foot_length = 0;  ///< metres from the ankle to the ball of a standing foot, along the floor
  StepSet left, right;
  std::array<StepSet, 2> first, last;  ///< from rest and to rest, left and right; empty where nobody stood still

  [[nodiscard]] const StepSet& steps(bool left_foot, StepKind kind = StepKind::kOnTheWay) const {
    if (kind == StepKind::kFromRest) return first[left_foot ? 0 : 1];
    if (kind == StepKind::kToRest) return last[left_foot ? 0 : 1];
    return left_foot ? left : right;
  }
};

struct StepOptions {
  double shortest = 0.25, longest = 1.5;  ///< seconds a step may take
  float max_wander = 0.06f;               ///< metres the ball of the supporting foot may move
  std::size_t most_examples = 80;         ///< of each foot; beyond it those that cover the ground best are kept
};

/// Cuts the steps out of clips of one body and rate, on the floor y = 0 or wherever `contacts` put it. Fails on no
/// clips, skeletons without feet or of two bodies, and when fewer than two steps are found, saying what was looked for.
Result<StepLibrary> find_steps(std::span<const motion::Clip> clips, std::span<const motion::Contacts> contacts,
                               const StepOptions& options = {});

}  // namespace loom::blend
