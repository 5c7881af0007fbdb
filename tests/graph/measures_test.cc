// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <set>

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
    std::set<std::string> labels;
    for (const GraphClip& clip : graph.clips) {
      for (const motion::Label& label : clip.labels) labels.insert(label.name);
    }
    const bool all_in = labels.size() == measures.behaviors.size();
    EXPECT_EQ(measures.missing.size(), labels.size() - measures.behaviors.size());
    EXPECT_EQ(std::isnan(measures.local_maneuverability_s), !all_in);
    if (all_in) {
      EXPECT_NEAR(measures.local_maneuverability_s, mean, 1e-9);
    }

    // Figure 4.8: eq. 4.1 from the segments of one behavior to another.
    std::vector<std::uint64_t> histogram(measures.maneuverability_histogram.size());
    for (std::size_t row = 0; row < measures.behaviors.size(); ++row) {
      for (std::size_t column = 0; column < measures.behaviors.size(); ++column) {
        const auto from = graph.nodes_labelled(measures.behaviors[row]);
        const auto to = graph.nodes_labelled(measures.behaviors[column]);
        double total = 0, segments = 0, length = 0;
        for (Node c = 0; c < graph.nodes(); ++c) {
          length += 1;
          if (graph.goes_on(c) && graph.transitions_of(c).empty()) continue;
          if (std::find(from.begin(), from.end(), c) != from.end()) {
            std::uint32_t nearest = 1000000;
            for (const Node m : to) nearest = std::min(nearest, d[c][m]);
            total += 0.5 * length + nearest;
            segments += 1;
          }
          length = 0;
        }
        const double told = measures.maneuverability_between_s[row * measures.behaviors.size() + column];
        EXPECT_EQ(std::isnan(told), segments == 0);
        if (segments == 0) continue;
        EXPECT_NEAR(told, total / segments / graph.rate, 1e-9);
        if (row != column) ++histogram.at(static_cast<std::size_t>(told / GraphMeasures::kHistogramBin));
      }
    }
    EXPECT_EQ(measures.maneuverability_histogram, histogram);

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

TEST(Measures, TheMeanOverAllFramesIsNotDrawnToRareBehaviors) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const MotionGraph graph = random_graph(12, 60, 300, seed);
    constexpr std::size_t kMost = 10;
    if (graph.nodes() < 4 * kMost) continue;
    const GraphMeasures measures = measure(graph, {kMost});
    const auto d = all_distances(graph);
    // The even ones, as documented: every so many nodes, `kMost` of them at most.
    const std::size_t step = (graph.nodes() + kMost - 1) / kMost;
    double sum = 0, pairs = 0, sources = 0;
    for (std::size_t n = 0; n < graph.nodes(); n += step) {
      for (const std::uint32_t frames : d[n]) sum += frames;
      pairs += static_cast<double>(graph.nodes() - 1);
      sources += 1;
    }
    EXPECT_EQ(static_cast<double>(measures.sources), sources);
    EXPECT_NEAR(measures.mean_transition_s, sum / pairs / graph.rate, 1e-9);
  }
}

TEST(Measures, LocalManeuverabilityIsUndefinedWhereABehaviorIsLost) {
  MotionGraph graph = random_graph(6, 15, 50, 3);
  ASSERT_GT(graph.nodes(), 4U);
  GraphClip lost;
  lost.frames = 10;
  lost.labels = {{"handstand", 0, 10}};
  graph.clips.push_back(lost);
  const GraphMeasures measures = measure(graph);
  EXPECT_EQ(std::count(measures.missing.begin(), measures.missing.end(), "handstand"), 1);
  EXPECT_TRUE(std::isnan(measures.local_maneuverability_s));
  for (const double seconds : measures.maneuverability_s) EXPECT_TRUE(std::isfinite(seconds));
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
