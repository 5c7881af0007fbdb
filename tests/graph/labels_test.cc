// SPDX-License-Identifier: MIT
// Labels are looked up when a graph is used, and what a stored graph says is believed only as far as the library bears
// it out.
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/base/memory.h>
#include <loom/graph/build.h>
#include <loom/graph/follow.h>
#include <loom/graph/keys.h>
#include <loom/graph/labels.h>
#include <loom/graph/told_graph.h>
#include <loom/graph/walk.h>
#include <loom/motion/label_ranges.h>
#include <loom/motion/mirror.h>

#include "tests/graph/random_graph.h"
#include "tests/make_walk.h"
#include "tests/temporary_folder.h"

namespace loom::graph {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class GraphLabels : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const auto& [name, speed] : {std::pair{"a", 1.1}, std::pair{"b", 1.15}, std::pair{"c", 1.3}}) {
      testing::Gait gait;
      gait.seconds = 6;
      gait.rate = 60;
      gait.speed = speed;
      motion::Clip clip = testing::make_gait(gait).clip;
      clip.name = name;
      ASSERT_TRUE(library_.add_clip(clip));
    }
    take::GatherOptions options;
    options.mirror = true;
    const auto source = take::gather(library_, options);
    ASSERT_TRUE(source) << source.error().message;
    BuildOptions building;
    building.connect = 0.7;
    const auto built = build(*source, building);
    ASSERT_TRUE(built) << built.error().message;
    ASSERT_TRUE(store(library_, "g", *built, *source, "{}"));
  }

  testing::TemporaryFolder folder_;
  library::Library library_ = *library::Library::open_or_create(folder_.file("moves.loom"));
};

TEST_F(GraphLabels, GivenAfterTheBuildAreKnownToKeysPathsWalksAndReports) {
  EXPECT_FALSE(parse_key(*load_graph(library_, "g")->graph, {}, "step-left"));
  ASSERT_TRUE(library_.add_label("a", {"step-left", 120, 240}));
  const auto stored = load_graph(library_, "g");
  ASSERT_TRUE(stored) << stored.error().message;
  const MotionGraph& graph = *stored->graph;
  EXPECT_THAT(graph.labels(), ElementsAre("step-left", "step-right")) << "the mirrored copy steps to the other side";
  const auto key = parse_key(graph, *stored->motion, "step-left@0");
  ASSERT_TRUE(key) << key.error().message;
  for (const Node n : key->nodes) {
    const GraphClip& clip = graph.clips[graph.clip_of(n)];
    EXPECT_EQ(clip.title(), "a");
    EXPECT_GE(graph.frame_of(n), 60u) << "at the graph's 30 Hz";
    EXPECT_LT(graph.frame_of(n), 120u);
  }
  EXPECT_TRUE(validate(FloorPath{{{0, 0, 0}, {0, 0, 2}}, {"step-right", ""}}, graph));
  WalkOptions walk;
  walk.wanted = {"step-right"};
  EXPECT_TRUE(Walk::create(stored->graph, *stored->motion, walk));
  EXPECT_EQ(load_told(library_, "g")->graph.labels(), graph.labels());

  ASSERT_TRUE(library_.remove_label("a", "step-left"));
  EXPECT_TRUE(load_graph(library_, "g")->graph->labels().empty());
}

TEST_F(GraphLabels, AreThoseTheMotionItselfHas) {
  ASSERT_TRUE(library_.add_label("b", {"turn-left", 11, 200}));
  ASSERT_TRUE(library_.add_label("b", {"end", 301, 360}));
  const auto stored = load_graph(library_, "g");
  ASSERT_TRUE(stored);
  for (std::size_t c = 0; c < stored->graph->clips.size(); ++c) {
    EXPECT_EQ(stored->graph->clips[c].labels, stored->motion->clips[c].labels) << c;
  }
}

TEST_F(GraphLabels, LostToPruningIsToldAsThatAndTheOthersAreListed) {
  MotionGraph graph = *load_graph(library_, "g")->graph;
  const auto unknown = parse_key(graph, {}, "dance");
  ASSERT_FALSE(unknown);
  EXPECT_THAT(unknown.error().message, HasSubstr("its labels are: none"));
  graph.clips[0].labels = {{"walk", 0, graph.clips[0].frames}};
  GraphClip lost = graph.clips[0];
  lost.labels = {{"jump", 0, lost.frames}};
  graph.add_run(static_cast<std::uint32_t>(graph.clips.size()), lost.frames, lost.frames);
  graph.clips.push_back(lost);
  EXPECT_THAT(lost_labels(graph), ElementsAre("jump"));
  for (const std::string& message :
       {parse_key(graph, {}, "jump").error().message, parse_key(graph, {}, "jump@2").error().message,
        validate(FloorPath{{{0, 0, 0}, {0, 0, 2}}, {"jump", ""}}, graph).error().message}) {
    EXPECT_THAT(message, HasSubstr("'jump' was lost to pruning"));
    EXPECT_THAT(message, HasSubstr("its labels are: walk"));
  }
}

