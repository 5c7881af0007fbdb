// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include <loom/picture/drawing.h>
#include <loom/picture/stage.h>

namespace loom::picture {

/// Poses side by side in cells of equal width, in as many rows as make them largest, all at one scale on a floor with
/// a ruler in metres; each is seen relative to its own heading, and labelled with its time and frame.
void draw_pose_strip(Drawing& drawing, const Rect& frame, const Performance& performance,
                     const std::vector<std::size_t>& frames, View view);

/// Poses where they are in space: one picture of the whole motion, seen from the side it travels along and a little
/// from above, with the track, footprints and shadows on a floor of metre squares.
void draw_trail(Drawing& drawing, const Rect& frame, const Performance& performance,
                const std::vector<std::size_t>& frames, View view);

/// The height, for a strip `width` wide, at which its poses are as large as the width allows.
float natural_strip_height(float width, const Performance& performance, const std::vector<std::size_t>& frames,
                           View view);
/// The same for a trail.
float natural_trail_height(float width, const Performance& performance, const std::vector<std::size_t>& frames,
                           View view);

}  // namespace loom::picture
