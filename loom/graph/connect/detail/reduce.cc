// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <mutex>
#include <numeric>

#include <loom/base/parallel.h>
#include <loom/base/progress_part.h>
#include <loom/base/random.h>
#include <loom/base/shared_progress.h>
#include <loom/base/whole.h>
#include <loom/graph/connect/detail/crossings.h>
#include <loom/graph/connect/detail/reduce.h>
#include <loom/graph/connect/detail/way_trees.h>
#include <loom/graph/connect/tree_engine.h>

namespace loom::graph {
namespace {

constexpr std::size_t kScattered = 255;   ///< ends that come first, from all over; those after them come in blocks
constexpr std::size_t kMostOrders = 8;    ///< in which ends reuse what others need
constexpr std::size_t kEndsTried = 4000;  ///< in all these orders together, where there are so many ends
constexpr double kDropped = 0.1;  ///< share of the mixed nodes, those that fewest ways need, made dearer at last

/// Adds what the tree of a search needs to reach `ends`.
class TreeReader {
 public:
  explicit TreeReader(std::size_t nodes) : seen_(nodes, 0) {}

  void add(const WaySearch& search, std::span<const std::uint32_t> ends, Usage& usage) {
    ++tree_;
    for (const std::uint32_t end : ends) {
      if (search.cost(end) == kNoWay) continue;
      for (std::uint32_t node = end; seen_[node] != tree_; node = search.before(node)) {
        seen_[node] = tree_;
        ++usage.nodes[node];
        const std::uint32_t by = search.came_by(node);
        if (by == kNoWay) break;
        if (by != kWentOn) ++usage.ways[by];
      }
    }
  }

 private:
  std::vector<std::uint32_t> seen_;  ///< the last tree that needed each node
  std::uint32_t tree_ = 0;
};

/// Where searches stop and begin again: the ends, and the gates between lattices.
struct Stops {
  Stops(std::size_t node_count, std::span<const std::uint32_t> of_ends, std::span<const std::uint32_t> gates) {
    std::vector<std::uint8_t> kind(node_count, 0);
    for (const std::uint32_t gate : gates) kind[gate] = 1;
    for (const std::uint32_t end : of_ends) kind[end] = 2;
    for (std::uint32_t n = 0; n < node_count; ++n) {
      if (kind[n] == 0) continue;
      if (kind[n] == 2) ends.push_back(static_cast<std::uint32_t>(nodes.size()));
      nodes.push_back(n);
      is_end.push_back(kind[n] == 2 ? 1 : 0);
    }
  }

