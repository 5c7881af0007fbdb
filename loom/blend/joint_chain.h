// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <loom/base/math.h>
#include <loom/blend/pose_blend.h>
#include <loom/motion/kinematics.h>
#include <loom/motion/skeleton.h>

namespace loom::blend {

/// Where a joint comes out in the blend of some poses, and how that changes with the weights: forward kinematics of the
/// blend (`pose_blend.h`) along one chain of joints, with exact derivatives.
///
/// Only the joints from the root to the one asked for are blended. Their rotations lie joint by joint, example beside
/// example, so that the loops over examples run in vectors. O(joints of the chain × examples); no allocation.
class JointChain {
 public:
  static constexpr std::size_t kMaxChain = 64;  ///< joints from the root to the one asked for
  /// Whether the way from the root to `joint` is short enough.
  static bool fits(const motion::Skeleton& skeleton, int joint);

  /// The point `offset` (metres, in the joint's frame) of `joint` in the poses of `poses`. The chain must fit.
  JointChain(const motion::Skeleton& skeleton, const PoseSet& poses, int joint, Vec3 offset = {});

  [[nodiscard]] std::size_t examples() const { return examples_; }
  /// The point and the joint's orientation in an example itself.
  [[nodiscard]] const motion::JointFrame& example(std::size_t i) const { return own_[i]; }

  /// The point and the joint's orientation in the blend, in the frame the poses were laid on.
  [[nodiscard]] motion::JointFrame evaluate(std::span<const float> weights) const;

  /// Derivatives with respect to the weights, each three rows (x, y, z) of one number an example.
  struct Derivatives {
    std::span<float> position;  ///< metres a unit of weight
    std::span<float> spin;      ///< radians a unit of weight about the world's axes; empty when not wanted
  };
  motion::JointFrame differentiate(std::span<const float> weights, const Derivatives& into) const;

 private:
  struct Links;

  [[nodiscard]] const float* rotation_row(std::size_t link, std::size_t component) const {
    return rotations_.data() + (4 * link + component) * examples_;
  }
  [[nodiscard]] motion::JointFrame walk(std::span<const float> weights, Links& links) const;

  std::size_t examples_ = 0;
  std::vector<Vec3> offsets_;            ///< of each joint of the chain from the one before; the last is the point's
  std::vector<float> rotations_;         ///< joints of the chain × 4 (w, x, y, z) × examples
  std::vector<float> roots_;             ///< 3 × examples
  std::vector<float> headings_;          ///< examples
  std::vector<motion::JointFrame> own_;  ///< examples
};

}  // namespace loom::blend
