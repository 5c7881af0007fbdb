// SPDX-License-Identifier: MIT
#include <algorithm>
#include <queue>

#include <loom/base/parallel.h>
#include <loom/graph/select/detail/steiner.h>

namespace loom::graph::detail {
namespace {

/// The best that going by a node can do: its cost a terminal, over how many of the nearest.
struct Offer {
  double density = 0;
  std::uint32_t node = 0;
  std::uint32_t terminals = 0;

  bool operator<(const Offer& other) const {  // a heap's top is its largest: the cheapest here
    return density != other.density ? density > other.density : node > other.node;
  }
};

/// One tree: from `root` along `steps` to all `terminals`.
class Tree {
 public:
  Tree(const Steps& steps, const Steps& back, std::uint32_t root, std::vector<std::uint32_t> terminals)
      : steps_(steps),
        terminals_(std::move(terminals)),
        nodes_(steps.first.size() - 1),
        covered_(terminals_.size(), 0) {
    from_root_.resize(nodes_);
    before_.resize(nodes_);
    LengthSearch().run(steps, {}, {&root, 1}, kFar - 1, from_root_, before_);
    to_.resize(terminals_.size() * nodes_);
    parallel_for(terminals_.size(), 8, [&](std::size_t begin, std::size_t end) {
      LengthSearch search;
      for (std::size_t t = begin; t < end; ++t) {
        search.run(back, {}, {&terminals_[t], 1}, kFar - 1, {to_.data() + t * nodes_, nodes_});
      }
    });
  }

  void grow(std::vector<char>& in) {
    std::size_t left = terminals_.size();
    std::priority_queue<Offer> offers;
    for (std::uint32_t n = 0; n < nodes_; ++n) {
      if (const Offer offer = best_offer(n); offer.terminals > 0) offers.push(offer);
    }
    // An offer only gets dearer as terminals are covered: the first that is still what it was is the best.
    while (left > 0 && !offers.empty()) {
      const Offer stale = offers.top();
      offers.pop();
      const Offer offer = best_offer(stale.node);
      if (offer.terminals == 0) continue;
      if (offer.density > stale.density) {
        offers.push(offer);
        continue;
      }
      for (std::uint32_t n = offer.node; !in[n]; n = before_[n]) in[n] = 1;
      for (std::uint32_t i = 0; i < offer.terminals; ++i, --left) {
        const std::uint32_t t = nearest_[i].second;
        covered_[t] = 1;
        walk_to(offer.node, t, in);
      }
      offers.push(best_offer(offer.node));
    }
  }

 private:
  Offer best_offer(std::uint32_t node) {
    Offer best{0, node, 0};
    if (from_root_[node] == kFar) return best;
    nearest_.clear();
    for (std::uint32_t t = 0; t < terminals_.size(); ++t) {
      const Length length = to_[t * nodes_ + node];
      if (!covered_[t] && length != kFar) nearest_.emplace_back(length, t);
    }
    std::sort(nearest_.begin(), nearest_.end());
    double cost = from_root_[node];
    for (std::uint32_t i = 0; i < nearest_.size(); ++i) {
      cost += nearest_[i].first;
      const double density = cost / (i + 1.0);
      if (best.terminals == 0 || density < best.density) best = {density, node, i + 1};
    }
    return best;
  }

  /// Marks the nodes of a shortest way, each time the first step that gets nearer.
  void walk_to(std::uint32_t node, std::uint32_t t, std::vector<char>& in) const {
    const Length* left = to_.data() + t * nodes_;
    for (; left[node] > 0;) {
      for (std::uint32_t e = steps_.first[node]; e < steps_.first[node + 1]; ++e) {
        if (left[steps_.to[e]] + 1 != left[node]) continue;
        node = steps_.to[e];
        break;
      }
      in[node] = 1;
    }
  }

  const Steps& steps_;
  std::vector<std::uint32_t> terminals_;
  std::size_t nodes_;
  std::vector<char> covered_;
  std::vector<Length> from_root_, to_;
  std::vector<std::uint32_t> before_;
  std::vector<std::pair<Length, std::uint32_t>> nearest_;
};

}  // namespace

std::vector<std::uint32_t> steiner_nodes(const Field& field, const std::vector<std::uint32_t>& keys) {
  std::vector<char> in(field.size(), 0);
  for (const std::uint32_t key : keys) in[key] = 1;
  const std::uint32_t root = keys.front();
  const std::vector<std::uint32_t> others(keys.begin() + 1, keys.end());
  // A tree marks its own nodes: the other's would end its walks to the root too early.
  for (const bool there : {true, false}) {
    std::vector<char> tree(field.size(), 0);
    tree[root] = 1;
    const Steps& steps = there ? field.forward : field.backward;
    Tree(steps, there ? field.backward : field.forward, root, others).grow(tree);
    for (std::size_t n = 0; n < in.size(); ++n) in[n] |= tree[n];
  }
  std::vector<std::uint32_t> nodes;
  for (std::uint32_t n = 0; n < in.size(); ++n) {
    if (in[n]) nodes.push_back(n);
  }
  return nodes;
}

}  // namespace loom::graph::detail
