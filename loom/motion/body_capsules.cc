// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include <loom/base/whole.h>
#include <loom/motion/body_capsules.h>
#include <loom/motion/hinges.h>
#include <loom/motion/human_figure.h>

namespace loom::motion {
namespace {

constexpr float kWide = 1.25f;           ///< from this widening on a piece is made of a rod that lies across
constexpr float kThin = 0.019f;          ///< metres: thinner things, noses and thumbs, stop nobody
constexpr float kLevelDistance = 0.05f;  ///< metres between rods that lie across, about

bool hangs_from(const motion::Skeleton& skeleton, std::size_t joint, int ancestor) {
  for (int j = static_cast<int>(joint); j >= 0; j = skeleton.joint(index(j)).parent) {
    if (j == ancestor) return true;
  }
  return false;
}

/// Which limb a joint belongs to, and how far down it its bone begins and ends.
struct OnLimb {
  BodyPart part = BodyPart::kCore;
  float begins = 0, ends = 0;
};

OnLimb limb_of(const motion::Skeleton& skeleton, const motion::Body& body, std::size_t joint) {
  const std::array<std::pair<const motion::Limb*, BodyPart>, 4> limbs = {{{&body.left_arm, BodyPart::kLeftArm},
                                                                          {&body.right_arm, BodyPart::kRightArm},
                                                                          {&body.left_leg, BodyPart::kLeftLeg},
                                                                          {&body.right_leg, BodyPart::kRightLeg}}};
  for (const auto& [limb, part] : limbs) {
    if (!limb->complete() || !hangs_from(skeleton, joint, limb->upper)) continue;
    if (hangs_from(skeleton, joint, limb->end)) return {part, 1, 1};
    return hangs_from(skeleton, joint, limb->middle) ? OnLimb{part, 0.5f, 1} : OnLimb{part, 0, 0.5f};
  }
  return {};
}

}  // namespace

CapsuleGap gap_between(const Capsule& one, const Capsule& other) {
  // The nearest points of two segments (Ericson 2005 §5.1.9).
  const Vec3 along = one.b - one.a, across = other.b - other.a, between = one.a - other.a;
  const float aa = dot(along, along), cc = dot(across, across), ac = dot(along, across);
  const float ab = dot(along, between), cb = dot(across, between);
  constexpr float kPoint = 1e-10f;
  float s = 0, t = 0;
  if (aa > kPoint) {
    const float square = aa * cc - ac * ac;
    s = square > kPoint * aa ? std::clamp((ac * cb - ab * cc) / square, 0.0f, 1.0f) : 0.0f;
  }
  if (cc > kPoint) t = std::clamp((ac * s + cb) / cc, 0.0f, 1.0f);
  if (aa > kPoint) s = std::clamp((ac * t - ab) / aa, 0.0f, 1.0f);
  const float apart = distance(lerp(one.a, one.b, s), lerp(other.a, other.b, t));
  return {s, t,
          apart - (one.radius_a + (one.radius_b - one.radius_a) * s) -
              (other.radius_a + (other.radius_b - other.radius_a) * t)};
}

std::optional<BodyCapsules> BodyCapsules::of(const motion::Skeleton& skeleton) {
  const motion::Body body = motion::find_body(skeleton);
  if (!motion::stands_at_rest(skeleton, body)) return std::nullopt;
  const std::optional<motion::HumanFigure> figure = motion::make_figure(skeleton, body);
  if (!figure) return std::nullopt;
  BodyCapsules made;
  const auto add = [&](std::size_t joint, Vec3 a, Vec3 b, float radius_a, float radius_b) {
    const OnLimb on = limb_of(skeleton, body, joint);
    const auto local = [&](Vec3 p) { return rotate(conjugate(figure->turns[joint]), p - figure->positions[joint]); };
    made.pieces_.push_back({joint, local(a), local(b), radius_a, radius_b, on.part, on.begins, on.ends});
  };
  const std::vector<motion::Blob>& blobs = figure->blobs;
  for (std::size_t first = 0, last = 0; first < blobs.size(); first = last) {
    // Pieces of one rod on one bone.
    const motion::Blob& blob = blobs[first];
    const bool wide = std::max(blob.widening_a, blob.widening_b) > kWide;
    float long_so_far = 0;
    for (last = first; last < blobs.size(); ++last) {
      const motion::Blob& next = blobs[last];
      if (next.joint != blob.joint || next.group != blob.group) break;
      if (wide && last > first && long_so_far > kLevelDistance - 0.5f * distance(next.a, next.b)) break;
      long_so_far += distance(next.a, next.b);
    }
    const motion::Blob& end = blobs[last - 1];
    const float widening = 0.5f * (blob.widening_a + end.widening_b), radius = 0.5f * (blob.radius_a + end.radius_b);
    if (std::max(blob.radius_a, end.radius_b) * std::max(1.0f, widening) < kThin) continue;
    if (wide && long_so_far < 2 * radius) {
      const Vec3 middle = lerp(blob.a, end.b, 0.5f), side = blob.wide * (radius * (widening - 1));
      add(blob.joint, middle - side, middle + side, radius, radius);
    } else {
      add(blob.joint, blob.a, end.b, blob.radius_a * std::max(1.0f, 0.25f + 0.75f * blob.widening_a),
          end.radius_b * std::max(1.0f, 0.25f + 0.75f * end.widening_b));
    }
  }
  return made;
}

void BodyCapsules::place(std::span<const Vec3> positions, std::span<const Quat> world,
                         std::span<Capsule> capsules) const {
  for (std::size_t c = 0; c < pieces_.size(); ++c) {
    const Piece& piece = pieces_[c];
    capsules[c] = {positions[piece.joint] + rotate(world[piece.joint], piece.a),
                   positions[piece.joint] + rotate(world[piece.joint], piece.b), piece.radius_a, piece.radius_b};
  }
}

}  // namespace loom::motion
