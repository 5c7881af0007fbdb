// SPDX-License-Identifier: MIT
#include "studio/pick_judge.h"

#include <gtest/gtest.h>

#include "tests/graph/random_graph.h"

namespace loom::studio {
namespace {

using graph::Node;

/// Frames between all nodes of a set, by Floyd and Warshall; a million where there is no way within it.
std::vector<std::vector<std::uint32_t>> distances_within(const graph::MotionGraph& g, const std::vector<bool>& in) {
  const std::size_t n = g.nodes();
  std::vector<std::vector<std::uint32_t>> d(n, std::vector<std::uint32_t>(n, 1000000));
  for (Node i = 0; i < n; ++i) {
    if (!in[i]) continue;
    d[i][i] = 0;
    if (g.goes_on(i) && in[i + 1]) d[i][i + 1] = 1;
    for (const auto& t : g.transitions_of(i)) {
      if (in[t.to] && t.to != i) d[i][t.to] = 1;
    }
  }
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) d[i][j] = std::min(d[i][j], d[i][k] + d[k][j]);
    }
  }
  return d;
}

TEST(PickJudge, CountsTheWaysThereAreWithinWhatWasPicked) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const graph::MotionGraph g = testing::random_graph(6, 14, 70, seed);
    Random random(seed);
    const auto some = [&] {
      const auto begin = static_cast<Node>(random.index(g.nodes()));
      const Node most = g.runs[g.run_of[begin]].end_node();
      return PickedNodes{begin, begin + 1 + static_cast<Node>(random.index(most - begin))};
    };
    if (g.nodes() < 10) continue;
    const std::vector<std::vector<PickedNodes>> keys{{some()}, {some(), some()}, {some()}, {}};
    const std::vector<PickedNodes> picked{some(), some()};
    std::vector<bool> in(g.nodes());
    std::vector<std::vector<bool>> of_key(keys.size(), std::vector<bool>(g.nodes()));
    for (std::size_t k = 0; k < keys.size(); ++k) {
      for (const PickedNodes& range : keys[k]) {
        for (Node n = range.begin; n < range.end; ++n) in[n] = of_key[k][n] = true;
      }
    }
    for (const PickedNodes& range : picked) {
      for (Node n = range.begin; n < range.end; ++n) in[n] = true;
    }
    constexpr std::uint32_t kWithin = 6;
    const PickJudgement judged = judge_picked(g, keys, picked, kWithin);
    EXPECT_EQ(judged.frames, static_cast<std::size_t>(std::count(in.begin(), in.end(), true)));
    const auto d = distances_within(g, in);
    ASSERT_EQ(judged.pairs.size(), keys.size() * (keys.size() - 1));
    for (const PickedPair& pair : judged.pairs) {
      std::size_t asked = 0, connected = 0, quick = 0;
      double sum = 0;
      for (Node a = 0; a < g.nodes(); ++a) {
        for (Node b = 0; b < g.nodes(); ++b) {
          if (a == b || !of_key[pair.from][a] || !of_key[pair.to][b]) continue;
          ++asked;
          if (d[a][b] >= 1000000) continue;
          ++connected;
          sum += d[a][b];
          if (d[a][b] <= kWithin) ++quick;
        }
      }
      EXPECT_EQ(pair.asked, asked);
      EXPECT_EQ(pair.connected, connected);
      EXPECT_EQ(pair.quick, quick);
      EXPECT_NEAR(pair.mean_frames, connected == 0 ? 0 : sum / static_cast<double>(connected), 1e-9);
    }
  }
}

}  // namespace
}  // namespace loom::studio
