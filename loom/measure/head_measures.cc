// SPDX-License-Identifier: MIT
// How roughly a body moves: its joints, and its head, which people keep steady and whoever looks at a body sees first.
#include <algorithm>
#include <cmath>

#include <loom/base/whole.h>
#include <loom/measure/detail/body_measure_families.h>
#include <loom/motion/body.h>

namespace loom::measure {
namespace {

constexpr double kHeadRate = 30;  // accelerations are taken over one frame to either side at this rate

/// The top of the head in the frame of its joint; the joint itself where nothing is said of it.
Vec3 top_of(const motion::Skeleton& skeleton, int head) {
  for (const motion::EndSite& site : skeleton.end_sites()) {
    if (site.joint == head) return site.offset;
  }
  return {};
}

/// Frames to either side over which accelerations are taken: the same time whatever the rate. From frame to frame the
/// same motion would seem twice as rough at 60 frames a second as at 30, wherever its velocity changes at once.
std::size_t half_width(double rate) { return to_whole<std::size_t>(std::max(1.0, std::round(rate / kHeadRate))); }

}  // namespace

void measure_accelerations(const motion::Clip& clip, const motion::WorldPoses& poses, BodyMeasures& measures) {
  const std::size_t half = half_width(clip.rate);
  const double seconds = static_cast<double>(half) / clip.rate;
  for (std::size_t f = half; f + half < poses.frames; ++f) {
    for (std::size_t p = 0; p < poses.points; ++p) {
      const Vec3 change = poses.position(f + half, p) - poses.position(f, p) * 2.0f + poses.position(f - half, p);
      const double acceleration = static_cast<double>(length(change)) / (seconds * seconds);
      if (acceleration <= measures.joint_acceleration_mps2) continue;
      measures.joint_acceleration_mps2 = acceleration;
      measures.joint_acceleration_frame = f;
      measures.joint_acceleration_point = p;
    }
  }
}

void measure_head(const motion::Clip& clip, const motion::WorldPoses& poses, BodyMeasures& measures) {
  const int head = motion::find_body(*clip.skeleton).head;
  measures.has_head = head >= 0;
  if (!measures.has_head) return;
  const Vec3 top = top_of(*clip.skeleton, head);
  const auto at = [&](std::size_t f) {
    const auto joint = static_cast<std::size_t>(head);
    return poses.position(f, joint) + rotate(poses.rotation(f, joint), top);
  };
  const std::size_t half = half_width(clip.rate);
  const double seconds = static_cast<double>(half) / clip.rate;
  for (std::size_t f = half; f + half < poses.frames; ++f) {
    const Vec3 change = at(f + half) - at(f) * 2.0f + at(f - half);
    const double acceleration = static_cast<double>(length(change)) / (seconds * seconds);
    if (acceleration <= measures.head_acceleration_mps2) continue;
    measures.head_acceleration_mps2 = acceleration;
    measures.head_acceleration_frame = f;
  }
}

}  // namespace loom::measure
