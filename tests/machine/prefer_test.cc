// SPDX-License-Identifier: MIT
// Ways made the cheapest (Srinivasan 2009 ch. 4), against every probability of a fine grid on tiny machines.
#include <functional>
#include <limits>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/machine/prefer.h>

namespace loom::machine {
namespace {

using ::testing::HasSubstr;

behavior::StateMachine random_machine(std::size_t states, double density, std::uint64_t seed) {
  Random random(seed);
  std::string text = "machine m\n";
  for (std::size_t s = 0; s < states; ++s) text += "state s" + std::to_string(s) + ": x\n";
  for (std::size_t a = 0; a < states; ++a) {
    for (std::size_t b = 0; b < states; ++b) {
      if (a == b || (b != (a + 1) % states && random.uniform() > density)) continue;
      text += "transition s" + std::to_string(a) + " -> s" + std::to_string(b) + " weight " +
              std::to_string(random.uniform(0.05, 1)) + "\n";
    }
  }
  return *behavior::parse_machine(text, "m");
}

/// All ways without circles between two states, by walking every one of them.
std::vector<std::vector<std::size_t>> every_way(const std::vector<Edge>& edges, std::size_t from, std::size_t to) {
  std::vector<std::vector<std::size_t>> ways;
  std::vector<std::size_t> way, seen{from};
  const std::function<void(std::size_t)> walk = [&](std::size_t at) {
    if (at == to) {
      ways.push_back(way);
      return;
    }
    for (std::size_t e = 0; e < edges.size(); ++e) {
      if (edges[e].from != at || std::find(seen.begin(), seen.end(), edges[e].to) != seen.end()) continue;
      way.push_back(e);
      seen.push_back(edges[e].to);
      walk(edges[e].to);
      way.pop_back();
      seen.pop_back();
    }
  };
  walk(from);
  return ways;
}

std::vector<std::size_t> edges_on(const std::vector<Edge>& edges, const StateWay& way) {
  std::vector<std::size_t> along;
  for (std::size_t i = 0; i + 1 < way.size(); ++i) {
    for (std::size_t e = 0; e < edges.size(); ++e) {
      if (edges[e].from == way[i] && edges[e].to == way[i + 1]) along.push_back(e);
    }
  }
  return along;
}

/// By how much a way is cheaper than the cheapest other.
double lead_of(const std::vector<Edge>& edges, const StateWay& way) {
  const auto sum = [&](const std::vector<std::size_t>& along) {
    double cost = 0;
    for (const std::size_t e : along) cost -= std::log(edges[e].probability);
    return cost;
  };
  const auto wanted = edges_on(edges, way);
  double other = std::numeric_limits<double>::infinity();
  for (const auto& along : every_way(edges, way.front(), way.back())) {
    if (along != wanted) other = std::min(other, sum(along));
  }
  return other - sum(wanted);
}

void expect_probabilities(const Preferred& preferred) {
  std::map<std::size_t, double> sums;
  for (const Edge& edge : preferred.edges) {
    EXPECT_GT(edge.probability, 0);
    sums[edge.from] += edge.probability;
  }
  for (const auto& [state, sum] : sums) EXPECT_NEAR(sum, 1, 1e-6) << "state " << state;
}

/// A way of three to five states of the machine, at random; empty where the walk ended too soon.
StateWay random_way(const behavior::StateMachine& machine, Random& random) {
  const auto edges = edges_of(machine);
  StateWay way{random.index(machine.states.size())};
  const std::size_t length = 3 + random.index(3);
  while (way.size() < length) {
    std::vector<std::size_t> next;
    for (const Edge& edge : edges) {
      if (edge.from == way.back() && std::find(way.begin(), way.end(), edge.to) == way.end()) next.push_back(edge.to);
    }
    if (next.empty()) return {};
    way.push_back(next[random.index(next.size())]);
  }
  return way;
}

TEST(Prefer, TheWayIsCheapestAmongAllWaysAndProbabilitiesStaySo) {
  std::size_t done = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Random random(seed);
    const auto machine = random_machine(4 + seed % 5, 0.4, seed);
    const StateWay way = random_way(machine, random);
    if (way.empty()) continue;
    for (const auto method : {PreferMethod::kLeast, PreferMethod::kQuadratic}) {
      const auto preferred = prefer(machine, {{way}}, method);
      ASSERT_TRUE(preferred) << "seed " << seed << ": " << preferred.error().to_string();
      EXPECT_GE(lead_of(preferred->edges, way), kPreferMargin - 1e-4) << "seed " << seed << " " << to_string(method);
      expect_probabilities(*preferred);
      ++done;
    }
  }
  EXPECT_GT(done, 60u);
}

/// Three states, each leading to both others: three numbers say it all.
constexpr const char* kThree =
    "machine m\nstate a: x\nstate b: x\nstate c: x\ntransition a -> b weight 0.3\ntransition a -> c weight 0.7\n"
    "transition b -> a weight 0.6\ntransition b -> c weight 0.4\ntransition c -> a weight 0.5\n"
    "transition c -> b weight 0.5\n";

TEST(Prefer, QuadraticChangesAsLittleAsTheBestOfAGrid) {
  const auto machine = *behavior::parse_machine(kThree, "m");
  const std::vector<Edge> edges = edges_of(machine);
  const StateWay way{0, 1, 2};
  const auto preferred = prefer(machine, {{way}}, PreferMethod::kQuadratic);
  ASSERT_TRUE(preferred) << preferred.error().to_string();
  const auto change = [&](const std::vector<Edge>& now) {
    double sum = 0;
    for (std::size_t e = 0; e < edges.size(); ++e) {
      const double off = std::log(now[e].probability) - std::log(edges[e].probability);
      sum += off * off;
    }
    return sum;
  };
  // a -> c and a -> b -> c are all the ways there are, so only the first two states matter.
  double best = 1e300;
  for (int i = 1; i < 700; ++i) {
    for (int j = 1; j < 700; ++j) {
      std::vector<Edge> now = edges;
      const double p = i / 700.0, q = j / 700.0;
      now[0].probability = p;
      now[1].probability = 1 - p;
      now[2].probability = 1 - q;
      now[3].probability = q;
      if (-std::log(p) - std::log(q) + kPreferMargin <= -std::log(1 - p)) best = std::min(best, change(now));
    }
  }
  EXPECT_NEAR(change(preferred->edges), best, 8e-3 * best);
  EXPECT_LE(change(preferred->edges), best + 1e-9) << "the grid is coarser than the solver";
}

TEST(Prefer, LeastChangesTheWaysOwnCostsAsLittleAsTheBestOfAGrid) {
  const auto machine = *behavior::parse_machine(kThree, "m");
  const std::vector<Edge> edges = edges_of(machine);
  const auto preferred = prefer(machine, {{StateWay{0, 1, 2}}}, PreferMethod::kLeast);
  ASSERT_TRUE(preferred) << preferred.error().to_string();
  const auto change = [&](double ab, double bc) {
    const double x = ab + std::log(0.3), y = bc + std::log(0.4);
    return x * x + y * y;
  };
  // The way is cheaper than a -> c, which has what a -> b leaves.
  double best = 1e300;
  for (int i = 1; i < 1500; ++i) {
    for (int j = 1; j < 1500; ++j) {
      const double ab = i * 0.001, bc = j * 0.001;
      if (ab + bc + kPreferMargin <= -std::log(1 - std::exp(-ab))) best = std::min(best, change(ab, bc));
    }
  }
  const auto& now = preferred->edges;
  EXPECT_NEAR(change(now[0].cost, now[3].cost), best, 5e-3 * best);
}

TEST(Prefer, WhatIsCheapestAlreadyIsLeftAlone) {
  const auto machine = *behavior::parse_machine(kThree, "m");
  for (const auto method : {PreferMethod::kLeast, PreferMethod::kQuadratic}) {
    const auto preferred = prefer(machine, {{StateWay{0, 2}}}, method);
    ASSERT_TRUE(preferred);
    EXPECT_EQ(preferred->measures.edges_changed, 0u);
    EXPECT_EQ(preferred->measures.ways_changed, 0u);
    EXPECT_EQ(preferred->measures.relative_change, 0);
  }
}

TEST(Prefer, SeveralWaysAtOnceAndWaysThatAreKept) {
  std::size_t done = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Random random(seed);
    const auto machine = random_machine(7, 0.4, seed);
    const StateWay a = random_way(machine, random), b = random_way(machine, random);
    if (a.empty() || b.empty()) continue;
    for (const auto method : {PreferMethod::kLeast, PreferMethod::kQuadratic}) {
      const std::vector<StateWay> both{a, b};
      const auto preferred = prefer(machine, both, method);
      if (!preferred) continue;  // they may contradict each other
      for (const StateWay& way : both) EXPECT_GE(lead_of(preferred->edges, way), kPreferMargin - 1e-4) << seed;
      expect_probabilities(*preferred);
      ++done;
    }
  }
  EXPECT_GT(done, 20u);
}