  std::vector<std::uint32_t> nodes;  ///< ascending
  std::vector<std::uint8_t> is_end;  ///< of each
  std::vector<std::uint32_t> ends;   ///< their numbers among the stops
};

/// Grows the trees of `sources`, ascending, on all cores and adds what they need.
Result<void> grow_trees(const WayGraph& graph, const WaysInto& into, std::span<const std::uint8_t> wanted,
                        std::span<const std::uint32_t> sources, Usage& needed, const Progress& progress) {
  std::mutex adding;
  const std::size_t bundles = (sources.size() + WayTrees::kAtOnce - 1) / WayTrees::kAtOnce;
  SharedProgress shared(progress, std::max<std::size_t>(1, bundles), "finding shortest ways");
  const std::size_t grain = bundles / (4 * thread_count()) + 1;
  parallel_for(bundles, grain, [&](std::size_t begin, std::size_t end) {
    WayTrees trees(graph, into, wanted);
    Usage mine(graph.nodes, graph.targets.size());
    for (std::size_t b = begin; b < end && shared.goes_on(); ++b) {
      const std::size_t first = b * WayTrees::kAtOnce;
      trees.run(sources.subspan(first, std::min(WayTrees::kAtOnce, sources.size() - first)));
      trees.add_to(mine);
      shared.one_done();
    }
    const std::scoped_lock lock(adding);
    needed.add(mine);
  });
  if (!shared.goes_on()) return fail_as(ErrorKind::kStopped, "stopped while finding shortest ways");
  return {};
}

/// What some ends, told by their numbers among all stops, need together to reach all ends; none given: all of them.
Result<Usage> usage_of(const WayGraph& graph, const Stops& stops, Crossings& crossings, const Penalty& penalty,
                       std::span<const std::uint32_t> some, const Progress& progress, TreeEngine* engine) {
  const Overlay overlay = crossings.overlay(penalty);
  const WayGraph& stops_alone = overlay.graph;
  if (some.empty()) some = stops.ends;
  std::vector<std::uint32_t> sources(some.begin(), some.end());
  std::sort(sources.begin(), sources.end());
  const WaysInto into(stops_alone);
  Usage needed(stops_alone.nodes, stops_alone.targets.size());
  Result<bool> grown = false;
  if (engine != nullptr) grown = engine->add_usage(stops_alone, into, stops.is_end, sources, needed);
  if (!grown) return fail_from(grown);
  if (!*grown) {
    if (auto done = grow_trees(stops_alone, into, stops.is_end, sources, needed, progress); !done) {
      return fail_from(done);
    }
  }
  Usage usage(graph.nodes, graph.targets.size());
  crossings.add_usage(overlay, needed, penalty, usage);
  return usage;
}

Needed needed_by(const Usage& usage, std::span<const std::uint32_t> ends) {
  Needed needed{std::vector<std::uint8_t>(usage.nodes.size()), std::vector<std::uint8_t>(usage.ways.size())};
  for (std::size_t n = 0; n < usage.nodes.size(); ++n) needed.nodes[n] = usage.nodes[n] > 0 ? 1 : 0;
  for (std::size_t w = 0; w < usage.ways.size(); ++w) needed.ways[w] = usage.ways[w] > 0 ? 1 : 0;
  for (const std::uint32_t end : ends) needed.nodes[end] = 1;
  return needed;
}

/// The needed part of a graph, and which node and way of the whole each of its own is.
struct Part {
  WayGraph graph;
  std::vector<std::uint32_t> node_of, way_of;  ///< in the whole
  std::vector<std::uint32_t> ends, gates;
};

Part part_needed(const WayGraph& graph, std::span<const std::uint32_t> ends, std::span<const std::uint32_t> gates,
                 const Needed& needed) {
  Part part;
  std::vector<std::uint32_t> number(graph.nodes, kNoWay);
  for (std::uint32_t n = 0; n < graph.nodes; ++n) {
    if (needed.nodes[n] == 0) continue;
    number[n] = static_cast<std::uint32_t>(part.node_of.size());
    part.node_of.push_back(n);
  }
  part.graph.nodes = static_cast<std::uint32_t>(part.node_of.size());
  part.graph.first.push_back(0);
  for (const std::uint32_t n : part.node_of) {
    part.graph.goes_on.push_back(graph.goes_on[n] != 0 && needed.nodes[n + 1] != 0 ? 1 : 0);
    for (std::uint32_t w = graph.first[n]; w < graph.first[n + 1]; ++w) {
      if (needed.ways[w] == 0) continue;
      part.way_of.push_back(w);
      part.graph.sources.push_back(number[n]);
      part.graph.targets.push_back(number[graph.targets[w]]);
      part.graph.costs.push_back(graph.costs[w]);
    }
    part.graph.first.push_back(static_cast<std::uint32_t>(part.way_of.size()));
  }
  for (const std::uint32_t end : ends) part.ends.push_back(number[end]);
  for (const std::uint32_t gate : gates) {
    if (number[gate] != kNoWay) part.gates.push_back(number[gate]);
  }
  return part;
}

/// Puts what is needed of a part back into the whole.
Needed of_whole(const WayGraph& whole, const Part& part, const Needed& needed) {
  Needed all{std::vector<std::uint8_t>(whole.nodes), std::vector<std::uint8_t>(whole.targets.size())};
  for (std::size_t n = 0; n < part.node_of.size(); ++n) all.nodes[part.node_of[n]] = needed.nodes[n];
  for (std::size_t w = 0; w < part.way_of.size(); ++w) all.ways[part.way_of[w]] = needed.ways[w];
  return all;
}

/// Of the nodes that are needed all but the least so.
std::vector<std::uint8_t> without_the_rarest(const Usage& usage, std::span<const std::uint32_t> ends) {
  std::vector<std::uint8_t> kept(usage.nodes.size(), 0);
  std::vector<std::uint8_t> is_end(usage.nodes.size(), 0);
  for (const std::uint32_t end : ends) is_end[end] = 1;
  std::vector<std::uint32_t> counts;
  for (std::size_t n = 0; n < usage.nodes.size(); ++n) {
    if (is_end[n] == 0 && usage.nodes[n] > 0) counts.push_back(usage.nodes[n]);
  }
  std::uint32_t least = 0;
  if (!counts.empty()) {
    const auto at = counts.begin() + to_whole<std::ptrdiff_t>(kDropped * static_cast<double>(counts.size()));
    std::nth_element(counts.begin(), at, counts.end());
    least = *at;
  }
  for (std::size_t n = 0; n < usage.nodes.size(); ++n) {
    kept[n] = is_end[n] != 0 || (usage.nodes[n] > 0 && usage.nodes[n] > least) ? 1 : 0;
  }
  return kept;
}

std::uint32_t sixteenths(double lambda) { return to_whole<std::uint32_t>(std::round(16 * lambda)); }

/// Looks for the smallest part of a graph in which no way costs more than lambda times the shortest. Whatever is tried,
/// every end is asked again at last with what is kept held fast, so that the bound holds.
class Shrinking {
 public:
  Shrinking(const Part& part, double lambda, TreeEngine* engine)
      : part_(part),
        stops_(part.graph.nodes, part.ends, part.gates),
        crossings_(part.graph, stops_.nodes),
        factor_(sixteenths(lambda)),
        engine_(engine) {}

