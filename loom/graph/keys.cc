// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <queue>
#include <utility>

#include <fmt/format.h>

#include <loom/base/memory.h>
#include <loom/base/number.h>
#include <loom/base/progress_part.h>
#include <loom/base/whole.h>
#include <loom/graph/detail/stay.h>
#include <loom/graph/keys.h>
#include <loom/graph/labels.h>
#include <loom/take/take_set.h>

namespace loom::graph {
namespace {

constexpr double kUnreachable = std::numeric_limits<double>::infinity();
constexpr Node kNone = ~Node{0};
constexpr double kLongestStay = 24 * 3600;  ///< seconds: as long as any motion made here

/// Where one may be after a part of the path, and what it has cost.
struct Front {
  std::vector<Node> nodes;  ///< ascending
  std::vector<double> cost;
};

/// A part of the path: the way to a key, the stay with it, or the action that it asks for.
struct Leg {
  std::vector<Node> from;     ///< of a way: where each node was come from; kNone: the leg before ended here
  std::vector<bool> stepped;  ///< of a way that takes a step at least: the leg before ended where it was come from
  std::vector<Node> entered;  ///< of an action: where it was entered that is left at each node
  std::optional<Stay> stay;
};

template <typename Visit>
void for_each_step(const MotionGraph& graph, Node n, const PathCost& cost, const Visit& visit) {
  if (graph.goes_on(n)) visit(n + 1, cost.frame);
  for (const Transition& t : graph.transitions_of(n)) {
    visit(t.to, cost.frame + cost.change + cost.roughness * static_cast<double>(t.cost));
  }
}

/// Dijkstra from `front`, all or at least one step of the way; leaves in `cost` what it costs to come to each node.
Leg travel(const MotionGraph& graph, const Front& front, bool step_at_least, const PathCost& weights,
           std::vector<double>& cost) {
  Leg leg;
  leg.from.assign(graph.nodes(), kNone);
  leg.stepped.assign(graph.nodes(), false);
  cost.assign(graph.nodes(), kUnreachable);
  using Entry = std::pair<double, Node>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
  const auto step_from = [&](Node n, double here, bool first) {
    for_each_step(graph, n, weights, [&](Node to, double step) {
      if (here + step >= cost[to]) return;
      cost[to] = here + step;
      leg.from[to] = n;
      leg.stepped[to] = first;
      open.emplace(here + step, to);
    });
  };
  for (std::size_t i = 0; i < front.nodes.size(); ++i) {
    if (!(front.cost[i] < kUnreachable)) continue;
    if (step_at_least) {
      step_from(front.nodes[i], front.cost[i], true);
    } else {
      cost[front.nodes[i]] = front.cost[i];
      open.emplace(front.cost[i], front.nodes[i]);
    }
  }
  while (!open.empty()) {
    const auto [at, n] = open.top();
    open.pop();
    if (at > cost[n]) continue;
    step_from(n, at, false);
  }
  return leg;
}

/// Performs one of some actions from nodes that cost `cost` to come to; leaves in `front` where they end. The best
/// entrance for each end: they are few, but of those before an end the cheapest is known from the end before.
Leg perform(const MotionGraph& graph, std::span<const Performance> actions, const PathCost& weights,
            const std::vector<double>& cost, Front& front) {
  Leg leg;
  leg.entered.assign(graph.nodes(), kNone);
  std::vector<double> done(graph.nodes(), kUnreachable);
  for (const Performance& p : actions) {
    const auto to_play = [&](Node enter) {  // up to the last node of the range
      return cost[enter] + weights.frame * (p.leave_last - enter) + weights.missed * (enter - p.enter_first);
    };
    Node best = p.enter_first, next = p.enter_first + 1;
    for (Node leave = std::max(p.leave_first, p.enter_first); leave <= p.leave_last; ++leave) {
      for (; next <= std::min(leave, p.enter_last); ++next) {
        if (to_play(next) < to_play(best)) best = next;
      }
      const double total = to_play(best) - weights.frame * (p.leave_last - leave) +
                           weights.missed * p.missed(graph, p.enter_first, leave);
      if (!(total < done[leave])) continue;
      done[leave] = total;
      leg.entered[leave] = best;
    }
  }
  front = {};
  for (Node n = 0; n < graph.nodes(); ++n) {
    if (!(done[n] < kUnreachable)) continue;
    front.nodes.push_back(n);
    front.cost.push_back(done[n]);
  }
  return leg;
}

/// Costs of being at the nodes of `key`.
Front only_at(const std::vector<double>& cost, const Key& key) {
  Front front{key.nodes, {}};
  for (const Node n : key.nodes) front.cost.push_back(cost[n]);
  return front;
}

/// Goes back over one leg, whose last node is the last of `path`.
void go_back(const Leg& leg, std::vector<Node>& path) {
  const Node n = path.back();
  if (leg.stay) {
    const std::span<const Node> nodes = leg.stay->nodes();
    const auto way =
        leg.stay->way_to(static_cast<std::size_t>(std::lower_bound(nodes.begin(), nodes.end(), n) - nodes.begin()));
    path.insert(path.end(), way.rbegin() + 1, way.rend());
  } else if (!leg.entered.empty()) {
    for (Node at = n; at != leg.entered[n];) path.push_back(--at);
  } else {
    for (Node at = n; leg.from[at] != kNone;) {
      const bool last = leg.stepped[at];
      at = leg.from[at];
      path.push_back(at);
      if (last) break;
    }
  }
}

/// What was searched for one key: the way to it, unless it is the first, and what is done there, unless it is touched.
struct KeyLegs {
  std::optional<Leg> way, there;
};

/// Walks back from `end` through the legs, last first.
KeyedPath walk_back(const std::vector<KeyLegs>& keys, Node end) {
  KeyedPath path{{end}, std::vector<KeyVisit>(keys.size())};
  for (std::size_t k = keys.size(); k-- > 0;) {
    const std::size_t last = path.nodes.size();  // counted from the end
    if (keys[k].there) go_back(*keys[k].there, path.nodes);
    path.visits[k] = {path.nodes.size(), last - 1};
    if (keys[k].way) go_back(*keys[k].way, path.nodes);
  }
  std::reverse(path.nodes.begin(), path.nodes.end());
  for (KeyVisit& visit : path.visits) visit = {path.nodes.size() - visit.begin, path.nodes.size() - visit.end};
  return path;
}

/// Goes on within a key for its time, from `front`; nothing where it cannot go on at all, and need not.
Result<std::optional<Stay>> stay_with(const MotionGraph& graph, const Key& key, const PathCost& weights, Front& front,
                                      const Progress& progress) {
  auto frames = to_whole<std::size_t>(std::round(key.stay_seconds * graph.rate));
  Stay stay(graph, key.nodes, weights);
  const auto room =
      require_memory(stay.bytes(frames), fmt::format("looking for {:.0f} s within '{}'", key.stay_seconds, key.what),
                     "stay less long");
  if (!room) return fail_from(room);
  while (frames > 0) {
    std::vector<double> cost = front.cost;
    bool stopped = false;
    const std::size_t gone = stay.run(cost, frames, Progress([&](double share, std::string_view what) {
                                        stopped = !progress.report(share, what);
                                        return !stopped;
                                      }));
    if (stopped) return fail_as(ErrorKind::kStopped, "stopped while looking for a way");
    if (gone == frames) {
      front.cost = std::move(cost);
      return std::optional(std::move(stay));
    }
    if (!key.or_less) {
      return fail(fmt::format("the graph can stay within '{}' for {:.2f} s, not for {:.2f} s", key.what,
                              static_cast<double>(gone) / graph.rate, key.stay_seconds));
    }
    frames = gone;
  }
  return std::optional<Stay>();
}

/// What is done at a key, among its nodes and no others.
Result<std::optional<Leg>> be_among(const MotionGraph& graph, const Key& key, const PathCost& weights,
                                    const std::vector<double>& cost, Front& front, const Progress& progress) {
  std::optional<Leg> leg;
  if (key.actions.empty()) {
    front = only_at(cost, key);
  } else {
    leg = perform(graph, key.actions, weights, cost, front);
  }
  if (std::none_of(front.cost.begin(), front.cost.end(), [](double c) { return c < kUnreachable; })) {
    return fail(fmt::format("there is no way to '{}'", key.what));
  }
  if (leg || to_whole<std::size_t>(std::round(key.stay_seconds * graph.rate)) == 0) return leg;
  auto stay = stay_with(graph, key, weights, front, progress);
  if (!stay) return fail_from(stay);
  if (*stay) leg = Leg{{}, {}, {}, std::move(*stay)};
  return leg;
}

/// What is done at a key, from nodes that cost `cost` to come to; `front` is where one may be then.
Result<std::optional<Leg>> be_at(const MotionGraph& graph, const Key& key, const PathCost& weights,
                                 const std::vector<double>& cost, Front& front, const Progress& progress) {
  auto leg = be_among(graph, key, weights, cost, front, progress);
  if (leg || leg.error().kind == ErrorKind::kStopped || key.or_among.empty()) return leg;
  Key wider = key;
  wider.nodes = key.or_among;
  return be_among(graph, wider, weights, cost, front, progress);
}

Result<KeyedPath> search(const MotionGraph& graph, std::span<const Key> keys, const PathCost& weights,
                         const Progress& progress) {
  std::vector<KeyLegs> legs;
  std::vector<double> cost(graph.nodes(), 0);  // one may begin anywhere
  Front front;
  for (std::size_t k = 0; k < keys.size(); ++k) {
    const auto begun = static_cast<double>(k), all = static_cast<double>(keys.size());
    if (!progress.report(begun / all, "looking for a way"))
      return fail_as(ErrorKind::kStopped, "stopped while looking for a way");
    KeyLegs& here = legs.emplace_back();
    if (k > 0) here.way = travel(graph, front, !keys[k].actions.empty() && !keys[k - 1].actions.empty(), weights, cost);
    auto there = be_at(graph, keys[k], weights, cost, front, part_of(progress, begun / all, (begun + 1) / all));
    if (!there) return fail_from(there);
    here.there = std::move(*there);
  }
  const auto best = std::min_element(front.cost.begin(), front.cost.end()) - front.cost.begin();
  return walk_back(legs, front.nodes[static_cast<std::size_t>(best)]);
}

/// A label alone, or with "!": performed, or stayed with for a while.
Key as_done(const MotionGraph& graph, const take::TakeSet& motion, const std::string& text, const std::string& label,
            bool whole) {
  if (!whole && manner_of(graph, motion, label) == Manner::kState) {
    std::vector<Node> nodes = lively_nodes(graph, motion, label);
    if (nodes.empty()) nodes = graph.nodes_labelled(label);  // pruning left only where it rests
    return {text, std::move(nodes), kStateSeconds, true, {}, {}};
  }
  Performances performances = performances_of(graph, motion, label);
  Key key{text, {}, 0, false, std::move(performances.list), {}};
  if (!performances.whole) {
    double lost = 1;
    for (const Performance& p : key.actions) lost = std::min(lost, p.lost_share);
    key.note = fmt::format(
        "no '{}' is whole in this graph: pruning took {:.0f} % of the movement of the one that lost least, and what is "
        "left is performed (explaining the graph tells why)",
        label, 100 * lost);
  }
  return key;
}

}  // namespace

Result<Key> parse_key(const MotionGraph& graph, const take::TakeSet& motion, const std::string& text) {
  if (const std::size_t colon = text.rfind(':'); colon != std::string::npos) {
    const auto frame = to_number(std::string_view(text).substr(colon + 1));
    const std::string name = text.substr(0, colon);
    const auto clip = std::find_if(graph.clips.begin(), graph.clips.end(),
                                   [&](const GraphClip& c) { return c.name == name || c.title() == name; });
    if (frame && clip != graph.clips.end()) {
      const auto index = static_cast<std::uint32_t>(clip - graph.clips.begin());
      const bool inside = *frame >= 0 && *frame < clip->frames;
      const auto node = inside ? graph.node_at(index, static_cast<std::uint32_t>(*frame)) : std::nullopt;
      if (!node) {
        const std::span<const Run> runs = graph.runs_of(index);
        return fail(fmt::format("frame {} of '{}' is not in the graph, which has its frames {} to {}", *frame, name,
                                runs.front().begin, runs.back().end));
      }
      return Key{text, {*node}, 0, false, {}, {}};
    }
  }
  if (!graph.nodes_labelled(text).empty()) return as_done(graph, motion, text, text, false);
  if (text.ends_with('!')) {
    const std::string label = text.substr(0, text.size() - 1);
    if (!graph.nodes_labelled(label).empty()) return as_done(graph, motion, text, label, true);
  }
  const std::size_t at = text.rfind('@');
  const std::string label = text.substr(0, at == std::string::npos && text.ends_with('!') ? text.size() - 1 : at);
  const std::optional<double> seconds =
      at == std::string::npos ? 0.0 : to_number(std::string_view(text).substr(at + 1));
  Key key{text, graph.nodes_labelled(label), seconds.value_or(0), false, {}, {}};
  if (key.nodes.empty() || !seconds || *seconds < 0) {
    const Error unknown = unknown_label(graph, label);
    return fail(fmt::format("'{}' is neither LABEL, LABEL!, LABEL@SECONDS nor CLIP:FRAME of this graph{}{}", text,
                            key.nodes.empty() ? ": " : "", key.nodes.empty() ? unknown.message : ""));
  }
  if (key.stay_seconds > 0 && !motion.clips.empty()) {
    std::vector<Node> lively = lively_nodes(graph, motion, label);
    if (!lively.empty() && lively != key.nodes) key.or_among = std::exchange(key.nodes, std::move(lively));
  }
  return key;
}

Result<KeyedPath> find_path(const MotionGraph& graph, std::span<const Key> keys, const PathCost& cost,
                            const Progress& progress) {
  if (keys.empty()) return fail("a path needs at least one key to come by");
  for (const Key& key : keys) {
    if (!(key.stay_seconds >= 0 && key.stay_seconds <= kLongestStay)) {
      return fail(fmt::format("'{}' asks to stay for longer than {:.0f} s", key.what, kLongestStay));
    }
  }
  return within_memory("so long a path", [&] { return search(graph, keys, cost, progress); });
}

std::vector<play::Segment> to_segments(const MotionGraph& graph, const take::TakeSet& motion,
                                       std::span<const Node> path) {
  std::vector<play::Segment> segments;
  if (path.empty()) return segments;
  const motion::GroundFrameFinder finder(*motion.skeleton);
  const auto start_of = [&](Node n) {
    return play::Segment{graph.clip_of(n), graph.frame_of(n), graph.frame_of(n) + 1, {}};
  };
  segments.push_back(start_of(path[0]));
  const motion::Clip& first = motion.clips[segments[0].clip];
  segments[0].world = inverse(finder.find(first.roots[segments[0].begin], first.pose(segments[0].begin)[0]));
  for (std::size_t i = 1; i < path.size(); ++i) {
    if (path[i] == path[i - 1] + 1 && graph.goes_on(path[i - 1])) {
      ++segments.back().end;
      continue;
    }
    play::Segment next = start_of(path[i]);
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
