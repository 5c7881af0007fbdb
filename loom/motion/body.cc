// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <optional>

#include <loom/base/whole.h>
#include <loom/motion/body.h>
#include <loom/motion/detail/body_shape.h>
#include <loom/motion/joint_names.h>
#include <loom/motion/kinematics.h>

namespace loom::motion {
namespace {

bool is_ancestor_or_self(const Skeleton& skeleton, int ancestor, int joint) {
  while (joint > ancestor) joint = skeleton.joint(index(joint)).parent;
  return joint == ancestor;
}

/// The nearest joint both hang from.
int common_ancestor(const Skeleton& skeleton, int a, int b) {
  while (a != b) (a > b ? a : b) = skeleton.joint(index(std::max(a, b))).parent;
  return a;
}

/// The best way to seat the joints of one side on the places of a limb: a chain of joints, each below the one before,
/// with the highest total fit. Dynamic programming from the root outwards, O(joints).
Limb find_limb(const Skeleton& skeleton, std::span<const JointName> names, Side side,
               LimbFit (*fit)(std::string_view)) {
  constexpr std::size_t kPlaces = 4;
  struct Best {
    int score = 0;
    std::array<int, kPlaces> joints{-1, -1, -1, -1};
  };
  using BestByPlace = std::array<Best, kPlaces>;  // the best chain, at or above a joint, that fills places 0..p
  std::vector<BestByPlace> best(skeleton.size());
  BestByPlace overall{};
  for (std::size_t j = 0; j < skeleton.size(); ++j) {
    if (j > 0) best[j] = best[index(skeleton.joint(j).parent)];
    if (names[j].side != side) continue;
    const BestByPlace above = best[j];
    const LimbFit here = fit(names[j].word);
    for (std::size_t p = 0; p < kPlaces; ++p) {
      if (here[p] == 0 || (p > 0 && above[p - 1].score == 0)) continue;
      Best chain = p > 0 ? above[p - 1] : Best{};
      chain.score += here[p];
      chain.joints[p] = static_cast<int>(j);
      // On a tie the joint nearer to the root stays, and in all the first in the file.
      if (chain.score > best[j][p].score) best[j][p] = chain;
      if (best[j][p].score > overall[p].score) overall[p] = best[j][p];
    }
  }
  for (std::size_t p = kPlaces; p-- > 0;) {
    const Best& chain = overall[p];
    // Without a tip is better when the tip costs a better seat for the rest.
    const bool poorer = p == 3 && overall[2].score > chain.score;
    if (chain.score > 0 && !poorer) return {chain.joints[0], chain.joints[1], chain.joints[2], chain.joints[3]};
  }
  return {};
}

int find_middle(std::span<const JointName> names, bool (*is_word)(std::string_view)) {
  const auto found = std::find_if(names.begin(), names.end(), [&](const JointName& name) {
    return name.side == Side::kMiddle && is_word(name.word);
  });
  return found == names.end() ? -1 : static_cast<int>(found - names.begin());
}

Body find_body_by_names(const Skeleton& skeleton) {
  std::vector<JointName> names;
  names.reserve(skeleton.size());
  for (const Joint& joint : skeleton.joints()) names.push_back(parse_joint_name(joint.name));
  Body body;
  body.left_leg = find_limb(skeleton, names, Side::kLeft, leg_fit);
  body.right_leg = find_limb(skeleton, names, Side::kRight, leg_fit);
  body.left_arm = find_limb(skeleton, names, Side::kLeft, arm_fit);
  body.right_arm = find_limb(skeleton, names, Side::kRight, arm_fit);
  body.hips = find_middle(names, is_hips_word);
  body.neck = find_middle(names, is_neck_word);
  body.head = find_middle(names, is_head_word);
  return body;
}

/// Takes from the shape what the names left open, limb pair by limb pair.
void complete_by_shape(const Skeleton& skeleton, Body& body) {
  const bool legs_named = body.has_legs();
  const bool arms_named = body.left_arm.complete() && body.right_arm.complete();
  if (legs_named && arms_named) return;
  const std::vector<Vec3> rest = rest_positions(skeleton);
  std::optional<Vec3> left;
  if (legs_named) left = rest[index(body.left_leg.upper)] - rest[index(body.right_leg.upper)];
  if (arms_named) left = rest[index(body.left_arm.upper)] - rest[index(body.right_arm.upper)];
  const Body shape = find_body_by_shape(skeleton, rest, left);
  if (!legs_named && shape.has_legs()) body.left_leg = shape.left_leg, body.right_leg = shape.right_leg;
  if (!arms_named && shape.left_arm.complete()) body.left_arm = shape.left_arm, body.right_arm = shape.right_arm;
  if (body.hips < 0) body.hips = shape.hips;
  if (body.head < 0) {
    body.head = shape.head;
    if (body.neck < 0) body.neck = shape.neck;
  }
}

/// The joints between the hips and the neck; without a neck up to the head, without a head up to where the arms part.
std::vector<int> find_spine(const Skeleton& skeleton, const Body& body) {
  int last = -1;
  if (body.neck >= 0 || body.head >= 0) {
    last = skeleton.joint(index(body.neck >= 0 ? body.neck : body.head)).parent;
  } else if (body.left_arm.upper >= 0 && body.right_arm.upper >= 0) {
    last = common_ancestor(skeleton, body.left_arm.upper, body.right_arm.upper);
  }
  std::vector<int> spine;
  if (body.hips < 0) return spine;
  for (int j = last; j >= 0 && !is_ancestor_or_self(skeleton, j, body.hips); j = skeleton.joint(index(j)).parent) {
    spine.push_back(j);
  }
  std::reverse(spine.begin(), spine.end());
  return spine;
}

}  // namespace

Body find_body(const Skeleton& skeleton) {
  Body body = find_body_by_names(skeleton);
  complete_by_shape(skeleton, body);
  if (body.left_leg.upper >= 0 && body.right_leg.upper >= 0) {
    body.hips = common_ancestor(skeleton, body.left_leg.upper, body.right_leg.upper);
  }
  body.spine = find_spine(skeleton, body);
  return body;
}

}  // namespace loom::motion
