// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace loom {

/// Calls `use(begin, end)` for every run of frames in which `holds(frame)`.
template <typename Holds, typename Use>
void for_each_run(std::size_t frames, Holds holds, Use use) {
  for (std::size_t f = 0; f < frames; ++f) {
    if (!holds(f)) continue;
    const std::size_t begin = f;
    while (f < frames && holds(f)) ++f;
    use(begin, f);
  }
}

}  // namespace loom
