// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string_view>

namespace loom {

/// How many letters must be changed, added or left out to make `b` of `a` (Levenshtein 1966). O(|a| |b|).
std::size_t edit_distance(std::string_view a, std::string_view b);

}  // namespace loom
