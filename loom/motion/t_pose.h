// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <loom/motion/clip.h>

namespace loom::motion {

/// Frames [begin, end).
struct FrameRange {
  std::size_t begin = 0, end = 0;

  friend bool operator==(const FrameRange&, const FrameRange&) = default;
};

/// Whether the first frame of `clip` is an artificial T-pose that a converter put there and not captured motion.
///
/// Two signs together: most joints that move later are exactly at rest in it, which no captured frame shows, and the
/// body jumps out of it at a rate it never reaches in the frames after. Needs four frames to tell; fewer give false.
bool starts_with_t_pose(const Clip& clip);

/// How many first frames of `clip` are one pose, up to ten, that the body jumps out of farther than it moves in any
/// step soon after; 0 where it does not jump. Such a pose may be captured: only where several takes share it is it not.
std::size_t frames_before_jump(const Clip& clip);

/// Whether two poses of one skeleton are the same to half a degree in every joint but the root. Captured poses never
/// are.
bool is_same_pose(std::span<const Quat> a, std::span<const Quat> b);

/// The stretches of an artificial pose in a clip: frames in which most joints that usually move are exactly at rest or
/// all are as in `known` (a pose that other files of the same body begin with; empty for none), which the body jumps
/// into or out of. A motion that comes to its rest pose and leaves it as bodies move has none. O(frames × joints).
std::vector<FrameRange> find_t_poses(const Clip& clip, std::span<const Quat> known = {});

}  // namespace loom::motion
