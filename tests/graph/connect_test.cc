// SPDX-License-Identifier: MIT
// Well-connected graphs: shortest ways and their union against plain references, and what is built of motion.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/base/parallel.h>
#include <loom/base/random.h>
#include <loom/graph/connect/connect.h>
#include <loom/graph/connect/detail/join_lattices.h>
#include <loom/graph/connect/detail/reduce.h>
#include <loom/graph/connect/detail/segment_pairs.h>
#include <loom/graph/connect/detail/way_graph.h>
#include <loom/graph/connect/detail/way_trees.h>
#include <loom/graph/connect/hold_feet.h>
#include <loom/graph/walk.h>
#include <loom/library/library.h>
#include <loom/measure/measure.h>
#include <loom/motion/stream.h>
#include <loom/play/segment_player.h>
#include <loom/polish/foot.h>
#include <loom/sample/sample.h>
#include <loom/take/gather.h>

#include "tests/temporary_folder.h"

namespace loom::graph {
namespace {

using ::testing::HasSubstr;

constexpr std::uint32_t kFar = 1u << 28;

/// Nodes in a few runs with random ways between them.
WayGraph random_ways(std::uint64_t seed, std::uint32_t nodes, std::size_t count) {
  Random random(seed);
  std::vector<std::uint8_t> goes_on(nodes, 0);
  for (std::uint32_t n = 0; n + 1 < nodes; ++n) goes_on[n] = random.index(8) != 0 ? 1 : 0;
  std::vector<Way> ways;
  for (std::size_t w = 0; w < count; ++w) {
    const auto from = static_cast<std::uint32_t>(random.index(nodes)),
               to = static_cast<std::uint32_t>(random.index(nodes));
    if (from != to) ways.push_back({from, to, static_cast<float>(random.uniform(0, 1)), 0, 0, 0});
  }
  std::sort(ways.begin(), ways.end(), [](const Way& x, const Way& y) { return x.from < y.from; });
  return make_way_graph(std::move(goes_on), ways, 1, 3);
}

/// What it costs from every node to every other, by Floyd and Warshall; nodes that are not kept cost `factor`
/// sixteenths to enter.
std::vector<std::vector<std::uint32_t>> all_costs(const WayGraph& graph, const Needed* only = nullptr,
                                                  std::span<const std::uint8_t> kept = {}, std::uint32_t factor = 16) {
  std::vector<std::vector<std::uint32_t>> d(graph.nodes, std::vector<std::uint32_t>(graph.nodes, kFar));
  const auto add = [&](std::uint32_t from, std::uint32_t to, std::uint32_t cost) {
    if (only != nullptr && (only->nodes[from] == 0 || only->nodes[to] == 0)) return;
    if (!kept.empty() && kept[to] == 0) cost = cost * factor / 16;
    d[from][to] = std::min(d[from][to], cost);
  };
  for (std::uint32_t n = 0; n < graph.nodes; ++n) {
    d[n][n] = 0;
    if (graph.goes_on[n] != 0) add(n, n + 1, kFrameCost);
    for (std::uint32_t w = graph.first[n]; w < graph.first[n + 1]; ++w) {
      if (only == nullptr || only->ways[w] != 0) add(n, graph.targets[w], graph.costs[w]);
    }
  }
  for (std::uint32_t k = 0; k < graph.nodes; ++k) {
    for (std::uint32_t i = 0; i < graph.nodes; ++i) {
      for (std::uint32_t j = 0; j < graph.nodes; ++j) d[i][j] = std::min(d[i][j], d[i][k] + d[k][j]);
    }
  }
  return d;
}

std::vector<std::uint32_t> first_nodes(std::uint32_t count) {
  std::vector<std::uint32_t> ends(count);
  std::iota(ends.begin(), ends.end(), 0u);
  return ends;
}

TEST(WaySearch, FindsWhatTryingEverythingFinds) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const WayGraph graph = random_ways(seed, 60, 150);
    Random random(seed);
    std::vector<std::uint8_t> kept(graph.nodes);
    for (std::uint8_t& k : kept) k = random.index(2) != 0 ? 1 : 0;
    const auto plain = all_costs(graph), dearer = all_costs(graph, nullptr, kept, 80);
    WaySearch search(graph);
    for (std::uint32_t source = 0; source < graph.nodes; source += 7) {
      const auto check = [&](const std::vector<std::uint32_t>& expected) {
        for (std::uint32_t n = 0; n < graph.nodes; ++n) {
          ASSERT_EQ(std::min(search.cost(n), kFar), std::min(expected[n], kFar)) << source << " to " << n;
          if (n == source || search.cost(n) == kNoWay) continue;
          EXPECT_LT(search.cost(search.before(n)), search.cost(n));
        }
      };
      search.run(source);
      check(plain[source]);
      search.run(source, kept, 80);
      check(dearer[source]);
    }
  }
}

