// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <loom/measure/frame_rate_check.h>
#include <loom/motion/clip.h>
#include <loom/motion/t_pose.h>

namespace loom::measure {

enum class FaultKind : std::uint8_t {
  kTeleport,   ///< the root jumps farther in one frame than a body can go
  kJointFlip,  ///< a joint turns by a right angle or more from one frame to the next, or the back faster than backs do
  kFrameRate,  ///< bodies fall or walk too fast or too slowly for the stamped frame rate
  kTiltedFloor,   ///< the capture volume was not level: the floor rises or falls along the way
  kInPlace,       ///< the body walks or runs in its place, as animations for games do: its feet slide back under it
  kTPose,         ///< frames in an artificial pose that was never captured: the body jumps into and out of it
  kBentBackward,  ///< a knee or an elbow bends where none bends
  kFootReversed   ///< a foot points backward on its leg
};

/// "teleport", "joint-flip", "frame-rate", "tilted-floor", "in-place", "t-pose", "bent-backward" or "foot-reversed".
const char* to_string(FaultKind kind);

/// Whether such a fault concerns a clip as a whole, and no frames of it more than others.
bool concerns_whole_clip(FaultKind kind);

/// Something wrong with recorded motion that no valid file format rules out.
struct Fault {
  FaultKind kind = FaultKind::kTeleport;
  std::vector<motion::FrameRange>
      frames;             ///< the frames concerned, in order; what `mend` interpolates, cuts off or levels
  int joint = -1;         ///< the joint that flips or is bent; -1 for what concerns the whole body
  double amount = 0;      ///< metres jumped; radians turned or bent; the rate it seems to be, Hz; metres up for a metre
                          ///< along; metres a second in its place
  float severity = 0;     ///< in [0, 1]: 1 spoils the clip, below 0.25 one may not see it (a thumb that flips)
  bool mendable = false;  ///< whether `mend` can do something about it without inventing motion
  std::string description;  ///< for the user, a full sentence
};

/// What is known about a clip beside its frames.
struct FaultOptions {
  /// Whether to judge the frame rate by this clip alone. Not where `judge_rate` has judged all clips of its performer.
  bool judge_rate = true;
  bool judge_floor = true;       ///< whether to ask if it is level
  std::span<const Quat> t_pose;  ///< an artificial pose that others of this body begin with (`find_t_poses`); or none
};

/// Looks for faults of capture, the worst first. O(frames × joints). What a healthy body does, however athletic, gives
/// none: limits are those of human bodies and of the motion around.
std::vector<Fault> find_faults(const motion::Clip& clip, const FaultOptions& options = {});

/// What a claim about the frame rate of `clip` is as a fault. `mend` leaves it: whether to believe it is the user's
/// choice.
Fault rate_fault(const motion::Clip& clip, const RateClaim& claim);

/// What the clip says about its frame rate; nothing where it falls apart into pieces, whose floors and times differ, or
/// moves in its place, so that no foot stands.
RateEvidence rate_evidence_of(const motion::Clip& clip);

/// The clip with what is `mendable` among `faults` mended, and all else as it was:
/// - a pose or a joint that is off for up to 0.1 s and comes back is interpolated from its neighbours;
/// - up to 0.1 s of stray frames before the first or after the last teleport, and any T-pose at an end, are cut off,
///   labels moved along;
/// - a tilted floor is levelled about its middle;
/// - a body that walks in its place goes the way that its feet make (`motion::find_missing_way`).
motion::Clip mend(const motion::Clip& clip, std::span<const Fault> faults);

/// The frames by which `mend` shortens the clip at its beginning.
std::size_t cut_off_by_mending(std::span<const Fault> faults);

}  // namespace loom::measure
