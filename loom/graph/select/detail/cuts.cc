// SPDX-License-Identifier: MIT
#include <algorithm>
#include <mutex>
#include <queue>
#include <tuple>
#include <unordered_map>

#include <loom/base/parallel.h>
#include <loom/graph/select/detail/cuts.h>

namespace loom::graph::detail {
namespace {

/// Frames next to each other have much the same cuts.
constexpr std::size_t kEverySmoothRow = 8;

/// A layer seen from one of its ends: cuts go by the distance from a source, or to a target.
struct Side {
  std::size_t rows = 0, columns = 0, nodes = 0;
  std::span<const Length> near;         ///< rows × nodes
  std::vector<Length> far_by_node;      ///< nodes × columns
  std::vector<Length> limit;            ///< rows × columns
  std::vector<Length> best;             ///< rows × columns
  const Steps* towards = nullptr;       ///< the steps by which a node is come to from nearer ones
  std::span<const Length> step_length;  ///< of those
  std::size_t apart = 1;                ///< of the distances that are looked at: no step is shorter
  std::size_t every = 1;                ///< row that is looked at: cuts by smoothness cost much more
};

std::vector<Length> turned(std::span<const Length> table, std::size_t rows, std::size_t columns) {
  std::vector<Length> out(table.size());
  parallel_for(columns, 256, [&](std::size_t begin, std::size_t end) {
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t c = begin; c < end; ++c) out[c * rows + r] = table[r * columns + c];
    }
  });
  return out;
}

Side side_of(const Problem& problem, const PlacedLayer& layer, bool from_sources) {
  Side side;
  side.nodes = problem.field.size();
  const std::size_t sources = layer.sources.size(), targets = layer.targets.size();
  side.rows = from_sources ? sources : targets;
  side.columns = from_sources ? targets : sources;
  side.near = from_sources ? layer.from : layer.to;
  side.far_by_node = turned(from_sources ? layer.to : layer.from, side.columns, side.nodes);
  side.limit = from_sources ? layer.limit : turned(layer.limit, sources, targets);
  side.towards = from_sources ? &problem.field.backward : &problem.field.forward;
  side.step_length = from_sources ? layer.backward_length : layer.forward_length;
  for (const Length length : side.step_length) side.apart = std::max<std::size_t>(side.apart, length);
  for (const Length length : side.step_length) side.apart = std::min<std::size_t>(side.apart, length);
  if (!side.step_length.empty()) side.every = kEverySmoothRow;
  side.best.assign(side.limit.size(), 0);
  for (std::size_t s = 0; s < sources; ++s) {
    for (std::size_t t = 0; t < targets; ++t) {
      const Length best = layer.to[t * side.nodes + layer.sources[s]];
      side.best[from_sources ? s * targets + t : t * sources + s] = best;
    }
  }
  return side;
}

/// The nodes a way may take first at a distance of l or more: by ascending l, each in a range of them.
struct Levels {
  std::vector<std::uint32_t> first, nodes;

  /// For steps of one length a node is in one level; longer ones jump over some. In a level `likely` nodes come first.
  void make(const Side& side, std::size_t row, std::size_t levels, const std::vector<char>& likely) {
    const std::span<const Length> near = side.near.subspan(row * side.nodes, side.nodes);
    first.assign(levels + 1, 0);
    const auto for_each = [&](const auto& visit) {
      for (std::uint32_t v = 0; v < side.nodes; ++v) {
        if (near[v] == kFar || near[v] == 0) continue;
        std::size_t low = near[v];
        if (!side.step_length.empty()) {
          for (std::uint32_t e = side.towards->first[v]; e < side.towards->first[v + 1]; ++e) {
            low = std::min<std::size_t>(low, std::size_t{near[side.towards->to[e]]} + 1);
          }
        }
        const std::size_t first_level = (low + side.apart - 1) / side.apart * side.apart;
        for (std::size_t l = first_level; l <= near[v] && l < levels; l += side.apart) visit(v, l);
      }
    };
    for_each([&](std::uint32_t, std::size_t l) { ++first[l + 1]; });
    for (std::size_t l = 0; l < levels; ++l) first[l + 1] += first[l];
    nodes.resize(first.back());
    fill_.assign(first.begin(), first.end() - 1);
    for (const bool first_ones : {true, false}) {
      if (first_ones && likely.empty()) continue;
      for_each([&](std::uint32_t v, std::size_t l) {
        if (likely.empty() || (likely[v] != 0) == first_ones) nodes[fill_[l]++] = v;
      });
    }
    if (side.step_length.empty()) return;
    // Those at one distance together: what room is left them is reckoned once.
    for (std::size_t l = 0; l < levels; ++l) {
      std::sort(nodes.begin() + first[l], nodes.begin() + first[l + 1], [&](std::uint32_t a, std::uint32_t b) {
        const int rank_a = likely.empty() ? 0 : -likely[a], rank_b = likely.empty() ? 0 : -likely[b];
        return std::tie(rank_a, near[a], a) < std::tie(rank_b, near[b], b);
      });
    }
  }

