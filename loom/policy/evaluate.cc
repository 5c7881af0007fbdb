// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <loom/base/memory.h>
#include <loom/base/parallel.h>
#include <loom/policy/evaluate.h>

namespace loom::policy {
namespace {

constexpr std::size_t kFragmentsAtOnce = 16;
constexpr double kColumnBytes = 24;  ///< of ValueColumns, a state and column, and of what fills them

/// How well every fragment answers the very control of each trace at a step.
void set_qualities(const Judge& judge, std::span<const ControlSignal> wanted, ValueColumns& columns) {
  parallel_for(wanted.size(), 1, [&](std::size_t begin, std::size_t end) {
    std::vector<float> quality(judge.fragments->size());
    for (std::size_t c = begin; c < end; ++c) {
      for (std::size_t f = 0; f < quality.size(); ++f) {
        quality[f] = control_quality(judge.weights, judge.fragments->fragments[f].evident, wanted[c]);
      }
      columns.set_quality(c, quality);
    }
  });
}

/// What is best from every fragment at every step, all traces at once: the table V of eq. 7, and the choices in it.
class BestPaths {
 public:
  BestPaths(const Judge& judge, const TransitionTable& allowed, std::span<const std::vector<ControlSignal>> traces)
      : judge_(judge), allowed_(allowed), traces_(traces), states_(judge.fragments->size()) {
    for (const auto& trace : traces) steps_ = std::max(steps_, trace.size());
    choices_.resize(steps_ * traces.size() * states_);
    value_.resize(traces.size() * states_);
  }

  [[nodiscard]] std::size_t steps() const { return steps_; }

  /// Goes one step back in time. Traces that are shorter join in at their end.
  void step_back(std::size_t step) {
    std::vector<std::size_t> active;
    std::vector<ControlSignal> wanted;
    for (std::size_t t = 0; t < traces_.size(); ++t) {
      if (step >= traces_[t].size()) continue;
      active.push_back(t);
      wanted.push_back(traces_[t][step]);
    }
    ValueColumns columns(states_, active.size(), std::vector<float>(active.size() * states_));
    set_qualities(judge_, wanted, columns);
    for (std::size_t c = 0; c < active.size(); ++c) {
      columns.set_future(c, std::span(value_).subspan(active[c] * states_, states_));
    }
    parallel_for(states_, kFragmentsAtOnce, [&](std::size_t begin, std::size_t end) {
      std::vector<Decision> decisions(active.size());
      for (std::size_t f = begin; f < end; ++f) {
        for (std::size_t c = 0; c < active.size(); ++c) decisions[c].to = start_for(step, active[c], f);
        allowed_.decide(f, columns, decisions);
        for (std::size_t c = 0; c < active.size(); ++c) {
          choice(step, active[c], f) = decisions[c].to;
          value_[active[c] * states_ + f] = decisions[c].value + columns.level(c);
        }
      }
    });
  }

  /// The best path of a trace, read forward (eq. 8).
  [[nodiscard]] std::vector<std::uint32_t> path(std::size_t trace) {
    const auto begin = value_.begin() + static_cast<std::ptrdiff_t>(trace * states_);
    const auto best = std::max_element(begin, begin + static_cast<std::ptrdiff_t>(states_));
    std::vector<std::uint32_t> steps{static_cast<std::uint32_t>(best - begin)};
    for (std::size_t i = 0; i < traces_[trace].size(); ++i) steps.push_back(choice(i, trace, steps.back()));
    return steps;
  }

 private:
  std::uint32_t& choice(std::size_t step, std::size_t trace, std::size_t fragment) {
    return choices_[(step * traces_.size() + trace) * states_ + fragment];
  }
  /// What was best a step later is a good guess.
  std::uint32_t start_for(std::size_t step, std::size_t trace, std::size_t fragment) {
    return step + 1 < traces_[trace].size() ? choice(step + 1, trace, fragment) : allowed_.any_successor(fragment);
  }

