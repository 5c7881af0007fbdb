// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include <loom/base/parallel.h>
#include <loom/base/whole.h>
#include <loom/compare/cost_matrix.h>
#include <loom/compare/time_warp.h>
#include <loom/graph/connect/detail/segment_pairs.h>

namespace loom::graph {
namespace {

constexpr std::uint32_t kLongestRatio = 3;                      ///< of two segments that are mixed
constexpr int kSamples = 5;                                     ///< frames that a pair of segments is judged by
constexpr float kMostTurned = 30 * kDegree, kMostApart = 0.4f;  ///< that two motions of a chain may drift, metres
constexpr std::uint32_t kWarpKnot = 4;  ///< frames between two knots of a time map that was found by comparing

/// The comparable frame of a clip nearest to `frame`; none where it has none.
std::optional<std::uint32_t> comparable_near(const FrameNumbers& numbers, std::uint32_t clip, double frame,
                                             std::uint32_t clip_frames, const compare::Metric& metric) {
  const std::uint32_t first = numbers.first(clip);
  const auto at = std::min(to_whole<std::uint32_t>(std::round(std::max(0.0, frame))), clip_frames - 1);
  for (std::uint32_t away = 0; away < clip_frames; ++away) {
    if (at >= away && metric.comparable(first + at - away)) return first + at - away;
    if (at + away < clip_frames && metric.comparable(first + at + away)) return first + at + away;
    if (away > at && at + away >= clip_frames) break;
  }
  return std::nullopt;
}

std::uint32_t frames_of(const FrameNumbers& numbers, std::uint32_t clip) {
  return numbers.first(clip + std::size_t{1}) - numbers.first(clip);
}

/// How far apart the motions of two segments are; none where they cannot be compared.
std::optional<float> apart(const ContactSegment& p, const ContactSegment& q, const FrameNumbers& numbers,
                           const compare::Metric& metric) {
  double sum = 0;
  for (int s = 0; s < kSamples; ++s) {
    const double share = (s + 0.5) / kSamples;
    const auto i = comparable_near(numbers, p.clip, p.begin + share * p.frames(), frames_of(numbers, p.clip), metric);
    const auto j = comparable_near(numbers, q.clip, q.begin + share * q.frames(), frames_of(numbers, q.clip), metric);
    if (!i || !j) return std::nullopt;
    sum += metric.distance(*i, *j);
  }
  return static_cast<float>(sum / kSamples);
}

bool can_be_mixed(const ContactSegment& p, const ContactSegment& q) {
  if (p.contacts != q.contacts) return false;
  return p.frames() <= kLongestRatio * q.frames() && q.frames() <= kLongestRatio * p.frames();
}

/// The time map within two pieces without events at their ends: the best way to lay one beside the other.
void add_warped(const ContactSegment& p, const ContactSegment& q, const FrameNumbers& numbers,
                const compare::Metric& metric, std::vector<take::FrameMatch>& knots) {
  const auto in = [&](const ContactSegment& s, std::uint32_t f) { return numbers.first(s.clip) + s.begin + f; };
  compare::CostMatrix matrix{p.frames(), q.frames(), std::vector<float>(std::size_t{p.frames()} * q.frames())};
  for (std::uint32_t i = 0; i < p.frames(); ++i) {
    for (std::uint32_t j = 0; j < q.frames(); ++j) {
      if (!metric.comparable(in(p, i)) || !metric.comparable(in(q, j))) return;
      matrix.values[std::size_t{i} * q.frames() + j] = static_cast<float>(metric.distance(in(p, i), in(q, j)));
    }
  }
  const auto path = compare::find_warp(matrix);
  if (!path) return;
  for (const compare::WarpCell& cell : path->cells) {
    const take::FrameMatch knot{static_cast<float>(p.begin + cell.row), static_cast<float>(q.begin + cell.column)};
    const bool far_enough = knot.a >= knots.back().a + kWarpKnot && knot.b >= knots.back().b + 1 &&
                            knot.a + kWarpKnot <= static_cast<float>(p.end) && knot.b + 1 <= static_cast<float>(q.end);
    if (far_enough) knots.push_back(knot);
  }
}

class ChainMaker {
 public:
  using Apart = std::map<std::pair<std::uint32_t, std::uint32_t>, float>;

  ChainMaker(const Apart& apart, std::span<const ContactSegment> segments, const FrameNumbers& numbers,
             const compare::Metric& metric)
      : apart_(apart), segments_(segments), numbers_(numbers), metric_(metric) {}

  /// Chains of the pairs (p, q) to (p + count - 1, q + count - 1): one, or two halves where they drift apart.
  void make(std::uint32_t p, std::uint32_t q, std::uint32_t count, std::vector<Chain>& chains) const {
    Chain chain{p, q, count, {}, knots_of(p, q, count)};
    for (std::uint32_t k = 0; k < count; ++k) chain.apart = std::max(chain.apart, apart_.at({p + k, q + k}));
    const auto middle = [&](std::uint32_t segment) {
      const std::uint32_t at = segment + count / 2;
      return count % 2 == 1 ? 0.5 * (segments_[at].begin + segments_[at].end)
                            : static_cast<double>(segments_[at].begin);
    };
    const std::uint32_t a = segments_[p].clip, b = segments_[q].clip;
    const auto i = comparable_near(numbers_, a, middle(p), frames_of(numbers_, a), metric_);
    const auto j = comparable_near(numbers_, b, middle(q), frames_of(numbers_, b), metric_);
    if (!i || !j || chain.knots.size() < 2) return;
    chain.alignment = metric_.alignment(*i, *j);
    if (count > 1 && drifts(chain)) {
      make(p, q, count / 2, chains);
      make(p + count / 2, q + count / 2, count - count / 2, chains);
    } else {
      chains.push_back(std::move(chain));
    }
  }

