// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <loom/base/parallel.h>
#include <loom/base/whole.h>
#include <loom/graph/detail/stay.h>

namespace loom::graph {
namespace {

constexpr double kNoWay = std::numeric_limits<double>::infinity();
constexpr std::size_t kNodesAtOnce = 8192;  ///< fewer are not worth waking a thread for, every frame
constexpr std::size_t kFramesATold = 256;   ///< frames between two reports of progress

/// As many frames in a stretch as make what is kept and what is done again take the same room.
std::size_t stretch_for(std::size_t frames) {
  return std::max<std::size_t>(1, to_whole<std::size_t>(std::ceil(std::sqrt(2.0 * static_cast<double>(frames)))));
}

bool anywhere(std::span<const double> cost) {
  return std::any_of(cost.begin(), cost.end(), [](double c) { return c < kNoWay; });
}

}  // namespace

Stay::Stay(const MotionGraph& graph, std::span<const Node> nodes, const PathCost& cost)
    : nodes_(nodes.begin(), nodes.end()), first_(nodes.size() + 1) {
  constexpr std::uint32_t kOutside = ~std::uint32_t{0};
  std::vector<std::uint32_t> place(graph.nodes(), kOutside);
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) place[nodes_[i]] = i;
  const auto for_each_step = [&](const auto& visit) {
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
      const Node n = nodes_[i];
      if (graph.goes_on(n) && place[n + 1] != kOutside) visit(i, place[n + 1], cost.frame);
      for (const Transition& t : graph.transitions_of(n)) {
        if (place[t.to] == kOutside) continue;
        visit(i, place[t.to], cost.frame + cost.change + cost.roughness * static_cast<double>(t.cost));
      }
    }
  };
  for_each_step([&](std::uint32_t, std::uint32_t to, double) { ++first_[to + 1]; });
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  come_from_.resize(first_.back());
  step_cost_.resize(first_.back());
  std::vector<std::uint32_t> fill(first_.begin(), first_.end() - 1);
  for_each_step([&](std::uint32_t from, std::uint32_t to, double step) {
    come_from_[fill[to]] = from;
    step_cost_[fill[to]++] = step;
  });
}

double Stay::bytes(std::size_t frames) const {
  const auto stretch = static_cast<double>(stretch_for(frames)), count = static_cast<double>(nodes_.size());
  return count * (static_cast<double>(frames) / stretch * sizeof(double) + stretch * sizeof(std::uint32_t));
}

void Stay::step(std::span<const double> now, std::span<double> later, std::uint32_t* from) const {
  parallel_for(nodes_.size(), kNodesAtOnce, [&](std::size_t begin, std::size_t end) {
    for (std::size_t to = begin; to < end; ++to) {
      double best = kNoWay;
      for (std::uint32_t e = first_[to]; e < first_[to + 1]; ++e) {
        const double total = now[come_from_[e]] + step_cost_[e];
        if (total >= best) continue;  // of equals the first counts
        best = total;
        if (from) from[to] = come_from_[e];
      }
      later[to] = best;
    }
  });
}

std::size_t Stay::run(std::vector<double>& cost, std::size_t frames, const Progress& progress) {
  frames_ = frames;
  stretch_ = stretch_for(frames);
  kept_.clear();
  std::vector<double> later(cost.size());
  for (std::size_t f = 0; f < frames; ++f) {
    if (f % stretch_ == 0) kept_.push_back(cost);
    step(cost, later, nullptr);
    if (!anywhere(later)) return f;
    cost.swap(later);
    const double share = static_cast<double>(f) / static_cast<double>(frames);
    if (f % kFramesATold == 0 && !progress.report(share, "looking for a way to stay")) return f;
  }
  return frames;
}

std::vector<Node> Stay::way_to(std::size_t end) const {
  std::vector<Node> way(frames_ + 1);
  way[frames_] = nodes_[end];
  std::vector<std::uint32_t> from(stretch_ * nodes_.size());
  std::vector<double> now, later(nodes_.size());
  for (std::size_t s = kept_.size(); s-- > 0;) {
    const std::size_t begin = s * stretch_, length = std::min(stretch_, frames_ - begin);
    now = kept_[s];
    for (std::size_t f = 0; f < length; ++f) {
      step(now, later, from.data() + f * nodes_.size());
      now.swap(later);
    }
    for (std::size_t f = length; f-- > 0;) {
      end = from[f * nodes_.size() + end];
      way[begin + f] = nodes_[end];
    }
  }
  return way;
}

}  // namespace loom::graph
