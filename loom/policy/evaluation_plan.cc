// SPDX-License-Identifier: MIT
#include <algorithm>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <loom/policy/evaluation_plan.h>

namespace loom::policy {
namespace {

/// Solving a policy takes as long as so many sweeps over all transitions: the later ones know nearly everything.
constexpr double kSweepsAlike = 6;

/// Columns of the maximum (see TransitionTable::decide) that solving for a policy runs through.
double columns_of(PolicyKind kind, std::size_t bins) {
  return static_cast<double>(bins) * (kind == PolicyKind::kGreedy ? 1 : kSweepsAlike);
}

void leave_out(EvaluationWork& work, PolicyKind kind) {
  if (kind != work.given) std::erase(work.kinds, kind);
}

}  // namespace

double EvaluationWork::looks() const {
  const auto every = std::accumulate(steps.begin(), steps.end(), 0.0,
                                     [](double sum, std::size_t s) { return sum + static_cast<double>(s); });
  double columns = every;
  for (const PolicyKind kind : kinds) {
    if (kind != given || !solved) columns += columns_of(kind, bins);
  }
  if (thresholded) {
    columns += every;
    for (const PolicyKind kind : kinds) columns += kind == PolicyKind::kGreedy ? 0 : columns_of(kind, bins);
  }
  return static_cast<double>(fragments) * static_cast<double>(fragments) * columns;
}

Result<EvaluationWork> plan_evaluation(const EvaluationWork& wanted, double most) {
  EvaluationWork plan = wanted;
  const auto too_much = [&] { return plan.looks() > most; };
  if (too_much()) plan.thresholded = false;
  for (const std::size_t third = (wanted.steps.size() + 2) / 3; too_much() && plan.steps.size() > third;) {
    plan.steps.pop_back();
  }
  for (const PolicyKind kind : {PolicyKind::kSpread, PolicyKind::kSteady, PolicyKind::kModel, PolicyKind::kGreedy}) {
    if (too_much()) leave_out(plan, kind);
  }
  while (too_much() && plan.steps.size() > 1) plan.steps.pop_back();
  if (too_much()) {
    return fail_setting(
        {"whole"},
        fmt::format("judging {} fragments on a trace of {} steps looks at {:.2g} transitions, and {:.2g} are allowed: "
                    "give shorter traces or fewer fragments, or ask for the whole",
                    plan.fragments, plan.steps.empty() ? 0 : plan.steps.front(), plan.looks(), most));
  }
  return plan;
}

std::string left_out(const EvaluationWork& wanted, const EvaluationWork& planned) {
  std::vector<std::string> parts;
  if (wanted.thresholded && !planned.thresholded) parts.emplace_back("the variants of few transitions");
  if (planned.steps.size() < wanted.steps.size()) {
    parts.push_back(fmt::format("{} of {} traces", wanted.steps.size() - planned.steps.size(), wanted.steps.size()));
  }
  std::vector<std::string> policies;
  for (const PolicyKind kind : wanted.kinds) {
    if (std::find(planned.kinds.begin(), planned.kinds.end(), kind) == planned.kinds.end()) {
      policies.emplace_back(name_of(kind));
    }
  }
  if (!policies.empty()) {
    parts.push_back(fmt::format("the polic{} {}", policies.size() == 1 ? "y" : "ies", fmt::join(policies, ", ")));
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

}  // namespace loom::policy
