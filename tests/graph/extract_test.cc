// SPDX-License-Identifier: MIT
// A graph with only the motion it needs plays as the one it was taken from.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/graph/build.h>
#include <loom/graph/connect/connect.h>
#include <loom/graph/extract.h>
#include <loom/graph/walk.h>
#include <loom/library/library.h>
#include <loom/motion/stream.h>
#include <loom/play/segment_player.h>
#include <loom/project/build.h>
#include <loom/project/select_graph.h>

#include "tests/make_walk.h"
#include "tests/temporary_folder.h"

namespace loom::graph {
namespace {

using library::Library;

class Extract : public ::testing::Test {
 protected:
  void SetUp() override {
    auto library = Library::open_or_create(big_).value();
    int number = 0;
    for (const double speed : {1.1, 1.15, 1.3, 1.0}) {
      testing::Gait gait;
      gait.speed = speed;
      gait.seconds = 6;
      gait.floor = 0.03f * static_cast<float>(number);  // each recording has its own floor
      gait.slope = 0.004f;
      motion::Clip clip = testing::make_gait(gait).clip;
      clip.name = "walk" + std::to_string(++number);
      clip.labels = {{speed > 1.2 ? "fast" : "slow", 0, clip.frames()}, {"middle", 60, 100}};
      ASSERT_TRUE(library.add_clip(clip));
    }
  }

  /// A walk through a stored graph, feet not planted yet but contacts told.
  static motion::Recording walk(const std::string& path, const std::string& name, std::uint64_t seed) {
    const auto stored = load_graph(Library::open(path).value(), name);
    EXPECT_TRUE(stored) << stored.error().to_string();
    WalkOptions options;
    options.seed = seed;
    auto feed = Walk::create(stored->graph, *stored->motion, options).value();
    play::SegmentPlayer player(stored->motion, std::move(feed));
    return motion::record(player, 20).value();
  }

  void expect_same_walks(const std::string& name) const {
    for (const std::uint64_t seed : {1, 2, 3}) {
      const motion::Recording before = walk(big_, name, seed), after = walk(small_, name, seed);
      ASSERT_EQ(before.clip.frames(), after.clip.frames());
      EXPECT_EQ(before.contacts.planted, after.contacts.planted);
      for (std::size_t f = 0; f < before.clip.frames(); ++f) {
        ASSERT_LT(distance(before.clip.roots[f], after.clip.roots[f]), 1e-5f) << f;
      }
      for (std::size_t i = 0; i < before.clip.rotations.size(); ++i) {
        const Quat a = before.clip.rotations[i], b = after.clip.rotations[i];
        ASSERT_GT(std::abs(a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z), 1 - 1e-6f) << i;
      }
    }
  }

  ExtractedGraph extract_stored(const std::string& name) const {
    const auto library = Library::open(big_).value();
    const auto stored = load_graph(library, name).value();
    const auto pairs = load_pairs(library, name, *stored.graph);
    auto extracted = extract(*stored.graph, *stored.motion, pairs ? *pairs : std::vector<SimilarPair>());
    EXPECT_TRUE(extracted) << extracted.error().to_string();
    auto small = Library::open_or_create(small_).value();
    const auto done = store_extracted(small, name, *extracted, stored.parameters, "big.loom");
    EXPECT_TRUE(done) << done.error().to_string();
    return std::move(*extracted);
  }

  void build(const std::string& name, double connect) const {
    auto library = Library::open(big_, library::Access::kWrite).value();
    BuildOptions options;
    options.connect = connect;
    const auto built = project::build_graph(library, name, {}, options);
    ASSERT_TRUE(built) << built.error().to_string();
  }

