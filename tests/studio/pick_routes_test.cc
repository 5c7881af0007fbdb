// SPDX-License-Identifier: MIT
// What the page Pick is told, and what it keeps.
#include <cmath>

#include <gmock/gmock.h>

#include <loom/graph/select/judge.h>
#include <loom/graph/stored_graph.h>
#include <loom/project/select_graph.h>

#include "tests/studio/opened_studio.h"

namespace loom::studio {
namespace {

using ::testing::HasSubstr;
using ::testing::IsSupersetOf;

class Pick : public StudioRoutes {
 protected:
  /// Three walks that lead to each other.
  void SetUp() override {
    StudioRoutes::SetUp();
    auto library = library::Library::open(folder_.file("test.loom"), library::Access::kWrite).value();
    int number = 0;
    for (const double speed : {1.1, 1.15, 1.0}) {
      testing::Gait gait;
      gait.speed = speed;
      gait.seconds = 6;
      motion::Clip clip = testing::make_gait(gait).clip;
      clip.name = "stroll " + std::to_string(++number);
      clip.labels = {{"stroll", 0, clip.frames()}};
      ASSERT_TRUE(library.add_clip(clip));
    }
  }
  void build(double connect) {
    ASSERT_EQ(ask("POST", "/api/graphs", {{"name", "g"}, {"labels", {"stroll"}}, {"connect", connect}}).status, 200);
    ASSERT_EQ(finished_job()["state"], "done");
  }
  graph::MotionGraph stored(const std::string& name) const {
    const auto library = library::Library::open(folder_.file("test.loom")).value();
    return *graph::load_graph(library, name).value().graph;
  }
  /// The nodes of a stretch, each looked at by itself.
  static std::vector<graph::Node> nodes_of(const graph::MotionGraph& graph, const json& range) {
    std::vector<graph::Node> nodes;
    for (graph::Node node = 0; node < graph.nodes(); ++node) {
      const graph::GraphClip& clip = graph.clips[graph.clip_of(node)];
      const double frame = clip.begin + graph.frame_of(node);
      if (clip.name == range["clip"] && frame >= std::round(range["begin"].get<double>() * graph.rate) &&
          frame < std::round(range["end"].get<double>() * graph.rate)) {
        nodes.push_back(node);
      }
    }
    return nodes;
  }
  /// The same as the page asks for, judged without the studio.
  static graph::Judgement judged(const graph::MotionGraph& graph, const json& body) {
    graph::SelectionTask task;
    for (const json& key : body["keys"]) {
      for (const graph::Node node : nodes_of(graph, key)) {
        const bool goes_on = !task.keys.empty() && task.keys.back().what == key.dump() &&
                             task.keys.back().end == node && graph.goes_on(node - 1);
        if (!goes_on) task.keys.push_back({key.dump(), node, node});
        task.keys.back().end = node + 1;
      }
    }
    task.usual.need = static_cast<graph::Need>(body["requirement"].get<int>());
    task.usual.within = body["within"];
    std::vector<graph::Node> picked;
    for (const json& range : body["picked"]) {
      for (const graph::Node node : nodes_of(graph, range)) picked.push_back(node);
    }
    return graph::SelectionJudge::make(graph, task).value().judge(picked);
  }

