// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numbers>

#include <loom/sample/detail/gait.h>

namespace loom::sample {
namespace {

constexpr double kRadians = std::numbers::pi / 180;

double mix(double a, double b, double share) { return a + (b - a) * share; }

StepShape walking(double speed) {
  const double brisk = std::clamp(speed / 1.4, 0.0, 1.6);  // 1 at a comfortable walk
  StepShape s;
  s.cadence = std::max(1.3, 1.93 * std::pow(brisk, 0.55));
  s.duty = std::clamp(0.59 - 0.04 * (speed - 1.4), 0.56, 0.63);
  s.half_width = mix(0.085, 0.045, ease(speed / 1.0));
  s.toe_out = mix(8, 6, ease(speed)) * kRadians;
  s.strike = 24 * kRadians * std::min(1.2, brisk);
  s.strike_time = 0.17;
  s.release = mix(14, 45, ease(brisk)) * kRadians + 8 * kRadians * std::max(0.0, brisk - 1);
  s.release_share = 0.6;
  s.release_power = 4.5;
  s.tip = mix(0, 15, ease(brisk)) * kRadians;
  s.pressure = 0.05;
  s.lift = mix(0.045, -0.01, ease(brisk));
  s.drop = 0.006 + 0.028 * brisk * brisk;
  s.bob = 0.004 + 0.011 * brisk * brisk;
  return s;
}

StepShape running(double speed) {
  StepShape s;
  s.cadence = 2.35 + 0.14 * speed;
  s.duty = std::clamp(0.395 - 0.036 * speed, 0.23, 0.36);
  s.half_width = 0.03;
  s.toe_out = 5 * kRadians;
  s.strike = 2.5 * kRadians;
  s.strike_time = 0.07;
  s.release = std::min(42.0, 24.5 + 3 * speed) * kRadians;
  s.release_share = 0.9;
  s.release_power = 2.6;
  s.tip = 12 * kRadians;
  s.pressure = 0.14;
  s.lift = std::clamp(0.045 * speed, 0.06, 0.2);
  s.drop = 0;
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
  s.release_power = mix(w.release_power, r.release_power, run);
  s.tip = mix(w.tip, r.tip, run);
  s.pressure = mix(w.pressure, r.pressure, run);
  s.lift = mix(w.lift, r.lift, run);
  s.drop = mix(w.drop, r.drop, run);
  s.bob = mix(w.bob, 0, run);
  return s;
}

double walking_pace(double forward, double side, double turn) {
  constexpr double kBackward = 1.4, kSide = 2.5, kTurn = 0.3;  // of a metre forward
  return std::hypot(forward < 0 ? kBackward * forward : forward, kSide * side, kTurn * turn);
}

namespace {

/// A swing once a stride: how far, and when it is highest, in strides after the left foot has come down.
struct Swing {
  double size, peak;
};

/// The gait's swings at a speed, from walking (`run` 0) to running (1). Sizes are half of the whole range, in degrees;
/// the left side's where sides differ, the right side does the same half a stride later. Sizes and phases are those of
/// five people of the CMU capture (bench/likeness_bench.cc prints them beside what comes of these).
struct Swings {
  Swings(double pace, double run) : pace_(pace), run_(run) {}

  [[nodiscard]] Swing hip_forward() const { return between({5.6 * pace_, 0.04}, {6, 0.49}); }
  [[nodiscard]] Swing hip_up() const { return between({1.6 + 3.9 * pace_, 0.40}, {4.8, 0.30}); }
  [[nodiscard]] Swing shoulder_forward() const { return between({3.6 * pace_, 0.51}, {9, 0.42}); }
  [[nodiscard]] Swing lean_left() const { return between({0.8 + 0.8 * pace_, 0.94}, {1.9, 0.20}); }
  [[nodiscard]] Swing arm_forward() const { return between({17 * pace_, 0.50}, {22, 0.33}); }
  [[nodiscard]] Swing arm_out() const { return between({3.2 * pace_, 0.47}, {4, 0.42}); }
  [[nodiscard]] Swing elbow_bend() const { return between({10 * pace_, 0.53}, {12, 0.32}); }
  // These come twice a stride, alike on both sides.
  [[nodiscard]] Swing pelvis_bow() const { return between({1.3 * pace_, 0.47}, {1.6, 0.29}); }
  [[nodiscard]] Swing back_bow() const { return between({1.1 * pace_, 0.47}, {3.5, 0.13}); }

