// SPDX-License-Identifier: MIT
// Several runs on one clip, and runs between clips: what the graph says of them, and its bytes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/graph/actions.h>
#include <loom/graph/motion_graph.h>

#include "tests/graph/damaged_graphs.h"
#include "tests/graph/random_graph.h"

namespace loom::graph {
namespace {

using ::testing::HasSubstr;

/// Gives every node a transition to the next, so that the graph has no dead end.
void connect(MotionGraph& graph) {
  graph.first.clear();
  graph.transitions.clear();
  for (Node n = 0; n < graph.nodes(); ++n) {
    graph.first.push_back(n);
    graph.transitions.push_back({static_cast<Node>((n + 1) % graph.nodes()), 0.1f, 0.2f, {}});
  }
  graph.first.push_back(static_cast<std::uint32_t>(graph.nodes()));
}

/// Clips of 20 frames; random runs of them are nodes. With `shared` the runs of a clip share it, as they do now;
/// without, each has a copy of it, as in the graphs of former versions.
MotionGraph graph_of_runs(std::uint64_t seed, bool shared) {
  Random random(seed);
  MotionGraph graph;
  for (std::uint32_t c = 0; c < 4; ++c) {
    const GraphClip clip{{"clip" + std::to_string(c / 2), c % 2 == 1, 5 * c, 20}, {{"walk", 3, 9}, {"run", 9, 18}}};
    std::uint32_t from = 0;
    for (std::size_t r = 0; r < 1 + random.index(3); ++r) {
      if (!shared || r == 0) graph.clips.push_back(clip);
      const auto begin = from + static_cast<std::uint32_t>(random.index(3));
      from = begin + 1 + static_cast<std::uint32_t>(random.index(4));
      graph.add_run(static_cast<std::uint32_t>(graph.clips.size() - 1), begin, from);
    }
  }
  connect(graph);
  return graph;
}

TEST(Runs, NodesAndFramesAreEachOthersInverse) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const MotionGraph graph = graph_of_runs(seed, true);
    std::size_t found = 0;
    for (std::uint32_t c = 0; c < graph.clips.size(); ++c) {
      for (std::uint32_t f = 0; f < graph.clips[c].frames; ++f) {
        const auto inside = std::find_if(graph.runs.begin(), graph.runs.end(), [&](const graph::Run& run) {
          return run.clip == c && run.begin <= f && f < run.end;
        });
        const auto node = graph.node_at(c, f);
        ASSERT_EQ(node.has_value(), inside != graph.runs.end());
        if (!node) continue;
        ++found;
        EXPECT_EQ(graph.clip_of(*node), c);
        EXPECT_EQ(graph.frame_of(*node), f);
        EXPECT_EQ(graph.last_of_run(*node), inside->end_node() - 1);
        EXPECT_EQ(graph.goes_on(*node), f + 1 < inside->end);
      }
    }
    EXPECT_EQ(found, graph.nodes());
    EXPECT_FALSE(graph.node_at(0, 20));
  }
}

TEST(Runs, LabelsAreThoseOfTheFramesThatAreNodes) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const MotionGraph graph = graph_of_runs(seed, true);
    std::vector<Node> expected;
    for (Node n = 0; n < graph.nodes(); ++n) {
      if (graph.frame_of(n) >= 3 && graph.frame_of(n) < 9) expected.push_back(n);
    }
    EXPECT_EQ(graph.nodes_labelled("walk"), expected);
  }
}

TEST(Runs, APerformanceIsFoundInEveryRunThatHasSomeOfIt) {
  MotionGraph graph;
  graph.clips = {{{"jump", false, 0, 40}, {{"jump", 10, 30}}}};
  graph.add_run(0, 0, 14);
  graph.add_run(0, 20, 40);
  connect(graph);
  take::TakeSet motion;
  motion.clips = {testing::random_clip(testing::small_person(), 40, 30, 1)};
  const Performances found = performances_of(graph, motion, "jump");
  ASSERT_FALSE(found.list.empty());
  for (const Performance& p : found.list) {
    EXPECT_EQ(graph.run_of[p.enter_first], graph.run_of[p.leave_last]) << "one cannot go on from run to run";
  }
}

