// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace loom::plan {

/// A node of weight-time space: which weights an action has at a slice of its time.
struct WeightNode {
  std::size_t slice = 0;
  std::vector<float> weights;
};

/// Weights that change over an action: nodes in order of time, between which weights go over smoothly, with an easy
/// start and an easy end (Huang 2012 §6.4.4). Before the first node and after the last they stay.
struct WeightPath {
  std::vector<WeightNode> nodes;  ///< at least one, slices ascending

  /// The weights at a slice, which may lie between two.
  void at(double slice, std::span<float> weights) const;
};

/// The weights between two nodes, at a slice from the one's to the other's.
void weights_between(const WeightNode& from, const WeightNode& to, double slice, std::span<float> weights);

}  // namespace loom::plan
