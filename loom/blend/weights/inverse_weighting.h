// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include <loom/blend/weights/simplex_least_squares.h>
#include <loom/blend/weights/triangulation.h>
#include <loom/blend/weights/weights.h>

namespace loom::blend {

struct InverseWeightingOptions {
  std::size_t examples = 16;  ///< k: how many of the nearest examples take part
  SimplexOptions solver;
};

/// The start of inverse blending (Huang 2012 §3.3): of all examples the `count` with the smallest errors are let in,
/// and weigh by a Gaussian of their errors; the others are `excluded` and weigh nothing. Errors are not negative.
void start_from_nearest(std::span<const double> errors, std::size_t count, std::span<bool> excluded,
                        std::span<float> weights);

/// Inverse blending as a weighting (Huang 2012 §3.3, §4.3.4): the k examples nearest to the point start with a Gaussian
/// of their distances, and convex weights are then sought for which the blend really comes out there. No
/// pre-computation; jumps where the set of nearest examples changes. For constraints on joints see `InverseBlending`.
class InverseWeighting final : public Weighting {
 public:
  InverseWeighting(std::shared_ptr<const Triangulation> space, std::shared_ptr<const BlendModel> model,
                   const InverseWeightingOptions& options = {})
      : Weighting(std::move(space)), model_(std::move(model)), options_(options) {}

 protected:
  std::optional<double> weigh_at(std::span<const double> at, std::span<float> weights) const override;

 private:
  std::shared_ptr<const BlendModel> model_;
  InverseWeightingOptions options_;
};

}  // namespace loom::blend