/// The sources to search from together: several that follow each other, and some from further off.
std::vector<std::uint32_t> some_sources(std::uint64_t seed, std::uint32_t nodes, std::size_t count) {
  Random random(seed);
  std::vector<std::uint32_t> all = first_nodes(nodes);
  const std::size_t begin = random.index(nodes - count);
  for (std::size_t i = 0; i < count / 2; ++i) std::swap(all[i], all[begin + i]);
  for (std::size_t i = count / 2; i < count; ++i) std::swap(all[i], all[i + random.index(nodes - i)]);
  all.resize(count);
  std::sort(all.begin(), all.end());
  return all;
}

TEST(WayTrees, CostWhatTryingEverythingFindsFromEverySourceAtOnce) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const WayGraph graph = random_ways(seed, 70, seed % 3 == 0 ? 60 : 200);
    const auto expected = all_costs(graph);
    const WaysInto into(graph);
    WayTrees trees(graph, into);
    for (const std::size_t count : {1, 7, 16}) {
      const auto sources = some_sources(seed, graph.nodes, count);
      trees.run(sources);
      for (std::size_t s = 0; s < count; ++s) {
        for (std::uint32_t n = 0; n < graph.nodes; ++n) {
          ASSERT_EQ(std::min(trees.cost(s, n), kFar), std::min(expected[sources[s]][n], kFar)) << seed << ": " << n;
        }
      }
    }
  }
}

TEST(WayTrees, CountTreesOfShortestWaysToWhatIsWanted) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const WayGraph graph = random_ways(seed, 60, 180);
    const auto costs = all_costs(graph);
    Random random(seed);
    std::vector<std::uint8_t> wanted(graph.nodes);
    for (std::uint8_t& w : wanted) w = random.index(3) == 0 ? 1 : 0;
    const WaysInto into(graph);
    WayTrees trees(graph, into, wanted);
    const auto sources = some_sources(seed, graph.nodes, 16);
    Usage together(graph.nodes, graph.targets.size()), one_by_one(graph.nodes, graph.targets.size());
    trees.run(sources);
    trees.add_to(together);
    for (const std::uint32_t source : sources) {
      Usage tree(graph.nodes, graph.targets.size());
      trees.run(std::span(&source, 1));
      trees.add_to(tree);
      one_by_one.add(tree);
      // What is needed joins the source with all that is wanted, by ways as short as there are, with no node to spare.
      Needed needed{std::vector<std::uint8_t>(graph.nodes), std::vector<std::uint8_t>(graph.targets.size())};
      for (std::uint32_t n = 0; n < graph.nodes; ++n) needed.nodes[n] = static_cast<std::uint8_t>(tree.nodes[n]);
      for (std::size_t w = 0; w < graph.targets.size(); ++w) needed.ways[w] = static_cast<std::uint8_t>(tree.ways[w]);
      const auto within = all_costs(graph, &needed);
      for (std::uint32_t n = 0; n < graph.nodes; ++n) {
        if (wanted[n] != 0) {
          EXPECT_EQ(std::min(within[source][n], kFar), std::min(costs[source][n], kFar));
        }
        if (needed.nodes[n] == 0 || n == source || wanted[n] != 0) continue;
        const bool leads_on =
            std::any_of(needed.nodes.begin(), needed.nodes.end(), [&, m = 0u](std::uint8_t in) mutable {
              const std::uint32_t to = m++;
              return in != 0 && wanted[to] != 0 && to != n && within[source][n] + within[n][to] == costs[source][to];
            });
        EXPECT_TRUE(leads_on) << "node " << n << " is on no way from " << source;
      }
    }
    EXPECT_EQ(together.nodes, one_by_one.nodes);
    EXPECT_EQ(together.ways, one_by_one.ways);
  }
}

