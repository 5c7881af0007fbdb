// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/graph/select/detail/field.h>
#include <loom/graph/select/detail/layer.h>

namespace loom::graph::detail {

/// A layer in a field: its nodes are the field's, and how far every node is from every source and to every target is
/// known.
struct PlacedLayer {
  std::vector<std::uint32_t> sources;
  std::vector<std::vector<std::uint32_t>> targets;
  std::vector<Length> limit;                              ///< sources × targets; kNotAsked where nothing is asked
  std::vector<Length> forward_length, backward_length;    ///< of the field's steps; empty: 1 each
  std::vector<Length> from;                               ///< sources × nodes: length from a source
  std::vector<Length> to;                                 ///< targets × nodes: length to a target
  std::vector<std::uint32_t> first_target_at, target_at;  ///< targets that a node belongs to, in compressed rows
  Length longest = 0;                                     ///< the largest limit

  [[nodiscard]] Length limit_of(std::size_t source, std::size_t target) const {
    return limit[source * targets.size() + target];
  }
  [[nodiscard]] Length step(std::uint32_t edge) const { return forward_length.empty() ? 1 : forward_length[edge]; }
  [[nodiscard]] Length step_back(std::uint32_t edge) const {
    return backward_length.empty() ? 1 : backward_length[edge];
  }
  [[nodiscard]] std::span<const std::uint32_t> targets_at(std::uint32_t node) const {
    return {target_at.data() + first_target_at[node], first_target_at[node + 1] - first_target_at[node]};
  }
};

/// All that searching for a selection needs to know.
struct Problem {
  Field field;
  std::vector<PlacedLayer> layers;
  std::vector<std::uint32_t> keys;  ///< key frames, ascending

  [[nodiscard]] std::span<const Length> from(std::size_t layer, std::size_t source) const {
    return {layers[layer].from.data() + source * field.size(), field.size()};
  }
  [[nodiscard]] std::span<const Length> to(std::size_t layer, std::size_t target) const {
    return {layers[layer].to.data() + target * field.size(), field.size()};
  }
};

/// Bytes that the lengths of a problem take.
double problem_bytes(std::size_t nodes, std::span<const Layer> layers);

/// Places layers whose limits are known in a field, which must have all key frames. Fails where there is too little
/// memory and where `progress` asks to stop.
Result<Problem> make_problem(Field field, const SelectionTask& task, std::span<const Layer> layers,
                             const Progress& progress);

/// One thing asked for: that a source of a layer reaches a target.
struct Wish {
  std::uint32_t layer = 0, source = 0, target = 0;
};

}  // namespace loom::graph::detail
