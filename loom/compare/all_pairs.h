// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/compare/back_end.h>
#include <loom/compare/metric.h>
#include <loom/compare/similar_pair.h>
#include <loom/motion/contacts.h>

namespace loom::compare {

/// How pairs are looked for. The answer is the same either way.
enum class PairSearch : std::uint8_t {
  kQuicker,    ///< the quicker of the two, as far as a sample tells
  kEveryPair,  ///< all are compared
  /// Point clouds alone: those that a lower bound keeps apart are skipped (`cpu/cpu_near.h`). Slower than comparing all
  /// where more than about one pair in fifty is under the threshold.
  kNearPairs,
};

/// Which pairs to look for.
struct PairQuery {
  double threshold = 0;  ///< pairs at this distance or nearer, in the metric's unit
  /// Pairs of one clip closer in time than this many frames are left out: they are alike because they are the same
  /// movement, and a transition between them leads nowhere.
  std::size_t min_gap = 11;
  /// The contact rule: with one stance a frame (`frame_stances.h`), no pair of a left-foot and a right-foot stance.
  /// Empty: no rule.
  std::span<const motion::Stance> stances;
  std::size_t max_pairs = std::size_t{1} << 26;  ///< more are an error, not a flood of memory
  PairSearch search = PairSearch::kQuicker;
};

/// What a pass over all pairs cost.
struct SweepStats {
  std::string on;                ///< what computed: "cpu" or "cuda", of a cluster both as "cpu+cuda"
  std::string why_not_the_card;  ///< where it might have been used and was not: in words
  std::uint64_t compared = 0;    ///< pairs (i < j) of comparable frames whose distance was computed
  std::uint64_t skipped = 0;     ///< pairs that a lower bound kept apart
  double seconds = 0;            ///< wall clock
  double pairs_per_second = 0;   ///< compared or skipped
  std::size_t threads = 0;
  std::size_t peak_memory_bytes = 0;  ///< of the whole process so far
};

struct PairsFound {
  std::vector<SimilarPair>
      pairs;  ///< frames of the set, a < b, by ascending a, then b; `Metric::distance`, rounded once
  SweepStats stats;
};

/// Bytes that laying so many frames out for comparing takes: the set and the tables of a metric, without what is found.
double comparison_bytes(std::size_t frames, std::size_t joints);

/// Every pair of comparable frames at or under the threshold: exact, on all cores, in memory for the answer and the
/// frames alone. The answer is the one `Metric::distance` gives, pair by pair, whatever the number of threads, the
/// vector unit, the back end or the way of searching. O(frames²) where all are compared; else a hundredth of that, and
/// what the pairs near the threshold cost.
///
/// Fails when the query makes no sense, when more than `max_pairs` are found (saying so), when the back end cannot
/// compute the metric, when near pairs are asked for of another metric than point clouds, or when `progress` asks to
/// stop.
Result<PairsFound> find_pairs_under(const Metric& metric, const PairQuery& query, const Progress& progress = {},
                                    const BackEnd& back_end = cpu_back_end());

/// Of those, the local minima of the distance over (i, j): none of the eight neighbours (i ± 1, j ± 1) within the two
/// clips is nearer; of equal neighbours the first by (i, j) counts. What a motion graph keeps (Zhao 2009 §3.2).
Result<PairsFound> find_local_minima(const Metric& metric, const PairQuery& query, const Progress& progress = {},
                                     const BackEnd& back_end = cpu_back_end());

/// The distances under which given shares (each in [0, 1]) of all pairs lie, estimated from `samples` pairs drawn at
/// random: for choosing a threshold without a pass over all. Deterministic for a seed. Fails when fewer than two
/// frames are comparable or a share is outside.
Result<std::vector<double>> distance_quantiles(const Metric& metric, std::span<const double> shares,
                                               std::size_t samples = 200000, std::uint64_t seed = 1);

}  // namespace loom::compare
