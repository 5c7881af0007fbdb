// SPDX-License-Identifier: MIT
// Selections beside a search through all subsets, and their parts beside slow versions of themselves.
#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/base/parallel.h>
#include <loom/base/random.h>
#include <loom/graph/select/detail/chosen.h>
#include <loom/graph/select/detail/constrained_path.h>
#include <loom/graph/select/detail/cuts.h>
#include <loom/graph/select/judge.h>
#include <loom/graph/select/select.h>

#include "tests/graph/random_graph.h"

namespace loom::graph {
namespace {

using ::testing::HasSubstr;

/// A ring of one clip with random transitions: small, and strongly connected.
MotionGraph ring(std::uint32_t frames, std::size_t transitions, Random& random) {
  MotionGraph graph;
  graph.clips.resize(1);
  graph.clips[0].name = "ring";
  graph.clips[0].frames = frames;
  graph.add_run(0, 0, frames);
  std::vector<std::vector<Transition>> of(frames);
  const auto add = [&](std::size_t from, std::size_t to) {
    Transition transition;
    transition.to = static_cast<Node>(to);
    transition.cost = static_cast<float>(random.uniform(0, 0.9));
    of[from].push_back(transition);
  };
  add(frames - 1, 0);
  for (std::size_t i = 0; i < transitions; ++i) add(random.index(frames), random.index(frames));
  graph.first.push_back(0);
  for (const auto& list : of) {
    graph.transitions.insert(graph.transitions.end(), list.begin(), list.end());
    graph.first.push_back(static_cast<std::uint32_t>(graph.transitions.size()));
  }
  return graph;
}

constexpr double kNoWay = 1e9;

/// Lengths of shortest ways between all nodes of a subset, by Floyd and Warshall. Smooth ones count quarters.
std::vector<std::vector<double>> lengths_within(const MotionGraph& graph, std::uint32_t subset, bool smooth) {
  const std::size_t n = graph.nodes();
  std::vector<std::vector<double>> d(n, std::vector<double>(n, kNoWay));
  const auto in = [&](std::size_t node) { return (subset >> node & 1) != 0; };
  const auto step = [&](Node from, Node to, double cost) {
    if (!in(from) || !in(to)) return;
    d[from][to] = std::min(d[from][to], smooth ? std::round((10 * cost + 1) * 4) / 4 : 1.0);
  };
  for (Node i = 0; i < n; ++i) {
    if (graph.goes_on(i)) step(i, i + 1, 0);
    for (const Transition& t : graph.transitions_of(i)) step(i, t.to, static_cast<double>(t.cost));
    if (in(i)) d[i][i] = 0;
  }
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) d[i][j] = std::min(d[i][j], d[i][k] + d[k][j]);
    }
  }
  return d;
}

/// What is asked for, told a second time: pairs of a node and of nodes any of which will do, with the longest way.
struct Asked {
  Node from = 0;
  std::vector<Node> to;
  double limit = 0;
};

double length_to(const std::vector<std::vector<double>>& lengths, const Asked& asked) {
  double least = kNoWay;
  for (const Node node : asked.to) least = std::min(least, lengths[asked.from][node]);
  return least;
}

std::vector<Asked> asked_of(const MotionGraph& graph, const SelectionTask& task) {
  std::vector<Asked> all;
  const bool smooth = task.usual.need == Need::kSmooth;
  const auto best = lengths_within(graph, (1u << graph.nodes()) - 1, smooth);
  const auto add = [&](Node from, std::vector<Node> to) {
    Asked asked{from, std::move(to), 0};
    if (std::find(asked.to.begin(), asked.to.end(), from) != asked.to.end() && asked.to.size() == 1) return;
    const double here = length_to(best, asked);
    asked.limit = task.usual.need == Need::kQuickest ? here : std::max(here, task.usual.within);
    all.push_back(asked);
  };
  for (const KeyMotion& a : task.keys) {
    for (const KeyMotion& b : task.keys) {
      if (task.usual.need == Need::kMotionEnd) {
        std::vector<Node> beginning;
        for (Node n = b.begin; n < b.begin + std::max(1u, b.frames() / 4); ++n) beginning.push_back(n);
        if (&a != &b) {
          add(a.end - 1, beginning);
        } else {
          add(a.end - 1, {a.begin});
        }
        continue;
      }
      for (Node s = a.begin; s < a.end; ++s) {
        for (Node t = b.begin; t < b.end; ++t) add(s, {t});
      }
    }
  }
  return all;
}