  const Judge& judge_;
  const TransitionTable& allowed_;
  std::span<const std::vector<ControlSignal>> traces_;
  std::size_t states_, steps_ = 0;
  std::vector<std::uint32_t> choices_;
  std::vector<double> value_;
};

/// Judges every choice of a path.
FragmentPath judged(const Judge& judge, std::vector<std::uint32_t> steps, std::span<const ControlSignal> controls) {
  FragmentPath path;
  path.steps = std::move(steps);
  for (std::size_t i = 0; i < controls.size(); ++i) {
    const std::uint32_t from = path.steps[i], to = path.steps[i + 1];
    path.motion_quality.push_back(std::max(0.0f, judge.transitions->quality(from, to)));
    path.control_quality.push_back(control_quality(judge.weights, judge.fragments->fragments[to].evident, controls[i]));
  }
  return path;
}

}  // namespace

double FragmentPath::total() const {
  double sum = 0;
  for (std::size_t i = 0; i < motion_quality.size(); ++i) {
    sum += static_cast<double>(motion_quality[i]) * static_cast<double>(control_quality[i]);
  }
  return sum;
}

PathMeans means_of(std::span<const FragmentPath> paths) {
  PathMeans sums;
  double count = 0;
  for (const FragmentPath& path : paths) {
    sums.quality += path.total();
    for (const float q : path.motion_quality) sums.motion_quality += static_cast<double>(q);
    for (const float q : path.control_quality) sums.control_quality += static_cast<double>(q);
    count += static_cast<double>(path.motion_quality.size());
  }
  if (count == 0) return sums;
  return {sums.quality / count, sums.motion_quality / count, sums.control_quality / count};
}

FragmentPath run_controller(const Judge& judge, Controller& controller, std::span<const ControlSignal> controls,
                            std::uint32_t start) {
  std::vector<std::uint32_t> steps{start};
  steps.reserve(controls.size() + 1);
  for (const ControlSignal& control : controls) steps.push_back(controller.choose(steps.back(), control));
  return judged(judge, std::move(steps), controls);
}

Result<std::vector<FragmentPath>> optimal_paths(const Judge& judge, const TransitionTable& allowed,
                                                std::span<const std::vector<ControlSignal>> traces,
                                                const Progress& progress) {
  std::size_t steps = 0;
  for (const auto& trace : traces) steps = std::max(steps, trace.size());
  const double cells = static_cast<double>(traces.size()) * static_cast<double>(judge.fragments->size());
  const auto room =
      require_memory(cells * (static_cast<double>(steps) * sizeof(std::uint32_t) + sizeof(double) + kColumnBytes),
                     fmt::format("looking for the best paths of {} traces through {} fragments", traces.size(),
                                 judge.fragments->size()),
                     "take fewer or shorter traces");
  if (!room) return fail_from(room);
  BestPaths best(judge, allowed, traces);
  for (std::size_t step = best.steps(); step-- > 0;) {
    best.step_back(step);
    const double share = 1 - static_cast<double>(step) / static_cast<double>(best.steps());
    if (!progress.report(share, "looking for the best paths"))
      return fail_as(ErrorKind::kStopped, "stopped while looking for the best paths");
  }
  std::vector<FragmentPath> paths;
  for (std::size_t t = 0; t < traces.size(); ++t) paths.push_back(judged(judge, best.path(t), traces[t]));
  return paths;
}

ControllerScore score(std::string controller, std::vector<FragmentPath> paths, std::span<const FragmentPath> optimal) {
  ControllerScore result;
  result.controller = std::move(controller);
  for (std::size_t i = 0; i < paths.size(); ++i) result.percent.push_back(100 * paths[i].total() / optimal[i].total());
  const auto count = static_cast<double>(paths.size());
  for (const double p : result.percent) result.percent_of_optimal += p / count;
  for (const double p : result.percent) result.std += (p - result.percent_of_optimal) * (p - result.percent_of_optimal);
  result.std = paths.size() > 1 ? std::sqrt(result.std / (count - 1)) : 0;
  result.means = means_of(paths);
  result.paths = std::move(paths);
  return result;
}

}  // namespace loom::policy