  Result<Needed> run(const Progress& progress) {
    const std::size_t orders = std::clamp<std::size_t>(kEndsTried / part_.ends.size(), 1, kMostOrders);
    for (std::size_t order = 0; order < orders; ++order) {
      const double from = static_cast<double>(order) / static_cast<double>(orders);
      const Progress part = part_of(progress, from, from + 1 / static_cast<double>(orders));
      if (const auto done = reuse(order, part); !done) return fail_from(done);
    }
    return std::move(best_);
  }

 private:
  Result<Usage> ask(std::span<const std::uint8_t> kept, std::span<const std::uint32_t> some, const Progress& progress) {
    return usage_of(part_.graph, stops_, crossings_, {kept, factor_}, some, progress, engine_);
  }

  /// Remembers what is needed where it is the least so far.
  void take(const Usage& usage) {
    Needed needed = needed_by(usage, part_.ends);
    const std::size_t count = needed.node_count();
    if (fewest_ != 0 && count >= fewest_) return;
    fewest_ = count;
    best_ = std::move(needed);
  }

  /// An order of the ends, told by their numbers: some from all over, then blocks of such as follow each other, which
  /// are searched from together (WayTrees).
  [[nodiscard]] std::vector<std::uint32_t> order_of(std::uint64_t seed) const {
    const std::size_t count = part_.ends.size();
    Random random(seed);
    const auto shuffle = [&](std::vector<std::uint32_t>& some) {
      for (std::size_t i = some.size(); i > 1; --i) std::swap(some[i - 1], some[random.index(i)]);
    };
    std::vector<std::uint32_t> order = stops_.ends;
    shuffle(order);
    if (count <= kScattered) return order;
    const std::vector<std::uint32_t> rest = [&] {
      std::vector<std::uint32_t> sorted(order.begin() + kScattered, order.end());
      std::sort(sorted.begin(), sorted.end());
      return sorted;
    }();
    order.resize(kScattered);
    std::vector<std::uint32_t> blocks((rest.size() + WayTrees::kAtOnce - 1) / WayTrees::kAtOnce);
    std::iota(blocks.begin(), blocks.end(), 0u);
    shuffle(blocks);
    for (const std::uint32_t block : blocks) {
      const std::size_t begin = block * WayTrees::kAtOnce, end = std::min(rest.size(), begin + WayTrees::kAtOnce);
      order.insert(order.end(), rest.begin() + static_cast<std::ptrdiff_t>(begin),
                   rest.begin() + static_cast<std::ptrdiff_t>(end));
    }
    return order;
  }

