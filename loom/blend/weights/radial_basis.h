// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include <loom/blend/weights/triangulation.h>
#include <loom/blend/weights/weights.h>

namespace loom::blend {

struct RadialBasisOptions {
  /// Width of the bases, in mean distances between an example and its nearest neighbour.
  double width = 2;
  /// Added to the diagonal of the equations. Examples in the same place share their weight; where examples that differ
  /// lie close together, it keeps weights between them from running away. 0: the least that does so.
  double ridge = 0;
  /// How much weight a blend may have in all, positive and negative taken alike, on average over the space, for the
  /// ridge to be enough. Convex weights have 1.
  double most_weight = 3;
};

/// Weights as radial basis functions on top of a linear fit (Rose 1998; Huang 2012 §4.3.2): for every example a
/// function that is one at its own point and zero at all others. Smooth everywhere; all examples take part, some with
/// negative weights. A query is O(examples²).
///
/// The hyperplanes fit a sum of one exactly, so what the bases add sums to zero: weights sum to one everywhere.
class RadialBasis final : public Weighting {
 public:
  explicit RadialBasis(std::shared_ptr<const Triangulation> space, const RadialBasisOptions& options = {});

  /// The weights at `at` as they are, inside the hull or out.
  void evaluate(std::span<const double> at, std::span<float> weights) const;

 protected:
  std::optional<double> weigh_at(std::span<const double> at, std::span<float> weights) const override;

 private:
  void solve(double ridge);
  [[nodiscard]] double mean_weight() const;

  double inverse_square_width_ = 1;
  std::vector<double> linear_;  ///< (dimensions + 1) × examples, of the coordinates and one
  std::vector<double> bases_;   ///< examples × examples: row j is what the basis at example j adds to each weight
};

}  // namespace loom::blend
