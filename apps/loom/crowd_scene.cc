// SPDX-License-Identifier: MIT
#include "loom/crowd_scene.h"

#include <fmt/format.h>

namespace loom::app {

Result<void> write_crowd(std::span<const motion::Recording> recordings, std::span<const io::GltfProp> props,
                         const std::string& path, const std::optional<Onto>& onto) {
  if (onto) {
    std::vector<motion::Clip> clips;
    for (const motion::Recording& recording : recordings) clips.push_back(recording.clip);
    return onto->write_scene(clips, props, path);
  }
  static constexpr Vec3 kColours[] = {{0.72f, 0.25f, 0.16f}, {0.16f, 0.33f, 0.62f}, {0.25f, 0.55f, 0.28f},
                                      {0.62f, 0.50f, 0.16f}, {0.45f, 0.25f, 0.55f}, {0.30f, 0.52f, 0.55f}};
  std::vector<io::GltfCharacter> characters;
  for (std::size_t i = 0; i < recordings.size(); ++i) {
    const motion::Clip& clip = recordings[i].clip;
    characters.push_back({fmt::format("Walker {}", i + 1), clip.skeleton, {clip}, kColours[i % std::size(kColours)]});
  }
  return io::write_gltf(characters, path, props);
}

}  // namespace loom::app