TEST_F(GraphLabels, AClipThatIsGoneIsToldOfAsItWasAndIsNotPlayed) {
  ASSERT_TRUE(library_.add_label("b", {"turn-left", 0, 200}));
  auto artefact = *library_.get_artefact(kGraphKind, "g");
  ASSERT_TRUE(library_.put_artefact(artefact.info, to_bytes(*load_graph(library_, "g")->graph)));
  const auto whole = load_told(library_, "g");
  ASSERT_TRUE(whole) << whole.error().message;
  EXPECT_TRUE(whole->gone.empty());
  ASSERT_TRUE(library_.remove_clip("b"));
  const auto told = load_told(library_, "g");
  ASSERT_TRUE(told) << told.error().message;
  EXPECT_THAT(told->gone, ElementsAre("b")) << "once, though its mirrored copy is gone too";
  EXPECT_THAT(told->graph.labels(), ElementsAre("turn-left", "turn-right"));
  EXPECT_EQ(to_bytes(told->graph), to_bytes(whole->graph));
  EXPECT_EQ(told->pairs, whole->pairs);
  EXPECT_EQ(measures_json(told->graph, measure(told->graph, {})),
            measures_json(whole->graph, measure(whole->graph, {})));
  EXPECT_THAT(load_graph(library_, "g").error().message,
              HasSubstr("the graph 'g' was built: 'b' is gone; build it again"));
}

TEST_F(GraphLabels, FramesThatNoClipVouchesForAreNotBelievedBeyondTheMemory) {
  auto artefact = *library_.get_artefact(kGraphKind, "g");
  MotionGraph graph = *graph_from_bytes(artefact.data);
  graph.clips.back().name = "never";
  graph.clips.back().frames = 100'000'000;
  ASSERT_TRUE(library_.put_artefact(artefact.info, to_bytes(graph)));
  const MemoryLimit limit(500'000'000);
  EXPECT_THAT(load_told(library_, "g").error().message, HasSubstr("frames takes about"));
}

TEST_F(GraphLabels, AGraphThatSaysMoreOfAClipThanThereIsIsRefused) {
  auto artefact = *library_.get_artefact(kGraphKind, "g");
  MotionGraph graph = *graph_from_bytes(artefact.data);
  graph.clips.back().frames += 1;
  ASSERT_TRUE(library_.put_artefact(artefact.info, to_bytes(graph)));
  EXPECT_THAT(load_graph(library_, "g").error().message, HasSubstr("'c' has changed"));
  EXPECT_THAT(load_told(library_, "g").error().message, HasSubstr("which has"));
}

TEST(LabelRanges, AreThoseOfTheClipItself) {
  Random random(3);
  for (int round = 0; round < 50; ++round) {
    motion::Clip clip = testing::random_clip(testing::small_person(), 20 + random.index(60), 60, 5);
    for (int l = 0; l < 3; ++l) {
      const std::size_t begin = random.index(clip.frames()), end = begin + 1 + random.index(clip.frames() - begin);
      clip.labels.push_back({l == 0 ? "Left turn" : "kick-right", begin, std::min(end, clip.frames())});
    }
    const double rate = random.uniform(10, 100);
    const auto resampled = motion::resample(clip, rate).value();
    EXPECT_EQ(motion::resampled_frames(clip.frames(), clip.rate, rate), resampled.frames());
    EXPECT_EQ(motion::resample_labels(clip.labels, clip.frames(), clip.rate, rate), resampled.labels);
    const std::size_t end = 1 + random.index(resampled.frames());
    EXPECT_EQ(motion::cut_labels(resampled.labels, 0, end), motion::cut(resampled, 0, end)->labels);
    EXPECT_EQ(motion::mirror_labels(clip.labels), motion::mirror(clip)->labels);
  }
}

/// A sound graph with something done to it, as bytes.
std::vector<std::byte> tampered(const std::function<void(MotionGraph&)>& change) {
  MotionGraph graph = testing::random_graph(6, 30, 60, 7);
  change(graph);
  return to_bytes(graph);
}

TEST(MotionGraphBytes, RefuseWhatWouldHangASearchOrFillTheMemory) {
  ASSERT_TRUE(graph_from_bytes(tampered([](MotionGraph&) {})));
  const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
  for (const auto& change : std::vector<std::function<void(MotionGraph&)>>{
           [](MotionGraph& g) { g.transitions[0].cost = -1; }, [&](MotionGraph& g) { g.transitions[0].cost = nan; },
           [](MotionGraph& g) { g.transitions[0].cost = 2; }, [](MotionGraph& g) { g.transitions[0].distance = -0.5f; },
           [&](MotionGraph& g) { g.transitions[0].distance = infinity; },
           [&](MotionGraph& g) { g.transitions[0].alignment.x = nan; },
           [](MotionGraph& g) { g.transitions[0].alignment.z = 1e30f; },
           [&](MotionGraph& g) { g.transitions[0].alignment.heading = infinity; },
           [](MotionGraph& g) { g.transitions[0].to = static_cast<Node>(g.nodes()); },
           [](MotionGraph& g) { g.clips[0].frames = ~std::uint32_t{0}; },
           [](MotionGraph& g) { g.clips[0].begin = ~std::uint32_t{0}; }, [](MotionGraph& g) { g.sigma = 0; },
           [](MotionGraph& g) { g.threshold = -1; }, [](MotionGraph& g) { g.rate = 0; }}) {
    EXPECT_FALSE(graph_from_bytes(tampered(change)));
  }
}

}  // namespace
}  // namespace loom::graph
