// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include <loom/motion/clip.h>
#include <loom/motion/kinematics.h>

namespace loom::measure {

/// One flight of a body: what it falls by, and how well that is known.
struct Fall {
  double rate = 0;   ///< frames a second at which it falls at 9.81 m/s²
  double range = 0;  ///< metres the centre of mass rises or falls meanwhile; the less, the less it tells
};

/// How a clip walks straight ahead, in frames, so that every rate may be tried on it.
struct WalkPace {
  std::size_t steps = 0;      ///< that were looked at; 0 where the clip does not walk
  double step_frames = 0;     ///< from one foot's carrying alone to the other's: the median, as below
  double step_metres = 0;     ///< the hips go meanwhile
  double swing_frames = 0;    ///< a foot is in the air for
  double sway_metres_f2 = 0;  ///< metres a frame²: horizontal acceleration of the body that a frame in 20 exceeds
  double leg = 0;             ///< metres from hip to ankle
};

/// What a clip says about the rate it was recorded at.
///
/// Which frames are flights and steps depends a little on the rate itself, since a planted foot is a slow one; so they
/// are looked for at each octave of the stamped rate.
struct RateEvidence {
  static constexpr std::array<double, 5> kOctaves = {0.25, 0.5, 1, 2, 4};  ///< times the stamp

  struct AtOctave {
    std::vector<Fall> falls;
    WalkPace walk;
  };

  double stamped = 0;  ///< frames a second; 0 where there is nothing to look at
  std::array<AtOctave, kOctaves.size()> octaves;
};

/// Looks for evidence in a clip with its poses. Nothing on a body without legs. O(frames).
RateEvidence gather_rate_evidence(const motion::Clip& clip, const motion::WorldPoses& poses);

}  // namespace loom::measure
