// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <complex>
#include <numeric>
#include <utility>

#include <loom/base/parallel.h>
#include <loom/compare/detail/near_tree.h>

namespace loom::compare {
namespace {

using cpu::kCoarseFloor, cpu::kCoarseHeights, cpu::kCoarseNumbers, cpu::kNearBlock, cpu::kNearGroup;

constexpr std::size_t kSortedAlone = 1024;  ///< blocks that are laid out by one thread
/// Only what comes after a block is looked for, so a tree whose blocks all come before it is left out; large ones have
/// more that are alike.
constexpr std::size_t kLeastTree = 4096, kMostTrees = 8;
constexpr std::size_t kSampledSpread = 256;  ///< blocks that tell along what a set spreads

/// What blocks are sorted by: where they lie, turned so that their first floor coordinate is real.
constexpr std::size_t kTraits = kCoarseHeights + 1 + 2 * kCoarseFloor - 1 + 1;
using Traits = std::array<float, kTraits>;

Traits traits_of(const Coarse& told) {
  Traits traits{};
  std::size_t n = 0;
  for (const double height : told.heights) traits[n++] = static_cast<float>(height);
  traits[n++] = static_cast<float>(told.heights_left);
  const double first = std::abs(told.floor[0]);
  const std::complex<double> turn = first > 0 ? std::conj(told.floor[0]) / first : 1;
  traits[n++] = static_cast<float>(first);
  for (std::size_t k = 1; k < kCoarseFloor; ++k) {
    const std::complex<double> turned = turn * told.floor[k];
    traits[n++] = static_cast<float>(turned.real());
    traits[n++] = static_cast<float>(turned.imag());
  }
  traits[n] = static_cast<float>(told.floor_left);
  return traits;
}

/// The trait in which `blocks` differ most, as a sample of them tells.
std::size_t widest(const std::vector<Traits>& traits, std::span<const std::uint32_t> blocks) {
  const std::size_t step = std::max<std::size_t>(1, blocks.size() / kSampledSpread);
  std::array<double, kTraits> sums{}, squares{};
  double count = 0;
  for (std::size_t n = 0; n < blocks.size(); n += step, ++count) {
    for (std::size_t t = 0; t < kTraits; ++t) {
      const double value = static_cast<double>(traits[blocks[n]][t]);
      sums[t] += value;
      squares[t] += value * value;
    }
  }
  std::size_t best = 0;
  double most = -1;
  for (std::size_t t = 0; t < kTraits; ++t) {
    const double spread = squares[t] - sums[t] * sums[t] / count;
    if (spread > most) most = spread, best = t;
  }
  return best;
}

/// Puts like blocks beside each other: halves, and halves of these, differ as much as they can. Left halves are powers
/// of two, so that groups at every level are whole parts.
void sort_blocks(const std::vector<Traits>& traits, std::span<std::uint32_t> blocks) {
  if (blocks.size() <= kNearGroup) return;
  const std::size_t left = std::bit_ceil(blocks.size()) / 2, t = widest(traits, blocks);
  std::nth_element(
      blocks.begin(), blocks.begin() + static_cast<std::ptrdiff_t>(left), blocks.end(),
      [&](std::uint32_t a, std::uint32_t b) { return std::pair(traits[a][t], a) < std::pair(traits[b][t], b); });
  const std::array<std::span<std::uint32_t>, 2> halves{blocks.first(left), blocks.subspan(left)};
  if (blocks.size() <= kSortedAlone) {
    for (const auto& half : halves) sort_blocks(traits, half);
    return;
  }
  parallel_for(halves.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t h = begin; h < end; ++h) sort_blocks(traits, halves[h]);
  });
}

/// What row `r` of a block was written as.
Coarse read_frame(const cpu::NearTable& table, std::uint32_t block, std::size_t r) {
  const float* const numbers = table.fine.data() + block * cpu::kFineNumbers * kNearBlock + r;
  const auto number = [&](std::size_t n) { return static_cast<double>(numbers[n * kNearBlock]); };
  Coarse told;
  std::size_t n = 0;
  for (double& height : told.heights) height = number(n++);
  told.heights_left = number(n++);
  for (std::complex<double>& at : told.floor) {
    at = {number(n), number(n + 1)};
    n += 2;
  }
  told.floor_left = number(n);
  return told;
}

/// How far the frames of the blocks at places [begin, end) are at most from `middle`.
double reach_of(const cpu::NearTable& table, const cpu::NearTree& tree, const Coarse& middle, std::size_t begin,
                std::size_t end) {
  double reach = 0;
  for (std::size_t place = begin; place < std::min(end, tree.order.size()); ++place) {
    const auto block = static_cast<std::uint32_t>(tree.first + tree.order[place]);
    for (std::size_t r = 0; r < table.count[block]; ++r) {
      reach = std::max(reach, read_frame(table, block, r).from(middle));
    }
  }
  return reach;
}

