// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <queue>

#include <fmt/format.h>

#include <loom/base/memory.h>
#include <loom/base/parallel.h>
#include <loom/compare/similar_stretches.h>

namespace loom::compare {
namespace {

constexpr float kNone = std::numeric_limits<float>::infinity();
constexpr std::size_t kFewestFrames = 4;  ///< comparable ones, of an example
constexpr std::size_t kColumns = 8192;    ///< compared at a time by one thread, so that its matrix stays in the cache
constexpr std::size_t kFollowed = 64;     ///< candidates of one search that are kept, as a multiple of what is wanted

/// What a search found: a stretch and its mean distance.
struct Candidate {
  FrameSpan frames;
  std::uint32_t clip = 0;
  float cost = 0;
};

/// A stretch and the frames of it that were compared, waiting to be accepted.
struct Waiting {
  SimilarStretch stretch;
  FrameSpan compared;
  double rank = 0;

  /// Best first; of equal ones the earlier.
  friend bool operator<(const Waiting& a, const Waiting& b) {
    return a.rank != b.rank ? a.rank > b.rank : a.compared.begin > b.compared.begin;
  }
};

bool same_motion(const FrameSpan& a, const FrameSpan& b, double share) {
  const std::size_t begin = std::max(a.begin, b.begin), end = std::min(a.end, b.end);
  if (begin >= end) return false;
  return static_cast<double>(end - begin) > share * static_cast<double>(std::min(a.size(), b.size()));
}

/// Costs of warps that end at each column, and where each began.
struct WarpRow {
  explicit WarpRow(std::size_t columns) : cost(columns, kNone), from(columns, 0) {}

  std::vector<float> cost;
  std::vector<std::uint32_t> from;
};

/// Searches all frames for stretches like one example.
class Search {
 public:
  Search(const Metric& metric, const SimilarOptions& options, double limit)
      : metric_(metric), options_(options), limit_(limit) {
    const std::size_t clips = metric.frames().clips();
    for (std::size_t clip = 0; clip < clips; ++clip) columns_.push_back(comparable_frames(metric, clip));
  }

  [[nodiscard]] const std::vector<FrameSpan>& columns() const { return columns_; }

  /// The candidates like `rows`, comparable frames, nearest first. `ends`, one entry a frame of the set, is filled
  /// where it is given.
  std::vector<Candidate> run(FrameSpan rows, std::size_t least, std::size_t most, std::vector<float>* ends) const {
    std::vector<std::vector<Candidate>> of_clip(columns_.size());
    parallel_for(columns_.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t clip = begin; clip < end; ++clip) {
        of_clip[clip] = search_clip(rows, clip, least, most, ends);
      }
    });
    std::vector<Candidate> all;
    for (const auto& candidates : of_clip) all.insert(all.end(), candidates.begin(), candidates.end());
    sort_and_cut(all, kFollowed * options_.most);
    return all;
  }

 private:
  static void sort_and_cut(std::vector<Candidate>& candidates, std::size_t most) {
    std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
      return a.cost != b.cost ? a.cost < b.cost : a.frames.begin < b.frames.begin;
    });
    if (candidates.size() > most) candidates.resize(most);
  }

  /// Clips are gone through in pieces that overlap by the longest a match can be, so that none is missed.
  std::vector<Candidate> search_clip(FrameSpan rows, std::size_t clip, std::size_t least, std::size_t most,
                                     std::vector<float>* ends) const {
    std::vector<Candidate> found;
    const FrameSpan columns = columns_[clip];
    const std::size_t lap = kMostSpeed * rows.size();
    static thread_local std::vector<float> matrix;
    for (std::size_t from = columns.begin; from < columns.end;) {
      const FrameSpan piece{from, std::min(columns.end, from + kColumns + lap)};
      matrix.resize(rows.size() * piece.size());
      cost_strip(metric_, rows, piece, matrix, piece.size());
      const auto warped = warp_ends(matrix, rows.size(), piece.size());
      // What ends within the lap was, or will be, told by a piece that knows all of it.
      const std::size_t told = from == columns.begin ? 0 : lap;
      for (std::size_t c = told; c < piece.size(); ++c) {
        const WarpEnd& end = warped[c];
        if (ends) (*ends)[piece.begin + c] = end.cost;
        if (!(static_cast<double>(end.cost) <= limit_)) continue;
        if (c > 0 && warped[c - 1].cost < end.cost) continue;
        if (c + 1 < piece.size() && warped[c + 1].cost <= end.cost) continue;
        const FrameSpan frames{piece.begin + end.begin, piece.begin + c + 1};
        if (frames.size() < least || frames.size() > most) continue;
        found.push_back({frames, static_cast<std::uint32_t>(clip), end.cost});
      }
      if (piece.end == columns.end) break;
      from = piece.end - lap;
    }
    sort_and_cut(found, found.size());
    std::vector<Candidate> apart;
    for (const Candidate& candidate : found) {
      const bool again = std::any_of(apart.begin(), apart.end(), [&](const Candidate& other) {
        return same_motion(candidate.frames, other.frames, options_.overlap);
      });
      if (!again) apart.push_back(candidate);
    }
    return apart;
  }

  const Metric& metric_;
  const SimilarOptions& options_;
  double limit_;
  std::vector<FrameSpan> columns_;  ///< comparable frames of each clip
};

