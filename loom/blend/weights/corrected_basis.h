// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include <loom/blend/weights/radial_basis.h>
#include <loom/blend/weights/weights.h>

namespace loom::blend {

struct CorrectedBasisOptions {
  RadialBasisOptions basis;
  std::size_t steps = 3;      ///< of correction at most
  double damping = 1e-3;      ///< of a step, as a share of the mean square of the derivatives
  double most_change = 0.6;   ///< how far (root of the sum of squares) weights are taken from the bases' at most
  double good_enough = 1e-4;  ///< no further step where the blend comes out within this of the point
};

/// Our own answer to the question Huang 2012 §4.6 leaves open, a method that is exact, smooth and fast at once.
///
/// It starts from radial basis weights, which are smooth, use all examples and are right at every example, and
/// corrects them by Newton steps until the blend really comes out where it is wanted. Of all changes of the weights
/// that do so to first order, a step takes the shortest: a smooth function of the point, since nothing switches (no
/// neighbour set, no active bounds). So the result is as smooth as where it started, and one or two steps are as exact
/// as an optimisation. Where the examples leave no way to the point, corrections would grow into wild extrapolation:
/// they are eased off as they come near `most_change`.
class CorrectedBasis final : public Weighting {
 public:
  CorrectedBasis(std::shared_ptr<const Triangulation> space, std::shared_ptr<const BlendModel> model,
                 const CorrectedBasisOptions& options = {});

 protected:
  std::optional<double> weigh_at(std::span<const double> at, std::span<float> weights) const override;

 private:
  RadialBasis basis_;
  std::shared_ptr<const BlendModel> model_;
  CorrectedBasisOptions options_;
};

}  // namespace loom::blend
