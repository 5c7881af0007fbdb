// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <loom/base/math.h>
#include <loom/motion/ground_frame.h>
#include <loom/take/take_set.h>

namespace loom::take {

/// Frames of two clips that belong together; they need not be whole.
struct FrameMatch {
  float a = 0, b = 0;

  friend bool operator==(const FrameMatch&, const FrameMatch&) = default;
};

/// Motion between two clips of a set, computed when it is asked for and never stored (the interpolated motions of
/// well-connected graphs, Zhao 2009 §3.3): clip b is carried to where clip a lies, both are played along a time map,
/// and the poses are mixed with one weight throughout. Nothing of it is as large as a frame: memory grows with the
/// knots of its time map.
struct Mix {
  std::uint32_t a = 0, b = 0;     ///< clips of the set
  float weight = 0;               ///< of b, in [0, 1]
  motion::GroundFrame alignment;  ///< carries b's coordinates into a's
  /// The time map, straight between its knots: two at least, each later than the one before in both clips.
  std::vector<FrameMatch> knots;

  /// How many frames it has: at weight 0 it lasts as long as its stretch of a, at weight 1 as long as that of b.
  [[nodiscard]] std::uint32_t frames() const;
  /// The frames of the two clips that make up a frame of it. O(log knots).
  [[nodiscard]] FrameMatch at(std::uint32_t frame) const;
};

/// What is wrong with a mix of clips that have so many frames; empty when nothing is.
std::string find_fault(const Mix& mix, std::span<const std::uint32_t> clip_frames);

/// What a pose has beside its rotations.
struct MixedPose {
  Vec3 root;
  std::uint8_t planted = 0;  ///< as in motion::Contacts, of the clip that weighs more
};

/// Computes the pose of a frame of `mix` in the coordinates of its clip a: between frames and between clips roots are
/// mixed along lines, rotations along great circles. `rotations` has room for the skeleton's joints. O(joints + log
/// knots); allocates nothing.
MixedPose mix_pose(const TakeSet& set, const Mix& mix, std::uint32_t frame, std::span<Quat> rotations);

}  // namespace loom::take