bool met(const MotionGraph& graph, const SelectionTask& task, const std::vector<Asked>& asked, std::uint32_t subset) {
  const auto lengths = lengths_within(graph, subset, task.usual.need == Need::kSmooth);
  return std::all_of(asked.begin(), asked.end(),
                     [&](const Asked& a) { return length_to(lengths, a) <= a.limit + 1e-9; });
}

std::uint32_t bits_of(std::span<const Node> nodes) {
  std::uint32_t bits = 0;
  for (const Node node : nodes) bits |= 1u << node;
  return bits;
}

struct NeedCase {
  MotionGraph graph;
  SelectionTask task;
};

NeedCase random_case(Need need, Random& random) {
  NeedCase made;
  const auto frames = static_cast<std::uint32_t>(7 + random.index(5));
  made.graph = ring(frames, frames, random);
  const std::size_t keys = 2 + random.index(2);
  for (std::size_t i = 0; i < keys; ++i) {
    const auto begin = static_cast<Node>(random.index(frames - 1));
    const Node end = begin + (i == 0 ? 2 : 1) + static_cast<Node>(random.index(2));
    made.task.keys.push_back({std::string(1, static_cast<char>('a' + i)), begin, std::min(end, frames)});
  }
  made.task.usual.need = need;
  made.task.usual.within = static_cast<double>(2 + random.index(5)) * (need == Need::kSmooth ? 3 : 1);
  return made;
}

/// The size of the smallest subset that will do.
std::size_t smallest(const NeedCase& c, const std::vector<Asked>& asked) {
  std::uint32_t keys = 0;
  for (const KeyMotion& key : c.task.keys) {
    for (Node n = key.begin; n < key.end; ++n) keys |= 1u << n;
  }
  std::size_t best = c.graph.nodes();
  for (std::uint32_t subset = 0; subset < 1u << c.graph.nodes(); ++subset) {
    const auto size = static_cast<std::size_t>(std::popcount(subset));
    if ((subset & keys) == keys && size < best && met(c.graph, c.task, asked, subset)) best = size;
  }
  return best;
}

class SelectByNeed : public ::testing::TestWithParam<Need> {};

TEST_P(SelectByNeed, IsSoundAndMostlySmallestBesideAllSubsets) {
  Random random(11);
  std::size_t smallest_found = 0;
  constexpr std::size_t kCases = 60;
  for (std::size_t i = 0; i < kCases; ++i) {
    const NeedCase c = random_case(GetParam(), random);
    const std::vector<Asked> asked = asked_of(c.graph, c.task);
    const std::size_t best = smallest(c, asked);
    for (const SelectFrom from : {SelectFrom::kCore, SelectFrom::kWhole}) {
      SelectOptions options;
      options.from = from;
      const auto selection = select(c.graph, c.task, options);
      ASSERT_TRUE(selection) << selection.error().to_string();
      EXPECT_TRUE(met(c.graph, c.task, asked, bits_of(selection->nodes))) << "case " << i;
      EXPECT_GE(selection->nodes.size(), best) << "case " << i;
      EXPECT_LE(selection->lower_bound, static_cast<double>(best) + 1e-9) << "case " << i;
      EXPECT_LE(selection->required_nodes, best) << "case " << i;
      const auto again = graph_from_bytes(to_bytes(sub_graph(c.graph, selection->nodes)));
      EXPECT_TRUE(again) << "case " << i;
      if (from == SelectFrom::kWhole && selection->nodes.size() == best) ++smallest_found;
    }
  }
  EXPECT_GE(smallest_found, kCases * 95 / 100);
}