 private:
  [[nodiscard]] std::vector<take::FrameMatch> knots_of(std::uint32_t p, std::uint32_t q, std::uint32_t count) const {
    std::vector<take::FrameMatch> knots;
    for (std::uint32_t k = 0; k < count; ++k) {
      const ContactSegment &of_a = segments_[p + k], &of_b = segments_[q + k];
      knots.push_back({static_cast<float>(of_a.begin), static_cast<float>(of_b.begin)});
      if (of_a.cut && of_b.cut) add_warped(of_a, of_b, numbers_, metric_, knots);
    }
    const ContactSegment &last_a = segments_[p + count - 1], &last_b = segments_[q + count - 1];
    const auto end_of = [&](const ContactSegment& s) {
      return static_cast<float>(std::min(s.end, frames_of(numbers_, s.clip) - 1));
    };
    const take::FrameMatch last{end_of(last_a), end_of(last_b)};
    // A segment may be the single last frame of its clip.
    while (!knots.empty() && !(last.a > knots.back().a && last.b > knots.back().b)) knots.pop_back();
    knots.push_back(last);
    return knots;
  }

  [[nodiscard]] bool drifts(const Chain& chain) const {
    const std::uint32_t a = segments_[chain.p].clip, b = segments_[chain.q].clip;
    const auto& ground = metric_.frames().ground;
    return std::any_of(chain.knots.begin(), chain.knots.end(), [&](const take::FrameMatch& knot) {
      const motion::GroundFrame at_a = ground[numbers_.first(a) + to_whole<std::uint32_t>(static_cast<double>(knot.a))];
      const motion::GroundFrame at_b =
          chain.alignment * ground[numbers_.first(b) + to_whole<std::uint32_t>(static_cast<double>(knot.b))];
      return std::abs(wrap_angle(at_a.heading - at_b.heading)) > kMostTurned ||
             std::hypot(at_a.x - at_b.x, at_a.z - at_b.z) > kMostApart;
    });
  }

  const Apart& apart_;  ///< of all pairs that were chosen
  std::span<const ContactSegment> segments_;
  const FrameNumbers& numbers_;
  const compare::Metric& metric_;
};

}  // namespace

std::vector<SegmentPair> pairs_of_segments(std::span<const ContactSegment> segments, const FrameNumbers& numbers,
                                           const compare::Metric& metric) {
  std::vector<std::vector<SegmentPair>> of_first(segments.size());
  parallel_for(segments.size(), 8, [&](std::size_t begin, std::size_t end) {
    for (std::size_t p = begin; p < end; ++p) {
      for (std::size_t q = p + 1; q < segments.size(); ++q) {
        if (!can_be_mixed(segments[p], segments[q])) continue;
        if (const auto distance = apart(segments[p], segments[q], numbers, metric)) {
          of_first[p].push_back({static_cast<std::uint32_t>(p), static_cast<std::uint32_t>(q), *distance});
        }
      }
    }
  });
  std::vector<SegmentPair> all;
  for (const auto& pairs : of_first) all.insert(all.end(), pairs.begin(), pairs.end());
  return all;
}

double steps_between(double apart, double threshold, bool squares) {
  return std::max(1.0, squares ? std::sqrt(apart / threshold) : apart / threshold);
}

std::vector<Chain> make_chains(std::span<const SegmentPair> pairs, std::span<const ContactSegment> segments,
                               const FrameNumbers& numbers, const compare::Metric& metric) {
  ChainMaker::Apart chosen;
  for (const SegmentPair& pair : pairs) chosen[{pair.p, pair.q}] = pair.apart;
  const auto follows = [&](std::uint32_t p, std::uint32_t q) {  // (p + 1, q + 1) after (p, q)
    return q + 1 < segments.size() && segments[p].clip == segments[p + 1].clip &&
           segments[q].clip == segments[q + 1].clip && chosen.contains({p + 1, q + 1});
  };
  struct Start {
    std::uint32_t p, q, count;
  };
  std::vector<Start> starts;
  for (const SegmentPair& pair : pairs) {
    if (pair.p > 0 && chosen.contains({pair.p - 1, pair.q - 1}) && follows(pair.p - 1, pair.q - 1)) continue;
    std::uint32_t count = 1;
    while (follows(pair.p + count - 1, pair.q + count - 1)) ++count;
    starts.push_back({pair.p, pair.q, count});
  }
  std::vector<std::vector<Chain>> found(starts.size());
  const ChainMaker maker(chosen, segments, numbers, metric);
  parallel_for(starts.size(), 16, [&](std::size_t begin, std::size_t end) {
    for (std::size_t s = begin; s < end; ++s) maker.make(starts[s].p, starts[s].q, starts[s].count, found[s]);
  });
  std::vector<Chain> chains;
  for (auto& some : found) {
    chains.insert(chains.end(), std::make_move_iterator(some.begin()), std::make_move_iterator(some.end()));
  }
  return chains;
}

}  // namespace loom::graph
