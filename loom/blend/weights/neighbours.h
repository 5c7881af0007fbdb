// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <loom/blend/weights/triangulation.h>
#include <loom/blend/weights/weights.h>

namespace loom::blend {

struct NeighbourOptions {
  std::size_t neighbours = 8;          ///< k; the k-th itself weighs nothing
  std::size_t pseudo_examples = 1500;  ///< Huang 2012 §4.3.3: 500 to 2000 for 20 examples
  std::uint64_t seed = 1;              ///< of the pseudo-examples
};

/// The k nearest examples weighted by 1/distance - 1/distance of the k-th (Huang 2012 §4.3.3), among the examples and
/// many pseudo-examples: random blends of neighbouring examples, each at the point where the blend really comes out
/// (Kovar & Gleicher 2004). More accurate the denser they lie, and less smooth.
class Neighbours final : public Weighting {
 public:
  Neighbours(std::shared_ptr<const Triangulation> space, const BlendModel& model, const NeighbourOptions& options = {});
  ~Neighbours() override;

 protected:
  std::optional<double> weigh_at(std::span<const double> at, std::span<float> weights) const override;

 private:
  struct Tree;
  void add_pseudo_examples(const BlendModel& model, const NeighbourOptions& options);

  std::size_t neighbours_ = 0;
  std::vector<double> points_;        ///< all points, each kMaxDimensions numbers, the last ones zero
  std::vector<float> shares_;         ///< all points × examples: what each is blended of
  std::unique_ptr<const Tree> tree_;  ///< over `points_`
};

}  // namespace loom::blend
