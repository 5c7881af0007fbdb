// SPDX-License-Identifier: MIT
#include <loom/policy/train.h>

namespace loom::policy {

Result<TrainingGround> prepare_training(FragmentMotion fragments, ControlSpace space, PlayerModel model,
                                        const MotionQualityOptions& quality, double discount,
                                        const Progress& progress) {
  if (const auto valid = validate(space); !valid) return fail_from(valid);
  if (space.flags != fragments.set->flags) {
    return fail("the flags of the control space are not those the fragments were cut with");
  }
  if (model.bins != space.bins.size()) return fail("the model of the player is not one of this control space");
  auto transitions = motion_qualities(fragments, quality, progress);
  if (!transitions) return fail_from(transitions);
  TrainingGround ground;
  ground.control_quality = control_qualities(*fragments.set, space);
  ground.fragments = std::move(fragments);
  ground.space = std::move(space);
  ground.model = std::move(model);
  ground.quality = quality;
  ground.discount = discount;
  ground.transitions = std::make_shared<DenseTransitions>(std::move(*transitions));
  return ground;
}

namespace {

/// The decisions of eq. 3: the best now, given the rewards a controller expects and what the model says comes next.
Result<std::vector<std::uint32_t>> decide_by_model(const TrainingGround& ground,
                                                   const std::shared_ptr<const DenseTransitions>& transitions,
                                                   const Solution& expected, const Progress& progress) {
  const DecisionProblem problem =
      make_problem(PolicyKind::kModel, transitions, ground.control_quality, ground.model, ground.discount);
  auto decided = solve(problem, {0, 1}, &expected, progress);
  if (!decided) return fail_from(decided);
  return std::move(decided->next);
}

}  // namespace

Result<Policy> train_policy(const TrainingGround& ground, const TrainOptions& options, const Solution* start,
                            const Progress& progress) {
  if (!(options.threshold_share > 0 && options.threshold_share <= 1)) {
    return fail("the share of transitions to keep must be above 0 and at most 1");
  }
  std::shared_ptr<const DenseTransitions> transitions = ground.transitions;
  if (options.threshold_share < 1) {
    transitions = std::make_shared<DenseTransitions>(transitions->thresholded(options.threshold_share));
  }
  const DecisionProblem problem =
      make_problem(options.kind, transitions, ground.control_quality, ground.model, ground.discount);
  auto solution = solve(problem, options.solve, start, progress);
  if (!solution) return fail_from(solution);
  if (options.literal && options.kind != PolicyKind::kModel) {
    auto next = decide_by_model(ground, transitions, *solution, progress);
    if (!next) return fail_from(next);
    solution->next = std::move(*next);
  }
  Policy policy;
  policy.kind = options.kind;
  policy.threshold_share = options.threshold_share;
  policy.discount = ground.discount;
  policy.fragments_hash = ground.fragments.hash;
  policy.space = ground.space;
  policy.quality = ground.quality;
  policy.model = ground.model;
  policy.solution = std::move(*solution);
  return policy;
}

}  // namespace loom::policy
