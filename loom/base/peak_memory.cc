// SPDX-License-Identifier: MIT
#include <sys/resource.h>

#include <loom/base/peak_memory.h>

namespace loom {

std::size_t peak_memory_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::size_t>(usage.ru_maxrss) * 1024;  // Linux counts in kilobytes
}

}  // namespace loom
