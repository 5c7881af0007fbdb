// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <loom/base/math.h>
#include <loom/base/result.h>
#include <loom/motion/clip.h>

namespace loom::motion {

/// The parts of the feet that can be planted, as bits of `Contacts::planted`.
enum FootBit : std::uint8_t { kLeftHeel = 1, kLeftToe = 2, kRightHeel = 4, kRightToe = 8 };
inline constexpr std::uint8_t kLeftFoot = kLeftHeel | kLeftToe;
inline constexpr std::uint8_t kRightFoot = kRightHeel | kRightToe;

/// How many parts of feet there are; part i has the bit 1 << i.
inline constexpr std::size_t kFootParts = 4;

/// For every part of a foot the point of the skeleton that stands for it, a joint or an end site (as in WorldPoses).
/// The heel is the ankle joint, for few skeletons have a heel; the toe is the ball of the foot where there is one, else
/// what the foot ends in.
using FootPoints = std::array<int, kFootParts>;

/// Finds them. Fails if the skeleton has no recognisable feet, naming the joints it looked for.
Result<FootPoints> find_foot_points(const Skeleton& skeleton);

/// The floor as the feet know it: a plane, and a little tilted where the capture was (CMU's subject 02 walks uphill by
/// 4 cm over 3 m).
struct Floor {
  float height = 0;                  ///< metres, at `centre`
  float centre_x = 0, centre_z = 0;  ///< the middle of all contacts
  float slope_x = 0, slope_z = 0;    ///< metres up for a metre along X and Z

  /// The height of the floor below or above `p`.
  [[nodiscard]] float at(Vec3 p) const { return height + slope_x * (p.x - centre_x) + slope_z * (p.z - centre_z); }
};

/// When each foot is planted, frame by frame.
///
/// A foot is planted while it is both low and slow; two thresholds each way (hysteresis) keep the answer from
/// flickering. The floor is taken from the data, so a clip captured on a stage 20 cm high works like any other. A foot
/// that keeps still well above the floor while nothing else carries the body stands on something (a step, a box) and is
/// planted too.
struct Contacts {
  std::vector<std::uint8_t> planted;  ///< one entry a frame, FootBits
  float floor = 0;                    ///< height of the floor in metres, in the clip's own frame: ground.height
  Floor ground{};                     ///< the same with its tilt
  FootPoints points{-1, -1, -1, -1};  ///< what stands for each part of the feet
  std::array<float, kFootParts> rest_height{};  ///< how high above the floor each of them is while planted, metres
};

struct ContactOptions {
  float enter_height = 0.025f;  ///< metres above the resting height of that part of the foot; below this it may plant
  float leave_height = 0.045f;  ///< metres; above this it has lifted. Must exceed enter_height
  float enter_speed = 0.35f;    ///< metres a second; slower than this a foot may plant
  float leave_speed = 0.80f;    ///< metres a second. Must exceed enter_speed
  float min_seconds = 0.06f;    ///< shorter plants and shorter gaps are taken for noise
};

/// Finds the contacts of `clip`. O(frames). A plant is where a foot is within the enter thresholds, and up to 0.1 s to
/// both sides as long as it stays within the leave thresholds: rolling on over the heel and off over the toes belong
/// to it, and the answer is the same for time run backwards. Speeds are taken over 1/15 s, so it hardly depends on the
/// clip's rate either. Fails if the skeleton has no recognisable feet, naming the joints it looked for; an empty clip
/// gives empty contacts.
Result<Contacts> find_contacts(const Clip& clip, const ContactOptions& options = {});

/// Which feet carry the body.
enum class Stance : std::uint8_t { kFlight, kLeft, kRight, kDouble };

/// "flight", "left", "right" or "double".
const char* to_string(Stance stance);

/// A stretch of frames [begin, end) with the same feet on the floor.
struct ContactPhase {
  Stance stance = Stance::kFlight;
  std::size_t begin = 0, end = 0;

  friend bool operator==(const ContactPhase&, const ContactPhase&) = default;
};

/// The stance in one frame: a foot counts as soon as its heel or its toe is planted.
Stance stance_of(std::uint8_t planted);

/// The clip's contacts as consecutive ranges that cover all frames.
std::vector<ContactPhase> contact_phases(const Contacts& contacts);

}  // namespace loom::motion