/// How far the frames of a stretch lie from the one among them that is most like all.
double spread_of(const Metric& metric, FrameSpan frames) {
  std::vector<float> matrix(frames.size() * frames.size());
  cost_strip(metric, frames, frames, matrix, frames.size());
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < frames.size(); ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < frames.size(); ++j) sum += static_cast<double>(matrix[i * frames.size() + j]);
    least = std::min(least, sum / static_cast<double>(frames.size()));
  }
  return least;
}

/// Whether two stretches move about as much as each other.
bool same_shape(double spread, double other) {
  if (std::abs(spread - other) <= kAlwaysAlike) return true;
  return std::min(spread, other) >= kShapeShare * std::max(spread, other);
}

/// The least cost of a warp of the example that ends within a quarter of the length of `frames` around its end.
double from_example(const std::vector<float>& ends, FrameSpan frames, FrameSpan clip) {
  const std::size_t slack = frames.size() / 4, last = frames.end - 1;
  const std::size_t begin = std::max(clip.begin, last - std::min(last, slack)),
                    end = std::min(clip.end, last + slack + 1);
  float least = kNone;
  for (std::size_t f = begin; f < end; ++f) least = std::min(least, ends[f]);
  return static_cast<double>(least);
}

/// The clip that frames belong to, all of them.
std::optional<std::size_t> clip_of(const FrameSet& set, FrameSpan frames) {
  if (frames.begin >= frames.end || frames.end > set.frames()) return std::nullopt;
  const std::size_t clip = set.address(frames.begin).clip;
  return frames.end <= set.starts[clip + 1] ? std::optional(clip) : std::nullopt;
}

/// Sorts what was found, and tells each through which it was found by its new place.
void sort_by_rank(std::vector<SimilarStretch>& found) {
  std::vector<std::size_t> order(found.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return found[a].rank() < found[b].rank(); });
  std::vector<std::int32_t> place(found.size());
  for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = static_cast<std::int32_t>(i);
  std::vector<SimilarStretch> sorted;
  for (const std::size_t i : order) {
    sorted.push_back(found[i]);
    if (found[i].through >= 0) sorted.back().through = place[static_cast<std::size_t>(found[i].through)];
  }
  found = std::move(sorted);
}

