// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>

namespace loom::testing {

/// What the program has allocated so far, where one of its sources counts it (count_allocations.h).
inline std::atomic<std::size_t> allocations{0};

}  // namespace loom::testing
