// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>
#include <string>

#include <loom/base/progress.h>

namespace loom {

/// Progress of work that is done in equal pieces on all cores: any thread may say that one is done.
class SharedProgress {
 public:
  /// Keeps a reference to `progress`.
  SharedProgress(const Progress& progress, std::size_t pieces, std::string what)
      : progress_(progress), pieces_(pieces), what_(std::move(what)) {}

  /// Whether the work should go on.
  [[nodiscard]] bool goes_on() const { return goes_on_; }

  /// Says that a piece is done; says nothing more once the work was asked to stop.
  void one_done() {
    const std::scoped_lock lock(telling_);
    if (goes_on_ && !progress_.report(static_cast<double>(++done_) / static_cast<double>(pieces_), what_))
      goes_on_ = false;
  }

 private:
  const Progress& progress_;
  std::size_t pieces_, done_ = 0;
  std::string what_;
  std::mutex telling_;
  std::atomic<bool> goes_on_{true};
};

}  // namespace loom
