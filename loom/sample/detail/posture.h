// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>

#include <loom/base/math.h>
#include <loom/sample/body_plan.h>

namespace loom::sample {

inline constexpr double kDeg = kDegree;  ///< radians in a degree, as postures are written

/// The angles a posture is written in, in radians. They add up: a posture may be the sum of a stance, a gait, a
/// gesture and a little noise.
enum class Channel : std::size_t {
  kPelvisYaw,    ///< to the left of the heading
  kPelvisPitch,  ///< top forward
  kPelvisRoll,   ///< top to the left: the right hip goes up
  kSpineFlex,    ///< forward, from pelvis to chest
  kSpineSide,    ///< to the left
  kSpineTwist,   ///< to the left
  kHeadYaw,      ///< gaze to the left of the heading; the neck makes up for what the body does below
  kHeadPitch,    ///< gaze downward
  kHeadRoll,     ///< tilt to the left
  kKneesOut,     ///< both knees outward of the line between pelvis and foot
  kLeftHeel,     ///< the heel raised about the ball of a planted foot
  kRightHeel,
  kLeftArmFlex,   ///< upper arm forward from hanging
  kLeftArmOut,    ///< upper arm away from the body
  kLeftArmTwist,  ///< upper arm turned inward about its own axis
  kLeftElbow,     ///< flexion
  kLeftPronate,   ///< forearm turned, thumb inward
  kLeftWrist,     ///< palm towards the forearm
  kRightArmFlex,
  kRightArmOut,
  kRightArmTwist,
  kRightElbow,
  kRightPronate,
  kRightWrist,
  kCount
};
inline constexpr auto kChannelCount = static_cast<std::size_t>(Channel::kCount);

/// The channel of the other arm or heel, counted from the left one.
constexpr Channel arm_channel(Channel left, Side side) {
  return static_cast<Channel>(static_cast<std::size_t>(left) + (side == kRight ? 6 : 0));
}
constexpr Channel heel_channel(Side side) { return side == kLeft ? Channel::kLeftHeel : Channel::kRightHeel; }

/// The attitude of the whole body apart from its legs.
struct Posture {
  std::array<double, kChannelCount> angles{};

  double& operator[](Channel c) { return angles[static_cast<std::size_t>(c)]; }
  double operator[](Channel c) const { return angles[static_cast<std::size_t>(c)]; }
};

/// Standing at ease: arms hanging a little bent, gaze ahead.
Posture standing_posture();

}  // namespace loom::sample