TEST(Reduction, KeepsEveryShortestWayBetweenEnds) {
  std::size_t pairs = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const WayGraph graph = random_ways(seed, 90, 260);
    const auto ends = first_nodes(25);
    const auto needed = reduce(graph, ends, 1);
    ASSERT_TRUE(needed);
    EXPECT_LT(needed->node_count(), graph.nodes);
    const auto whole = all_costs(graph), reduced = all_costs(graph, &*needed);
    for (const std::uint32_t a : ends) {
      for (const std::uint32_t b : ends) {
        EXPECT_EQ(std::min(reduced[a][b], kFar), std::min(whole[a][b], kFar)) << seed << ": " << a << " to " << b;
        ++pairs;
      }
    }
  }
  EXPECT_GT(pairs, 7000u);
}

TEST(Reduction, LeavesOutWhatNoShortestWayNeeds) {
  // One end to the next, straight on; a way round through three more nodes that costs more.
  std::vector<std::uint8_t> goes_on = {1, 0, 1, 1, 0};
  const std::vector<Way> ways = {{0, 2, 0, 0, 0, 0}, {1, 0, 0, 0, 0, 0}, {4, 1, 0, 0, 0, 0}};
  const WayGraph graph = make_way_graph(goes_on, ways, 1, 1);
  const auto needed = union_of_trees(graph, std::vector<std::uint32_t>{0, 1});
  ASSERT_TRUE(needed);
  EXPECT_EQ(needed->nodes, (std::vector<std::uint8_t>{1, 1, 0, 0, 0}));
  EXPECT_EQ(needed->ways, (std::vector<std::uint8_t>{0, 1, 0}));
}

TEST(Reduction, OfLambdaIsSmallerAndNoWayIsLongerThanLambdaTimesTheShortest) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const WayGraph graph = random_ways(seed, 120, 420);
    const auto ends = first_nodes(20);
    const auto whole = all_costs(graph);
    std::size_t before = graph.nodes;
    for (const double lambda : {1.0, 2.0, 5.0, 50.0}) {
      const auto needed = reduce(graph, ends, lambda);
      ASSERT_TRUE(needed);
      EXPECT_LE(needed->node_count(), before) << "lambda " << lambda;
      before = std::max(before, needed->node_count());
      const auto reduced = all_costs(graph, &*needed);
      for (const std::uint32_t a : ends) {
        for (const std::uint32_t b : ends) {
          if (whole[a][b] >= kFar) continue;
          EXPECT_LE(reduced[a][b], lambda * whole[a][b] + 1) << a << " to " << b;
        }
      }
    }
  }
}

