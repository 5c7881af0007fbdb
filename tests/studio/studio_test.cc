// SPDX-License-Identifier: MIT
// What the page can ask for, asked without a server.
#include <atomic>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <loom/io/bvh_write.h>
#include <loom/sample/sample.h>

#include "tests/studio/opened_studio.h"

namespace loom::studio {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

TEST_F(StudioRoutes, ListsClipsAndGivesTheirMotion) {
  const json state = ask_json("GET", "/api/library");
  ASSERT_EQ(state["clips"].size(), 2U);
  EXPECT_EQ(state["clips"][0]["name"], "run / 2");
  EXPECT_EQ(state["labels"][0]["clips"], 2);
  const Response motion = ask("GET", "/api/clips/run%20%2F%202/motion");
  ASSERT_EQ(motion.status, 200);
  const json header = header_of(motion.body);
  const std::size_t frames = header["frames"], joints = header["joints"];
  EXPECT_EQ(motion.body.size(), 4 + header.dump().size() + (4 - header.dump().size() % 4) % 4 +
                                    frames * (12 + 16 * joints) + (frames + 3) / 4 * 4);
  EXPECT_EQ(ask("GET", "/api/bodies/" + header["body"].get<std::string>()).status, 200);
  EXPECT_TRUE(ask("GET", "/api/clips/walk/thumbnail").body.starts_with("\x89PNG"));
  EXPECT_TRUE(ask("GET", "/api/clips/walk/file/glb").body.starts_with("glTF"));
  EXPECT_TRUE(ask("GET", "/api/clips/walk/file/bvh?from=5&to=20&mirror=1").body.starts_with("HIERARCHY"));
}

TEST_F(StudioRoutes, SaysWhatIsWrong) {
  EXPECT_EQ(ask("GET", "/api/nothing").status, 404);
  EXPECT_EQ(ask("DELETE", "/api/library").status, 405);
  EXPECT_EQ(ask("GET", "/api/clips/wlak/motion").status, 404);
  EXPECT_THAT(ask("GET", "/api/clips/wlak/motion").body, HasSubstr("walk"));
  EXPECT_EQ(ask("POST", "/api/clips/walk/labels", "no object").status, 400);
  EXPECT_EQ(ask("POST", "/api/clips/walk/labels", {{"add", {{"name", 3}}}}).status, 400);
  EXPECT_EQ(ask("POST", "/api/clips/walk/labels", {{"add", {{"name", "x"}, {"begin", 5}, {"end", 99999}}}}).status,
            400);
  EXPECT_EQ(ask("POST", "/api/clips/walk/derive", {{"as", 7}}).status, 400);
  const Response wrong = ask("POST", "/api/clips/walk/derive", {{"as", "x"}, {"from", "y"}});
  EXPECT_EQ(wrong.status, 400);
  EXPECT_THAT(wrong.body, HasSubstr("'from' must be a whole number"));
  EXPECT_EQ(ask("GET", "/api/made/99/file/bvh").status, 400);
  EXPECT_EQ(ask("GET", "/api/bodies/77").status, 404);
  EXPECT_EQ(ask("GET", "/api/transition?a=walk&b=walk&i=0&j=99999").status, 400);
  EXPECT_FALSE(studio_->place_for(*parse_target("PUT", "/api/uploads/a/b.exe"), 1));
  EXPECT_FALSE(studio_->place_for(*parse_target("PUT", "/api/uploads/a/..%2Fb.bvh"), 1));
  EXPECT_FALSE(studio_->place_for(*parse_target("PUT", "/api/clips/walk/b.bvh"), 1));
}

TEST_F(StudioRoutes, NamesTheFieldThatIsWrong) {
  const auto told = [&](const std::string& target, const json& body) {
    const Response response = ask("POST", target, body);
    EXPECT_EQ(response.status, 400) << target << body;
    return response.body;
  };
  EXPECT_THAT(told("/api/clips/walk/derive", {{"as", 7}}), HasSubstr("'as' must be a text"));
  EXPECT_THAT(told("/api/clips/walk/derive", {{"as", "x"}, {"from", -1}}), HasSubstr("'from' must be a whole number"));
  EXPECT_THAT(told("/api/clips/walk/derive", {{"as", "x"}, {"to", 1e300}}), HasSubstr("'to' must be a whole number"));
  EXPECT_THAT(told("/api/clips/walk/derive", {{"as", "x"}, {"mirror", 1}}),
              HasSubstr("'mirror' must be true or false"));
  EXPECT_THAT(told("/api/graphs", {{"name", "g"}, {"labels", "walk"}}), HasSubstr("'labels' must be a list of texts"));
  EXPECT_THAT(told("/api/graphs", {{"name", "g"}, {"labels", {1}}}), HasSubstr("'labels' must be a list of texts"));
  EXPECT_THAT(told("/api/graphs", {{"name", "g"}, {"connect", "all"}}), HasSubstr("'connect' must be a number"));
  EXPECT_THAT(told("/api/policies", {{"name", "p"}, {"traces", 1}}), HasSubstr("'traces' must be a list of texts"));
  EXPECT_THAT(told("/api/fights", {{"styles", 3}}), HasSubstr("'styles' must be a text"));
  EXPECT_THAT(told("/api/play", {{"characters", -3}}), HasSubstr("'characters' must be a whole number"));
}

TEST_F(StudioRoutes, MovesALabelInOneStep) {
  const json moved = ask_json("POST", "/api/clips/walk/labels",
                              {{"remove", {{"name", "walk"}, {"begin", 10}, {"end", 60}}},
                               {"add", {{"name", "stroll"}, {"begin", 12}, {"end", 50}}}});
  EXPECT_EQ(moved["labels"], json::parse(R"([{"name":"stroll","begin":12,"end":50}])"));
  // A change that fails half-way changes nothing.
  EXPECT_EQ(ask("POST", "/api/clips/walk/labels",
                {{"remove", {{"name", "stroll"}, {"begin", 12}, {"end", 50}}},
                 {"add", {{"name", "x"}, {"begin", 12}, {"end", 12}}}})
                .status,
            400);
  EXPECT_EQ(ask_json("GET", "/api/library")["clips"][1]["labels"].size(), 1U);
}

TEST_F(StudioRoutes, CutsMirrorsAndRemoves) {
  EXPECT_EQ(ask("POST", "/api/clips/walk/derive", {{"as", "piece"}, {"from", 10}, {"to", 40}, {"mirror", true}}).status,
            200);
  EXPECT_EQ(ask("POST", "/api/clips/walk/derive", {{"as", "piece"}, {"mirror", true}}).status, 400)
      << "the name is taken";
  EXPECT_EQ(header_of(ask("GET", "/api/clips/piece/motion").body)["frames"], 30);
  const std::string before = ask("GET", "/api/clips/piece/motion").body;
  EXPECT_EQ(ask("DELETE", "/api/clips/piece").status, 200);
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));  // so that it would be known for a newer one
  EXPECT_EQ(ask("GET", "/api/clips/piece/motion").status, 404);
  EXPECT_EQ(ask("POST", "/api/clips/piece/restore", json::object()).status, 200);
  EXPECT_EQ(ask("GET", "/api/clips/piece/motion").body, before) << "the clip is back, labels, provenance and all";
  EXPECT_EQ(ask("POST", "/api/clips/piece/restore", json::object()).status, 400) << "it was given back once";
}

