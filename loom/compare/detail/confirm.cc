// SPDX-License-Identifier: MIT
#include <cmath>

#include <fmt/format.h>

#include <loom/compare/detail/confirm.h>

namespace loom::compare {
namespace {

bool opposite_feet(motion::Stance a, motion::Stance b) {
  using motion::Stance;
  return (a == Stance::kLeft && b == Stance::kRight) || (a == Stance::kRight && b == Stance::kLeft);
}

}  // namespace

bool admitted(const Metric& metric, const PairQuery& query, const Candidate& pair) {
  if (pair.j - pair.i < query.min_gap && metric.frames().address(pair.i).clip == metric.frames().address(pair.j).clip) {
    return false;
  }
  return query.stances.empty() || !opposite_feet(query.stances[pair.i], query.stances[pair.j]);
}

bool is_local_minimum(const Metric& metric, const Candidate& pair, double distance) {
  // The likeliest to be nearer come first: along the diagonal the distance changes least.
  constexpr int kSteps[8][2] = {{1, 1}, {-1, -1}, {0, 1}, {0, -1}, {1, 0}, {-1, 0}, {-1, 1}, {1, -1}};
  for (const auto& step : kSteps) {
    const std::size_t i = pair.i + static_cast<std::size_t>(step[0]), j = pair.j + static_cast<std::size_t>(step[1]);
    // Past the ends of a clip nothing is comparable, and -1 wraps round to a frame that is not there.
    if (i >= metric.frames().frames() || j >= metric.frames().frames()) continue;
    if (!metric.comparable(i) || !metric.comparable(j)) continue;
    const double other = metric.distance(i, j);
    const bool before = step[0] < 0 || (step[0] == 0 && step[1] < 0);
    if (other < distance || (other == distance && before)) return false;
  }
  return true;
}

void confirm(const Metric& metric, const PairQuery& query, bool local_minima, std::span<const Candidate> candidates,
             std::vector<SimilarPair>& pairs) {
  for (const Candidate& pair : candidates) {
    if (!admitted(metric, query, pair)) continue;
    const double distance = metric.distance(pair.i, pair.j);
    if (distance > query.threshold) continue;
    if (local_minima && !is_local_minimum(metric, pair, distance)) continue;
    pairs.push_back({pair.i, pair.j, static_cast<float>(distance)});
  }
}

Result<void> check(const Metric& metric, const PairQuery& query) {
  if (!std::isfinite(query.threshold) || query.threshold < 0) {
    return fail(fmt::format("the threshold is {}; zero or a positive number was expected", query.threshold));
  }
  if (!query.stances.empty() && query.stances.size() != metric.frames().frames()) {
    return fail(fmt::format("{} stances were given for {} frames", query.stances.size(), metric.frames().frames()));
  }
  return {};
}

tl::unexpected<Error> too_many_pairs(const PairQuery& query) {
  return fail(
      fmt::format("more than {} pairs lie under the threshold {}; take a lower one", query.max_pairs, query.threshold));
}

}  // namespace loom::compare
