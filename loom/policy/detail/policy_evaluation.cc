// SPDX-License-Identifier: MIT
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include <loom/base/parallel.h>
#include <loom/policy/detail/expectation.h>
#include <loom/policy/detail/policy_evaluation.h>

namespace loom::policy {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Beyond this many controls, solving for levels would cost more than the sweeps it saves.
constexpr std::size_t kMostControlsWithLevels = 1024;

/// Controls a thread takes at a time: no fewer than are worth waking it.
std::size_t controls_at_once(std::size_t states) { return 1 + 200'000 / states; }

bool never_changes(const DecisionProblem& problem) {
  if (problem.ring > 0) return false;
  for (std::size_t c = 0; c < problem.controls; ++c) {
    if (problem.next_control[c * problem.controls + c] != 1) return false;
  }
  return true;
}

/// The worth of a path for ever, for the states of one control: worth[s] = earned[s] + discount × worth[next[s]].
void follow_paths(std::span<const std::uint32_t> next, std::span<const double> earned, double discount,
                  std::span<double> worth) {
  constexpr std::uint8_t kNew = 0, kOnPath = 1, kKnown = 2;
  std::vector<std::uint8_t> state(next.size(), kNew);
  std::vector<std::uint32_t> path;
  for (std::uint32_t start = 0; start < next.size(); ++start) {
    path.clear();
    std::uint32_t s = start;
    for (; state[s] == kNew; s = next[s]) {
      state[s] = kOnPath;
      path.push_back(s);
    }
    if (state[s] == kOnPath) {  // a new cycle, from s round to s
      double once = 0, factor = 1;
      std::uint32_t t = s;
      do {
        once += factor * earned[t];
        factor *= discount;
        t = next[t];
      } while (t != s);
      worth[s] = once / (1 - factor);
      state[s] = kKnown;
    }
    for (std::size_t i = path.size(); i-- > 0;) {
      const std::uint32_t p = path[i];
      if (state[p] != kKnown) worth[p] = earned[p] + discount * worth[next[p]];
      state[p] = kKnown;
    }
  }
}

}  // namespace

PolicyEvaluation::PolicyEvaluation(const DecisionProblem& problem)
    : problem_(problem), expectation_(problem), steady_(never_changes(problem)) {}

/// After a sweep that changed the rewards by d on average, (I - discount T) x = discount T d is what is still missing,
/// were all states of a control alike.
void PolicyEvaluation::find_levels(std::span<const std::uint32_t> next) {
  const auto n = static_cast<Eigen::Index>(problem_.controls);
  const std::vector<double> mean = mean_next_control(problem_, next);
  const Matrix t = problem_.discount * Eigen::Map<const Matrix>(mean.data(), n, n);
  const Matrix solved = (Matrix::Identity(n, n) - t).partialPivLu().solve(t);
  levels_.assign(solved.data(), solved.data() + solved.size());
}

void PolicyEvaluation::follow_cycles(std::span<const std::uint32_t> next, std::span<const double> earned,
                                     std::span<double> reward) const {
  const std::size_t states = problem_.states;
  parallel_for(problem_.controls, controls_at_once(states), [&](std::size_t begin, std::size_t end) {
    for (std::size_t c = begin; c < end; ++c) {
      follow_paths(next.subspan(c * states, states), earned.subspan(c * states, states), problem_.discount,
                   reward.subspan(c * states, states));
    }
  });
}

double PolicyEvaluation::sweep(std::span<const std::uint32_t> next, std::span<const double> earned,
                               std::span<double> reward, std::span<const double> future,
                               std::span<double> mean_change) const {
  const std::size_t states = problem_.states;
  std::vector<double> largest(problem_.controls);
  parallel_for(problem_.controls, controls_at_once(states), [&](std::size_t begin, std::size_t end) {
    for (std::size_t c = begin; c < end; ++c) {
      double sum = 0;
      for (std::size_t i = c * states; i < (c + 1) * states; ++i) {
        const double value = earned[i] + future[c * states + next[i]];
        const double change = value - reward[i];
        reward[i] = value;
        sum += change;
        largest[c] = std::max(largest[c], std::abs(change));
      }
      mean_change[c] = sum / static_cast<double>(states);
    }
  });
  return *std::max_element(largest.begin(), largest.end());
}

PolicyEvaluation::Outcome PolicyEvaluation::run(std::span<const std::uint32_t> next, std::span<const double> earned,
                                                std::span<double> reward, std::span<double> future, double tolerance,
                                                std::size_t most, const std::function<bool()>& go_on) {
  Outcome outcome;
  if (steady_) {
    follow_cycles(next, earned, reward);
    outcome.sweeps = 1;
    return outcome;
  }
  const std::size_t controls = problem_.controls, states = problem_.states;
  // Where controls turn with the body, states of one control are not alike (those that turn are worth more), and
  // levels found as if they were would throw the rewards about.
  const bool with_levels = controls <= kMostControlsWithLevels && problem_.discount > 0 && problem_.ring == 0;
  if (with_levels && levels_.empty()) find_levels(next);
  std::vector<double> mean_change(controls);
  while (outcome.sweeps < most && go_on()) {
    expectation_.find(reward, future);
    outcome.residual = sweep(next, earned, reward, future, mean_change);
    ++outcome.sweeps;
    if (outcome.residual <= tolerance) break;
    if (!with_levels) continue;
    parallel_for(controls, controls_at_once(states), [&](std::size_t begin, std::size_t end) {
      for (std::size_t c = begin; c < end; ++c) {
        double level = 0;
        for (std::size_t d = 0; d < controls; ++d) level += levels_[c * controls + d] * mean_change[d];
        for (std::size_t i = c * states; i < (c + 1) * states; ++i) reward[i] += level;
      }
    });
  }
  return outcome;
}

}  // namespace loom::policy