TEST_F(StudioRoutes, ImportsADropAndTellsOfEachFile) {
  motion::Clip clip = testing::make_gait({}).clip;
  clip.name = "new";
  drop("d1", "new.bvh", *io::format_bvh(clip));
  drop("d1", "broken.bvh", "HIERARCHY\nROOT");
  drop("d1", "labels.csv", "file,label,from,to\nnew.bvh,stroll,0,20\n");
  EXPECT_EQ(ask("POST", "/api/imports", {{"batch", "d2"}}).status, 400) << "nothing was sent under that name";
  EXPECT_EQ(ask("POST", "/api/imports", {{"batch", "d1"}}).status, 200);
  const json job = finished_job();
  EXPECT_EQ(job["state"], "done") << job;
  EXPECT_EQ(job["result"]["clips"], json::parse(R"(["new"])"));
  ASSERT_EQ(job["result"]["failed"].size(), 1U);
  EXPECT_EQ(job["result"]["failed"][0]["files"], json::parse(R"(["broken.bvh"])"));
  EXPECT_EQ(header_of(ask("GET", "/api/clips/new/motion").body)["labels"][0]["name"], "stroll");
}

TEST_F(StudioRoutes, AskingTwiceTakesNothingAwayFromUnderAnImport) {
  std::atomic<bool> released = false;
  studio_->jobs().start("wait", "wait", [&](const Progress&) -> Result<json> {
    while (!released) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return json{};
  });
  motion::Clip clip = testing::make_gait({}).clip;
  clip.name = "sent";
  drop("drop", "sent.bvh", *io::format_bvh(clip));
  EXPECT_EQ(ask("POST", "/api/imports", {{"batch", "drop"}}).status, 200);
  EXPECT_EQ(ask("POST", "/api/imports", {{"batch", "drop"}, {"rate", -1}}).status, 400);
  released = true;
  const json job = finished_job();
  EXPECT_EQ(job["state"], "done") << job;
  EXPECT_EQ(job["result"]["clips"].size(), 1U) << job;
}

