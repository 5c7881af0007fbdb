// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numbers>

#include <loom/sample/gait.h>

namespace loom::sample {
namespace {

constexpr double kDeg = std::numbers::pi / 180;

double mix(double a, double b, double share) { return a + (b - a) * share; }

StepShape walking(double speed) {
  const double brisk = std::clamp(speed / 1.4, 0.0, 1.6);  // 1 at a comfortable walk
  StepShape s;
  s.cadence = std::max(1.3, 1.93 * std::pow(brisk, 0.55));
  s.duty = std::clamp(0.61 - 0.04 * (speed - 1.4), 0.56, 0.65);
  s.half_width = mix(0.085, 0.045, ease(speed / 1.0));
  s.toe_out = mix(8, 6, ease(speed)) * kDeg;
  s.strike = 17 * kDeg * std::min(1.25, brisk);
  s.strike_time = 0.15;
  s.release = mix(12, 44, ease(brisk)) * kDeg + 8 * kDeg * std::max(0.0, brisk - 1);
  s.release_share = 0.58;
  s.pressure = 0.05;
  s.lift = mix(0.045, 0.06, ease(brisk));
  s.drop = 0.006 + 0.018 * brisk * brisk;
  s.bob = 0.004 + 0.015 * brisk * brisk;
  return s;
}

StepShape running(double speed) {
  StepShape s;
  s.cadence = 2.35 + 0.14 * speed;
  s.duty = std::clamp(0.49 - 0.036 * speed, 0.26, 0.44);
  s.half_width = 0.03;
  s.toe_out = 5 * kDeg;
  s.strike = 6 * kDeg;
  s.strike_time = 0.05;
  s.release = std::min(54.0, 40 + 4 * speed) * kDeg;
  s.release_share = 0.7;
  s.pressure = 0.14;
  s.lift = std::clamp(0.085 * speed, 0.06, 0.34);
  s.drop = 0.008 + 0.003 * speed;
  return s;
}

}  // namespace

StepShape step_shape(double speed, double run) {
  const StepShape w = walking(speed), r = running(speed);
  StepShape s;
  s.cadence = mix(w.cadence, r.cadence, run);
  s.duty = mix(w.duty, r.duty, run);
  s.half_width = mix(w.half_width, r.half_width, run);
  s.toe_out = mix(w.toe_out, r.toe_out, run);
  s.strike = mix(w.strike, r.strike, run);
  s.strike_time = mix(w.strike_time, r.strike_time, run);
  s.release = mix(w.release, r.release, run);
  s.release_share = mix(w.release_share, r.release_share, run);
  s.pressure = mix(w.pressure, r.pressure, run);
  s.lift = mix(w.lift, r.lift, run);
  s.drop = mix(w.drop, r.drop, run);
  s.bob = mix(w.bob, 0, run);
  return s;
}

double walking_pace(double forward, double side, double turn) { return std::hypot(forward, 2.5 * side, 0.3 * turn); }

void Gait::apply(double time, Posture& posture) const {
  const double how_much = amount(time);
  if (how_much <= 0) return;
  const double r = run(time), v = speed(time), u = side_speed(time), w = turn(time);
  const double brisk = std::clamp(v / 1.4, -1.0, 1.6);
  const double pace = std::fabs(brisk);
  const double angle = std::numbers::pi * phase(time);
  // Left leg forward is -sin(angle), so the left arm, which goes with the right leg, is +sin.
  const double swing = std::sin(angle), sway = std::cos(angle);
  const double late = std::sin(angle - 0.35);  // the arms trail the legs a little
  const double direction = brisk < 0 ? -1 : 1;

  const double hips = how_much * style.hips;
  posture[Channel::kPelvisYaw] += hips * mix(8 * pace, 9, r) * kDeg * swing * direction;
  posture[Channel::kPelvisRoll] -= hips * mix(1.2 + 2.6 * pace, 4.5, r) * kDeg * sway;
  posture[Channel::kSpineSide] += hips * mix(1.4 + 2.2 * pace, 4, r) * kDeg * sway;
  posture[Channel::kSpineTwist] -= hips * mix(10 * pace, 17, r) * kDeg * std::sin(angle - 0.15) * direction;
  const double lean = mix(1.5 * brisk, 2.0 + 1.0 * v, r) * kDeg + style.lean;
  posture[Channel::kPelvisPitch] += how_much * 0.55 * lean;
  posture[Channel::kSpineFlex] += how_much * (0.6 * lean - mix(0.4, 1.2, r) * kDeg * std::cos(2 * angle - 0.6));
  posture[Channel::kHeadPitch] += how_much * mix(1.0, 2.5, r) * kDeg;

  // Into a turn the body leans, and the eyes and shoulders go first.
  const double bank = std::atan(v * w / 9.81);
  posture[Channel::kPelvisRoll] += how_much * 0.5 * bank;
  posture[Channel::kSpineSide] += how_much * 0.35 * bank;
  posture[Channel::kSpineTwist] += how_much * std::clamp(0.10 * w, -0.2, 0.2);
  posture[Channel::kHeadYaw] += how_much * std::clamp(0.28 * w, -0.6, 0.6);
  posture[Channel::kPelvisRoll] += how_much * std::clamp(-0.03 * u, -0.05, 0.05);

  const double reach = how_much * style.arm_swing * direction;
  for (const Side side : {kLeft, kRight}) {
    const double own = side == kLeft ? style.left_arm : 1;
    const double forward = (side == kLeft ? late : -late) * own;
    const double curl = side == kLeft ? std::sin(angle - 0.7) : -std::sin(angle - 0.7);
    posture[arm_channel(Channel::kLeftArmFlex, side)] +=
        reach * (mix(19 * pace, 31, r) * forward) * kDeg + how_much * mix(-2 * pace, -16, r) * kDeg;
    posture[arm_channel(Channel::kLeftArmOut, side)] += how_much * mix(0, 7, r) * kDeg;
    posture[arm_channel(Channel::kLeftArmTwist, side)] += how_much * (mix(2, 8, r) + mix(3, 7, r) * forward) * kDeg;
    posture[arm_channel(Channel::kLeftElbow, side)] +=
        how_much * style.elbow * (mix(4 * pace, 68, r) + mix(8 * pace, 12, r) * curl * own) * kDeg;
    posture[arm_channel(Channel::kLeftWrist, side)] += how_much * 4 * kDeg * curl;
  }
}

}  // namespace loom::sample