TEST(Reduction, IsAsShortWithGates) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const WayGraph graph = random_ways(seed, 100, 300);
    const auto ends = first_nodes(20);
    Random random(seed);
    std::vector<std::uint32_t> gates;
    for (int i = 0; i < 30; ++i) gates.push_back(static_cast<std::uint32_t>(20 + random.index(80)));
    const auto whole = all_costs(graph);
    for (const double lambda : {1.0, 3.0, 20.0}) {
      const auto needed = reduce(graph, ends, lambda, {}, gates);
      ASSERT_TRUE(needed);
      const auto reduced = all_costs(graph, &*needed);
      for (const std::uint32_t a : ends) {
        for (const std::uint32_t b : ends) {
          const std::uint32_t shortest = std::min(whole[a][b], kFar);
          if (lambda == 1.0 || shortest == kFar) {
            EXPECT_EQ(std::min(reduced[a][b], kFar), shortest) << seed << ": " << a << " to " << b;
          } else {
            EXPECT_LE(reduced[a][b], lambda * shortest + 1) << seed << ": " << a << " to " << b;
          }
        }
      }
      // No gate is kept for its own sake.
      const auto without = reduce(graph, ends, lambda);
      ASSERT_TRUE(without);
      EXPECT_LE(static_cast<double>(needed->node_count()), 1.3 * static_cast<double>(without->node_count()));
    }
  }
}

TEST(JoinLattices, TakesOnlyWaysThatBringSomethingIntoReach) {
  // 0 1 are connected; 2 3 4 lead nowhere and are not reached; 5 leads to 4, 6 is by itself.
  const std::vector<std::uint8_t> connected = {1, 1, 0, 0, 0, 0, 0}, goes_on = {1, 0, 1, 1, 0, 0, 0};
  const std::vector<Way> ways = {{1, 0, 0, 0, 0, 0}, {5, 4, 0, 0, 0, 0}};
  const std::vector<Way> candidates = {
      {0, 1, 0, 0, 0, 0}, {4, 0, 0, 0, 0, 0}, {3, 2, 0, 0, 0, 0}, {1, 5, 0, 0, 0, 0}, {4, 2, 0, 0, 0, 0}};
  const auto joining = ways_that_join(candidates, connected, goes_on, ways);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> found;
  for (const Way& way : joining) found.emplace_back(way.from, way.to);
  EXPECT_THAT(found, ::testing::UnorderedElementsAre(std::pair(4u, 0u), std::pair(1u, 5u), std::pair(4u, 2u)))
      << "4 leads home, 5 is reached, and then 2 is";
}

TEST(Reduction, DoesNotDependOnAnOrderAndIsAboutAsSmallAsTheWorksWay) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const WayGraph graph = random_ways(seed, 150, 600);
    auto ends = first_nodes(25);
    const auto needed = reduce(graph, ends, 5);
    ASSERT_TRUE(needed);
    Random random(seed);
    double sum = 0;
    constexpr int kOrders = 20;
    for (int order = 0; order < kOrders; ++order) {
      for (std::size_t i = ends.size(); i > 1; --i) std::swap(ends[i - 1], ends[random.index(i)]);
      sum += static_cast<double>(reduce_in_order(graph, ends, 5).node_count());
      const auto again = reduce(graph, ends, 5);
      ASSERT_TRUE(again);
      ASSERT_EQ(again->nodes, needed->nodes) << "another order";
    }
    EXPECT_LE(static_cast<double>(needed->node_count()), 1.05 * sum / kOrders) << seed;
  }
}

/// Sample clips of walks, gathered.
class ConnectedSamples : public ::testing::Test {
 protected:
  void add(std::initializer_list<const char*> names) {
    for (const char* name : names) ASSERT_TRUE(library_->add_clip(sample::make_sample(name)->clip));
  }
  [[nodiscard]] Result<take::Gathered> gathered() const { return take::gather(*library_, {}); }

  testing::TemporaryFolder folder_;
  Result<library::Library> library_ = library::Library::open_or_create(folder_.file("walks.loom"));
};

