// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include <loom/graph/motion_graph.h>
#include <loom/graph/prune.h>

#include "tests/graph/damaged_graphs.h"
#include "tests/graph/random_graph.h"

namespace loom::graph {
namespace {

using testing::random_clips;
using testing::random_graph;
using testing::random_pairs;

/// Who reaches whom, by Warshall.
std::vector<std::vector<bool>> closure(const FrameGraph& edges) {
  const std::size_t n = edges.first.size() - 1;
  std::vector<std::vector<bool>> reach(n, std::vector<bool>(n));
  for (std::size_t i = 0; i < n; ++i) {
    reach[i][i] = true;
    for (std::uint32_t e = edges.first[i]; e < edges.first[i + 1]; ++e) reach[i][edges.targets[e]] = true;
  }
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n && reach[i][k]; ++j) {
        if (reach[k][j]) reach[i][j] = true;
      }
    }
  }
  return reach;
}

TEST(Components, AreThoseOfMutualReachability) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Random random(seed);
    const auto clips = random_clips(4, 12, random);
    const FrameNumbers numbers(clips);
    const auto pairs = random_pairs(numbers, 2 + seed % 12, random);
    const FrameGraph edges = frame_graph(numbers, pairs, 1);
    const auto reach = closure(edges);
    const Components components = find_components(edges.view());
    std::map<std::uint32_t, std::uint32_t> sizes;
    for (std::uint32_t i = 0; i < numbers.total(); ++i) {
      ++sizes[components.of[i]];
      for (std::uint32_t j = 0; j < numbers.total(); ++j) {
        EXPECT_EQ(components.of[i] == components.of[j], reach[i][j] && reach[j][i]) << seed << ": " << i << ", " << j;
      }
    }
    for (const auto& [component, size] : sizes) {
      EXPECT_EQ(components.size[component], size);
      EXPECT_LE(size, components.size[components.largest]);
    }
  }
}

TEST(Components, ALineOfAMillionNodesDoesNotExhaustTheStack) {
  constexpr std::uint32_t kCount = 1000000;
  std::vector<std::uint32_t> first(kCount + 1), targets(kCount);
  for (std::uint32_t i = 0; i < kCount; ++i) {
    first[i + 1] = i + 1;
    targets[i] = (i + 1) % kCount;  // and back to the start: one component
  }
  const Components components = find_components({first, targets});
  EXPECT_EQ(components.size[components.largest], kCount);
}

TEST(Prune, ZhaosExampleKeepsTheFramesThatFormCycles) {
  // Zhao 2009 figure 3.2(b): two clips of 5 and 4 frames. Frames 4 and 7 (there counted from 1) go over to each other.
  std::vector<GraphClip> clips(2);
  clips[0].frames = 5;
  clips[1].frames = 4;
  // Edges 2 to 6 and 8 to 0: from pairs (2, 5) -> 2 to 6, 5 to 3; and (8, ...) cannot go on, so (7, 0) -> 7 to 1.
  const SimilarPair pairs[] = {{2, 5, 0.1f}, {0, 7, 0.1f}};
  const MotionGraph graph = prune(clips, pairs, 1, 1, 30, [](auto, auto) { return motion::GroundFrame{}; });
  EXPECT_EQ(graph.runs[0].begin, 1u);
  EXPECT_EQ(graph.runs[0].end, 3u);  // frames 1, 2: then over to frame 1 of the other clip
  EXPECT_EQ(graph.runs[1].begin, 1u);
  EXPECT_EQ(graph.runs[1].end, 3u);
}

