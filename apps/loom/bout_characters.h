// SPDX-License-Identifier: MIT
#pragma once

#include <iterator>
#include <vector>

#include <fmt/format.h>

#include <loom/fight/bout.h>
#include <loom/io/gltf_write.h>

namespace loom::app {

/// The fighters of a bout as a file shows them, each in a colour of its own: the command and the studio write the same.
inline std::vector<io::GltfCharacter> characters_of(const fight::Bout& bout) {
  static constexpr Vec3 kColours[] = {
      {0.72f, 0.25f, 0.16f}, {0.16f, 0.33f, 0.62f}, {0.25f, 0.55f, 0.28f}, {0.62f, 0.50f, 0.16f}};
  std::vector<io::GltfCharacter> characters;
  for (std::size_t f = 0; f < bout.recordings.size(); ++f) {
    const motion::Clip& clip = bout.recordings[f].clip;
    characters.push_back({fmt::format("Fighter {} ({})", f + 1, bout.styles[f]),
                          clip.skeleton,
                          {clip},
                          kColours[f % std::size(kColours)]});
  }
  return characters;
}

}  // namespace loom::app
