// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <loom/motion/clip.h>

namespace loom::motion {

enum class FaultKind : std::uint8_t {
  kTeleport,    ///< the root jumps farther in one frame than a body can go
  kJointFlip,   ///< a joint turns by a right angle or more from one frame to the next
  kFrameRate,   ///< bodies fall or walk too fast or too slowly for the stamped frame rate
  kTiltedFloor  ///< the capture volume was not level: the floor rises or falls along the way
};

/// "teleport", "joint-flip", "frame-rate" or "tilted-floor".
const char* to_string(FaultKind kind);

/// Frames [begin, end).
struct FrameRange {
  std::size_t begin = 0, end = 0;

  friend bool operator==(const FrameRange&, const FrameRange&) = default;
};

/// Something wrong with recorded motion that no valid file format rules out.
struct Fault {
  FaultKind kind = FaultKind::kTeleport;
  std::vector<FrameRange> frames;  ///< the frames concerned, in order; what `mend` interpolates, cuts off or levels
  int joint = -1;                  ///< the joint that flips; -1 for what concerns the whole body
  double amount = 0;        ///< metres jumped; radians turned; the rate it seems to be, Hz; metres up for a metre along
  float severity = 0;       ///< in [0, 1]: 1 spoils the clip, below 0.25 one may not see it (a thumb that flips)
  bool mendable = false;    ///< whether `mend` can do something about it without inventing motion
  std::string description;  ///< for the user, a full sentence
};

/// Looks for faults of capture, the worst first. O(frames × joints). What a healthy body does, however athletic, gives
/// none: limits are those of human bodies and of the motion around.
std::vector<Fault> find_faults(const Clip& clip);

/// The clip with what is `mendable` among `faults` mended, and all else as it was:
/// - a pose or a joint that is off for up to 0.1 s and comes back is interpolated from its neighbours;
/// - up to 0.1 s of stray frames before the first or after the last teleport are cut off, labels moved along;
/// - a tilted floor is levelled about its middle.
Clip mend(const Clip& clip, std::span<const Fault> faults);

}  // namespace loom::motion
