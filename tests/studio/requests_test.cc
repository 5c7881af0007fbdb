// SPDX-License-Identifier: MIT
// Thousands of requests that no page sends: none ends the studio, none is answered as if the studio were at fault, and
// the library is sound afterwards.
#include <fstream>

#include <gmock/gmock.h>

#include "apps/studio/studio.h"
#include "tests/make_walk.h"
#include "tests/studio/random_requests.h"
#include "tests/temporary_folder.h"

namespace loom::studio {
namespace {

using nlohmann::json;

/// A page that takes whatever it is sent.
class SilentPage final : public Connection {
 public:
  void send_text(std::string message) override { EXPECT_FALSE(json::parse(message, nullptr, false).is_discarded()); }
  void send_frame(std::shared_ptr<const std::string>) override {}
};

class RandomlyAsked : public ::testing::Test {
 protected:
  void SetUp() override {
    auto library = library::Library::open_or_create(path_);
    ASSERT_TRUE(library);
    ASSERT_TRUE(library->put_artefact({"graph", "deep", 1, std::string(100'000, '['), "", {}, 0}, {}));
    replenish();
    auto opened = Studio::open(path_);
    ASSERT_TRUE(opened) << opened.error().to_string();
    studio_ = std::move(*opened);
  }

  /// Brings back what was asked to be removed.
  void replenish() {
    auto library = library::Library::open(path_, library::Access::kWrite);
    ASSERT_TRUE(library);
    testing::Gait gait;
    for (const char* name : {"walk", "run / 2"}) {
      motion::Clip clip = testing::make_gait(gait).clip;
      clip.name = name;
      clip.labels = {{"walk", 10, 60}};
      if (!*library->has_clip(name)) {
        ASSERT_TRUE(library->add_clip(clip));
      }
      gait.speed = 2.4;
      gait.cycle = 0.8;
    }
  }

  void cancel_jobs() {
    for (const json& job : studio_->jobs().list()) studio_->jobs().cancel(job["id"].get<std::uint64_t>());
  }

  /// Builds a graph and a family, and waits for them.
  void build() {
    for (const auto& [target, body] : {std::pair("/api/families", R"({"name":"f","label":"walk"})"),
                                       std::pair("/api/graphs", R"({"name":"g","connect":0.5})")}) {
      auto request = parse_target("POST", target);
      request->body = body;
      ASSERT_EQ(studio_->answer(*request).status, 200);
    }
    const auto state = [&] { return studio_->jobs().list().back()["state"].get<std::string>(); };
    while (state() == "waiting" || state() == "running") std::this_thread::sleep_for(std::chrono::milliseconds(10));
    ASSERT_EQ(state(), "done") << studio_->jobs().list().back();
  }

  /// As the server does it: an upload is placed, and then kept or dropped.
  void place(Request& request) {
    const auto placed = studio_->place_for(request, request.body.size());
    if (!placed) {
      EXPECT_TRUE(placed.error().status == 400 || placed.error().status == 413) << placed.error().why;
      return;
    }
    request.upload = *placed;
    std::ofstream(request.upload, std::ios::binary) << request.body;
    if (request.body.size() % 2 == 0) studio_->drop_upload(request);
  }

  testing::TemporaryFolder folder_;
  const std::string path_ = folder_.file("test.loom");
  std::unique_ptr<Studio> studio_;
};

TEST_F(RandomlyAsked, EveryAddressStandsAnything) {
  testing::RandomRequests requests(20'07);
  std::map<int, int> answers;
  std::string last;
  const auto page = std::make_shared<SilentPage>();
  studio_->opened(page);
  for (int i = 0; i < 4000; ++i) {
    if (i % 100 == 0) replenish();
    if (i % 500 == 0) build();
    auto request = requests.next();
    if (!request) continue;
    if (request->method == "PUT") place(*request);
    const Response response = studio_->answer(*request);
    ++answers[response.status];
    last.clear();
    for (const std::string& part : request->path) last += "/" + part.substr(0, 40);
    EXPECT_TRUE(response.status == 200 || response.status == 400 || response.status == 404 || response.status == 405 ||
                response.status == 413)
        << request->method << " " << last << " " << request->body.substr(0, 300) << " is answered " << response.status
        << " " << response.body.substr(0, 300);
    if (response.type == "application/json") {
      EXPECT_FALSE(json::parse(response.body, nullptr, false).is_discarded()) << last;
    }
    studio_->received(page, requests.message(3));
    cancel_jobs();
  }
  studio_->closed(page);
  EXPECT_GT(answers[200], 150) << "some of it makes sense";
  EXPECT_GT(answers[400], 300);
  EXPECT_GT(answers[405], 300);
  studio_.reset();
  const auto library = library::Library::open(path_);
  ASSERT_TRUE(library);
  EXPECT_TRUE(library->verify());
}

}  // namespace
}  // namespace loom::studio
