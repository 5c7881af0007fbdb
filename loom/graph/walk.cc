// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <loom/base/whole.h>
#include <loom/graph/distances.h>
#include <loom/graph/labels.h>
#include <loom/graph/walk.h>

namespace loom::graph {
namespace {

constexpr double kLongAgo = -1e9;       ///< seconds: a clip never played
constexpr double kLeastNovelty = 0.02;  ///< a clip just left is never ruled out altogether
constexpr double kNoRoom = 1e-4;        ///< of a way into the last moments of a clip
constexpr double kDetourFrames = 1.0;   ///< outside the wanted labels, each of these makes a way e times less likely

}  // namespace

Result<std::unique_ptr<Walk>> Walk::create(std::shared_ptr<const MotionGraph> graph, const WalkOptions& options) {
  if (graph->nodes() == 0) return fail("the graph has no nodes to walk on");
  std::unique_ptr<Walk> walk(new Walk(std::move(graph), options));
  const MotionGraph& g = *walk->graph_;
  std::vector<Node> wanted;
  for (const std::string& label : options.wanted) {
    const std::vector<Node> nodes = g.nodes_labelled(label);
    if (nodes.empty()) {
      return tl::unexpected(unknown_label(g, label));
    }
    wanted.insert(wanted.end(), nodes.begin(), nodes.end());
  }
  if (!wanted.empty()) walk->to_wanted_ = frames_to(g, wanted);
  if (options.start == WalkOptions::kAnywhere) {
    walk->node_ =
        wanted.empty() ? static_cast<Node>(walk->random_.index(g.nodes())) : wanted[walk->random_.index(wanted.size())];
  } else if (options.start < g.nodes()) {
    walk->node_ = options.start;
  } else {
    return fail(fmt::format("there is no node {} in a graph of {}", options.start, g.nodes()));
  }
  walk->last_played_.assign(g.clips.size(), kLongAgo);
  return walk;
}

double Walk::appeal(Node entry, Node from, const Transition& transition) const {
  const std::uint32_t clip = graph_->clip_of[transition.to];
  // The clip being played now counts as just left.
  const double age = clip == graph_->clip_of[entry] ? 0 : time_ - last_played_[clip];
  const double novelty = std::max(kLeastNovelty, 1 - std::exp(-age / options_.variety_seconds));
  double weight = std::exp(-options_.smoothness * static_cast<double>(transition.cost)) * novelty;
  // Where a clip is left again at once there is no time to blend; such ways are taken only when there is no other.
  const GraphClip& next = graph_->clips[clip];
  const Node left_to_play = next.first_node + (next.end - next.begin) - transition.to;
  if (left_to_play < options_.min_seconds * graph_->rate) weight *= kNoRoom;
  if (!to_wanted_.empty()) {
    // Frames spent outside the wanted labels: on the way to the exit, and after it until back inside.
    std::uint32_t outside = to_wanted_[transition.to];
    for (Node n = entry; n <= from; ++n) outside += to_wanted_[n] > 0 ? 1 : 0;
    weight *= std::exp(-static_cast<double>(outside) / kDetourFrames);
  }
  return weight;
}

Walk::Exit Walk::choose_exit(Node entry) {
  const auto frames = [&](double seconds) { return to_whole<std::uint32_t>(std::round(seconds * graph_->rate)); };
  const GraphClip& clip = graph_->clips[graph_->clip_of[entry]];
  const Node last = clip.first_node + (clip.end - clip.begin) - 1;
  const Node earliest = std::min(last, entry + frames(options_.min_seconds));
  // One draw in proportion to appeal, in one pass: each candidate replaces the choice with its share of the sum.
  const auto draw = [&](Node begin, Node end) {
    Exit chosen;
    double sum = 0;
    for (Node n = begin; n <= end; ++n) {
      for (const Transition& t : graph_->transitions_of(n)) {
        const double weight = appeal(entry, n, t);
        sum += weight;
        if (random_.uniform() * sum < weight) chosen = {n, &t};
      }
    }
    return chosen;
  };
  Exit exit = draw(earliest, std::min(last, entry + frames(options_.max_seconds)));
  if (exit.transition == nullptr) exit = draw(earliest, last);
  if (exit.transition == nullptr) exit = draw(entry, last);
  return exit;
}

bool Walk::next(const motion::Control& /*control*/, Segment& segment) {
  const Exit exit = choose_exit(node_);
  if (exit.transition == nullptr) return false;  // cannot be: a component has no dead ends
  const std::uint32_t clip = graph_->clip_of[node_];
  segment = {clip, graph_->frame_of(node_), graph_->frame_of(exit.from) + 1, world_};
  time_ += (segment.end - segment.begin) / graph_->rate;
  last_played_[clip] = time_;
  world_ = world_ * exit.transition->alignment;
  node_ = exit.transition->to;
  return true;
}

}  // namespace loom::graph
