// SPDX-License-Identifier: MIT
// Long work: importing what was dropped, building graphs; how far it is, and stopping it.
#include <algorithm>

#include <nlohmann/json.hpp>

#include <loom/base/json_text.h>
#include <loom/base/progress_part.h>
#include <loom/base/text.h>
#include <loom/graph/build.h>
#include <loom/io/read.h>
#include <loom/library/import.h>
#include <loom/library/import_labels.h>
#include <loom/library/note_groups.h>
#include <loom/project/build.h>
#include <loom/project/carry_over.h>
#include <loom/project/samples.h>
#include <loom/take/gather.h>

#include "studio/left_out.h"
#include "studio/studio.h"

namespace loom::studio {
namespace {

namespace fs = std::filesystem;
using library::Library;
using nlohmann::json;

constexpr double kFastestRate = 1000;  ///< frames a second clips are brought to

/// What was sent at once: motions, and the labels of the tables among them.
struct Batch {
  fs::path folder;
  std::vector<std::string> files;
  library::ImportOptions options;

  /// A text about these files in which their folder, of which the user knows nothing, is not named.
  [[nodiscard]] std::string told(std::string text) const {
    for (const auto& [from, to] : {std::pair(folder.string() + "/", ""), std::pair(folder.string(), "what was sent")}) {
      for (auto at = text.find(from); at != std::string::npos; at = text.find(from)) text.replace(at, from.size(), to);
    }
    return text;
  }
  /// Notes gathered by what they say, as the command gathers them: of hundreds of files most say the same.
  [[nodiscard]] json notes(const std::vector<library::FileNote>& notes) const {
    json list = json::array();
    for (const library::NoteGroup& group : library::group_notes(notes)) {
      json about = json::array();
      for (const std::string& file : group.files) about.push_back(told(file));
      list.push_back({{"text", told(group.example.text)},
                      {"files", std::move(about)},
                      {"notes", group.notes},
                      {"alike", group.alike}});
    }
    return list;
  }
  [[nodiscard]] std::string title() const {
    const std::string& first = files.empty() ? options.labels.path : files.front();
    return files.size() > 1 ? std::to_string(files.size()) + " files" : fs::path(first).filename().string();
  }
};

json report_json(const Batch& batch, const library::ImportReport& report) {
  json faults = json::array();
  for (const library::ImportFault& fault : report.faults) {
    faults.push_back({{"file", batch.told(fault.file)},
                      {"text", fault.text},
                      {"severity", fault.severity},
                      {"mended", fault.mended}});
  }
  std::vector<library::FileNote> skipped = report.skipped;
  skipped.insert(skipped.end(), report.copies.begin(), report.copies.end());
  return {{"clips", report.clips},
          {"frames", report.frames},
          {"fitted", report.fitted},
          {"failed", batch.notes(report.failed)},
          {"skipped", batch.notes(skipped)},
          {"warnings", batch.notes(report.warnings)},
          {"notes", batch.notes(report.notes)},
          {"faults", faults},
          {"seconds", report.seconds}};
}

/// Whether a file is a table of labels.
bool is_table(const fs::path& path) { return lower_case(path.extension().string()) == ".csv"; }

Result<Batch> gather_batch(const fs::path& folder) {
  Batch batch{folder, {}, {}};
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string path = entry.path().string();
    if (io::is_motion_file(path)) batch.files.push_back(path);
    if (!is_table(path)) continue;
    auto table = library::read_label_table(path);
    if (!table) return fail_because(table.error(), batch.told(table.error().to_string()));
    batch.options.labels.path = table->path;
    batch.options.labels.rows.insert(batch.options.labels.rows.end(), table->rows.begin(), table->rows.end());
  }
  if (error) return fail("cannot look through what was sent: " + error.message());
  std::sort(batch.files.begin(), batch.files.end());
  if (batch.files.empty() && batch.options.labels.path.empty()) return fail("no motion file was sent");
  return batch;
}

Result<json> carry_out(library::Library& library, const Batch& batch, const Progress& progress) {
  if (!batch.files.empty()) {
    const auto report = library::import_motions(library, batch.files, batch.options, progress);
    if (!report) return fail_because(report.error(), batch.told(report.error().to_string()));
    return report_json(batch, *report);
  }
  const auto report = library::import_labels(library, batch.options.labels);
  if (!report) return fail_because(report.error(), batch.told(report.error().to_string()));
  return json{{"added", report->added}, {"labelled", report->clips}, {"warnings", batch.notes(report->warnings)}};
}

/// {"batch": name}: imports what was sent under that name; a table of labels alone labels the clips that are there.
Result<Response> start_import(Studio& studio, const Fields& body) {
  const std::string name = body.text("batch");
  const auto folder = studio.uploads().take(name);
  if (!folder) return fail_from(folder);
  // Whatever becomes of it (nonsense, cancelled, imported), what was sent goes when nobody needs it any more.
  const auto sent = std::shared_ptr<void>(nullptr, [&studio, name](void*) { studio.uploads().remove(name); });
  auto batch = gather_batch(*folder);
  if (!batch) return fail_from(batch);
  batch->options.keep_apart = body.flag("keep_apart");
  batch->options.carry_over = project::between_humans();
  if (body.has("rate")) batch->options.rate = body.number("rate", 0);
  if (batch->options.rate && !(*batch->options.rate >= 1 && *batch->options.rate <= kFastestRate)) {
    return fail("'rate' must be 1 to 1000 frames a second");
  }
  const std::string title = batch->title(), kind = batch->files.empty() ? "labels" : "import";
  const auto work = [sent, batch = std::move(*batch)](Library& library, const Progress& progress) {
    return carry_out(library, batch, progress);
  };
  const auto id = studio.start_change(kind, title, work);
  if (!id) return fail_from(id);
  return json_response({{"job", *id}});
}

/// {"only": names or groups}: adds the sample motions to the library; all of them where none are named.
Result<Response> start_samples(Studio& studio, const Fields& body) {
  const auto id =
      studio.start_change("samples", "sample motions",
                          [only = body.texts("only")](Library& library, const Progress& progress) -> Result<json> {
                            if (!progress.report(0.05, "the performer moves"))
                              return fail_as(ErrorKind::kStopped, "stopped");
                            const sample::SampleOptions options;
                            const auto made = sample::make_samples(options, only);
                            if (!made) return fail_from(made);
                            if (!progress.report(0.7, "kept")) return fail_as(ErrorKind::kStopped, "stopped");
                            if (const auto added = project::add_samples(library, *made, options); !added)
                              return fail_from(added);
                            double seconds = 0;
                            for (const sample::SampleClip& clip : *made) seconds += clip.clip.duration();
                            return json{{"clips", made->size()}, {"seconds", seconds}};
                          });
  if (!id) return fail_from(id);
  return json_response({{"job", *id}});
}

Result<graph::BuildOptions> build_options(const Fields& body) {
  graph::BuildOptions options;
  if (body.text("metric", "pointcloud") == "joints") options.comparison = compare::MetricKind::kJointAngles;
  if (body.has("threshold")) options.threshold = body.number("threshold", 0);
  options.connect = body.number("connect", 0.9);
  if (!(options.connect > 0 && options.connect <= 1)) return fail("connect is a share above 0 and up to 1");
  options.match_stance = body.flag("match_stance");
  return options;
}

json about_build(const std::string& name, const graph::Built& built, const take::Gathered& source) {
  return {{"name", name},
          {"frames", built.frames},
          {"nodes", built.graph.nodes()},
          {"transitions", built.graph.transitions.size()},
          {"threshold", built.graph.threshold},
          {"share", built.share_reached},
          {"seconds", built.seconds},
          {"left_out", left_out_json(source.left_out)}};
}

/// With "lambda" the graph has motion between what was recorded (graph/connect/connect.h). "body" chooses one of
/// several.
Result<Response> start_build(Studio& studio, const Fields& body) {
  const std::string name = body.text("name");
  if (name.empty() || name.size() > 100) return fail("say what the graph is to be called");
  const auto options = build_options(body);
  if (!options) return fail_from(options);
  take::GatherOptions source;
  source.labels = body.texts("labels");
  source.mirror = body.flag("mirror");
  source.body = body.text("body");
  std::optional<double> lambda;
  if (body.has("lambda")) lambda = body.number("lambda", 0);
  const auto work = [name, options = *options, source, lambda](Library& library,
                                                               const Progress& progress) -> Result<json> {
    if (!lambda) {
      const auto made = project::build_graph(library, name, source, options, progress);
      if (!made) return fail_from(made);
      return about_build(name, made->built, made->source);
    }
    graph::ConnectOptions connect;
    connect.build = options;
    connect.lambda = *lambda;
    const auto made = project::connect_graph(library, name, source, connect, progress);
    if (!made) return fail_from(made);
    return about_build(name, made->connected.built, made->source);
  };
  const auto id = studio.start_change("graph", name, work);
  if (!id) return fail_from(id);
  return json_response({{"job", *id}});
}

}  // namespace

void add_job_routes(Router& router, Studio& studio) {
  const auto add = [&](const char* pattern, auto start) {
    router.add_post(pattern, [&studio, start](const Fields& body, const auto&) -> Result<Response> {
      if (studio.project().read_only()) return fail("the library can only be read", studio.project().path());
      return start(studio, body);
    });
  };
  add("api/imports", start_import);
  add("api/samples", start_samples);
  add("api/graphs", start_build);
  router.add("PUT", "api/uploads/*/*", [&studio](const Request& request, const auto& parts) -> Result<Response> {
    studio.uploads().settle(request.upload);
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
