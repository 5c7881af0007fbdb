// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace loom::policy {

/// A table of chances as something all rows have in common and a few entries besides:
/// chances(c, d) = share(c) × common(d) + rest(c, d).
///
/// What a player does next is mostly what was seen after this very control, a handful of others, and for all the rest
/// one distribution (player_model.h). Told apart, a product with the table costs a few entries a row instead of all.
struct SplitChances {
  std::vector<double> rest;    ///< size × size, mostly 0 where something is common
  std::vector<double> common;  ///< size; empty where nothing is
  std::vector<double> share;   ///< size; empty where nothing is
};

/// Splits a table of size × size, rows first. Where that leaves more than half of the entries, nothing is common.
/// Exact to 1e-15 an entry. O(size²).
SplitChances split_chances(std::span<const double> chances, std::size_t size);

}  // namespace loom::policy
