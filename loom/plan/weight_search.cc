// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numeric>

#include <loom/base/random.h>
#include <loom/base/whole.h>
#include <loom/plan/weight_search.h>

namespace loom::plan {
namespace {

constexpr std::size_t kNoNode = ~std::size_t{0};
constexpr std::size_t kInitial = 4;      ///< nodes each tree begins with, at most
constexpr double kNearObstacles = 0.4;   ///< share of samples near nodes that could not be grown
constexpr double kOutside = 0.7;         ///< share of samples among examples that `wanted` hardly uses
constexpr float kLeastShare = 0.5f;      ///< of the weight that a sampled example gets (Huang 2012 §6.4.2)
constexpr std::size_t kFailedOften = 3;  ///< from how many failures on a node counts as near an obstacle

struct TreeNode {
  WeightNode at;
  std::size_t parent = kNoNode;
  bool tested = false;  ///< the edge to the parent is free in full
  bool cut = false;     ///< an edge between it and its root is not free
  std::size_t failures = 0;
};

/// A tree that grows one way in time.
struct Tree {
  std::vector<TreeNode> nodes;
  bool forwards = true;

  [[nodiscard]] bool before(std::size_t a, std::size_t b) const { return forwards ? a < b : a > b; }
};

class Search {
 public:
  Search(std::size_t first, std::size_t last, std::span<const float> wanted, const IsFree& is_free,
         const WeightSearchOptions& options)
      : first_(first),
        last_(last),
        wanted_(wanted.begin(), wanted.end()),
        is_free_(is_free),
        options_(options),
        random_(options.seed),
        scratch_(wanted.size()) {
    ahead_.forwards = true;
    back_.forwards = false;
  }

  WeightSearch run();

 private:
  struct Way {
    std::size_t ahead = kNoNode, back = kNoNode;
  };

  bool free_at(std::size_t slice, std::span<const float> weights) {
    ++tests_;
    return is_free_(slice, weights);
  }
  /// Whether all slices strictly between two nodes are free; those in the middle are tried first.
  bool free_between(const WeightNode& from, const WeightNode& to);
  void begin();
  void seed_tree(Tree& tree, std::size_t from, std::size_t to);
  WeightNode sample();
  /// The node of a tree that is nearest in time to a slice and on the right side of it.
  std::size_t nearest(const Tree& tree, std::size_t slice);
  void grow(Tree& tree, std::size_t node, const WeightNode& towards);
  /// Tries all edges of a branch that have not been; cuts what hangs on one that is not free.
  bool test_branch(Tree& tree, std::size_t node);
  void cut_below(Tree& tree, std::size_t node);
  bool connect(std::size_t ahead, std::size_t back);
  [[nodiscard]] std::vector<WeightNode> nodes_of(const Way& way) const;
  void shorten(std::vector<WeightNode>& way);
  [[nodiscard]] WeightSearch told(std::optional<std::vector<WeightNode>> way, std::size_t expansions) const;

