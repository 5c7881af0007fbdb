// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include <loom/base/math.h>
#include <loom/motion/skeleton.h>

namespace loom::sample {

/// The body of the sample performer: 22 joints, 1.75 m tall, at rest in a T-pose facing +Z with the left side towards
/// +X. Names are those of the common humanoid rigs (Hips, Spine, LeftUpLeg, ...). Segment lengths follow the
/// anthropometric table of Drillis and Contini (1966).
std::shared_ptr<const motion::Skeleton> sample_skeleton();

/// The joints in the order of the skeleton.
enum JointIndex : std::size_t {
  kHips,
  kLeftUpLeg,
  kLeftLeg,
  kLeftFoot,
  kLeftToeBase,
  kRightUpLeg,
  kRightLeg,
  kRightFoot,
  kRightToeBase,
  kSpine,
  kSpine1,
  kSpine2,
  kNeck,
  kHead,
  kLeftShoulder,
  kLeftArm,
  kLeftForeArm,
  kLeftHand,
  kRightShoulder,
  kRightArm,
  kRightForeArm,
  kRightHand,
  kJointCount
};

/// The end sites, as points after the joints.
enum PointIndex : std::size_t {
  kLeftToeTip = kJointCount,
  kRightToeTip,
  kHeadTop,
  kLeftFingertips,
  kRightFingertips,
  kPointCount
};

enum Side : std::size_t { kLeft = 0, kRight = 1 };
inline constexpr Side other(Side side) { return side == kLeft ? kRight : kLeft; }
/// +1 for left, -1 for right: the direction of that side along X at rest.
inline constexpr float outward(Side side) { return side == kLeft ? 1.0f : -1.0f; }

// Lengths in metres that more than one file needs.
inline constexpr float kThigh = 0.425f, kShank = 0.42f;
inline constexpr float kLegLength = kThigh + kShank;  ///< hip to ankle, straight
inline constexpr float kUpperArm = 0.295f, kForeArm = 0.255f;
inline constexpr float kArmLength = kUpperArm + kForeArm;  ///< shoulder to wrist, straight
inline constexpr float kHandLength = 0.18f;                ///< wrist to fingertips
inline constexpr float kAnkleHeight = 0.08f;               ///< above the sole
inline constexpr float kBallHeight = 0.027f;               ///< of the joint between foot and toes
inline constexpr float kToeTipHeight = 0.02f;              ///< of the end of the toes, which have flesh below them
inline constexpr float kBallForward = 0.135f;              ///< from the ankle
inline constexpr float kToeLength = 0.07f;                 ///< from the ball
inline constexpr float kHeelBack = 0.045f;                 ///< from the ankle to where the heel comes down
inline constexpr float kHipHalfWidth = 0.09f;
inline constexpr float kHipDrop = 0.065f;  ///< of the hip joints below the root

/// The centre of mass of a pose given by the positions of all points (kPointCount of them), with the segment masses
/// and centres of Winter (2009, table 4.1). With `legs` below 1 the legs count for that share of their mass. Finer than
/// `motion::mass_centre`, which knows no more of a body than where shoulders, hips and head are: the trunk counts in
/// parts, so a bent back is in the right place. (The samples' tests hold the two to within 6 cm.)
Vec3 center_of_mass(std::span<const Vec3> points, float legs = 1);

}  // namespace loom::sample
