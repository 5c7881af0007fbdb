// SPDX-License-Identifier: MIT
#pragma once

#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/policy/evaluate.h>
#include <loom/policy/train.h>

namespace loom::policy {

/// The share of transitions the "-t" controllers may use (McCann & Pollard 2007 §4.2).
inline constexpr double kThresholdShare = 0.08;

struct ComparisonOptions {
  /// Judge by the very signals of the traces. By default a signal counts as the centre of its bin, which is all that a
  /// policy is told of it, and what the tables of the work are made of.
  bool exact_signals = false;
  bool thresholded = true;                                                          ///< with the "-t" controllers
  std::vector<PolicyKind> kinds{std::begin(kPolicyKinds), std::end(kPolicyKinds)};  ///< which policies to compare
  SolveOptions solve;
  bool literal = false;  ///< baselines decide by eq. 3 as printed (TrainOptions::literal)
};

/// A controller that is no policy of the work, to be compared with those that are.
struct OtherController {
  std::string name;
  std::shared_ptr<Controller> controller;
};

/// Table 1 of the work, and what its figures 5 to 7 are drawn from.
struct Comparison {
  std::vector<ControllerScore> controllers;  ///< model, steady, spread, greedy, others; then each -t, opt-t
  std::vector<FragmentPath> optimal;         ///< one a trace
  PathMeans optimum;                         ///< of all choices of those
  std::vector<std::string> traces;           ///< their names
  std::string training;                      ///< what the player model was counted from
  std::string evaluation;                    ///< what the controllers were run over
  double optimum_seconds = 0;                ///< time the search for the best paths took
};

/// Runs every controller over `traces`, which the player model must not have been counted from, and compares them with
/// the best possible. All start from the fragment the best path starts from. `known` is a policy that need not be
/// solved again, or null. Fails when `progress` asks to stop.
Result<Comparison> compare_controllers(const TrainingGround& ground, std::span<const Trace> traces, const Policy* known,
                                       std::span<const OtherController> others, const ComparisonOptions& options,
                                       const Progress& progress = {});

}  // namespace loom::policy
