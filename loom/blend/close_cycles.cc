// SPDX-License-Identifier: MIT
#include <algorithm>

#include <loom/blend/close_cycles.h>
#include <loom/motion/ground_frame.h>

namespace loom::blend {
namespace {

/// A pose as if it stood at the origin and faced +Z.
struct Fronted {
  float height = 0;
  std::vector<Quat> rotations;
};

Fronted fronted(const motion::GroundFrameFinder& finder, const motion::Clip& clip, double seconds) {
  motion::Pose pose;
  motion::sample_pose(clip, seconds, pose);
  Fronted seen{pose.root.y, std::move(pose.rotations)};
  seen.rotations[0] = conjugate(finder.find(pose.root, seen.rotations[0]).rotation()) * seen.rotations[0];
  return seen;
}

/// Closes one clip between two of its moments, in seconds.
void close_cycle(motion::Clip& clip, double begin, double end) {
  if (end <= begin) return;
  const motion::GroundFrameFinder finder(*clip.skeleton);
  const Fronted first = fronted(finder, clip, begin), last = fronted(finder, clip, end);
  std::vector<Vec3> turns;  // by what the last pose is turned from the first, in the parent's frame
  for (std::size_t j = 0; j < clip.joints(); ++j) {
    turns.push_back(log_vector(last.rotations[j] * conjugate(first.rotations[j])));
  }
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    // Half of it at the beginning, as much taken away at the end.
    const auto share = static_cast<float>(0.5 - (static_cast<double>(f) / clip.rate - begin) / (end - begin));
    clip.roots[f].y += share * (last.height - first.height);
    const Quat facing = finder.find(clip.roots[f], clip.pose(f)[0]).rotation();
    for (std::size_t j = 0; j < clip.joints(); ++j) {
      const Quat turn = exp_vector(turns[j] * share);
      Quat& q = clip.pose(f)[j];
      q = normalized(j == 0 ? facing * turn * conjugate(facing) * q : turn * q);
    }
  }
}

}  // namespace

void close_cycles(std::vector<motion::Clip>& clips, const Alignment& alignment) {
  for (std::size_t c = 0; c < clips.size(); ++c) {
    const double begin = std::max(0.0, alignment.curves[c].at(alignment.begin));
    const double end = std::min(clips[c].duration(), alignment.curves[c].at(alignment.end));
    close_cycle(clips[c], begin, end);
  }
}

}  // namespace loom::blend