/// A level of nodes that have `blocks_each` blocks below them and these middles.
cpu::NearLevel level_of(const cpu::NearTable& table, const cpu::NearTree& tree, const std::vector<Coarse>& middles,
                        std::size_t blocks_each) {
  cpu::NearLevel level;
  level.groups = (middles.size() + kNearGroup - 1) / kNearGroup;
  level.told.reserve(level.groups * kCoarseNumbers * kNearGroup);
  level.reach.reserve(level.groups * kNearGroup);
  parallel_for(level.groups, 16, [&](std::size_t begin, std::size_t end) {
    for (std::size_t n = begin * kNearGroup; n < end * kNearGroup; ++n) {
      float* const told = level.told.data() + n / kNearGroup * kCoarseNumbers * kNearGroup + n % kNearGroup;
      const auto put = [&](std::size_t number, double value) { told[number * kNearGroup] = static_cast<float>(value); };
      if (n >= middles.size()) {
        told[(kCoarseNumbers - 1) * kNearGroup] = cpu::kInfinity;
        continue;
      }
      middles[n].write(put);
      put(kCoarseNumbers - 1, middles[n].energy);
      const double reach = reach_of(table, tree, middles[n], n * blocks_each, (n + 1) * blocks_each);
      level.reach.data()[n] = static_cast<float>(reach) + kTinyLength;
    }
  });
  return level;
}

/// The tree of the blocks from `first` on that have these middles.
cpu::NearTree grow_tree(const cpu::NearTable& table, std::size_t first, std::span<const Coarse> middles) {
  cpu::NearTree tree;
  tree.first = first;
  tree.order.resize(middles.size());
  std::iota(tree.order.begin(), tree.order.end(), 0U);
  std::vector<Traits> traits(middles.size());
  std::transform(middles.begin(), middles.end(), traits.begin(), traits_of);
  sort_blocks(traits, tree.order);
  tree.place.resize(middles.size());
  std::vector<Coarse> nodes(middles.size());
  for (std::size_t place = 0; place < middles.size(); ++place) {
    tree.place[tree.order[place]] = static_cast<std::uint32_t>(place);
    nodes[place] = middles[tree.order[place]];
  }
  for (std::size_t blocks_each = 1;; blocks_each *= kNearGroup) {
    tree.levels.push_back(level_of(table, tree, nodes, blocks_each));
    const std::size_t groups = tree.levels.back().groups;
    if (groups <= kNearGroup) return tree;
    for (std::size_t g = 0; g < groups; ++g) {
      const std::size_t begin = g * kNearGroup;
      nodes[g] = Coarse(std::span<const Coarse>(nodes).subspan(begin, std::min(kNearGroup, nodes.size() - begin)));
    }
    nodes.resize(groups);
  }
}

}  // namespace

void grow_trees(std::span<const Coarse> middles, cpu::NearTable& table) {
  table.tree_blocks = std::max(kLeastTree, (middles.size() + kMostTrees - 1) / kMostTrees);
  table.trees.clear();
  for (std::size_t first = 0; first < middles.size(); first += table.tree_blocks) {
    const std::size_t count = std::min(table.tree_blocks, middles.size() - first);
    table.trees.push_back(grow_tree(table, first, middles.subspan(first, count)));
  }
}

std::span<const std::uint32_t> NearBlocks::find(const cpu::NearTable& table, std::size_t block, float reach,
                                                float margin) {
  const std::size_t room = table.blocks + kNearGroup + cpu::kNearRoom, words = table.blocks / 64 + 1;
  if (found_.size() < room) {
    found_.resize(room);
    groups_.resize(room);
  }
  if (bits_.size() < words) bits_.resize(words);
  std::size_t count = 0;
  for (std::size_t t = block / table.tree_blocks; t < table.trees.size(); ++t) {
    const cpu::NearTree& tree = table.trees[t];
    count = tree.levels.back().groups;
    std::iota(groups_.begin(), groups_.begin() + static_cast<std::ptrdiff_t>(count), 0U);
    for (auto level = tree.levels.rbegin(); level != tree.levels.rend(); ++level) {
      groups_seen_ += count;
      count = cpu::near_members(table, *level, block, std::span(groups_).first(count), reach, margin, found_.data());
      std::swap(groups_, found_);
    }
    for (const std::uint32_t place : std::span(groups_).first(count)) {
      const std::size_t other = tree.first + tree.order[place];
      bits_[other / 64] |= std::uint64_t{1} << other % 64;
    }
  }
  // By ascending number: those before it in its own tree are left out.
  count = 0;
  const std::size_t own = block / 64;
  std::fill(bits_.begin(), bits_.begin() + static_cast<std::ptrdiff_t>(own), 0);
  bits_[own] &= ~std::uint64_t{0} << block % 64;
  for (std::size_t word = own; word < words; ++word) {
    for (std::uint64_t bits = std::exchange(bits_[word], 0); bits != 0; bits &= bits - 1) {
      found_[count++] = static_cast<std::uint32_t>(word * 64 + static_cast<std::size_t>(std::countr_zero(bits)));
    }
  }
  return std::span(found_).first(count);
}

}  // namespace loom::compare