  testing::TemporaryFolder folder_;
  std::string big_ = folder_.file("big.loom"), small_ = folder_.file("small.loom");
};

TEST_F(Extract, AStandardGraphPlaysTheSame) {
  build("g", 0.6);
  const ExtractedGraph extracted = extract_stored("g");
  EXPECT_LE(extracted.frames, extracted.source_frames);
  expect_same_walks("g");
  const auto small = Library::open(small_).value();
  EXPECT_TRUE(small.verify());
  std::vector<std::string> labels;
  const auto totals = small.label_totals().value();
  for (const library::LabelTotal& total : totals) labels.push_back(total.name);
  EXPECT_THAT(labels, ::testing::IsSupersetOf(load_graph(small, "g")->graph->labels())) << "labels come along";
  EXPECT_THAT(labels, ::testing::Contains("middle"));
}

TEST_F(Extract, AWellConnectedGraphPlaysTheSame) {
  auto library = Library::open(big_, library::Access::kWrite).value();
  ConnectOptions options;  // of a small graph, which is built in a moment
  options.build.threshold = square_metres_of(3);
  options.weights = 3;
  options.finer_where_poor = options.join_mixes = false;
  const auto built = project::connect_graph(library, "g", {}, options);
  ASSERT_TRUE(built) << built.error().to_string();
  const ExtractedGraph extracted = extract_stored("g");
  EXPECT_EQ(to_bytes(extracted.graph), to_bytes(graph_from_bytes(to_bytes(extracted.graph)).value()));
  expect_same_walks("g");
}

TEST_F(Extract, ASelectedGraphPlaysTheSame) {
  build("whole", 0.9);
  {
    auto library = Library::open(big_, library::Access::kWrite).value();
    project::SelectSettings settings;
    settings.graph = "whole";
    settings.keys = {"walk1:40-60", "walk2:80-100", "walk4:50-70"};
    const auto selected = project::select_graph(library, "g", settings);
    ASSERT_TRUE(selected) << selected.error().to_string();
  }
  const ExtractedGraph extracted = extract_stored("g");
  EXPECT_LT(extracted.frames, extracted.source_frames);
  expect_same_walks("g");
}

/// Some runs of a graph's clips, as a selection leaves them, and the edges between them.
MotionGraph thinned(const MotionGraph& graph, std::uint32_t keep, std::uint32_t every) {
  MotionGraph part;
  part.rate = graph.rate;
  part.threshold = graph.threshold;
  part.sigma = graph.sigma;
  part.clips = graph.clips;
  std::vector<Node> kept;
  for (const Run& run : graph.runs) {
    std::uint32_t begin = run.begin;
    for (std::uint32_t f = run.begin; f <= run.end; ++f) {
      const bool inside = f < run.end && (f - run.begin) % every < keep;
      if (inside) kept.push_back(run.node_at(f));
      if (!inside && begin < f) part.add_run(run.clip, begin, f);
      if (!inside) begin = f + 1;
    }
  }
  part.first.push_back(0);
  for (const Node node : kept) {
    for (Transition t : graph.transitions_of(node)) {
      const auto at = std::lower_bound(kept.begin(), kept.end(), t.to);
      if (at == kept.end() || *at != t.to) continue;
      t.to = static_cast<Node>(at - kept.begin());
      part.transitions.push_back(t);
    }
    part.first.push_back(static_cast<std::uint32_t>(part.transitions.size()));
  }
  return part;
}

TEST_F(Extract, PiecesOfOneRecordingBecomeClipsAndEveryFrameIsTheSame) {
  build("g", 0.9);
  const auto stored = load_graph(Library::open(big_).value(), "g").value();
  const MotionGraph part = thinned(*stored.graph, 12, 70);
  const auto extracted = extract(part, *stored.motion, {}, 0.2);
  ASSERT_TRUE(extracted) << extracted.error().to_string();
  EXPECT_GT(extracted->clips.size(), part.clips.size());
  EXPECT_LT(2 * extracted->frames, extracted->source_frames);
  ASSERT_EQ(extracted->graph.nodes(), part.nodes());
  EXPECT_EQ(extracted->graph.edges(), part.edges());
  EXPECT_EQ(graph_from_bytes(to_bytes(extracted->graph)).has_value(), graph_from_bytes(to_bytes(part)).has_value());
  for (Node node = 0; node < part.nodes(); ++node) {
    EXPECT_EQ(extracted->graph.goes_on(node), part.goes_on(node));
    // The frame and six to both sides, as far as the recording goes.
    const motion::Clip& from = stored.motion->clips[part.clip_of(node)];
    const motion::Clip& to = extracted->clips[extracted->graph.clip_of(node)];
    for (int d = -6; d <= 6; ++d) {
      const auto there = static_cast<std::int64_t>(part.frame_of(node)) + d;
      const auto here = static_cast<std::int64_t>(extracted->graph.frame_of(node)) + d;
      if (there < 0 || there >= static_cast<std::int64_t>(from.frames())) continue;
      ASSERT_TRUE(here >= 0 && here < static_cast<std::int64_t>(to.frames()));
      EXPECT_EQ(distance(from.roots[static_cast<std::size_t>(there)], to.roots[static_cast<std::size_t>(here)]), 0);
    }
  }
  std::vector<std::string> names;
  for (const GraphClip& clip : extracted->graph.clips) names.push_back(clip.name);
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::unique(names.begin(), names.end()), names.end());
}

TEST_F(Extract, ChangedOrMissingClipsAreTold) {
  build("g", 0.6);
  extract_stored("g");
  auto small = Library::open(small_, library::Access::kWrite).value();
  motion::Clip clip = small.read_clip("walk2").value();
  const auto provenance = small.provenance("walk2").value();
  clip.roots[3].x += 0.1f;
  ASSERT_TRUE(small.remove_clip("walk2"));
  EXPECT_THAT(load_graph(small, "g").error().message, ::testing::HasSubstr("'walk2' is gone"));
  ASSERT_TRUE(small.add_clip(clip));
  EXPECT_THAT(load_graph(small, "g").error().message, ::testing::HasSubstr("have changed"));
  ASSERT_TRUE(small.remove_clip("walk2"));
  ASSERT_TRUE(small.add_clip(clip, provenance));
  EXPECT_THAT(load_graph(small, "g").error().message, ::testing::HasSubstr("have changed"));
}

}  // namespace
}  // namespace loom::graph