TEST_F(StudioRoutes, ABuildTellsWhichFaultyStretchesItLeftOut) {
  motion::Clip clip = testing::make_gait({}).clip;
  clip.name = "thrown";
  for (std::size_t f = 60; f < clip.frames(); ++f) clip.roots[f].x += 2;
  {
    auto library = library::Library::open(folder_.file("test.loom"), library::Access::kWrite);
    ASSERT_TRUE(library);
    ASSERT_TRUE(library->add_clip(clip));
  }
  EXPECT_EQ(ask("POST", "/api/graphs", {{"name", "g"}, {"connect", 0.5}}).status, 200);
  const json job = finished_job();
  ASSERT_EQ(job["state"], "done") << job;
  ASSERT_EQ(job["result"]["left_out"].size(), 1U) << job;
  EXPECT_EQ(job["result"]["left_out"][0]["clip"], "thrown");
  EXPECT_LE(job["result"]["left_out"][0]["from"].get<int>(), 60);
  EXPECT_GT(job["result"]["left_out"][0]["to"].get<int>(), 60);
}

TEST_F(StudioRoutes, BuildsAGraphPlaysItAndExplainsIt) {
  EXPECT_EQ(ask("POST", "/api/graphs", {{"name", "g"}, {"connect", 0.5}}).status, 200);
  const json job = finished_job();
  ASSERT_EQ(job["state"], "done") << job;
  EXPECT_TRUE(job["result"]["left_out"].empty()) << job;
  const json about = ask_json("GET", "/api/graphs/g");
  EXPECT_EQ(about["nodes"], job["result"]["nodes"]);
  EXPECT_GT(about["shares"].size(), 2U);
  EXPECT_TRUE(ask("GET", "/api/graphs/g/closure").body.starts_with("\x89PNG"));
  EXPECT_EQ(ask("GET", "/api/graphs/g/explain?from=walk&to=walk").status, 200);

  const Response made = ask("POST", "/api/graphs/g/follow", {{"points", {{0, 0}, {0, 4}}}});
  ASSERT_EQ(made.status, 200) << made.body;
  const std::string id = std::to_string(header_of(made.body)["made"].get<int>());
  EXPECT_EQ(ask("POST", "/api/made/" + id + "/keep", {{"as", "followed"}}).status, 200);
  EXPECT_EQ(ask("GET", "/api/clips/followed/motion").status, 200);
  EXPECT_EQ(ask("POST", "/api/graphs/g/follow", {{"points", {{0, 0}, {"x", 4}}}}).status, 400);
  EXPECT_EQ(ask("POST", "/api/graphs/g/follow", {{"points", {{0, 0}, {1e300, 4}}}}).status, 400);
  auto unwanted = *parse_target("POST", "/api/graphs/g/follow");
  unwanted.body = R"({"points":[[0,0],[0,30]]})";
  std::stop_source left;
  left.request_stop();
  unwanted.stopped = left.get_token();
  EXPECT_THAT(studio_->answer(unwanted).body, HasSubstr("stopped")) << "nobody waits for this path";
  std::filesystem::remove_all(folder_.file("cache"));  // or else nothing has to be measured
  for (const char* target : {"/api/graphs/g", "/api/graphs/g/walked"}) {
    auto measured = *parse_target(std::string(target).ends_with("walked") ? "POST" : "GET", target);
    measured.body = R"({"seed":3,"seconds":5})";
    measured.stopped = left.get_token();
    EXPECT_THAT(studio_->answer(measured).body, HasSubstr("stopped")) << target;
  }
  EXPECT_EQ(ask("POST", "/api/graphs/g/keys", {{"keys", {"walk@1"}}}).status, 200);

  const json scene = ask_json("POST", "/api/graphs/g/walk", {{"seed", 3}});
  const auto page = std::make_shared<FakePage>();
  studio_->opened(page);
  studio_->received(page, json{{"do", "join"}, {"scene", scene["scene"]}}.dump());
  studio_->received(page, json{{"do", "say"}, {"seq", 9}, {"speed", 2}}.dump());
  studio_->received(page, "no JSON");
  for (int i = 0; i < 500 && page->frame_count() < 8; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  studio_->closed(page);
  ASSERT_GE(page->frames.size(), 8U);
  std::uint32_t head[5];
  const std::string& last = page->frames.back();
  std::memcpy(head, last.data(), sizeof head);
  EXPECT_EQ(head[1], 9U) << "the frame tells which message it had heard";
  EXPECT_EQ(head[2], 1U) << "one character";
  EXPECT_EQ(head[3], 1U) << "one value";
  ASSERT_EQ(last.size(), 16 + 4 + 12 + 16 * head[4] + 12 + 4);

  // What was walked live is what is made anew: there the root is between the last two frames of it.
  float gone = 0;
  Vec3 live, ends[2];
  std::memcpy(&gone, last.data() + last.size() - 4, 4);
  std::memcpy(&live, last.data() + 20, sizeof live);
  const auto frames = static_cast<std::size_t>(gone) + 1;
  const json walk = {{"seed", 3}, {"seconds", gone / scene["rate"].get<float>()}};
  const Response walked = ask("POST", "/api/graphs/g/walked", walk);
  ASSERT_EQ(walked.status, 200) << walked.body;
  ASSERT_EQ(header_of(walked.body)["frames"], frames);
  std::uint32_t length = 0;
  std::memcpy(&length, walked.body.data(), 4);
  std::memcpy(ends, walked.body.data() + 4 + length + (frames - 2) * sizeof(Vec3), sizeof ends);
  EXPECT_LT(distance(live, ends[0]), distance(ends[0], ends[1]) + 0.01f);
  EXPECT_LT(distance(live, ends[1]), distance(ends[0], ends[1]) + 0.01f);
  for (const json& seconds : {json(0), json(601), json(-1)}) {
    EXPECT_EQ(ask("POST", "/api/graphs/g/walked", {{"seconds", seconds}}).status, 400) << seconds;
  }
  EXPECT_EQ(ask("DELETE", "/api/graphs/g").status, 200);
}

TEST_F(StudioRoutes, MeasuresOfAGraphAreKeptFromOneStudioToTheNext) {
  ask_json("POST", "/api/graphs", {{"name", "g"}, {"connect", 0.9}});
  ASSERT_EQ(finished_job()["state"], "done");
  const json first = ask_json("GET", "/api/graphs/g");
  ASSERT_TRUE(first.contains("shares"));
  const auto files = [&] {
    std::vector<std::filesystem::path> found;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.file("cache") + "/motionloom/measures")) {
      found.push_back(entry.path());
    }
    return found;
  };
  ASSERT_EQ(files().size(), 1U);

  // What is found there is told: it says something that no measuring would.
  json marked = first;
  marked["nodes"] = 123456;
  std::ofstream(files().front()) << marked.dump();
  const auto reopen = [&] {
    studio_.reset();
    auto opened = Studio::open(folder_.file("test.loom"));
    ASSERT_TRUE(opened);
    studio_ = std::move(*opened);
  };
  reopen();
  EXPECT_EQ(ask_json("GET", "/api/graphs/g")["nodes"], 123456) << "a new studio does not measure again";
  std::ofstream(files().front()) << "damaged";
  reopen();
  EXPECT_EQ(ask_json("GET", "/api/graphs/g"), first) << "what cannot be read is measured anew";
  std::ofstream(files().front()) << marked.dump();
  ASSERT_EQ(ask("POST", "/api/clips/walk/labels", {{"add", {{"name", "new"}, {"begin", 10}, {"end", 40}}}}).status,
            200);
  reopen();
  EXPECT_EQ(ask_json("GET", "/api/graphs/g")["nodes"], first["nodes"]) << "other labels are measured anew";
  EXPECT_EQ(files().size(), 2U);
}