  std::size_t first_, last_;
  std::vector<float> wanted_;
  const IsFree& is_free_;
  const WeightSearchOptions& options_;
  Random random_;
  Tree ahead_, back_;
  Way way_;
  std::size_t blocked_first_ = 0, blocked_last_ = 0;  ///< slices at which the motion with `wanted` is not free
  std::size_t tests_ = 0;
  std::vector<float> scratch_;
};

bool Search::free_between(const WeightNode& from, const WeightNode& to) {
  const WeightNode& early = from.slice < to.slice ? from : to;
  const WeightNode& late = from.slice < to.slice ? to : from;
  std::size_t stride = 1;
  while (stride < late.slice - early.slice) stride *= 2;
  for (; stride >= 1; stride /= 2) {  // coarse to fine, every slice once
    for (std::size_t s = early.slice + stride; s < late.slice; s += 2 * stride) {
      weights_between(early, late, static_cast<double>(s), scratch_);
      if (!free_at(s, scratch_)) return false;
    }
  }
  return true;
}

void Search::seed_tree(Tree& tree, std::size_t from, std::size_t to) {
  // From the end of the action towards where it is not free; all of it is known to be.
  const auto away = static_cast<double>(to) - static_cast<double>(from);
  for (std::size_t i = 0; i < kInitial; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(kInitial - 1);
    const auto slice = to_whole<std::size_t>(std::round(static_cast<double>(from) + share * away));
    if (!tree.nodes.empty() && tree.nodes.back().at.slice == slice) continue;
    TreeNode node;
    node.at = {slice, wanted_};
    node.parent = tree.nodes.empty() ? kNoNode : tree.nodes.size() - 1;
    node.tested = true;
    tree.nodes.push_back(std::move(node));
  }
}

void Search::begin() {
  blocked_first_ = first_;
  while (blocked_first_ <= last_ && free_at(blocked_first_, wanted_)) ++blocked_first_;
  blocked_last_ = last_;
  while (blocked_last_ > blocked_first_ && free_at(blocked_last_, wanted_)) --blocked_last_;
  if (blocked_first_ > last_) return;  // free all over
  seed_tree(ahead_, first_, blocked_first_ - 1);
  seed_tree(back_, last_, blocked_last_ + 1);
}

WeightNode Search::sample() {
  std::size_t low = blocked_first_, high = blocked_last_;
  if (random_.uniform() < kNearObstacles) {
    std::vector<std::size_t> hard;
    for (const Tree* tree : {&ahead_, &back_}) {
      for (const TreeNode& node : tree->nodes) {
        if (!node.cut && node.failures >= kFailedOften) hard.push_back(node.at.slice);
      }
    }
    if (!hard.empty()) {
      const std::size_t at = hard[random_.index(hard.size())];
      low = std::max(first_ + 1, at > options_.step ? at - options_.step : 0);
      high = std::min(last_ - 1, at + options_.step);
    }
  }
  low = std::clamp(low, first_ + 1, last_ - 1);
  high = std::clamp(high, low, last_ - 1);
  WeightNode node{low + random_.index(high - low + 1), wanted_};
  std::size_t chosen = random_.index(wanted_.size());
  if (random_.uniform() < kOutside) {
    const float usual = 1 / static_cast<float>(wanted_.size());
    for (std::size_t tries = 0; tries < 8 && wanted_[chosen] > usual; ++tries) chosen = random_.index(wanted_.size());
  }
  const float share = kLeastShare + (1 - kLeastShare) * static_cast<float>(random_.uniform());
  for (float& weight : node.weights) weight *= 1 - share;
  node.weights[chosen] += share;
  return node;
}

std::size_t Search::nearest(const Tree& tree, std::size_t slice) {
  std::size_t best = kNoNode, alike = 0;
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    const TreeNode& node = tree.nodes[i];
    if (node.cut || !tree.before(node.at.slice, slice)) continue;
    if (best == kNoNode || tree.before(tree.nodes[best].at.slice, node.at.slice)) {
      best = i;
      alike = 1;
    } else if (node.at.slice == tree.nodes[best].at.slice && random_.index(++alike) == 0) {
      best = i;  // any of those at one moment, each as likely
    }
  }
  return best;
}

void Search::grow(Tree& tree, std::size_t index, const WeightNode& towards) {
  const WeightNode from = tree.nodes[index].at;
  const auto way = static_cast<std::ptrdiff_t>(towards.slice) - static_cast<std::ptrdiff_t>(from.slice);
  const auto step = static_cast<std::ptrdiff_t>(options_.step);
  const std::ptrdiff_t gone = std::clamp(way, -step, step);
  if (gone == 0) return;
  TreeNode next;
  next.at.slice = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(from.slice) + gone);
  next.at.weights.resize(wanted_.size());
  const float share = static_cast<float>(gone) / static_cast<float>(way);
  for (std::size_t i = 0; i < wanted_.size(); ++i) {
    next.at.weights[i] = from.weights[i] + share * (towards.weights[i] - from.weights[i]);
  }
  next.parent = index;
  if (!free_at(next.at.slice, next.at.weights)) {
    ++tree.nodes[index].failures;
    return;
  }
  tree.nodes.push_back(std::move(next));
}

