// SPDX-License-Identifier: MIT
#include <algorithm>
#include <atomic>

#include <loom/base/parallel.h>
#include <loom/graph/select/detail/chosen.h>

namespace loom::graph::detail {
namespace {

constexpr std::uint32_t kNoRow = ~std::uint32_t{0};

}  // namespace

Chosen::Chosen(const Problem& problem, std::span<const std::uint32_t> start)
    : problem_(problem), has_(problem.field.size(), 0), needed_by_(problem.field.size(), kNoRow) {
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
  changes_.resize(rows_.size());
  parallel_for(rows_.size(), 16, [&](std::size_t begin, std::size_t end) {
    std::vector<std::uint32_t> queue;
    for (std::size_t i = begin; i < end; ++i) search(rows_[i], queue);
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
void Chosen::search(Row& row, std::vector<std::uint32_t>& queue) const {
  std::vector<Length>& length = row.length;
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

void Chosen::add_for(const Wish& wish, std::span<const std::uint32_t> nodes) {
  add(nodes);
  for (const std::uint32_t node : nodes) {
    needed_by_[node] = static_cast<std::uint32_t>(first_row_[wish.layer] + wish.source);
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
      const std::uint32_t next = length[from] + std::uint32_t{layer.step_back(e)};
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

Length Chosen::length_to(const Row& row, std::size_t target) const {
  Length least = kFar;
  for (const std::uint32_t node : problem_.layers[row.layer].targets[target]) least = std::min(least, row.length[node]);
  return least;
}

bool Chosen::meets(const Wish& wish) {
  Row& row = rows_[first_row_[wish.layer] + wish.source];
  const Length limit = problem_.layers[wish.layer].limit_of(wish.source, wish.target);
  if (length_to(row, wish.target) <= limit) return true;
  bring_up_to_date(row);
  return length_to(row, wish.target) <= limit;
}

void Chosen::take_out(Row& row, std::span<const std::uint32_t> nodes, std::vector<Change>& changes) const {
  const PlacedLayer& layer = problem_.layers[row.layer];
  const Steps &forward = problem_.field.forward, &backward = problem_.field.backward;
  std::vector<Length>& length = row.length;
  // A node loses its length when no node is left from which it got it: nearest first, so that whoever a node may have
  // got it from has been looked at. Those that lost theirs have none until all are known.
  Queue queue;
  const std::size_t first = changes.size();
  const auto lose = [&](std::uint32_t n) {
    changes.push_back({n, length[n]});
    for (std::uint32_t e = forward.first[n]; e < forward.first[n + 1]; ++e) {
      const std::uint32_t to = forward.to[e];
      if (has_[to] && length[to] != kFar && length[to] == length[n] + layer.step(e)) queue.emplace(length[to], to);
    }
    length[n] = kFar;
  };
  for (const std::uint32_t n : nodes) {
    if (length[n] != kFar) queue.emplace(length[n], n);
  }
  while (!queue.empty()) {
    const auto [at, n] = queue.top();
    queue.pop();
    if (length[n] != at || at == 0) continue;
    bool another = false;
    for (std::uint32_t e = backward.first[n]; has_[n] && e < backward.first[n + 1] && !another; ++e) {
      const std::uint32_t from = backward.to[e];
      another = has_[from] && length[from] != kFar && length[from] + layer.step_back(e) == at;
    }
    if (!another) lose(n);
  }
  // Then each gets the best that is left.
  const std::size_t last = changes.size();
  for (std::size_t i = first; i < last; ++i) {
    const std::uint32_t n = changes[i].node;
    if (!has_[n]) continue;
    std::uint32_t least = kFar;
    for (std::uint32_t e = backward.first[n]; e < backward.first[n + 1]; ++e) {
      const std::uint32_t from = backward.to[e];
      if (has_[from] && length[from] != kFar) least = std::min(least, length[from] + std::uint32_t{layer.step_back(e)});
    }
    if (least <= layer.longest) queue.emplace(static_cast<Length>(least), n);
  }
  while (!queue.empty()) {
    const auto [at, n] = queue.top();
    queue.pop();
    if (at >= length[n]) continue;
    length[n] = at;
    for (std::uint32_t e = forward.first[n]; e < forward.first[n + 1]; ++e) {
      const std::uint32_t next = at + std::uint32_t{layer.step(e)};
      const std::uint32_t to = forward.to[e];
      if (has_[to] && next < length[to] && next <= layer.longest) queue.emplace(static_cast<Length>(next), to);
    }
  }
}

void Chosen::undo(Row& row, std::span<const Change> changes) {
  for (const Change& change : changes) row.length[change.node] = change.before;
}

template <typename Visit>
void Chosen::for_each_unmet(const Row& row, std::span<const Change> changes, const Visit& visit) const {
  const PlacedLayer& layer = problem_.layers[row.layer];
  for (const Change& change : changes) {
    for (const std::uint32_t t : layer.targets_at(change.node)) {
      const Length limit = layer.limit_of(row.source, t);
      if (limit != kNotAsked && length_to(row, t) > limit) visit(t);
    }
  }
}

bool Chosen::breaks(const Row& row, std::span<const Change> changes) const {
  bool unmet = false;
  for_each_unmet(row, changes, [&](std::uint32_t) { unmet = true; });
  return unmet;
}

bool Chosen::remove_if_met(std::span<const std::uint32_t> nodes) {
  const auto put_back = [&](std::uint32_t needed_by) {
    for (const std::uint32_t node : nodes) {
      has_[node] = 1;
      needed_by_[node] = needed_by;
    }
    return false;
  };
  bring_all_up_to_date();
  for (const std::uint32_t node : nodes) has_[node] = 0;
  for (const std::uint32_t node : nodes) {
    const std::uint32_t first = needed_by_[node];
    if (first == kNoRow) continue;
    changes_[first].clear();
    take_out(rows_[first], nodes, changes_[first]);
    const bool needed = breaks(rows_[first], changes_[first]);
    undo(rows_[first], changes_[first]);
    if (needed) return put_back(first);
  }
  for (auto& changes : changes_) changes.clear();
  std::atomic<std::uint32_t> needed_by{kNoRow};
  parallel_for(rows_.size(), 64, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end && needed_by == kNoRow; ++i) {
      take_out(rows_[i], nodes, changes_[i]);
      if (breaks(rows_[i], changes_[i])) needed_by = static_cast<std::uint32_t>(i);
    }
  });
  if (needed_by == kNoRow) {
    size_ -= nodes.size();
    return true;
  }
  for (std::size_t i = 0; i < rows_.size(); ++i) undo(rows_[i], changes_[i]);
  return put_back(needed_by);
}

void Chosen::remove(std::span<const std::uint32_t> nodes, std::vector<Wish>& unmet) {
  bring_all_up_to_date();
  for (const std::uint32_t node : nodes) has_[node] = 0;
  size_ -= nodes.size();
  std::vector<std::vector<std::uint32_t>> targets(rows_.size());
  parallel_for(rows_.size(), 64, [&](std::size_t begin, std::size_t end) {
    std::vector<Change> changes;
    for (std::size_t i = begin; i < end; ++i) {
      changes.clear();
      take_out(rows_[i], nodes, changes);
      for_each_unmet(rows_[i], changes, [&](std::uint32_t t) { targets[i].push_back(t); });
    }
  });
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    std::sort(targets[i].begin(), targets[i].end());
    targets[i].erase(std::unique(targets[i].begin(), targets[i].end()), targets[i].end());
    for (const std::uint32_t t : targets[i]) unmet.push_back({rows_[i].layer, rows_[i].source, t});
  }
}

}  // namespace loom::graph::detail
