// SPDX-License-Identifier: MIT
#include "studio/studio.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "studio/pack.h"

namespace loom::studio {

using nlohmann::json;

Result<std::unique_ptr<Studio>> Studio::open(const std::string& path) {
  auto project = Project::open(path);
  if (!project) return fail_from(project);
  auto uploads = Uploads::create();
  if (!uploads) return fail_from(uploads);
  return std::unique_ptr<Studio>(new Studio(std::move(*project), std::move(*uploads)));
}

Studio::Studio(std::unique_ptr<Project> project, Uploads uploads)
    : project_(std::move(project)), uploads_(std::move(uploads)), jobs_([this](const json& job) {
        broadcast({{"event", "job"}, {"job", job}});
      }) {
  add_page_routes(router_);
  add_clip_routes(router_, *this);
  add_edit_routes(router_, *this);
  add_job_routes(router_, *this);
  add_graph_routes(router_, *this);
  add_graph_play_routes(router_, *this);
  add_compare_routes(router_, *this);
  add_blend_routes(router_, *this);
  add_play_routes(router_, *this);
  add_fight_routes(router_, *this);
}

/// As text to be sent. Names come from files and need not be valid UTF-8; a bad byte is replaced rather than thrown
/// over.
static std::string written(const json& event) { return event.dump(-1, ' ', false, json::error_handler_t::replace); }

Result<std::string> Studio::place_for(const Request& request) {
  const auto& path = request.path;
  if (path.size() != 4 || path[0] != "api" || path[1] != "uploads") return fail("nothing can be put here");
  if (project_->read_only()) return fail("the library can only be read");
  return uploads_.place_for(path[2], path[3]);
}

void Studio::opened(const std::shared_ptr<Connection>& connection) {
  {
    const std::lock_guard lock(pages_mutex_);
    pages_.insert(connection);
  }
  connection->send_text(written({{"event", "hello"}, {"studio", stamp_}, {"jobs", jobs_.list()}}));
}

void Studio::received(const std::shared_ptr<Connection>& connection, std::string_view text) try {
  const json message = json::parse(text, nullptr, false);
  if (!message.is_object()) return;
  const std::string what = message.value("do", "");
  if (what == "join") {
    const auto scene = message.value("scene", std::uint64_t{0});
    if (!stage_.join(connection, scene)) connection->send_text(json{{"event", "over"}, {"scene", scene}}.dump());
  } else if (what == "leave") {
    stage_.leave(connection);
  } else if (what == "seen") {
    stage_.seen(connection, message.value("frame", std::uint32_t{0}));
  } else if (what == "say") {
    stage_.hear(connection, message, message.value("seq", std::uint32_t{0}));
  }
} catch (const json::exception&) {
  return;  // nonsense, such as a word in place of a number
}

void Studio::closed(const std::shared_ptr<Connection>& connection) {
  stage_.leave(connection);
  const std::lock_guard lock(pages_mutex_);
  pages_.erase(connection);
}

void Studio::tell_changed() { broadcast({{"event", "library"}}); }

void Studio::broadcast(const json& event) {
  const std::string text = written(event);
  const std::lock_guard lock(pages_mutex_);
  for (const auto& page : pages_) page->send_text(text);
}

Response made_response(Studio& studio, motion::Clip clip, motion::Contacts contacts, const json& how, json facts) {
  const std::string body = studio.project().body_name(clip.skeleton);
  auto made = MadeMotion{std::move(clip), std::move(contacts), how.dump()};
  Response response;
  response.type = "application/octet-stream";
  const std::uint64_t id = studio.project().keep(made);
  facts["made"] = id;
  response.body = pack_motion(made.clip, &made.contacts, body, facts);
  return response;
}

Response scene_response(Studio& studio, std::unique_ptr<Scene> scene) {
  json bodies = json::array();
  for (const auto& skeleton : scene->bodies()) bodies.push_back(studio.project().body_name(skeleton));
  json about = scene->describe();
  about["bodies"] = std::move(bodies);
  about["scene"] = studio.stage().add(std::move(scene));
  return json_response(about);
}

}  // namespace loom::studio