 private:
  /// Between two swings as vectors, so that no phase jumps.
  [[nodiscard]] Swing between(Swing walk, Swing running) const {
    constexpr double kTurn = 2 * std::numbers::pi;
    const double c = mix(walk.size * std::cos(kTurn * walk.peak), running.size * std::cos(kTurn * running.peak), run_);
    const double s = mix(walk.size * std::sin(kTurn * walk.peak), running.size * std::sin(kTurn * running.peak), run_);
    return {std::hypot(c, s), std::atan2(s, c) / kTurn};
  }

  double pace_, run_;
};

/// `swing` at `stride` strides after the left foot has come down, radians.
double at(const Swing& swing, double stride, int times = 1) {
  return swing.size * kRadians * std::cos(2 * std::numbers::pi * times * (stride - swing.peak));
}

}  // namespace

void Gait::apply(double time, Posture& posture) const {
  const double how_much = amount(time);
  if (how_much <= 0) return;
  const double r = run(time), v = speed(time), u = side_speed(time), w = turn(time);
  const double brisk = std::clamp(v / 1.4, -1.0, 1.6);
  const double pace = std::fabs(brisk);
  const double direction = brisk < 0 ? -1 : 1;
  // A foot comes down `duty` steps before the middle of its stay.
  const double left = 0.5 * (phase(time) + step_shape(walking_pace(v, u, w), r).duty);
  const Swings swings(pace, r);

  const double hips = how_much * style.hips * vigour(time);
  const double pelvis_yaw = -direction * at(swings.hip_forward(), left);
  const double pelvis_roll = -at(swings.hip_up(), left);
  const double shoulder_yaw = -direction * at(swings.shoulder_forward(), left);
  // The trunk's lean is the pelvis' and some of the spine's, which bends on the way.
  constexpr double kSpine = 0.6;
  posture[Channel::kPelvisYaw] += hips * pelvis_yaw;
  posture[Channel::kPelvisRoll] += hips * pelvis_roll;
  posture[Channel::kSpineTwist] += hips * (shoulder_yaw - pelvis_yaw);
  posture[Channel::kSpineSide] += hips * (at(swings.lean_left(), left) - pelvis_roll) / kSpine;
  const double lean = mix(1.5 * brisk, 4.5 + 2.1 * v, r) * kRadians + style.lean;
  posture[Channel::kPelvisPitch] += how_much * (0.5 * lean + at(swings.pelvis_bow(), left, 2));
  posture[Channel::kSpineFlex] +=
      how_much * (0.65 * lean + (at(swings.back_bow(), left, 2) - at(swings.pelvis_bow(), left, 2)) / kSpine);
  posture[Channel::kHeadPitch] += how_much * mix(1.0, 2.5, r) * kRadians;

  // Into a turn the body leans, and the eyes and shoulders go first.
  const double bank = std::atan(v * w / 9.81);
  posture[Channel::kPelvisRoll] += how_much * 0.5 * bank;
  posture[Channel::kSpineSide] += how_much * 0.35 * bank;
  posture[Channel::kSpineTwist] += how_much * std::clamp(0.10 * w, -0.2, 0.2);
  posture[Channel::kHeadYaw] += how_much * std::clamp(0.28 * w, -0.6, 0.6);
  posture[Channel::kPelvisRoll] += how_much * std::clamp(-0.03 * u, -0.05, 0.05);

  for (const Side side : {kLeft, kRight}) {
    const double stride = side == kLeft ? left : left + 0.5;
    const double own = (side == kLeft ? style.left_arm : 1 / style.left_arm) * vigour(time);
    const double reach = how_much * style.arm_swing * own * direction;
    const double elbow = how_much * style.elbow * (side == kLeft ? style.left_elbow : 1 / style.left_elbow);
    // The legs go out to step aside, and in a turn the outer one: the arms make room.
    const double room = 14 * std::min(1.0, 2.5 * std::fabs(u)) + 7 * std::clamp(-outward(side) * w, 0.0, 1.5);
    const double forward = at(swings.arm_forward(), stride), bend = at(swings.elbow_bend(), stride);
    posture[arm_channel(Channel::kLeftArmFlex, side)] += reach * forward + how_much * mix(-2 * pace, -14, r) * kRadians;
    posture[arm_channel(Channel::kLeftArmOut, side)] +=
        how_much * (mix(-1 * pace, 5, r) + room) * kRadians + reach * at(swings.arm_out(), stride);
    posture[arm_channel(Channel::kLeftArmTwist, side)] +=
        how_much * mix(2, 0, r) * kRadians + mix(0.16, 0.23, r) * reach * forward;
    posture[arm_channel(Channel::kLeftElbow, side)] +=
        elbow * (mix(10 * pace, 84, r) * kRadians + own * style.arm_swing * bend);
    posture[arm_channel(Channel::kLeftWrist, side)] += 0.4 * reach * bend;
  }
}

}  // namespace loom::sample
