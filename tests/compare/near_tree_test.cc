// SPDX-License-Identifier: MIT
// The tree that near blocks are found by, against looking at all of them one by one.
#include <algorithm>
#include <cmath>
#include <complex>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/compare/detail/near_tree.h>

namespace loom::compare {
namespace {

using cpu::kCoarseNumbers, cpu::kFineNumbers, cpu::kNearBlock, cpu::kNearGroup;

/// Somewhere in a room, in metres.
Coarse anywhere(Random& random) {
  Coarse told;
  for (double& height : told.heights) height = random.uniform(-0.3, 0.3);
  for (std::complex<double>& at : told.floor) at = {random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3)};
  told.heights_left = random.uniform(0, 0.1);
  told.floor_left = random.uniform(0, 0.1);
  return told;
}

void find_energy(Coarse& told) {
  told.energy = told.heights_left * told.heights_left + told.floor_left * told.floor_left;
  for (const double height : told.heights) told.energy += height * height;
  for (const std::complex<double>& at : told.floor) told.energy += std::norm(at);
}

/// Frames that wander, in blocks, and now and then jump or turn where they stand, which is as if they had not.
struct Room {
  cpu::NearTable table;
  std::vector<std::vector<Coarse>> frames;  ///< of each block

  Room(std::size_t blocks, std::uint64_t seed) {
    Random random(seed);
    std::vector<Coarse> middles;
    Coarse at = anywhere(random);
    table.blocks = blocks;
    table.fine.reserve(blocks * kFineNumbers * kNearBlock);
    for (std::size_t b = 0; b < blocks; ++b) {
      if (random.uniform(0, 1) < 0.02) at = anywhere(random);
      if (random.uniform(0, 1) < 0.2) {
        for (std::complex<double>& floor : at.floor) floor *= std::polar(1.0, random.uniform(0, 6));
      }
      table.first.push_back(static_cast<std::uint32_t>(b * kNearBlock));
      table.count.push_back(static_cast<std::uint8_t>(b % 7 == 0 ? 1 + b % kNearBlock : kNearBlock));
      frames.emplace_back();
      for (std::size_t r = 0; r < table.count[b]; ++r) {
        for (double& height : at.heights) height += random.uniform(-0.01, 0.01);
        for (std::complex<double>& floor : at.floor) {
          floor += std::complex<double>{random.uniform(-0.01, 0.01), random.uniform(-0.01, 0.01)};
        }
        find_energy(at);
        frames[b].push_back(at);
        at.write([&](std::size_t n, double value) {
          table.fine.data()[(b * kFineNumbers + n) * kNearBlock + r] = static_cast<float>(value);
        });
      }
      middles.emplace_back(frames[b]);
    }
    grow_trees(middles, table);
  }

  /// Whether frames of two blocks are within `reach` metres.
  [[nodiscard]] bool near(std::size_t a, std::size_t b, double reach) const {
    return std::any_of(frames[a].begin(), frames[a].end(), [&](const Coarse& one) {
      return std::any_of(frames[b].begin(), frames[b].end(),
                         [&](const Coarse& other) { return one.from(other) <= reach; });
    });
  }
};

/// Member `n` of a level as it was written.
Coarse member(const cpu::NearLevel& level, std::size_t n) {
  const float* const told = level.told.data() + n / kNearGroup * kCoarseNumbers * kNearGroup + n % kNearGroup;
  std::size_t number = 0;
  const auto next = [&] { return static_cast<double>(told[number++ * kNearGroup]); };
  Coarse read;
  for (double& height : read.heights) height = next();
  read.heights_left = next();
  for (std::complex<double>& at : read.floor) {
    const double real = next();
    at = {real, next()};
  }
  read.floor_left = next();
  read.energy = next();
  return read;
}

TEST(NearTree, HasEveryBlockOnceAndEveryFrameWithinReach) {
  for (const std::size_t blocks : {1, 15, 16, 17, 700, 5000}) {
    const Room room(blocks, blocks);
    std::size_t first = 0;
    for (const cpu::NearTree& tree : room.table.trees) {
      EXPECT_EQ(tree.first, first);
      const std::size_t count = tree.order.size();
      std::vector<std::uint32_t> sorted = tree.order, all(count);
      std::sort(sorted.begin(), sorted.end());
      std::iota(all.begin(), all.end(), 0U);
      EXPECT_EQ(sorted, all);
      std::size_t below = 1;  // blocks of a member
      for (const cpu::NearLevel& level : tree.levels) {
        for (std::size_t n = 0; n * below < count; ++n) {
          const Coarse middle = member(level, n);
          const auto reach = static_cast<double>(level.reach.data()[n]);
          for (std::size_t place = n * below; place < std::min(count, (n + 1) * below); ++place) {
            for (const Coarse& frame : room.frames[first + tree.order[place]]) EXPECT_LE(frame.from(middle), reach);
          }
        }
        EXPECT_EQ(level.groups, (count + below * kNearGroup - 1) / (below * kNearGroup));
        below *= kNearGroup;
      }
      EXPECT_GE(below * kNearGroup, count) << "of the last level all are looked at";
      first += count;
    }
    EXPECT_EQ(first, blocks);
  }
}

TEST(NearTree, MissesNoBlockThatHasANearFrame) {
  for (const std::size_t blocks : {17, 700, 9000}) {
    const Room room(blocks, 7 + blocks);
    NearBlocks tree;
    for (const double reach : {0.0, 0.05, 0.2, 5.0}) {
      for (std::size_t b = 0; b < blocks; b += 1 + blocks / 40) {
        const auto found = tree.find(room.table, b, static_cast<float>(reach), 1e-6f);
        EXPECT_TRUE(std::is_sorted(found.begin(), found.end()));
        EXPECT_TRUE(found.empty() || found.front() >= b);
        for (std::size_t other = b; other < blocks; ++other) {
          if (!room.near(b, other, reach)) continue;
          EXPECT_TRUE(std::binary_search(found.begin(), found.end(), other)) << b << " and " << other;
        }
        if (reach == 5.0) {
          EXPECT_EQ(found.size(), blocks - b);
        }
      }
    }
  }
}

TEST(NearTree, LooksAtASmallPartOfWhatThereIs) {
  const Room room(20000, 3);
  NearBlocks tree;
  for (std::size_t b = 0; b < room.table.blocks; b += 100) (void)tree.find(room.table, b, 0.02f, 1e-6f);
  EXPECT_LT(tree.groups_seen(), 200 * (room.table.blocks / kNearGroup) / 8);
}

}  // namespace
}  // namespace loom::compare