  [[nodiscard]] std::span<const std::uint32_t> at(std::size_t level) const {
    return {nodes.data() + first[level], first[level + 1] - first[level]};
  }

 private:
  std::vector<std::uint32_t> fill_;
};

/// One more than how far a node at a distance of `near` may be from the other end; 0 where `level` is no cut.
void find_room(const Side& side, std::size_t row, std::size_t level, Length near, std::vector<Length>& room) {
  const Length* limit = &side.limit[row * side.columns];
  const Length* best = &side.best[row * side.columns];
  for (std::size_t c = 0; c < side.columns; ++c) {
    const bool cut = limit[c] != kNotAsked && level < best[c] && near <= limit[c];
    room[c] = cut ? static_cast<Length>(limit[c] - near + 1) : Length{0};
  }
}

/// Adds 1 to the count of every column whose end the node is near enough to.
void count_in(const Length* far, const Length* room, std::size_t columns, std::uint16_t* count) {
  for (std::size_t c = 0; c < columns; ++c) {
    count[c] = static_cast<std::uint16_t>(count[c] + (far[c] < room[c] ? 1 : 0));
  }
}

Length longest_of(const Side& side) {
  Length longest = 0;
  for (const Length limit : side.limit) {
    if (limit != kNotAsked) longest = std::max(longest, limit);
  }
  return longest;
}

/// Marks the only nodes of cuts.
void mark_required(const Side& side, const std::vector<char>& likely, std::vector<char>& required) {
  constexpr std::size_t kLook = 16;  // so many nodes are counted before looking which cuts may still be of one
  std::mutex mutex;
  const std::size_t levels = longest_of(side);
  parallel_for(side.rows, 8, [&](std::size_t begin, std::size_t end) {
    Levels by_level;
    std::vector<Length> room(side.columns), room_at_all(side.columns);
    std::vector<std::uint16_t> count(side.columns);
    std::vector<std::uint32_t> alive;
    std::vector<char> mine(side.nodes, 0);
    for (std::size_t row = begin; row < end; ++row) {
      if (row % side.every != 0) continue;
      by_level.make(side, row, levels, likely);
      const std::span<const Length> near = side.near.subspan(row * side.nodes, side.nodes);
      for (std::size_t level = side.apart; level < levels; level += side.apart) {
        const std::span<const std::uint32_t> nodes = by_level.at(level);
        find_room(side, row, level, 0, room_at_all);
        std::fill(count.begin(), count.end(), std::uint16_t{0});
        Length at = kFar;
        const std::size_t first = std::min(kLook, nodes.size());
        for (const std::uint32_t v : nodes.first(first)) {
          if (near[v] != at) find_room(side, row, level, at = near[v], room);
          count_in(&side.far_by_node[v * side.columns], room.data(), side.columns, count.data());
        }
        // Most cuts are of many nodes, which a few of them show; the rest is counted for the others alone.
        alive.clear();
        for (std::uint32_t c = 0; c < side.columns; ++c) {
          if (room_at_all[c] != 0 && count[c] <= 1) alive.push_back(c);
        }
        for (std::size_t i = first; i < nodes.size() && !alive.empty(); ++i) {
          const std::uint32_t v = nodes[i];
          if (near[v] != at) find_room(side, row, level, at = near[v], room);
          const Length* far = &side.far_by_node[v * side.columns];
          for (const std::uint32_t c : alive) {
            count[c] = static_cast<std::uint16_t>(count[c] + (far[c] < room[c] ? 1 : 0));
          }
          if (i % kLook == 0) std::erase_if(alive, [&](std::uint32_t c) { return count[c] > 1; });
        }
        std::erase_if(alive, [&](std::uint32_t c) { return count[c] != 1; });
        if (alive.empty()) continue;
        at = kFar;
        for (const std::uint32_t v : nodes) {
          if (mine[v]) continue;
          if (near[v] != at) find_room(side, row, level, at = near[v], room);
          const Length* far = &side.far_by_node[v * side.columns];
          bool alone = false;
          for (const std::uint32_t c : alive) alone = alone || far[c] < room[c];
          if (alone) mine[v] = 1;
        }
      }
    }
    const std::lock_guard lock(mutex);
    for (std::size_t v = 0; v < side.nodes; ++v) required[v] |= mine[v];
  });
}