TEST_F(ConnectedSamples, SegmentsCoverTheClipsAndHaveEqualContacts) {
  add({"walk-normal-1", "run-1", "jump-forward"});
  const auto source = gathered();
  ASSERT_TRUE(source);
  const auto segments = find_segments(source->motion);
  std::map<std::uint32_t, std::uint32_t> covered;
  std::size_t frames = 0, agreeing = 0;
  for (const ContactSegment& segment : segments) {
    EXPECT_EQ(segment.begin, covered[segment.clip]);
    covered[segment.clip] = segment.end;
    EXPECT_LE(segment.frames(), 37u);
    for (std::uint32_t f = segment.begin; f < segment.end; ++f) {
      const auto planted = source->motion.contacts[segment.clip].planted[f];
      const int touches = ((planted & motion::kLeftFoot) != 0 ? 1 : 0) + ((planted & motion::kRightFoot) != 0 ? 2 : 0);
      agreeing += touches == segment.contacts ? 1 : 0;
      ++frames;
    }
  }
  ASSERT_EQ(covered.size(), 3u);
  for (const auto& [clip, end] : covered) EXPECT_EQ(end, source->motion.clips[clip].frames());
  EXPECT_GT(agreeing, frames * 9 / 10) << "all but what is too short to count";
}

TEST_F(ConnectedSamples, ConnectsMoreAtTheSameThreshold) {
  add({"walk-normal-1", "walk-fast", "run-1"});
  const auto source = gathered();
  ASSERT_TRUE(source);
  ConnectOptions options;
  options.build.threshold = square_metres_of(2);
  options.lambda = 1;
  const auto connected = connect(*source, options);
  ASSERT_TRUE(connected) << connected.error().message;
  const auto standard = build(*source, options.build);
  const double share = standard ? standard->share_reached : 0;
  EXPECT_GT(connected->built.share_reached, 0.6);
  EXPECT_GT(connected->built.share_reached, share + 0.1);
  EXPECT_GT(connected->size_factor(), 1.0);

  // It is a graph like any other: sound as bytes, and it plays.
  const auto read = graph_from_bytes(to_bytes(connected->built.graph));
  ASSERT_TRUE(read) << read.error().message;
  auto motion = std::make_shared<take::TakeSet>(source->motion);
  ASSERT_TRUE(take::append_mixes(*motion, mixes_of(read->clips)));
  ASSERT_EQ(motion->clips.size(), read->clips.size());
  for (std::size_t c = 0; c < motion->clips.size(); ++c) ASSERT_EQ(motion->clips[c].frames(), read->clips[c].frames);
  const auto graph = std::make_shared<const MotionGraph>(*read);
  auto walk = Walk::create(graph, *motion, {});
  ASSERT_TRUE(walk) << walk.error().message;
  play::SegmentPlayer player(motion, std::move(*walk));
  std::vector<Quat> rotations(motion->skeleton->size());
  motion::StreamPose pose;
  pose.rotations = rotations;
  Vec3 before;
  for (int f = 0; f < 600; ++f) {
    ASSERT_TRUE(player.next({}, pose));
    if (f == 0) before = pose.root;
    EXPECT_LT(distance(before, pose.root), 0.25f) << "a jump at frame " << f;
    before = pose.root;
  }

  // A larger lambda makes it smaller and keeps as much of what was recorded.
  options.lambda = 20;
  const auto smaller = connect(*source, options);
  ASSERT_TRUE(smaller);
  EXPECT_LT(smaller->built.graph.nodes(), connected->built.graph.nodes());
  EXPECT_EQ(smaller->recorded_nodes, connected->recorded_nodes);
}

