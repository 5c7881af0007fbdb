// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/policy/dense_transitions.h>
#include <loom/policy/fragments.h>

namespace loom::policy {

/// How smoothly one fragment goes over into another (McCann & Pollard 2007 eq. 9).
struct MotionQualityOptions {
  std::array<float, 3> weights{0.8f, 0.5f, 0.3f};  ///< omega, a metre of distance summed over bone tips
  /// delta, frames of a sixtieth of a second: at a higher rate as many more, at a lower one frames as they come. Each
  /// below the fragment's length.
  std::array<std::uint32_t, 3> offsets{1, 2, 3};
  double stutter_seconds = 0.3;  ///< those that start this long or less before are not allowed
  /// Metres from where the body has a foot that a fragment may stand on it; twice as many where either flies. Those
  /// that have no foot so near are not allowed, unless there are no others: eq. 9 alone takes a join with the legs the
  /// wrong way round for one lost step, and a policy gladly pays that for the next four. 0: as in the work, all are
  /// allowed.
  double support_metres = 0;

  friend bool operator==(const MotionQualityOptions&, const MotionQualityOptions&) = default;
};

/// The qualities of all transitions between fragments.
///
/// A pose reflected about the last one predicts what comes: joint angles turn as far again as they turned before, and
/// the distance of the bone tips to those of the pose that does come measures the break. Poses are compared with the
/// body's place and heading on the floor taken out, which a game decides. O(fragments² × bones), vectorised: about a
/// second for 5,934 fragments on two cores. Fails on offsets that are no frames of a fragment.
Result<DenseTransitions> motion_qualities(const FragmentMotion& fragments, const MotionQualityOptions& options = {},
                                          const Progress& progress = {});

/// How well each fragment answers each bin of `space` (eq. 10): bins × fragments.
std::vector<float> control_qualities(const FragmentSet& set, const ControlSpace& space);

}  // namespace loom::policy
