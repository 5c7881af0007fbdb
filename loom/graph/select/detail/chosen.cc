// SPDX-License-Identifier: MIT
#include <algorithm>
#include <atomic>

#include <loom/base/parallel.h>
#include <loom/graph/select/detail/chosen.h>

namespace loom::graph::detail {

Chosen::Chosen(const Problem& problem, std::span<const std::uint32_t> start)
    : problem_(problem), has_(problem.field.size(), 0) {
  const auto take = [&](std::uint32_t node) {
    size_ += has_[node] ? 0 : 1;
    has_[node] = 1;
  };
  for (const std::uint32_t node : problem.keys) take(node);
  for (const std::uint32_t node : start) take(node);
  for (std::uint32_t layer = 0; layer < problem.layers.size(); ++layer) {
    first_row_.push_back(rows_.size());
    for (std::uint32_t source = 0; source < problem.layers[layer].sources.size(); ++source) {
      rows_.push_back({layer, source, 0, std::vector<Length>(problem.field.size())});
    }
  }
  parallel_for(rows_.size(), 16, [&](std::size_t begin, std::size_t end) {
    std::vector<std::uint32_t> queue;
    for (std::size_t i = begin; i < end; ++i) search(rows_[i], rows_[i].length, queue);
  });
}

std::vector<std::uint32_t> Chosen::nodes() const {
  std::vector<std::uint32_t> nodes;
  for (std::uint32_t n = 0; n < has_.size(); ++n) {
    if (has_[n]) nodes.push_back(n);
  }
  return nodes;
}

/// Lengths from the source within what is chosen. Nodes are taken in the order they were found, which for steps of one
/// length is the order of their lengths; where steps differ a node is taken again when a shorter way to it turns up.
void Chosen::search(const Row& row, std::span<Length> length, std::vector<std::uint32_t>& queue) const {
  const PlacedLayer& layer = problem_.layers[row.layer];
  const Steps& steps = problem_.field.forward;
  std::fill(length.begin(), length.end(), kFar);
  queue.clear();
  queue.push_back(layer.sources[row.source]);
  length[queue[0]] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const std::uint32_t n = queue[i];
    for (std::uint32_t e = steps.first[n]; e < steps.first[n + 1]; ++e) {
      const std::uint32_t to = steps.to[e];
      const std::uint32_t next = length[n] + std::uint32_t{layer.step(e)};
      if (!has_[to] || next >= length[to] || next > layer.longest) continue;
      length[to] = static_cast<Length>(next);
      queue.push_back(to);
    }
  }
}

void Chosen::add(std::span<const std::uint32_t> nodes) {
  for (const std::uint32_t node : nodes) {
    if (has_[node]) continue;
    has_[node] = 1;
    ++size_;
    added_.push_back(node);
  }
}

void Chosen::bring_up_to_date(Row& row) {
  if (row.seen == added_.size()) return;
  const PlacedLayer& layer = problem_.layers[row.layer];
  const Field& field = problem_.field;
  std::vector<Length>& length = row.length;
  queue_.clear();
  // New nodes first get what their old neighbours can give them; all else follows from there.
  for (; row.seen < added_.size(); ++row.seen) {
    const std::uint32_t n = added_[row.seen];
    for (std::uint32_t e = field.backward.first[n]; e < field.backward.first[n + 1]; ++e) {
      const std::uint32_t from = field.backward.to[e];
      if (!has_[from] || length[from] == kFar) continue;
      const std::uint32_t next =
          length[from] + std::uint32_t{layer.backward_length.empty() ? Length{1} : layer.backward_length[e]};
      if (next < length[n] && next <= layer.longest) length[n] = static_cast<Length>(next);
    }
    if (length[n] != kFar) queue_.push_back(n);
  }
  for (std::size_t i = 0; i < queue_.size(); ++i) {
    const std::uint32_t n = queue_[i];
    for (std::uint32_t e = field.forward.first[n]; e < field.forward.first[n + 1]; ++e) {
      const std::uint32_t to = field.forward.to[e];
      const std::uint32_t next = length[n] + std::uint32_t{layer.step(e)};
      if (!has_[to] || next >= length[to] || next > layer.longest) continue;
      length[to] = static_cast<Length>(next);
      queue_.push_back(to);
    }
  }
}

void Chosen::bring_all_up_to_date() {
  for (Row& row : rows_) bring_up_to_date(row);
  added_.clear();
  for (Row& row : rows_) row.seen = 0;
}