TEST_F(StudioRoutes, APlayerFightsAndNonsenseIsNotHeard) {
  {
    auto library = library::Library::open(folder_.file("test.loom"), library::Access::kWrite);
    ASSERT_TRUE(library);
    for (const char* name : {"fight-stance-1", "fight-step-forward", "fight-step-back", "punch-left-1",
                             "kick-right-high", "lean-back", "slip-left"}) {
      ASSERT_TRUE(library->add_clip(sample::make_sample(name)->clip));
    }
  }
  EXPECT_EQ(ask_json("GET", "/api/fights")["ready"], false);
  ASSERT_EQ(ask("POST", "/api/fights/prepare", json::object()).status, 200);
  ASSERT_EQ(finished_job()["state"], "done") << finished_job();
  const json state = ask_json("GET", "/api/fights");
  EXPECT_EQ(state["ready"], true);
  EXPECT_EQ(state["styles"][1]["name"], "aggressive");
  EXPECT_FLOAT_EQ(state["styles"][1]["sliders"]["punch"].get<float>(), 0.9f);
  for (const json& wrong : {json{{"styles", "brave,shy"}},
                            {{"styles", "kick=2,kick=0"}},
                            {{"styles", "aggressive"}},
                            {{"styles", 3}},
                            {{"player", 2}},
                            {{"player", -1}},
                            {{"player", "me"}}}) {
    EXPECT_EQ(ask("POST", "/api/fights", wrong).status, 400) << wrong;
  }

  const json scene = ask_json("POST", "/api/fights", {{"styles", "kick=0.5,punch=0+kick=0+evade=0"}, {"player", 0}});
  ASSERT_TRUE(scene.contains("scene")) << scene;
  const auto page = std::make_shared<FakePage>();
  studio_->opened(page);
  studio_->received(page, json{{"do", "join"}, {"scene", scene["scene"]}}.dump());
  std::uint32_t seq = 0;
  for (const json& message : {json{{"move", 7}, {"act", "bite"}},
                              {{"move", json::array()}, {"act", nullptr}},
                              {{"speed", "fast"}},
                              {{"speed", 1e300}},
                              {{"styles", "brave,shy"}},
                              {{"styles", "kick=1"}},
                              {{"styles", "+,plain"}},
                              {{"styles", "kick=0.5,punch=0+kick=0"}},
                              {{"speed", 2}, {"move", "forward"}, {"act", "punch"}}}) {
    json said = message;
    said["do"] = "say";
    said["seq"] = ++seq;
    studio_->received(page, said.dump());
  }
  studio_->received(page, R"({"do": 5, "seq": 1})");
  studio_->received(page, R"({"do": "say", "seq": "x"})");
  const auto happened = [&] {
    const std::lock_guard lock(page->mutex);
    return std::any_of(page->texts.begin(), page->texts.end(),
                       [](const json& t) { return t.value("kind", "") == "attack"; });
  };
  for (int i = 0; i < 500 && !happened(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  studio_->closed(page);
  EXPECT_TRUE(happened());
  std::vector<json> wishes;
  for (const json& told : page->texts) {
    if (told["event"] == "wish") wishes.push_back(told);
    EXPECT_TRUE(told["event"] != "bout" || told["fighter"] == 0) << told;
  }
  ASSERT_EQ(wishes.size(), 3U) << "that it stands at first, and what made sense";
  EXPECT_EQ(wishes[0]["move"], "stay");
  EXPECT_EQ(wishes[1]["style"], "punch=0+kick=0");
  EXPECT_EQ(wishes[1]["fighter"], 1) << "of the other the style stays as it is";
  EXPECT_EQ(wishes[2]["move"], "forward");
  EXPECT_EQ(wishes[2]["act"], "punch");
  EXPECT_EQ(wishes[2]["scene"], scene["scene"]);
}

TEST_F(StudioRoutes, ComparesTwoClips) {
  const Response matrix = ask("GET", "/api/matrix?a=walk&b=run%20%2F%202");
  ASSERT_EQ(matrix.status, 200);
  const json header = header_of(matrix.body);
  const json best = header["minima"][0];
  const Response way =
      ask("GET", "/api/transition?a=walk&b=run%20%2F%202&i=" + best[0].dump() + "&j=" + best[1].dump());
  ASSERT_EQ(way.status, 200) << way.body;
  EXPECT_NEAR(header_of(way.body)["distance"].get<double>(), best[2].get<double>(), 1e-6);
}

TEST_F(StudioRoutes, WarpsThroughPinsAndRefusesNonsense) {
  const std::string pair = "a=walk&b=run%20%2F%202";
  const json header = header_of(ask("GET", "/api/align?" + pair).body);
  ASSERT_EQ(header["frames"], json::parse("[121,121]"));
  const json free = ask_json("GET", "/api/warp?" + pair),
             held = ask_json("GET", "/api/warp?" + pair + "&pins=40:52,80:75");
  EXPECT_EQ(free["cells"].front(), json::parse("[0,0]"));
  for (const char* pin : {"[40,52]", "[80,75]"}) {
    EXPECT_NE(std::find(held["cells"].begin(), held["cells"].end(), json::parse(pin)), held["cells"].end()) << pin;
  }
  EXPECT_GT(held["cost"], free["cost"]);
  EXPECT_EQ(ask("GET", "/api/retimed?" + pair + "&pins=40:52").status, 200);

  const auto refused = [&](const std::string& more) {
    return ask_json("GET", "/api/warp?" + pair + more).contains("refused");
  };
  for (const char* more :
       {"&pins=40:119", "&pins=9999:3", "&pins=50:50,40:60", "&from=500:0", "&from=60:60&to=50:50"}) {
    EXPECT_TRUE(refused(more)) << more;
  }
  std::string many = "1:1";
  for (int i = 0; i < 200; ++i) many += ",1:1";
  for (const std::string& more : {std::string("&pins=nan:3"), std::string("&pins=-1:3"), std::string("&pins=,"),
                                  "&pins=" + many, std::string("&from=x")}) {
    EXPECT_EQ(ask("GET", "/api/warp?" + pair + more).status, 400) << more;
    EXPECT_EQ(ask("GET", "/api/retimed?" + pair + more).status, 400) << more;
  }
  EXPECT_EQ(ask("GET", "/api/align?a=walk&b=nobody").status, 404);
  EXPECT_EQ(ask("GET", "/api/transition?" + pair + "&i=nan&j=3").status, 400);
  EXPECT_EQ(ask("GET", "/api/transition?" + pair + "&i=-40&j=40").status, 400);
}

TEST_F(StudioRoutes, AStrokeMarkedInBothClipsHoldsTheWarp) {
  const std::string pair = "/api/warp?a=walk&b=run%20%2F%202";
  const auto mark = [&](const char* clip, int frame) {
    return ask("POST", std::string("/api/clips/") + clip + "/labels",
               {{"add", {{"name", "stroke"}, {"begin", frame}, {"end", frame + 1}}}})
        .status;
  };
  EXPECT_EQ(mark("walk", 50), 200);
  EXPECT_TRUE(ask_json("GET", pair)["strokes"].empty()) << "one clip has none";
  EXPECT_EQ(mark("run%20%2F%202", 62), 200);
  EXPECT_EQ(ask_json("GET", pair)["strokes"], json::parse("[[50,62]]"));
  EXPECT_TRUE(ask_json("GET", pair + "&strokes=0")["strokes"].empty());
}

TEST_F(StudioRoutes, WorkThatIsCancelledChangesNothing) {
  const auto before = studio_->jobs().start("test", "waits", [](const Progress& progress) -> Result<json> {
    for (double share = 0; progress.report(share, "waiting"); share += 0.001)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return fail_as(ErrorKind::kStopped, "stopped");
  });
  EXPECT_EQ(ask("POST", "/api/graphs", {{"name", "never"}}).status, 200);
  EXPECT_EQ(ask("DELETE", "/api/jobs/" + std::to_string(before + 1)).status, 200) << "still waiting for its turn";
  EXPECT_EQ(ask("DELETE", "/api/jobs/" + std::to_string(before)).status, 200);
  for (int i = 0; i < 500 && studio_->jobs().list()[0]["state"] == "running"; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  for (const json& job : studio_->jobs().list()) EXPECT_EQ(job["state"], "cancelled");
  EXPECT_EQ(ask("DELETE", "/api/jobs/" + std::to_string(before)).status, 400);
  EXPECT_TRUE(ask_json("GET", "/api/library")["graphs"].empty());
}

/// The numbers a frame begins with: its own, and that of the message it answers.
std::pair<std::uint32_t, std::uint32_t> numbers_of(const std::string& frame) {
  std::uint32_t numbers[2];
  std::memcpy(numbers, frame.data(), sizeof numbers);
  return {numbers[0], numbers[1]};
}

TEST_F(StudioRoutes, AnswersAPlayerWhateverElseIsSaid) {
  const json scene = ask_json("POST", "/api/play", {{"root", "motion"}});
  ASSERT_TRUE(scene.contains("scene")) << scene.dump();
  EXPECT_EQ(scene["command"][0], "match");
  EXPECT_THAT(scene["command"].dump(), HasSubstr("--rate=240")) << "the command makes as many poses as the page shows";
  EXPECT_THAT(ask("POST", "/api/play", {{"root", "sky"}}).body, HasSubstr("motion, between or control"));
  const auto page = std::make_shared<FakePage>();
  const auto say = [&](const json& message) { studio_->received(page, message.dump()); };
  studio_->opened(page);
  say({{"do", 5}});
  say({{"do", "join"}, {"scene", "one"}});
  say({{"do", "join"}, {"scene", scene["scene"]}});
  say({{"do", "say"}, {"seq", 1}, {"forward", "fast"}, {"jump", 7}});
  say({{"do", "say"}, {"seq", -1}, {"forward", 1.2}});
  say({{"do", "say"}, {"seq", 2}, {"forward", 1e30}, {"left", nullptr}});
  say({{"do", "say"}, {"seq", 3}, {"forward", 1.2}, {"turn", 0.5}});
  studio_->received(page, "[");
  std::uint32_t answered = 0;
  for (int i = 0; i < 300 && answered < 3; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    const std::lock_guard lock(page->mutex);
    if (!page->frames.empty()) answered = numbers_of(page->frames.back()).second;
  }
  EXPECT_EQ(answered, 3U);
  studio_->closed(page);
}

TEST_F(StudioRoutes, OfSeveralBodiesTheOneWithMostMotionIsPlayed) {
  {
    auto library = library::Library::open(folder_.file("test.loom"), library::Access::kWrite);
    ASSERT_TRUE(library);
    sample::SampleClip other = *sample::make_sample("walk-slow");
    other.clip.labels = {{"walk", 0, other.clip.frames()}};
    ASSERT_TRUE(library->add_clip(other.clip));
  }
  const json clips = ask_json("GET", "/api/library")["clips"];
  std::map<std::string, json> bodies;
  for (const json& clip : clips) bodies[clip["name"]] = clip["skeleton"];
  ASSERT_NE(bodies["walk"], bodies["walk-slow"]);
  const json scene = ask_json("POST", "/api/play", json::object());
  EXPECT_EQ(scene["clips"].size(), 2U) << scene;
  EXPECT_THAT(scene["command"].dump(), HasSubstr("--body=" + bodies["walk"].dump()));
  EXPECT_TRUE(ask_json("POST", "/api/play", {{"at_once", 0}}).contains("scene"));
  for (const char* name : {"walk", "walk-slow"}) {
    ASSERT_EQ(ask("POST", "/api/graphs", {{"name", name}, {"body", bodies[name].dump()}}).status, 200);
    EXPECT_EQ(finished_job()["state"], "done") << finished_job();
  }
}

TEST_F(StudioRoutes, SomethingMovesBeforeAllMotionIsMeasured) {
  EXPECT_FALSE(ask_json("POST", "/api/play", json::object()).contains("part")) << "so little is measured at once";
  const json label = {{"name", "walk"}, {"begin", 0}, {"end", 5}};
  ASSERT_EQ(ask("POST", "/api/clips/walk/labels", {{"add", label}}).status, 200) << "all is to be measured anew";
  const json scene = ask_json("POST", "/api/play", {{"at_once", 0}, {"characters", 2}});
  EXPECT_EQ(scene["part"], (json{{"clips", 1}, {"of", 2}})) << scene.dump();
  EXPECT_EQ(scene["clips"].size(), 1U);
  const auto page = std::make_shared<FakePage>();
  studio_->opened(page);
  studio_->received(page, json{{"do", "join"}, {"scene", scene["scene"]}}.dump());
  EXPECT_EQ(finished_job()["result"]["clips"], 2);
  json whole;
  for (int i = 0; i < 3000 && whole.is_null(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    const std::lock_guard lock(page->mutex);
    for (const json& text : page->texts) {
      if (text["event"] == "whole") whole = text;
    }
  }
  EXPECT_EQ(whole["clips"].size(), 2U) << "then it plays with all of it";
  EXPECT_FALSE(ask_json("POST", "/api/play", {{"at_once", 0}}).contains("part"))
      << "and whoever begins now does so at once";
  studio_->closed(page);
}

TEST_F(StudioRoutes, APageThatTellsWhatItHasSeenIsNotSentMuchMore) {
  const json scene = ask_json("POST", "/api/play", json::object());
  ASSERT_TRUE(scene.contains("scene")) << scene.dump();
  const auto page = std::make_shared<FakePage>();
  studio_->opened(page);
  studio_->received(page, json{{"do", "join"}, {"scene", scene["scene"]}}.dump());
  const auto wait_for = [&](std::size_t frames) {
    for (int i = 0; i < 500 && page->frame_count() < frames; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return page->frame_count();
  };
  ASSERT_GE(wait_for(5), 5U);
  std::uint32_t last = 0;
  {
    const std::lock_guard lock(page->mutex);
    last = numbers_of(page->frames.back()).first;
  }
  studio_->received(page, json{{"do", "seen"}, {"frame", last}}.dump());
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  const std::size_t held = page->frame_count();
  {
    const std::lock_guard lock(page->mutex);
    EXPECT_LE(numbers_of(page->frames.back()).first, last + 6) << "a few may have been on the way";
    last = numbers_of(page->frames.back()).first;
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_EQ(page->frame_count(), held) << "it says nothing, and gets nothing";
  studio_->received(page, json{{"do", "seen"}, {"frame", last}}.dump());
  EXPECT_GT(wait_for(held + 1), held);
  studio_->closed(page);
}

TEST_F(StudioRoutes, KeepsWhatWasPlayedAndTrainsOnIt) {
  const std::string csv = "# name: studio\ntime,left,forward,turn,airborne\n0,0,0,0,0\n1,0,1.2,0,0\n9,0,0,0,0\n";
  EXPECT_EQ(ask_json("POST", "/api/traces", {{"name", "mine"}, {"csv", csv}})["name"], "mine");
  EXPECT_EQ(ask_json("POST", "/api/traces", {{"name", "mine"}, {"csv", csv}})["name"], "mine-2");
  EXPECT_EQ(
      ask_json("POST", "/api/traces", {{"name", "mine"}, {"csv", csv + "12,0,0,0,0\n"}, {"again", "mine-2"}})["name"],
      "mine-2");
  EXPECT_EQ(ask("POST", "/api/traces", {{"name", "bad"}, {"csv", "hello"}}).status, 400);
  json known = ask_json("GET", "/api/policies");
  ASSERT_EQ(known["traces"].size(), 2U);
  EXPECT_EQ(known["traces"][0]["seconds"], 9.0);
  EXPECT_EQ(known["traces"][1]["seconds"], 12.0) << "the play went on";
  EXPECT_EQ(ask("DELETE", "/api/traces/mine-2").status, 200);
  EXPECT_EQ(ask("POST", "/api/policies", {{"name", "p"}, {"traces", {"mine-2"}}}).status, 404);
  ASSERT_TRUE(ask_json("POST", "/api/policies", {{"name", "p"}, {"traces", {"mine"}}}).contains("job"));
  const json job = finished_job();
  EXPECT_EQ(job["state"], "done") << job.dump();
  known = ask_json("GET", "/api/policies");
  EXPECT_EQ(known["policies"], json::array({"p"}));
  EXPECT_TRUE(ask_json("POST", "/api/play", {{"policy", "p"}, {"characters", 3}}).contains("scene"));
}

}  // namespace
}  // namespace loom::studio
