// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <loom/base/math.h>
#include <loom/base/result.h>
#include <loom/live/live_frame.h>
#include <loom/live/packets/human_bones.h>

namespace loom::live {

/// One sensor, or one part of a sender's body, and how it lies to the part of the body it tells of.
struct SensorMount {
  std::string name;
  std::optional<character::Role> role;  ///< the part it is worn on; nothing: it is not used
  Quat in_t_pose;                       ///< what it said in the T-pose: q_calib of Huang 2012 §9.3.1
  float facing = 0;  ///< radians: where the body looked in the T-pose, in the sensor's own world, from +Z to the left
  float drift = 0;   ///< radians by which its heading has turned since, to the left
};

/// What makes turns of a body's parts of what sensors say.
///
/// A reading q becomes the turn of its part from the T-pose, in a world in which the body looked along +Z there:
/// Y(-facing) Y(-drift) q q_T⁻¹ Y(facing), Huang 2012 §9.3.1 and §9.3.2 with a body that need not face north and
/// sensors that need not agree where north is. Axes were changed by whoever read the packet (`Axes`).
struct Calibration {
  std::vector<SensorMount> mounts;
  float hip_height = 0;  ///< of the hips above the floor in the T-pose, metres, where the source tells places; else 0

  [[nodiscard]] const SensorMount* find(std::string_view name) const;
  [[nodiscard]] SensorMount* find(std::string_view name);
  /// The turns of all parts that a frame tells of. Of two sensors on one part the first counts. Parts that no mount
  /// knows are left out, but for those of a canonical frame, which need none.
  [[nodiscard]] RoleTurns turns(const LiveFrame& frame) const;
};

/// Makes a calibration of frames in which somebody stands in a T-pose.
class TPoseCalibrator {
 public:
  void take(const LiveFrame& frame);
  [[nodiscard]] std::size_t frames() const { return frames_; }
  /// The mean of each sensor. What was known of roles in `before` is kept; a sender that names parts tells them itself.
  /// Fails on fewer than five frames, and where a sensor turned by more than 10 degrees meanwhile, naming it.
  [[nodiscard]] Result<Calibration> finish(const Calibration& before = {}) const;

 private:
  struct Seen {
    LivePart first;
    Quat sum{0, 0, 0, 0};
    float farthest = 0;  ///< radians from the first
    std::size_t count = 0;
  };
  std::vector<Seen> seen_;
  std::size_t frames_ = 0;
  double hips_ = 0;
  std::size_t hips_count_ = 0;
};

/// How much each sensor turned while somebody moved one limb.
struct LimbMotion {
  character::Role role;       ///< that was asked for: the hand waved, the forearm bent
  std::vector<float> travel;  ///< radians, in the order of the mounts, added up from frame to frame
};

/// Adds up how much each sensor turns from frame to frame.
void add_travel(const Calibration& mounts, const LiveFrame& before, const LiveFrame& now, LimbMotion& motion);

/// Says which sensor is worn where, by moving one limb at a time, those far out first: who waves a hand moves its
/// sensor alone, who bends the elbow moves those of forearm and hand, of which the hand's is known by then. Fails where
/// nothing moved, or where two that are not known yet moved alike, naming the limb.
Result<void> map_by_motion(Calibration& calibration, std::span<const LimbMotion> motions);

/// Poses in which it is known how parts are turned from the T-pose.
enum class KnownPose {
  kTPose,     ///< none is
  kArmsDown,  ///< upper arms, forearms and hands by 90 degrees about the line of sight
  kBow,       ///< spine, chest, neck and head forward, by any angle above 20 degrees
};

/// How far the heading of each sensor has turned since the calibration, in the order of the mounts, radians, as seen in
/// a T-pose; nothing of sensors that the frame does not tell of.
std::vector<std::optional<float>> heading_drift(const Calibration& calibration, const LiveFrame& t_pose);

/// Puts headings right while somebody stands in a known pose: in the T-pose the drift of every sensor is taken off,
/// with arms down or in a bow it is found where the body looked. Returns how many were put right; those that the pose
/// says nothing of stay. Fails where that is none.
Result<std::size_t> correct_headings(Calibration& calibration, const LiveFrame& frame, KnownPose pose);

}  // namespace loom::live
