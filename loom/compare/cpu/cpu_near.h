// SPDX-License-Identifier: MIT
#pragma once

// Pairs of clouds that a lower bound keeps apart are never compared: shared by the search and its kernel, and not part
// of the library's surface.
//
// The square root of the point-cloud distance is a distance as geometry has it (the least, over turns and shifts of the
// floor, of a Euclidean one), so the triangle inequality holds. And a cloud is well told by a few numbers: its heights
// along their leading principal axes, and its floor coordinates, as complex numbers, along theirs. A turn multiplies
// all of the latter by one e^iθ, so
//
//     D(i, j) >= E_i + E_j - 2 [ a_i·a_j + r_i r_j + |<e_i, e_j>| + q_i q_j ]
//
// where a and e are those coordinates, r and q the lengths of what they leave out, and E whole energies. On capture of
// people (87,151 frames, 8 markers, 11 frames a window: 88 numbers and 88 complex ones) 12 and 6 of them leave 0.59 %
// of all pairs under a threshold that 0.46 % are truly under.
//
// Heights are counted from where each point usually is: no distance changes by that, and rounding is small.
//
// Three steps, the dearer the fewer pairs are left:
//
// - blocks: four frames each, by what lies in the middle of them in 6 and 3 numbers, less how far their frames are from
//   it. Blocks that are alike lie beside each other in a tree of groups, groups of groups and so on, each told as a
//   block is; what is near a block is looked for from their roots on.
// - frames, the 16 pairs of two blocks at once: in the same 6 and 3 numbers, then, of blocks that have a pair left, in
//   12 and 6. 8 % of the pairs of blocks come here, about one in a hundred has anything left.
// - clouds: pair by pair, along the window. Little more than there are under the threshold.
//
// So cost grows with the similar pairs there are, and little with all there are.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <loom/compare/cpu/cpu_tile.h>

namespace loom::compare::cpu {

inline constexpr std::size_t kNearBlock = 4;                        ///< frames of a block
inline constexpr std::size_t kNearPairs = kNearBlock * kNearBlock;  ///< of two blocks
inline constexpr std::size_t kCoarseHeights = 6, kCoarseFloor = 3;  ///< at most
inline constexpr std::size_t kFineHeights = 12, kFineFloor = 6;     ///< at most
/// Numbers of a cloud: heights and the length of the rest, floor coordinates and the length of the rest, the energy.
constexpr std::size_t near_numbers(std::size_t heights, std::size_t floor) { return heights + 1 + 2 * floor + 1 + 1; }
inline constexpr std::size_t kCoarseNumbers = near_numbers(kCoarseHeights, kCoarseFloor);
/// The coarse ones, then the further axes and the lengths of what even those leave out.
inline constexpr std::size_t kFineNumbers =
    kCoarseNumbers + near_numbers(kFineHeights - kCoarseHeights, kFineFloor - kCoarseFloor) - 1;

inline constexpr std::size_t kNearGroup = 16;  ///< blocks, or groups of such, of a group: the widest vector

/// Blocks, or groups of such, told by what lies in their middle, a group of them beside each other.
struct NearLevel {
  std::size_t groups = 0;
  AlignedFloats told;   ///< [group][number][member]; members that are not there have infinite energy
  AlignedFloats reach;  ///< [group][member]: how far, in metres, its frames are from that by the coarse bound
};

/// Some consecutive blocks, those that are alike beside each other.
struct NearTree {
  std::size_t first = 0;             ///< block
  std::vector<std::uint32_t> order;  ///< blocks, counted from the first
  std::vector<std::uint32_t> place;  ///< of each block in that order
  std::vector<NearLevel> levels;     ///< the first of blocks in that order, each other of the groups of the one before
};

/// The frames of a table in blocks, in the form the kernels read. Axes that a small cloud does not have are zero.
struct NearTable {
  std::size_t blocks = 0;
  std::vector<std::uint32_t> first;  ///< the first frame of each block; the others follow it in its clip
  std::vector<std::uint8_t> count;   ///< 1 to kNearBlock
  std::vector<NearTree> trees;       ///< of consecutive blocks each
  std::size_t tree_blocks = 0;       ///< of each tree but the last
  AlignedFloats fine;                ///< [block][number][frame of block]; frames not there have infinite energy
  AlignedFloats x, y, z;             ///< [frame][point], and room for a vector past the end
  std::size_t points = 0, half_window = 0;
  std::vector<float> mean_x, mean_z, energy;  ///< of the window around each frame
};

/// The windows of a block's four frames as left sides of products: coordinates about the window's mean, times twice
/// their weights.
struct NearRows {
  std::array<AlignedFloats, kNearBlock> x, y, z;
  std::array<float, kNearBlock> energy{};
};

/// A column frame and its distance from a row frame, within the table's rounding.
struct NearHit {
  std::uint32_t column = 0;
  float distance = 0;
};

/// Room that kernels write into past the last of what they find.
inline constexpr std::size_t kNearRoom = 16;

/// Writes to `found` the members of `groups` of a level whose frames may be within `reach` metres of those of `block`,
/// and tells how many: member m of group g is number 16 g + m. `margin` is for rounding; there is room for all members
/// and `kNearRoom` more.
std::size_t near_members(const NearTable& table, const NearLevel& level, std::size_t block,
                         std::span<const std::uint32_t> groups, float reach, float margin, std::uint32_t* found);

/// Appends, row by row, the frames of `blocks` whose bound from the frames of `block` is at or under `limit`. What
/// `blocks` holds is written over.
void near_frames(const NearTable& table, std::size_t block, std::span<std::uint32_t> blocks, float limit,
                 std::array<std::vector<NearHit>, kNearBlock>& found);

/// Numbers of a vector: how many partial sums those distances have.
std::size_t near_lanes();

/// Puts the point-cloud distance from row `row` of what was laid out into each of `hits`.
void near_distances(const NearTable& table, const NearRows& rows, std::size_t row, std::span<NearHit> hits);

}  // namespace loom::compare::cpu
