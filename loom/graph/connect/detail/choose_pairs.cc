// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <tuple>

#include <loom/base/parallel.h>
#include <loom/base/progress_part.h>
#include <loom/base/whole.h>
#include <loom/graph/connect/detail/choose_pairs.h>

namespace loom::graph {
namespace {

constexpr std::size_t kNearest = 3;  ///< partners that every segment begins with
constexpr int kRounds = 3;           ///< of adding
constexpr std::size_t kAdded = 6;    ///< pairs that a segment may add in a round: those that promise most
constexpr double kMostGained = 90;   ///< frames; what cannot be reached at all counts as much
/// A pair is added where it promises a way that is shorter than what there is by this factor and by so many frames.
constexpr double kShorter = 1.5, kFramesShorter = 6;
constexpr double kMeanRoughness = 0.4;  ///< of a way under the threshold

/// What a pair promises: frames that a way becomes shorter by, in so many steps. The most comes first.
struct Promise {
  double gained = 0, steps = 0;
  std::size_t which = 0;

  friend bool operator<(const Promise& x, const Promise& y) {
    return std::tuple(-x.gained, x.steps, x.which) < std::tuple(-y.gained, y.steps, y.which);
  }
};

class Choice {
 public:
  Choice(std::span<const SegmentPair> pairs, const ChoiceSetting& setting)
      : pairs_(pairs), setting_(setting), taken_(pairs.size(), 0) {
    steps_.reserve(pairs.size());
    for (const SegmentPair& pair : pairs) {
      steps_.push_back(steps_between(static_cast<double>(pair.apart), setting.threshold, setting.squares));
    }
  }

  Result<std::vector<SegmentPair>> make(const Progress& progress) {
    take_nearest();
    for (int round = 0; round < kRounds; ++round) {
      const double from = static_cast<double>(round) / kRounds;
      const auto graph = setting_.graph_of(taken(), part_of(progress, from, from + 1.0 / kRounds));
      if (!graph) return fail_from(graph);
      if (add_where_shorter(*graph) == 0) break;
    }
    return taken();
  }

 private:
  [[nodiscard]] std::vector<SegmentPair> taken() const {
    std::vector<SegmentPair> chosen;
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      if (taken_[i] != 0) chosen.push_back(pairs_[i]);
    }
    return chosen;
  }

  /// Whether one can get from one motion of a pair to the other before the shorter of the two is over.
  [[nodiscard]] bool can_be_crossed(std::size_t i) const {
    const auto& segments = setting_.segments;
    return steps_[i] <= static_cast<double>(std::min(segments[pairs_[i].p].frames(), segments[pairs_[i].q].frames()));
  }

  void take_nearest() {
    std::vector<std::vector<std::size_t>> of_segment(setting_.segments.size());
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      of_segment[pairs_[i].p].push_back(i);
      of_segment[pairs_[i].q].push_back(i);
    }
    for (auto& partners : of_segment) {
      std::sort(partners.begin(), partners.end(), [&](std::size_t x, std::size_t y) {
        return std::tie(pairs_[x].apart, x) < std::tie(pairs_[y].apart, y);
      });
      for (std::size_t k = 0; k < std::min(kNearest, partners.size()); ++k) taken_[partners[k]] = 1;
    }
  }

  [[nodiscard]] std::uint32_t node_of(const ContactSegment& segment, double frames_in) const {
    const auto in = std::min(to_whole<std::uint32_t>(frames_in), segment.frames() - 1);
    return setting_.numbers.first(segment.clip) + segment.begin + in;
  }

  /// Adds pairs that promise much shorter ways than a graph has; returns how many.
  std::size_t add_where_shorter(const WayGraph& graph) {
    const auto& segments = setting_.segments;
    // The pairs of each segment, as the one that is left.
    std::vector<std::vector<std::size_t>> from(segments.size());
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      if (taken_[i] != 0 || !can_be_crossed(i)) continue;
      from[pairs_[i].p].push_back(i);
      from[pairs_[i].q].push_back(i);
    }
    std::vector<std::uint8_t> add(2 * pairs_.size(), 0);  // by the one segment, and by the other
    const std::size_t grain = std::max<std::size_t>(1, segments.size() / (4 * thread_count()) + 1);
    parallel_for(segments.size(), grain, [&](std::size_t begin, std::size_t end) {
      WaySearch search(graph);
      for (std::size_t s = begin; s < end; ++s) {
        if (from[s].empty()) continue;
        search.run(node_of(segments[s], 0));
        std::vector<Promise> promises;
        for (const std::size_t i : from[s]) {
          const bool first = pairs_[i].p == s;
          const ContactSegment& other = segments[first ? pairs_[i].q : pairs_[i].p];
          const double promised = steps_[i] * (1 + setting_.smoothness * kMeanRoughness);
          const std::uint32_t known = search.cost(node_of(other, steps_[i]));
          const double frames = static_cast<double>(known) / kFrameCost;
          if (known != kNoWay && frames <= std::max(kShorter * promised, promised + kFramesShorter)) continue;
          promises.push_back({known == kNoWay ? kMostGained : std::min(kMostGained, frames - promised), steps_[i],
                              2 * i + (first ? 0 : 1)});
        }
        const std::size_t most = std::min(kAdded, promises.size());
        std::partial_sort(promises.begin(), promises.begin() + static_cast<std::ptrdiff_t>(most), promises.end());
        for (std::size_t k = 0; k < most; ++k) add[promises[k].which] = 1;
      }
    });
    std::size_t added = 0;
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      if (add[2 * i] == 0 && add[2 * i + 1] == 0) continue;
      taken_[i] = 1;
      ++added;
    }
    return added;
  }

  std::span<const SegmentPair> pairs_;
  const ChoiceSetting& setting_;
  std::vector<double> steps_;        ///< of each pair
  std::vector<std::uint8_t> taken_;  ///< pairs
};

}  // namespace

Result<std::vector<SegmentPair>> choose_pairs(std::span<const SegmentPair> pairs, const ChoiceSetting& setting,
                                              const Progress& progress) {
  return Choice(pairs, setting).make(progress);
}

}  // namespace loom::graph
