// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>

#include <loom/behavior/state_edges.h>
#include <loom/behavior/state_prune.h>

namespace loom::behavior {
namespace {

constexpr float kFar = std::numeric_limits<float>::infinity();
constexpr std::uint32_t kNoAction = ~std::uint32_t{0};

/// A run of frames of one whole state in one recording.
struct Run {
  std::uint32_t begin = 0, end = 0;
};

std::vector<Run> whole_runs(const StateFrames& frames) {
  std::vector<Run> runs;
  for (std::uint32_t f = 0; f < frames.numbers().total(); ++f) {
    if (!frames.whole(f)) continue;
    const bool joins = f > 0 && frames.numbers().goes_on(f - 1) && frames.state_of(f - 1) == frames.state_of(f);
    if (!joins) runs.push_back({f, f});
    runs.back().end = f + 1;
  }
  return runs;
}

/// How near each frame of a whole state comes to the motion of states linked with its own, either way.
std::vector<float> nearness(const StateFrames& frames, std::span<const graph::SimilarPair> pairs) {
  std::vector<float> near(frames.numbers().total(), kFar);
  for (const graph::SimilarPair& pair : pairs) {
    const std::uint32_t a = pair.a, b = pair.b;
    if (!frames.whole(a) && !frames.whole(b)) continue;
    if (!frames.allows(a, b) && !frames.allows(b, a)) continue;
    near[a] = std::min(near[a], pair.distance);
    near[b] = std::min(near[b], pair.distance);
  }
  return near;
}

/// The gates of a run: first where the recording itself comes and goes, then moments near linked states, nearest first,
/// wherever they are `shortest` frames from all others.
std::vector<std::uint32_t> gates_of(const StateFrames& frames, const Run& run, std::span<const float> near,
                                    std::uint32_t shortest) {
  std::vector<std::uint32_t> gates, candidates;
  if (run.begin > 0 && frames.numbers().goes_on(run.begin - 1) && frames.goes_on(run.begin - 1))
    gates.push_back(run.begin);
  if (frames.numbers().goes_on(run.end - 1) && frames.goes_on(run.end - 1)) gates.push_back(run.end);
  for (std::uint32_t f = run.begin; f < run.end; ++f) {
    const float before = f > run.begin ? near[f - 1] : kFar, after = f + 1 < run.end ? near[f + 1] : kFar;
    if (near[f] < kFar && near[f] <= before && near[f] <= after) candidates.push_back(f);
  }
  std::stable_sort(candidates.begin(), candidates.end(), [&](auto x, auto y) { return near[x] < near[y]; });
  for (const std::uint32_t f : candidates) {
    const bool apart = std::all_of(gates.begin(), gates.end(), [&](std::uint32_t gate) {
      return std::max(gate, f) - std::min(gate, f) >= shortest;
    });
    if (apart) gates.push_back(f);
  }
  std::sort(gates.begin(), gates.end());
  return gates;
}

/// For every frame the action it may be entered at, and the one it may be left from.
struct Windows {
  std::vector<std::uint32_t> enter, leave;

  Windows(std::uint32_t frames, std::span<const Action> actions) : enter(frames, kNoAction), leave(frames, kNoAction) {
    for (std::uint32_t a = 0; a < actions.size(); ++a) {
      std::fill(enter.begin() + actions[a].begin, enter.begin() + actions[a].enter_until, a);
      std::fill(leave.begin() + actions[a].leave_from, leave.begin() + actions[a].end, a);
    }
  }
};

/// Collects transitions; of those with the same key only the nearest is kept.
struct Candidate {
  std::uint64_t key = 0;
  StateEdge edge;
};

void keep_best(std::vector<Candidate>& candidates, std::vector<StateEdge>& edges) {
  std::sort(candidates.begin(), candidates.end(), [](const Candidate& x, const Candidate& y) {
    return std::tie(x.key, x.edge.distance, x.edge.from, x.edge.to) <
           std::tie(y.key, y.edge.distance, y.edge.from, y.edge.to);
  });
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (i == 0 || candidates[i].key != candidates[i - 1].key) edges.push_back(candidates[i].edge);
  }
}

constexpr std::uint64_t key_of(std::uint32_t a, std::uint32_t b) { return (std::uint64_t{a} << 32) | b; }

/// Calls `visit(edge)` for both transitions of every pair that lead somewhere and that the machine allows.
template <typename Visit>
void for_each_allowed(const StateFrames& frames, std::span<const graph::SimilarPair> pairs, const Visit& visit) {
  for (const graph::SimilarPair& pair : pairs) {
    for (const auto& [from, like] : {std::pair{pair.a, pair.b}, std::pair{pair.b, pair.a}}) {
      if (frames.numbers().goes_on(like) && frames.allows(from, like + 1)) {
        visit(StateEdge{from, like + 1, pair.distance});
      }
    }
  }
}

}  // namespace

