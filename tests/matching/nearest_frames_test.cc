// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/matching/nearest_frames.h>

namespace loom::matching {
namespace {

using Found = NearestFrames::Found;
constexpr float kInfinite = std::numeric_limits<float>::infinity();

/// The oracle: every candidate in turn, the first of the nearest wins.
Found plain_scan(const NearestFrames& index, const std::vector<std::uint32_t>& candidates,
                 const std::vector<std::uint64_t>& tags, const std::vector<float>& query, Found best,
                 std::uint64_t wanted, NearestFrames::Skip skip, NearestFrames::Test test) {
  for (const std::uint32_t r : candidates) {
    if (!test.admits(r)) continue;
    if ((tags[r] & wanted) == 0 || (r >= skip.begin && r < skip.end)) continue;
    float sum = 0;
    for (std::size_t k = 0; k < index.dims(); ++k) sum += (query[k] - index.row(r)[k]) * (query[k] - index.row(r)[k]);
    if (sum < best.cost) best = {r, sum};
  }
  return best;
}

bool is_of_another_third(const void* with, std::uint32_t row) {
  return row % 3 != *static_cast<const std::uint32_t*>(with) % 3;
}

/// Points that hang together as frames do: a walk through the space, rounded so that many coincide.
std::vector<float> wandering_rows(Random& random, std::size_t rows, std::size_t dims, float grid) {
  std::vector<float> at(dims), all;
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t k = 0; k < dims; ++k) {
      at[k] = 0.97f * at[k] + static_cast<float>(random.normal()) * 0.3f / static_cast<float>(1 + k % 7);
      all.push_back(grid > 0 ? std::round(at[k] / grid) * grid : at[k]);
    }
  }
  return all;
}

TEST(NearestFrames, AgreesWithThePlainScanToTheLastTie) {
  Random random(5);
  for (const auto& [rows, dims, grid] :
       {std::tuple{1, 3, 0.0f}, std::tuple{31, 1, 0.5f}, std::tuple{700, 27, 0.0f}, std::tuple{3000, 5, 0.5f},
        std::tuple{9000, 27, 0.3f}, std::tuple{2000, 43, 1e-4f}}) {
    const auto n = static_cast<std::size_t>(rows);
    std::vector<std::uint32_t> candidates;
    std::vector<std::uint64_t> tags(n);
    for (std::uint32_t r = 0; r < n; ++r) {
      tags[r] = std::uint64_t{1} << random.index(3);
      if (n == 1 || random.uniform() < 0.9) candidates.push_back(r);
    }
    const auto width = static_cast<std::size_t>(dims);
    const NearestFrames index(wandering_rows(random, n, width, grid), width, candidates, tags);
    NearestFrames::Room room(index);
    for (int i = 0; i < 300; ++i) {
      // Queries on points, near points and far away; bounds that are tight, wrong and absent.
      const auto near = static_cast<std::uint32_t>(random.index(n));
      std::vector<float> query(index.row(near).begin(), index.row(near).end());
      if (i % 3 > 0) {
        for (float& q : query) q += static_cast<float>(random.normal()) * (i % 3 == 1 ? 0.2f : 5.0f);
      }
      Found bound{near, kInfinite};
      if (i % 2 == 1) bound.cost = index.cost(query, near);
      const std::uint64_t wanted = i % 5 == 0 ? std::uint64_t{1} << random.index(4) : NearestFrames::kAll;
      NearestFrames::Skip skip;
      if (i % 7 == 0) skip = {near, near + 5};
      NearestFrames::Test test{};
      if (i % 4 == 0) test = {is_of_another_third, &near};
      const Found expected = plain_scan(index, candidates, tags, query, bound, wanted, skip, test);
      const Found found = index.find(query, bound, room, wanted, {&skip, 1}, test);
      ASSERT_EQ(found.row, expected.row) << "rows " << rows << " query " << i;
      ASSERT_EQ(found.cost, expected.cost);
    }
  }
}

TEST(NearestFrames, ScansUnderAnotherMeasure) {
  Random random(8);
  const std::size_t rows = 500, dims = 9;
  std::vector<std::uint32_t> candidates(rows);
  std::iota(candidates.begin(), candidates.end(), 0U);
  const NearestFrames index(wandering_rows(random, rows, dims, 0), dims, candidates);
  // Coordinates that count a quarter are coordinates half as long.
  std::vector<float> shares(dims, 1), shrunk;
  for (std::size_t k = 4; k < dims; ++k) shares[k] = 0.25f;
  for (std::uint32_t r = 0; r < rows; ++r) {
    for (std::size_t k = 0; k < dims; ++k) shrunk.push_back(index.row(r)[k] * std::sqrt(shares[k]));
  }
  const NearestFrames smaller(shrunk, dims, candidates);
  NearestFrames::Room room(smaller);
  for (std::uint32_t r = 0; r < rows; r += 7) {
    std::vector<float> query(dims), small(dims);
    for (std::size_t k = 0; k < dims; ++k) {
      query[k] = index.row(r)[k] + static_cast<float>(random.normal()) * 0.3f;
      small[k] = query[k] * std::sqrt(shares[k]);
    }
    const NearestFrames::Skip skip{r, r + 3};
    const Found found = index.scan(query, shares, NearestFrames::kAll, {&skip, 1});
    const Found expected = smaller.find(small, {0, kInfinite}, room, NearestFrames::kAll, {&skip, 1});
    EXPECT_NEAR(found.cost, expected.cost, 1e-4f);
    EXPECT_EQ(found.row, expected.row);
    const NearestFrames::Test test{is_of_another_third, &found.row};
    EXPECT_EQ(index.scan(query, shares, NearestFrames::kAll, {&skip, 1}, test).row,
              smaller.find(small, {0, kInfinite}, room, NearestFrames::kAll, {&skip, 1}, test).row);
  }
}

TEST(NearestFrames, LooksAtFewOfManyWhereAGoodBoundIsKnown) {
  Random random(6);
  const std::size_t rows = 20000, dims = 27;
  std::vector<std::uint32_t> candidates(rows);
  std::iota(candidates.begin(), candidates.end(), 0U);
  const NearestFrames index(wandering_rows(random, rows, dims, 0), dims, candidates);
  NearestFrames::Room room(index);
  std::size_t blocks = 0;
  for (std::uint32_t r = 0; r < 1000; ++r) {
    std::vector<float> query(index.row(r).begin(), index.row(r).end());
    query[0] += 0.05f;
    EXPECT_LE(index.find(query, {r, index.cost(query, r)}, room).cost, index.cost(query, r));
    blocks += room.effort.blocks;
  }
  EXPECT_LT(static_cast<double>(blocks) / 1000, 0.05 * rows / 32);
}

TEST(NearestFrames, WithoutCandidatesTheBoundStays) {
  const NearestFrames index({1, 2, 3, 4}, 2, {});
  NearestFrames::Room room(index);
  const std::vector<float> query{0, 0};
  EXPECT_EQ(index.find(query, {1, 7}, room).row, 1U);
  EXPECT_EQ(index.find(query, {1, 7}, room).cost, 7);
}

}  // namespace
}  // namespace loom::matching