TEST(Prefer, MeasuresAreThoseOfTheMachineBeforeAndAfter) {
  auto machine = *behavior::parse_machine(kThree, "m");
  const auto preferred = prefer(machine, {{StateWay{0, 1, 2}}}, PreferMethod::kLeast);
  ASSERT_TRUE(preferred);
  EXPECT_EQ(preferred->measures.edges_changed, 4u) << "both of the way, and what else leaves a and b";
  // b -> a was cheapest before and after, or by way of c: counted by hand.
  const auto cheapest = [](const std::vector<Edge>& edges, std::size_t from, std::size_t to) {
    std::vector<std::size_t> best;
    double least = 1e300;
    for (const auto& way : every_way(edges, from, to)) {
      double cost = 0;
      for (const std::size_t e : way) cost -= std::log(edges[e].probability);
      if (cost < least) {
        least = cost;
        best = way;
      }
    }
    return best;
  };
  std::size_t changed = 0;
  const auto before = edges_of(machine);
  for (std::size_t from = 0; from < 3; ++from) {
    for (std::size_t to = 0; to < 3; ++to) {
      if (from == to || (from == 0 && to == 2)) continue;
      changed += cheapest(before, from, to) != cheapest(preferred->edges, from, to) ? 1 : 0;
    }
  }
  EXPECT_EQ(preferred->measures.ways_changed, changed);
  apply(*preferred, machine);
  const auto after = edges_of(machine);
  for (std::size_t e = 0; e < after.size(); ++e) {
    EXPECT_NEAR(after[e].probability, preferred->edges[e].probability, 1e-6);
  }
}

