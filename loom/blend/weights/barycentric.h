// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include <loom/blend/weights/triangulation.h>
#include <loom/blend/weights/weights.h>

namespace loom::blend {

/// Barycentric weights (Huang 2012 §4.3.1): the simplex of examples around a point, blended as if parameters were
/// linear in the weights. At most dimensions + 1 examples take part. Continuous, with kinks where simplices meet;
/// outside the hull the nearest simplex is extended.
class Barycentric final : public Weighting {
 public:
  explicit Barycentric(std::shared_ptr<const Triangulation> space) : Weighting(std::move(space)) {}

 protected:
  std::optional<double> weigh_at(std::span<const double> at, std::span<float> weights) const override;
};

}  // namespace loom::blend
