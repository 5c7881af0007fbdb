// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <vector>

#include <loom/motion/clip.h>
#include <loom/motion/contacts.h>
#include <loom/sample/detail/figure.h>
#include <loom/sample/detail/score.h>
#include <loom/sample/detail/smooth_noise.h>

namespace loom::sample {

/// What came out of a performance.
struct Performance {
  motion::Clip clip;  ///< with the score's spans as labels
  motion::Contacts contacts;
};

/// Turns scores into poses.
///
/// For every instant: posture from the layers, feet from their plan, the centre of mass from the balance of both, then
/// the hips where the centre of mass says, the legs to the feet by inverse kinematics and the hands to their goals.
class Performer {
 public:
  /// `kSketch` leaves out what makes sure that the legs reach the floor: quicker, for trying a pose.
  enum class Care { kFull, kSketch };
  explicit Performer(const Score& score, Care care = Care::kFull);

  /// The pose at `time` seconds.
  [[nodiscard]] motion::Pose pose(double time) const;

  /// Everything from time 0 to the score's duration at `rate` frames a second.
  [[nodiscard]] Performance record(double rate) const;

 private:
  struct Instant;
  [[nodiscard]] Posture posture_at(double time) const;
  [[nodiscard]] Instant instant_at(double time) const;
  /// Finds the hips that put the centre of mass where it belongs. `lead` is a first guess of where they are relative to
  /// it, and then where they are: the next instant's first guess.
  [[nodiscard]] Figure solve(const Instant& now, Vec3& lead) const;
  [[nodiscard]] double raise_at(Side side, double time) const;
  void find_balance();
  void lower_for_reach();
  [[nodiscard]] Vec3 center_at(double time) const;
  [[nodiscard]] double lowered_at(double time) const;

  const Score& score_;
  FootTrack left_, right_;
  std::vector<SmoothNoise> noises_;  ///< one a channel, then two for the sway of the pressure
  double begin_ = 0;                 ///< time of the first sample
  std::vector<Vec3> center_;         ///< way of the centre of mass, every kStep seconds
  std::vector<double> lowered_;  ///< metres the body goes down so that the legs reach the floor, every kStep seconds
};

/// Where all points of the body are at `time`, by a sketch: for finding out what a score needs to be given.
std::array<Vec3, kPointCount> sketch_points(const Score& score, double time);

/// How far `target` is from the shoulder at `time`, as a share of the arm's length; above 1 the hand cannot be there.
double arm_stretch(const Score& score, Side side, Vec3 target, double time);

}  // namespace loom::sample
