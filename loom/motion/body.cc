// SPDX-License-Identifier: MIT
#include <loom/motion/body.h>

namespace loom::motion {

Body find_body(const Skeleton& skeleton) {
  Body body;
  const auto at = [&](const char* name) { return skeleton.find(name).value_or(-1); };
  body.hips = at("Hips");
  body.left_leg = {at("LeftUpLeg"), at("LeftLeg"), at("LeftFoot"), at("LeftToeBase")};
  body.right_leg = {at("RightUpLeg"), at("RightLeg"), at("RightFoot"), at("RightToeBase")};
  body.left_arm = {at("LeftArm"), at("LeftForeArm"), at("LeftHand"), -1};
  body.right_arm = {at("RightArm"), at("RightForeArm"), at("RightHand"), -1};
  body.neck = at("Neck");
  body.head = at("Head");
  return body;
}

}  // namespace loom::motion
