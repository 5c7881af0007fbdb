// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <loom/motion/clip.h>
#include <loom/policy/control_space.h>

namespace loom::policy {

/// What each frame of a clip evidently does, read off the centre of mass (McCann & Pollard 2007 §4.1): its velocity
/// over the floor in the body's frame, the turn rate, and flag 0 where the body is in the air. One a frame.
///
/// Speeds and headings are smoothed over a few tenths of a second, since hips and weight sway with every step and no
/// player means that. In the air is where the centre of mass falls freely for longer than the flight of a running
/// stride: a run is no row of jumps. Where the skeleton has no legs the root stands for the centre of mass.
std::vector<ControlSignal> evident_controls(const motion::Clip& clip);

/// The bit of `evident_controls` for being in the air.
inline constexpr std::uint32_t kAirborneBit = 1;

}  // namespace loom::policy
