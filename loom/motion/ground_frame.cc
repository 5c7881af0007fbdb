// SPDX-License-Identifier: MIT
#include <cmath>

#include <loom/motion/body.h>
#include <loom/motion/ground_frame.h>

namespace loom::motion {
namespace {

/// Below this share of its length the line of the hips says nothing about the heading: the body lies on its side.
constexpr float kUprightHips = 0.2f;

/// The position of `joint` at rest, in the root's frame.
Vec3 rest_position(const Skeleton& skeleton, int joint) {
  Vec3 sum;
  for (int j = joint; j > 0; j = skeleton.joint(static_cast<std::size_t>(j)).parent) {
    sum += skeleton.joint(static_cast<std::size_t>(j)).offset;
  }
  return sum;
}

}  // namespace

GroundFrame operator*(const GroundFrame& outer, const GroundFrame& inner) {
  const Vec3 p = transform(outer, inner.position());
  return {p.x, p.z, wrap_angle(outer.heading + inner.heading)};
}

GroundFrame inverse(const GroundFrame& frame) {
  const Vec3 p = rotate(conjugate(frame.rotation()), -frame.position());
  return {p.x, p.z, wrap_angle(-frame.heading)};
}

Vec3 transform(const GroundFrame& frame, Vec3 point) { return rotate(frame.rotation(), point) + frame.position(); }

GroundFrameFinder::GroundFrameFinder(const Skeleton& skeleton) {
  const Body body = find_body(skeleton);
  if (body.left_leg.upper < 0 || body.right_leg.upper < 0) return;
  const Vec3 line = rest_position(skeleton, body.left_leg.upper) - rest_position(skeleton, body.right_leg.upper);
  if (length(line) > 1e-4f) left_ = normalized(line);
}

GroundFrame GroundFrameFinder::find(Vec3 root, Quat root_rotation) const {
  const Vec3 left = rotate(root_rotation, left_);
  // With the left side towards +X one faces +Z: forward = left × up.
  Vec3 forward{-left.z, 0, left.x};
  if (length(forward) < kUprightHips) forward = rotate(twist_about(root_rotation, {0, 1, 0}), {0, 0, 1});
  return {root.x, root.z, std::atan2(forward.x, forward.z)};
}

std::vector<GroundFrame> GroundFrameFinder::find(const Clip& clip) const {
  std::vector<GroundFrame> frames(clip.frames());
  for (std::size_t f = 0; f < frames.size(); ++f) frames[f] = find(clip.roots[f], clip.pose(f)[0]);
  return frames;
}

void move(Clip& clip, const GroundFrame& by) {
  const Quat turn = by.rotation();
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    clip.roots[f] = rotate(turn, clip.roots[f]) + by.position();
    clip.pose(f)[0] = normalized(turn * clip.pose(f)[0]);
  }
}

}  // namespace loom::motion
