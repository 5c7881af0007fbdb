// SPDX-License-Identifier: MIT
// Knees and elbows that bend the wrong way, and bodies inside themselves or each other.
#include <algorithm>
#include <array>
#include <cmath>

#include <loom/base/whole.h>
#include <loom/measure/detail/body_measure_families.h>
#include <loom/motion/body_volume.h>
#include <loom/motion/hinges.h>

namespace loom::measure {
namespace {

constexpr double kLookRate = 30;  // bodies are looked through so many times a second

std::size_t stride_of(double rate) { return to_whole<std::size_t>(std::max(1.0, std::round(rate / kLookRate))); }

}  // namespace

void measure_hinges(const motion::Clip& clip, const motion::WorldPoses& poses, BodyMeasures& measures) {
  const motion::Hinges hinges = motion::find_hinges(*clip.skeleton, poses);
  for (std::size_t f = 0; f < poses.frames; ++f) {
    std::array<double, 2> backward{};  // knees, elbows
    for (std::size_t h = 0; h < motion::kHinges; ++h) {
      if (!hinges[h]) continue;
      double& worst = backward[h < motion::kKnees ? 0 : 1];
      worst = std::max(worst, static_cast<double>(-motion::signed_bend(poses, f, *hinges[h]) / kDegree));
    }
    if (backward[0] > measures.knee_backward_deg) {
      measures.knee_backward_deg = backward[0], measures.knee_backward_frame = f;
    }
    if (backward[1] > measures.elbow_backward_deg) {
      measures.elbow_backward_deg = backward[1], measures.elbow_backward_frame = f;
    }
    measures.knee_backward_frames += backward[0] > kBackwardDegrees ? 1 : 0;
    measures.elbow_backward_frames += backward[1] > kBackwardDegrees ? 1 : 0;
  }
}

void measure_volume(const motion::Clip& clip, const motion::WorldPoses& poses, BodyMeasures& measures) {
  const std::optional<motion::BodyVolume> volume = motion::BodyVolume::of(*clip.skeleton);
  if (!volume) return;
  std::size_t inside = 0, looks = 0;
  for (std::size_t f = 0; f < poses.frames; f += stride_of(clip.rate), ++looks) {
    const double depth = volume->inside_itself(poses, f);
    if (depth > measures.self_inside_m) measures.self_inside_m = depth, measures.self_inside_frame = f;
    inside += depth > kFlesh ? 1 : 0;
  }
  if (looks > 0) measures.self_inside_share = static_cast<double>(inside) / static_cast<double>(looks);
}

std::optional<Collision> measure_collision(const motion::Clip& a, const motion::Clip& b) {
  const std::optional<motion::BodyVolume> one = motion::BodyVolume::of(*a.skeleton),
                                          other = motion::BodyVolume::of(*b.skeleton);
  if (!one || !other) return std::nullopt;
  const motion::WorldPoses poses = motion::forward_kinematics(a), others = motion::forward_kinematics(b);
  Collision collision;
  std::size_t inside = 0, looks = 0;
  for (std::size_t f = 0; f < std::min(poses.frames, others.frames); f += stride_of(a.rate), ++looks) {
    const double depth = std::max(one->inside(poses, f, *other, others, f), other->inside(others, f, *one, poses, f));
    if (depth > collision.inside_m) collision.inside_m = depth, collision.frame = f;
    inside += depth > kFlesh ? 1 : 0;
  }
  if (looks > 0) collision.share = static_cast<double>(inside) / static_cast<double>(looks);
  return collision;
}

BodyMeasures measure_body(const motion::Clip& clip, const BodyMeasureOptions& options) {
  BodyMeasures measures;
  const motion::WorldPoses poses = motion::forward_kinematics(clip);
  measure_hinges(clip, poses, measures);
  measure_volume(clip, poses, measures);
  measure_accelerations(clip, poses, measures);
  measure_head(clip, poses, measures);
  measure_soles(clip, poses, options, measures);
  return measures;
}

}  // namespace loom::measure