  const json first_ = {{"clip", "stroll 1"}, {"begin", 1.4}, {"end", 1.8}},
             second_ = {{"clip", "stroll 2"}, {"begin", 2.7}, {"end", 3.1}},
             third_ = {{"clip", "stroll 3"}, {"begin", 1.9}, {"end", 2.6}};
};

TEST_F(Pick, JudgesAsSelectionsAreJudged) {
  const json all = {{{"clip", "stroll 1"}, {"begin", 0}, {"end", 100}},
                    {{"clip", "stroll 2"}, {"begin", 0}, {"end", 100}},
                    {{"clip", "stroll 3"}, {"begin", 0}, {"end", 100}}};
  for (const double connect : {0.6, 0.9}) {  // the same name, another graph
    build(connect);
    const graph::MotionGraph graph = stored("g");
    std::size_t connected = 0;
    for (const int requirement : {1, 2, 3, 4, 1}) {
      for (const double within : {5, 40}) {
        for (const json& keys : {json::array({first_, second_}), json::array({first_, third_})}) {
          for (const json& picked : {json::array(), json::array({third_}), all}) {
            const json body = {{"keys", keys}, {"picked", picked}, {"requirement", requirement}, {"within", within}};
            const json told = ask_json("POST", "/api/graphs/g/pick", body);
            const graph::Judgement expected = judged(graph, body);
            ASSERT_EQ(told["frames"], expected.frames) << body << told;
            EXPECT_EQ(told["edges"], expected.edges);
            EXPECT_EQ(told["satisfied_share"], expected.satisfied_share) << body;
            EXPECT_EQ(told["connected_share"], expected.connected_share) << body;
            ASSERT_EQ(told["pairs"].size(), expected.pairs.size()) << body;
            for (std::size_t i = 0; i < expected.pairs.size(); ++i) {
              EXPECT_EQ(told["pairs"][i]["satisfied_share"], expected.pairs[i].share()) << body;
            }
            if (picked == all) {
              EXPECT_EQ(told["satisfied_share"], 1) << "all that the whole graph can do is done: " << body;
            }
            connected += expected.connected_share > 0 && expected.connected_share < 1;
          }
        }
      }
    }
    EXPECT_GT(connected, 0U) << "some are judged that are neither whole nor nothing";
  }
}

TEST_F(Pick, WhatWasPickedAndFinishedIsKeptAsAGraph) {
  build(0.9);
  const graph::MotionGraph whole = stored("g");
  for (const int requirement : {1, 3}) {
    json body = {{"keys", json::array({first_, second_})},
                 {"picked", json::array({third_})},
                 {"requirement", requirement},
                 {"within", 30}};
    const json finished = ask_json("POST", "/api/graphs/g/finish", body);
    body["name"] = "game";
    const json started = ask_json("POST", "/api/graphs/g/select", body);
    ASSERT_TRUE(started.contains("job")) << started;
    const json job = finished_job();
    ASSERT_EQ(job["state"], "done") << job;
    EXPECT_EQ(job["kind"], "selection");
    EXPECT_EQ(job["result"]["satisfied_share"], 1);
    EXPECT_EQ(job["result"]["nodes"].get<std::size_t>() + job["result"]["left_out_nodes"].get<std::size_t>(),
              finished["frames"].get<std::size_t>())
        << "what was shown is kept";
    const graph::MotionGraph kept = stored("game");
    const auto nodes = project::nodes_in_whole(kept, whole).value();
    EXPECT_THAT(nodes, IsSupersetOf(nodes_of(whole, first_)));
    EXPECT_THAT(nodes, IsSupersetOf(nodes_of(whole, second_)));
    if (job["result"]["left_out_nodes"] == 0) {
      EXPECT_THAT(nodes, IsSupersetOf(nodes_of(whole, third_)));
    }
    EXPECT_EQ(ask("POST", "/api/graphs/game/walked", {{"seconds", 3}}).status, 200) << "and plays";

    // What a command is told, read again, gives the same graph.
    project::SelectSettings settings;
    settings.graph = "g";
    settings.keys = started["key_texts"];
    settings.picked = started["picked_texts"];
    settings.usual.need = static_cast<graph::Need>(requirement);
    settings.usual.within = 30;
    auto library = library::Library::open(folder_.file("test.loom"), library::Access::kWrite).value();
    const auto again = project::select_graph(library, "again", settings);
    ASSERT_TRUE(again) << again.error().to_string();
    EXPECT_EQ(graph::to_bytes(again->graph), graph::to_bytes(kept));
  }
}

TEST_F(Pick, SaysWhatIsWrong) {
  build(0.9);
  const auto told = [&](const std::string& what, const char* field, const json& value) {
    json body = {{"name", "game"},
                 {"keys", json::array({first_, second_})},
                 {"picked", json::array()},
                 {"requirement", 1},
                 {"within", 40}};
    body[field] = value;
    const Response response = ask("POST", "/api/graphs/g/" + what, body);
    EXPECT_EQ(response.status, 400) << response.body;
    return response.body;
  };
  for (const char* what : {"pick", "finish", "select"}) {
    EXPECT_THAT(told(what, "requirement", 5), HasSubstr("'requirement'"));
    EXPECT_THAT(told(what, "within", 0), HasSubstr("'within'"));
    EXPECT_THAT(told(what, "within", 1e9), HasSubstr("'within'"));
    EXPECT_THAT(told(what, "keys", 3), HasSubstr("'keys'"));
  }
  EXPECT_THAT(told("select", "name", ""), HasSubstr("called"));
  EXPECT_THAT(told("select", "name", "g"), HasSubstr("another name"));
}

}  // namespace
}  // namespace loom::studio
