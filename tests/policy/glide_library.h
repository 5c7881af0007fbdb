// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <loom/library/library.h>

#include "tests/graph/gliders.h"
#include "tests/make_clip.h"

namespace loom::testing {

inline motion::Clip named_glide(const std::string& name, float speed, float turn_rate, std::size_t frames) {
  motion::Clip clip = glide(small_person(), speed, turn_rate, frames);
  clip.name = name;
  // Arms that swing, so that moments differ.
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    for (std::size_t j = 1; j < clip.joints(); ++j) {
      const float phase = 0.3f * static_cast<float>(f) + static_cast<float>(j);
      clip.pose(f)[j] = axis_angle({1, 0, 0}, 0.2f * std::sin(phase));
    }
  }
  return clip;
}

/// A library of a person who glides ahead, in arcs to both sides, and stands.
inline library::Library make_glide_library(const std::string& path) {
  auto library = library::Library::open_or_create(path);
  for (const motion::Clip& clip : {named_glide("ahead", 1.5f, 0, 46), named_glide("left", 1.5f, 0.8f, 46),
                                   named_glide("right", 1.5f, -0.8f, 46), named_glide("stand", 0, 0, 46)}) {
    if (!library->add_clip(clip)) std::abort();
  }
  return std::move(*library);
}

}  // namespace loom::testing
