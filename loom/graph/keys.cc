// SPDX-License-Identifier: MIT
#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <queue>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <loom/base/whole.h>
#include <loom/graph/keys.h>

namespace loom::graph {
namespace {

constexpr double kUnreachable = std::numeric_limits<double>::infinity();
constexpr Node kNone = ~Node{0};

/// Costs of being at every node, and where each was come from within one stage of the search.
struct Stage {
  std::vector<double> cost;
  std::vector<Node> from;  ///< kNone: the stage before ended here
  bool one_step = false;   ///< the stage is exactly one frame long
};

template <typename Visit>
void for_each_step(const MotionGraph& graph, Node n, const PathCost& cost, const Visit& visit) {
  if (graph.goes_on(n)) visit(n + 1, cost.frame);
  for (const Transition& t : graph.transitions_of(n)) {
    visit(t.to, cost.frame + cost.change + cost.roughness * static_cast<double>(t.cost));
  }
}

/// Dijkstra from wherever `start` is finite.
Stage travel(const MotionGraph& graph, std::vector<double> start, const PathCost& cost) {
  Stage stage{std::move(start), std::vector<Node>(graph.nodes(), kNone), false};
  using Entry = std::pair<double, Node>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
  for (Node n = 0; n < graph.nodes(); ++n) {
    if (stage.cost[n] < kUnreachable) open.emplace(stage.cost[n], n);
  }
  while (!open.empty()) {
    const auto [at, n] = open.top();
    open.pop();
    if (at > stage.cost[n]) continue;
    for_each_step(graph, n, cost, [&, here = at, node = n](Node to, double step) {
      if (here + step >= stage.cost[to]) return;
      stage.cost[to] = here + step;
      stage.from[to] = node;
      open.emplace(here + step, to);
    });
  }
  return stage;
}

/// One frame on, without leaving `allowed`.
Stage step_within(const MotionGraph& graph, const std::vector<double>& start, const std::vector<bool>& allowed,
                  const PathCost& cost) {
  Stage stage{std::vector<double>(graph.nodes(), kUnreachable), std::vector<Node>(graph.nodes(), kNone), true};
  for (Node n = 0; n < graph.nodes(); ++n) {
    if (start[n] == kUnreachable) continue;
    for_each_step(graph, n, cost, [&](Node to, double step) {
      if (!allowed[to] || start[n] + step >= stage.cost[to]) return;
      stage.cost[to] = start[n] + step;
      stage.from[to] = n;
    });
  }
  return stage;
}

bool anywhere(const std::vector<double>& cost) {
  return std::any_of(cost.begin(), cost.end(), [](double c) { return c < kUnreachable; });
}

std::vector<double> only_at(const std::vector<double>& cost, std::span<const Node> nodes) {
  std::vector<double> result(cost.size(), kUnreachable);
  for (const Node n : nodes) result[n] = cost[n];
  return result;
}

/// Walks back from the cheapest end through the stages, last first. A travel stage may take any number of steps, a
/// step stage takes exactly one.
std::vector<Node> walk_back(const std::vector<Stage>& stages, const std::vector<double>& end) {
  Node n = static_cast<Node>(std::min_element(end.begin(), end.end()) - end.begin());
  std::vector<Node> path{n};
  for (auto stage = stages.rbegin(); stage != stages.rend(); ++stage) {
    while (stage->from[n] != kNone) {
      n = stage->from[n];
      path.push_back(n);
      if (stage->one_step) break;
    }
  }
  std::reverse(path.begin(), path.end());
  return path;
}

std::optional<double> to_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

}  // namespace

Result<Key> parse_key(const MotionGraph& graph, const std::string& text) {
  if (const std::size_t colon = text.rfind(':'); colon != std::string::npos) {
    const auto frame = to_number(std::string_view(text).substr(colon + 1));
    const std::string name = text.substr(0, colon);
    const auto clip = std::find_if(graph.clips.begin(), graph.clips.end(),
                                   [&](const GraphClip& c) { return c.name == name || c.title() == name; });
    if (frame && clip != graph.clips.end()) {
      if (*frame < clip->begin || *frame >= clip->end) {
        return fail(fmt::format("frame {} of '{}' is not in the graph, which has its frames {} to {}", *frame, name,
                                clip->begin, clip->end));
      }
      return Key{text, {clip->first_node + (static_cast<std::uint32_t>(*frame) - clip->begin)}, 0};
    }
  }
  const std::size_t at = text.rfind('@');
  const std::string label = text.substr(0, at);
  const std::optional<double> seconds =
      at == std::string::npos ? 0.0 : to_number(std::string_view(text).substr(at + 1));
  Key key{text, graph.nodes_labelled(label), seconds.value_or(0)};
  if (key.nodes.empty() || !seconds || *seconds < 0) {
    return fail(fmt::format("'{}' is neither LABEL, LABEL@SECONDS nor CLIP:FRAME of this graph; its labels are: {}",
                            text, fmt::join(graph.labels(), ", ")));
  }
  return key;
}

Result<std::vector<Node>> find_path(const MotionGraph& graph, std::span<const Key> keys, const PathCost& cost) {
  if (keys.empty()) return fail("a path needs at least one key to come by");
  std::vector<Stage> stages;
  std::vector<double> now(graph.nodes(), kUnreachable);
  for (const Node n : keys[0].nodes) now[n] = 0;
  for (std::size_t k = 0; k < keys.size(); ++k) {
    if (k > 0) {
      stages.push_back(travel(graph, std::move(now), cost));
      now = only_at(stages.back().cost, keys[k].nodes);
    }
    if (!anywhere(now)) return fail(fmt::format("there is no way to '{}'", keys[k].what));
    std::vector<bool> allowed(graph.nodes());
    for (const Node n : keys[k].nodes) allowed[n] = true;
    const auto frames = to_whole<std::size_t>(std::round(keys[k].stay_seconds * graph.rate));
    for (std::size_t f = 0; f < frames; ++f) {
      stages.push_back(step_within(graph, now, allowed, cost));
      now = std::move(stages.back().cost);
      if (!anywhere(now)) {
        return fail(fmt::format("the graph can stay within '{}' for {:.2f} s, not for {:.2f} s", keys[k].what,
                                static_cast<double>(f) / graph.rate, keys[k].stay_seconds));
      }
    }
  }
  return walk_back(stages, now);
}

std::vector<Segment> to_segments(const MotionGraph& graph, const GraphMotion& motion, std::span<const Node> path) {
  std::vector<Segment> segments;
  if (path.empty()) return segments;
  const motion::GroundFrameFinder finder(*motion.skeleton);
  const auto start_of = [&](Node n) { return Segment{graph.clip_of[n], graph.frame_of(n), graph.frame_of(n) + 1, {}}; };
  segments.push_back(start_of(path[0]));
  const motion::Clip& first = motion.clips[segments[0].clip];
  segments[0].world = inverse(finder.find(first.roots[segments[0].begin], first.pose(segments[0].begin)[0]));
  for (std::size_t i = 1; i < path.size(); ++i) {
    if (path[i] == path[i - 1] + 1 && graph.goes_on(path[i - 1])) {
      ++segments.back().end;
      continue;
    }
    Segment next = start_of(path[i]);
    for (const Transition& t : graph.transitions_of(path[i - 1])) {
      if (t.to != path[i]) continue;
      next.world = segments.back().world * t.alignment;
      break;  // the cheapest comes first
    }
    segments.push_back(next);
  }
  return segments;
}

}  // namespace loom::graph
