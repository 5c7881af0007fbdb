// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include <loom/compare/joint_weights.h>
#include <loom/motion/body.h>

namespace loom::compare {
namespace {

// Wang and Bodenheimer 2003, the same on both sides.
constexpr float kHip = 1.0f;
constexpr float kKnee = 0.0901f;
constexpr float kShoulder = 0.7884f;
constexpr float kElbow = 0.0248f;

struct Weighted {
  int joint;  ///< -1 where the skeleton has none
  float weight;
};

JointWeights spread(const motion::Skeleton& skeleton, const std::array<Weighted, 8>& parts) {
  if (std::any_of(parts.begin(), parts.end(), [](const Weighted& part) { return part.joint < 0; })) {
    return uniform_weights(skeleton);
  }
  JointWeights weights(skeleton.size(), 0.0f);
  for (const Weighted& part : parts) weights[static_cast<std::size_t>(part.joint)] = part.weight;
  return weights;
}

}  // namespace

JointWeights uniform_weights(const motion::Skeleton& skeleton) { return JointWeights(skeleton.size(), 1.0f); }

JointWeights wang_bodenheimer_weights(const motion::Skeleton& skeleton) {
  const motion::Body body = motion::find_body(skeleton);
  return spread(skeleton, {{{body.left_leg.upper, kHip},
                            {body.right_leg.upper, kHip},
                            {body.left_leg.middle, kKnee},
                            {body.right_leg.middle, kKnee},
                            {body.left_arm.upper, kShoulder},
                            {body.right_arm.upper, kShoulder},
                            {body.left_arm.middle, kElbow},
                            {body.right_arm.middle, kElbow}}});
}

JointWeights marker_weights(const motion::Skeleton& skeleton) {
  const motion::Body body = motion::find_body(skeleton);
  return spread(skeleton, {{{body.left_leg.middle, kHip},
                            {body.right_leg.middle, kHip},
                            {body.left_leg.end, kKnee},
                            {body.right_leg.end, kKnee},
                            {body.left_arm.middle, kShoulder},
                            {body.right_arm.middle, kShoulder},
                            {body.left_arm.end, kElbow},
                            {body.right_arm.end, kElbow}}});
}

Result<WeightedJoints> weighted_joints(const motion::Skeleton& skeleton, const JointWeights& weights) {
  if (weights.size() != skeleton.size()) {
    return fail(fmt::format("{} joint weights were given for {} joints", weights.size(), skeleton.size()));
  }
  WeightedJoints chosen;
  for (std::size_t j = 0; j < weights.size(); ++j) {
    if (!std::isfinite(weights[j]) || weights[j] < 0) {
      return fail(fmt::format("the weight of joint '{}' is {}; zero or a positive number was expected",
                              skeleton.joint(j).name, weights[j]));
    }
    if (weights[j] == 0) continue;
    chosen.joints.push_back(j);
    chosen.weights.push_back(weights[j]);
  }
  if (chosen.joints.empty()) return fail("all joint weights are zero");
  return chosen;
}

}  // namespace loom::compare
