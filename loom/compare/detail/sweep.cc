// SPDX-License-Identifier: MIT
#include <algorithm>

#include <loom/base/peak_memory.h>
#include <loom/compare/detail/sweep.h>

namespace loom::compare {

std::vector<Piece> cover(std::size_t frames, const Piece& size, const RowRange& rows) {
  std::vector<Piece> pieces;
  for (std::size_t diagonal = 1; diagonal < frames; diagonal += size.diagonals) {
    for (std::size_t row = rows.begin; row < rows.end && row + diagonal < frames; row += size.rows) {
      pieces.push_back({row, std::min(size.rows, rows.end - row), diagonal, size.diagonals});
    }
  }
  return pieces;
}

std::uint64_t pairs_of(std::span<const std::uint32_t> comparable, const RowRange& rows) {
  std::uint64_t pairs = 0;
  for (std::size_t n = 0; n < comparable.size(); ++n) {
    if (comparable[n] >= rows.begin && comparable[n] < rows.end) pairs += comparable.size() - 1 - n;
  }
  return pairs;
}

Sweep::Sweep(const Metric& metric, const Piece& size, const RowRange& rows, const Progress& progress)
    : metric_(metric), rows_(rows), progress_(progress), pieces_(cover(metric.frames().frames(), size, rows)) {}

void Sweep::report() {
  const std::scoped_lock lock(reporting_);
  const double share = static_cast<double>(++done_) / static_cast<double>(pieces_.size());
  if (!stopped_ && !progress_.report(share, "comparing frames")) stopped_ = true;
}

SweepStats Stopwatch::stats(std::uint64_t compared, std::uint64_t skipped) const {
  SweepStats stats;
  stats.on = "cpu";
  stats.compared = compared;
  stats.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  stats.skipped = skipped;
  stats.pairs_per_second = static_cast<double>(compared + skipped) / std::max(stats.seconds, 1e-9);
  stats.threads = thread_count();
  stats.peak_memory_bytes = peak_memory_bytes();
  return stats;
}

SweepStats Sweep::stats() const { return watch_.stats(pairs_of(comparable_frames(metric_), rows_)); }

std::vector<std::uint32_t> comparable_frames(const Metric& metric) {
  std::vector<std::uint32_t> frames;
  for (std::size_t f = 0; f < metric.frames().frames(); ++f) {
    if (metric.comparable(f)) frames.push_back(static_cast<std::uint32_t>(f));
  }
  return frames;
}

}  // namespace loom::compare
