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

namespace loom::graph {
namespace {

constexpr int kMostRounds = 5;        ///< of making what few ways need dearer
constexpr int kSettling = 2;          ///< rounds of asking again
constexpr int kOrders = 1;            ///< in which ends reuse what others need
constexpr std::size_t kBatches = 12;  ///< of ends that reuse together
constexpr double kDropped = 0.35;     ///< share of the mixed nodes, those that fewest ways need, made dearer in a round
constexpr double kWorthwhile = 0.995;  ///< a round that leaves more than this of what there was is the last but one

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

/// What some ends, told by their numbers among all, need together to reach all.
Result<Usage> usage_of(const WayGraph& graph, const Crossings& crossings, const Penalty& penalty,
                       std::span<const std::uint32_t> some, const Progress& progress) {
  const Overlay overlay = crossings.overlay(penalty);
  const WayGraph& ends_alone = overlay.graph;
  std::vector<std::uint32_t> ends(ends_alone.nodes);
  std::iota(ends.begin(), ends.end(), 0u);
  if (some.empty()) some = ends;
  Usage needed(ends_alone.nodes, ends_alone.targets.size());
  std::mutex adding;
  SharedProgress shared(progress, std::max<std::size_t>(1, some.size()), "finding shortest ways");
  const std::size_t grain = std::max<std::size_t>(1, some.size() / (4 * thread_count()) + 1);
  parallel_for(some.size(), grain, [&](std::size_t begin, std::size_t end) {
    WaySearch search(ends_alone);
    TreeReader reader(ends_alone.nodes);
    Usage mine(ends_alone.nodes, ends_alone.targets.size());
    for (std::size_t e = begin; e < end && shared.goes_on(); ++e) {
      search.run(some[e]);
      reader.add(search, ends, mine);
      shared.one_done();
    }
    const std::scoped_lock lock(adding);
    needed.add(mine);
  });
  if (!shared.goes_on()) return fail_as(ErrorKind::kStopped, "stopped while finding shortest ways");
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
  std::vector<std::uint32_t> ends;
};

Part part_needed(const WayGraph& graph, std::span<const std::uint32_t> ends, const Needed& needed) {
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

std::vector<std::uint32_t> ascending(std::span<const std::uint32_t> ends) {
  std::vector<std::uint32_t> sorted(ends.begin(), ends.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

std::uint32_t sixteenths(double lambda) { return to_whole<std::uint32_t>(std::round(16 * lambda)); }

/// Looks for the smallest part of a graph in which no way costs more than lambda times the shortest. Whatever is tried,
/// every end is asked again at last with what is kept held fast, so that the bound holds.
class Shrinking {
 public:
  Shrinking(const Part& part, double lambda)
      : part_(part), crossings_(part.graph, part.ends), factor_(sixteenths(lambda)) {}

  Result<Needed> run(const Progress& progress) {
    if (const auto done = drop_the_rarest(part_of(progress, 0, 0.5)); !done) return fail_from(done);
    for (int attempt = 0; attempt < kOrders; ++attempt) {
      const double from = 0.5 + 0.5 * attempt / kOrders;
      if (const auto done = reuse(attempt, part_of(progress, from, from + 0.5 / kOrders)); !done)
        return fail_from(done);
    }
    return std::move(best_);
  }

 private:
  Result<Usage> ask(std::span<const std::uint8_t> kept, std::span<const std::uint32_t> some, const Progress& progress) {
    return usage_of(part_.graph, crossings_, {kept, factor_}, some, progress);
  }

  /// Whether what is needed now is the least so far.
  bool take(const Usage& usage) {
    Needed needed = needed_by(usage, part_.ends);
    const std::size_t count = needed.node_count();
    if (fewest_ != 0 && count >= fewest_) return false;
    fewest_ = count;
    best_ = std::move(needed);
    return true;
  }

  /// Asks all ends again with only what is needed kept, as long as that makes it less.
  Result<void> settle(Usage usage, const Progress& progress) {
    for (int round = 0; round < kSettling; ++round) {
      const bool less = take(usage);
      if (!less && round > 0) break;
      auto again = ask(needed_by(usage, part_.ends).nodes, {}, progress);
      if (!again) return fail_from(again);
      usage = std::move(*again);
    }
    take(usage);
    return {};
  }

  /// Makes what few ways need dearer for all, again and again.
  Result<void> drop_the_rarest(const Progress& progress) {
    auto usage = ask({}, {}, part_of(progress, 0, 0.1));
    if (!usage) return fail_from(usage);
    take(*usage);
    int worse = 0;
    for (int round = 0; round < kMostRounds && worse < 2; ++round) {
      const double from = 0.1 + 0.9 * round / kMostRounds;
      usage = ask(without_the_rarest(*usage, part_.ends), {}, part_of(progress, from, from + 0.9 / kMostRounds));
      if (!usage) return fail_from(usage);
      const auto before = static_cast<double>(fewest_);
      take(*usage);
      worse = static_cast<double>(fewest_) > kWorthwhile * before ? worse + 1 : 0;
    }
    return settle(std::move(*usage), progress);
  }

  /// The work's own way (§4.1.4), in batches: ends one after the other, each reusing what those before it need. The
  /// order is spread evenly over the ends; `attempt` gives another.
  Result<void> reuse(int attempt, const Progress& progress) {
    const std::size_t count = part_.ends.size();
    std::vector<std::uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0u);
    Random random(static_cast<std::uint64_t>(attempt) + 1);
    for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[random.index(i)]);
    std::vector<std::uint8_t> kept(part_.graph.nodes, 0);
    for (const std::uint32_t end : part_.ends) kept[end] = 1;
    const std::size_t batch = (count + kBatches - 1) / kBatches;
    for (std::size_t at = 0; at < count; at += batch) {
      const auto some = std::span(order).subspan(at, std::min(batch, count - at));
      auto usage = ask(kept, some, part_of(progress, 0, 0));
      if (!usage) return fail_from(usage);
      for (std::size_t n = 0; n < kept.size(); ++n) kept[n] = kept[n] != 0 || usage->nodes[n] > 0 ? 1 : 0;
    }
    auto usage = ask(kept, {}, progress);
    if (!usage) return fail_from(usage);
    return settle(std::move(*usage), progress);
  }

  const Part& part_;
  Crossings crossings_;
  std::uint32_t factor_;
  Needed best_;
  std::size_t fewest_ = 0;  ///< nodes; 0: nothing was tried yet
};

}  // namespace

std::size_t Needed::node_count() const {
  return static_cast<std::size_t>(std::count(nodes.begin(), nodes.end(), std::uint8_t{1}));
}

Result<Needed> union_of_trees(const WayGraph& graph, std::span<const std::uint32_t> ends, const Progress& progress) {
  const std::vector<std::uint32_t> sorted = ascending(ends);
  const auto usage = usage_of(graph, Crossings(graph, sorted), {}, {}, progress);
  if (!usage) return fail_from(usage);
  return needed_by(*usage, sorted);
}

Result<Needed> reduce(const WayGraph& graph, std::span<const std::uint32_t> ends, double lambda,
                      const Progress& progress) {
  const bool optimal = lambda <= 1;
  const auto whole = union_of_trees(graph, ends, part_of(progress, 0, optimal ? 1 : 0.7));
  if (!whole || optimal) return whole;
  // All shortest ways are in the part that is needed for them, so that what follows never has to look outside.
  const Part part = part_needed(graph, ascending(ends), *whole);
  auto smaller = Shrinking(part, lambda).run(part_of(progress, 0.7, 1, "making the graph smaller"));
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
