// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numeric>
#include <queue>

#include <fmt/format.h>

#include <loom/base/whole.h>
#include <loom/graph/actions.h>
#include <loom/graph/distances.h>
#include <loom/graph/labels.h>
#include <loom/graph/walk.h>
#include <loom/take/take_set.h>

namespace loom::graph {
namespace {

constexpr double kLongAgo = -1e9;          ///< seconds: never played
constexpr double kLeastNovelty = 0.02;     ///< a clip just left is never ruled out altogether
constexpr double kLeastFreshness = 1e-5;   ///< nor is a moment just played
constexpr double kWantedFreshness = 1e-4;  ///< with wishes: who wants to run is not sent away from the only run
constexpr double kAhead = 0.5;             ///< seconds ahead of a transition that are asked whether they are fresh
constexpr double kTooShort = 0.05;         ///< of a piece that is shorter than it should be, and of a way into the last
                                           ///< moments of a clip: there is little time to blend
constexpr double kTooShortOnTheWay = 5e-3;  ///< the same with wishes: quick ways to them are not to be hops
constexpr double kHardlyAny = 0.4;          ///< of the time a piece should have: with less a join is seen
constexpr double kNoRoom = 1e-4;            ///< of such a piece
constexpr double kLonger = 3;               ///< times the longest a piece should be: what is looked at
constexpr double kDetourFrames = 1.0;  ///< outside the wanted labels, each of these makes a way e times less likely

/// How welcome a piece of so many frames is when it should have `enough`; `short_one` is what a short one is worth.
double room_for(double frames, double enough, double short_one) {
  if (frames >= enough) return 1;
  return short_one * (frames < kHardlyAny * enough ? kNoRoom : 1) * std::pow(frames / enough, 3);
}

/// For every node, frames to the nearest of `targets`, a transition counting as `transition` frames: a way of few
/// pieces is better than a slightly shorter one of many. Dijkstra over reversed edges.
std::vector<std::uint32_t> way_to(const MotionGraph& graph, const std::vector<Node>& targets,
                                  std::uint32_t transition) {
  std::vector<std::uint32_t> first(graph.nodes() + 1), sources(graph.transitions.size());
  for (const Transition& t : graph.transitions) ++first[t.to + 1];
  std::partial_sum(first.begin(), first.end(), first.begin());
  std::vector<std::uint32_t> fill(first.begin(), first.end() - 1);
  for (Node n = 0; n < graph.nodes(); ++n) {
    for (const Transition& t : graph.transitions_of(n)) sources[fill[t.to]++] = n;
  }
  std::vector<std::uint32_t> frames(graph.nodes(), kUnreached);
  using Entry = std::pair<std::uint32_t, Node>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
  const auto reach = [&](Node n, std::uint32_t way) {
    if (way >= frames[n]) return;
    frames[n] = way;
    open.emplace(way, n);
  };
  for (const Node n : targets) reach(n, 0);
  while (!open.empty()) {
    const auto [way, n] = open.top();
    open.pop();
    if (way > frames[n]) continue;
    if (n > 0 && graph.goes_on(n - 1)) reach(n - 1, way + 1);
    for (std::uint32_t e = first[n]; e < first[n + 1]; ++e) reach(sources[e], way + transition);
  }
  return frames;
}

}  // namespace

Result<std::unique_ptr<Walk>> Walk::create(std::shared_ptr<const MotionGraph> graph, const take::TakeSet& motion,
                                           const WalkOptions& options) {
  if (graph->nodes() == 0) return fail("the graph has no nodes to walk on");
  std::unique_ptr<Walk> walk(new Walk(std::move(graph), options));
  const MotionGraph& g = *walk->graph_;
  const auto begins = walk->look_for(motion);
  if (!begins) return fail_from(begins);
  if (options.start == WalkOptions::kAnywhere) {
    walk->node_ = begins->empty() ? static_cast<Node>(walk->random_.index(g.nodes()))
                                  : (*begins)[walk->random_.index(begins->size())];
  } else if (options.start < g.nodes()) {
    walk->node_ = options.start;
  } else {
    return fail(fmt::format("there is no node {} in a graph of {}", options.start, g.nodes()));
  }
  walk->run_played_.assign(g.runs.size(), kLongAgo);
  walk->node_played_.assign(g.nodes(), static_cast<float>(kLongAgo));
  return walk;
}

/// Looks up the wanted labels. Returns where something wanted begins.
Result<std::vector<Node>> Walk::look_for(const take::TakeSet& motion) {
  std::vector<Node> begins;
  if (options_.wanted.empty()) return begins;
  const MotionGraph& g = *graph_;
  wanted_.assign(g.nodes(), false);
  leave_.assign(g.nodes(), {});
  for (const std::string& label : options_.wanted) {
    const std::vector<Node> nodes = g.nodes_labelled(label);
    if (nodes.empty()) return tl::unexpected(unknown_label(g, label));
    if (manner_of(g, motion, label) == Manner::kState) {
      for (const Node n : nodes) wanted_[n] = true;
      begins.insert(begins.end(), nodes.begin(), nodes.end());
      continue;
    }
    for (const Performance& p : performances_of(g, motion, label).list) {
      for (Node n = p.enter_first; n <= p.enter_last; ++n) {
        leave_[n] = {std::max(n, p.leave_first), p.leave_last};
        begins.push_back(n);
      }
    }
  }
  to_wanted_ = way_to(g, begins, 1 + to_whole<std::uint32_t>(std::round(options_.min_seconds * g.rate)));
  return begins;
}

double Walk::novelty(double played_at) const { return 1 - std::exp((played_at - time_) / options_.variety_seconds); }

/// How long ago the moments from a node on were played: novelty squared, since a moment seen again is noticed sooner
/// than a clip seen again.
double Walk::freshness(Node node) const {
  const Node end = std::min(graph_->last_of_run(node), node + to_whole<Node>(kAhead * graph_->rate));
  double sum = 0;
  for (Node n = node; n <= end; ++n) sum += novelty(static_cast<double>(node_played_[n]));
  const double mean = sum / static_cast<double>(end - node + 1);
  return mean * mean;
}

double Walk::appeal(Node entry, Node from, const Transition& transition) const {
  const std::uint32_t run = graph_->run_of[transition.to];
  // What is being played now counts as just played.
  const bool same = run == graph_->run_of[entry];
  const bool again = same && transition.to >= entry && transition.to <= from;
  double weight = std::exp(-options_.smoothness * static_cast<double>(transition.cost));
  weight *= std::max(kLeastNovelty, same ? 0 : novelty(run_played_[run]));
  weight *= std::max(to_wanted_.empty() ? kLeastFreshness : kWantedFreshness, again ? 0 : freshness(transition.to));
  const double enough = options_.min_seconds * graph_->rate, most = options_.max_seconds * graph_->rate;
  const double played = from - entry + 1;
  const double short_one = to_wanted_.empty() ? kTooShort : kTooShortOnTheWay;
  weight *= room_for(played, enough, short_one);
  weight *= room_for(graph_->last_of_run(transition.to) - transition.to + 1, enough, short_one);
  if (played > most) weight *= std::exp(kLonger * (1 - played / most));
  return weight;
}

Walk::Exit Walk::draw(Node entry, Node last) {
  // One draw in proportion to appeal, in one pass: each candidate replaces the choice with its share of the sum.
  Exit chosen;
  double sum = 0;
  std::uint32_t outside = 0;  // frames played that nobody wanted
  Leave action;               // the one that is being performed
  for (Node n = entry; n <= last || (action.first != Leave::kNever && n <= action.last); ++n) {
    if (!to_wanted_.empty()) {
      if (action.first != Leave::kNever && n > action.last) action = {};
      if (action.first == Leave::kNever) action = leave_[n];
      outside += action.first != Leave::kNever || wanted_[n] ? 0 : 1;
      if (action.first != Leave::kNever && n < action.first) continue;
    }
    for (const Transition& t : graph_->transitions_of(n)) {
      double weight = appeal(entry, n, t);
      if (!to_wanted_.empty()) weight *= std::exp(-static_cast<double>(outside + to_wanted_[t.to]) / kDetourFrames);
      sum += weight;
      if (random_.uniform() * sum < weight) chosen = {n, &t};
    }
  }
  return chosen;
}

Walk::Exit Walk::choose_exit(Node entry) {
  const Node end = graph_->last_of_run(entry);
  const auto most = to_whole<std::uint32_t>(std::round(kLonger * options_.max_seconds * graph_->rate));
  const Exit exit = draw(entry, std::min(end, entry + std::min(most, end - entry)));
  return exit.transition != nullptr ? exit : draw(entry, end);
}

bool Walk::next(const motion::Control& /*control*/, play::Segment& segment) {
  const Exit exit = choose_exit(node_);
  if (exit.transition == nullptr) return false;  // cannot be: a component has no dead ends
  const std::uint32_t clip = graph_->clip_of(node_);
  segment = {clip, graph_->frame_of(node_), graph_->frame_of(exit.from) + 1, world_};
  time_ += (segment.end - segment.begin) / graph_->rate;
  run_played_[graph_->run_of[node_]] = time_;
  for (Node n = node_; n <= exit.from; ++n) node_played_[n] = static_cast<float>(time_);
  world_ = world_ * exit.transition->alignment;
  node_ = exit.transition->to;
  return true;
}

}  // namespace loom::graph
