// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include <loom/motion/clip.h>

namespace loom::testing {

/// What a gait looks like in numbers, the same for any body: ranges of motion, phases and symmetry, so that one
/// performer can be held against others. Angles in degrees, lengths in metres, phases in hundredths of a stride after
/// the strike of the foot on the same side.
enum class GaitFigure : std::size_t {
  kSpeed,           ///< metres a second
  kCadence,         ///< steps a second
  kDuty,            ///< share of the stride the foot is on the floor
  kStepWidth,       ///< metres between the feet across the way
  kHipRange,        ///< of the thigh against the vertical, along the way
  kHipForward,      ///< its foremost
  kKneeRange,       ///<
  kKneeSwing,       ///< its largest bend
  kKneeStance,      ///< its largest bend in the first third of the time on the floor
  kAnkleRange,      ///< between shank and foot
  kFootStrike,      ///< pitch of the foot when it comes down, toes up, against the flat foot
  kFootRelease,     ///< how far the heel has risen when the toes leave
  kArmRange,        ///< of the upper arm, along the way
  kArmMiddle,       ///< its mean, forward
  kArmPhase,        ///< when the arm is foremost
  kElbowMean,       ///<
  kElbowRange,      ///<
  kPelvisYawRange,  ///<
  kPelvisYawPhase,  ///< when the hip of this side is foremost
  kPelvisDropRange,
  kPelvisDropPhase,  ///< when the hip of this side is highest
  kShoulderYawRange,
  kShoulderYawPhase,  ///< when the shoulder of this side is foremost
  kTrunkLean,         ///< middle of the shoulders before the middle of the hips
  kTrunkLeanRange,
  kTrunkSideRange,  ///< the same, across the way
  kTrunkSidePhase,  ///< when it leans most to this side
  kBobRange,        ///< metres the hips go up and down
  kBobPhase,        ///< when they are highest, twice a stride: 0 to 50
  kAsymmetry,       ///< mean difference of the two sides in the ranges of hip, knee, arm and elbow, share of the range
  kCount
};
inline constexpr auto kGaitFigures = static_cast<std::size_t>(GaitFigure::kCount);

/// The words for a figure, and how many hundredths of a stride its phase goes round in: 0 where it is no phase.
struct GaitFigureName {
  const char* name;
  double period;
};
const GaitFigureName& name_of(GaitFigure figure);

/// The figures of some motions of one performer.
struct GaitFigures {
  std::array<double, kGaitFigures> values{};
  std::size_t strides = 0;  ///< how many they are taken from; 0: there was nothing to measure

  double& operator[](GaitFigure figure) { return values[static_cast<std::size_t>(figure)]; }
  double operator[](GaitFigure figure) const { return values[static_cast<std::size_t>(figure)]; }
};

/// Which strides count: those straight ahead at these speeds, metres a second, with or without flight.
struct GaitKind {
  double slowest = 0, fastest = 0;
  bool flight = false;
};
inline constexpr GaitKind kWalking{1.0, 1.75, false}, kRunning{2.2, 4.8, true};

/// Measures all strides of that kind in `clips`, from the strike of a foot to its next. Clips whose body or feet are
/// not recognised are passed over.
GaitFigures gait_figures(std::span<const motion::Clip> clips, const GaitKind& kind);

/// How far `value` is outside the range of `others`, 0 within it; for phases, outside the shortest arc that holds them.
double outside(GaitFigure figure, double value, std::span<const GaitFigures> others);

}  // namespace loom::testing