  /// The work's own way (§4.1.4), in batches: first one end, then twice as many each time, and each batch reuses what
  /// those before it need. Nearly all that is reused the first few have brought in.
  Result<void> reuse(std::size_t attempt, const Progress& progress) {
    const std::vector<std::uint32_t> order = order_of(attempt + 1);
    std::vector<std::uint8_t> kept(part_.graph.nodes, 0);
    for (const std::uint32_t end : part_.ends) kept[end] = 1;
    for (std::size_t at = 0, batch = 1; at < order.size(); at += batch, batch *= 2) {
      const auto some = std::span(order).subspan(at, std::min(batch, order.size() - at));
      const double from = 0.4 * static_cast<double>(at) / static_cast<double>(order.size());
      const double to = 0.4 * static_cast<double>(at + some.size()) / static_cast<double>(order.size());
      const auto usage = ask(kept, some, part_of(progress, from, to));
      if (!usage) return fail_from(usage);
      for (std::size_t n = 0; n < kept.size(); ++n) kept[n] = kept[n] != 0 || usage->nodes[n] > 0 ? 1 : 0;
    }
    auto usage = ask(kept, {}, part_of(progress, 0.4, 0.7));
    if (!usage) return fail_from(usage);
    take(*usage);
    usage = ask(without_the_rarest(*usage, part_.ends), {}, part_of(progress, 0.7, 1));
    if (!usage) return fail_from(usage);
    take(*usage);
    return {};
  }

  const Part& part_;
  Stops stops_;
  Crossings crossings_;
  std::uint32_t factor_;
  TreeEngine* engine_;
  Needed best_;
  std::size_t fewest_ = 0;  ///< nodes; 0: nothing was tried yet
};

}  // namespace

std::size_t Needed::node_count() const {
  return static_cast<std::size_t>(std::count(nodes.begin(), nodes.end(), std::uint8_t{1}));
}

Result<Needed> union_of_trees(const WayGraph& graph, std::span<const std::uint32_t> ends, const Progress& progress,
                              std::span<const std::uint32_t> gates, TreeEngine* engine) {
  const Stops stops(graph.nodes, ends, gates);
  Crossings crossings(graph, stops.nodes);
  const auto usage = usage_of(graph, stops, crossings, {}, {}, progress, engine);
  if (!usage) return fail_from(usage);
  return needed_by(*usage, ends);
}

Result<Needed> reduce(const WayGraph& graph, std::span<const std::uint32_t> ends, double lambda,
                      const Progress& progress, std::span<const std::uint32_t> gates, TreeEngine* engine) {
  const bool optimal = lambda <= 1;
  const auto whole = union_of_trees(graph, ends, part_of(progress, 0, optimal ? 1 : 0.4), gates, engine);
  if (!whole || optimal) return whole;
  // All shortest ways are in the part that is needed for them, so that what follows never has to look outside.
  const Part part = part_needed(graph, ends, gates, *whole);
  auto smaller = Shrinking(part, lambda, engine).run(part_of(progress, 0.4, 1, "making the graph smaller"));
  if (!smaller) return fail_from(smaller);
  return of_whole(graph, part, *smaller);
}

Needed reduce_in_order(const WayGraph& graph, std::span<const std::uint32_t> ends, double lambda) {
  Usage usage(graph.nodes, graph.targets.size());
  std::vector<std::uint8_t> kept(graph.nodes, 0);
  for (const std::uint32_t end : ends) kept[end] = 1;
  WaySearch search(graph);
  TreeReader reader(graph.nodes);
  for (const std::uint32_t end : ends) {
    search.run(end, kept, sixteenths(lambda));
    reader.add(search, ends, usage);
    for (std::size_t n = 0; n < usage.nodes.size(); ++n) kept[n] = kept[n] != 0 || usage.nodes[n] > 0 ? 1 : 0;
  }
  return needed_by(usage, ends);
}

}  // namespace loom::graph
