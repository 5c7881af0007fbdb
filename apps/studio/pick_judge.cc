// SPDX-License-Identifier: MIT
#include "studio/pick_judge.h"

#include <algorithm>
#include <limits>

#include <loom/base/parallel.h>

namespace loom::studio {
namespace {

using graph::Node;

constexpr std::uint32_t kFar = std::numeric_limits<std::uint32_t>::max();

/// The part of a graph that was picked, its nodes numbered anew.
struct Part {
  std::vector<Node> nodes;            ///< of the graph, ascending
  std::vector<std::uint32_t> number;  ///< of every node of the graph; kFar: not picked
  std::vector<std::uint32_t> first, to;

  Part(const graph::MotionGraph& graph, std::span<const std::vector<PickedNodes>> keys,
       std::span<const PickedNodes> picked)
      : number(graph.nodes(), kFar) {
    const auto take = [&](const PickedNodes& range) {
      std::fill(number.begin() + range.begin, number.begin() + range.end, 0);
    };
    for (const auto& key : keys) std::for_each(key.begin(), key.end(), take);
    std::for_each(picked.begin(), picked.end(), take);
    for (Node node = 0; node < graph.nodes(); ++node) {
      if (number[node] == kFar) continue;
      number[node] = static_cast<std::uint32_t>(nodes.size());
      nodes.push_back(node);
    }
    for (const Node node : nodes) {
      first.push_back(static_cast<std::uint32_t>(to.size()));
      if (graph.goes_on(node) && number[node + 1] != kFar) to.push_back(number[node + 1]);
      for (const graph::Transition& transition : graph.transitions_of(node)) {
        if (number[transition.to] != kFar) to.push_back(number[transition.to]);
      }
    }
    first.push_back(static_cast<std::uint32_t>(to.size()));
  }

  /// Frames from one node of the part to every other.
  void search(std::uint32_t from, std::vector<std::uint32_t>& frames, std::vector<std::uint32_t>& queue) const {
    frames.assign(nodes.size(), kFar);
    queue.assign(1, from);
    frames[from] = 0;
    for (std::size_t next = 0; next < queue.size(); ++next) {
      const std::uint32_t here = queue[next];
      for (std::uint32_t e = first[here]; e < first[here + 1]; ++e) {
        if (frames[to[e]] != kFar) continue;
        frames[to[e]] = frames[here] + 1;
        queue.push_back(to[e]);
      }
    }
  }
};

/// Sums of the ways of one frame to one key motion.
struct Sums {
  std::size_t asked = 0, connected = 0, quick = 0;
  std::uint64_t frames = 0;
};

std::vector<std::uint32_t> frames_of(const Part& part, const std::vector<PickedNodes>& key) {
  std::vector<std::uint32_t> frames;
  for (const PickedNodes& range : key) {
    for (Node node = range.begin; node < range.end; ++node) frames.push_back(part.number[node]);
  }
  std::sort(frames.begin(), frames.end());
  frames.erase(std::unique(frames.begin(), frames.end()), frames.end());
  return frames;
}

}  // namespace

PickJudgement judge_picked(const graph::MotionGraph& graph, std::span<const std::vector<PickedNodes>> keys,
                           std::span<const PickedNodes> picked, std::uint32_t within) {
  const Part part(graph, keys, picked);
  std::vector<std::vector<std::uint32_t>> of_key;
  std::vector<std::uint32_t> sources;
  for (const auto& key : keys) {
    of_key.push_back(frames_of(part, key));
    sources.insert(sources.end(), of_key.back().begin(), of_key.back().end());
  }
  std::sort(sources.begin(), sources.end());
  sources.erase(std::unique(sources.begin(), sources.end()), sources.end());
  std::vector<Sums> sums(sources.size() * keys.size());
  parallel_for(sources.size(), 8, [&](std::size_t begin, std::size_t end) {
    std::vector<std::uint32_t> frames, queue;
    for (std::size_t s = begin; s < end; ++s) {
      part.search(sources[s], frames, queue);
      for (std::size_t k = 0; k < keys.size(); ++k) {
        Sums& sum = sums[s * keys.size() + k];
        for (const std::uint32_t target : of_key[k]) {
          if (target == sources[s]) continue;
          ++sum.asked;
          if (frames[target] == kFar) continue;
          ++sum.connected;
          sum.frames += frames[target];
          if (frames[target] <= within) ++sum.quick;
        }
      }
    }
  });
  PickJudgement judged;
  judged.frames = part.nodes.size();
  judged.edges = part.to.size();
  judged.key_frames = sources.size();
  std::uint64_t all_frames = 0;
  for (std::size_t from = 0; from < keys.size(); ++from) {
    for (std::size_t to = 0; to < keys.size(); ++to) {
      Sums sum;
      for (const std::uint32_t source : of_key[from]) {
        const auto s =
            static_cast<std::size_t>(std::lower_bound(sources.begin(), sources.end(), source) - sources.begin());
        const Sums& one = sums[s * keys.size() + to];
        sum = {sum.asked + one.asked, sum.connected + one.connected, sum.quick + one.quick, sum.frames + one.frames};
      }
      judged.asked += sum.asked;
      judged.connected += sum.connected;
      judged.quick += sum.quick;
      all_frames += sum.frames;
      if (from == to) continue;
      judged.pairs.push_back(
          {static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to), sum.asked, sum.connected, sum.quick,
           sum.connected == 0 ? 0 : static_cast<double>(sum.frames) / static_cast<double>(sum.connected)});
    }
  }
  if (judged.connected > 0)
    judged.mean_frames = static_cast<double>(all_frames) / static_cast<double>(judged.connected);
  const auto share = [](std::size_t part_of, std::size_t all) {
    return all == 0 ? 1 : static_cast<double>(part_of) / static_cast<double>(all);
  };
  std::stable_sort(judged.pairs.begin(), judged.pairs.end(), [&](const PickedPair& a, const PickedPair& b) {
    const double quick_a = share(a.quick, a.asked), quick_b = share(b.quick, b.asked);
    const double ways_a = share(a.connected, a.asked), ways_b = share(b.connected, b.asked);
    if (quick_a != quick_b) return quick_a < quick_b;
    return ways_a != ways_b ? ways_a < ways_b : a.mean_frames > b.mean_frames;
  });
  return judged;
}

}  // namespace loom::studio
