// SPDX-License-Identifier: MIT
#pragma once

#include <loom/sample/detail/curve.h>
#include <loom/sample/detail/posture.h>

namespace loom::sample {

/// How a person moves at a given speed: the numbers of the feet.
struct StepShape {
  double cadence = 0;        ///< steps a second
  double duty = 0;           ///< share of a stride (two steps) a foot stays on the floor; below 0.5 there is flight
  double half_width = 0;     ///< metres each foot is to the side of the path
  double toe_out = 0;        ///< radians
  double strike = 0;         ///< pitch of the foot at the first touch, radians
  double strike_time = 0;    ///< seconds until it is flat
  double release = 0;        ///< how far the heel has risen at the last touch, radians
  double release_share = 0;  ///< of the stay on the floor that the heel rises for
  double release_power = 0;  ///< how late it does, see Plant
  double tip = 0;            ///< how far the toes have risen about their ends at the last touch, radians
  double pressure = 0;       ///< metres forward of the ankle where the flat foot presses
  double lift = 0;           ///< metres the swing is arched
  double drop = 0;           ///< metres the body is below standing, on average
  double bob = 0;            ///< metres the body goes up and down about that while walking, half of the whole way
};

/// `speed` in metres a second over the floor in any direction, `run` from 0 (walking) to 1 (running). Cadence grows
/// with speed as Grieve (1968) found for walking; in running it hardly does and the flight grows (Cavanagh and
/// Lafortune 1980).
StepShape step_shape(double speed, double run);

/// Speed as the feet feel it: walking backward and side-stepping (metres a second) and turning on the spot (radians a
/// second) ask for more steps than the way alone.
double walking_pace(double forward, double side, double turn);

/// What one performer does differently from another, and in one take from the next. 1 is the average.
struct GaitStyle {
  double arm_swing = 1;
  double elbow = 1;       ///< bend
  double hips = 1;        ///< how much the pelvis turns and tilts
  double left_arm = 1;    ///< swing of the left arm relative to the mean of both
  double left_elbow = 1;  ///< bend of the left elbow likewise
  double lean = 0;        ///< radians forward of usual
};

/// The swing of pelvis, spine and arms to the rhythm of the steps.
struct Gait {
  Curve phase;        ///< steps: the left foot is in the middle of its stance at even numbers, the right at odd
  Curve amount;       ///< 0 standing, 1 walking
  Curve speed;        ///< forward, metres a second
  Curve side_speed;   ///< to the left, metres a second
  Curve turn;         ///< to the left, radians a second
  Curve run;          ///< 0 walking, 1 running
  Curve vigour{1.0};  ///< how large the swings are from stride to stride, about 1
  GaitStyle style;

  /// Adds the gait at `time` to `posture`.
  void apply(double time, Posture& posture) const;
};

}  // namespace loom::sample
