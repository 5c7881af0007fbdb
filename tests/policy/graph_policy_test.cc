// SPDX-License-Identifier: MIT
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/policy/graph_policy.h>
#include <loom/policy/graph_policy_stream.h>

#include "tests/graph/random_graph.h"

namespace loom::policy {
namespace {

using ::testing::HasSubstr;

/// Tracks that turn at random, for a graph without motion: all that training looks at.
std::vector<take::Track> random_tracks(const graph::MotionGraph& graph, std::uint64_t seed) {
  Random random(seed);
  std::vector<take::Track> tracks;
  for (const graph::GraphClip& clip : graph.clips) {
    take::Track track(clip.frames);
    for (std::size_t f = 1; f < track.size(); ++f) {
      track[f].heading = wrap_angle(track[f - 1].heading + static_cast<float>(random.uniform(-0.6, 0.6)));
    }
    tracks.push_back(std::move(track));
  }
  return tracks;
}

/// Zhao 2009 eq. 4.3 as it stands, swept many times: the oracle. Values of going each way, by state and way.
struct PlainValues {
  const graph::MotionGraph& graph;
  const std::vector<take::Track>& tracks;
  const GraphPolicyOptions& options;
  std::vector<bool> wanted;
  std::vector<double> reward;  ///< headings × nodes

  [[nodiscard]] double value(std::size_t h, graph::Node to, double quality) const {
    const double place = 2 * static_cast<double>(kPi) / static_cast<double>(options.headings);
    const take::Track& track = tracks[graph.clip_of(to)];
    const std::uint32_t f = graph.frame_of(to);
    const double turned = f == 0 ? 0 : static_cast<double>(wrap_angle(track[f].heading - track[f - 1].heading));
    const double n = static_cast<double>(options.headings);
    double at = static_cast<double>(h) - turned / place;
    at -= std::floor(at / n) * n;
    const auto low = static_cast<std::size_t>(at) % options.headings, high = (low + 1) % options.headings;
    const double share = at - std::floor(at);
    const double next = (1 - share) * reward[low * graph.nodes() + to] + share * reward[high * graph.nodes() + to];
    const double off = std::remainder(static_cast<double>(h) * place, 2 * static_cast<double>(kPi));
    const double control = wanted[to] ? 1 / (1 + options.heading_weight * off * off) : 0;
    return quality * control + options.discount * next;
  }

  [[nodiscard]] double of_way(std::size_t h, graph::Node n, std::size_t way) const {
    if (way == 0) return graph.goes_on(n) ? value(h, n + 1, 1) : -1;
    const graph::Transition& t = graph.transitions_of(n)[way - 1];
    return value(h, t.to, 1 - static_cast<double>(t.cost));
  }

  [[nodiscard]] double best(std::size_t h, graph::Node n) const {
    double most = -1;
    for (std::size_t way = 0; way <= graph.transitions_of(n).size(); ++way) most = std::max(most, of_way(h, n, way));
    return most;
  }

  void solve() {
    for (int sweep = 0; sweep < 400; ++sweep) {
      std::vector<double> after(reward.size());
      for (std::size_t i = 0; i < after.size(); ++i) {
        after[i] = best(i / graph.nodes(), static_cast<graph::Node>(i % graph.nodes()));
      }
      reward = std::move(after);
    }
  }
};

class GraphPolicyTest : public ::testing::Test {
 protected:
  GraphPolicyTest() {
    options_.headings = 12;
    options_.discount = 0.9;
    options_.tolerance = 1e-9;
  }

  graph::MotionGraph graph_ = testing::random_graph(6, 12, 60, 4);
  std::vector<take::Track> tracks_ = random_tracks(graph_, 9);
  GraphPolicyOptions options_;
};

TEST_F(GraphPolicyTest, DecidesAsPlainValueIterationDoes) {
  const auto policy = train_graph_policy(graph_, tracks_, options_);
  ASSERT_TRUE(policy) << policy.error().message;
  ASSERT_EQ(policy->behaviors, (std::vector<std::string>{"a", "b"}));
  for (int behavior = -1; behavior < 2; ++behavior) {
    PlainValues plain{graph_, tracks_, options_, std::vector<bool>(graph_.nodes(), behavior < 0),
                      std::vector<double>(12 * graph_.nodes())};
    if (behavior >= 0) {
      for (const graph::Node n : graph_.nodes_labelled(policy->behaviors[static_cast<std::size_t>(behavior)])) {
        plain.wanted[n] = true;
      }
    }
    plain.solve();
    for (std::size_t h = 0; h < 12; ++h) {
      for (graph::Node n = 0; n < graph_.nodes(); ++n) {
        const auto to_left = static_cast<float>(h) * 2 * kPi / 12;
        const std::uint16_t way = policy->decide(n, wrap_angle(to_left), behavior);
        ASSERT_NEAR(plain.of_way(h, n, way), plain.best(h, n), 1e-6) << "node " << n << " heading " << h;
      }
    }
  }
}

TEST_F(GraphPolicyTest, KeepsInBytes) {
  const auto policy = *train_graph_policy(graph_, tracks_, options_);
  const auto bytes = to_bytes(policy);
  const auto back = graph_policy_from_bytes(bytes, graph_);
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(back->choice, policy.choice);
  EXPECT_EQ(back->behaviors, policy.behaviors);
  for (std::size_t cut = 0; cut < bytes.size(); cut += 97) {
    EXPECT_FALSE(graph_policy_from_bytes(std::span(bytes).first(cut), graph_));
  }
  auto damaged = bytes;
  damaged[bytes.size() - 1] = std::byte{0xff};
  EXPECT_FALSE(graph_policy_from_bytes(damaged, graph_));
}

TEST_F(GraphPolicyTest, IsRefusedForAnotherGraph) {
  const auto bytes = to_bytes(*train_graph_policy(graph_, tracks_, options_));
  const auto other = graph_policy_from_bytes(bytes, testing::random_graph(6, 12, 60, 5));
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().message, HasSubstr("built anew"));
}

TEST_F(GraphPolicyTest, RefusesWhatCannotBeTrained) {
  options_.behaviors = {"swim"};
  EXPECT_THAT(train_graph_policy(graph_, tracks_, options_).error().message, HasSubstr("'swim'"));
  options_.behaviors.clear();
  options_.headings = 2;
  EXPECT_FALSE(train_graph_policy(graph_, tracks_, options_));
  options_.headings = 12;
  options_.discount = 1;
  EXPECT_FALSE(train_graph_policy(graph_, tracks_, options_));
  options_.discount = 0.9;
  const Progress stop([](double, std::string_view) { return false; });
  EXPECT_FALSE(train_graph_policy(graph_, tracks_, options_, stop));
  EXPECT_FALSE(train_graph_policy({}, {}, options_));
}

}  // namespace
}  // namespace loom::policy
