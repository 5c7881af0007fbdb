// SPDX-License-Identifier: MIT
#include <loom/motion/mass_centre.h>

namespace loom::motion {
namespace {

/// A segment between two points, each the mean of two joints: mass a share of the body's, centred at `along` from the
/// first to the second.
struct Segment {
  int from_a, from_b, to_a, to_b;
  float mass, along;
};

void add_limb(const Limb& limb, float upper, float lower, float last, std::vector<Segment>& segments) {
  if (!limb.complete()) return;
  segments.push_back({limb.upper, limb.upper, limb.middle, limb.middle, upper, 0.433f});
  segments.push_back({limb.middle, limb.middle, limb.end, limb.end, lower, 0.432f});
  const int tip = limb.tip >= 0 ? limb.tip : limb.end;
  segments.push_back({limb.end, limb.end, tip, tip, last, 0.5f});
}

std::vector<Segment> segments_of(const Body& body) {
  std::vector<Segment> segments;
  for (const Limb* leg : {&body.left_leg, &body.right_leg}) add_limb(*leg, 0.100f, 0.0465f, 0.0145f, segments);
  for (const Limb* arm : {&body.left_arm, &body.right_arm}) add_limb(*arm, 0.028f, 0.016f, 0.006f, segments);
  const bool shoulders = body.left_arm.complete() && body.right_arm.complete();
  int top_a = body.left_arm.upper, top_b = body.right_arm.upper;
  if (!shoulders) top_a = top_b = body.neck >= 0 ? body.neck : body.head;
  if (top_a >= 0) segments.push_back({body.left_leg.upper, body.right_leg.upper, top_a, top_b, 0.497f, 0.5f});
  if (body.head >= 0) segments.push_back({body.head, body.head, body.head, body.head, 0.081f, 0.0f});
  return segments;
}

}  // namespace

std::vector<Vec3> mass_centre(const WorldPoses& poses, const Body& body) {
  if (!body.has_legs()) return {};
  const std::vector<Segment> segments = segments_of(body);
  std::vector<Vec3> centres(poses.frames);
  for (std::size_t f = 0; f < poses.frames; ++f) {
    const auto mean = [&](int a, int b) {
      return 0.5f * (poses.position(f, static_cast<std::size_t>(a)) + poses.position(f, static_cast<std::size_t>(b)));
    };
    Vec3 sum;
    float mass = 0;
    for (const Segment& s : segments) {
      sum += s.mass * lerp(mean(s.from_a, s.from_b), mean(s.to_a, s.to_b), s.along);
      mass += s.mass;
    }
    centres[f] = sum / mass;
  }
  return centres;
}

}  // namespace loom::motion
