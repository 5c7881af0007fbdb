// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <loom/base/parallel.h>
#include <loom/graph/measures.h>
#include <loom/graph/told_graph.h>

#include "tests/graph/random_graph.h"

namespace loom::graph {
namespace {

using testing::all_distances;
using testing::random_graph;

TEST(Measures, AreUndefinedWhereNothingGivesThem) {
  MotionGraph graph = random_graph(5, 15, 40, 1);
  ASSERT_GT(graph.nodes(), 4U);
  for (GraphClip& clip : graph.clips) clip.labels.clear();
  const GraphMeasures unlabelled = measure(graph);
  EXPECT_TRUE(std::isnan(unlabelled.local_maneuverability_s));
  EXPECT_EQ(told_seconds(unlabelled.local_maneuverability_s), "undefined");
  const auto told = nlohmann::json::parse(measures_json(graph, unlabelled));
  EXPECT_TRUE(told["local_maneuverability_s"].is_null());
  EXPECT_TRUE(told["mean_transition_s"].is_number());
  const auto empty = nlohmann::json::parse(measures_json({}, measure({})));
  EXPECT_TRUE(empty["mean_transition_s"].is_null());
  EXPECT_TRUE(empty["local_maneuverability_s"].is_null());
}

TEST(Measures, EqualTheirDefinitionsOverAllPairs) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const MotionGraph graph = random_graph(6, 15, 50, seed);
    if (graph.nodes() < 4) continue;
    const auto d = all_distances(graph);
    const GraphMeasures measures = measure(graph);
    const double n = static_cast<double>(graph.nodes());
    double sum = 0;
    for (const auto& row : d) {
      for (const std::uint32_t frames : row) sum += frames;
    }
    EXPECT_NEAR(measures.mean_transition_s, sum / (n * (n - 1)) / graph.rate, 1e-9);
    std::uint64_t pairs = 0;
    for (const std::uint64_t count : measures.histogram) pairs += count;
    EXPECT_EQ(pairs, graph.nodes() * (graph.nodes() - 1));

    // eq. 4.1 and 4.2, spelled out.
    double mean = 0;
    for (std::size_t k = 0; k < measures.behaviors.size(); ++k) {
      const auto nodes = graph.nodes_labelled(measures.behaviors[k]);
      double total = 0, segments = 0, length = 0;
      for (Node c = 0; c < graph.nodes(); ++c) {
        length += 1;
        if (graph.goes_on(c) && graph.transitions_of(c).empty()) continue;
        std::uint32_t nearest = 1000000;
        for (const Node m : nodes) nearest = std::min(nearest, d[c][m]);
        total += 0.5 * length + nearest;
        segments += 1;
        length = 0;
      }
      EXPECT_NEAR(measures.maneuverability_s[k], total / segments / graph.rate, 1e-9);
      mean += measures.maneuverability_s[k] / static_cast<double>(measures.behaviors.size());
    }
    EXPECT_NEAR(measures.local_maneuverability_s, mean, 1e-9);

    // Table 4.4: from a to b, over all pairs of their frames.
    const auto a = graph.nodes_labelled("a"), b = graph.nodes_labelled("b");
    if (a.empty() || b.empty()) continue;
    double between = 0;
    for (const Node x : a) {
      for (const Node y : b) between += d[x][y];
    }
    between /= static_cast<double>(a.size() * b.size()) * graph.rate;
    EXPECT_NEAR(measures.between_s[1], between, 1e-9);
    EXPECT_EQ(measures.between_s[0], 0);
  }
}

TEST(Measures, AreTheSameWithOneThreadAndTwo) {
  const MotionGraph graph = random_graph(12, 60, 300, 4);
  const GraphMeasures all = measure(graph);
  const ThreadLimit limit(1);
  const GraphMeasures one = measure(graph);
  EXPECT_EQ(all.mean_transition_s, one.mean_transition_s);
  EXPECT_EQ(all.histogram, one.histogram);
  EXPECT_EQ(all.between_s, one.between_s);
}

TEST(Measures, TellHowFarTheyAreAndStop) {
  const MotionGraph graph = random_graph(12, 60, 300, 4);
  std::vector<double> shares;
  const GraphMeasures whole = measure(graph, {}, Progress([&](double share, std::string_view) {
                                        shares.push_back(share);
                                        return true;
                                      }));
  EXPECT_EQ(shares.size(), whole.sources);
  EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
  EXPECT_EQ(shares.back(), 1);
  const GraphMeasures part = measure(graph, {}, Progress([](double share, std::string_view) { return share < 0.3; }));
  EXPECT_GT(part.sources, 0u);
  EXPECT_LT(part.sources, whole.sources);
}

TEST(ClosurePicture, IsWhatSearchingFromEveryFrameGives) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Random random(seed);
    MotionGraph graph;
    graph.threshold = 0.5;
    graph.clips = testing::random_clips(6, 20, random);
    const FrameNumbers numbers(graph.clips);
    const auto pairs = testing::random_pairs(numbers, 25, random);
    const FrameGraph edges = frame_graph(numbers, pairs, graph.threshold);
    const auto pixels = closure_picture(graph, pairs, 1000);
    ASSERT_EQ(pixels.size(), std::size_t{numbers.total()} * numbers.total());
    for (std::uint32_t row = 0; row < numbers.total(); ++row) {
      const std::vector<bool> reached = reachable(edges.view(), {row});
      for (std::uint32_t column = 0; column < numbers.total(); ++column) {
        ASSERT_EQ(pixels[row * numbers.total() + column] == 255, reached[column]) << seed;
      }
    }
  }
}

}  // namespace
}  // namespace loom::graph
