// SPDX-License-Identifier: MIT
#pragma once

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "apps/studio/studio.h"
#include "tests/make_walk.h"
#include "tests/temporary_folder.h"

namespace loom::studio {

using nlohmann::json;

/// Keeps what is sent to a page.
class FakePage final : public Connection {
 public:
  void send_text(std::string message) override {
    const std::lock_guard lock(mutex);
    texts.push_back(json::parse(message));
  }
  void send_frame(std::shared_ptr<const std::string> frame) override {
    const std::lock_guard lock(mutex);
    frames.push_back(*frame);
  }
  std::size_t frame_count() {
    const std::lock_guard lock(mutex);
    return frames.size();
  }

  std::mutex mutex;
  std::vector<json> texts;
  std::vector<std::string> frames;
};

/// A studio on a library of two clips, asked without a server.
class StudioRoutes : public ::testing::Test {
 protected:
  void SetUp() override {
    ::setenv("XDG_CACHE_HOME", folder_.file("cache").c_str(), 1);
    const std::string path = folder_.file("test.loom");
    {
      auto library = library::Library::open_or_create(path);
      ASSERT_TRUE(library);
      testing::Gait gait;
      for (const char* name : {"walk", "run / 2"}) {
        motion::Clip clip = testing::make_gait(gait).clip;
        clip.name = name;
        clip.labels = {{"walk", 10, 60}};
        ASSERT_TRUE(library->add_clip(clip));
        gait.speed = 2.4;
        gait.cycle = 0.8;
      }
    }
    auto opened = Studio::open(path);
    ASSERT_TRUE(opened) << opened.error().to_string();
    studio_ = std::move(*opened);
  }

  Response ask(const std::string& method, const std::string& target, const json& body = {}) {
    auto request = parse_target(method, target);
    EXPECT_TRUE(request);
    request->body = body.is_null() ? "" : body.dump();
    return studio_->answer(*request);
  }
  json ask_json(const std::string& method, const std::string& target, const json& body = {}) {
    return json::parse(ask(method, target, body).body, nullptr, false);
  }
  /// Waits for the only job, and gives it.
  json finished_job() {
    for (int i = 0; i < 12000; ++i) {
      const json job = studio_->jobs().list().back();
      if (job["state"] != "waiting" && job["state"] != "running") return job;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return {};
  }
  void drop(const std::string& batch, const std::string& name, const std::string& bytes) {
    const auto place = studio_->place_for(*parse_target("PUT", "/api/uploads/" + batch + "/" + name), bytes.size());
    ASSERT_TRUE(place) << place.error().why;
    std::ofstream(*place) << bytes;
  }

  testing::TemporaryFolder folder_;
  std::unique_ptr<Studio> studio_;
};

inline json header_of(const std::string& packed) {
  std::uint32_t length = 0;
  std::memcpy(&length, packed.data(), sizeof length);
  return json::parse(packed.substr(4, length));
}

}  // namespace loom::studio