TEST_F(ConnectedSamples, OfHeldFeetAWalkStandsStillWithoutCleanUp) {
  // A walk whose every frame is shaken, as capture is, by a centimetre.
  motion::Clip shaken = sample::make_sample("walk-normal-1")->clip;
  Random random(4);
  for (Vec3& root : shaken.roots) {
    root.x += static_cast<float>(random.uniform(-0.01, 0.01));
    root.z += static_cast<float>(random.uniform(-0.01, 0.01));
  }
  ASSERT_TRUE(library_->add_clip(shaken));
  add({"walk-fast"});
  const auto slide_of_a_walk = [&](bool held) {
    auto source = gathered();
    EXPECT_TRUE(source);
    if (held) {
      EXPECT_TRUE(hold_feet(source->motion));
    }
    ConnectOptions options;
    options.build.threshold = square_metres_of(3);
    const auto connected = connect(*source, options);
    EXPECT_TRUE(connected) << connected.error().message;
    const auto graph = std::make_shared<const MotionGraph>(connected->built.graph);
    auto motion = std::make_shared<take::TakeSet>(source->motion);
    EXPECT_TRUE(take::append_mixes(*motion, mixes_of(graph->clips)));
    play::SegmentPlayer player(motion, Walk::create(graph, *motion, {}).value());
    const motion::Recording walked = motion::record(player, 20).value();
    return measure::measure(walked.clip, walked.contacts).foot_slide_mean_mps;
  };
  EXPECT_GT(slide_of_a_walk(false), 0.05);
  EXPECT_LT(slide_of_a_walk(true), 0.01);
}

TEST_F(ConnectedSamples, KeepsEveryWayBetweenRecordings) {
  add({"walk-normal-1", "walk-fast"});
  auto source = gathered();
  ASSERT_TRUE(source);
  ConnectOptions options;
  options.build.threshold = square_metres_of(3);
  options.lambda = 100;
  const auto connected = connect(*source, options);
  const auto standard = build(*source, options.build);
  ASSERT_TRUE(connected && standard);
  const MotionGraph &whole = connected->built.graph, &plain = standard->graph;
  for (Node n = 0; n < plain.nodes(); ++n) {
    const auto from = whole.node_at(plain.clip_of(n), plain.frame_of(n));
    ASSERT_TRUE(from);
    for (const Transition& way : plain.transitions_of(n)) {
      const auto to = whole.node_at(plain.clip_of(way.to), plain.frame_of(way.to));
      const auto ways = whole.transitions_of(*from);
      EXPECT_TRUE(to && std::any_of(ways.begin(), ways.end(), [&](const Transition& t) { return t.to == *to; }));
    }
  }
}

TEST_F(ConnectedSamples, ALowStepIsNoPlant) {
  // The left foot stands, is drawn ahead by a third of a metre in a fifth of a second, and stands again; the right one
  // stands throughout. All of it is told as planted.
  motion::Clip clip = sample::make_sample("idle-1")->clip;
  clip = motion::cut(clip, 0, 40).value();
  const auto feet = polish::find_feet(*clip.skeleton).value();
  const Vec3 axis = feet[0].hinge.value_or(Vec3{1, 0, 0});
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    clip.roots[f].y -= 0.1f;
    std::array<polish::FootPlace, 2> now;
    for (std::size_t side = 0; side < 2; ++side) {
      now[side] = place_of(*clip.skeleton, feet[side], clip.roots[f], clip.pose(f));
      polish::FootPlace there = now[side];
      const float ahead =
          side == 0 ? 0.3f * smoothstep(std::clamp((static_cast<float>(f) - 17) / 6, 0.0f, 1.0f)) : 0.0f;
      for (Vec3* end : {&there.heel, &there.toe}) *end += Vec3{0, 0.1f, ahead};
      place_foot(*clip.skeleton, feet[side], clip.roots[f], clip.pose(f), axis, now[side], there);
    }
  }
  ASSERT_TRUE(library_->add_clip(clip));
  auto source = gathered();
  ASSERT_TRUE(source);
  constexpr std::uint8_t kBoth = motion::kLeftFoot | motion::kRightFoot;
  source->motion.contacts[0].planted.assign(source->motion.clips[0].frames(), kBoth);
  ASSERT_TRUE(hold_feet(source->motion));
  const std::vector<std::uint8_t>& planted = source->motion.contacts[0].planted;
  EXPECT_EQ(planted.front(), kBoth);
  EXPECT_EQ(planted[planted.size() / 2], motion::kRightFoot);
  EXPECT_EQ(planted.back(), kBoth);
}

