// SPDX-License-Identifier: MIT
#include <algorithm>

#include <loom/motion/carry.h>
#include <loom/motion/moment.h>
#include <loom/play/read_pose.h>

namespace loom::play {

Vec3 read_frame(const motion::Clip& clip, std::int64_t frame, const motion::GroundFrame& world,
                std::span<Quat> rotations) {
  const auto f =
      static_cast<std::size_t>(std::clamp<std::int64_t>(frame, 0, static_cast<std::int64_t>(clip.frames()) - 1));
  const auto pose = clip.pose(f);
  std::copy(pose.begin(), pose.end(), rotations.begin());
  Vec3 root = clip.roots[f];
  carry(world, root, rotations[0]);
  return root;
}

Vec3 read_moment(const motion::Clip& clip, double frame, const motion::GroundFrame& world, std::span<Quat> rotations) {
  Vec3 root = motion::pose_at(clip, frame, rotations);
  carry(world, root, rotations[0]);
  return root;
}

}  // namespace loom::play
