// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <span>
#include <unordered_map>

#include <fmt/format.h>

#include <loom/base/whole.h>
#include <loom/motion/body.h>
#include <loom/motion/contacts.h>
#include <loom/motion/detail/replant.h>
#include <loom/motion/fit.h>

namespace loom::motion {
namespace {

/// Bones of the trunk that point further apart at rest than this belong to bodies drawn in different poses. Performers
/// of one set differ by up to 26 degrees, at the shoulders.
constexpr float kMaxRestAngle = 60 * kDegree;
constexpr float kShortBone = 0.03f;  // metres; shorter ones point anywhere
constexpr float kSameRest = 1e-4f;   // radians; less is rounding

/// For every joint of `to` the joint of the same name in `from`; empty when one is missing or hangs elsewhere.
std::vector<std::size_t> joints_by_name(const Skeleton& from, const Skeleton& to) {
  if (from.size() != to.size()) return {};
  std::unordered_map<std::string_view, std::size_t> by_name;
  for (std::size_t j = 0; j < from.size(); ++j) by_name.emplace(from.joint(j).name, j);
  std::vector<std::size_t> match;
  for (const Joint& joint : to.joints()) {
    const auto found = by_name.find(joint.name);
    if (found == by_name.end()) return {};
    const int parent = from.joint(found->second).parent;
    const bool both_roots = parent == kNoParent && joint.parent == kNoParent;
    if (!both_roots &&
        (parent == kNoParent || joint.parent == kNoParent || match[index(joint.parent)] != index(parent)))
      return {};
    match.push_back(found->second);
  }
  return match;
}

/// Marks the joints that end a bone of a limb: knee, ankle and ball of the foot, elbow, wrist and hand.
std::vector<bool> limb_bones(const Skeleton& skeleton, const Body& body) {
  std::vector<bool> marked(skeleton.size());
  for (const Limb* limb : {&body.left_leg, &body.right_leg, &body.left_arm, &body.right_arm}) {
    for (const int joint : {limb->middle, limb->end, limb->tip}) {
      if (joint >= 0) marked[index(joint)] = true;
    }
  }
  return marked;
}

float angle_of(Vec3 a, Vec3 b) { return std::atan2(length(cross(a, b)), dot(a, b)); }

float bone_length(const Skeleton& skeleton, int joint) { return length(skeleton.joint(index(joint)).offset); }

/// How much longer the legs of `to` are; of bodies without legs, all bones together.
float leg_scale(const Skeleton& from, const Body& from_body, const Skeleton& to, const Body& to_body) {
  const auto size = [](const Skeleton& skeleton, const Body& body) {
    float sum = 0;
    if (body.has_legs()) {
      for (const Limb& leg : {body.left_leg, body.right_leg})
        sum += bone_length(skeleton, leg.middle) + bone_length(skeleton, leg.end);
    } else {
      for (const Joint& joint : skeleton.joints()) sum += length(joint.offset);
    }
    return sum;
  };
  const float before = size(from, from_body), after = size(to, to_body);
  return before > 1e-6f && after > 1e-6f ? after / before : 1.0f;
}

/// Turns limbs so that their bones point where they pointed on the other body, although they point another way at
/// rest. `clip` is on `body` already, with the rotations made for `from`, whose offset for each joint is given.
void keep_bone_directions(Clip& clip, const Body& body, std::span<const Vec3> from_offsets) {
  const Skeleton& to = *clip.skeleton;
  const std::vector<bool> marked = limb_bones(to, body);
  std::vector<Quat> turn(to.size());  // of each joint's frame, so that its bone points the old way
  bool any = false;
  for (std::size_t j = 0; j < to.size(); ++j) {
    const Vec3 now = to.joint(j).offset, before = from_offsets[j];
    if (!marked[j] || length(now) < kShortBone || length(before) < kShortBone || angle_of(now, before) < kSameRest) {
      continue;
    }
    turn[index(to.joint(j).parent)] = rotation_between(now, before);
    any = true;
  }
  if (!any) return;
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    const auto pose = clip.pose(f);
    for (std::size_t j = 0; j < to.size(); ++j) {
      const int parent = to.joint(j).parent;
      const Quat undo = parent == kNoParent ? Quat{} : conjugate(turn[index(parent)]);
      pose[j] = normalized(undo * pose[j] * turn[j]);
    }
  }
}

}  // namespace

bool same_body(const Skeleton& a, const Skeleton& b, float tolerance) {
  if (!same_hierarchy(a, b) || a.end_sites().size() != b.end_sites().size()) return false;
  for (std::size_t j = 0; j < a.size(); ++j) {
    if (distance(a.joint(j).offset, b.joint(j).offset) > tolerance) return false;
  }
  for (std::size_t s = 0; s < a.end_sites().size(); ++s) {
    const EndSite &x = a.end_sites()[s], &y = b.end_sites()[s];
    if (x.joint != y.joint || distance(x.offset, y.offset) > tolerance) return false;
  }
  return true;
}

std::string fit_obstacle(const Skeleton& from, const Skeleton& to) {
  const std::vector<std::size_t> match = joints_by_name(from, to);
  if (match.empty()) return describe_difference(from, to);
  const std::vector<bool> limbs = limb_bones(to, find_body(to));
  for (std::size_t j = 1; j < to.size(); ++j) {
    const Vec3 a = from.joint(match[j]).offset, b = to.joint(j).offset;
    if (limbs[j] || length(a) < kShortBone || length(b) < kShortBone) continue;
    if (const float angle = angle_of(a, b); angle > kMaxRestAngle) {
      return fmt::format("the bone to joint '{}' points {:.0f} degrees another way at rest", to.joint(j).name,
                         angle / kDegree);
    }
  }
  return {};
}

Result<FittedClip> fit_to_body(const Clip& clip, std::shared_ptr<const Skeleton> body) {
  const Skeleton& from = *clip.skeleton;
  if (const std::string obstacle = fit_obstacle(from, *body); !obstacle.empty()) {
    return fail(fmt::format("clip '{}' cannot be fitted: {}", clip.name, obstacle));
  }
  const std::vector<std::size_t> match = joints_by_name(from, *body);
  const Body from_body = find_body(from), to_body = find_body(*body);
  FittedClip result{{clip.name, body, clip.rate, clip.roots, {}, clip.labels}};
  Clip& fitted = result.clip;
  fitted.rotations.resize(clip.rotations.size());
  std::vector<Vec3> from_offsets(match.size());
  for (std::size_t j = 0; j < match.size(); ++j) {
    from_offsets[j] = from.joint(match[j]).offset;
    for (std::size_t f = 0; f < clip.frames(); ++f) fitted.pose(f)[j] = clip.pose(f)[match[j]];
  }
  keep_bone_directions(fitted, to_body, from_offsets);

  const auto contacts = find_contacts(clip);
  const Similarity grow{leg_scale(from, from_body, *body, to_body), contacts ? contacts->floor : 0.0f};
  result.scale = grow.scale;
  for (Vec3& root : fitted.roots) root = grow(root);
  result.replanted = contacts && from_body.has_legs() && to_body.has_legs() && find_foot_points(*body);
  if (result.replanted) result.furthest = replant_feet(clip, *contacts, grow, fitted);
  return result;
}

}  // namespace loom::motion
