// SPDX-License-Identifier: MIT
// What the page World is told: worlds that are read and written, searches that are looked at, crowds and walls that
// move.
#include <chrono>
#include <cmath>

#include <gmock/gmock.h>

#include <loom/world/world.h>

#include "apps/studio/crowd_scene.h"
#include "apps/studio/world_json.h"
#include "tests/crowd/walking_gait.h"
#include "tests/studio/opened_studio.h"

namespace loom::studio {
namespace {

using ::testing::HasSubstr;

json a_box(const std::string& name, double x, double z, double width, double depth) {
  return {{"name", name}, {"shape", "box"}, {"x", x}, {"z", z}, {"width", width}, {"depth", depth}, {"top", 2.5}};
}

json a_world() {
  return {{"name", "hall"},
          {"ground", json::array({json::array({-5, -5, 5, 5})})},
          {"obstacles", json::array({a_box("wall", 0, 0, 0.3, 4)})},
          {"starts", json::array({{{"x", -3}, {"z", 0}, {"turn", 90}}})},
          {"goals", json::array({{{"x", 3}, {"z", 0}}})}};
}

class WorldRoutes : public StudioRoutes {
 protected:
  /// What a page is told of a scene until `event` comes, which is last.
  std::vector<json> watched(std::uint64_t scene, const std::string& event, const json& said = nullptr) {
    const auto page = std::make_shared<FakePage>();
    studio_->opened(page);
    studio_->received(page, json{{"do", "join"}, {"scene", scene}}.dump());
    if (!said.is_null()) {
      json message = said;
      message["do"] = "say";
      studio_->received(page, message.dump());
    }
    for (int i = 0; i < 6000; ++i) {
      {
        const std::lock_guard lock(page->mutex);
        for (const json& text : page->texts) {
          if (text["event"] == event) return page->texts;
        }
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    ADD_FAILURE() << event << " never came";
    return {};
  }
};

TEST_F(WorldRoutes, AWorldIsReadDrawnAndWrittenTheSame) {
  const std::string text =
      "world hall\nground -5 -5 10 10\nbox table at 2 1 size 1.6 0.8 turn 30 to 0.75\n"
      "cylinder pillar at 4 3 radius 0.3 to 2.5\nbox bar at 6 0 size 3 0.1 from 1.2 to 1.4 asks duck\n"
      "polygon stage to 0.4: 8 6, 10 6, 10 9, 8 9\ngap ditch: -5 4, 0 4, 0 4.6, -5 4.6\n"
      "path pillar loop: 0 4 3, 2 4 5, 4 4 3\nstart 0 0 90\ngoal 9 9 called door\n";
  const auto world = world::parse_world(text, "hall.world");
  ASSERT_TRUE(world) << world.error().to_string();
  const json drawn = ask_json("POST", "/api/worlds/read", {{"file", "hall.world"}, {"text", text}});
  ASSERT_EQ(drawn["obstacles"].size(), 5U) << drawn;
  EXPECT_EQ(drawn["obstacles"][2]["ask"], "duck");
  EXPECT_NEAR(drawn["obstacles"][0]["turn"].get<double>(), 30, 1e-9);
  EXPECT_EQ(drawn["obstacles"][1]["path"].size(), 3U);
  EXPECT_NEAR(drawn["starts"][0]["turn"].get<double>(), 90, 1e-9);
  EXPECT_TRUE(drawn["goals"][0]["turn"].is_null());
  const json written = ask_json("POST", "/api/worlds/text", {{"world", drawn}});
  EXPECT_EQ(written["text"], world::format_world(*world));
}

TEST_F(WorldRoutes, AMapIsReadAsWalls) {
  const json drawn =
      ask_json("POST", "/api/worlds/read",
               {{"file", "room.MAP"}, {"text", "type octile\nheight 2\nwidth 3\nmap\n..@\n@..\n"}, {"cell", 2}});
  EXPECT_EQ(drawn["obstacles"].size(), 2U) << drawn;
  EXPECT_EQ(drawn["ground"], json::array({json::array({0.0, 0.0, 6.0, 4.0})}));
}

TEST_F(WorldRoutes, SaysWhatIsWrongWithAWorld) {
  const auto told = [&](const json& world) {
    const Response response = ask("POST", "/api/worlds/text", {{"world", world}});
    EXPECT_EQ(response.status, 400) << world << response.body;
    return response.body;
  };
  json world = a_world();
  world["ground"] = json::array();
  EXPECT_THAT(told(world), HasSubstr("ground"));
  world = a_world();
  world["obstacles"].push_back(a_box("wall", 3, 3, 1, 1));
  EXPECT_THAT(told(world), HasSubstr("wall")) << "a name that comes twice";
  world = a_world();
  world["obstacles"][0]["shape"] = "sphere";
  EXPECT_THAT(told(world), HasSubstr("'shape'"));
  world = a_world();
  world["obstacles"][0]["ask"] = "dance";
  EXPECT_THAT(told(world), HasSubstr("'ask'"));
  world = a_world();
  world["obstacles"][0]["top"] = -1;
  EXPECT_THAT(told(world), HasSubstr("wall"));
  world = a_world();
  world["obstacles"][0] = {
      {"name", "knot"},
      {"shape", "polygon"},
      {"outline", json::array({json::array({0, 0}), json::array({2, 2}), json::array({2, 0}), json::array({0, 2})})}};
  EXPECT_THAT(told(world), HasSubstr("knot"));
  for (const json& odd : {json(3), json("x"), json::array({1}), json(nullptr)}) told(odd);
  for (const char* field : {"ground", "obstacles", "starts", "goals"}) {
    world = a_world();
    world[field] = "much";
    EXPECT_THAT(told(world), HasSubstr(field));
  }
  EXPECT_EQ(ask("POST", "/api/worlds/read", {{"file", "a.world"}, {"text", "world a\nfloor 1\n"}}).status, 400);
  EXPECT_THAT(ask("POST", "/api/worlds/read", {{"file", "a.world"}, {"text", "world a\nfloor 1\n"}}).body,
              HasSubstr("2"))
      << "the line";
}

TEST_F(WorldRoutes, ASearchIsLookedAtAndGivesAWalkInItsWorld) {
  ASSERT_EQ(ask("POST", "/api/graphs", {{"name", "g"}, {"labels", json::array()}, {"connect", 0.8}}).status, 200);
  ASSERT_EQ(finished_job()["state"], "done");
  json world = a_world();
  world["obstacles"] = json::array({a_box("post", 0, 3, 0.3, 0.3)});
  world["goals"][0] = {{"x", 0.5}, {"z", 0}};  // the clips of this library only go straight on
  const json scene =
      ask_json("POST", "/api/worlds/plan", {{"world", world}, {"with", "graph:g"}, {"seconds", 20}, {"bound", 3}});
  ASSERT_TRUE(scene.contains("scene")) << scene;
  EXPECT_EQ(scene["bodies"].size(), 0U);
  const std::vector<json> told = watched(scene["scene"], "planned");
  std::size_t lines = 0;
  json planned;
  for (const json& event : told) {
    if (event["event"] == "search") lines += event["tree"].size() / 4;
    if (event["event"] == "planned") planned = event;
  }
  EXPECT_GT(lines, 0U) << "the tree is shown";
  ASSERT_TRUE(planned["error"].is_null()) << planned;
  const json& plan = planned["plan"];
  EXPECT_LT(plan["end_error_m"].get<double>(), 0.05);
  EXPECT_EQ(plan["collisions"], 0);
  EXPECT_LE(plan["bound"].get<double>(), 3.01);
  const std::string made = std::to_string(plan["made"].get<std::uint64_t>());
  const json header = header_of(ask("GET", "/api/made/" + made + "/motion").body);
  EXPECT_NEAR(header["frames"].get<double>() / header["rate"].get<double>(), plan["seconds"].get<double>(), 0.01);
  const std::string glb = ask("GET", "/api/made/" + made + "/file/glb").body;
  EXPECT_THAT(glb, HasSubstr("\"obstacles\"")) << "the world is in the file";
  EXPECT_THAT(glb, HasSubstr("walker"));
  EXPECT_EQ(ask("POST", "/api/made/" + made + "/keep", {{"as", "planned"}}).status, 200);
}

TEST_F(WorldRoutes, ASearchWithoutAWaySaysWhatClosesIt) {
  ASSERT_EQ(ask("POST", "/api/graphs", {{"name", "g"}, {"labels", json::array()}, {"connect", 0.8}}).status, 200);
  ASSERT_EQ(finished_job()["state"], "done");
  json world = a_world();
  world["obstacles"][0]["depth"] = 20;
  const json scene = ask_json("POST", "/api/worlds/plan", {{"world", world}, {"with", "graph:g"}});
  const std::vector<json> told = watched(scene["scene"], "planned");
  json planned;
  for (const json& event : told) {
    if (event["event"] == "planned") planned = event;
  }
  EXPECT_TRUE(planned["plan"].is_null());
  EXPECT_THAT(planned["error"].get<std::string>(), HasSubstr("wall"));
}

TEST_F(WorldRoutes, APlanSaysWhatItLacks) {
  const auto told = [&](json body) {
    const Response response = ask("POST", "/api/worlds/plan", body);
    EXPECT_GE(response.status, 400) << body;
    return response.body;
  };
  json world = a_world();
  EXPECT_THAT(told({{"world", world}, {"with", "graph:none"}}), HasSubstr("none"));
  EXPECT_THAT(told({{"world", world}, {"with", "machine:none"}}), HasSubstr("graph:NAME"));
  EXPECT_THAT(told({{"world", world}, {"with", "graph:g"}, {"seconds", -1}}), HasSubstr("seconds"));
  EXPECT_THAT(told({{"world", world}, {"with", "graph:g"}, {"bound", 0.5}}), HasSubstr("bound"));
  world["goals"] = json::array();
  EXPECT_THAT(told({{"world", world}, {"with", "graph:g"}}), HasSubstr("goal"));
}

/// A crowd on the gait of the tests of crowds.
std::unique_ptr<Scene> a_crowd(const json& world, std::size_t characters) {
  const json body = {{"world", world}};
  crowd::StoredGait walks;
  walks.gait = testing::walking_gait();
  std::shared_ptr<const crowd::SteeringModel> model =
      crowd::LearnedSteering::learn(crowd::sample_gait(*walks.gait, {.count = 4000})).value();
  crowd::WorldCrowdOptions members;
  members.characters = characters;
  members.anywhere = true;
  return make_crowd_scene(world_from(Fields(body)).value(), walks, model, members, {}).value();
}

TEST(CrowdScene, AWallGlidesWhereItIsSentAndWalkersKeepOutOfIt) {
  json world = a_world();
  world["ground"] = json::array({json::array({-8, -8, 8, 8})});
  const auto scene = a_crowd(world, 12);
  EXPECT_EQ(scene->describe()["goals"].size(), 12U);
  SceneFrame frame;
  ASSERT_TRUE(scene->step(1.0 / 60, frame));
  EXPECT_EQ(frame.values.size(), 3U) << "nothing has moved yet";
  scene->hear({{"move", "wall"}, {"x", 4}, {"z", 2}, {"turn", 45}});
  scene->hear({{"move", "nothing of that name"}, {"x", 4}});
  double x = 0, before = 0;
  for (int f = 0; f < 60 * 20; ++f) {
    ASSERT_TRUE(scene->step(1.0 / 60, frame));
    if (frame.values.size() < 7) continue;
    before = x;
    x = static_cast<double>(frame.values[4]);
    ASSERT_LT(x - before, 0.1) << "it glides, it does not jump";
    // In the wall's own coordinates nobody's hips are inside it.
    const double turn = static_cast<double>(frame.values[6]) * 3.14159265358979 / 180;
    for (const CharacterPose& pose : frame.characters) {
      const double dx = static_cast<double>(pose.root.x) - x,
                   dz = static_cast<double>(pose.root.z) - static_cast<double>(frame.values[5]);
      const double own_x = std::cos(turn) * dx - std::sin(turn) * dz, own_z = std::sin(turn) * dx + std::cos(turn) * dz;
      ASSERT_FALSE(std::fabs(own_x) < 0.15 && std::fabs(own_z) < 2) << "frame " << f;
    }
  }
  ASSERT_EQ(frame.values.size(), 7U);
  EXPECT_NEAR(frame.values[4], 4, 1e-3);
  EXPECT_NEAR(frame.values[5], 2, 1e-3);
  EXPECT_NEAR(frame.values[6], 45, 1e-2);
}

TEST(CrowdScene, StandsStillAtSpeedZero) {
  const auto scene = a_crowd(a_world(), 4);
  SceneFrame frame, later;
  scene->hear({{"speed", 0}});
  ASSERT_TRUE(scene->step(0.05, frame));
  ASSERT_TRUE(scene->step(0.05, later));
  EXPECT_EQ(frame.values[0], later.values[0]);
}

TEST_F(WorldRoutes, ACrowdSaysWhatItLacks) {
  const auto told = [&](const json& body) { return ask("POST", "/api/worlds/crowd", body).body; };
  EXPECT_THAT(told({{"world", a_world()}, {"characters", 0}}), HasSubstr("can walk here"));
  EXPECT_THAT(told({{"world", a_world()}, {"characters", 201}}), HasSubstr("can walk here"));
  EXPECT_THAT(told({{"world", a_world()}, {"steering", "luck"}}), HasSubstr("'steering'"));
}

}  // namespace
}  // namespace loom::studio
