// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/motion/body.h>
#include <loom/motion/kinematics.h>
#include <loom/motion/label_ranges.h>
#include <loom/motion/mirror.h>

namespace loom::motion {
namespace {

// A body whose sides are this near to an axis (as a cosine, 15 degrees) is meant to lie along it: the rest is noise of
// the measured bones.
constexpr float kAlongAxis = 0.966f;

/// The direction from one side of the body to the other at rest, from all pairs of joints.
Vec3 side_axis(const Skeleton& skeleton, const std::vector<int>& pairs) {
  const std::vector<Vec3> rest = rest_positions(skeleton);
  const auto apart = [&](std::size_t j) { return rest[j] - rest[static_cast<std::size_t>(pairs[j])]; };
  Vec3 widest;
  for (std::size_t j = 0; j < pairs.size(); ++j) {
    if (length(apart(j)) > length(widest)) widest = apart(j);
  }
  Vec3 sum;  // every pair comes twice, once each way: both point the same way here
  for (std::size_t j = 0; j < pairs.size(); ++j) sum += dot(apart(j), widest) < 0 ? -apart(j) : apart(j);
  const Vec3 axis = normalized(sum, {1, 0, 0});
  for (const Vec3 unit : {Vec3{1, 0, 0}, Vec3{0, 0, 1}, Vec3{0, 1, 0}}) {
    if (std::abs(dot(axis, unit)) > kAlongAxis) return unit;
  }
  return axis;
}

/// S q S for the reflection S across the plane with the unit normal `n`: the axis is mirrored, the turn goes the other
/// way round.
Quat reflected(Quat q, Vec3 n) {
  const Vec3 v{q.x, q.y, q.z};
  const Vec3 turned = n * (2 * dot(v, n)) - v;
  return {q.w, turned.x, turned.y, turned.z};
}

}  // namespace

Result<Clip> mirror(const Clip& clip) {
  const Result<std::vector<int>> pairs = mirror_pairs(*clip.skeleton);
  if (!pairs) return fail_from(pairs);
  // With S for the mirror in the world and N for the one between the sides of the body at rest, a joint turned by W
  // becomes, on the other side, one turned by S W N; that of a local rotation q is N q N, and of the root
  // S W N = (S W S)(S N), where S N is a rotation.
  const Vec3 normal = side_axis(*clip.skeleton, *pairs), x{1, 0, 0};
  const Vec3 turn = cross(normal, x);
  const Quat world_to_body{dot(normal, x), turn.x, turn.y, turn.z};
  Clip mirrored = clip;
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    mirrored.roots[f].x = -clip.roots[f].x;
    for (std::size_t j = 0; j < clip.joints(); ++j) {
      mirrored.pose(f)[static_cast<std::size_t>((*pairs)[j])] = reflected(clip.pose(f)[j], normal);
    }
    mirrored.pose(f)[0] = reflected(clip.pose(f)[0], x) * world_to_body;
  }
  mirrored.labels = mirror_labels(clip.labels);
  return mirrored;
}

}  // namespace loom::motion
