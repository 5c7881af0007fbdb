// SPDX-License-Identifier: MIT
#include <loom/policy/controllers.h>

namespace loom::policy {

const char* name_of(PolicyKind kind) {
  switch (kind) {
    case PolicyKind::kModel:
      return "model";
    case PolicyKind::kSteady:
      return "steady";
    case PolicyKind::kSpread:
      return "spread";
    case PolicyKind::kGreedy:
      return "greedy";
  }
  return "";
}

std::optional<PolicyKind> policy_kind(std::string_view name) {
  for (const PolicyKind kind : kPolicyKinds) {
    if (name == name_of(kind)) return kind;
  }
  return {};
}

DecisionProblem make_problem(PolicyKind kind, std::shared_ptr<const TransitionTable> transitions,
                             std::vector<float> control_quality, const PlayerModel& model, double discount) {
  DecisionProblem problem;
  problem.states = transitions->states();
  problem.controls = model.bins;
  problem.transitions = std::move(transitions);
  problem.control_quality = std::move(control_quality);
  problem.discount = kind == PolicyKind::kGreedy ? 0 : discount;
  if (kind == PolicyKind::kModel) {
    problem.next_control = model.next;
  } else if (kind == PolicyKind::kSpread) {
    problem.next_control.assign(model.bins * model.bins, 1 / static_cast<double>(model.bins));
  } else {
    problem.next_control.assign(model.bins * model.bins, 0);
    for (std::size_t c = 0; c < model.bins; ++c) problem.next_control[c * model.bins + c] = 1;
  }
  return problem;
}

}  // namespace loom::policy