StateFrames::StateFrames(const StateMachine& machine, const graph::FrameNumbers& numbers,
                         std::span<const std::uint32_t> state_of)
    : numbers_(numbers), state_of_(state_of), states_(machine.states.size()), link_(states_ * states_) {
  for (const MachineState& state : machine.states) whole_.push_back(state.whole);
  for (const MachineTransition& t : machine.transitions) link_[t.from * states_ + t.to] = t.link;
}

bool StateFrames::whole(std::uint32_t frame) const { return state_of_[frame] != kNoState && whole_[state_of_[frame]]; }

std::optional<Link> StateFrames::link(std::uint32_t from, std::uint32_t to) const {
  if (state_of_[from] == kNoState || state_of_[to] == kNoState) return std::nullopt;
  return link_[state_of_[from] * states_ + state_of_[to]];
}

bool StateFrames::goes_on(std::uint32_t frame) const {
  if (!numbers_.goes_on(frame) || state_of_[frame] == kNoState) return false;
  return state_of_[frame] == state_of_[frame + 1] || allows(frame, frame + 1);
}

std::vector<Action> find_actions(const StateFrames& frames, std::span<const graph::SimilarPair> pairs,
                                 const ActionOptions& options, std::span<const FrameSpan> blows) {
  std::vector<float> near = nearness(frames, pairs);
  for (const FrameSpan& blow : blows) std::fill(near.begin() + blow.begin + 1, near.begin() + blow.end, kFar);
  std::vector<Action> actions;
  for (const Run& run : whole_runs(frames)) {
    const std::vector<std::uint32_t> gates = gates_of(frames, run, near, options.shortest);
    for (std::size_t g = 0; g + 1 < gates.size(); ++g) {
      const std::uint32_t begin = gates[g], end = gates[g + 1];
      const std::uint32_t window = std::min(options.window, (end - begin) / 3);
      actions.push_back({begin, end, begin + std::max(window, 1u), end - std::max(window, 1u)});
    }
  }
  return actions;
}

std::vector<StateEdge> find_edges(const StateFrames& frames, std::span<const Action> actions,
                                  std::span<const graph::SimilarPair> pairs,
                                  std::span<const graph::SimilarPair> minima) {
  const Windows windows(frames.numbers().total(), actions);
  const auto may_leave = [&](std::uint32_t f) { return !frames.whole(f) || windows.leave[f] != kNoAction; };
  const auto may_enter = [&](std::uint32_t f) { return !frames.whole(f) || windows.enter[f] != kNoAction; };
  std::vector<StateEdge> edges;
  for_each_allowed(frames, minima, [&](const StateEdge& edge) {
    if (may_leave(edge.from) && may_enter(edge.to)) edges.push_back(edge);
  });
  std::vector<Candidate> entries, exits;
  for_each_allowed(frames, pairs, [&](const StateEdge& edge) {
    if (!may_leave(edge.from) || !may_enter(edge.to)) return;
    if (frames.link(edge.from, edge.to) == Link::kFull && frames.whole(edge.to)) {
      entries.push_back({key_of(edge.from, windows.enter[edge.to]), edge});
    }
    if (frames.whole(edge.from) && !frames.whole(edge.to)) {
      exits.push_back({key_of(windows.leave[edge.from], frames.numbers().clip_of(edge.to)), edge});
    }
  });
  keep_best(entries, edges);
  keep_best(exits, edges);
  std::sort(edges.begin(), edges.end(), [](const StateEdge& x, const StateEdge& y) {
    return std::tie(x.from, x.to, x.distance) < std::tie(y.from, y.to, y.distance);
  });
  const auto same = [](const StateEdge& x, const StateEdge& y) { return x.from == y.from && x.to == y.to; };
  edges.erase(std::unique(edges.begin(), edges.end(), same), edges.end());
  return edges;
}

graph::FrameGraph all_edges(const StateFrames& frames, std::span<const StateEdge> edges) {
  graph::FrameGraph all;
  all.first.reserve(frames.numbers().total() + 1);
  all.first.push_back(0);
  std::size_t at = 0;
  for (std::uint32_t f = 0; f < frames.numbers().total(); ++f) {
    if (frames.goes_on(f)) all.targets.push_back(f + 1);
    for (; at < edges.size() && edges[at].from == f; ++at) all.targets.push_back(edges[at].to);
    all.first.push_back(static_cast<std::uint32_t>(all.targets.size()));
  }
  return all;
}

}  // namespace loom::behavior
