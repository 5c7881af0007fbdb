// SPDX-License-Identifier: MIT
#include "studio/studio.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include <loom/base/json_text.h>
#include <loom/picture/pack.h>

#include "studio/capture_routes.h"
#include "studio/judged.h"

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
  project_->on_news([this](Project::News news) {
    json event = {{"event", "library"}};
    if (news == Project::News::kReplaced) event["replaced"] = true;
    if (news == Project::News::kGone) event["gone"] = true;
    if (news == Project::News::kChanged) event["look"] = true;
    broadcast(event);
  });
  add_page_routes(router_);
  add_clip_routes(router_, *this);
  add_edit_routes(router_, *this);
  add_many_routes(router_, *this);
  add_job_routes(router_, *this);
  add_graph_routes(router_, *this);
  add_graph_play_routes(router_, *this);
  add_pick_routes(router_, *this);
  add_compare_routes(router_, *this);
  add_blend_routes(router_, *this);
  add_play_routes(router_, *this);
  add_fight_routes(router_, *this);
  add_machine_routes(router_, *this);
  add_machine_play_routes(router_, *this);
  add_show_routes(router_, *this);
  add_world_routes(router_, *this);
  add_capture_routes(router_, *this);
  add_take_routes(router_, *this);
  add_character_routes(router_, *this);
}

tl::expected<std::string, Refusal> Studio::place_for(const Request& request, std::uint64_t bytes) {
  const auto& path = request.path;
  if (path.size() != 4 || path[0] != "api" || path[1] != "uploads") {
    return tl::unexpected(Refusal{400, "nothing can be put here"});
  }
  if (project_->read_only()) return tl::unexpected(Refusal{400, "the library can only be read"});
  return uploads_.place_for(path[2], path[3], bytes);
}

void Studio::opened(const std::shared_ptr<Connection>& connection) {
  {
    const std::lock_guard lock(pages_mutex_);
    pages_.insert(connection);
  }
  json hello = {{"event", "hello"}, {"studio", stamp_}, {"jobs", jobs_.list()}};
  if (project_->gone()) hello["gone"] = true;
  connection->send_text(json_text(hello));
}

void Studio::received(const std::shared_ptr<Connection>& connection, std::string_view text) try {
  const json message = parse_json(text);
  if (!message.is_object()) return;
  const Fields fields(message);
  const std::string what = fields.text("do");
  if (what == "join") {
    const auto scene = fields.whole("scene", 0);
    if (!stage_.join(connection, scene)) connection->send_text(json_text({{"event", "over"}, {"scene", scene}}));
  } else if (what == "leave") {
    stage_.leave(connection);
  } else if (what == "seen") {
    stage_.seen(connection, static_cast<std::uint32_t>(fields.whole("frame", 0)));
  } else if (what == "say") {
    stage_.hear(connection, message, static_cast<std::uint32_t>(fields.whole("seq", 0)));
  }
} catch (const std::exception&) {
  return;  // nonsense, such as a word in place of a number
}

void Studio::closed(const std::shared_ptr<Connection>& connection) {
  stage_.leave(connection);
  const std::lock_guard lock(pages_mutex_);
  pages_.erase(connection);
}

Result<std::uint64_t> Studio::start_change(const std::string& kind, const std::string& title, Change change) {
  const auto file = project_->file_to_change();
  if (!file) return fail_from(file);
  return jobs_.start(kind, title,
                     [this, file = *file, change = std::move(change)](const Progress& progress) -> Result<json> {
                       auto library = project_->open_to_write(file);
                       if (!library) return fail_from(library);
                       auto told = change(*library, progress);
                       if (told) tell_changed();
                       return told;
                     });
}

void Studio::tell_changed() { broadcast({{"event", "library"}}); }

void Studio::broadcast(const json& event) {
  const std::string text = json_text(event);
  const std::lock_guard lock(pages_mutex_);
  for (const auto& page : pages_) page->send_text(text);
}

Response made_response(Studio& studio, motion::Clip clip, motion::Contacts contacts, const json& how, json facts) {
  const std::string body = studio.project().body_name(clip.skeleton);
  auto made = MadeMotion{std::move(clip), std::move(contacts), json_text(how), {}};
  Response response;
  response.type = "application/octet-stream";
  const std::uint64_t id = studio.project().keep(made);
  facts["made"] = id;
  facts.update(judged(made.clip, &made.contacts));
  response.body = picture::pack_motion(made.clip, &made.contacts, body, facts);
  return response;
}

Progress until(const std::stop_token& stopped) {
  return Progress([&stopped](double, std::string_view) { return !stopped.stop_requested(); });
}

Response scene_response(Studio& studio, std::unique_ptr<Scene> scene) {
  json bodies = json::array();
  for (const auto& skeleton : scene->bodies()) bodies.push_back(studio.project().body_name(skeleton));
  json about = scene->describe();
  about["bodies"] = std::move(bodies);
  about["clips"] = scene->sources();
  about["scene"] = studio.stage().add(std::move(scene));
  return json_response(about);
}

}  // namespace loom::studio