Length Chosen::length_to(const Row& row, std::span<const Length> length, std::size_t target) const {
  Length least = kFar;
  for (const std::uint32_t node : problem_.layers[row.layer].targets[target]) least = std::min(least, length[node]);
  return least;
}

bool Chosen::meets(const Wish& wish) {
  Row& row = rows_[first_row_[wish.layer] + wish.source];
  const Length limit = problem_.layers[wish.layer].limit_of(wish.source, wish.target);
  if (length_to(row, row.length, wish.target) <= limit) return true;
  bring_up_to_date(row);
  return length_to(row, row.length, wish.target) <= limit;
}

bool Chosen::depends_on(const Row& row, std::span<const std::uint32_t> nodes) const {
  const PlacedLayer& layer = problem_.layers[row.layer];
  const Field& field = problem_.field;
  for (const std::uint32_t n : nodes) {
    if (row.length[n] == kFar) continue;
    for (std::uint32_t e = field.forward.first[n]; e < field.forward.first[n + 1]; ++e) {
      const std::uint32_t child = field.forward.to[e];
      if (!has_[child] || row.length[child] != row.length[n] + layer.step(e)) continue;
      bool another = false;
      for (std::uint32_t b = field.backward.first[child]; b < field.backward.first[child + 1] && !another; ++b) {
        const std::uint32_t parent = field.backward.to[b];
        const Length step = layer.backward_length.empty() ? Length{1} : layer.backward_length[b];
        another = has_[parent] && row.length[parent] != kFar && row.length[parent] + step == row.length[child];
      }
      if (!another) return true;
    }
  }
  return false;
}

bool Chosen::all_met(const Row& row, std::span<const Length> length) const {
  const PlacedLayer& layer = problem_.layers[row.layer];
  for (std::size_t t = 0; t < layer.targets.size(); ++t) {
    const Length limit = layer.limit_of(row.source, t);
    if (limit != kNotAsked && length_to(row, length, t) > limit) return false;
  }
  return true;
}

bool Chosen::remove_if_met(std::span<const std::uint32_t> nodes) {
  bring_all_up_to_date();
  for (const std::uint32_t node : nodes) has_[node] = 0;
  std::vector<char> changed(rows_.size(), 0);
  std::atomic<bool> met{true};
  parallel_for(rows_.size(), 32, [&](std::size_t begin, std::size_t end) {
    std::vector<Length> length;
    std::vector<std::uint32_t> queue;
    for (std::size_t i = begin; i < end && met; ++i) {
      if (!depends_on(rows_[i], nodes)) continue;
      changed[i] = 1;
      length.resize(has_.size());
      search(rows_[i], length, queue);
      if (!all_met(rows_[i], length)) met = false;
    }
  });
  if (!met) {
    for (const std::uint32_t node : nodes) has_[node] = 1;
    return false;
  }
  size_ -= nodes.size();
  parallel_for(rows_.size(), 32, [&](std::size_t begin, std::size_t end) {
    std::vector<std::uint32_t> queue;
    for (std::size_t i = begin; i < end; ++i) {
      if (changed[i]) search(rows_[i], rows_[i].length, queue);
      for (const std::uint32_t node : nodes) rows_[i].length[node] = kFar;
    }
  });
  return true;
}

void Chosen::remove(std::span<const std::uint32_t> nodes, std::vector<Wish>& unmet) {
  bring_all_up_to_date();
  for (const std::uint32_t node : nodes) has_[node] = 0;
  size_ -= nodes.size();
  std::vector<char> changed(rows_.size(), 0);
  parallel_for(rows_.size(), 32, [&](std::size_t begin, std::size_t end) {
    std::vector<std::uint32_t> queue;
    for (std::size_t i = begin; i < end; ++i) {
      Row& row = rows_[i];
      if (depends_on(row, nodes)) {
        changed[i] = 1;
        search(row, row.length, queue);
      }
      for (const std::uint32_t node : nodes) row.length[node] = kFar;
    }
  });
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (!changed[i]) continue;
    const Row& row = rows_[i];
    const PlacedLayer& layer = problem_.layers[row.layer];
    for (std::uint32_t t = 0; t < layer.targets.size(); ++t) {
      const Length limit = layer.limit_of(row.source, t);
      if (limit != kNotAsked && length_to(row, row.length, t) > limit) unmet.push_back({row.layer, row.source, t});
    }
  }
}

}  // namespace loom::graph::detail
