// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>

namespace loom {

/// Calls `body(begin, end)` over pieces of [0, count) on all cores, each piece at most `grain` long, and waits.
///
/// Pieces run in any order; results that must not depend on it are written by index and combined afterwards. An
/// exception leaves through the caller. `grain` of 0 counts as 1.
void parallel_for(std::size_t count, std::size_t grain,
                  const std::function<void(std::size_t begin, std::size_t end)>& body);

/// How many threads `parallel_for` uses now.
std::size_t thread_count();

/// Limits `parallel_for` to `threads` for as long as the object lives; 0 means all cores. For tests of determinism
/// and for `--threads`.
class ThreadLimit {
 public:
  explicit ThreadLimit(std::size_t threads);
  ~ThreadLimit();
  ThreadLimit(const ThreadLimit&) = delete;
  ThreadLimit& operator=(const ThreadLimit&) = delete;

 private:
  void* control_ = nullptr;
};

}  // namespace loom
