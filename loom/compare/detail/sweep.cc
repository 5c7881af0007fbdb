// SPDX-License-Identifier: MIT
#include <algorithm>

#include <loom/base/peak_memory.h>
#include <loom/compare/detail/sweep.h>

namespace loom::compare {

std::vector<Piece> cover(std::size_t frames, const Piece& size) {
  std::vector<Piece> pieces;
  for (std::size_t diagonal = 1; diagonal < frames; diagonal += size.diagonals) {
    for (std::size_t row = 0; row + diagonal < frames; row += size.rows) {
      pieces.push_back({row, size.rows, diagonal, size.diagonals});
    }
  }
  return pieces;
}

Sweep::Sweep(const Metric& metric, const BackEnd& back_end, const Progress& progress)
    : metric_(metric), progress_(progress), pieces_(cover(metric.frames().frames(), back_end.preferred_piece())) {}

void Sweep::report() {
  const std::scoped_lock lock(reporting_);
  const double share = static_cast<double>(++done_) / static_cast<double>(pieces_.size());
  if (!stopped_ && !progress_.report(share, "comparing frames")) stopped_ = true;
}

SweepStats Stopwatch::stats(std::uint64_t compared, std::uint64_t skipped) const {
  SweepStats stats;
  stats.compared = compared;
  stats.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  stats.skipped = skipped;
  stats.pairs_per_second = static_cast<double>(compared + skipped) / std::max(stats.seconds, 1e-9);
  stats.threads = thread_count();
  stats.peak_memory_bytes = peak_memory_bytes();
  return stats;
}

SweepStats Sweep::stats() const {
  const std::uint64_t frames = comparable_frames(metric_).size();
  return watch_.stats(frames < 2 ? 0 : frames * (frames - 1) / 2);
}

std::vector<std::uint32_t> comparable_frames(const Metric& metric) {
  std::vector<std::uint32_t> frames;
  for (std::size_t f = 0; f < metric.frames().frames(); ++f) {
    if (metric.comparable(f)) frames.push_back(static_cast<std::uint32_t>(f));
  }
  return frames;
}

}  // namespace loom::compare
