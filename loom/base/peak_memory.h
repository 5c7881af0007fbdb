// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace loom {

/// The most memory that this process has had at once so far, in bytes.
std::size_t peak_memory_bytes();

}  // namespace loom
