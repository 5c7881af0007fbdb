// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include <loom/picture/drawing.h>
#include <loom/picture/stage.h>

namespace loom::picture {

/// What happens when: labels as coloured ranges, contacts as bars (heel and toe of each foot), and how fast and how
/// high the root moves, over one axis of seconds. The instants of `frames` are marked.
void draw_timeline(Drawing& drawing, const Rect& frame, const Performance& performance,
                   const std::vector<std::size_t>& frames);

/// The height that shows everything without crowding.
float natural_timeline_height(const Performance& performance);

}  // namespace loom::picture
