// SPDX-License-Identifier: MIT
#include <atomic>
#include <cmath>

#include <fmt/format.h>

#include <loom/compare/all_pairs.h>
#include <loom/compare/sweep.h>

namespace loom::compare {
namespace {

bool opposite_feet(motion::Stance a, motion::Stance b) {
  using motion::Stance;
  return (a == Stance::kLeft && b == Stance::kRight) || (a == Stance::kRight && b == Stance::kLeft);
}

/// Whether a pair may be reported at all, whatever its distance.
bool admitted(const Metric& metric, const PairQuery& query, const Candidate& pair) {
  if (pair.j - pair.i < query.min_gap && metric.frames().address(pair.i).clip == metric.frames().address(pair.j).clip) {
    return false;
  }
  return query.stances.empty() || !opposite_feet(query.stances[pair.i], query.stances[pair.j]);
}

/// Whether no neighbour of a pair is nearer, and no equal one comes before it.
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

/// Keeps of the candidates those the exact distance confirms.
void confirm(const Metric& metric, const PairQuery& query, bool local_minima, const std::vector<Candidate>& candidates,
             std::vector<Pair>& pairs) {
  for (const Candidate& pair : candidates) {
    if (!admitted(metric, query, pair)) continue;
    const double distance = metric.distance(pair.i, pair.j);
    if (distance > query.threshold) continue;
    if (local_minima && !is_local_minimum(metric, pair, distance)) continue;
    pairs.push_back({pair.i, pair.j, static_cast<float>(distance)});
  }
}

/// All pairs of all pieces by ascending i, then j. Pieces come band after band, so for one i their pairs already come
/// by ascending j, and a counting sort by i that keeps the order does it.
std::vector<Pair> gather(std::vector<std::vector<Pair>>& pieces, std::size_t frames) {
  std::vector<std::size_t> place(frames + 1, 0);
  for (const auto& piece : pieces) {
    for (const Pair& pair : piece) ++place[pair.i + 1];
  }
  for (std::size_t f = 0; f < frames; ++f) place[f + 1] += place[f];
  std::vector<Pair> all(place[frames]);
  for (auto& piece : pieces) {
    for (const Pair& pair : piece) all[place[pair.i]++] = pair;
    piece = {};
  }
  return all;
}

Result<void> check(const Metric& metric, const PairQuery& query, const BackEnd& back_end) {
  if (auto supported = back_end.supports(metric); !supported) return supported;
  if (!std::isfinite(query.threshold) || query.threshold < 0) {
    return fail(fmt::format("the threshold is {}; zero or a positive number was expected", query.threshold));
  }
  if (!query.stances.empty() && query.stances.size() != metric.frames().frames()) {
    return fail(fmt::format("{} stances were given for {} frames", query.stances.size(), metric.frames().frames()));
  }
  return {};
}

Result<PairsFound> search(const Metric& metric, const PairQuery& query, bool local_minima, const Progress& progress,
                          const BackEnd& back_end) {
  if (auto good = check(metric, query, back_end); !good) return fail_from(good);
  Sweep sweep(metric, back_end, progress);
  std::vector<std::vector<Pair>> pieces(sweep.size());
  std::atomic<std::size_t> found = 0;
  const bool done = sweep.run([&](std::size_t n, const Piece& piece) {
    thread_local std::vector<Candidate> candidates;
    candidates.clear();
    back_end.find_candidates(metric, piece, {query.threshold, local_minima}, candidates);
    confirm(metric, query, local_minima, candidates, pieces[n]);
    if ((found += pieces[n].size()) > query.max_pairs) sweep.stop();
  });
  if (found > query.max_pairs) {
    return fail(fmt::format("more than {} pairs lie under the threshold {}; take a lower one", query.max_pairs,
                            query.threshold));
  }
  if (!done) return fail("comparing was stopped");
  PairsFound result{gather(pieces, metric.frames().frames()), {}};
  result.stats = sweep.stats();
  return result;
}

}  // namespace

Result<PairsFound> find_pairs_under(const Metric& metric, const PairQuery& query, const Progress& progress,
                                    const BackEnd& back_end) {
  return within_memory([&] { return search(metric, query, false, progress, back_end); });
}

Result<PairsFound> find_local_minima(const Metric& metric, const PairQuery& query, const Progress& progress,
                                     const BackEnd& back_end) {
  return within_memory([&] { return search(metric, query, true, progress, back_end); });
}

}  // namespace loom::compare
