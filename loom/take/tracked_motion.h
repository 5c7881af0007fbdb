// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <loom/motion/ground_frame.h>
#include <loom/take/take_set.h>

namespace loom::take {

/// Over how long the place and heading of a body are averaged. The hips sway and turn with every step; where somebody
/// stands, walks to and faces is what is left without that.
inline constexpr double kTrackSeconds = 0.15;

/// Where a body goes, one frame for each frame of `clip`: its ground frames smoothed by a local line under a Gaussian
/// of standard deviation `seconds`, so that steady motion is kept exactly, at the ends too. O(frames × window).
std::vector<motion::GroundFrame> smooth_track(const motion::Clip& clip, double seconds = kTrackSeconds);

/// Clips ready to be played in pieces: the motion itself, and the track of each clip. Immutable; characters share it.
struct TrackedMotion {
  std::shared_ptr<const take::TakeSet> motion;           ///< standing on the floor y = 0, with contacts
  std::vector<std::vector<motion::GroundFrame>> tracks;  ///< of each clip
  std::vector<std::string> names;                        ///< of each clip, for people
  double rate = 30;                                      ///< frames a second of all clips

  /// The track at a frame that need not be whole, clamped to the clip.
  [[nodiscard]] motion::GroundFrame track_at(std::uint32_t clip, double frame) const;
};

/// Finds the tracks of `motion`'s clips. There must be one, all of one rate.
std::shared_ptr<const TrackedMotion> track(std::shared_ptr<const take::TakeSet> motion, std::vector<std::string> names);

}  // namespace loom::take
