// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <loom/motion/clip.h>
#include <loom/motion/ground_frame.h>

namespace loom::take {

/// Over how long the place and heading of a body are averaged. The hips sway and turn with every step; where somebody
/// stands, walks to and faces is what is left without that.
inline constexpr double kTrackSeconds = 0.15;

/// Where a body goes, one entry for each frame of its clip.
using Track = std::vector<motion::GroundFrame>;

/// The track of `clip`: its ground frames smoothed by a local line under a Gaussian of standard deviation `seconds`, so
/// that steady motion is kept exactly, at the ends too. O(frames × window).
Track smooth_track(const motion::Clip& clip, double seconds = kTrackSeconds);

/// A track at a frame that need not be whole, clamped to the clip. The track must not be empty.
motion::GroundFrame track_at(const Track& track, double frame);

}  // namespace loom::take
