// SPDX-License-Identifier: MIT
// What the page Machine is told, and what it keeps.
#include <gmock/gmock.h>

#include <loom/machine/prefer.h>
#include <loom/machine/stored_machine.h>
#include <loom/project/machines.h>

#include "tests/studio/opened_studio.h"

namespace loom::studio {
namespace {

using ::testing::HasSubstr;

/// Cheapest from stand to turn: by way of walk.
constexpr const char* kDrawn =
    "machine drawn\n"
    "state stand: slow\nstate start: mid\nstate walk: fast\nstate turn: walk\n"
    "transition stand -> stand self\ntransition stand -> start weight 1\n"
    "transition start -> walk weight 0.8\ntransition start -> turn weight 0.2\n"
    "transition walk -> turn weight 0.6\ntransition walk -> stand weight 0.4\ntransition turn -> stand\n";

class Machine : public StudioRoutes {
 protected:
  /// Three walks that lead to each other, each with a label of its own.
  void SetUp() override {
    StudioRoutes::SetUp();
    auto library = library::Library::open(folder_.file("test.loom"), library::Access::kWrite).value();
    const std::vector<std::pair<const char*, double>> walks = {{"slow", 1.0}, {"mid", 1.1}, {"fast", 1.15}};
    for (const auto& [name, speed] : walks) {
      testing::Gait gait;
      gait.speed = speed;
      gait.seconds = 5;
      motion::Clip clip = testing::make_gait(gait).clip;
      clip.name = clip.labels.emplace_back().name = name;
      clip.labels.back().end = clip.frames();
      ASSERT_TRUE(library.add_clip(clip));
    }
  }
  void build_graph() {
    ASSERT_EQ(ask("POST", "/api/graphs", {{"name", "g"}, {"labels", {"slow", "mid", "fast"}}}).status, 200);
    ASSERT_EQ(finished_job()["state"], "done");
  }
  json read_drawn(const std::string& name = "drawn") {
    return ask_json("POST", "/api/machines/" + name + "/read", {{"file", "drawn.machine"}, {"text", kDrawn}});
  }
  library::Library library() const { return library::Library::open(folder_.file("test.loom")).value(); }
  std::vector<std::byte> stored(const std::string& name) const {
    return machine::to_bytes(machine::load_machine(library(), name).value().machine);
  }
};

TEST_F(Machine, IsReadFromAFileListedAndWrittenAgain) {
  const json about = read_drawn();
  ASSERT_EQ(about["states"].size(), 4U) << about;
  EXPECT_EQ(about["states"][0]["cyclic"], true);
  EXPECT_EQ(about["states"][1]["cyclic"], false);
  EXPECT_EQ(about["edges"].size(), 6U) << "staying is no edge";
  EXPECT_EQ(ask_json("GET", "/api/machines/drawn"), about);
  EXPECT_EQ(ask_json("GET", "/api/machines")["machines"][0]["name"], "drawn");
  const Response file = ask("GET", "/api/machines/drawn/file");
  EXPECT_EQ(file.download, "drawn.machine");
  EXPECT_EQ(behavior::format_machine(behavior::parse_machine(file.body, "again").value()), file.body);
  EXPECT_EQ(ask("DELETE", "/api/machines/drawn").status, 200);
  EXPECT_EQ(ask("GET", "/api/machines/drawn").status, 404);
}

TEST_F(Machine, IsMinedAsTheCommandMinesIt) {
  build_graph();
  ASSERT_EQ(ask("POST", "/api/machines", {{"name", "m"}, {"graph", "g"}}).status, 200);
  const json job = finished_job();
  ASSERT_EQ(job["state"], "done") << job;
  EXPECT_EQ(job["kind"], "machine");
  EXPECT_TRUE(job["result"]["chi"].is_null());
  const json about = ask_json("GET", "/api/machines/m");
  EXPECT_EQ(about["edges"].size(), job["result"]["edges"]);
  EXPECT_EQ(about["parameters"]["graph"], "g");

  // What is missing is what was missing when it was mined, whatever was changed since.
  auto writing = library::Library::open(folder_.file("test.loom"), library::Access::kWrite).value();
  const auto mined = project::mine_machine(writing, "again", "g", {}).value();
  const json gaps = ask_json("GET", "/api/machines/m/gaps");
  EXPECT_EQ(gaps["mined"], true);
  ASSERT_EQ(gaps["missing"].size(), mined.missing.size());
  for (std::size_t i = 0; i < mined.missing.size(); ++i) {
    EXPECT_EQ(gaps["missing"][i]["from"], mined.machine.states[mined.missing[i].from].name);
    EXPECT_EQ(gaps["missing"][i]["why"], machine::to_string(mined.missing[i].why));
  }
}

TEST_F(Machine, WhatMarksAMomentIsNoState) {
  const json stroke = {{"name", "stroke"}, {"begin", 30}, {"end", 31}};
  ASSERT_EQ(ask("POST", "/api/clips/slow/labels", {{"add", stroke}}).status, 200);
  build_graph();
  ASSERT_EQ(ask("POST", "/api/machines", {{"name", "m"}, {"graph", "g"}}).status, 200);
  ASSERT_EQ(finished_job()["state"], "done");
  for (const json& state : ask_json("GET", "/api/machines/m")["states"]) EXPECT_NE(state["name"], "stroke");

  // Drawn by hand it is told which state it is that cannot be made.
  const std::string drawn =
      "machine drawn\nstate go: slow\nstate mark: stroke\ntransition go -> mark\ntransition mark -> go\n";
  ask("POST", "/api/machines/drawn/read", {{"file", "drawn.machine"}, {"text", drawn}});
  ASSERT_EQ(ask("POST", "/api/machines/drawn/build", json::object()).status, 200);
  EXPECT_THAT(finished_job()["error"].get<std::string>(),
              HasSubstr("nothing to make state 'mark' of: no clip is long enough"));
}

TEST_F(Machine, ComparesWithOneDrawnByHand) {
  build_graph();
  read_drawn();
  ASSERT_EQ(ask("POST", "/api/machines", {{"name", "m"}, {"graph", "g"}, {"against", "drawn"}}).status, 200);
  const json job = finished_job();
  ASSERT_EQ(job["state"], "done") << job;
  const json gaps = ask_json("GET", "/api/machines/m/gaps?against=drawn");
  EXPECT_EQ(gaps["chi"], job["result"]["chi"]);
  EXPECT_EQ(gaps["rho"], job["result"]["rho"]);
  EXPECT_EQ(gaps["hand_edges"], 6);
  EXPECT_EQ(gaps["missing"].size(), 6 - gaps["common_edges"].get<std::size_t>()) << gaps;
  // One that was not mined is compared all the same.
  const json drawn = ask_json("GET", "/api/machines/drawn/gaps?against=drawn");
  EXPECT_EQ(drawn["mined"], false);
  EXPECT_EQ(drawn["rho"], 1.0);
  EXPECT_EQ(ask("POST", "/api/machines", {{"name", "drawn"}, {"graph", "g"}, {"against", "drawn"}}).status, 400);
}

TEST_F(Machine, ShowsBothAnswersTakesOneAndTakesItBack) {
  read_drawn();
  const std::vector<std::byte> before = stored("drawn");
  const json body = {{"ways", json::array({json::array({"stand", "start", "turn"})})}};
  const json told = ask_json("POST", "/api/machines/drawn/ways", body);
  ASSERT_EQ(told["answers"].size(), 2U) << told;
  EXPECT_EQ(told["now"][0], json::array({"stand", "start", "walk", "turn"}));
  EXPECT_EQ(stored("drawn"), before) << "nothing is changed by asking";
  const auto machine = machine::load_machine(library(), "drawn").value().machine.machine;
  const std::vector<machine::StateWay> ways = {machine::parse_way(machine, "stand,start,turn").value()};
  std::vector<json> after;
  for (const json& answer : told["answers"]) {
    const auto method = answer["method"] == "least" ? machine::PreferMethod::kLeast : machine::PreferMethod::kQuadratic;
    const auto expected = machine::prefer(machine, ways, method).value();
    EXPECT_EQ(answer["edges_changed"], expected.measures.edges_changed);
    EXPECT_EQ(answer["ways_changed"], expected.measures.ways_changed);
    EXPECT_EQ(answer["relative_change"], expected.measures.relative_change);
    json taken = body;
    taken["method"] = answer["method"];
    const json now = ask_json("POST", "/api/machines/drawn/prefer", taken);
    ASSERT_EQ(now["edits"].size(), 1U) << now;
    for (std::size_t e = 0; e < expected.edges.size(); ++e) {
      EXPECT_NEAR(now["edges"][e]["probability"].get<double>(), expected.edges[e].probability, 1e-6);
      EXPECT_EQ(answer["edges"][e]["probability"], expected.edges[e].probability);
    }
    EXPECT_EQ(ask_json("POST", "/api/machines/drawn/ways", body)["now"][0], body["ways"][0]) << "it is gone now";
    EXPECT_EQ(ask("POST", "/api/machines/drawn/undo", {{"what", "something else"}}).status, 400);
    EXPECT_EQ(ask("POST", "/api/machines/drawn/undo", {{"what", now["edits"][0]}}).status, 200);
    EXPECT_EQ(stored("drawn"), before);
  }
}

TEST_F(Machine, SaysWhatIsWrong) {
  read_drawn();
  const auto told = [&](const std::string& what, const json& body) {
    const Response response = ask("POST", "/api/machines/" + what, body);
    EXPECT_EQ(response.status, 400) << response.body;
    return response.body;
  };
  for (const char* what : {"drawn/ways", "drawn/prefer"}) {
    EXPECT_THAT(told(what, {{"ways", 3}, {"method", "least"}}), HasSubstr("'ways'"));
    EXPECT_THAT(told(what, {{"ways", json::array({3})}, {"method", "least"}}), HasSubstr("list of states"));
    EXPECT_THAT(told(what, {{"ways", json::array({json::array({"fly"})})}, {"method", "least"}}), HasSubstr("'fly'"));
    EXPECT_THAT(told(what, {{"ways", json::array()}, {"method", "least"}}), HasSubstr("which way"));
  }
  EXPECT_THAT(told("drawn/prefer", {{"ways", json::array()}, {"method", "most"}}), HasSubstr("'method'"));
  EXPECT_THAT(told("drawn/undo", {{"what", ""}}), HasSubstr("nothing was preferred"));
  // A way along a transition that is not there: each method says so, and an empty way is none.
  const json none = {{"ways", json::array({json::array({"stand", "turn"})})}};
  EXPECT_THAT(ask_json("POST", "/api/machines/drawn/ways", none)["answers"][0]["refused"], HasSubstr("turn"));
  const json empty = {{"ways", json::array({json::array()})}};
  EXPECT_TRUE(ask_json("POST", "/api/machines/drawn/ways", empty)["answers"][1]["refused"].is_string());
  EXPECT_THAT(told("bad/read", {{"file", "bad.machine"}, {"text", "state walk: walk\ntransition walk -> fly\n"}}),
              HasSubstr("bad.machine"));
  EXPECT_THAT(told("drawn/read", {{"text", 7}}), HasSubstr("'text'"));
}

}  // namespace
}  // namespace loom::studio
