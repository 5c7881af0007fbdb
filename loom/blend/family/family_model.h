// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <loom/base/result.h>
#include <loom/blend/blend_space.h>
#include <loom/blend/family/family.h>
#include <loom/blend/family/root_path.h>
#include <loom/blend/joint_chain.h>
#include <loom/blend/weights/triangulation.h>
#include <loom/blend/weights/weights.h>

namespace loom::blend {

/// What blends of a family's members come out as, in microseconds, without making the motion: the same coordinates
/// `measure_coordinates` finds in it (to about a millimetre: a made motion has frames and this has moments), with
/// exact derivatives.
///
/// Places of joints: forward kinematics along one chain at the stroke, and the way there. Jumps: the way to the end,
/// and the height at the stroke. Locomotion: ways and turn over the time they take, all linear in the weights. A
/// table's parameters are no property of motion; they are taken to blend as the weights do.
class FamilyModel final : public BlendModel {
 public:
  FamilyModel(const Family& family, const BlendSpace& space);

  [[nodiscard]] std::size_t examples() const override { return examples_; }
  [[nodiscard]] std::size_t dimensions() const override { return dimensions_; }
  void evaluate(std::span<const float> weights, std::span<double> at) const override;
  void differentiate(std::span<const float> weights, std::span<double> at, std::span<double> jacobian) const override;

 private:
  void prepare_place(const Family& family, const BlendSpace& space);
  void prepare_jump(const Family& family, const BlendSpace& space);
  void prepare_locomotion(const Family& family, const BlendSpace& space);
  void prepare_table(const Family& family);
  void differentiate_place(std::span<const float> weights, std::span<double> at, std::span<double> jacobian) const;
  void differentiate_jump(std::span<const float> weights, std::span<double> at, std::span<double> jacobian) const;
  void differentiate_sums(std::span<const float> weights, std::span<double> at, std::span<double> jacobian) const;
  [[nodiscard]] double seconds_of(std::span<const float> weights) const;

  FamilyKind kind_;
  std::size_t examples_ = 0, dimensions_ = 0;
  std::optional<JointChain> chain_;  ///< for places
  std::optional<RootPath> path_;     ///< for jumps, from the stroke to the end
  std::vector<float> totals_;        ///< dimensions × examples: what is summed by weight
  std::vector<float> seconds_;       ///< for locomotion, examples: what the sums are divided by
};

}  // namespace loom::blend
