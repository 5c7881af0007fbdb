// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>

#include <loom/base/math.h>

namespace loom::live {

/// How quickly the filter believes what. The values are those of Laidig and Seel 2023, table 2, which fit any sensor a
/// human wears: nothing here is tuned to a recording.
struct OrientationFilterOptions {
  double acceleration_seconds = 3;  ///< time constant of the low-pass over which acceleration averages out to gravity
  double magnetic_seconds = 9;      ///< time constant with which the heading follows the compass

  bool estimates_bias = true;        ///< of the gyroscope, at rest and in motion
  double bias_first = 0.5;           ///< degrees a second: how wrong a gyroscope may be at first (standard deviation)
  double bias_forget_seconds = 100;  ///< in which its error may change by a tenth of a degree a second
  double bias_motion = 0.1;          ///< degrees a second: how well it can be known of inclination alone
  double bias_rest = 0.03;           ///< degrees a second: how well of a sensor at rest
  double bias_most = 2;              ///< degrees a second: no larger one is believed

  double rest_seconds = 1.5;         ///< for which a sensor is quiet before it is at rest
  double rest_filter_seconds = 0.5;  ///< time constant of what it is compared with
  double rest_turn = 2;              ///< degrees a second off that
  double rest_acceleration = 0.5;    ///< metres a second² off that

  bool rejects_disturbance = true;                         ///< of the magnetic field
  double field_seconds = 0.05;                             ///< time constant of the field's strength and dip
  double field_reference_seconds = 20;                     ///< with which the known field follows
  double field_strength = 0.1;                             ///< share of the strength that it may be off
  double field_dip = 10;                                   ///< degrees that its dip may be off
  double field_good_seconds = 0.5;                         ///< for which it must be as known before it is believed
  double field_new_seconds = 20, field_first_seconds = 5;  ///< of motion after which another field is the known one
  double field_new_turn = 20;                              ///< degrees a second that count as motion for that
  double field_reject_seconds = 60;  ///< longest that it is not believed at all; then half as much as usual
};

/// The orientation of one inertial sensor: gyroscope, accelerometer and, where it has one, magnetometer.
///
/// The rotation is the product of three, each of which is wrong in another way (Laidig and Seel 2023, "VQF",
/// Information Fusion 91, 187-204): the gyroscope alone, integrated, which gives a frame that hardly turns; an
/// inclination that draws the acceleration, averaged over seconds in that frame, to the vertical, so that a knock or a
/// swing tilts nothing; and a heading that draws the magnetic field to north. A Kalman filter finds the error of the
/// gyroscope, at rest of what it says, in motion of what the inclination has to correct. A field of another strength or
/// dip than the known one is not believed.
///
/// Axes of the world: X east, Y north, Z up (`Axes::kEastNorthUp`); without a magnetometer the heading is what it was
/// at the beginning. Double precision throughout. Allocates when made, never in `update`.
class OrientationFilter {
 public:
  /// For samples `rate` times a second, in [1, 10000].
  explicit OrientationFilter(double rate, const OrientationFilterOptions& options = {});
  ~OrientationFilter();
  OrientationFilter(OrientationFilter&&) noexcept;
  OrientationFilter& operator=(OrientationFilter&&) noexcept;

  /// Takes one sample: radians a second; metres a second², upwards at rest; magnetic field in any one unit. What is not
  /// finite counts as not measured; where a sample came late, `seconds` says how long after the one before.
  void update(Vec3 turn_rate, Vec3 acceleration, std::optional<Vec3> magnetic = {}, std::optional<double> seconds = {});

  /// The magnetic field as it is now is the known one from here on: somebody stands where there is no iron, in a T-pose
  /// say, and what differs from it later by half as much as usual is not believed. Without this the known field is
  /// found in motion.
  void know_field();

  /// Of the sensor in the world. Without a magnetometer the heading is the first, and drifts.
  [[nodiscard]] Quat rotation() const;
  [[nodiscard]] Vec3 bias() const;  ///< of the gyroscope, radians a second
  [[nodiscard]] bool at_rest() const;
  [[nodiscard]] bool is_disturbed() const;  ///< the magnetic field is not as known

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// A plain complementary filter, to compare with: the gyroscope integrated, drawn to gravity and north by a share of
/// the angle that is off in every sample, with the time constants of its two gains (Mahony 2008 without its integral).
class ComplementaryFilter {
 public:
  explicit ComplementaryFilter(double rate, double acceleration_seconds = 1, double magnetic_seconds = 1)
      : step_(1 / rate), acceleration_gain_(step_ / acceleration_seconds), magnetic_gain_(step_ / magnetic_seconds) {}

  void update(Vec3 turn_rate, Vec3 acceleration, std::optional<Vec3> magnetic = {});
  [[nodiscard]] Quat rotation() const { return rotation_; }

 private:
  double step_, acceleration_gain_, magnetic_gain_;
  Quat rotation_;
  bool begun_ = false;
};

}  // namespace loom::live
