// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <loom/motion/clip.h>
#include <loom/motion/contacts.h>

namespace loom::measure {

/// What a close look at a body shows that the places of its joints do not (see `Measures` for those). Frames given are
/// where the worst is. Good recordings give next to nothing here.
struct BodyMeasures {
  double knee_backward_deg = 0;  ///< how far a knee bends the wrong way at worst; captured ones do by a few degrees
  std::size_t knee_backward_frame = 0;
  std::size_t knee_backward_frames = 0;  ///< frames in which one does so by more than kBackwardDegrees
  double elbow_backward_deg = 0;         ///< the same for elbows
  std::size_t elbow_backward_frame = 0;
  std::size_t elbow_backward_frames = 0;

  bool has_feet = false;                 ///< false: no recognisable feet; what follows up to the drags is zero
  std::size_t foot_reversed_frames = 0;  ///< frames with a low foot that points where its leg cannot have it, or spins
  std::size_t foot_reversed_frame = 0;   ///< the first of them
  double sole_height_m = 0;              ///< of planted feet above the floor, mean; negative: they stand in the floor
  double sole_lowest_m = 0;              ///< of any foot in any frame
  std::size_t sole_lowest_frame = 0;
  double glide_share = 0;       ///< of frames without a foot that is still though one is on the floor
  std::size_t glide_frame = 0;  ///< the middle of the longest glide
  double drags_per_minute = 0;  ///< how often a foot goes along the floor without leaving it, by more than 20 cm
  double drag_max_m = 0;        ///< and how far at most
  std::size_t drag_max_frame = 0;

  bool has_head = false;              ///< false: what follows is zero
  double head_acceleration_mps2 = 0;  ///< of the top of the head at worst, over 1/30 s to either side
  std::size_t head_acceleration_frame = 0;

  double joint_acceleration_mps2 = 0;  ///< of any joint or end of a limb at worst, over 1/30 s to either side
  std::size_t joint_acceleration_frame = 0;
  std::size_t joint_acceleration_point = 0;  ///< which, as in WorldPoses

  double self_inside_m = 0;      ///< how deep a limb is in another part of the body at worst
  double self_inside_share = 0;  ///< of frames in which that is more than kFlesh
  std::size_t self_inside_frame = 0;
};

inline constexpr double kBackwardDegrees = 8;  ///< from which on a joint bends the wrong way for everybody to see
inline constexpr double kFlesh = 0.03;         ///< metres by which limbs give way where they touch

struct BodyMeasureOptions {
  /// The height of the floor, metres. By default it is found in the motion, which then stands on it on average.
  std::optional<float> floor;
};

/// Measures a clip. O(frames × joints), about 50 µs a frame, of which there are 30 a second where the clip has more.
BodyMeasures measure_body(const motion::Clip& clip, const BodyMeasureOptions& options = {});

/// How deep two bodies on one stage are inside each other, frame by frame as far as both go, metres at worst.
struct Collision {
  double inside_m = 0;
  std::size_t frame = 0;
  double share = 0;  ///< of frames in which it is more than kFlesh
};
/// Nothing where either is no human figure. Both clips must have the same rate.
std::optional<Collision> measure_collision(const motion::Clip& a, const motion::Clip& b);

}  // namespace loom::measure