void Search::cut_below(Tree& tree, std::size_t index) {
  tree.nodes[index].cut = true;
  for (std::size_t i = index + 1; i < tree.nodes.size(); ++i) {  // parents come before their children
    const std::size_t parent = tree.nodes[i].parent;
    if (parent != kNoNode && tree.nodes[parent].cut) tree.nodes[i].cut = true;
  }
}

bool Search::test_branch(Tree& tree, std::size_t index) {
  for (std::size_t i = index; tree.nodes[i].parent != kNoNode; i = tree.nodes[i].parent) {
    TreeNode& node = tree.nodes[i];
    if (node.tested) continue;
    if (!free_between(tree.nodes[node.parent].at, node.at)) {
      ++tree.nodes[node.parent].failures;
      cut_below(tree, i);
      return false;
    }
    node.tested = true;
  }
  return true;
}

bool Search::connect(std::size_t ahead, std::size_t back) {
  if (!free_between(ahead_.nodes[ahead].at, back_.nodes[back].at)) {
    ++ahead_.nodes[ahead].failures;
    ++back_.nodes[back].failures;
    return false;
  }
  if (!test_branch(ahead_, ahead) || !test_branch(back_, back)) return false;
  way_ = {ahead, back};
  return true;
}

std::vector<WeightNode> Search::nodes_of(const Way& way) const {
  std::vector<WeightNode> nodes;
  for (std::size_t i = way.ahead; i != kNoNode; i = ahead_.nodes[i].parent) nodes.push_back(ahead_.nodes[i].at);
  std::reverse(nodes.begin(), nodes.end());
  for (std::size_t i = way.back; i != kNoNode; i = back_.nodes[i].parent) nodes.push_back(back_.nodes[i].at);
  return nodes;
}

void Search::shorten(std::vector<WeightNode>& way) {
  for (std::size_t i = 0; i + 2 < way.size(); ++i) {
    for (std::size_t j = way.size() - 1; j > i + 1; --j) {
      if (!free_between(way[i], way[j])) continue;
      way.erase(way.begin() + static_cast<std::ptrdiff_t>(i) + 1, way.begin() + static_cast<std::ptrdiff_t>(j));
      break;
    }
  }
}

WeightSearch Search::told(std::optional<std::vector<WeightNode>> way, std::size_t expansions) const {
  WeightSearch search;
  for (const Tree* tree : {&ahead_, &back_}) {
    const std::size_t shift = search.nodes.size();
    for (std::size_t i = 0; i < tree->nodes.size(); ++i) {
      search.nodes.push_back(tree->nodes[i].at);
      if (tree->nodes[i].parent != kNoNode) search.edges.emplace_back(shift + tree->nodes[i].parent, shift + i);
    }
  }
  search.way = std::move(way);
  search.expansions = expansions;
  search.tests = tests_;
  return search;
}

WeightSearch Search::run() {
  begin();
  if (ahead_.nodes.empty()) {
    return told(std::vector<WeightNode>{{first_, wanted_}, {last_, wanted_}}, 0);
  }
  for (std::size_t round = 0; round < options_.most_expansions; ++round) {
    const WeightNode towards = sample();
    const std::size_t one = nearest(ahead_, towards.slice), other = nearest(back_, towards.slice);
    if (one == kNoNode || other == kNoNode) continue;
    if (connect(one, other)) {
      std::vector<WeightNode> way = nodes_of(way_);
      shorten(way);
      return told(std::move(way), round + 1);
    }
    if (!ahead_.nodes[one].cut) grow(ahead_, one, towards);
    if (!back_.nodes[other].cut) grow(back_, other, towards);
  }
  return told(std::nullopt, options_.most_expansions);
}

}  // namespace

WeightSearch search_weights(std::size_t first, std::size_t last, std::span<const float> wanted, const IsFree& is_free,
                            const WeightSearchOptions& options) {
  return Search(first, last, wanted, is_free, options).run();
}

}  // namespace loom::plan
