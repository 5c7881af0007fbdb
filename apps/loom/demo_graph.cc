// SPDX-License-Identifier: MIT
#include "loom/demo_graph.h"

#include <cmath>
#include <memory>

#include <nlohmann/json.hpp>

#include <loom/base/file.h>
#include <loom/base/json_text.h>
#include <loom/base/progress_part.h>
#include <loom/graph/build.h>
#include <loom/graph/follow.h>
#include <loom/graph/measures.h>
#include <loom/graph/walk.h>
#include <loom/io/write.h>
#include <loom/library/library.h>
#include <loom/picture/contact_sheet.h>
#include <loom/polish/plant_feet.h>
#include <loom/project/build.h>
#include <loom/report/graph_report.h>
#include <loom/take/gather.h>
#include <loom/take/take_set.h>

#include "loom/command.h"

namespace loom::app {
namespace {

constexpr double kConnect = 0.8;  ///< enough to go anywhere; more would take rougher transitions
constexpr double kWalkSeconds = 30;
constexpr std::uint64_t kWalkSeed = 3;
constexpr std::size_t kSources = 300;  ///< searches the report is made from

/// An S over the floor, to be walked.
graph::FloorPath s_path() {
  graph::FloorPath path;
  for (int i = 0; i <= 60; ++i) {
    const float along = 0.3f * static_cast<float>(i);
    path.points.push_back({3 * std::sin(along / 3.2f), 0, along});
    path.labels.emplace_back("walk");
  }
  return path;
}

Result<void> finish(motion::Recording recording, const std::string& name, const std::filesystem::path& folder,
                    DemoGraph& made) {
  if (const auto planted = polish::plant_feet(recording); !planted) return fail_from(planted);
  recording.clip.name = name;
  made.files.push_back(folder / (name + ".glb"));
  if (auto ok = io::write_motion(made.files.back().string(), std::span(&recording.clip, 1), name); !ok) return ok;
  made.files.push_back(folder / (name + ".png"));
  picture::ContactSheetOptions options;
  options.poses = 14;
  options.contacts = &recording.contacts;
  if (auto ok = picture::write_contact_sheet(recording.clip, options, made.files.back().string()); !ok) return ok;
  made.recordings.push_back(std::move(recording));
  return {};
}

Result<motion::Recording> play(const graph::StoredGraph& stored, std::unique_ptr<play::SegmentFeed> feed,
                               double seconds) {
  play::SegmentPlayer player(stored.motion, std::move(feed));
  return motion::record(player, seconds);
}

}  // namespace

Result<DemoGraph> make_demo_graph(const std::filesystem::path& folder, const std::string& path,
                                  const Progress& progress) {
  auto library = library::Library::open(path, library::Access::kWrite);
  if (!library) return fail_from(library);
  graph::BuildOptions options;
  options.connect = kConnect;
  auto stored_graph = project::build_graph(*library, "main", {}, options, part_of(progress, 0, 0.8));
  if (!stored_graph) return fail_from(stored_graph);
  const graph::Built* built = &stored_graph->built;

  DemoGraph made;
  made.nodes = built->graph.nodes();
  made.transitions = built->graph.transitions.size();
  made.component_share = built->share_reached;
  made.report = folder / "graph.html";
  const auto page = report::report_page(built->graph, built->pairs, graph::measure(built->graph, {kSources}),
                                        "Motion graph of the sample motions");
  if (!page) return fail_from(page);
  if (const auto ok = save_file(made.report.string(), *page); !ok) return fail_from(ok);

  const graph::StoredGraph stored{std::make_shared<graph::MotionGraph>(built->graph),
                                  std::make_shared<take::TakeSet>(std::move(stored_graph->source.motion)),
                                  {},
                                  {}};
  graph::WalkOptions walk;
  walk.seed = kWalkSeed;
  auto feed = graph::Walk::create(stored.graph, *stored.motion, walk);
  if (!feed) return fail_from(feed);
  auto walked = play(stored, std::move(*feed), kWalkSeconds);
  if (!walked) return fail_from(walked);
  if (const auto ok = finish(std::move(*walked), "graph-walk", folder, made); !ok) return fail_from(ok);

  auto followed = graph::follow(*stored.graph, *stored.motion, s_path(), {}, part_of(progress, 0.8, 1));
  if (!followed) return fail_from(followed);
  auto along = play(stored, std::make_unique<play::SegmentList>(std::move(followed->segments)), 1000);
  if (!along) return fail_from(along);
  if (const auto ok = finish(std::move(*along), "graph-follow", folder, made); !ok) return fail_from(ok);
  return made;
}

}  // namespace loom::app
