// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace loom::app {

/// Which vector units this processor has, of those that code is made for, as Highway counts them (HWY_AVX2 and so on).
std::int64_t vector_units();

}  // namespace loom::app
