// SPDX-License-Identifier: MIT
// Long work: importing what was dropped, building graphs; how far it is, and stopping it.
#include <algorithm>

#include <nlohmann/json.hpp>

#include <loom/graph/build.h>
#include <loom/io/read.h>
#include <loom/library/import.h>

#include "studio/studio.h"

namespace loom::studio {
namespace {

namespace fs = std::filesystem;
using library::Library;
using nlohmann::json;

/// Notes about files, by the name the user knows.
json notes_json(const std::vector<library::FileNote>& notes) {
  json list = json::array();
  for (const library::FileNote& note : notes) {
    list.push_back({{"file", fs::path(note.file).filename().string()}, {"text", note.text}});
  }
  return list;
}

json report_json(const library::ImportReport& report) {
  json faults = json::array();
  for (const library::ImportFault& fault : report.faults) {
    faults.push_back({{"file", fs::path(fault.file).filename().string()},
                      {"text", fault.text},
                      {"severity", fault.severity},
                      {"mended", fault.mended}});
  }
  return {{"clips", report.clips},
          {"frames", report.frames},
          {"fitted", report.fitted},
          {"failed", notes_json(report.failed)},
          {"skipped", notes_json(report.skipped)},
          {"warnings", notes_json(report.warnings)},
          {"notes", notes_json(report.notes)},
          {"faults", faults},
          {"seconds", report.seconds}};
}

/// The motions of a batch, and its labels where a CSV file is among them.
Result<std::vector<std::string>> batch_files(const fs::path& folder, library::ImportOptions& options) {
  std::vector<std::string> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string path = entry.path().string();
    if (io::is_motion_file(path)) files.push_back(path);
    if (!path.ends_with(".csv")) continue;
    auto table = library::read_label_table(path);
    if (!table) return fail_from(table);
    options.labels.path = table->path;
    options.labels.rows.insert(options.labels.rows.end(), table->rows.begin(), table->rows.end());
  }
  if (error) return fail("cannot look through what was sent: " + error.message());
  std::sort(files.begin(), files.end());
  if (files.empty()) return fail("no motion file was sent");
  return files;
}

Result<Response> start_import(Studio& studio, const json& body) {
  const std::string batch = body.value("batch", "");
  const auto folder = studio.uploads().folder_of(batch);
  if (!folder) return fail_from(folder);
  library::ImportOptions options;
  options.keep_apart = body.value("keep_apart", false);
  if (body.contains("rate") && body["rate"].is_number()) options.rate = body["rate"].get<double>();
  auto files = batch_files(*folder, options);
  if (!files) return fail_from(files);
  const std::string title =
      files->size() == 1 ? fs::path(files->front()).filename().string() : std::to_string(files->size()) + " files";
  const auto id = studio.jobs().start(
      "import", title, [&studio, batch, files = std::move(*files), options](const Progress& progress) -> Result<json> {
        auto library = Library::open(studio.project().path(), library::Access::kWrite);
        if (!library) return fail_from(library);
        const auto report = library::import_motions(*library, files, options, progress);
        studio.uploads().remove(batch);
        if (!report) return fail_from(report);
        studio.tell_changed();
        return report_json(*report);
      });
  return json_response({{"job", id}});
}

Result<graph::BuildOptions> build_options(const json& body) {
  graph::BuildOptions options;
  if (body.value("metric", "pointcloud") == "joints") options.comparison = graph::Comparison::kJoints;
  if (body.contains("threshold") && body["threshold"].is_number()) options.threshold = body["threshold"].get<double>();
  options.connect = body.value("connect", 0.9);
  if (!(options.connect > 0 && options.connect <= 1)) return fail("connect is a share above 0 and up to 1");
  options.match_stance = body.value("match_stance", false);
  return options;
}

json parameters_json(const graph::SourceOptions& source, const graph::BuildOptions& build, const graph::Built& built) {
  return {{"metric", build.comparison == graph::Comparison::kJoints ? "joints" : "pointcloud"},
          {"labels", source.labels},
          {"mirror", source.mirror},
          {"rate", source.rate},
          {"threshold", built.graph.threshold},
          {"threshold_given", build.threshold.has_value()},
          {"connect", build.connect},
          {"sigma", built.graph.sigma},
          {"match_stance", build.match_stance}};
}

Result<Response> start_build(Studio& studio, const json& body) {
  const std::string name = body.value("name", "");
  if (name.empty() || name.size() > 100) return fail("say what the graph is to be called");
  const auto options = build_options(body);
  if (!options) return fail_from(options);
  graph::SourceOptions source_options;
  source_options.labels = body.value("labels", std::vector<std::string>());
  source_options.mirror = body.value("mirror", false);
  const auto id = studio.jobs().start(
      "graph", name, [&studio, name, options = *options, source_options](const Progress& progress) -> Result<json> {
        auto library = Library::open(studio.project().path(), library::Access::kWrite);
        if (!library) return fail_from(library);
        const auto source = graph::gather(*library, source_options, progress);
        if (!source) return fail_from(source);
        const auto built = graph::build(*source, options, progress);
        if (!built) return fail_from(built);
        const json parameters = parameters_json(source_options, options, *built);
        const auto stored = graph::store(*library, name, *built, *source, parameters.dump());
        if (!stored) return fail_from(stored);
        studio.tell_changed();
        return json{{"name", name},
                    {"frames", built->frames},
                    {"nodes", built->graph.nodes()},
                    {"transitions", built->graph.transitions.size()},
                    {"threshold", built->graph.threshold},
                    {"share", built->share_reached},
                    {"seconds", built->seconds}};
      });
  return json_response({{"job", id}});
}

}  // namespace

void add_job_routes(Router& router, Studio& studio) {
  const auto add = [&](const char* pattern, auto start) {
    router.add_post(pattern, [&studio, start](const json& body, const auto&) -> Result<Response> {
      if (studio.project().read_only()) return fail("the library can only be read", studio.project().path());
      return start(studio, body);
    });
  };
  add("api/imports", start_import);
  add("api/graphs", start_build);
  router.add("PUT", "api/uploads/*/*", [](const Request&, const auto& parts) -> Result<Response> {
    return json_response({{"kept", parts[1]}});
  });
  router.add("GET", "api/jobs", [&studio](const Request&, const auto&) -> Result<Response> {
    return json_response({{"jobs", studio.jobs().list()}});
  });
  router.add("DELETE", "api/jobs/*", [&studio](const Request&, const auto& parts) -> Result<Response> {
    if (!studio.jobs().cancel(std::strtoull(parts[0].c_str(), nullptr, 10))) return fail("nothing of that number runs");
    return json_response({{"cancelled", parts[0]}});
  });
}

}  // namespace loom::studio
