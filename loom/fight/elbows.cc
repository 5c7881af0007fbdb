// SPDX-License-Identifier: MIT
#include <cmath>

#include <loom/fight/elbows.h>

namespace loom::fight {

void straighten_elbows(const motion::Skeleton& skeleton, const motion::Hinges& hinges, std::span<Quat> rotations) {
  for (std::size_t h = motion::kKnees; h < motion::kHinges; ++h) {
    if (!hinges[h]) continue;
    const motion::Limb& arm = hinges[h]->limb;
    const auto middle = static_cast<std::size_t>(arm.middle), end = static_cast<std::size_t>(arm.end);
    // Seen from the upper arm, whose frame the axis is in.
    if (skeleton.joint(middle).parent != arm.upper || skeleton.joint(end).parent != arm.middle) continue;
    const Vec3 first = skeleton.joint(middle).offset, second = rotate(rotations[middle], skeleton.joint(end).offset);
    const float bend = std::atan2(dot(cross(first, second), hinges[h]->axis), dot(first, second));
    if (bend < 0) rotations[middle] = normalized(exp_vector(hinges[h]->axis * -bend) * rotations[middle]);
  }
}

}  // namespace loom::fight