TEST_F(ConnectedSamples, PlantsOfAWalkKeepTheirFirstFrameAndTheirLast) {
  // The left foot goes quickly until it is set down, stands still, and goes quickly from when it is lifted; the right
  // one stands throughout.
  motion::Clip clip = sample::make_sample("idle-1")->clip;
  clip = motion::cut(clip, 0, 40).value();
  const auto feet = polish::find_feet(*clip.skeleton).value();
  const Vec3 axis = feet[0].hinge.value_or(Vec3{1, 0, 0});
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    clip.roots[f].y -= 0.1f;
    for (std::size_t side = 0; side < 2; ++side) {
      const polish::FootPlace now = place_of(*clip.skeleton, feet[side], clip.roots[f], clip.pose(f));
      polish::FootPlace there = now;
      const auto at = static_cast<float>(f);
      const float ahead = side == 0 ? 0.06f * (std::clamp(at - 10, -4.0f, 0.0f) + std::clamp(at - 30, 0.0f, 4.0f)) : 0;
      for (Vec3* end : {&there.heel, &there.toe}) *end += Vec3{0, 0.1f, ahead};
      place_foot(*clip.skeleton, feet[side], clip.roots[f], clip.pose(f), axis, now, there);
    }
  }
  ASSERT_TRUE(library_->add_clip(clip));
  auto source = gathered();
  ASSERT_TRUE(source);
  std::vector<std::uint8_t>& planted = source->motion.contacts[0].planted;
  ASSERT_EQ(planted.size(), 20u);  // at half the rate
  for (std::size_t f = 0; f < planted.size(); ++f) {
    planted[f] = f >= 5 && f <= 15 ? motion::kLeftFoot | motion::kRightFoot : motion::kRightFoot;
  }
  const std::vector<std::uint8_t> told = planted;
  ASSERT_TRUE(hold_feet(source->motion));
  EXPECT_EQ(planted, told);
}

TEST_F(ConnectedSamples, IsTheSameOnOneCore) {
  add({"walk-normal-1", "walk-fast"});
  const auto source = gathered();
  ASSERT_TRUE(source);
  ConnectOptions options;
  options.build.threshold = square_metres_of(2);
  const auto on_all = connect(*source, options);
  const ThreadLimit one(1);
  const auto on_one = connect(*source, options);
  ASSERT_TRUE(on_all && on_one);
  EXPECT_EQ(to_bytes(on_all->built.graph), to_bytes(on_one->built.graph));
}

TEST_F(ConnectedSamples, TellsWhatMakesNoSense) {
  add({"walk-normal-1", "walk-fast"});
  const auto source = gathered();
  ASSERT_TRUE(source);
  const auto refused = [&](const auto& change) {
    ConnectOptions options;
    options.build.threshold = square_metres_of(2);
    change(options);
    const auto connected = connect(*source, options);
    return connected ? std::string() : connected.error().message;
  };
  EXPECT_THAT(refused([](ConnectOptions& o) { o.lambda = 0.5; }), HasSubstr("lambda"));
  EXPECT_THAT(refused([](ConnectOptions& o) { o.lambda = std::nan(""); }), HasSubstr("lambda"));
  EXPECT_THAT(refused([](ConnectOptions& o) { o.smoothness = std::nan(""); }), HasSubstr("smoothness"));
  EXPECT_THAT(refused([](ConnectOptions& o) { o.weights = 0; }), HasSubstr("weights"));
  EXPECT_THAT(refused([](ConnectOptions& o) { o.build.threshold = -1; }), HasSubstr("positive"));
  EXPECT_THAT(refused([](ConnectOptions& o) { o.build.threshold = 1e-9; }), HasSubstr("goes on for ever"));
  const Progress stop([](double, std::string_view) { return false; });
  ConnectOptions options;
  options.build.threshold = square_metres_of(2);
  const auto stopped = connect(*source, options, stop);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().kind, ErrorKind::kStopped);
}

}  // namespace
}  // namespace loom::graph
