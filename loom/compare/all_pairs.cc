// SPDX-License-Identifier: MIT
#include <atomic>

#include <loom/base/memory.h>
#include <loom/compare/all_pairs.h>
#include <loom/compare/detail/confirm.h>
#include <loom/compare/detail/near_pairs.h>
#include <loom/compare/detail/sweep.h>

namespace loom::compare {
namespace {

/// All pairs of all pieces by ascending i, then j. Pieces come band after band, so for one i their pairs already come
/// by ascending j, and a counting sort by i that keeps the order does it.
std::vector<SimilarPair> gather(std::vector<std::vector<SimilarPair>>& pieces, std::size_t frames) {
  std::vector<std::size_t> place(frames + 1, 0);
  for (const auto& piece : pieces) {
    for (const SimilarPair& pair : piece) ++place[pair.a + 1];
  }
  for (std::size_t f = 0; f < frames; ++f) place[f + 1] += place[f];
  std::vector<SimilarPair> all(place[frames]);
  for (auto& piece : pieces) {
    for (const SimilarPair& pair : piece) all[place[pair.a]++] = pair;
    piece = {};
  }
  return all;
}

/// Fewer frames are compared in a moment, whichever way.
constexpr std::size_t kFewFrames = 4000;

Result<PairsFound> compare_all(const Metric& metric, const PairQuery& query, bool local_minima,
                               const Progress& progress, const BackEnd& back_end) {
  Sweep sweep(metric, back_end, progress);
  std::vector<std::vector<SimilarPair>> pieces(sweep.size());
  std::atomic<std::size_t> found = 0;
  const bool done = sweep.run([&](std::size_t n, const Piece& piece) {
    thread_local std::vector<Candidate> candidates;
    candidates.clear();
    back_end.find_candidates(metric, piece, {query.threshold, local_minima}, candidates);
    confirm(metric, query, local_minima, candidates, pieces[n]);
    if ((found += pieces[n].size()) > query.max_pairs) sweep.stop();
  });
  if (found > query.max_pairs) {
    return too_many_pairs(query);
  }
  if (!done) return fail_as(ErrorKind::kStopped, "comparing was stopped");
  PairsFound result{gather(pieces, metric.frames().frames()), {}};
  result.stats = sweep.stats();
  return result;
}

Result<PairsFound> search(const Metric& metric, const PairQuery& query, bool local_minima, const Progress& progress,
                          const BackEnd& back_end) {
  if (auto supported = back_end.supports(metric); !supported) return fail_from(supported);
  if (auto good = check(metric, query); !good) return fail_from(good);
  const auto* cloud = dynamic_cast<const PointCloud*>(&metric);
  if (query.search == PairSearch::kNearPairs && cloud == nullptr) {
    return fail("near pairs are looked for among point clouds alone; joint angles are compared all with all");
  }
  const bool few = metric.frames().frames() < kFewFrames || &back_end != &cpu_back_end();
  if (cloud != nullptr && (query.search == PairSearch::kNearPairs || (query.search == PairSearch::kQuicker && !few))) {
    const NearPairs near(*cloud);
    if (query.search == PairSearch::kNearPairs || near.cost(query.threshold) < 1) {
      return near.find(query, local_minima, progress);
    }
  }
  return compare_all(metric, query, local_minima, progress, back_end);
}

}  // namespace

double comparison_bytes(std::size_t frames, std::size_t joints) {
  // FrameSet: positions, rotations, ground. Metric: points by frame and by coordinate, and a few sums. Near pairs: the
  // points once more, and the numbers they are told by.
  const auto j = static_cast<double>(joints);
  return static_cast<double>(frames) * (28 * j + 12 + 16 * j + 36 + 12 * j + 150);
}

Result<PairsFound> find_pairs_under(const Metric& metric, const PairQuery& query, const Progress& progress,
                                    const BackEnd& back_end) {
  return within_memory("comparing so many frames", [&] { return search(metric, query, false, progress, back_end); });
}

Result<PairsFound> find_local_minima(const Metric& metric, const PairQuery& query, const Progress& progress,
                                     const BackEnd& back_end) {
  return within_memory("comparing so many frames", [&] { return search(metric, query, true, progress, back_end); });
}

}  // namespace loom::compare
