// SPDX-License-Identifier: MIT
// Shortest-path trees on a card, by the same source on the processor; and on a card, where there is one.
#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/graph/connect/detail/reduce.h>
#include <loom/graph/connect/detail/way_trees.h>
#include <loom/graph/cuda/card_trees.h>
#include <loom/graph/cuda/trees_on_card.h>

namespace loom::graph {
namespace {

constexpr card::Api host_api() {
  card::Api api;
  api.load_trees = card::load_trees;
  api.drop_trees = card::drop_trees;
  api.trees = card::trees_on_card;
  return api;
}
constexpr card::Api kHost = host_api();

/// Runs of frames and ways between them, of few different costs so that ties come up, and parts that nothing leads to.
WayGraph random_graph(std::uint64_t seed, std::uint32_t nodes, std::size_t count) {
  Random random(seed);
  std::vector<std::uint8_t> goes_on(nodes);
  for (std::uint32_t n = 0; n + 1 < nodes; ++n) goes_on[n] = random.index(9) != 0 ? 1 : 0;
  std::vector<Way> ways(count);
  for (Way& way : ways) {
    way.from = static_cast<std::uint32_t>(random.index(nodes));
    way.to = static_cast<std::uint32_t>(random.index(nodes));
    way.distance = static_cast<float>(random.index(4));
  }
  std::sort(ways.begin(), ways.end(), [](const Way& a, const Way& b) { return a.from < b.from; });
  return make_way_graph(std::move(goes_on), ways, 1, 2);
}

std::vector<std::uint32_t> every(std::uint32_t step, std::uint32_t nodes) {
  std::vector<std::uint32_t> some;
  for (std::uint32_t n = 0; n < nodes; n += step) some.push_back(n);
  return some;
}

/// What the processor finds, sixteen sources at a time.
Usage expected_usage(const WayGraph& graph, const WaysInto& into, std::span<const std::uint8_t> wanted,
                     std::span<const std::uint32_t> sources) {
  Usage usage(graph.nodes, graph.targets.size());
  WayTrees trees(graph, into, wanted);
  for (std::size_t first = 0; first < sources.size(); first += WayTrees::kAtOnce) {
    trees.run(sources.subspan(first, std::min(WayTrees::kAtOnce, sources.size() - first)));
    trees.add_to(usage);
  }
  return usage;
}

void expect_the_same_trees(TreeEngine& engine) {
  for (std::uint64_t seed = 1; seed <= 24; ++seed) {
    const auto nodes = static_cast<std::uint32_t>(seed == 1 ? 1 : 20 * seed + 3);
    const WayGraph graph = random_graph(seed, nodes, seed % 5 == 0 ? 0 : nodes * (1 + seed % 4));
    const WaysInto into(graph);
    Random random(seed);
    std::vector<std::uint8_t> wanted(nodes);
    for (std::uint8_t& w : wanted) w = random.index(3) == 0 ? 1 : 0;
    for (const std::uint32_t step : {1U, 3U, 1000U}) {
      const auto sources = every(step, nodes);
      const std::span<const std::uint8_t> some = step == 3 ? std::span<const std::uint8_t>() : wanted;
      const Usage expected = expected_usage(graph, into, some, sources);
      Usage found(nodes, graph.targets.size());
      const auto taken = engine.add_usage(graph, into, some, sources, found);
      ASSERT_TRUE(taken) << taken.error().to_string();
      ASSERT_TRUE(*taken);
      EXPECT_EQ(found.nodes, expected.nodes) << "seed " << seed << ", every " << step;
      EXPECT_EQ(found.ways, expected.ways) << "seed " << seed << ", every " << step;
    }
  }
}

TEST(CardTreeCode, GrowsTheTreesOfTheProcessor) {
  CardTrees trees(kHost);
  expect_the_same_trees(trees);
  EXPECT_STREQ(trees.on(), "cuda");
}

TEST(CardTreeCode, GrowsTheSameWhereFewSourcesFitAtATime) {
  CardTrees trees(kHost, compare::On::kCuda, 1);
  expect_the_same_trees(trees);
}

TEST(CardTreeCode, AddsToWhatIsThere) {
  const WayGraph graph = random_graph(3, 50, 120);
  const WaysInto into(graph);
  const auto sources = every(5, 50);
  Usage once(50, graph.targets.size()), twice(50, graph.targets.size());
  CardTrees trees(kHost);
  ASSERT_TRUE(trees.add_usage(graph, into, {}, sources, once));
  for (int n = 0; n < 2; ++n) ASSERT_TRUE(trees.add_usage(graph, into, {}, sources, twice));
  once.add(once);
  EXPECT_EQ(twice.nodes, once.nodes);
  EXPECT_EQ(twice.ways, once.ways);
}

TEST(CardTreeCode, ReducesAGraphAsTheProcessorDoes) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const WayGraph graph = random_graph(seed, 150, 500);
    const auto ends = every(6, 150);
    CardTrees trees(kHost);
    for (const double lambda : {1.0, 5.0}) {
      const auto expected = reduce(graph, ends, lambda), found = reduce(graph, ends, lambda, {}, {}, &trees);
      ASSERT_TRUE(expected);
      ASSERT_TRUE(found);
      EXPECT_EQ(found->nodes, expected->nodes) << seed;
      EXPECT_EQ(found->ways, expected->ways) << seed;
    }
    EXPECT_STREQ(trees.on(), "cuda");
  }
}

TEST(CardTrees, FewTreesAreLeftToTheProcessorAndSoAreThoseOfACardThatFails) {
  card::Api broken = kHost;
  broken.load_trees = [](const card::TreesInput*, card::Failure* failure) -> void* {
    card::tell(failure, "no room");
    return nullptr;
  };
  const WayGraph graph = random_graph(3, 6000, 9000);
  const WaysInto into(graph);
  Usage usage(graph.nodes, graph.targets.size());
  CardTrees small(kHost, compare::On::kAuto), failing(broken, compare::On::kAuto), must(broken);
  EXPECT_FALSE(*small.add_usage(graph, into, {}, every(3000, 6000), usage));
  EXPECT_FALSE(*failing.add_usage(graph, into, {}, every(1, 6000), usage));
  EXPECT_NE(failing.why_not_the_card().find("no room"), std::string::npos);
  EXPECT_FALSE(must.add_usage(graph, into, {}, every(3000, 6000), usage));
  EXPECT_EQ(std::accumulate(usage.nodes.begin(), usage.nodes.end(), 0U), 0U);
}

TEST(CardTrees, GrowOnACardAsOnTheProcessor) {
  const auto trees = CardTrees::create(compare::On::kCuda);
  if (!trees) GTEST_SKIP() << "NOT TESTED ON A CARD: " << trees.error().message;
  expect_the_same_trees(**trees);
}

}  // namespace
}  // namespace loom::graph
