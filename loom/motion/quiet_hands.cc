// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <vector>

#include <loom/base/whole.h>
#include <loom/motion/body.h>
#include <loom/motion/quiet_hands.h>
#include <loom/motion/t_pose.h>

namespace loom::motion {
namespace {

constexpr float kFastest = 10;   // radians a second; in capture fingers turn at 2 to 5
constexpr double kEither = 0.1;  // seconds before and after a jump in which the joint goes over

/// Joints beyond the wrists; parents come before their children.
std::vector<std::size_t> hand_joints(const Skeleton& skeleton) {
  const Body body = find_body(skeleton);
  std::vector<bool> beyond(skeleton.size());
  std::vector<std::size_t> joints;
  for (std::size_t j = 0; j < skeleton.size(); ++j) {
    const int parent = skeleton.joint(j).parent;
    if (parent < 0) continue;
    const bool at_wrist = parent == body.left_arm.end || parent == body.right_arm.end;
    beyond[j] = at_wrist || beyond[static_cast<std::size_t>(parent)];
    if (beyond[j]) joints.push_back(j);
  }
  return joints;
}

/// The stretches in which a joint jumps, with what is needed to go over smoothly; those that meet are one.
std::vector<FrameRange> jumps_of(const Clip& clip, std::size_t joint) {
  const auto most = kFastest / static_cast<float>(clip.rate);
  const auto either = to_whole<std::size_t>(std::max(1.0, std::round(kEither * clip.rate)));
  std::vector<FrameRange> jumps;
  for (std::size_t f = 1; f < clip.frames(); ++f) {
    if (angle_between(clip.pose(f - 1)[joint], clip.pose(f)[joint]) <= most) continue;
    const FrameRange around{f - 1 - std::min(f - 1, either), std::min(f + either, clip.frames() - 1)};
    if (!jumps.empty() && around.begin <= jumps.back().end) {
      jumps.back().end = around.end;
    } else {
      jumps.push_back(around);
    }
  }
  return jumps;
}

}  // namespace

void quiet_hands(Clip& clip) {
  if (clip.frames() < 2) return;
  for (const std::size_t joint : hand_joints(*clip.skeleton)) {
    for (const FrameRange& jump : jumps_of(clip, joint)) {
      const Quat from = clip.pose(jump.begin)[joint], to = clip.pose(jump.end)[joint];
      for (std::size_t f = jump.begin + 1; f < jump.end; ++f) {
        const float share = static_cast<float>(f - jump.begin) / static_cast<float>(jump.end - jump.begin);
        clip.pose(f)[joint] = slerp(from, to, smoothstep(share));
      }
    }
  }
}

}  // namespace loom::motion
