// SPDX-License-Identifier: MIT
#include <loom/motion/label_ranges.h>
#include <loom/motion/mirror.h>
#include <loom/motion/mirror_frames.h>

namespace loom::motion {

Result<Clip> mirror(const Clip& clip) {
  const Result<MirrorFrames> frames = find_mirror_frames(*clip.skeleton);
  if (!frames) return fail_from(frames);
  const std::vector<Quat>& turns = frames->turns;
  constexpr Quat kWorld{0, 1, 0, 0};  // of the mirror in the plane x = 0, as those of the joints
  Clip mirrored = clip;
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    mirrored.roots[f].x = -clip.roots[f].x;
    for (std::size_t j = 0; j < clip.joints(); ++j) {
      const int parent = clip.skeleton->joint(j).parent;
      const Quat before = j == 0 ? kWorld : turns[static_cast<std::size_t>(parent)];
      mirrored.pose(f)[static_cast<std::size_t>(frames->pairs[j])] =
          normalized(conjugate(before) * clip.pose(f)[j] * turns[j]);
    }
  }
  mirrored.labels = mirror_labels(clip.labels);
  return mirrored;
}

}  // namespace loom::motion
