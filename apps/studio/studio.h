// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include <loom/base/result.h>

#include "studio/cast.h"
#include "studio/jobs.h"
#include "studio/project.h"
#include "studio/router.h"
#include "studio/site.h"
#include "studio/stage.h"
#include "studio/uploads.h"
#include "studio/wardrobe.h"

namespace loom::studio {

/// The studio: one library, the page that shows it, and everything the page can ask for.
///
/// Requests are answered by functions that stand in `*_routes.cc`, one file a part of the page.
class Studio final : public Site {
 public:
  /// Opens the library at `path`.
  static Result<std::unique_ptr<Studio>> open(const std::string& path);

  Response answer(const Request& request) override { return router_.answer(request); }
  [[nodiscard]] Lane lane_of(const Request& request) const override { return router_.lane_of(request); }
  tl::expected<std::string, Refusal> place_for(const Request& request, std::uint64_t bytes) override;
  void drop_upload(const Request& request) override { uploads_.drop(request.upload); }
  void opened(const std::shared_ptr<Connection>& connection) override;
  void received(const std::shared_ptr<Connection>& connection, std::string_view message) override;
  void closed(const std::shared_ptr<Connection>& connection) override;
  void look_around() override { project_->look(); }

  [[nodiscard]] Project& project() { return *project_; }
  [[nodiscard]] Jobs& jobs() { return jobs_; }
  [[nodiscard]] Stage& stage() { return stage_; }
  [[nodiscard]] Uploads& uploads() { return uploads_; }
  [[nodiscard]] Wardrobe& wardrobe() { return wardrobe_; }
  [[nodiscard]] Casting& casting() { return casting_; }

  /// Does long work on the library, to change it: gives what a page is to know of it.
  using Change = std::function<Result<nlohmann::json>(library::Library& library, const Progress& progress)>;
  /// Adds a job that changes the library, and tells every page when it has; says its number. Fails, as the job does,
  /// when another file has taken the place of the library (`Project::file_to_change`).
  Result<std::uint64_t> start_change(const std::string& kind, const std::string& title, Change change);

  /// Tells every page that the library is not what it was.
  void tell_changed();

 private:
  Studio(std::unique_ptr<Project> project, Uploads uploads);
  void broadcast(const nlohmann::json& event);

  /// Tells this run from the next: what a page knows of jobs, bodies and scenes ends with the server.
  const std::string stamp_ = std::to_string(std::chrono::system_clock::now().time_since_epoch().count());
  std::unique_ptr<Project> project_;
  Wardrobe wardrobe_{*project_};
  Casting casting_;
  Uploads uploads_;
  Router router_;
  std::mutex pages_mutex_;
  std::set<std::shared_ptr<Connection>> pages_;
  Stage stage_;
  Jobs jobs_;  ///< last: its thread uses all of the above
};

// Each file of routes adds its own.
void add_page_routes(Router& router);
void add_clip_routes(Router& router, Studio& studio);
void add_edit_routes(Router& router, Studio& studio);
void add_many_routes(Router& router, Studio& studio);
void add_job_routes(Router& router, Studio& studio);
void add_graph_routes(Router& router, Studio& studio);
void add_graph_play_routes(Router& router, Studio& studio);
void add_pick_routes(Router& router, Studio& studio);
void add_compare_routes(Router& router, Studio& studio);
void add_blend_routes(Router& router, Studio& studio);
void add_play_routes(Router& router, Studio& studio);
void add_fight_routes(Router& router, Studio& studio);
void add_machine_routes(Router& router, Studio& studio);
void add_machine_play_routes(Router& router, Studio& studio);
void add_show_routes(Router& router, Studio& studio);
void add_world_routes(Router& router, Studio& studio);
void add_character_routes(Router& router, Studio& studio);

/// Hands a motion that was made to the page: kept under a number, packed with `facts`. The contacts are its own.
Response made_response(Studio& studio, motion::Clip clip, motion::Contacts contacts, const nlohmann::json& how,
                       nlohmann::json facts);

/// `clip` on the character called `on`, among `props`, as the bytes of a .glb with the character's own mesh.
Result<std::string> glb_on(Studio& studio, const std::string& on, const motion::Clip& clip,
                           std::span<const io::GltfProp> props);

/// Work under this goes on until `stopped`. The token must outlive it.
Progress until(const std::stop_token& stopped);

/// Hands a live scene to the page: its number, the bodies of its characters, and what it says of itself.
Response scene_response(Studio& studio, std::unique_ptr<Scene> scene);

}  // namespace loom::studio
