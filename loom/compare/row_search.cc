// SPDX-License-Identifier: MIT
#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <loom/base/memory.h>
#include <loom/base/parallel.h>
#include <loom/compare/detail/confirm.h>
#include <loom/compare/detail/near_pairs.h>
#include <loom/compare/detail/sweep.h>
#include <loom/compare/row_search.h>

namespace loom::compare {
namespace {

/// Fewer frames are compared all with all before a search for near pairs has made itself ready: principal axes take as
/// long for few frames as for many.
constexpr std::size_t kFewFrames = 10000;

/// Candidates that one thread confirms at a time where there are many more: some pieces have most of them.
constexpr std::size_t kConfirmedAtATime = 2048;

/// `confirm`, by all threads where that is worth it. Takes the candidates, since a thread that waits for others here
/// may begin another piece meanwhile.
std::vector<SimilarPair> confirm_together(const Metric& metric, const PairQuery& query, bool local_minima,
                                          std::vector<Candidate> candidates) {
  std::vector<std::vector<SimilarPair>> parts((candidates.size() + kConfirmedAtATime - 1) / kConfirmedAtATime);
  parallel_for(parts.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t n = begin; n < end; ++n) {
      const std::size_t first = n * kConfirmedAtATime, count = std::min(kConfirmedAtATime, candidates.size() - first);
      confirm(metric, query, local_minima, std::span(candidates).subspan(first, count), parts[n]);
    }
  });
  std::vector<SimilarPair> pairs;
  for (const auto& part : parts) pairs.insert(pairs.end(), part.begin(), part.end());
  return pairs;
}

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

}  // namespace

struct RowSearch::State {
  const Metric* metric = nullptr;
  const BackEnd* back_end = nullptr;
  PairQuery query;
  bool local_minima = false;
  std::unique_ptr<NearPairs> near;          ///< where most pairs are skipped
  std::unique_ptr<CandidateFinder> finder;  ///< where all are compared

  [[nodiscard]] Result<PairsFound> compare_all(const RowRange& rows, const Progress& progress) const {
    Sweep sweep(*metric, back_end->preferred_piece(), rows, progress);
    std::vector<std::vector<SimilarPair>> pieces(sweep.size());
    std::atomic<std::size_t> found = 0;
    std::mutex failing;
    std::optional<Error> failed;
    const bool done = sweep.run([&](std::size_t n, const Piece& piece) {
      thread_local std::vector<Candidate> candidates;
      candidates.clear();
      if (const auto looked = finder->find(piece, {query.threshold, local_minima}, candidates); !looked) {
        const std::scoped_lock lock(failing);
        failed = looked.error();
        sweep.stop();
        return;
      }
      // A back end may look at whole tiles.
      std::erase_if(candidates, [&](const Candidate& pair) { return pair.i >= rows.end; });
      if (candidates.size() > 4 * kConfirmedAtATime) {
        pieces[n] = confirm_together(*metric, query, local_minima, std::exchange(candidates, {}));
      } else {
        confirm(*metric, query, local_minima, candidates, pieces[n]);
      }
      if ((found += pieces[n].size()) > query.max_pairs) sweep.stop();
    });
    if (failed) return tl::unexpected<Error>(std::move(*failed));
    if (found > query.max_pairs) return too_many_pairs(query);
    if (!done) return fail_as(ErrorKind::kStopped, "comparing was stopped");
    PairsFound result{gather(pieces, metric->frames().frames()), {}};
    result.stats = sweep.stats();
    result.stats.on = back_end->kind();
    return result;
  }
};

RowSearch::RowSearch(std::unique_ptr<State> state) : state_(std::move(state)) {}
RowSearch::RowSearch(RowSearch&&) noexcept = default;
RowSearch& RowSearch::operator=(RowSearch&&) noexcept = default;
RowSearch::~RowSearch() = default;

Result<RowSearch> RowSearch::create(const Metric& metric, const PairQuery& query, bool local_minima,
                                    const BackEnd& back_end) {
  if (auto supported = back_end.supports(metric); !supported) return fail_from(supported);
  if (auto good = check(metric, query); !good) return fail_from(good);
  const auto* cloud = dynamic_cast<const PointCloud*>(&metric);
  if (query.search == PairSearch::kNearPairs && cloud == nullptr) {
    return fail("near pairs are looked for among point clouds alone; joint angles are compared all with all");
  }
  auto state = std::make_unique<State>();
  state->metric = &metric;
  state->back_end = &back_end;
  state->query = query;
  state->local_minima = local_minima;
  const bool few = metric.frames().frames() < kFewFrames || &back_end != &cpu_back_end();
  if (cloud != nullptr && (query.search == PairSearch::kNearPairs || (query.search == PairSearch::kQuicker && !few))) {
    state->near = std::make_unique<NearPairs>(*cloud);
    if (query.search == PairSearch::kQuicker && state->near->cost(query.threshold) >= 1) state->near.reset();
  }
  if (state->near == nullptr) {
    auto finder = back_end.prepare(metric);
    if (!finder) return fail_from(finder);
    state->finder = std::move(*finder);
  }
  return RowSearch(std::move(state));
}

Result<PairsFound> RowSearch::find(const RowRange& rows, const Progress& progress) const {
  return within_memory("comparing so many frames", [&] {
    return state_->near != nullptr ? state_->near->find(state_->query, state_->local_minima, rows, progress)
                                   : state_->compare_all(rows, progress);
  });
}

PairSearch RowSearch::way() const { return state_->near != nullptr ? PairSearch::kNearPairs : PairSearch::kEveryPair; }

}  // namespace loom::compare
