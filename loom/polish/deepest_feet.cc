// SPDX-License-Identifier: MIT
#include <algorithm>

#include <loom/motion/kinematics.h>
#include <loom/polish/deepest_feet.h>

namespace loom::polish {

float deepest_feet(std::span<const motion::Clip> clips, std::span<const motion::Contacts> contacts) {
  float deepest = 0;
  for (std::size_t c = 0; c < clips.size(); ++c) {
    const motion::WorldPoses poses = motion::forward_kinematics(clips[c]);
    for (std::size_t part = 0; part < motion::kFootParts; ++part) {
      const int point = contacts[c].points[part];
      if (point < 0) continue;
      for (std::size_t f = 0; f < poses.frames; ++f) {
        const Vec3 place = poses.position(f, static_cast<std::size_t>(point));
        deepest = std::max(deepest, contacts[c].ground.at(place) + contacts[c].rest_height[part] - place.y);
      }
    }
  }
  return deepest;
}

}  // namespace loom::polish
