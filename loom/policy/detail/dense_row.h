// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <loom/policy/transition_table.h>

namespace loom::policy {

/// The qualities from one state to all, unpacked, in the blocks of ValueColumns; with room to work in, so that a thread
/// keeps one and nothing is allocated a row.
struct DenseRow {
  std::vector<float> quality;          ///< kNotAllowed where a transition is not
  std::vector<float> largest;          ///< of each block, padded with kNotAllowed
  std::vector<std::uint32_t> visited;  ///< blocks that may hold the best
  std::vector<float> reached;          ///< the largest value in each of them
};

/// The quality of a transition that is not allowed: with any positive control quality it loses against all others.
inline constexpr float kNotAllowed = -1e9f;

/// Unpacks a row of 16-bit qualities, of which those below `floor` are not allowed.
void unpack_row(std::span<const std::uint16_t> codes, std::span<const std::uint16_t> block_codes, std::uint16_t floor,
                DenseRow& row);

/// The best state of each column, see TransitionTable::decide. Blocks whose largest quality, times the column's largest
/// there, plus the largest future there, stays below what is already found are not looked into: most, when the search
/// starts from a good decision. Vectorised; the decision itself is made in double precision.
void decide_row(DenseRow& row, const ValueColumns& columns, std::span<Decision> decisions);

}  // namespace loom::policy
