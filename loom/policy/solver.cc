// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <loom/base/memory.h>
#include <loom/base/parallel.h>
#include <loom/policy/detail/expectation.h>
#include <loom/policy/detail/memory_needs.h>
#include <loom/policy/detail/policy_evaluation.h>
#include <loom/policy/solver.h>

namespace loom::policy {
namespace {

/// States decided one after the other by a thread, so that their decisions are written side by side.
constexpr std::size_t kStatesAtOnce = 16;
/// The policy is evaluated to this share of what the last full sweep changed: more would be lost at the next change of
/// policy, less would waste full sweeps.
constexpr double kEvaluationShare = 0.02;
constexpr std::size_t kMostEvaluations = 400;

/// The maximum for all controls of `columns`, whose futures are set.
void sweep_columns(const TransitionTable& transitions, const ValueColumns& columns, std::span<std::uint32_t> next,
                   std::span<double> value) {
  const std::size_t states = columns.states(), controls = columns.columns();
  const std::size_t groups = (states + kStatesAtOnce - 1) / kStatesAtOnce;
  parallel_for(groups, 1, [&](std::size_t first, std::size_t last) {
    std::vector<Decision> decisions(controls * kStatesAtOnce);
    for (std::size_t g = first; g < last; ++g) {
      const std::size_t begin = g * kStatesAtOnce, end = std::min(begin + kStatesAtOnce, states);
      for (std::size_t s = begin; s < end; ++s) {
        const std::span<Decision> row(decisions.data() + (s - begin) * controls, controls);
        for (std::size_t c = 0; c < controls; ++c) row[c].to = next[c * states + s];
        transitions.decide(s, columns, row);
      }
      for (std::size_t c = 0; c < controls; ++c) {
        const double level = columns.level(c);
        for (std::size_t s = begin; s < end; ++s) {
          const Decision& decision = decisions[(s - begin) * controls + c];
          next[c * states + s] = decision.to;
          value[c * states + s] = decision.value + level;
        }
      }
    }
  });
}

void set_futures(ValueColumns& columns, std::span<const double> future) {
  parallel_for(columns.columns(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t c = begin; c < end; ++c) {
      columns.set_future(c, future.subspan(c * columns.states(), columns.states()));
    }
  });
}

/// This machine's cores, with columns that are made once.
class OwnSweeps final : public SweepEngine {
 public:
  explicit OwnSweeps(const DecisionProblem& problem)
      : columns_(problem.states, problem.controls, problem.control_quality) {}

  Result<void> sweep(const DecisionProblem& problem, std::span<const double> future, std::span<std::uint32_t> next,
                     std::span<double> value) override {
    set_futures(columns_, future);
    sweep_columns(*problem.transitions, columns_, next, value);
    return {};
  }

 private:
  ValueColumns columns_;
};

/// Everything a solve works on.
class Iteration {
 public:
  Iteration(const DecisionProblem& problem, const Solution* start, SweepEngine* engine)
      : problem_(problem), engine_(engine), expectation_(problem), evaluation_(problem) {
    if (engine_ == nullptr) {
      own_ = std::make_unique<OwnSweeps>(problem);
      engine_ = own_.get();
    }
    const std::size_t size = problem.states * problem.controls;
    solution_.states = problem.states;
    solution_.controls = problem.controls;
    if (start) {
      solution_.next = start->next;
      solution_.reward = start->reward;
    } else {
      solution_.next.assign(size, kNoState);
      solution_.reward.assign(size, 0);
    }
    for (std::size_t i = 0; i < size; ++i) {
      std::uint32_t& to = solution_.next[i];
      const std::size_t from = i % problem.states;
      if (to >= problem.states || problem.transitions->quality(from, to) < 0) {
        to = problem.transitions->any_successor(from);
      }
    }
    earned_.resize(size);
    future_.resize(size);
    value_.resize(size);
  }

  /// One full sweep of eq. 2. Returns the largest change of a reward.
  Result<double> improve() {
    expectation_.find(solution_.reward, future_);
    if (const auto swept = engine_->sweep(problem_, future_, solution_.next, value_); !swept) return fail_from(swept);
    std::vector<double> change(problem_.controls);
    parallel_for(problem_.controls, 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t c = begin; c < end; ++c) change[c] = take_values(c);
    });
    ++solution_.sweeps;
    return *std::max_element(change.begin(), change.end());
  }

  void evaluate(double tolerance, const std::function<bool()>& go_on) {
    solution_.evaluations +=
        evaluation_.run(solution_.next, earned_, solution_.reward, future_, tolerance, kMostEvaluations, go_on).sweeps;
  }

  Solution& solution() { return solution_; }

 private:
  /// Puts what a sweep found for one control into the solution. Returns the largest change of a reward.
  double take_values(std::size_t control) {
    const std::size_t states = problem_.states;
    double change = 0;
    for (std::size_t i = control * states; i < (control + 1) * states; ++i) {
      change = std::max(change, std::abs(value_[i] - solution_.reward[i]));
      solution_.reward[i] = value_[i];
      earned_[i] = value_[i] - future_[control * states + solution_.next[i]];
    }
    return change;
  }

  const DecisionProblem& problem_;
  SweepEngine* engine_;
  std::unique_ptr<OwnSweeps> own_;
  Expectation expectation_;
  PolicyEvaluation evaluation_;
  Solution solution_;
  std::vector<double> earned_, future_, value_;
};

