// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/policy/controllers.h>
#include <loom/policy/fragments.h>
#include <loom/policy/trace.h>

namespace loom::policy {

/// What judges a path of fragments along a trace: the same quality for every controller (McCann & Pollard 2007 eq. 1).
struct Judge {
  std::shared_ptr<const FragmentSet> fragments;
  std::shared_ptr<const TransitionTable> transitions;  ///< MotionQuality, of all transitions
  ControlWeights weights;
};

/// A path of fragments along a trace: steps[0] is where it starts; steps[i + 1] was chosen under the control of step i.
struct FragmentPath {
  std::vector<std::uint32_t> steps;
  std::vector<float> motion_quality;   ///< of each choice
  std::vector<float> control_quality;  ///< of each choice, for the very control and not for its bin

  /// The sum of the products (eq. 1): what the path is worth.
  [[nodiscard]] double total() const;
};

/// Runs a controller over the controls of a trace, one a fragment, from fragment `start` on.
FragmentPath run_controller(const Judge& judge, Controller& controller, std::span<const ControlSignal> controls,
                            std::uint32_t start);

/// The best path for controls known beforehand, by dynamic programming (eq. 7, 8), for several traces at once. The
/// transitions it may use are `allowed`; it is judged as all others. O(steps × fragments²), mostly skipped.
Result<std::vector<FragmentPath>> optimal_paths(const Judge& judge, const TransitionTable& allowed,
                                                std::span<const std::vector<ControlSignal>> traces,
                                                const Progress& progress = {});

/// What the choices of paths are worth on average: not as a share of anything.
struct PathMeans {
  double quality = 0;          ///< motion quality times control quality (eq. 1), in [0, 1]
  double motion_quality = 0;   ///< in [0, 1]
  double control_quality = 0;  ///< in [0, 1]
};

/// Over all choices of all paths; zero where there are none.
PathMeans means_of(std::span<const FragmentPath> paths);

/// How a controller did: a row of table 1.
struct ControllerScore {
  std::string controller;           ///< "model", "steady-t", "motion matching", ...
  std::vector<double> percent;      ///< of the optimum, one a trace
  double percent_of_optimal = 0;    ///< mean over traces
  double std = 0;                   ///< standard deviation over traces
  PathMeans means;                  ///< over all traces
  std::vector<FragmentPath> paths;  ///< one a trace
};

/// Compares the paths of a controller with the best ones.
ControllerScore score(std::string controller, std::vector<FragmentPath> paths, std::span<const FragmentPath> optimal);

}  // namespace loom::policy
