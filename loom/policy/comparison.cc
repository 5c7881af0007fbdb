// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <chrono>

#include <fmt/format.h>

#include <loom/base/progress_part.h>
#include <loom/policy/comparison.h>

namespace loom::policy {
namespace {

using Clock = std::chrono::steady_clock;

/// Shares of the work, roughly: the best paths of all transitions, and all policies; then those of few transitions.
constexpr double kFirstPaths = 0.2, kPolicies = 0.6;

class Table {
 public:
  Table(const TrainingGround& ground, std::span<const Trace> traces, const ComparisonOptions& options)
      : ground_(ground), options_(options), judge_{ground.fragments.set, ground.transitions, ground.space.weights} {
    const BinFinder bins(ground.space);
    for (const Trace& trace : traces) {
      signals_.push_back(sample(trace, ground.fragments.set->seconds()));
      if (options.exact_signals) continue;
      for (ControlSignal& signal : signals_.back()) signal = ground.space.bins[bins.find(signal)];
    }
  }

  Result<std::vector<FragmentPath>> best(const TransitionTable& allowed, const Progress& progress) const {
    return optimal_paths(judge_, allowed, signals_, progress);
  }

  std::vector<FragmentPath> run(Controller& controller, std::span<const FragmentPath> optimal) const {
    std::vector<FragmentPath> paths;
    for (std::size_t i = 0; i < signals_.size(); ++i) {
      paths.push_back(run_controller(judge_, controller, signals_[i], optimal[i].steps.front()));
    }
    return paths;
  }

  /// Solves for a policy, or takes the known one. With few transitions allowed it is solved from the policy of all
  /// transitions on, which is near.
  Result<ControllerScore> policy(PolicyKind kind, double share, const Policy* known,
                                 std::span<const FragmentPath> optimal, const Progress& progress) {
    std::shared_ptr<const Solution>& solution = solutions_[static_cast<std::size_t>(kind)];
    const bool as_solved = !options_.literal || kind == PolicyKind::kModel;
    if (known && as_solved && known->kind == kind && known->threshold_share == share && known->solution.converged) {
      solution = std::make_shared<Solution>(known->solution);
    } else {
      auto trained = train_policy(ground_, {kind, share, options_.solve, options_.literal}, solution.get(), progress);
      if (!trained) return fail_from(trained);
      if (!trained->solution.converged && !progress.report(1, ""))
        return fail_as(ErrorKind::kStopped, "stopped while comparing controllers");
      solution = std::make_shared<Solution>(std::move(trained->solution));
    }
    TableController controller(ground_.space, solution);
    return score(fmt::format("{}{}", name_of(kind), share < 1 ? "-t" : ""), run(controller, optimal), optimal);
  }

 private:
  const TrainingGround& ground_;
  const ComparisonOptions& options_;
  Judge judge_;
  std::vector<std::vector<ControlSignal>> signals_;
  std::array<std::shared_ptr<const Solution>, std::size(kPolicyKinds)> solutions_;  ///< the last one of each kind
};

std::string describe(std::span<const Trace> traces) {
  double seconds = 0;
  for (const Trace& trace : traces) seconds += trace.seconds();
  const bool simulated = std::any_of(traces.begin(), traces.end(), [](const Trace& t) { return t.simulated; });
  return fmt::format("{}: {} trace{}, {:.0f} s", simulated ? "simulated" : "recorded", traces.size(),
                     traces.size() == 1 ? "" : "s", seconds);
}

}  // namespace

Result<Comparison> compare_controllers(const TrainingGround& ground, std::span<const Trace> traces, const Policy* known,
                                       std::span<const OtherController> others, const ComparisonOptions& options,
                                       const Progress& progress) {
  if (traces.empty()) return fail("there are no traces to compare controllers on");
  for (const Trace& trace : traces) {
    if (trace.seconds() < ground.fragments.set->seconds())
      return fail("the trace is shorter than a fragment", trace.name);
  }
  Table table(ground, traces, options);
  Comparison result;
  result.training = ground.model.source;
  result.evaluation = describe(traces);
  for (const Trace& trace : traces) result.traces.push_back(trace.name);
  const auto start = Clock::now();
  auto optimal = table.best(*ground.transitions, part_of(progress, 0, kFirstPaths));
  if (!optimal) return fail_from(optimal);
  result.optimal = std::move(*optimal);
  result.optimum = means_of(result.optimal);
  result.optimum_seconds = std::chrono::duration<double>(Clock::now() - start).count();
  const auto policies = static_cast<double>(options.kinds.size() * (options.thresholded ? 2 : 1));
  double done = kFirstPaths;
  for (const double share : {1.0, kThresholdShare}) {
    if (share < 1 && !options.thresholded) break;
    for (const PolicyKind kind : options.kinds) {
      auto row =
          table.policy(kind, share, known, result.optimal,
                       part_of(progress, done, done + kPolicies / policies, fmt::format("solving {}", name_of(kind))));
      if (!row) return fail_from(row);
      result.controllers.push_back(std::move(*row));
      done += kPolicies / policies;
    }
    if (share < 1) continue;
    for (const OtherController& other : others) {
      result.controllers.push_back(score(other.name, table.run(*other.controller, result.optimal), result.optimal));
    }
  }
  if (options.thresholded) {
    auto best = table.best(ground.transitions->thresholded(kThresholdShare), part_of(progress, done, 1));
    if (!best) return fail_from(best);
    result.controllers.push_back(score("opt-t", std::move(*best), result.optimal));
  }
  return result;
}

}  // namespace loom::policy
