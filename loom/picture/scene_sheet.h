// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <loom/base/result.h>
#include <loom/motion/clip.h>
#include <loom/picture/drawing.h>

namespace loom::picture {

/// A moment of a scene and what is written under it.
struct SceneMoment {
  std::size_t frame = 0;
  std::string caption;
};

struct SceneSheetOptions {
  std::size_t columns = 5;
  float cell = 300;     ///< pixels a side of a picture; the view from above under it takes half as much again
  float metres = 3.2f;  ///< shown across a picture
};

/// Several characters in one world on one page: for each moment a view from the side, with the line from the first
/// character to the second lying in the picture, and one from above. Characters after the first are paler. Fails on no
/// clips, clips of different length, and frames outside them.
Result<Drawing> draw_scene_sheet(std::span<const motion::Clip> clips, std::span<const SceneMoment> moments,
                                 const std::string& title, const SceneSheetOptions& options = {});

}  // namespace loom::picture
