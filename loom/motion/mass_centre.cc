// SPDX-License-Identifier: MIT
#include <loom/motion/mass_centre.h>

namespace loom::motion {

MassCentre::MassCentre(const Body& body) {
  for (const Limb* leg : {&body.left_leg, &body.right_leg}) add_limb(*leg, 0.100f, 0.0465f, 0.0145f);
  for (const Limb* arm : {&body.left_arm, &body.right_arm}) add_limb(*arm, 0.028f, 0.016f, 0.006f);
  const bool shoulders = body.left_arm.complete() && body.right_arm.complete();
  int top_a = body.left_arm.upper, top_b = body.right_arm.upper;
  if (!shoulders) top_a = top_b = body.neck >= 0 ? body.neck : body.head;
  if (top_a >= 0) segments_.push_back({body.left_leg.upper, body.right_leg.upper, top_a, top_b, 0.497f, 0.5f});
  if (body.head >= 0) segments_.push_back({body.head, body.head, body.head, body.head, 0.081f, 0.0f});
  for (const Segment& segment : segments_) mass_ += segment.mass;
}

void MassCentre::add_limb(const Limb& limb, float upper, float lower, float last) {
  if (!limb.complete()) return;
  segments_.push_back({limb.upper, limb.upper, limb.middle, limb.middle, upper, 0.433f});
  segments_.push_back({limb.middle, limb.middle, limb.end, limb.end, lower, 0.432f});
  const int tip = limb.tip >= 0 ? limb.tip : limb.end;
  segments_.push_back({limb.end, limb.end, tip, tip, last, 0.5f});
}

Vec3 MassCentre::find(std::span<const Vec3> positions) const {
  const auto mean = [&](int a, int b) {
    return 0.5f * (positions[static_cast<std::size_t>(a)] + positions[static_cast<std::size_t>(b)]);
  };
  Vec3 sum;
  for (const Segment& s : segments_) sum += s.mass * lerp(mean(s.from_a, s.from_b), mean(s.to_a, s.to_b), s.along);
  return sum / mass_;
}

std::vector<Vec3> mass_centre(const WorldPoses& poses, const Body& body) {
  if (!body.has_legs()) return {};
  const MassCentre finder(body);
  std::vector<Vec3> centres(poses.frames);
  for (std::size_t f = 0; f < poses.frames; ++f) {
    centres[f] = finder.find(std::span(poses.positions).subspan(f * poses.points, poses.points));
  }
  return centres;
}

}  // namespace loom::motion
