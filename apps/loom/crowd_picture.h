// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include <loom/crowd/crowd.h>
#include <loom/crowd/walls.h>
#include <loom/motion/stream.h>
#include <loom/picture/drawing.h>

namespace loom::app {

/// A crowd from above: everybody's way, pale at its beginning, where it stands at the end, and its goal; walls in ink.
/// +Z goes up, +X to the right.
picture::Drawing draw_crowd(std::span<const motion::Recording> recordings, std::span<const crowd::Member> members,
                            const crowd::Walls& walls);

}  // namespace loom::app