TEST(Prefer, MistakesAreNamed) {
  const auto machine = *behavior::parse_machine(
      "machine m\nstate a: x\nstate b: x\nstate c: x\nstate d: x\ntransition a -> b\ntransition a -> d\n"
      "transition b -> c\ntransition d -> c\ntransition c -> a\n",
      "m");
  const auto error = [&](const std::vector<std::string>& texts) {
    std::vector<StateWay> ways;
    for (const std::string& text : texts) {
      const auto way = parse_way(machine, text);
      if (!way) return way.error().message;
      ways.push_back(*way);
    }
    const auto preferred = prefer(machine, ways, PreferMethod::kLeast);
    return preferred ? std::string("none") : preferred.error().message;
  };
  EXPECT_EQ(error({"a, b,c"}), "none");
  EXPECT_THAT(error({"a,e"}), HasSubstr("there is no state 'e'; the states are: a, b, c, d"));
  EXPECT_THAT(error({"a"}), HasSubstr("two states at least"));
  EXPECT_THAT(error({"a,c"}), HasSubstr("no transition from 'a' to 'c'"));
  EXPECT_THAT(error({"a,b,c,a"}), HasSubstr("one state twice"));
  EXPECT_FALSE(prefer(machine, {{StateWay{0, 9}}}, PreferMethod::kLeast)) << "there is no tenth state";
  EXPECT_THAT(error({"a,b,c", "a,d,c"}), HasSubstr("'a, b, c' and 'a, d, c' contradict each other"));
}

}  // namespace
}  // namespace loom::machine
