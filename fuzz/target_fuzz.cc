// SPDX-License-Identifier: MIT
// Any bytes as targets of joints, a line each: each is refused, or names a joint there is; a problem made of those that
// are not refused is refused, or has weights that are finite.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include <loom/blend/family/target_text.h>
#include <loom/blend/inverse_blending.h>
#include <loom/sample/body_plan.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace loom;
  static const auto kSkeleton = sample::sample_skeleton();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::vector<blend::Constraint> constraints;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const auto target = blend::target_from_text(text.substr(begin, end - begin), *kSkeleton);
    begin = end + 1;
    if (!target) continue;
    if (target->joint < 0 || static_cast<std::size_t>(target->joint) >= kSkeleton->size()) std::abort();
    blend::Constraint constraint;
    constraint.kind = target->kind;
    constraint.joint = target->joint;
    constraint.point = target->point;
    constraint.direction = target->direction;
    constraint.orientation = target->orientation;
    constraint.axes = target->axes;
    constraint.priority = target->priority;
    constraint.normalisation = target->normalisation;
    constraints.push_back(constraint);
  }
  blend::PoseSet poses;
  poses.joints = kSkeleton->size();
  for (const float height : {0.9f, 1.1f}) {
    poses.roots.push_back({0, height, 0});
    poses.headings.push_back(0);
    poses.rotations.resize(poses.rotations.size() + kSkeleton->size());
  }
  const auto problem = blend::InverseBlending::create(*kSkeleton, std::span(&poses, 1), constraints);
  if (!problem) return 0;
  for (const blend::Objective objective : {blend::Objective::kSquares, blend::Objective::kSum}) {
    std::vector<float> weights(2);
    blend::InverseSolution solution;
    blend::InverseOptions options;
    options.objective = objective;
    problem->solve(options, weights, solution);
    if (!std::isfinite(weights[0] + weights[1])) std::abort();
  }
  return 0;
}
