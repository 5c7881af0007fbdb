// SPDX-License-Identifier: MIT
#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include <loom/base/memory.h>
#include <loom/base/parallel.h>
#include <loom/base/shared_progress.h>
#include <loom/graph/select/detail/problem.h>

namespace loom::graph::detail {
namespace {

PlacedLayer place(const Layer& layer, const Field& field) {
  PlacedLayer placed;
  for (const Node node : layer.sources) placed.sources.push_back(field.at(node));
  for (const std::vector<Node>& nodes : layer.targets) {
    std::vector<std::uint32_t> there;
    for (const Node node : nodes) there.push_back(field.at(node));
    placed.targets.push_back(std::move(there));
  }
  placed.first_target_at.assign(field.nodes.size() + 1, 0);
  for (const auto& nodes : placed.targets) {
    for (const std::uint32_t node : nodes) ++placed.first_target_at[node + 1];
  }
  std::partial_sum(placed.first_target_at.begin(), placed.first_target_at.end(), placed.first_target_at.begin());
  placed.target_at.resize(placed.first_target_at.back());
  std::vector<std::uint32_t> fill(placed.first_target_at.begin(), placed.first_target_at.end() - 1);
  for (std::uint32_t t = 0; t < placed.targets.size(); ++t) {
    for (const std::uint32_t node : placed.targets[t]) placed.target_at[fill[node]++] = t;
  }
  placed.limit = layer.limit;
  for (const Length limit : placed.limit) {
    if (limit != kNotAsked) placed.longest = std::max(placed.longest, limit);
  }
  placed.forward_length = layer.lengths_of(field.forward);
  placed.backward_length = layer.lengths_of(field.backward);
  return placed;
}

}  // namespace

double problem_bytes(std::size_t nodes, std::span<const Layer> layers) {
  double rows = 0;
  for (const Layer& layer : layers) rows += static_cast<double>(layer.sources.size() + layer.targets.size());
  return rows * static_cast<double>(nodes) * sizeof(Length);
}

Result<Problem> make_problem(Field field, const SelectionTask& task, std::span<const Layer> layers,
                             const Progress& progress) {
  // Searching keeps a third length of every node, from each source within what is chosen.
  if (const auto room = require_memory(
          1.5 * problem_bytes(field.nodes.size(), layers),
          fmt::format("selecting among {} frames for {} key frames", field.nodes.size(), key_frames(task).size()),
          "name fewer or shorter key motions", {"key"});
      !room) {
    return fail_from(room);
  }
  Problem problem;
  problem.field = std::move(field);
  const Field& placed_in = problem.field;
  for (const Node node : key_frames(task)) problem.keys.push_back(placed_in.at(node));
  std::size_t searches = 0;
  for (const Layer& layer : layers) {
    problem.layers.push_back(place(layer, placed_in));
    searches += layer.sources.size() + layer.targets.size();
  }
  SharedProgress shared(progress, searches, "measuring ways");
  for (PlacedLayer& layer : problem.layers) {
    const std::size_t nodes = placed_in.size();
    layer.from.resize(layer.sources.size() * nodes);
    layer.to.resize(layer.targets.size() * nodes);
    parallel_for(layer.sources.size() + layer.targets.size(), 8, [&](std::size_t begin, std::size_t end) {
      LengthSearch search;
      for (std::size_t i = begin; i < end && shared.goes_on(); ++i, shared.one_done()) {
        if (i < layer.sources.size()) {
          search.run(placed_in.forward, layer.forward_length, {&layer.sources[i], 1}, layer.longest,
                     {layer.from.data() + i * nodes, nodes});
        } else {
          const std::size_t t = i - layer.sources.size();
          search.run(placed_in.backward, layer.backward_length, layer.targets[t], layer.longest,
                     {layer.to.data() + t * nodes, nodes});
        }
      }
    });
  }
  if (!shared.goes_on()) return fail_as(ErrorKind::kStopped, "stopped while measuring ways");
  return problem;
}

}  // namespace loom::graph::detail
