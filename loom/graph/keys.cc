// SPDX-License-Identifier: MIT
#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <queue>

#include <fmt/format.h>

#include <loom/base/memory.h>
#include <loom/base/progress_part.h>
#include <loom/base/whole.h>
#include <loom/graph/keys.h>
#include <loom/graph/labels.h>
#include <loom/graph/stay.h>

namespace loom::graph {
namespace {

constexpr double kUnreachable = std::numeric_limits<double>::infinity();
constexpr Node kNone = ~Node{0};
constexpr double kLongestStay = 24 * 3600;  ///< seconds: as long as any motion made here

/// A part of the path: the way to a key, or the stay with it.
struct Leg {
  std::vector<Node> from;  ///< of a way: where each node was come from; kNone: the leg before ended here
  std::optional<Stay> stay;
};

template <typename Visit>
void for_each_step(const MotionGraph& graph, Node n, const PathCost& cost, const Visit& visit) {
  if (graph.goes_on(n)) visit(n + 1, cost.frame);
  for (const Transition& t : graph.transitions_of(n)) {
    visit(t.to, cost.frame + cost.change + cost.roughness * static_cast<double>(t.cost));
  }
}

/// Dijkstra from wherever `cost` is finite; leaves there what it costs to come to each node. Returns where each was
/// come from.
std::vector<Node> travel(const MotionGraph& graph, std::vector<double>& cost, const PathCost& weights) {
  std::vector<Node> from(graph.nodes(), kNone);
  using Entry = std::pair<double, Node>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
  for (Node n = 0; n < graph.nodes(); ++n) {
    if (cost[n] < kUnreachable) open.emplace(cost[n], n);
  }
  while (!open.empty()) {
    const auto [at, n] = open.top();
    open.pop();
    if (at > cost[n]) continue;
    for_each_step(graph, n, weights, [&, here = at, node = n](Node to, double step) {
      if (here + step >= cost[to]) return;
      cost[to] = here + step;
      from[to] = node;
      open.emplace(here + step, to);
    });
  }
  return from;
}

/// Costs of being at the nodes of `key`, one each.
std::vector<double> only_at(const std::vector<double>& cost, const Key& key) {
  std::vector<double> result;
  for (const Node n : key.nodes) result.push_back(cost[n]);
  return result;
}

/// Walks back from `end` through the legs, last first.
std::vector<Node> walk_back(const std::vector<Leg>& legs, Node end) {
  std::vector<Node> path{end};
  for (auto leg = legs.rbegin(); leg != legs.rend(); ++leg) {
    const Node n = path.back();
    if (leg->stay) {
      const std::span<const Node> nodes = leg->stay->nodes();
      const auto way =
          leg->stay->way_to(static_cast<std::size_t>(std::lower_bound(nodes.begin(), nodes.end(), n) - nodes.begin()));
      path.insert(path.end(), way.rbegin() + 1, way.rend());
      continue;
    }
    for (Node at = leg->from[n]; at != kNone; at = leg->from[at]) path.push_back(at);
  }
  std::reverse(path.begin(), path.end());
  return path;
}

/// Goes on within a key for its time, from `cost`, one a node of it.
Result<Stay> stay_with(const MotionGraph& graph, const Key& key, const PathCost& weights, std::vector<double>& cost,
                       const Progress& progress) {
  const auto frames = to_whole<std::size_t>(std::round(key.stay_seconds * graph.rate));
  Stay stay(graph, key.nodes, weights);
  const auto room =
      require_memory(stay.bytes(frames), fmt::format("looking for {:.0f} s within '{}'", key.stay_seconds, key.what),
                     "stay less long");
  if (!room) return fail_from(room);
  bool stopped = false;
  const std::size_t gone = stay.run(cost, frames, Progress([&](double share, std::string_view what) {
                                      stopped = !progress.report(share, what);
                                      return !stopped;
                                    }));
  if (stopped) return fail("stopped while looking for a way");
  if (gone < frames) {
    return fail(fmt::format("the graph can stay within '{}' for {:.2f} s, not for {:.2f} s", key.what,
                            static_cast<double>(gone) / graph.rate, key.stay_seconds));
  }
  return stay;
}

std::optional<double> to_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

Result<std::vector<Node>> search(const MotionGraph& graph, std::span<const Key> keys, const PathCost& weights,
                                 const Progress& progress) {
  std::vector<Leg> legs;
  std::vector<double> now(keys[0].nodes.size(), 0);  // at the nodes of the key
  for (std::size_t k = 0; k < keys.size(); ++k) {
    if (!progress.report(static_cast<double>(k) / static_cast<double>(keys.size()), "looking for a way")) {
      return fail("stopped while looking for a way");
    }
    if (k > 0) {
      std::vector<double> cost(graph.nodes(), kUnreachable);
      for (std::size_t i = 0; i < now.size(); ++i) cost[keys[k - 1].nodes[i]] = now[i];
      legs.push_back({travel(graph, cost, weights), {}});
      now = only_at(cost, keys[k]);
    }
    if (std::none_of(now.begin(), now.end(), [](double c) { return c < kUnreachable; })) {
      return fail(fmt::format("there is no way to '{}'", keys[k].what));
    }
    if (to_whole<std::size_t>(std::round(keys[k].stay_seconds * graph.rate)) == 0) continue;
    const auto begun = static_cast<double>(k), all = static_cast<double>(keys.size());
    auto stay = stay_with(graph, keys[k], weights, now, part_of(progress, begun / all, (begun + 1) / all));
    if (!stay) return fail_from(stay);
    legs.push_back({{}, std::move(*stay)});
  }
  return walk_back(legs,
                   keys.back().nodes[static_cast<std::size_t>(std::min_element(now.begin(), now.end()) - now.begin())]);
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
    const Error unknown = unknown_label(graph, label);
    return fail(fmt::format("'{}' is neither LABEL, LABEL@SECONDS nor CLIP:FRAME of this graph{}{}", text,
                            key.nodes.empty() ? ": " : "", key.nodes.empty() ? unknown.message : ""));
  }
  return key;
}

Result<std::vector<Node>> find_path(const MotionGraph& graph, std::span<const Key> keys, const PathCost& cost,
                                    const Progress& progress) {
  if (keys.empty()) return fail("a path needs at least one key to come by");
  for (const Key& key : keys) {
    if (!(key.stay_seconds >= 0 && key.stay_seconds <= kLongestStay)) {
      return fail(fmt::format("'{}' asks to stay for longer than {:.0f} s", key.what, kLongestStay));
    }
  }
  return within_memory("so long a path", [&] { return search(graph, keys, cost, progress); });
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