Result<SimilarStretches> find_all(const Metric& metric, FrameSpan example, const SimilarOptions& options,
                                  const Progress& progress) {
  if (const auto known = require_kernel(metric); !known) return fail_from(known);
  const FrameSet& set = metric.frames();
  const auto clip = clip_of(set, example);
  if (!clip) return fail_as(ErrorKind::kBadInput, "an example is a stretch of one clip");
  const FrameSpan inner = comparable_frames(metric, *clip);
  const FrameSpan rows{std::clamp(example.begin, inner.begin, inner.end),
                       std::clamp(example.end, inner.begin, inner.end)};
  if (rows.end < rows.begin + kFewestFrames) {
    return fail_as(ErrorKind::kBadInput,
                   fmt::format("the example is too short: {} of its frames can be compared, and {} are needed",
                               rows.size(), kFewestFrames));
  }
  const std::size_t before = rows.begin - example.begin, after = example.end - rows.end;  // not compared
  const auto room =
      require_memory(static_cast<double>(rows.size()) * (2 * static_cast<double>(rows.size() + kColumns)) *
                             sizeof(float) * static_cast<double>(thread_count()) +
                         static_cast<double>(set.frames()) * sizeof(float),
                     fmt::format("looking for what is like {} frames", rows.size()), "take a shorter example");
  if (!room) return fail_from(room);

  SimilarStretches result;
  result.spread = spread_of(metric, rows);
  result.limit = options.limit > 0 ? options.limit : std::max(kAlwaysAlike, kUsualShare * result.spread);
  const Search search(metric, options, result.limit);
  const std::size_t least = rows.size() / kMostSpeed, most = rows.size() * kMostSpeed;
  std::vector<float> ends(set.frames(), kNone);
  std::priority_queue<Waiting> waiting;
  std::vector<FrameSpan> taken{rows};  // compared frames of the example and of what was found
  const auto look = [&](FrameSpan like, double step, std::int32_t through) {
    for (const Candidate& candidate : search.run(like, least, most, through < 0 ? &ends : nullptr)) {
      const FrameSpan frames = candidate.frames;
      const FrameSpan whole{set.starts[candidate.clip], set.starts[candidate.clip + 1]};
      SimilarStretch one;
      one.frames = {frames.begin - std::min(before, frames.begin - whole.begin),
                    std::min(frames.end + after, whole.end)};
      one.clip = candidate.clip;
      one.distance = static_cast<double>(candidate.cost);
      one.from_example = through < 0 ? one.distance : from_example(ends, frames, search.columns()[candidate.clip]);
      one.step = std::max(step, one.distance);
      one.through = through;
      waiting.push({one, frames, one.rank()});
    }
    ++result.searches;
  };
  look(rows, 0, -1);
  while (!waiting.empty() && result.found.size() < options.most) {
    const Waiting next = waiting.top();
    waiting.pop();
    const bool again = std::any_of(taken.begin(), taken.end(), [&](const FrameSpan& other) {
      return same_motion(next.compared, other, options.overlap);
    });
    if (again || !same_shape(result.spread, spread_of(metric, next.compared))) continue;
    if (!progress.report(static_cast<double>(result.found.size()) / static_cast<double>(options.most), "searching")) {
      return fail_as(ErrorKind::kStopped, "stopped while looking for similar motion");
    }
    taken.push_back(next.compared);
    result.found.push_back(next.stretch);
    const bool full = result.found.size() == options.most;
    if (options.through_matches && !full) {
      look(next.compared, next.stretch.step, static_cast<std::int32_t>(result.found.size()) - 1);
    }
  }
  sort_by_rank(result.found);
  return result;
}

}  // namespace

double SimilarStretch::rank() const { return std::sqrt(step * from_example); }

std::vector<WarpEnd> warp_ends(std::span<const float> matrix, std::size_t rows, std::size_t columns) {
  // Warps that advanced with the last row, that stayed, and the cheaper of both, with two columns in front at which
  // none ends. Loops have no branches, so that the compiler makes vectors of them.
  constexpr std::size_t kFront = 2;
  WarpRow moved(columns), stayed(columns), best(columns + kFront);
  for (std::size_t c = 0; c < columns; ++c) {
    moved.cost[c] = matrix[c];
    moved.from[c] = static_cast<std::uint32_t>(c);
  }
  const auto take_best = [&] {
    for (std::size_t c = 0; c < columns; ++c) {
      const bool stays = stayed.cost[c] < moved.cost[c];
      best.cost[c + kFront] = stays ? stayed.cost[c] : moved.cost[c];
      best.from[c + kFront] = stays ? stayed.from[c] : moved.from[c];
    }
  };
  for (std::size_t r = 1; r < rows; ++r) {
    const float* cost = matrix.data() + r * columns;
    take_best();
    for (std::size_t c = 0; c < columns; ++c) {
      stayed.cost[c] = moved.cost[c] + cost[c];
      stayed.from[c] = moved.from[c];
    }
    for (std::size_t c = 0; c < columns; ++c) {
      const float by_one = best.cost[c + 1], by_two = best.cost[c];
      const bool two = by_two < by_one;
      moved.cost[c] = (two ? by_two : by_one) + cost[c];
      moved.from[c] = two ? best.from[c] : best.from[c + 1];
    }
  }
  take_best();
  std::vector<WarpEnd> ends(columns);
  for (std::size_t c = 0; c < columns; ++c) {
    ends[c] = {best.cost[c + kFront] / static_cast<float>(rows), best.from[c + kFront]};
  }
  return ends;
}

Result<SimilarStretches> find_similar_stretches(const Metric& metric, FrameSpan example, const SimilarOptions& options,
                                                const Progress& progress) {
  return within_memory("so long an example", [&] { return find_all(metric, example, options, progress); });
}

}  // namespace loom::compare