TEST_P(SelectByNeed, CallsRequiredOnlyWhatNothingDoesWithout) {
  Random random(12);
  for (std::size_t i = 0; i < 60; ++i) {
    const NeedCase c = random_case(GetParam(), random);
    const std::vector<Asked> asked = asked_of(c.graph, c.task);
    auto layers = detail::make_layers(c.task);
    const detail::Field whole = detail::whole_field(c.graph);
    ASSERT_TRUE(detail::find_best(whole, c.task, layers, {}));
    const auto problem = detail::make_problem(whole, c.task, layers, {});
    ASSERT_TRUE(problem);
    const std::vector<char> required = detail::required_nodes(*problem);
    const std::uint32_t all = (1u << c.graph.nodes()) - 1;
    for (Node n = 0; n < c.graph.nodes(); ++n) {
      const bool key = std::any_of(c.task.keys.begin(), c.task.keys.end(),
                                   [&](const KeyMotion& k) { return k.begin <= n && n < k.end; });
      const bool needed = key || !met(c.graph, c.task, asked, all & ~(1u << n));
      EXPECT_TRUE(needed || !required[n]) << "case " << i << " node " << n;
      // Where nothing may be longer than at best, cuts show all of them.
      if (GetParam() == Need::kQuickest) {
        EXPECT_EQ(required[n] != 0, needed) << "case " << i << " node " << n;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Needs, SelectByNeed,
                         ::testing::Values(Need::kWithin, Need::kQuickest, Need::kMotionEnd, Need::kSmooth),
                         [](const auto& named) { return std::to_string(static_cast<int>(named.param)); });

TEST(Select, EveryMethodAndOrderMeetsWhatIsAsked) {
  Random random(13);
  for (std::size_t i = 0; i < 20; ++i) {
    const NeedCase c = random_case(Need::kWithin, random);
    const std::vector<Asked> asked = asked_of(c.graph, c.task);
    for (const SelectMethod method : {SelectMethod::kIterative, SelectMethod::kSteiner, SelectMethod::kRandom}) {
      for (const SelectOrder order : {SelectOrder::kAscending, SelectOrder::kRandom, SelectOrder::kSequential}) {
        SelectOptions options;
        options.method = method;
        options.order = order;
        options.rounds = i % 2 == 0 ? 0 : 20;
        const auto selection = select(c.graph, c.task, options);
        ASSERT_TRUE(selection);
        EXPECT_TRUE(met(c.graph, c.task, asked, bits_of(selection->nodes)));
      }
    }
  }
}

/// Fewest nodes that are not chosen on any way of at most `limit` steps, by trying all ways.
std::size_t fewest_new(const MotionGraph& graph, std::uint32_t chosen, Node at, Node goal, std::size_t limit,
                       std::uint32_t visited) {
  if (at == goal) return 0;
  std::size_t best = 1000;
  if (limit == 0) return best;
  const auto go = [&](Node to) {
    if ((visited >> to & 1) != 0) return;
    const std::size_t here = (chosen >> to & 1) != 0 ? 0 : 1;
    best = std::min(best, here + fewest_new(graph, chosen, to, goal, limit - 1, visited | 1u << to));
  };
  if (graph.goes_on(at)) go(at + 1);
  for (const Transition& t : graph.transitions_of(at)) go(t.to);
  return best;
}

TEST(ConstrainedPath, NeedsAsFewNewNodesAsAnyWay) {
  Random random(14);
  std::size_t with_new = 0;
  for (std::size_t i = 0; i < 200; ++i) {
    const NeedCase c = random_case(Need::kWithin, random);
    auto layers = detail::make_layers(c.task);
    const detail::Field whole = detail::whole_field(c.graph);
    ASSERT_TRUE(detail::find_best(whole, c.task, layers, {}));
    const auto problem = detail::make_problem(whole, c.task, layers, {});
    ASSERT_TRUE(problem);
    std::vector<std::uint32_t> start;
    for (std::uint32_t n = 0; n < c.graph.nodes(); ++n) {
      if (random.uniform() < 0.3) start.push_back(n);
    }
    const detail::Chosen chosen(*problem, start);
    const std::vector<std::uint32_t> nodes = chosen.nodes();
    const std::uint32_t bits = bits_of(nodes);
    detail::ConstrainedPath paths(*problem);
    const detail::PlacedLayer& layer = problem->layers[0];
    for (std::uint32_t s = 0; s < layer.sources.size(); ++s) {
      for (std::uint32_t t = 0; t < layer.targets.size(); ++t) {
        if (layer.limit_of(s, t) == detail::kNotAsked) continue;
        const auto found = paths.find({0, s, t}, chosen);
        const Node from = layer.sources[s], to = layer.targets[t][0];
        EXPECT_EQ(found.size(), fewest_new(c.graph, bits, from, to, layer.limit_of(s, t), 1u << from));
        if (!found.empty()) {
          ++with_new;
          EXPECT_LE(lengths_within(c.graph, bits | bits_of(found), false)[from][to], layer.limit_of(s, t));
        }
      }
    }
  }
  EXPECT_GT(with_new, 100u);
}

TEST(Chosen, KnowsWhatIsMetAsNodesComeAndGo) {
  Random random(15);
  for (std::size_t i = 0; i < 40; ++i) {
    const NeedCase c = random_case(i % 2 == 0 ? Need::kWithin : Need::kSmooth, random);
    auto layers = detail::make_layers(c.task);
    const detail::Field whole = detail::whole_field(c.graph);
    ASSERT_TRUE(detail::find_best(whole, c.task, layers, {}));
    const auto problem = detail::make_problem(whole, c.task, layers, {});
    ASSERT_TRUE(problem);
    detail::Chosen chosen(*problem, {});
    const detail::PlacedLayer& layer = problem->layers[0];
    for (std::size_t round = 0; round < 30; ++round) {
      const auto node = static_cast<std::uint32_t>(random.index(c.graph.nodes()));
      const bool key = std::find(problem->keys.begin(), problem->keys.end(), node) != problem->keys.end();
      std::vector<detail::Wish> unmet;
      if (!chosen.has(node)) {
        chosen.add({&node, 1});
      } else if (!key) {
        chosen.remove({&node, 1}, unmet);
      }
      const std::vector<std::uint32_t> nodes = chosen.nodes();
      EXPECT_EQ(nodes.size(), chosen.size());
      const auto lengths = lengths_within(c.graph, bits_of(nodes), layers[0].smooth);
      for (std::uint32_t s = 0; s < layer.sources.size(); ++s) {
        for (std::uint32_t t = 0; t < layer.targets.size(); ++t) {
          if (layer.limit_of(s, t) == detail::kNotAsked) continue;
          const bool short_enough =
              lengths[layer.sources[s]][layer.targets[t][0]] <= layers[0].told(layer.limit_of(s, t)) + 1e-9;
          EXPECT_EQ(chosen.meets({0, s, t}), short_enough);
        }
      }
    }
  }
}

TEST(Select, IsTheSameWhateverTheNumberOfThreads) {
  const MotionGraph graph = testing::random_graph(12, 60, 260, 5);
  ASSERT_GT(graph.nodes(), 100u);
  SelectionTask task;
  for (const std::size_t begin : {std::size_t{3}, graph.nodes() / 3, graph.nodes() / 2}) {
    const auto at = static_cast<Node>(begin);
    task.keys.push_back({"k" + std::to_string(at), at, std::min<Node>(at + 4, graph.last_of_run(at) + 1)});
  }
  task.usual.within = 8;
  const auto many = select(graph, task);
  const ThreadLimit one(1);
  const auto single = select(graph, task);
  ASSERT_TRUE(many && single);
  EXPECT_EQ(many->nodes, single->nodes);
  EXPECT_EQ(many->lower_bound, single->lower_bound);
  EXPECT_EQ(many->core_nodes, single->core_nodes);
}

TEST(Select, KeepsWhatIsThereAlready) {
  Random random(16);
  const NeedCase c = random_case(Need::kWithin, random);
  SelectOptions options;
  for (Node n = 0; n < c.graph.nodes(); n += 2) options.start.push_back(n);
  const auto selection = select(c.graph, c.task, options);
  ASSERT_TRUE(selection);
  for (const Node node : options.start) {
    EXPECT_TRUE(std::binary_search(selection->nodes.begin(), selection->nodes.end(), node));
  }
}

TEST(Select, MixesRequirementsBetweenMotions) {
  Random random(17);
  for (std::size_t i = 0; i < 20; ++i) {
    NeedCase c = random_case(Need::kWithin, random);
    c.task.usual.within = 1000;
    c.task.between = {{"a", "b", {Need::kQuickest, 0, 10, 1}}};
    const auto selection = select(c.graph, c.task);
    ASSERT_TRUE(selection);
    const auto best = lengths_within(c.graph, (1u << c.graph.nodes()) - 1, false);
    const auto here = lengths_within(c.graph, bits_of(selection->nodes), false);
    // Frames of two motions count as the first's.
    for (Node s = c.task.keys[0].begin; s < c.task.keys[0].end; ++s) {
      for (Node t = c.task.keys[1].begin; t < c.task.keys[1].end; ++t) {
        if (c.task.keys[0].begin <= t && t < c.task.keys[0].end) continue;
        EXPECT_EQ(here[s][t], best[s][t]);
      }
    }
  }
}

TEST(Select, SaysWhatCannotBeMet) {
  Random random(18);
  MotionGraph graph = ring(10, 0, random);
  SelectionTask task;
  task.keys = {{"near", 0, 1}, {"far", 6, 7}};
  task.usual.within = 5;
  ASSERT_TRUE(select(graph, task));
  task.strict = true;
  const auto strict = select(graph, task);
  ASSERT_FALSE(strict);
  EXPECT_THAT(strict.error().message,
              HasSubstr("from 'near' to 'far', where 5 frames are asked and the shortest takes 6"));
  task.keys = {{"a", 0, 1}, {"b", 2, 3}, {"c", 5, 6}, {"d", 7, 8}};
  task.usual.within = 1;
  EXPECT_THAT(select(graph, task).error().message, HasSubstr("and 9 more pairs of motions"));
  task.keys = {{"near", 0, 1}, {"far", 6, 7}};
  task.usual.within = std::nan("");
  EXPECT_THAT(select(graph, task).error().message, HasSubstr("finite"));
  task.usual.within = 5;
  task.keys = {{"frame", 3, 4}};
  EXPECT_THAT(select(graph, task).error().message, HasSubstr("one frame is no motion"));
  task.keys.clear();
  EXPECT_THAT(select(graph, task).error().message, HasSubstr("needs key motions"));
}

TEST(SelectionJudge, CountsAsFloydAndWarshallDo) {
  Random random(19);
  for (std::size_t i = 0; i < 40; ++i) {
    const NeedCase c = random_case(static_cast<Need>(1 + i % 4), random);
    const std::vector<Asked> asked = asked_of(c.graph, c.task);
    const auto judge = SelectionJudge::make(c.graph, c.task);
    ASSERT_TRUE(judge);
    std::vector<Node> nodes;
    for (Node n = 0; n < c.graph.nodes(); ++n) {
      const bool key = std::any_of(c.task.keys.begin(), c.task.keys.end(),
                                   [&](const KeyMotion& k) { return k.begin <= n && n < k.end; });
      if (key || random.uniform() < 0.6) nodes.push_back(n);
    }
    const auto lengths = lengths_within(c.graph, bits_of(nodes), c.task.usual.need == Need::kSmooth);
    // Frames that two motions share are asked for once.
    std::vector<Asked> distinct;
    for (const Asked& a : asked) {
      const bool known = c.task.usual.need != Need::kMotionEnd &&
                         std::any_of(distinct.begin(), distinct.end(),
                                     [&](const Asked& d) { return d.from == a.from && d.to == a.to; });
      if (!known) distinct.push_back(a);
    }
    double sum = 0, connected = 0, short_enough = 0;
    for (const Asked& a : distinct) {
      const double length = length_to(lengths, a);
      if (length >= kNoWay) continue;
      ++connected;
      sum += length;
      if (length <= a.limit + 1e-9) ++short_enough;
    }
    const Judgement judgement = judge->judge(nodes);
    const auto count = static_cast<double>(distinct.size());
    EXPECT_EQ(judgement.frames, nodes.size());
    EXPECT_NEAR(judgement.connected_share, count > 0 ? connected / count : 0, 1e-9);
    EXPECT_NEAR(judgement.satisfied_share, count > 0 ? short_enough / count : 0, 1e-9);
    if (connected > 0) {
      EXPECT_NEAR(judgement.mean_frames, sum / connected, 1e-9);
    }
  }
}

TEST(SubGraph, HasTheNodesAskedForAndAllEdgesBetweenThem) {
  const MotionGraph graph = testing::random_graph(6, 20, 60, 3);
  Random random(20);
  std::vector<Node> nodes;
  for (Node n = 0; n < graph.nodes(); ++n) {
    if (random.uniform() < 0.5) nodes.push_back(n);
  }
  const MotionGraph part = sub_graph(graph, nodes);
  ASSERT_EQ(part.nodes(), nodes.size());
  for (Node i = 0; i < part.nodes(); ++i) {
    EXPECT_EQ(part.clips[part.clip_of(i)].name, graph.clips[graph.clip_of(nodes[i])].name);
    EXPECT_EQ(part.frame_of(i), graph.frame_of(nodes[i]));
    EXPECT_EQ(part.goes_on(i), i + 1 < nodes.size() && nodes[i + 1] == nodes[i] + 1 && graph.goes_on(nodes[i]));
    std::vector<Node> here, there;
    for (const Transition& t : part.transitions_of(i)) here.push_back(nodes[t.to]);
    for (const Transition& t : graph.transitions_of(nodes[i])) {
      if (std::binary_search(nodes.begin(), nodes.end(), t.to)) there.push_back(t.to);
    }
    EXPECT_EQ(here, there);
  }
}

TEST(ReadKeys, ReadsClipsRangesAndLabels) {
  Random random(21);
  MotionGraph graph = ring(200, 30, random);
  graph.clips[0].begin = 100;
  graph.clips[0].labels = {{"walk", 10, 150}};
  const auto read = [&](std::vector<std::string> texts) { return read_keys(graph, {}, texts); };
  auto keys = read({"ring", "ring:120-129", "walk", "walk*all"});
  ASSERT_TRUE(keys) << keys.error().to_string();
  ASSERT_EQ(keys->keys.size(), 4u);
  EXPECT_EQ(keys->keys[0].frames(), 200u);
  EXPECT_EQ(keys->keys[1].begin, 20u);
  EXPECT_EQ(keys->keys[1].frames(), 10u);
  EXPECT_EQ(keys->keys[2].frames(), 45u);  // one and a half seconds of it
  EXPECT_EQ(keys->keys[3].frames(), 140u);
  for (const char* wrong : {"ring:5-2", "ring:x-3", "ring:10-20", "walk*0", "walk*1.5", "jump", "ring:", ""}) {
    EXPECT_FALSE(read({wrong})) << wrong;
  }
  EXPECT_THAT(read({"jump"}).error().message, HasSubstr("its labels are: walk"));
}

TEST(ReadKeys, SaysAtWhichThresholdALostMotionIsIn) {
  // Two clips that loop at 0.1, a way between them at 0.5 only, so that the shorter one is lost.
  std::vector<GraphClip> clips(2);
  clips[0].name = "long";
  clips[0].frames = 30;
  clips[1].name = "short";
  clips[1].frames = 10;
  const std::vector<SimilarPair> pairs = {{0, 28, 0.1f}, {31, 38, 0.1f}, {5, 33, 0.5f}};
  const MotionGraph graph = prune(clips, pairs, 0.2, 0.1, 30, [](auto, auto) { return motion::GroundFrame{}; });
  const std::vector<std::string> key{"short:3-7"};
  const auto keys = read_keys(graph, pairs, key);
  ASSERT_FALSE(keys);
  EXPECT_THAT(keys.error().message, HasSubstr("'short:3-7' is not in the graph"));
  EXPECT_THAT(keys.error().message, HasSubstr("threshold of 0.5 would have all of it"));
}

TEST(ReadKeys, SaysAtWhichThresholdSomethingOfALostLabelIsIn) {
  std::vector<GraphClip> clips(2);
  clips[0].name = "long";
  clips[0].frames = 30;
  clips[0].labels = {{"walk", 0, 30}};
  clips[1].name = "short";
  clips[1].frames = 10;
  clips[1].labels = {{"duck", 0, 10}};
  const std::vector<SimilarPair> pairs = {{0, 28, 0.1f}, {31, 38, 0.1f}, {5, 33, 0.5f}};
  const MotionGraph graph = prune(clips, pairs, 0.2, 0.1, 30, [](auto, auto) { return motion::GroundFrame{}; });
  for (const std::string key : {"duck", "duck*2"}) {
    const auto keys = read_keys(graph, pairs, std::vector<std::string>{key});
    ASSERT_FALSE(keys);
    EXPECT_THAT(keys.error().message, HasSubstr("'duck' was lost to pruning"));
    EXPECT_THAT(keys.error().message, HasSubstr("threshold of 0.5 would have some of it"));
  }
  const auto nobodys = read_keys(graph, pairs, std::vector<std::string>{"fly"});
  EXPECT_THAT(nobodys.error().message, ::testing::Not(HasSubstr("would have")));
}

TEST(ReadBetween, ReadsAllKindsAndRefusesTheRest) {
  const auto need = [](const char* text) {
    const auto between = read_between(text);
    return between ? std::optional(between->requirement.need) : std::nullopt;
  };
  EXPECT_EQ(need("a,b=40"), Need::kWithin);
  EXPECT_EQ(need("a,b=quickest"), Need::kQuickest);
  EXPECT_EQ(need("a,b=end:15"), Need::kMotionEnd);
  EXPECT_EQ(need("16_11:20-60,b=smooth:60"), Need::kSmooth);
  for (const char* wrong : {"a,b", "a=3", "a,b=", "a,b=-1", "a,b=nan", "a,b=soon", "=4,"})
    EXPECT_FALSE(need(wrong)) << wrong;
}

}  // namespace
}  // namespace loom::graph
