// SPDX-License-Identifier: MIT
#include <algorithm>

#include <gtest/gtest.h>

#include <loom/graph/explain.h>

#include "tests/graph/random_graph.h"

namespace loom::graph {
namespace {

struct Case {
  std::vector<GraphClip> clips;
  std::vector<SimilarPair> pairs;
  MotionGraph graph;
};

Case random_case(std::uint64_t seed) {
  Random random(seed);
  Case c;
  c.clips = testing::random_clips(6, 15, random);
  const FrameNumbers numbers(c.clips);
  c.pairs = testing::random_pairs(numbers, 50, random);
  c.graph = prune(c.clips, c.pairs, 0.5, 0.5, 30, [](auto, auto) { return motion::GroundFrame{}; });
  return c;
}

TEST(Explain, ListsTheNearestDirectTransitionsInOrder) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Case c = random_case(seed);
    const FrameNumbers numbers(c.clips);
    const auto explained = explain(c.graph, c.pairs, "a", "b", {1000, 1000}).value();
    std::vector<double> expected;
    for (const SimilarPair& pair : c.pairs) {
      for (const auto& [from, to] : {std::pair{pair.a, pair.b}, std::pair{pair.b, pair.a}}) {
        if (numbers.goes_on(to) && numbers.clip_of(from) < 3 && numbers.clip_of(to) >= 3) {
          expected.push_back(static_cast<double>(pair.distance));
        }
      }
    }
    std::sort(expected.begin(), expected.end());
    ASSERT_EQ(explained.best.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(explained.best[i].distance, expected[i]);
      EXPECT_TRUE(!explained.best[i].in_graph || expected[i] <= c.graph.threshold);
    }
  }
}

TEST(Explain, TheThresholdThatConnectsIsTheSmallest) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Case c = random_case(seed);
    const auto explained = explain(c.graph, c.pairs, "clip0", "clip5").value();
    const FrameNumbers numbers(c.clips);
    const auto reaches = [&](double threshold) {
      std::vector<std::uint32_t> start;
      for (std::uint32_t f = 0; f < c.clips[0].frames; ++f) start.push_back(f);
      const FrameGraph edges = frame_graph(numbers, c.pairs, threshold);
      const auto reached = reachable(edges.view(), start);
      return std::find(reached.begin() + numbers.first(5), reached.end(), true) != reached.end();
    };
    if (explained.connects_at < 0) {
      EXPECT_FALSE(reaches(10));
      continue;
    }
    EXPECT_TRUE(reaches(explained.connects_at));
    EXPECT_FALSE(reaches(explained.connects_at - 1e-6));
  }
}

TEST(Explain, TheRouteIsAWayOfTheGraphAndTakesAsLongAsTheQuickest) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Case c = random_case(seed);
    const auto explained = explain(c.graph, c.pairs, "a", "b").value();
    ASSERT_EQ(explained.route.empty(), !explained.connected);
    if (!explained.connected) continue;
    std::vector<Node> nodes;
    for (const RouteStretch& stretch : explained.route) {
      for (std::uint32_t f = stretch.from; f <= stretch.to; ++f) {
        const auto node = c.graph.node_at(stretch.clip, f);
        ASSERT_TRUE(node);
        nodes.push_back(*node);
      }
    }
    EXPECT_NEAR(static_cast<double>(nodes.size() - 1) / c.graph.rate, explained.quickest_s, 1e-9);
    for (std::size_t i = 1; i < nodes.size(); ++i) {
      const auto ways = c.graph.transitions_of(nodes[i - 1]);
      EXPECT_TRUE((c.graph.goes_on(nodes[i - 1]) && nodes[i] == nodes[i - 1] + 1) ||
                  std::any_of(ways.begin(), ways.end(), [&](const Transition& t) { return t.to == nodes[i]; }));
    }
    const auto carries = [&](Node n, const char* label) {
      const auto labelled = c.graph.nodes_labelled(label);
      return std::find(labelled.begin(), labelled.end(), n) != labelled.end();
    };
    EXPECT_TRUE(carries(nodes.front(), "a"));
    EXPECT_TRUE(carries(nodes.back(), "b"));
  }
}

TEST(Explain, NamesTheLabelsWhenAskedForSomethingElse) {
  const Case c = random_case(1);
  const auto explained = explain(c.graph, c.pairs, "a", "dance");
  ASSERT_FALSE(explained);
  EXPECT_NE(explained.error().message.find("a, b"), std::string::npos);
}

}  // namespace
}  // namespace loom::graph
