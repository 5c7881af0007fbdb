// SPDX-License-Identifier: MIT
#pragma once

// The blocks of a near table as a tree (see cpu/cpu_near.h): not part of the library's surface.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <loom/compare/cpu/cpu_near.h>
#include <loom/compare/detail/told_cloud.h>

namespace loom::compare {

/// Lays the blocks of `table`, whose fine numbers are known and whose middles are `middles`, out as trees.
/// O(blocks × log²).
void grow_trees(std::span<const Coarse> middles, cpu::NearTable& table);

/// Looks for near blocks, one after the other; keeps its memory.
class NearBlocks {
 public:
  /// The blocks of `table` from `block` on, by ascending number, whose frames may be within `reach` metres of its
  /// frames; `margin` is for rounding. They stay until the next call.
  std::span<const std::uint32_t> find(const cpu::NearTable& table, std::size_t block, float reach, float margin);
  /// Groups of the tree that were looked at, by all calls.
  [[nodiscard]] std::size_t groups_seen() const { return groups_seen_; }

 private:
  std::vector<std::uint32_t> groups_, found_;
  std::vector<std::uint64_t> bits_;  ///< a block each, all clear between two calls
  std::size_t groups_seen_ = 0;
};

}  // namespace loom::compare
