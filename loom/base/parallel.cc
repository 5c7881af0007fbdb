// SPDX-License-Identifier: MIT
#include <algorithm>

#include <loom/base/parallel.h>

#ifdef __EMSCRIPTEN__

// A page has one thread: pieces run one after the other, in order.

namespace loom {

void parallel_for(std::size_t count, std::size_t grain,
                  const std::function<void(std::size_t begin, std::size_t end)>& body) {
  const std::size_t piece = std::max<std::size_t>(grain, 1);
  for (std::size_t begin = 0; begin < count; begin += std::min(piece, count - begin)) {
    body(begin, begin + std::min(piece, count - begin));
  }
}

std::size_t thread_count() { return 1; }

ThreadLimit::ThreadLimit(std::size_t) { static_cast<void>(control_); }
ThreadLimit::~ThreadLimit() = default;

}  // namespace loom

#else

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>

namespace loom {

void parallel_for(std::size_t count, std::size_t grain,
                  const std::function<void(std::size_t begin, std::size_t end)>& body) {
  if (count == 0) return;
  using Range = oneapi::tbb::blocked_range<std::size_t>;
  oneapi::tbb::parallel_for(
      Range(0, count, std::max<std::size_t>(grain, 1)), [&](const Range& range) { body(range.begin(), range.end()); },
      oneapi::tbb::simple_partitioner());
}

std::size_t thread_count() {
  return oneapi::tbb::global_control::active_value(oneapi::tbb::global_control::max_allowed_parallelism);
}

ThreadLimit::ThreadLimit(std::size_t threads) {
  if (threads > 0) {
    control_ = new oneapi::tbb::global_control(oneapi::tbb::global_control::max_allowed_parallelism, threads);
  }
}

ThreadLimit::~ThreadLimit() { delete static_cast<oneapi::tbb::global_control*>(control_); }

}  // namespace loom

#endif
