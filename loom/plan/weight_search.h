// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <loom/plan/weight_path.h>

namespace loom::plan {

/// Whether a pose may be: weights at a slice.
using IsFree = std::function<bool(std::size_t slice, std::span<const float> weights)>;

struct WeightSearchOptions {
  std::uint64_t seed = 1;
  std::size_t most_expansions = 500;  ///< Huang 2012 §6.5
  std::size_t step = 6;               ///< slices that a tree grows by at once
};

/// What a search did.
struct WeightSearch {
  std::vector<WeightNode> nodes;                           ///< of both trees
  std::vector<std::pair<std::size_t, std::size_t>> edges;  ///< between them, as they were grown
  std::optional<std::vector<WeightNode>> way;              ///< from the first slice to the last; none: not found
  std::size_t expansions = 0;
  std::size_t tests = 0;  ///< poses asked about
};

/// Finds weights over time that are free from slice `first` to slice `last`, beginning and ending with `wanted`, the
/// weights that meet the target (Huang 2012 algorithm 1).
///
/// Two trees in weights and time grow towards each other, one forwards from the beginning, one backwards from the end;
/// time goes one way only. They begin with those slices of the motion with `wanted` that are free. A sample is an
/// example that is given most of the weight (§6.4.2), at a moment where the motion is not free, or near a node that
/// could not be grown (§6.4.5). Edges are tried in full only once the trees meet (§6.4.4); one that is not free is cut,
/// and what hung on it goes. What is found is shortened where a direct way between two of its nodes is free.
/// The poses at both ends must be free. Deterministic by the seed.
WeightSearch search_weights(std::size_t first, std::size_t last, std::span<const float> wanted, const IsFree& is_free,
                            const WeightSearchOptions& options = {});

}  // namespace loom::plan
