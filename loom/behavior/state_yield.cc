// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include <loom/base/parallel.h>
#include <loom/behavior/state_yield.h>

namespace loom::behavior {
namespace {

constexpr std::size_t kMostCompared = 4000;  ///< frames a side, evenly spread, when looking for what is nearest

std::vector<std::uint32_t> thinned(const std::vector<std::uint32_t>& frames) {
  const std::size_t stride = frames.size() / kMostCompared + 1;
  std::vector<std::uint32_t> some;
  for (std::size_t i = 0; i < frames.size(); i += stride) some.push_back(frames[i]);
  return some;
}

MissingTransition named(const StateFrames& frames, std::span<const graph::GraphClip> clips, std::uint32_t from,
                        std::uint32_t to, double distance) {
  const std::uint32_t a = frames.numbers().clip_of(from), b = frames.numbers().clip_of(to);
  return {clips[a].title(), clips[b].title(), clips[a].begin + from - frames.numbers().first(a),
          clips[b].begin + to - frames.numbers().first(b), distance};
}

/// The nearest of all transitions the machine allows from one of `sources` to one of `targets`.
std::optional<MissingTransition> nearest(const StateFrames& frames, std::span<const graph::GraphClip> clips,
                                         const compare::Metric& metric, const std::vector<std::uint32_t>& sources,
                                         const std::vector<std::uint32_t>& targets) {
  struct Best {
    double distance = std::numeric_limits<double>::infinity();
    std::uint32_t to = 0;
  };
  const std::vector<std::uint32_t> from = thinned(sources), to = thinned(targets);
  std::vector<Best> best(from.size());
  parallel_for(from.size(), 16, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (!metric.comparable(from[i])) continue;
      for (const std::uint32_t t : to) {
        // A transition leads to the frame after the similar one.
        if (t == 0 || !frames.numbers().goes_on(t - 1) || !metric.comparable(t - 1) || !frames.allows(from[i], t)) {
          continue;
        }
        const double distance = metric.distance(from[i], t - 1);
        if (distance < best[i].distance) best[i] = {distance, t};
      }
    }
  });
  const auto found =
      std::min_element(best.begin(), best.end(), [](const Best& x, const Best& y) { return x.distance < y.distance; });
  if (found == best.end() || !(found->distance < std::numeric_limits<double>::infinity())) return std::nullopt;
  return named(frames, clips, from[static_cast<std::size_t>(found - best.begin())], found->to, found->distance);
}

/// Why a state lost all its motion, from which of its frames can be reached from what was kept and which lead back.
std::string reason_for_loss(const std::vector<std::uint32_t>& lost, const StatePruning& pruning, bool kept_any,
                            const std::vector<bool>& reached, const std::vector<bool>& returns) {
  if (lost.empty()) return "the library has no motion for it";
  if (!kept_any) return "nothing is left of the graph";
  const bool alone =
      std::all_of(lost.begin(), lost.end(), [&](std::uint32_t f) { return pruning.fate[f] == Fate::kOutsideSelf; });
  if (alone) return "no part of it goes on for ever within the state, as its self transition asks";
  const auto any = [&](const std::vector<bool>& marks) {
    return std::any_of(lost.begin(), lost.end(), [&](std::uint32_t f) { return marks[f]; });
  };
  const bool in = any(reached), out = any(returns);
  if (in && out) return "it is entered only after the last moment from which it can be left";
  if (in) return "it can be entered but not left";
  return out ? "it can be left but not entered" : "nothing of it is similar enough to what was kept";
}

}  // namespace

std::vector<StateYield> find_yields(const StateMachine& machine, const StateFrames& frames,
                                    std::span<const graph::GraphClip> clips, graph::EdgesView edges,
                                    const StatePruning& pruning, const compare::Metric& metric) {
  std::vector<std::vector<std::uint32_t>> of_state(machine.states.size());
  std::vector<std::uint32_t> kept;
  for (std::uint32_t f = 0; f < frames.numbers().total(); ++f) {
    if (frames.state_of(f) != kNoState) of_state[frames.state_of(f)].push_back(f);
    if (pruning.fate[f] == Fate::kKept) kept.push_back(f);
  }
  const graph::FrameGraph backwards = graph::reversed(edges);
  const std::vector<bool> reached = graph::reachable(edges, kept), returns = graph::reachable(backwards.view(), kept);
  std::vector<StateYield> yields;
  for (std::uint32_t s = 0; s < machine.states.size(); ++s) {
    const std::vector<std::uint32_t>& all = of_state[s];
    StateYield yield{s, all.size(), 0, {}, {}, {}};
    for (const std::uint32_t f : all) yield.kept += pruning.fate[f] == Fate::kKept ? 1 : 0;
    if (yield.kept == 0) {
      yield.reason = reason_for_loss(all, pruning, !kept.empty(), reached, returns);
      // Where nothing at all is left, the rest of the motion stands for what would have been kept.
      std::vector<std::uint32_t> others = kept;
      for (std::uint32_t o = 0; others.empty() && o < machine.states.size(); ++o) {
        if (o != s) others.insert(others.end(), of_state[o].begin(), of_state[o].end());
      }
      yield.missing_in = nearest(frames, clips, metric, others, all);
      yield.missing_out = nearest(frames, clips, metric, all, others);
    } else if (yield.kept < yield.frames) {
      yield.reason = fmt::format("{} frames cannot be both reached and left", yield.frames - yield.kept);
    }
    yields.push_back(std::move(yield));
  }
  return yields;
}

std::string describe_missing(const StateYield& yield) {
  const auto told = [](const char* which, const std::optional<MissingTransition>& missing) {
    if (!missing) return std::string{};
    return fmt::format("; the nearest way {} is from '{}' frame {} to '{}' frame {}, at a distance of {:.3g}", which,
                       missing->from_clip, missing->from_frame, missing->to_clip, missing->to_frame, missing->distance);
  };
  return told("in", yield.missing_in) + told("out", yield.missing_out);
}

}  // namespace loom::behavior
