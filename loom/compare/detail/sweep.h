// SPDX-License-Identifier: MIT
#pragma once

// One pass over all pairs of frames: shared by what searches and what draws, and not part of the library's surface.

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include <loom/base/parallel.h>
#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/compare/all_pairs.h>
#include <loom/compare/row_search.h>

namespace loom::compare {

/// The pieces that cover all pairs i < j of `frames` frames with i in `rows`: diagonal band after diagonal band, each
/// from the top.
std::vector<Piece> cover(std::size_t frames, const Piece& size, const RowRange& rows = {});

/// How many pairs i < j of comparable frames there are with i in `rows`; `comparable` is `comparable_frames`.
std::uint64_t pairs_of(std::span<const std::uint32_t> comparable, const RowRange& rows);

/// Time and memory from when it was made.
class Stopwatch {
 public:
  [[nodiscard]] SweepStats stats(std::uint64_t compared, std::uint64_t skipped = 0) const;

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// The pieces of the matrix on all cores, with progress, a way to stop, and the cost.
class Sweep {
 public:
  Sweep(const Metric& metric, const Piece& size, const RowRange& rows, const Progress& progress);

  [[nodiscard]] std::size_t size() const { return pieces_.size(); }

  /// Calls `work(number, piece)` for every piece, numbered as `cover` has them. False when `progress` asked to stop or
  /// `stop` was called.
  template <typename Work>
  bool run(const Work& work) {
    parallel_for(pieces_.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t n = begin; n < end && !stopped_; ++n) {
        work(n, pieces_[n]);
        report();
      }
    });
    return !stopped_;
  }
  void stop() { stopped_ = true; }

  /// What it cost up to now.
  [[nodiscard]] SweepStats stats() const;

 private:
  void report();

  const Metric& metric_;
  const RowRange rows_;
  const Progress& progress_;
  std::vector<Piece> pieces_;
  Stopwatch watch_;
  std::atomic<bool> stopped_ = false;
  std::mutex reporting_;
  std::size_t done_ = 0;
};

/// The frames of the metric's set that can be compared, ascending.
std::vector<std::uint32_t> comparable_frames(const Metric& metric);

}  // namespace loom::compare
