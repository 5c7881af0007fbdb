// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include <loom/base/result.h>
#include <loom/compare/joint_weights.h>
#include <loom/compare/metric.h>

namespace loom::compare {

struct JointAngleOptions {
  /// Omega of eq. 3.1: what a difference of one metre a second in the root's velocity costs, in radians of half-angle.
  /// The works give no value; of 0.05 to 0.4, this one brought together most frames of the same stance on the walks of
  /// CMU performer 69.
  double velocity_weight = 0.2;
  JointWeights joint_weights;  ///< one a joint, used as they are; empty takes `wang_bodenheimer_weights`
  /// The same for the joints (Zhao 2009 eq. 3.1, Srinivasan 2009 eq. A.1): what a difference of one radian a second of
  /// half-angle in how a joint turns costs, in radians of half-angle, before the joint's own weight. 0 leaves it out,
  /// as eq. 3.1 of Srinivasan 2009 does.
  double joint_velocity_weight = 0;
};

/// Rotations and root velocities of a set in the form the all-pairs kernels read.
struct AngleTable {
  std::size_t frames = 0;
  std::size_t joints = 0;      ///< joints of positive weight
  std::vector<float> weights;  ///< one a joint
  float velocity_weight = 0;
  std::vector<std::size_t> starts;  ///< clips, as in FrameSet
  std::vector<Quat> by_frame;       ///< frames × joints
  std::vector<float> by_component;  ///< 4 × joints runs (w, x, y, z of joint 0, then of joint 1, ...) of `frames`
  std::vector<Vec3> velocity;       ///< of the root, in the body's own ground frame, metres a second
  std::vector<bool> open;           ///< one a frame: has a next one in its clip
  /// How fast joints turn, where that counts (else both are empty): rotation vectors of half-angles in the joints' own
  /// frames, radians a second.
  float joint_velocity_weight = 0;
  std::vector<Vec3> spins_by_frame;       ///< frames × joints
  std::vector<float> spins_by_component;  ///< 3 × joints runs (x, y, z of joint 0, ...) of `frames`
};

/// The joint-angle distance with root velocity (Srinivasan 2009 eq. 3.1, 3.2, after Lee 2002):
///
///     d(i, j) = omega |V_i - V_j| + sum over joints of w (|log(q_j^-1 q_i)| + omega_J |S_i - S_j|)
///     distance(i, j) = (d(i, j) + d(i + 1, j + 1)) / 2
///
/// which is eq. 3.2 for the transition from i to j + 1: D(f_i, f_j+1) = d(f_i+1, f_j+1) / 2 + d(f_i, f_j) / 2. Written
/// for the pair it is symmetric and stands for both transitions a pair gives. |log| is half the angle between the two
/// rotations, in radians. V is the root's velocity by central differences, seen from the body's ground frame, and the
/// root's own rotation is taken relative to that frame too, so that neither depends on which way the clip faces. S is
/// how fast a joint turns, half the angular velocity by central differences in the joint's frame; its weight omega_J is
/// 0 unless given (the term of Zhao 2009 eq. 3.1 and Srinivasan 2009 eq. A.1).
class JointAngles final : public Metric {
 public:
  /// Fails on weights of the wrong number, negative, not finite or all zero, and when no clip has two frames.
  static Result<JointAngles> create(std::shared_ptr<const FrameSet> frames, const JointAngleOptions& options = {});

  [[nodiscard]] bool comparable(std::size_t frame) const override;
  [[nodiscard]] double distance(std::size_t i, std::size_t j) const override;
  /// Lays the ground frame of `j` on that of `i`.
  [[nodiscard]] motion::GroundFrame alignment(std::size_t i, std::size_t j) const override;

  /// d of eq. 3.1, for any two frames.
  [[nodiscard]] double frame_distance(std::size_t i, std::size_t j) const;

  [[nodiscard]] const AngleTable& table() const { return table_; }

 private:
  explicit JointAngles(std::shared_ptr<const FrameSet> frames) : Metric(std::move(frames)) {}

  AngleTable table_;
};

}  // namespace loom::compare
