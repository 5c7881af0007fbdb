// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/blend/example_limits.h>
#include <loom/motion/bend_axis.h>

namespace loom::blend {
namespace {

constexpr float kMoreBend = 3 * kDegree;  // planting feet bends knees by as much
constexpr float kDeeper = 0.02f;          // metres

/// All frames of the clips as one, for what looks at poses and not at motion.
motion::Clip all_poses(const std::vector<motion::Clip>& clips) {
  motion::Clip all = clips.front();
  for (std::size_t c = 1; c < clips.size(); ++c) {
    all.roots.insert(all.roots.end(), clips[c].roots.begin(), clips[c].roots.end());
    all.rotations.insert(all.rotations.end(), clips[c].rotations.begin(), clips[c].rotations.end());
  }
  return all;
}

}  // namespace

ExampleLimits ExampleLimits::of(const BlendSpace& space) {
  ExampleLimits limits;
  const motion::WorldPoses poses = motion::forward_kinematics(all_poses(space.clips()));
  limits.hinges_ = motion::find_hinges(*space.skeleton(), poses);
  limits.soles_ = motion::find_soles(*space.skeleton());
  limits.lowest_ = std::min(0.0f, limits.lowest_sole(poses));
  for (std::size_t h = 0; h < motion::kHinges; ++h) {
    if (!limits.hinges_[h]) continue;
    Range& range = limits.ranges_[h];
    range = {0, motion::kFullyBent};
    for (std::size_t f = 0; f < poses.frames; ++f) {
      const float bend = motion::signed_bend(poses, f, *limits.hinges_[h]);
      range = {std::min(range.least, bend), std::max(range.most, bend)};
    }
  }
  return limits;
}

float ExampleLimits::bent_beyond(const motion::WorldPoses& poses) const {
  float worst = 0;
  for (std::size_t h = 0; h < motion::kHinges; ++h) {
    if (!hinges_[h]) continue;
    const Range& range = ranges_[h];
    for (std::size_t f = 0; f < poses.frames; ++f) {
      const float bend = motion::signed_bend(poses, f, *hinges_[h]);
      if (bend >= range.least && bend <= range.most) continue;
      // Round the circle: what is folded further than half a turn comes out on the other side.
      worst = std::max(worst,
                       std::min(std::fabs(wrap_angle(bend - range.least)), std::fabs(wrap_angle(bend - range.most))));
    }
  }
  return worst;
}

float ExampleLimits::sunk_beyond(const motion::WorldPoses& poses) const {
  return std::max(0.0f, lowest_ - lowest_sole(poses));
}

bool ExampleLimits::allow(const motion::Clip& clip) const {
  const motion::WorldPoses poses = motion::forward_kinematics(clip);
  return bent_beyond(poses) <= kMoreBend && sunk_beyond(poses) <= kDeeper;
}

float ExampleLimits::lowest_sole(const motion::WorldPoses& poses) const {
  float lowest = 0;
  for (std::size_t f = 0; f < poses.frames; ++f) {
    for (const auto& foot : soles_.feet) {
      if (!foot.empty()) lowest = std::min(lowest, motion::lowest_sole_point(poses, f, foot).y);
    }
  }
  return lowest;
}

}  // namespace loom::blend
