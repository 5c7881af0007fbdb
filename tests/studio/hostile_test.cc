// SPDX-License-Identifier: MIT
// What a hostile library, a broken scene, another process or a hostile request may do to the studio: nothing.
#include <atomic>
#include <filesystem>

#include <gmock/gmock.h>
#include <sqlite3.h>

#include "tests/studio/opened_studio.h"

namespace loom::studio {
namespace {

using ::testing::HasSubstr;

using HostileWorld = StudioRoutes;

/// Runs SQL on a library behind the back of everyone.
void tamper(const std::string& path, const char* sql) {
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(database, sql, nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(database);
  sqlite3_close(database);
}

TEST_F(HostileWorld, DeeplyNestedJsonHarmsNobody) {
  const std::string path = folder_.file("test.loom");
  const char* deep = "replace(hex(zeroblob(50000)), '0', '[')";  // 100,000 brackets
  tamper(path, (std::string("UPDATE provenance SET options = ") + deep).c_str());
  tamper(path, (std::string("INSERT INTO artefacts(kind, name, version, parameters, input_hash, created, data) "
                            "VALUES('graph', 'g', 1, ") +
                deep + ", '', '', x''), ('trace', 't', 1, " + deep + ", '', '', x'')")
                   .c_str());
  const json state = ask_json("GET", "/api/library");
  ASSERT_EQ(state["graphs"].size(), 1U);
  EXPECT_TRUE(state["graphs"][0]["parameters"].is_null());
  EXPECT_TRUE(header_of(ask("GET", "/api/clips/walk/motion").body)["made_by"].is_null());
  EXPECT_EQ(ask("GET", "/api/policies").status, 200);
  auto request = *parse_target("POST", "/api/graphs/g/walk");
  for (const std::string& body : {std::string(100'000, '['), R"({"path":)" + std::string(100'000, '[')}) {
    request.body = body;
    EXPECT_EQ(studio_->answer(request).status, 400);
    studio_->received(std::make_shared<FakePage>(), body);
  }
}

TEST_F(HostileWorld, ANameThatIsNoUtf8IsPlayedLikeAnyOther) {
  ASSERT_EQ(ask("DELETE", "/api/clips/run%20%2F%202").status, 200);
  tamper(folder_.file("test.loom"), "UPDATE clips SET name = CAST(x'77616cff' AS TEXT)");
  tamper(folder_.file("test.loom"), "UPDATE labels SET name = CAST(x'77ff' AS TEXT)");
  EXPECT_EQ(ask_json("GET", "/api/library")["clips"].size(), 1U);
  ASSERT_EQ(ask("POST", "/api/graphs", {{"name", "g"}, {"connect", 0.3}}).status, 200);
  ASSERT_EQ(finished_job()["state"], "done") << finished_job();
  const json scene = ask_json("POST", "/api/graphs/g/walk", {{"seed", 3}});
  const auto page = std::make_shared<FakePage>();
  studio_->opened(page);
  studio_->received(page, json{{"do", "join"}, {"scene", scene["scene"]}}.dump());
  for (int i = 0; i < 500 && page->frame_count() < 3; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  studio_->closed(page);
  EXPECT_GE(page->frame_count(), 3U);
  const std::lock_guard lock(page->mutex);
  const auto is_piece = [](const json& told) { return told["event"] == "piece"; };
  const auto piece = std::find_if(page->texts.begin(), page->texts.end(), is_piece);
  ASSERT_NE(piece, page->texts.end());
  EXPECT_EQ((*piece)["clip"], "wal\xEF\xBF\xBD");
}

TEST_F(HostileWorld, OneDamagedClipHidesNoOther) {
  const json build = {{"name", "g"}, {"connect", 0.3}};
  ASSERT_EQ(ask("DELETE", "/api/clips/run%20%2F%202").status, 200);
  ASSERT_EQ(ask("POST", "/api/graphs", build).status, 200);
  ASSERT_EQ(finished_job()["state"], "done") << finished_job();
  ASSERT_EQ(ask("POST", "/api/clips/run%20%2F%202/restore", json::object()).status, 200);
  tamper(folder_.file("test.loom"), "UPDATE clips SET frames = -5 WHERE name = 'run / 2'");
  const json state = ask_json("GET", "/api/library");
  ASSERT_EQ(state["clips"].size(), 1U) << state;
  EXPECT_EQ(state["clips"][0]["name"], "walk");
  ASSERT_EQ(state["damaged"].size(), 1U);
  EXPECT_EQ(state["damaged"][0]["name"], "run / 2");
  EXPECT_THAT(state["damaged"][0]["error"], HasSubstr("damaged"));
  EXPECT_EQ(ask("GET", "/api/graphs/g").status, 200);
  EXPECT_EQ(ask("POST", "/api/graphs/g/walk", {{"seed", 3}}).status, 200) << "a graph of the others plays";
  tamper(folder_.file("test.loom"), "UPDATE clips SET frames = -5 WHERE name = 'walk'");
  EXPECT_EQ(ask("GET", "/api/graphs/g").status, 200) << "telling of a graph takes no motion";
  EXPECT_THAT(ask("POST", "/api/graphs/g/walk", {{"seed", 3}}).body, HasSubstr("damaged"));
}

/// A scene that breaks on the second frame.
class BrokenScene final : public Scene {
 public:
  [[nodiscard]] std::vector<std::shared_ptr<const motion::Skeleton>> bodies() const override { return {}; }
  [[nodiscard]] json describe() const override { return json::object(); }
  void hear(const json&) override {}
  bool step(double, SceneFrame&) override {
    if (++steps_ > 1) throw std::bad_alloc();
    return true;
  }
  std::vector<json> news() override { return {}; }

 private:
  int steps_ = 0;
};

TEST_F(HostileWorld, ASceneThatBreaksEndsAlone) {
  const auto broken = studio_->stage().add(std::make_unique<BrokenScene>());
  const json sound = ask_json("POST", "/api/play", json::object());
  const auto sad = std::make_shared<FakePage>(), glad = std::make_shared<FakePage>();
  for (const auto& [page, scene] : {std::pair(sad, json(broken)), std::pair(glad, sound["scene"])}) {
    studio_->opened(page);
    studio_->received(page, json{{"do", "join"}, {"scene", scene}}.dump());
  }
  const auto is_told = [&] {
    const std::lock_guard lock(sad->mutex);
    return std::any_of(sad->texts.begin(), sad->texts.end(), [](const json& t) { return t["event"] == "over"; });
  };
  for (int i = 0; i < 500 && !is_told(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_TRUE(is_told());
  const std::size_t before = glad->frame_count();
  for (int i = 0; i < 500 && glad->frame_count() <= before + 3; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_GT(glad->frame_count(), before + 3) << "the other goes on";
  studio_->closed(sad);
  studio_->closed(glad);
}

TEST_F(HostileWorld, AFileInThePlaceOfTheLibraryIsNoticed) {
  {
    auto other = library::Library::open_or_create(folder_.file("other.loom"));
    ASSERT_TRUE(other);
    motion::Clip clip = testing::make_gait({}).clip;
    clip.name = "walk";
    ASSERT_TRUE(other->add_clip(clip));
  }
  const auto page = std::make_shared<FakePage>();
  studio_->opened(page);
  EXPECT_EQ(ask("POST", "/api/clips/walk/labels", {{"add", {{"name", "x"}, {"begin", 5}, {"end", 9}}}}).status, 200);
  EXPECT_FALSE(std::filesystem::exists(folder_.file("test.loom-wal"))) << "nothing of the old file is left beside it";
  std::filesystem::rename(folder_.file("other.loom"), folder_.file("test.loom"));
  EXPECT_EQ(ask("GET", "/api/clips/walk/motion").status, 200) << "who reads it answers for nobody who writes";
  const Response refused = ask("DELETE", "/api/clips/walk");
  EXPECT_EQ(refused.status, 400);
  EXPECT_THAT(refused.body, HasSubstr("another file was put in the place"));
  EXPECT_EQ(page->texts.back()["replaced"], true);
  const json state = ask_json("GET", "/api/library");
  ASSERT_EQ(state["clips"].size(), 1U) << "what is there now";
  EXPECT_TRUE(state["clips"][0]["labels"].empty());
  EXPECT_EQ(ask("POST", "/api/clips/walk/labels", {{"add", {{"name", "x"}, {"begin", 5}, {"end", 9}}}}).status, 200)
      << "who has seen it may change it";
  std::filesystem::remove(folder_.file("test.loom"));
  EXPECT_THAT(ask("DELETE", "/api/clips/walk").body, HasSubstr("there is no such file"));
  EXPECT_EQ(ask("GET", "/api/library").status, 404);
  EXPECT_FALSE(std::filesystem::exists(folder_.file("test.loom"))) << "and nobody makes one";
}

TEST_F(HostileWorld, WhatBecomesOfTheFileIsToldToPagesThatAskForNothing) {
  const std::string path = folder_.file("test.loom"), away = folder_.file("away.loom");
  const auto page = std::make_shared<FakePage>();
  studio_->opened(page);
  const auto told = [&] {
    page->texts.clear();
    studio_->look_around();
    json all = json::array();
    for (json event : page->texts) {
      EXPECT_EQ(event["event"], "library");
      event.erase("event");
      all.push_back(std::move(event));
    }
    return all;
  };
  const json nothing = json::array(), gone = {{{"gone", true}}}, look = {{{"look", true}}},
             other = {{{"replaced", true}}};
  EXPECT_EQ(told(), nothing);
  EXPECT_EQ(ask("GET", "/api/library").status, 200);
  EXPECT_EQ(told(), nothing) << "who reads changes nothing";
  {
    auto library = library::Library::open(path, library::Access::kWrite);  // as a command does
    ASSERT_TRUE(library);
    ASSERT_TRUE(library->remove_clip("run / 2"));
  }
  EXPECT_EQ(told(), look);
  EXPECT_EQ(told(), nothing) << "once";
  std::filesystem::rename(path, away);
  EXPECT_EQ(told(), gone);
  EXPECT_EQ(told(), nothing);
  const auto late = std::make_shared<FakePage>();
  studio_->opened(late);
  EXPECT_EQ(late->texts.front()["gone"], true) << "who comes now learns it at once";
  studio_->closed(late);
  std::filesystem::rename(away, path);
  EXPECT_EQ(told(), look) << "the same file is back";
  EXPECT_EQ(ask("DELETE", "/api/clips/walk").status, 200) << "so what is asked of it is done";
  EXPECT_EQ(told(), look);
  std::filesystem::copy_file(path, away);
  std::filesystem::rename(away, path);
  EXPECT_EQ(told(), other);
  EXPECT_EQ(told(), nothing);
  std::filesystem::copy_file(path, away);
  std::filesystem::remove(path);
  EXPECT_EQ(told(), gone);
  std::filesystem::rename(away, path);
  EXPECT_EQ(told(), other) << "another, whatever number it has on the disk";
  studio_->closed(page);
}

TEST_F(HostileWorld, AJobIsDoneToTheLibraryItWasMeantFor) {
  const std::string path = folder_.file("test.loom");
  const auto replace = [&] {
    std::filesystem::copy_file(path, folder_.file("copy.loom"));
    std::filesystem::rename(folder_.file("copy.loom"), path);
  };
  const json build = {{"name", "g"}, {"connect", 0.3}};
  replace();
  const Response refused = ask("POST", "/api/graphs", build);
  EXPECT_EQ(refused.status, 400);
  EXPECT_THAT(refused.body, HasSubstr("another file was put in the place"));
  std::atomic<bool> released = false;
  studio_->jobs().start("wait", "wait", [&](const Progress&) -> Result<json> {
    while (!released) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return json{};
  });
  ASSERT_EQ(ask("POST", "/api/graphs", build).status, 200) << "who has been told may";
  replace();
  EXPECT_EQ(ask("DELETE", "/api/clips/walk").status, 400) << "this one is told";
  released = true;
  EXPECT_THAT(finished_job()["error"], HasSubstr("another file was put in the place")) << finished_job();
  EXPECT_TRUE(ask_json("GET", "/api/library")["graphs"].empty());
}

TEST_F(HostileWorld, WhoWaitsForAnotherWriterHoldsUpNoReader) {
  auto writer = library::Library::open(folder_.file("test.loom"), library::Access::kWrite);
  ASSERT_TRUE(writer);
  ASSERT_TRUE(writer->transact([&]() -> Result<void> {
    std::stop_source stop;
    std::atomic<int> status = 0;
    std::thread editor([&] {
      auto request = *parse_target("POST", "/api/clips/walk/labels");
      request.body = R"({"add":{"name":"x","begin":5,"end":9}})";
      request.stopped = stop.get_token();
      status = studio_->answer(request).status;
    });
    for (int i = 0; i < 5; ++i) EXPECT_EQ(ask("GET", "/api/clips/walk/motion").status, 200);
    EXPECT_EQ(status, 0) << "it still waits";
    stop.request_stop();
    editor.join();
    EXPECT_EQ(status, 409) << "it was stopped";
    return {};
  }));
  EXPECT_EQ(studio_->lane_of(*parse_target("POST", "/api/clips/walk/labels")), Lane::kChange);
  EXPECT_EQ(studio_->lane_of(*parse_target("POST", "/api/graphs/g/follow")), Lane::kLong);
  EXPECT_EQ(studio_->lane_of(*parse_target("GET", "/api/clips/walk/motion")), Lane::kQuick);
}

}  // namespace
}  // namespace loom::studio
