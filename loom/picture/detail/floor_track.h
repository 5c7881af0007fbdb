// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include <loom/picture/drawing.h>
#include <loom/picture/stage.h>

namespace loom::picture {

/// The way of the body over the floor, seen from above with the start's heading to the right: the track, footprints
/// where feet stood, and at each of `frames` a dot with a tick the way the body faces. Axes are metres from the start.
void draw_floor_track(Drawing& drawing, const Rect& frame, const Performance& performance,
                      const std::vector<std::size_t>& frames);

}  // namespace loom::picture
