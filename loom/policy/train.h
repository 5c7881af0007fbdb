// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/policy/controllers.h>
#include <loom/policy/fragments.h>
#include <loom/policy/motion_quality.h>
#include <loom/policy/player_model.h>
#include <loom/policy/policy.h>

namespace loom::policy {

/// The middle column of McCann & Pollard 2007 fig. 3: all that policies over one set of fragments are solved from.
struct TrainingGround {
  FragmentMotion fragments;
  ControlSpace space;
  PlayerModel model;
  MotionQualityOptions quality;
  double discount = 0.999;
  std::shared_ptr<const DenseTransitions> transitions;  ///< MotionQuality of all transitions
  std::vector<float> control_quality;                   ///< bins × fragments
};

/// Judges all transitions and all answers. Fails as `motion_qualities` does, and on a space whose flags are not those
/// of the fragments.
Result<TrainingGround> prepare_training(FragmentMotion fragments, ControlSpace space, PlayerModel model,
                                        const MotionQualityOptions& quality, double discount,
                                        const Progress& progress = {});

/// What to train.
struct TrainOptions {
  PolicyKind kind = PolicyKind::kModel;
  double threshold_share = 1;  ///< only this share of the transitions is allowed; 1: all
  SolveOptions solve;
  /// Decide once more at the end as the player model has it (eq. 3, which §3.1 keeps for every controller), whatever
  /// the rewards expect of the player. Without, a controller decides by what it expects itself.
  bool literal = false;
};

/// Solves for a policy, from `start` on where it is not null. When `progress` asks to stop, the policy is returned as
/// far as it is, its solution not `converged`.
Result<Policy> train_policy(const TrainingGround& ground, const TrainOptions& options, const Solution* start = nullptr,
                            const Progress& progress = {});

}  // namespace loom::policy
