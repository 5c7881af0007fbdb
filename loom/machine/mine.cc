// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include <loom/base/parallel.h>
#include <loom/base/progress_part.h>
#include <loom/base/whole.h>
#include <loom/machine/mine.h>
#include <loom/machine/q_values.h>

namespace loom::machine {
namespace {

using graph::MotionGraph;
using graph::Node;

constexpr std::size_t kSampledFrames = 200;  ///< of a state, looked at for whether they come round

/// Calls `body(to, q)` for every step from `node`.
template <typename Body>
void each_step(const MotionGraph& graph, const QValues& values, Node node, const Body& body) {
  if (graph.goes_on(node)) body(node + 1, values.of_going_on(node));
  for (const graph::Transition& t : graph.transitions_of(node)) body(t.to, values.of(t));
}

/// The range of the steps around each frame (eq. 3.4), seen from that frame: a step `k` frames later costs discount^k
/// of its Q, as much as going there and taking it does.
struct Range {
  double least = 0, most = 0;
};
Range range_around(const MotionGraph& graph, const QValues& values, Node node, std::uint32_t window) {
  const graph::Run& run = graph.runs[graph.run_of[node]];
  const Node begin = node - std::min(node - run.first_node, window);
  const Node end = std::min<Node>(run.end_node(), node + window + 1);
  Range range{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  const auto count = [&](double q) {
    range.least = std::min(range.least, q);
    range.most = std::max(range.most, q);
  };
  each_step(graph, values, node, [&](Node, double q) { count(q); });
  for (Node n = begin; n < end; ++n) {
    if (n == node) continue;
    const double share = std::pow(values.discount, static_cast<double>(n) - static_cast<double>(node));
    for (const graph::Transition& t : graph.transitions_of(n)) count(share * values.of(t));
  }
  return range;
}

/// Counts what is between states before pruning and after it.
void count_steps(const MotionGraph& graph, const QValues& values, std::span<const std::uint32_t> state_of,
                 const MineOptions& options, Mined& mined) {
  const auto window = to_whole<std::uint32_t>(options.discount > 0 ? options.window_seconds * graph.rate : 0);
  for (Node n = 0; n < graph.nodes(); ++n) {
    const std::uint32_t from = state_of[n];
    if (from == kNoState) continue;
    ++mined.frames[from];
    // Only steps to another state count, and most frames have none.
    bool leaves = false;
    each_step(graph, values, n,
              [&](Node to, double) { leaves = leaves || (state_of[to] != from && state_of[to] != kNoState); });
    if (!leaves) continue;
    const Range range = range_around(graph, values, n, window);
    const double most = range.least + options.delta * (range.most - range.least);
    each_step(graph, values, n, [&](Node to, double q) {
      if (state_of[to] == from || state_of[to] == kNoState) return;
      MinedPair& pair = mined.pairs[from * mined.states + state_of[to]];
      ++pair.steps;
      if (q <= most) ++pair.kept;
    });
  }
}

/// Densities, rare edges left out, probabilities (eq. 3.5 and after).
void make_probabilities(const MineOptions& options, Mined& mined) {
  for (std::size_t from = 0; from < mined.states; ++from) {
    double sum = 0;
    MinedPair* row = mined.pairs.data() + from * mined.states;
    for (std::size_t to = 0; to < mined.states; ++to) {
      if (row[to].kept == 0) continue;
      row[to].density = static_cast<double>(row[to].kept) /
                        (static_cast<double>(mined.frames[from]) * static_cast<double>(mined.frames[to]));
      sum += row[to].density;
    }
    double left = 0;
    for (std::size_t to = 0; to < mined.states; ++to) {
      if (sum > 0 && row[to].density >= options.least_probability * sum) left += row[to].density;
    }
    for (std::size_t to = 0; to < mined.states; ++to) {
      if (left > 0 && row[to].kept > 0 && row[to].density >= options.least_probability * sum) {
        row[to].probability = row[to].density / left;
      }
    }
  }
}

/// Whether one can leave `start` and come back to it within `most` steps without leaving its state: a search in breadth
/// through the frames of the state. `seen` has room for a mark a node and is left as it was found.
bool comes_round(const MotionGraph& graph, std::span<const std::uint32_t> state_of, Node start, std::size_t most,
                 std::vector<bool>& seen) {
  std::vector<Node> touched, open{start}, next;
  bool round = false;
  const auto visit = [&](Node to) {
    if (to == start) round = true;
    if (state_of[to] != state_of[start] || seen[to]) return;
    seen[to] = true;
    touched.push_back(to);
    next.push_back(to);
  };
  for (std::size_t step = 0; step < most && !round && !open.empty(); ++step) {
    next.clear();
    for (const Node n : open) {
      if (graph.goes_on(n)) visit(n + 1);
      for (const graph::Transition& t : graph.transitions_of(n)) visit(t.to);
    }
    open.swap(next);
  }
  for (const Node n : touched) seen[n] = false;
  return round;
}

void find_cyclic(const MotionGraph& graph, std::span<const std::uint32_t> state_of, const MineOptions& options,
                 Mined& mined) {
  std::vector<std::vector<Node>> nodes(mined.states);
  for (Node n = 0; n < graph.nodes(); ++n) {
    if (state_of[n] != kNoState) nodes[state_of[n]].push_back(n);
  }
  const auto most = to_whole<std::size_t>(options.longest_cycle_s * graph.rate);
  parallel_for(mined.states, 1, [&](std::size_t begin, std::size_t end) {
    std::vector<bool> seen(graph.nodes());
    for (std::size_t s = begin; s < end; ++s) {
      const std::size_t count = std::min(kSampledFrames, nodes[s].size());
      std::size_t round = 0;
      for (std::size_t i = 0; i < count; ++i) {
        if (comes_round(graph, state_of, nodes[s][i * nodes[s].size() / count], most, seen)) ++round;
      }
      mined.cyclic_share[s] = count == 0 ? 0 : static_cast<double>(round) / static_cast<double>(count);
    }
  });
}

Result<void> check(const MotionGraph& graph, std::span<const std::uint32_t> state_of, std::size_t states,
                   const MineOptions& options) {
  if (!(options.delta >= 0 && options.delta <= 1)) return fail_setting({"delta"}, "delta lies in [0, 1]");
  if (!(options.window_seconds >= 0 && options.window_seconds <= 10)) {
    return fail_setting({"window"}, "a window lasts 0 to 10 seconds");
  }
  if (!(options.least_probability >= 0 && options.least_probability < 1)) {
    return fail_setting({"least"}, "the least probability lies in [0, 1)");
  }
  if (!(options.longest_cycle_s > 0 && options.longest_cycle_s <= 60)) {
    return fail_setting({"cycle"}, "a cycle lasts up to 60 seconds");
  }
  if (state_of.size() != graph.nodes()) return fail("there is not one state a node");
  const auto good = [&](std::uint32_t state) { return state == kNoState || state < states; };
  if (!std::all_of(state_of.begin(), state_of.end(), good)) return fail("a node belongs to a state that is none");
  return {};
}

/// Which states lead to which, over any number of edges.
std::vector<bool> find_ways(const Mined& mined) {
  const std::size_t n = mined.states;
  std::vector<bool> ways(n * n);
  for (std::size_t from = 0; from < n; ++from) {
    std::vector<std::size_t> open{from};
    while (!open.empty()) {
      const std::size_t at = open.back();
      open.pop_back();
      for (std::size_t to = 0; to < n; ++to) {
        if (!mined.has_edge(at, to) || ways[from * n + to]) continue;
        ways[from * n + to] = true;
        open.push_back(to);
      }
    }
  }
  return ways;
}

/// For each pair of states the most alike frames of them.
std::map<std::pair<std::uint32_t, std::uint32_t>, graph::SimilarPair> nearest_pairs(
    const MotionGraph& graph, std::span<const std::uint32_t> state_of, std::span<const graph::SimilarPair> pairs) {
  const graph::FrameNumbers numbers(graph.clips);
  const auto state = [&](std::uint32_t frame) {
    if (frame >= numbers.total()) return kNoState;
    const std::uint32_t clip = numbers.clip_of(frame);
    const auto node = graph.node_at(clip, frame - numbers.first(clip));
    return node ? state_of[*node] : kNoState;
  };
  std::map<std::pair<std::uint32_t, std::uint32_t>, graph::SimilarPair> nearest;
  for (const graph::SimilarPair& pair : pairs) {
    const std::uint32_t a = state(pair.a), b = state(pair.b);
    if (a == kNoState || b == kNoState || a == b) continue;
    // Alike frames give a transition either way round; it is told in the order it would be taken.
    for (const auto& [key, told] : {std::pair{std::pair{a, b}, pair},
                                    std::pair{std::pair{b, a}, graph::SimilarPair{pair.b, pair.a, pair.distance}}}) {
      const auto found = nearest.find(key);
      if (found == nearest.end()) {
        nearest.emplace(key, told);
      } else if (told.distance < found->second.distance) {
        found->second = told;
      }
    }
  }
  return nearest;
}

MissingEdge::Why why_missing(const Mined& mined, std::size_t from, std::size_t to) {
  if (mined.frames[from] == 0 || mined.frames[to] == 0) return MissingEdge::Why::kNoMotion;
  const MinedPair& pair = mined.pair(from, to);
  if (pair.steps == 0) return MissingEdge::Why::kNoStep;
  return pair.kept == 0 ? MissingEdge::Why::kPruned : MissingEdge::Why::kRare;
}

/// Counts the drawn transitions and those of them that were found.
template <typename Found>
Result<Likeness> with_drawn(Likeness likeness, const behavior::StateMachine& hand, const Found& found) {
  for (const behavior::MachineTransition& t : hand.transitions) {
    if (t.from == t.to) continue;
    ++likeness.hand_edges;
    if (found(t.from, t.to)) ++likeness.common_edges;
  }
  if (likeness.hand_edges == 0) {
    return fail(fmt::format("machine '{}' has no transition between two different states", hand.name));
  }
  const auto drawn = static_cast<double>(likeness.hand_edges);
  likeness.chi = static_cast<double>(likeness.mined_edges) / drawn;
  likeness.rho = static_cast<double>(likeness.common_edges) / drawn;
  return likeness;
}

}  // namespace

std::size_t Mined::edges() const {
  return static_cast<std::size_t>(
      std::count_if(pairs.begin(), pairs.end(), [](const MinedPair& pair) { return pair.probability > 0; }));
}

Result<Mined> mine(const MotionGraph& graph, std::span<const std::uint32_t> state_of, std::size_t states,
                   const MineOptions& options, const Progress& progress) {
  if (const auto good = check(graph, state_of, states, options); !good) return fail_from(good);
  const auto start = std::chrono::steady_clock::now();
  const auto values = solve_q_values(graph, options.discount, part_of(progress, 0, 0.6));
  if (!values) return fail_from(values);
  Mined mined;
  mined.states = states;
  mined.frames.resize(states);
  mined.cyclic_share.resize(states);
  mined.pairs.resize(states * states);
  mined.q_rounds = values->rounds;
  count_steps(graph, *values, state_of, options, mined);
  make_probabilities(options, mined);
  if (!progress.report(0.8, "looking for cycles")) return fail_as(ErrorKind::kStopped, "stopped while mining");
  find_cyclic(graph, state_of, options, mined);
  mined.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return mined;
}

const char* to_string(MissingEdge::Why why) {
  switch (why) {
    case MissingEdge::Why::kNoMotion:
      return "no_motion";
    case MissingEdge::Why::kNoStep:
      return "no_step";
    case MissingEdge::Why::kPruned:
      return "pruned";
    case MissingEdge::Why::kRare:
      break;
  }
  return "rare";
}

std::vector<MissingEdge> find_missing(const Mined& mined, const MotionGraph& graph,
                                      std::span<const std::uint32_t> state_of,
                                      std::span<const graph::SimilarPair> pairs, const behavior::StateMachine* wanted) {
  const std::vector<bool> ways = find_ways(mined);
  const auto nearest = nearest_pairs(graph, state_of, pairs);
  std::vector<MissingEdge> missing;
  for (std::size_t from = 0; from < mined.states; ++from) {
    for (std::size_t to = 0; to < mined.states; ++to) {
      if (from == to || mined.has_edge(from, to) || (wanted != nullptr && !wanted->allows(from, to))) continue;
      MissingEdge edge{from, to, why_missing(mined, from, to), !ways[from * mined.states + to], {}};
      const auto found = nearest.find({static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to)});
      if (found != nearest.end()) edge.nearest = found->second;
      missing.push_back(edge);
    }
  }
  return missing;
}

Result<Likeness> compare_with(const Mined& mined, const behavior::StateMachine& hand) {
  if (hand.states.size() != mined.states) return fail("the two machines have not the same states");
  Likeness likeness;
  likeness.mined_edges = mined.edges();
  return with_drawn(likeness, hand, [&](std::size_t from, std::size_t to) { return mined.has_edge(from, to); });
}

Result<Likeness> compare_machines(const behavior::StateMachine& found, const behavior::StateMachine& hand) {
  Likeness likeness;
  for (const behavior::MachineTransition& t : found.transitions) likeness.mined_edges += t.from != t.to ? 1 : 0;
  return with_drawn(likeness, hand, [&](std::size_t from, std::size_t to) {
    const auto a = found.find_state(hand.states[from].name), b = found.find_state(hand.states[to].name);
    return a && b && found.allows(*a, *b);
  });
}

std::vector<std::uint32_t> states_by_label(const MotionGraph& graph, std::span<const std::string> labels) {
  std::vector<std::vector<Node>> nodes;
  for (const std::string& label : labels) nodes.push_back(graph.nodes_labelled(label));
  std::vector<std::uint32_t> state_of(graph.nodes(), kNoState);
  for (std::uint32_t s = 0; s < labels.size(); ++s) {
    for (const Node n : nodes[s]) {
      if (state_of[n] == kNoState || nodes[s].size() < nodes[state_of[n]].size()) state_of[n] = s;
    }
  }
  return state_of;
}

behavior::StateMachine to_machine(const Mined& mined, std::string name, std::vector<behavior::MachineState> states) {
  behavior::StateMachine machine;
  machine.name = std::move(name);
  machine.states = std::move(states);
  std::size_t most = 0;
  for (std::size_t s = 0; s < mined.states; ++s) {
    // What one comes back to is what one can stay in: the cyclic state of which there is most.
    if (mined.cyclic(s) && mined.frames[s] > most) {
      most = mined.frames[s];
      machine.default_state = s;
    }
    if (mined.cyclic(s)) machine.transitions.push_back({s, s, behavior::Link::kSelf, 1, {}});
    for (std::size_t to = 0; to < mined.states; ++to) {
      if (!mined.has_edge(s, to)) continue;
      const auto weight = static_cast<float>(mined.pair(s, to).probability);
      machine.transitions.push_back({s, to, behavior::Link::kPlain, weight, {}});
    }
  }
  return machine;
}

}  // namespace loom::machine
