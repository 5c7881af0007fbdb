// SPDX-License-Identifier: MIT
#include <algorithm>

#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/crowd/neighbour_grid.h>

namespace loom::crowd {
namespace {

TEST(NeighbourGrid, FindsWhomAPlainSearchFinds) {
  Random random(4);
  NeighbourGrid grid(2);
  for (const double spread : {0.5, 8.0, 60.0, 5000.0}) {
    std::vector<Flat> places;
    for (int n = 0; n < 200; ++n) {
      places.push_back(
          {static_cast<float>(random.uniform(-spread, spread)), static_cast<float>(random.uniform(-3, spread))});
    }
    places.push_back(places[7]);  // two in one place
    grid.fill(places);
    for (std::size_t self = 0; self < places.size(); self += 9) {
      for (const float radius : {0.3f, 3.0f, 40.0f}) {
        std::vector<std::pair<float, std::uint32_t>> all;
        for (std::uint32_t n = 0; n < places.size(); ++n) {
          const Flat to = places[n] - places[self];
          if (n != self && dot(to, to) <= radius * radius) all.emplace_back(dot(to, to), n);
        }
        std::sort(all.begin(), all.end());
        std::array<Neighbour, 6> found;
        const std::size_t count = grid.nearest(self, radius, found);
        ASSERT_EQ(count, std::min<std::size_t>(all.size(), 6));
        for (std::size_t n = 0; n < count; ++n) EXPECT_EQ(found[n].index, all[n].second);
        EXPECT_EQ(grid.nearest(places[self], 0, std::span(found).first(1)), 1) << "itself, by its place";
      }
    }
  }
  grid.fill({});
  std::array<Neighbour, 2> found;
  EXPECT_EQ(grid.nearest(Flat{1, 1}, 5, found), 0);
}

}  // namespace
}  // namespace loom::crowd
