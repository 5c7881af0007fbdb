// SPDX-License-Identifier: MIT
#include <algorithm>

#include <loom/base/whole.h>
#include <loom/motion/body.h>
#include <loom/motion/body_volume.h>
#include <loom/motion/hinges.h>
#include <loom/motion/human_figure.h>

namespace loom::motion {
namespace {

constexpr float kProbeDistance = 0.05f;  // metres between probes along a capsule, about

/// Whether `joint` is `ancestor` or hangs from it.
bool hangs_from(const Skeleton& skeleton, int joint, int ancestor) {
  for (int j = joint; j >= 0; j = skeleton.joint(index(j)).parent) {
    if (j == ancestor) return true;
  }
  return false;
}

}  // namespace

std::optional<BodyVolume> BodyVolume::of(const Skeleton& skeleton) {
  const Body body = find_body(skeleton);
  if (!stands_at_rest(skeleton, body)) return std::nullopt;  // flesh is put around the rest pose
  const std::optional<HumanFigure> figure = make_figure(skeleton, body);
  if (!figure) return std::nullopt;
  BodyVolume volume;
  for (const Blob& blob : figure->blobs) {
    Piece piece{blob, figure->positions[blob.joint], figure->turns[blob.joint], 0, kTrunk, 0};
    const float widest = std::max({1.0f, blob.widening_a, blob.widening_b}) * std::max(blob.radius_a, blob.radius_b);
    piece.reach = std::max(distance(piece.joint, blob.a), distance(piece.joint, blob.b)) + widest;
    const auto on = [&](int joint) { return joint >= 0 && hangs_from(skeleton, blob.joint, joint); };
    if (on(body.neck >= 0 ? body.neck : body.head)) piece.part = kHead;
    for (const int side : {1, -1}) {
      const Limb& arm = side > 0 ? body.left_arm : body.right_arm;
      const Limb& leg = side > 0 ? body.left_leg : body.right_leg;
      if (on(arm.upper)) piece.part = on(arm.middle) ? kForearm : kUpperArm, piece.side = side;
      if (on(leg.upper)) piece.part = on(leg.end) ? kFoot : on(leg.middle) ? kShank : kThigh, piece.side = side;
    }
    const auto probes = static_cast<std::size_t>(distance(blob.a, blob.b) / kProbeDistance) + 1;
    for (std::size_t p = 0; p <= probes; ++p) {
      const float t = static_cast<float>(p) / static_cast<float>(probes);
      volume.probes_.push_back({volume.pieces_.size(),
                                rotate(conjugate(piece.turn), lerp(blob.a, blob.b, t) - piece.joint),
                                blob.radius_a + (blob.radius_b - blob.radius_a) * t});
    }
    volume.pieces_.push_back(piece);
  }
  return volume;
}

/// Whether a part that is probed has any business being apart from the other: lower limbs of one side and whatever they
/// do not hang from.
bool BodyVolume::may_touch(const Piece& probe, const Piece& other) {
  const bool arm = probe.part == kForearm, leg = probe.part == kShank || probe.part == kFoot;
  if (!arm && !leg) return false;
  const bool other_arm = other.part == kForearm || other.part == kUpperArm;
  const bool other_leg = other.part == kThigh || other.part == kShank || other.part == kFoot;
  if (probe.side == other.side && ((arm && other_arm) || (leg && other_leg))) return false;
  return true;
}

float BodyVolume::depth(Vec3 centre, float radius, const Piece& piece, const WorldPoses& poses,
                        std::size_t frame) const {
  const Vec3 away = centre - poses.position(frame, piece.blob.joint);
  const float far = piece.reach + radius;
  if (dot(away, away) > far * far) return 0;
  const Vec3 local = rotate(conjugate(poses.rotation(frame, piece.blob.joint)), away);
  return radius - distance_to(piece.blob, piece.joint + rotate(piece.turn, local));
}

float BodyVolume::inside_itself(const WorldPoses& poses, std::size_t frame) const {
  float deepest = 0;
  for (const Probe& probe : probes_) {
    const Piece& own = pieces_[probe.piece];
    if (own.part < kForearm || own.part == kThigh) continue;
    const Vec3 centre =
        poses.position(frame, own.blob.joint) + rotate(poses.rotation(frame, own.blob.joint), probe.offset);
    for (const Piece& piece : pieces_) {
      if (may_touch(own, piece)) deepest = std::max(deepest, depth(centre, probe.radius, piece, poses, frame));
    }
  }
  return deepest;
}

float BodyVolume::inside(const WorldPoses& poses, std::size_t frame, const BodyVolume& other,
                         const WorldPoses& other_poses, std::size_t other_frame) const {
  float deepest = 0;
  for (const Probe& probe : probes_) {
    const auto joint = pieces_[probe.piece].blob.joint;
    const Vec3 centre = poses.position(frame, joint) + rotate(poses.rotation(frame, joint), probe.offset);
    for (const Piece& piece : other.pieces_) {
      deepest = std::max(deepest, other.depth(centre, probe.radius, piece, other_poses, other_frame));
    }
  }
  return deepest;
}

}  // namespace loom::motion
