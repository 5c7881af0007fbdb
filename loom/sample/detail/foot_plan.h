// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include <loom/base/math.h>
#include <loom/motion/ground_frame.h>
#include <loom/sample/body_plan.h>
#include <loom/sample/detail/curve.h>

namespace loom::sample {

inline constexpr double kAlways = std::numeric_limits<double>::infinity();

/// Where a moving foot passes on its way, for kicks.
struct SwingKey {
  double time = 0;     ///< seconds
  Vec3 ankle;          ///< world, metres
  double yaw = 0;      ///< radians
  double hang = 0.15;  ///< radians the foot points down from a right angle with the shank
};

/// One stay of a foot on the floor, from the first touch to the last, and the swing that leads to it.
///
/// The foot rolls as feet do: it comes down on the heel (`strike` > 0) or on the ball (`strike` < 0), lies flat, then
/// the heel rises about the ball while the toes stay, and last the ball about the ends of the toes. The point it rolls
/// about does not move at all.
struct Plant {
  double down = -kAlways;      ///< seconds; -kAlways: it has always been here
  double up = kAlways;         ///< seconds; kAlways: it stays
  motion::GroundFrame print;   ///< where the ankle is above the floor, and where the toes point
  double strike = 0;           ///< radians of pitch at the first touch
  double strike_time = 0.13;   ///< seconds from the first touch until flat
  double release = 0;          ///< radians the heel has risen at the last touch
  double release_time = 0.26;  ///< seconds it takes to
  double release_power = 3;    ///< how late in that time it rises: above 2, the more the later
  double tip = 0;              ///< radians the toes have risen by then, about their ends
  double pressure = 0.05;      ///< metres forward of the ankle where a flat foot presses on the floor
  double raise = 0;            ///< radians the heel is held up all the while, as fighters do
  double bend = 0;             ///< share of its length the leg is kept short of straight at the first touch
  double lift = 0.02;          ///< metres the swing towards this plant is arched
  double lift_peak = 0.5;      ///< share of that swing at which the arch is highest
  double brake = 6;            ///< how hard its end is braked, relative to the mean: 6 is a cubic's
  double hang = 0.12;          ///< radians the free foot points down in that swing
  Vec3 bulge;                  ///< metres that swing goes out of the straight way, world
  double bulge_peak = 0.5;     ///< share of it at which it is farthest out
  std::vector<SwingKey> way;   ///< where that swing passes; empty: the direct way
};

/// Legs that carry are not stretched beyond this share of their length: knees stay a little bent, as people's do.
inline constexpr double kStraightLeg = 0.997;

/// Where a foot is at one instant.
struct FootPose {
  Vec3 ankle;                      ///< world, metres
  double yaw = 0;                  ///< radians
  double pitch = 0;                ///< toes up
  double toe = 0;                  ///< toes bent up relative to the foot
  bool planted = false;            ///< touches the floor
  bool heel_fixed = false;         ///< the ankle stays where it is, to within kContactSlip
  bool toe_fixed = false;          ///< the ball of the foot does
  double straight = kStraightLeg;  ///< share of its length the leg may be stretched to; less in the middle of a swing
  double free = 0;  ///< 0: the foot is turned as said here; 1: it hangs from the shank at the angle `hang`
  double hang = 0;  ///< radians it then points down from a right angle
  Vec3 pressure;    ///< where it presses on the floor, when planted

  [[nodiscard]] Quat rotation() const;
};

/// How far a joint of a foot that counts as fixed may be from where it rests, in metres.
inline constexpr double kContactSlip = 0.0015;

/// The life of one foot: plants in order of time with swings between them.
class FootTrack {
 public:
  /// Plants must be in order and not overlap.
  explicit FootTrack(std::vector<Plant> plants);

  /// `raise`: radians the heel is held up by the posture when the foot is planted.
  [[nodiscard]] FootPose at(double time, double raise) const;
  [[nodiscard]] bool planted(double time) const;
  [[nodiscard]] const std::vector<Plant>& plants() const { return plants_; }

 private:
  /// The way from one plant to the next.
  struct Swing {
    Curve x, y, z, yaw, pitch, toe, hang;
  };
  static Swing make_swing(const Plant& from, const Plant& to);
  /// Arches the swing towards `to` higher where any part of the foot would touch the floor on the way.
  static void clear_the_floor(const Swing& swing, const Plant& from, Plant& to);
  [[nodiscard]] std::size_t plant_before(double time) const;

  std::vector<Plant> plants_;
  std::vector<Swing> swings_;  ///< i leads from plant i to plant i + 1
};

/// An arch over a swing at `share` of its time: 0 with its derivatives at both ends, 1 at `peak`.
double swing_arch(double share, double peak);

/// Where the two feet go.
using FootPlan = std::array<std::vector<Plant>, 2>;

}  // namespace loom::sample