TEST(RunBytes, AreThoseOfFormerVersionsWhichRepeatedTheClip) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const MotionGraph shared = graph_of_runs(seed, true), repeated = graph_of_runs(seed, false);
    const auto bytes = to_bytes(shared);
    EXPECT_EQ(bytes, to_bytes(repeated));
    const auto read = graph_from_bytes(bytes);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->clips.size(), 4u);
    EXPECT_EQ(read->runs, shared.runs);
    EXPECT_EQ(to_bytes(*read), bytes);
  }
}

/// A graph with motion between its clips.
MotionGraph mixed_graph() {
  MotionGraph graph = graph_of_runs(3, true);
  for (const take::Mix& mix : {take::Mix{0, 1, 0.75f, {1, 2, 0.5f}, {{2, 4}, {10, 8}, {18, 19}}},
                               take::Mix{2, 3, 0.25f, {}, {{0, 0}, {19, 19}}}}) {
    GraphClip clip;
    clip.mix = mix;
    clip.frames = mix.frames();
    clip.name = "between";
    graph.clips.push_back(clip);
    graph.add_run(static_cast<std::uint32_t>(graph.clips.size() - 1), 2, clip.frames);
  }
  connect(graph);
  return graph;
}

TEST(MixedClips, ComeAfterWhatWasRecorded) {
  const MotionGraph graph = mixed_graph();
  EXPECT_EQ(graph.recorded_clips(), 4u);
  EXPECT_EQ(stretches_of(graph.clips).size(), 4u);
  EXPECT_EQ(mixes_of(graph.clips).size(), 2u);
  const Node recorded = graph.recorded_nodes();
  EXPECT_LT(recorded, graph.nodes());
  EXPECT_EQ(graph.clip_of(recorded - 1), 3u);
  EXPECT_EQ(graph.clip_of(recorded), 4u);
  EXPECT_EQ(graph.frame_of(recorded), 2u);
  EXPECT_FALSE(graph.goes_on(recorded - 1));
  EXPECT_TRUE(graph.goes_on(recorded));
}

TEST(MixedClipBytes, ReadBackAsTheyWere) {
  const MotionGraph graph = mixed_graph();
  const auto bytes = to_bytes(graph);
  const auto read = graph_from_bytes(bytes);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(to_bytes(*read), bytes);
  EXPECT_EQ(read->runs, graph.runs);
  ASSERT_EQ(read->clips.size(), graph.clips.size());
  for (std::size_t c = 0; c < graph.clips.size(); ++c) {
    EXPECT_EQ(read->clips[c].mix, graph.clips[c].mix);
    EXPECT_EQ(read->clips[c].frames, graph.clips[c].frames);
  }
}

TEST(MixedClipBytes, RefuseWhatIsNotInOrder) {
  const auto refused = [](const auto& change) {
    MotionGraph graph = mixed_graph();
    change(graph);
    const auto read = graph_from_bytes(to_bytes(graph));
    return read ? std::string() : read.error().message;
  };
  EXPECT_THAT(refused([](MotionGraph& g) { g.clips[4].mix->weight = 2; }), HasSubstr("weight"));
  EXPECT_THAT(refused([](MotionGraph& g) { g.clips[4].mix->knots[1] = {2, 8}; }), HasSubstr("back in time"));
  EXPECT_THAT(refused([](MotionGraph& g) { g.clips[5].mix->b = 4; }), HasSubstr("no clip"));
  EXPECT_THAT(refused([](MotionGraph& g) { g.clips[5].mix->knots[1] = {5, 5}; }), HasSubstr("range of clip"));
  EXPECT_THAT(refused([](MotionGraph& g) { g.runs.back().clip = 6; }), HasSubstr("no clip"));
  EXPECT_THAT(refused([](MotionGraph& g) { g.run_of.back() = 0; }), HasSubstr("do not match"));
}

TEST(MixedClipBytes, DamageEndsInAnErrorOrASoundGraph) { expect_an_error_or_a_sound_graph(to_bytes(mixed_graph())); }

}  // namespace
}  // namespace loom::graph
