// SPDX-License-Identifier: MIT
// Built machines on the page: what leads from state to state, changed by hand, and the character that plays live.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "apps/studio/machine_scene.h"
#include "tests/machine/walking_machine.h"
#include "tests/studio/opened_studio.h"

namespace loom::studio {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

std::unique_ptr<Scene> scene() { return make_machine_scene(testing::walking_machine(), {}).value(); }

/// Plays until it says that `holds`; all that it told of the machine on the way.
template <typename Holds>
std::vector<json> play_until(Scene& scene, const Holds& holds, double seconds = 20) {
  std::vector<json> told;
  SceneFrame frame;
  for (double t = 0; t < seconds; t += 1.0 / 60) {
    EXPECT_TRUE(scene.step(1.0 / 60, frame));
    for (json& news : scene.news()) {
      if (news["event"] == "machine") told.push_back(std::move(news));
    }
    if (!told.empty() && holds(told.back())) return told;
  }
  ADD_FAILURE() << "it never came to it; last: " << (told.empty() ? json() : told.back());
  return told;
}

TEST(MachineScene, TellsItsStatesAndWhatTheyVaryIn) {
  const auto played = scene();
  const json about = played->describe();
  ASSERT_EQ(about["states"].size(), 5U);
  EXPECT_EQ(about["states"][0]["name"], "stand");
  EXPECT_EQ(about["states"][0]["parameters"].size(), 0U);
  EXPECT_EQ(about["states"][1]["examples"], 6);
  ASSERT_GT(about["states"][1]["parameters"].size(), 0U);
  EXPECT_LT(about["states"][1]["parameters"][0]["least"], about["states"][1]["parameters"][0]["most"]);
}

TEST(MachineScene, AWishIsGoneToStateByStateAndLit) {
  const auto played = scene();
  play_until(*played, [](const json& now) { return now["state"] == "stand" && now["mode"] == "playback"; });
  played->hear({{"wish", "run"}});
  const auto told =
      play_until(*played, [](const json& now) { return now["state"] == "run" && now["mode"] == "playback"; });
  std::vector<std::string> states;
  std::set<std::string> modes;
  bool on_the_way = false;
  for (const json& now : told) {
    if (states.empty() || states.back() != now["state"]) states.push_back(now["state"]);
    modes.insert(now["mode"]);
    on_the_way = on_the_way || now["way"] == json::array({"walk", "run"});
  }
  EXPECT_EQ(states, (std::vector<std::string>{"stand", "walk", "run"}));
  EXPECT_THAT(modes, Contains("transition"));
  EXPECT_TRUE(on_the_way) << "what is still to come is told";
  EXPECT_EQ(told.back()["answers"], 1);
  EXPECT_GE(told.back()["delay"], 0.0);
}

TEST(MachineScene, WishesWaitWhereTheyAreAskedToAndAreDropped) {
  const auto played = scene();
  played->hear({{"wish", "run"}});
  played->hear({{"wish", "stop"}, {"queue", true}});
  SceneFrame frame;
  ASSERT_TRUE(played->step(1.0 / 60, frame));
  EXPECT_EQ(played->news().back()["queue"].size(), 2U);
  played->hear({{"drop", true}});
  ASSERT_TRUE(played->step(1.0 / 60, frame));
  EXPECT_EQ(played->news().back()["queue"].size(), 0U);
}

TEST(MachineScene, AMotionThatEndsGoesOnByItself) {
  const auto played = scene();
  played->hear({{"wish", "jump"}});
  play_until(*played, [](const json& now) { return now["state"] == "jump" && now["mode"] == "playback"; });
  play_until(*played, [](const json& now) { return now["state"] == "stand" && now["mode"] == "playback"; });
}

TEST(MachineScene, HearsParametersAndNoNonsense) {
  const auto played = scene();
  const json state = played->describe()["states"][1], walk = state["parameters"][0];
  played->hear({{"wish", "walk"}});
  play_until(*played, [](const json& now) { return now["state"] == "walk" && now["mode"] == "playback"; });
  SceneFrame frame;
  const double most = walk["most"];
  // As the fastest of the examples has them: between others there may be nothing as fast.
  const auto fastest = std::max_element(state["points"].begin(), state["points"].end(),
                                        [](const json& a, const json& b) { return a[0] < b[0]; });
  for (std::size_t p = 0; p < state["parameters"].size(); ++p) {
    played->hear({{"state", "walk"}, {"parameter", state["parameters"][p]["name"]}, {"value", (*fastest)[p]}});
  }
  for (int i = 0; i < 120; ++i) ASSERT_TRUE(played->step(1.0 / 60, frame));
  ASSERT_GT(frame.values.size(), 4U);
  EXPECT_NEAR(frame.values[4], most, 0.05 * std::abs(most) + 0.05);
  for (const json& nonsense : {json{{"wish", "fly"}}, json{{"state", "walk"}, {"parameter", "colour"}, {"value", 1}},
                               json{{"state", "stand"}, {"parameter", "speed"}, {"value", 1}}, json::object()}) {
    played->hear(nonsense);
    EXPECT_TRUE(played->step(1.0 / 60, frame));
  }
}

class BuiltMachines : public StudioRoutes {
 protected:
  void SetUp() override {
    const std::string path = folder_.file("test.loom");
    { const auto library = testing::walking_library(path); }
    studio_ = Studio::open(path).value();
    ask("POST", "/api/machines/m/read", {{"file", "m.machine"}, {"text", testing::kWalkingMachine}});
    EXPECT_EQ(ask_json("GET", "/api/machines/m")["built"], false);
    EXPECT_EQ(ask("POST", "/api/machines/m/play", json::object()).status, 404) << "nothing to play yet";
    ASSERT_EQ(ask("POST", "/api/machines/m/build", json::object()).status, 200);
    const json job = finished_job();
    ASSERT_EQ(job["state"], "done") << job;
  }
  json crossings(const std::string& from, const std::string& to) {
    const Response response = ask("GET", "/api/machines/m/crossings?from=" + from + "&to=" + to);
    EXPECT_EQ(response.status, 200) << response.body;
    return header_of(response.body);
  }
  Response set(const json& warps) {
    return ask("POST", "/api/machines/m/warps", {{"from", "walk"}, {"to", "run"}, {"warps", warps}});
  }
};

TEST_F(BuiltMachines, TransitionsAreShownPlayedThrownOutPinnedAndGotBack) {
  EXPECT_EQ(ask_json("GET", "/api/machines/m")["built"], true);
  const json before = crossings("walk", "run");
  ASSERT_GT(before["transitions"].size(), 1U) << "a cycle is left at several moments";
  for (const json& transition : before["transitions"]) {
    EXPECT_LT(transition["knots"][0][0], transition["knots"].back()[0]);
    EXPECT_GE(transition["knots"][0][0], before["from_seconds"][0]);
  }
  const json motion = header_of(ask("GET", "/api/machines/m/crossing?from=walk&to=run&index=1").body);
  EXPECT_GT(motion["changed_frame"], motion["change_frame"]);
  EXPECT_LT(motion["changed_frame"], motion["frames"]);

  // Thrown out, none begins there any more; got back, it does.
  json warps = before["warps"];
  ASSERT_EQ(warps.size(), before["transitions"].size());
  warps[0]["out"] = true;
  ASSERT_EQ(set(warps).status, 200) << set(warps).body;
  const json out = crossings("walk", "run");
  const auto begins = [](const json& header, const json& warp) {
    return std::any_of(header["transitions"].begin(), header["transitions"].end(), [&](const json& t) {
      return std::abs(t["knots"][0][0].get<double>() - warp["knots"][0][0].get<double>()) < 1e-3 &&
             std::abs(t["knots"][0][1].get<double>() - warp["knots"][0][1].get<double>()) < 1e-3;
    });
  };
  EXPECT_FALSE(begins(out, warps[0]));
  EXPECT_THAT(out["warps"], Contains(::testing::Truly([](const json& warp) { return warp["out"] == true; })));
  warps[0]["out"] = false;
  warps[0]["pinned"] = true;
  ASSERT_EQ(set(warps).status, 200);
  EXPECT_TRUE(begins(crossings("walk", "run"), warps[0]));
  // Longer, by hand.
  json longer = warps;
  longer[0]["knots"].back()[0] = longer[0]["knots"].back()[0].get<double>() + 0.1;
  ASSERT_EQ(set(longer).status, 200);
  const json now = crossings("walk", "run");
  EXPECT_TRUE(begins(now, longer[0]));
  EXPECT_NE(now["transitions"], before["transitions"]);
}

TEST_F(BuiltMachines, TellsWhatItsStatesVaryInWithoutPlaying) {
  const json states = ask_json("GET", "/api/machines/m/states")["states"];
  ASSERT_EQ(states.size(), 5U);
  EXPECT_EQ(states[1]["name"], "walk");
  EXPECT_EQ(states[1]["points"].size(), states[1]["examples"].get<std::size_t>());
  EXPECT_EQ(states[1]["parameters"][0]["name"], "forward");
  EXPECT_TRUE(states[2]["parameters"].empty()) << "of one clip";
}

TEST_F(BuiltMachines, WarpsLieWhereTheMotionsAreAlikeInTheMatrixThatIsShown) {
  const std::string packed = ask("GET", "/api/machines/m/crossings?from=run&to=walk").body;
  const json header = header_of(packed);
  std::uint32_t length = 0;
  std::memcpy(&length, packed.data(), sizeof length);
  const std::size_t first = (4 + length + 3) / 4 * 4;
  const int rows = header["rows"], columns = header["columns"];
  const auto cell = [&](int row, int column) {
    float value = std::numeric_limits<float>::quiet_NaN();
    if (row < 0 || column < 0 || row >= rows || column >= columns) return value;
    std::memcpy(&value, packed.data() + first + sizeof value * static_cast<std::size_t>(row * columns + column),
                sizeof value);
    return value;
  };
  // The mean along each line, as it is drawn, is what the transition costs; beside it more.
  const auto mean_along = [&](const json& knots, int shift) {
    const auto place = [](double seconds, const json& ends, int count) {
      const double begin = ends[0], end = ends[1];
      return static_cast<int>(std::lround((seconds - begin) / (end - begin) * (count - 1)));
    };
    double sum = 0;
    for (int step = 0; step <= 10; ++step) {
      const auto at = [&](int which) {
        const double a = knots[0][which], b = knots.back()[which];
        return a + step * (b - a) / 10;
      };
      sum += cell(place(at(0), header["from_seconds"], rows) + shift, place(at(1), header["to_seconds"], columns));
    }
    return sum / 11;
  };
  std::size_t seen = 0;
  double here = 0, beside = 0;
  for (const json& transition : header["transitions"]) {
    const double mean = mean_along(transition["knots"], 0), other = mean_along(transition["knots"], 6);
    if (!std::isfinite(mean) || !std::isfinite(other)) continue;  // in the next round, or at the rim
    EXPECT_NEAR(mean, transition["cost"].get<double>(), 0.3 * transition["cost"].get<double>() + 1e-4);
    here += mean;
    beside += other;
    ++seen;
  }
  ASSERT_GT(seen, 0U);
  EXPECT_LT(here, beside);
}

TEST_F(BuiltMachines, SaysWhatIsWrongAndLeavesAllAsItWas) {
  const json before = crossings("walk", "run");
  EXPECT_THAT(set(3).body, HasSubstr("'warps'"));
  EXPECT_THAT(set(json::array({{{"knots", json::array()}}})).body, HasSubstr("two knots"));
  const auto knots = [](double a, double b, double c, double d) {
    return json::array({{{"knots", json::array({json::array({a, b}), json::array({c, d})})}, {"pinned", true}}});
  };
  EXPECT_THAT(set(knots(0.5, 0.5, 0.2, 0.9)).body, HasSubstr("forward"));
  EXPECT_EQ(set(knots(500, 0.5, 501, 0.9)).status, 400) << "beyond the motion";
  EXPECT_EQ(crossings("walk", "run"), before);
  EXPECT_EQ(ask("GET", "/api/machines/m/crossings?from=walk&to=fly").status, 404);
  EXPECT_EQ(ask("GET", "/api/machines/m/crossing?from=walk&to=run&index=77").status, 404);
  EXPECT_EQ(ask("GET", "/api/machines/m/crossing?from=walk&to=run&index=x").status, 400);
}

TEST_F(BuiltMachines, AnotherMachineOfTheSameNameHasToBeBuiltAnew) {
  const json again = ask_json("POST", "/api/machines/m/read", {{"file", "m"}, {"text", testing::kWalkingMachine}});
  EXPECT_EQ(again["built"], false) << again;
  EXPECT_EQ(ask("POST", "/api/machines/m/play", json::object()).status, 404);
}

TEST_F(BuiltMachines, PlaysLiveWithTheProbabilitiesOfNow) {
  const json info = ask_json("POST", "/api/machines/m/play", json::object());
  ASSERT_EQ(info["kind"], "machine") << info;
  auto page = std::make_shared<FakePage>();
  studio_->opened(page);
  studio_->received(page, json{{"do", "join"}, {"scene", info["scene"]}}.dump());
  studio_->received(page, json{{"do", "say"}, {"seq", 1}, {"wish", "walk"}}.dump());
  const auto walks = [&] {
    const std::lock_guard lock(page->mutex);
    return std::any_of(page->texts.begin(), page->texts.end(), [](const json& text) {
      return text["event"] == "machine" && text["state"] == "walk" && text["mode"] == "playback";
    });
  };
  for (int i = 0; i < 6000 && !walks(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_TRUE(walks());
  studio_->closed(page);
}

}  // namespace
}  // namespace loom::studio
