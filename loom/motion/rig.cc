// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>

#include <loom/base/text.h>
#include <loom/motion/kinematics.h>
#include <loom/motion/rig.h>
#include <loom/motion/skeleton.h>

namespace loom::motion {

Rig rig_of(const Skeleton& skeleton, std::span<const Quat> pose) {
  Rig rig;
  for (const Joint& joint : skeleton.joints()) rig.joints.push_back({joint.name, joint.parent, false});
  for (const EndSite& site : skeleton.end_sites()) rig.joints.push_back({"", site.joint, true});
  rig.poses.push_back(rest_positions(skeleton));
  if (pose.empty()) return rig;
  std::vector<Vec3> places(skeleton.point_count());
  std::vector<Quat> world(skeleton.size());
  forward_kinematics(skeleton, {}, pose, places, world);
  rig.poses.push_back(std::move(places));
  return rig;
}

std::vector<int> joints_from_roots(const Rig& rig) {
  std::vector<std::vector<int>> children(rig.joints.size());
  std::vector<int> order;
  order.reserve(rig.joints.size());
  for (std::size_t j = 0; j < rig.joints.size(); ++j) {
    const int parent = rig.joints[j].parent;
    (parent < 0 ? order : children[static_cast<std::size_t>(parent)]).push_back(static_cast<int>(j));
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::vector<int>& below = children[static_cast<std::size_t>(order[i])];
    order.insert(order.end(), below.begin(), below.end());
  }
  return order;
}

Result<void> check_rig(const Rig& rig) {
  const std::size_t count = rig.joints.size();
  if (count == 0) return fail_as(ErrorKind::kBadInput, "the character has no joints");
  if (count > kMaxJoints) {
    return fail_as(ErrorKind::kBadInput, fmt::format("the character has {} joints, more than {}", count, kMaxJoints));
  }
  for (const RigJoint& joint : rig.joints) {
    if (joint.parent >= static_cast<int>(count)) {
      return fail_as(ErrorKind::kBadInput, fmt::format("joint {} hangs from none there is", in_quotes(joint.name)));
    }
  }
  // Whatever no root leads to goes round in a circle.
  if (const std::vector<int> reached = joints_from_roots(rig); reached.size() < count) {
    std::vector<bool> seen(count, false);
    for (const int j : reached) seen[static_cast<std::size_t>(j)] = true;
    const auto lost = static_cast<std::size_t>(std::find(seen.begin(), seen.end(), false) - seen.begin());
    return fail_as(ErrorKind::kBadInput,
                   fmt::format("joint {} hangs from itself by way of others", in_quotes(rig.joints[lost].name)));
  }
  if (rig.poses.empty()) return fail_as(ErrorKind::kBadInput, "the character has no pose");
  for (const std::vector<Vec3>& pose : rig.poses) {
    if (pose.size() != count) return fail_as(ErrorKind::kBadInput, "a pose has not one position for each joint");
    for (std::size_t j = 0; j < count; ++j) {
      if (is_finite(pose[j])) continue;
      return fail_as(ErrorKind::kBadInput,
                     fmt::format("joint {} is at no place that is a number", in_quotes(rig.joints[j].name)));
    }
  }
  return {};
}

}  // namespace loom::motion