/// Cuts without required nodes, each once: members of cut i are nodes[first[i]] to nodes[first[i + 1] - 1], ascending.
struct Cuts {
  std::vector<std::uint32_t> first{0}, nodes;

  [[nodiscard]] std::size_t size() const { return first.size() - 1; }
  [[nodiscard]] std::span<const std::uint32_t> at(std::size_t cut) const {
    return {nodes.data() + first[cut], first[cut + 1] - first[cut]};
  }
};

/// Cuts of more nodes than this say too little to be kept.
constexpr std::uint16_t kMostNodes = 40;

/// A number for each node, so that sums of them tell sets apart (SplitMix64).
std::uint64_t mark_of(std::uint32_t node) {
  std::uint64_t z = (node + 1) * 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

using KnownCuts = std::unordered_map<std::uint64_t, std::vector<std::uint32_t>>;

/// Finds the cuts of a row that no required node is in.
class CutFinder {
 public:
  CutFinder(const Side& side, const std::vector<char>& required)
      : side_(side),
        required_(required),
        levels_(longest_of(side)),
        room_(side.columns),
        count_(side.columns),
        sum_(side.columns) {}

  void add_row(std::size_t row, KnownCuts& known) {
    by_level_.make(side_, row, levels_, {});
    near_ = side_.near.subspan(row * side_.nodes, side_.nodes);
    for (std::size_t level = side_.apart; level < levels_; level += side_.apart) add_level(row, level, known);
  }

 private:
  void add_level(std::size_t row, std::size_t level, KnownCuts& known) {
    const std::span<const std::uint32_t> nodes = by_level_.at(level);
    find_room(side_, row, level, 0, room_);
    alive_.clear();
    for (std::uint32_t c = 0; c < side_.columns; ++c) {
      count_[c] = 0;
      sum_[c] = 0;
      if (room_[c] != 0) alive_.push_back(c);
    }
    Length at = kFar;
    const auto far_of = [&](std::uint32_t v) {
      if (near_[v] != at) find_room(side_, row, level, at = near_[v], room_);
      return &side_.far_by_node[v * side_.columns];
    };
    for (const std::uint32_t v : nodes) {
      if (!required_[v]) continue;
      const Length* far = far_of(v);
      std::erase_if(alive_, [&](std::uint32_t c) { return far[c] < room_[c]; });
    }
    std::size_t looked = 0;
    for (const std::uint32_t v : nodes) {
      if (alive_.empty()) return;
      if (required_[v]) continue;
      const Length* far = far_of(v);
      const std::uint64_t mark = mark_of(v);
      for (const std::uint32_t c : alive_) {
        const bool in = far[c] < room_[c];
        count_[c] = static_cast<std::uint16_t>(count_[c] + (in ? 1 : 0));
        sum_[c] += in ? mark : 0;
      }
      if (++looked % 16 == 0) std::erase_if(alive_, [&](std::uint32_t c) { return count_[c] > kMostNodes; });
    }
    for (const std::uint32_t c : alive_) {
      if (count_[c] == 0 || count_[c] > kMostNodes) continue;
      const auto [entry, fresh] = known.try_emplace(sum_[c]);
      if (!fresh) continue;
      for (const std::uint32_t v : nodes) {
        if (far_of(v)[c] < room_[c]) entry->second.push_back(v);
      }
    }
  }

  const Side& side_;
  const std::vector<char>& required_;
  std::size_t levels_;
  Levels by_level_;
  std::span<const Length> near_;
  std::vector<Length> room_;
  std::vector<std::uint16_t> count_;
  std::vector<std::uint64_t> sum_;
  std::vector<std::uint32_t> alive_;
};

/// All cuts of both sides of all layers, smallest first.
Cuts find_cuts(const Problem& problem, const std::vector<char>& required) {
  KnownCuts known;
  std::mutex mutex;
  for (const PlacedLayer& layer : problem.layers) {
    for (const bool from_sources : {true, false}) {
      const Side side = side_of(problem, layer, from_sources);
      parallel_for(side.rows, 8, [&](std::size_t begin, std::size_t end) {
        CutFinder finder(side, required);
        KnownCuts mine;
        for (std::size_t row = begin; row < end; ++row) {
          if (row % side.every == 0) finder.add_row(row, mine);
        }
        const std::lock_guard lock(mutex);
        known.merge(mine);
      });
    }
  }
  std::vector<std::vector<std::uint32_t>> sorted;
  sorted.reserve(known.size());
  for (auto& [sum, nodes] : known) {
    std::sort(nodes.begin(), nodes.end());
    sorted.push_back(std::move(nodes));
  }
  std::sort(sorted.begin(), sorted.end(),
            [](const auto& a, const auto& b) { return a.size() != b.size() ? a.size() < b.size() : a < b; });
  Cuts cuts;
  for (const auto& nodes : sorted) {
    cuts.nodes.insert(cuts.nodes.end(), nodes.begin(), nodes.end());
    cuts.first.push_back(static_cast<std::uint32_t>(cuts.nodes.size()));
  }
  return cuts;
}

/// How many cuts, smallest first, share no node.
double disjoint_cuts(const Cuts& cuts, std::size_t nodes) {
  std::vector<char> taken(nodes, 0);
  double found = 0;
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    const auto members = cuts.at(i);
    if (std::any_of(members.begin(), members.end(), [&](std::uint32_t v) { return taken[v] != 0; })) continue;
    for (const std::uint32_t v : members) taken[v] = 1;
    ++found;
  }
  return found;
}