Result<void> check_start(const DecisionProblem& problem, const Solution& start) {
  const std::size_t size = problem.states * problem.controls;
  if (start.states != problem.states || start.controls != problem.controls || start.next.size() != size ||
      start.reward.size() != size) {
    return fail(fmt::format("the policy to start from has {} states and {} controls, and the problem has {} and {}",
                            start.states, start.controls, problem.states, problem.controls));
  }
  return {};
}

/// How far a solve is: from the first residual down to the tolerance, in orders of magnitude.
double share_done(double first, double now, double tolerance) {
  if (now <= tolerance || first <= tolerance) return 1;
  return std::clamp(std::log(first / now) / std::log(first / tolerance), 0.0, 1.0);
}

Result<Solution> iterate(const DecisionProblem& problem, const SolveOptions& options, const Solution* start,
                         const Progress& progress) {
  Iteration iteration(problem, start, options.engine);
  Solution& solution = iteration.solution();
  double first = 0, done = 0;
  const auto go_on = [&] {
    // A sweep may change more than the one before; what was reported is not taken back.
    done = std::max(done, share_done(first, solution.residual, options.tolerance));
    return progress.report(done, "deciding");
  };
  while (solution.sweeps < options.max_sweeps) {
    const auto residual = iteration.improve();
    if (!residual) return fail_from(residual);
    solution.residual = *residual;
    if (solution.sweeps == 1) first = solution.residual;
    // Without a future the first sweep is the last word.
    solution.converged = solution.residual <= options.tolerance || problem.discount == 0;
    if (solution.converged || !go_on()) break;
    iteration.evaluate(std::max(kEvaluationShare * solution.residual, 0.1 * options.tolerance), go_on);
  }
  return std::move(solution);
}

}  // namespace

double solve_bytes(std::size_t states, std::size_t controls) {
  // Next and reward of the solution, what is earned, what follows and what a sweep finds, and the columns the maximum
  // runs through.
  return static_cast<double>(states) * static_cast<double>(controls) * (4 + 8 + 8 + 8 + 8 + 17);
}

void sweep_controls(const DecisionProblem& problem, std::size_t first, std::size_t count,
                    std::span<const double> future, std::span<std::uint32_t> next, std::span<double> value) {
  const std::span<const float> quality(problem.control_quality);
  ValueColumns columns(problem.states, count, quality.subspan(first * problem.states, count * problem.states));
  set_futures(columns, future);
  sweep_columns(*problem.transitions, columns, next, value);
}

Result<void> validate(const DecisionProblem& problem) {
  if (problem.states == 0) return fail("there is nothing to decide: no states");
  if (problem.controls == 0) return fail("there is nothing to decide: no controls");
  if (!problem.transitions || problem.transitions->states() != problem.states) {
    return fail("the transitions are not those of the problem's states");
  }
  if (!(problem.discount >= 0 && problem.discount < 1)) return fail("the discount must be at least 0 and below 1");
  if (problem.control_quality.size() != problem.states * problem.controls ||
      problem.next_control.size() != problem.controls * problem.controls) {
    return fail("the tables of the problem are not of its size");
  }
  for (const float quality : problem.control_quality) {
    if (!(quality >= 0 && quality <= 1)) return fail("a control quality is not in 0 to 1");
  }
  for (std::size_t c = 0; c < problem.controls; ++c) {
    double sum = 0;
    for (std::size_t d = 0; d < problem.controls; ++d) {
      const double p = problem.next_control[c * problem.controls + d];
      if (!(p >= 0)) return fail(fmt::format("the probability of control {} after {} is negative or no number", d, c));
      sum += p;
    }
    if (std::abs(sum - 1) > 1e-6) return fail(fmt::format("the probabilities after control {} add up to {}", c, sum));
  }
  if (problem.ring > 0) {
    if (problem.controls % problem.ring != 0) return fail("the controls are no whole number of circles");
    if (problem.drift.size() != problem.states) return fail("not every state says how far it turns");
    if (!std::all_of(problem.drift.begin(), problem.drift.end(), [](float d) { return std::isfinite(d); })) {
      return fail("a state turns by what is no number");
    }
  }
  return {};
}

Result<Solution> solve(const DecisionProblem& problem, const SolveOptions& options, const Solution* start,
                       const Progress& progress) {
  if (const auto valid = validate(problem); !valid) return fail_from(valid);
  if (start) {
    if (const auto fits = check_start(problem, *start); !fits) return fail_from(fits);
  }
  const auto room = require_memory(
      solve_bytes(problem.states, problem.controls),
      fmt::format("deciding for {} states and {} controls", problem.states, problem.controls), "take fewer of either");
  if (!room) return fail_from(room);
  return within_memory("so many decisions", [&] { return iterate(problem, options, start, progress); });
}

}  // namespace loom::policy
