// SPDX-License-Identifier: MIT
// How roughly a head is carried: people keep theirs steady, and whoever looks at a body looks there first.
#include <algorithm>
#include <cmath>

#include <loom/base/whole.h>
#include <loom/measure/detail/body_measure_families.h>
#include <loom/motion/body.h>

namespace loom::measure {
namespace {

constexpr double kLookRate = 30;  // accelerations are taken over one frame to either side at this rate

/// The top of the head in the frame of its joint; the joint itself where nothing is said of it.
Vec3 top_of(const motion::Skeleton& skeleton, int head) {
  for (const motion::EndSite& site : skeleton.end_sites()) {
    if (site.joint == head) return site.offset;
  }
  return {};
}

}  // namespace

void measure_head(const motion::Clip& clip, const motion::WorldPoses& poses, BodyMeasures& measures) {
  const int head = motion::find_body(*clip.skeleton).head;
  measures.has_head = head >= 0;
  if (!measures.has_head) return;
  const Vec3 top = top_of(*clip.skeleton, head);
  const auto at = [&](std::size_t f) {
    const auto joint = static_cast<std::size_t>(head);
    return poses.position(f, joint) + rotate(poses.rotation(f, joint), top);
  };
  const auto half = to_whole<std::size_t>(std::max(1.0, std::round(clip.rate / kLookRate)));
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