/// Weighs cuts so that no node is in cuts of more than 1 in all, for as large a sum as it finds: nodes get dearer with
/// every cut they are in, and it is always the cheapest cut that gets more (Garg and Könemann 2007).
double weighed_cuts(const Cuts& cuts, std::size_t nodes) {
  constexpr double kStep = 0.05;
  constexpr double kEnd = 1e6;  // a node this many times dearer than at first ends it
  std::vector<double> price(nodes, 1), load(nodes, 0);
  using Entry = std::pair<double, std::uint32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> cheapest;
  for (std::uint32_t i = 0; i < cuts.size(); ++i) cheapest.emplace(static_cast<double>(cuts.at(i).size()), i);
  double sum = 0, most = 0, best = 0;
  while (!cheapest.empty()) {
    const auto [told, cut] = cheapest.top();
    cheapest.pop();
    double now = 0, dearest = 0;
    for (const std::uint32_t v : cuts.at(cut)) {
      now += price[v];
      dearest = std::max(dearest, price[v]);
    }
    if (dearest > kEnd) break;
    if (now > told * (1 + kStep)) {
      cheapest.emplace(now, cut);
      continue;
    }
    sum += 1;
    for (const std::uint32_t v : cuts.at(cut)) {
      price[v] *= 1 + kStep;
      most = std::max(most, ++load[v]);
    }
    best = std::max(best, sum / most);
    cheapest.emplace(now * (1 + kStep), cut);
  }
  return best;
}

}  // namespace

std::vector<char> required_nodes(const Problem& problem, const std::vector<char>& likely) {
  std::vector<char> required(problem.field.size(), 0);
  for (const std::uint32_t key : problem.keys) required[key] = 1;
  for (const PlacedLayer& layer : problem.layers) {
    mark_required(side_of(problem, layer, true), likely, required);
    mark_required(side_of(problem, layer, false), likely, required);
  }
  return required;
}

double lower_bound(const Problem& problem, const std::vector<char>& required) {
  const Cuts cuts = find_cuts(problem, required);
  const double rest = std::max(disjoint_cuts(cuts, problem.field.size()), weighed_cuts(cuts, problem.field.size()));
  return static_cast<double>(std::count(required.begin(), required.end(), 1)) + rest;
}

}  // namespace loom::graph::detail