TEST(Prune, KeepsExactlyTheLargestComponentAndItsEdges) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Random random(seed);
    const auto clips = random_clips(5, 15, random);
    const FrameNumbers numbers(clips);
    const auto pairs = random_pairs(numbers, 6 + seed, random);
    constexpr double kThreshold = 0.6, kSigma = 0.3;
    const MotionGraph graph =
        prune(clips, pairs, kThreshold, kSigma, 30, [](auto, auto) { return motion::GroundFrame{}; });

    const FrameGraph edges = frame_graph(numbers, pairs, kThreshold);
    const auto reach = closure(edges);
    std::size_t largest = 0;
    for (std::uint32_t i = 0; i < numbers.total(); ++i) {
      std::size_t size = 0;
      for (std::uint32_t j = 0; j < numbers.total(); ++j) size += reach[i][j] && reach[j][i] ? 1 : 0;
      largest = std::max(largest, size);
    }
    EXPECT_EQ(graph.nodes(), largest > 1 ? largest : 0) << seed;
    for (Node a = 0; a < graph.nodes(); ++a) {
      const auto frame = [&](Node n) { return numbers.first(graph.clip_of(n)) + graph.frame_of(n); };
      EXPECT_TRUE(reach[frame(0)][frame(a)] && reach[frame(a)][frame(0)]);
      std::multiset<std::uint32_t> expected, actual;
      for (const SimilarPair& pair : pairs) {
        if (static_cast<double>(pair.distance) > kThreshold) continue;
        if (pair.a == frame(a) && numbers.goes_on(pair.b)) expected.insert(pair.b + 1);
        if (pair.b == frame(a) && numbers.goes_on(pair.a)) expected.insert(pair.a + 1);
      }
      for (const Transition& t : graph.transitions_of(a)) {
        actual.insert(frame(t.to));
        EXPECT_NEAR(t.cost, 1 - std::exp(-static_cast<double>(t.distance) / kSigma), 1e-6);
      }
      for (const std::uint32_t to : actual) EXPECT_TRUE(expected.contains(to));
      // What is missing led out of the component.
      for (const std::uint32_t to : expected) EXPECT_TRUE(actual.contains(to) || !reach[to][frame(0)]);
    }
  }
}

TEST(Prune, TheThresholdForAShareIsTheSmallest) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    const auto clips = random_clips(5, 15, random);
    const FrameNumbers numbers(clips);
    const auto pairs = random_pairs(numbers, 40, random);
    for (const double share : {0.2, 0.5, 0.8}) {
      const double found = threshold_for_share(numbers, pairs, share);
      double smallest = 2;
      for (const SimilarPair& pair : pairs) {
        const auto threshold = static_cast<double>(pair.distance);
        if (threshold < smallest && component_share(numbers, pairs, threshold) >= share) smallest = threshold;
      }
      if (smallest > 1) continue;
      EXPECT_EQ(found, smallest) << seed << " at " << share;
    }
  }
}

TEST(ComponentShares, AreThoseOfEachThreshold) {
  Random random(8);
  const auto clips = testing::random_clips(6, 20, random);
  const FrameNumbers numbers(clips);
  const auto pairs = testing::random_pairs(numbers, 60, random);
  const double thresholds[] = {0.1, 0.4, 0.7, 1};
  const auto shares = component_shares(numbers, pairs, thresholds);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(shares[i], component_share(numbers, pairs, thresholds[i]));
}

TEST(Prune, SaysOfALostClipWhatIsMissingAndWhenItWouldJoin) {
  std::vector<GraphClip> clips(3);
  for (GraphClip& clip : clips) clip.frames = 10;
  // Clips 0 and 1 form a cycle at 0.1; clip 2 can be entered at 0.1 (from 8 of clip 0) but left only at 0.5.
  const SimilarPair pairs[] = {{2, 17, 0.1f}, {7, 12, 0.1f}, {8, 20, 0.1f}, {5, 28, 0.5f}};
  const MotionGraph graph = prune(clips, pairs, 0.2, 1, 30, [](auto, auto) { return motion::GroundFrame{}; });
  ASSERT_GT(graph.nodes(), 0u);
  const auto lost = explain_losses(graph, pairs);
  ASSERT_FALSE(lost.empty());
  EXPECT_EQ(lost[0].clip, 2u);
  EXPECT_EQ(lost[0].frames_lost, 10u);
  EXPECT_FALSE(lost[0].reason.empty());
  EXPECT_NEAR(lost[0].joins_at, 0.5, 0.03);
}

TEST(MotionGraphBytes, ReadBackAsTheyWere) {
  const MotionGraph graph = random_graph(6, 30, 60, 7);
  ASSERT_GT(graph.nodes(), 10u);
  const auto bytes = to_bytes(graph);
  const MotionGraph back = graph_from_bytes(bytes).value();
  EXPECT_EQ(to_bytes(back), bytes);
  EXPECT_EQ(back.nodes(), graph.nodes());
  EXPECT_EQ(back.clips[1].labels, graph.clips[1].labels);
}

TEST(MotionGraphBytes, DamageEndsInAnErrorOrASoundGraph) {
  expect_an_error_or_a_sound_graph(to_bytes(random_graph(4, 20, 40, 3)));
}

}  // namespace
}  // namespace loom::graph
