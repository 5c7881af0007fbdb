// SPDX-License-Identifier: MIT
// `loom demo`: the whole way from nothing to a library, motion files, pictures and a page, in seconds.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <system_error>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <loom/base/file.h>
#include <loom/base/parallel.h>
#include <loom/base/progress_part.h>
#include <loom/io/write.h>
#include <loom/picture/contact_sheet.h>
#include <loom/picture/save.h>
#include <loom/picture/viewer_page.h>
#include <loom/sample/sample.h>

#include "loom/command.h"
#include "loom/demo_blend.h"
#include "loom/demo_bout.h"
#include "loom/demo_crowd.h"
#include "loom/demo_graph.h"
#include "loom/demo_machine.h"
#include "loom/demo_plan.h"
#include "loom/demo_show.h"
#include "loom/progress_bar.h"
#include "loom/sample_library.h"
#include "loom/subcommands.h"
#include "loom/table.h"

namespace loom::app {
namespace {

namespace fs = std::filesystem;
using sample::SampleClip;

/// The folders the demo writes in, and the file that says they are a demo's, which is there before all others: so one
/// that was killed can be run again.
constexpr const char* kFolders[] = {"motions", "pictures", "graph", "machine", "plan", "fight", "blend", "crowd"};
constexpr const char* kMark = ".motion-loom-demo";

struct DemoArguments {
  std::string out = "out/demo";
  sample::SampleOptions samples;
};

/// What the demo has made, for the summary.
struct Made {
  fs::path folder, library, page, scene;
  std::vector<fs::path> motions, pictures;
  DemoGraph graph;
  DemoMachine machine;
  DemoPlan plan;
  DemoBout bout;
  DemoBlend blend;
  DemoShow show;
  DemoCrowd crowd;
};

/// The first motion of every group: what is written as files and drawn.
std::vector<const SampleClip*> showcase(const std::vector<SampleClip>& clips) {
  std::vector<const SampleClip*> chosen;
  for (const SampleClip& clip : clips) {
    const bool known = std::any_of(chosen.begin(), chosen.end(), [&](const auto* c) { return c->group == clip.group; });
    if (!known) chosen.push_back(&clip);
  }
  return chosen;
}

Result<void> make_folders(const Made& made) {
  for (const char* name : kFolders) {
    const fs::path folder = made.folder / name;
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) return fail("cannot make the folder: " + error.message(), folder.string());
  }
  return save_file((made.folder / kMark).string(), "Made by `loom demo`, which may replace what it wrote here.\n");
}

/// Whether the folder may be written in: what an earlier demo left there is the demo's own to replace; what lies where
/// none has been needs --force.
Result<void> allow_folder(const Made& made, const Outputs& outputs) {
  std::error_code error;
  if (outputs.force() || fs::exists(made.folder / kMark, error)) return {};
  std::vector<fs::path> taken = {made.library, made.page};
  for (const char* name : kFolders) taken.push_back(made.folder / name);
  for (const fs::path& path : taken) {
    const bool is_folder = fs::is_directory(path, error);
    if (!fs::exists(path, error) || (is_folder && fs::is_empty(path, error))) continue;
    return fail("is there already, and is no earlier demo's; give --out another folder, or --force to replace it",
                path.string());
  }
  return {};
}

Result<void> make_library(const Made& made, const std::vector<SampleClip>& clips, const DemoArguments& arguments) {
  for (const char* ending : {"", "-wal", "-shm"}) {
    std::error_code error;
    fs::remove(made.library.string() + ending, error);
    if (error) return fail("cannot be replaced: " + error.message(), made.library.string());
  }
  return store_samples(made.library.string(), clips, arguments.samples);
}

Result<void> write_motions(Made& made, const std::vector<const SampleClip*>& chosen) {
  std::vector<motion::Clip> all;
  for (const SampleClip* clip : chosen) {
    made.motions.push_back(made.folder / "motions" / (clip->clip.name + ".bvh"));
    auto written = io::write_motion(made.motions.back().string(), {&clip->clip, 1}, clip->clip.name);
    if (!written) return written;
    all.push_back(clip->clip);
  }
  made.scene = made.folder / "motions" / "samples.glb";
  return io::write_motion(made.scene.string(), all, "Sample");
}

/// Contact sheets of the chosen motions, drawn on all cores.
Result<void> draw_pictures(Made& made, const std::vector<const SampleClip*>& chosen) {
  const auto path_of = [&](const SampleClip& clip, const char* ending) {
    return made.folder / "pictures" / (clip.clip.name + ending);
  };
  std::vector<Result<void>> drawn(chosen.size());
  const auto draw = [&](const SampleClip& clip) -> Result<void> {
    picture::ContactSheetOptions options;
    options.contacts = &clip.contacts;
    const auto sheet = picture::draw_contact_sheet(clip.clip, options);
    if (!sheet) return fail_from(sheet);
    if (auto saved = picture::save(*sheet, path_of(clip, ".svg").string()); !saved) return saved;
    return picture::save(*sheet, path_of(clip, ".png").string());
  };
  parallel_for(chosen.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) drawn[i] = draw(*chosen[i]);
  });
  for (const Result<void>& one : drawn) {
    if (!one) return one;
  }
  for (const SampleClip* clip : chosen) {
    for (const char* ending : {".png", ".svg"}) made.pictures.push_back(path_of(*clip, ending));
  }
  return {};
}

Result<void> make_page(const Made& made, const std::vector<SampleClip>& clips) {
  std::vector<picture::ViewerClip> shown;
  shown.reserve(made.graph.recordings.size() + 1 + clips.size());
  for (const motion::Recording& woven : made.graph.recordings) {
    shown.push_back({&woven.clip, &woven.contacts, "woven by the graph"});
  }
  shown.push_back({&made.blend.circle, nullptr, "blended"});
  for (const SampleClip& clip : clips) shown.push_back({&clip.clip, &clip.contacts, clip.group});
  picture::ViewerOptions options;
  options.title = "Motion Loom: the sample motions, and what is woven and blended of them";
  options.max_rate = 30;
  return picture::write_viewer_page(shown, options, made.page.string());
}

/// Everything in its order; stops at the first failure.
Result<void> make_all(Made& made, const std::vector<SampleClip>& clips, const DemoArguments& arguments,
                      const Progress& progress) {
  const std::vector<const SampleClip*> chosen = showcase(clips);
  progress.report(0.15, "writing the library");
  if (auto ok = make_library(made, clips, arguments); !ok) return ok;
  progress.report(0.25, "writing motion files");
  if (auto ok = write_motions(made, chosen); !ok) return ok;
  progress.report(0.4, "drawing");
  if (auto ok = draw_pictures(made, chosen); !ok) return ok;
  progress.report(0.5, "building a motion graph");
  auto woven = make_demo_graph(made.folder / "graph", made.library.string(), part_of(progress, 0.5, 0.78));
  if (!woven) return fail_from(woven);
  made.graph = std::move(*woven);
  progress.report(0.78, "mining a machine");
  auto mined = make_demo_machine(made.folder / "machine", made.library.string(), part_of(progress, 0.78, 0.79));
  if (!mined) return fail_from(mined);
  made.machine = std::move(*mined);
  progress.report(0.79, "planning a walk");
  auto planned = make_demo_plan(made.folder / "plan", made.library.string(), part_of(progress, 0.79, 0.8));
  if (!planned) return fail_from(planned);
  made.plan = std::move(*planned);
  progress.report(0.8, "fighting");
  auto fought = make_demo_bout(made.folder / "fight", made.library.string(), part_of(progress, 0.8, 0.85));
  if (!fought) return fail_from(fought);
  made.bout = std::move(*fought);
  progress.report(0.85, "blending reaches");
  auto blended = make_demo_blend(made.folder / "blend", made.library.string(), part_of(progress, 0.85, 0.88));
  if (!blended) return fail_from(blended);
  made.blend = std::move(*blended);
  progress.report(0.88, "showing a thing");
  auto shown = make_demo_show(made.folder / "plan", made.library.string());
  if (!shown) return fail_from(shown);
  made.show = std::move(*shown);
  progress.report(0.88, "letting a crowd walk");
  auto walked = make_demo_crowd(made.folder / "crowd", made.library.string(), part_of(progress, 0.88, 0.95));
  if (!walked) return fail_from(walked);
  made.crowd = std::move(*walked);
  progress.report(0.95, "writing the page");
  return make_page(made, clips);
}

struct GroupTotal {
  std::size_t motions = 0, frames = 0;
  double seconds = 0;
};

/// Motions, frames and seconds of each group, in the order the groups come.
std::vector<std::pair<std::string, GroupTotal>> totals_of(const std::vector<SampleClip>& clips) {
  std::vector<std::pair<std::string, GroupTotal>> totals;
  for (const SampleClip& clip : clips) {
    auto group = std::find_if(totals.begin(), totals.end(), [&](const auto& t) { return t.first == clip.group; });
    if (group == totals.end()) group = totals.insert(totals.end(), {clip.group, {}});
    group->second.motions += 1;
    group->second.frames += clip.clip.frames();
    group->second.seconds += clip.clip.duration();
  }
  return totals;
}

std::vector<std::string> files_of(const std::vector<fs::path>& paths) {
  std::vector<std::string> names;
  for (const fs::path& path : paths) names.push_back(path.string());
  return names;
}

void tell_json(const Made& made, const std::vector<SampleClip>& clips, double seconds) {
  auto groups = nlohmann::json::array(), pictures = nlohmann::json::array(), motions = nlohmann::json::array();
  for (const auto& [name, total] : totals_of(clips)) {
    groups.push_back(
        {{"group", name}, {"clip_count", total.motions}, {"frames", total.frames}, {"seconds", total.seconds}});
  }
  for (const fs::path& path : made.pictures) pictures.push_back(path.string());
  for (const fs::path& path : made.motions) motions.push_back(path.string());
  motions.push_back(made.scene.string());
  print_json({{"library", made.library.string()},
              {"page", made.page.string()},
              {"motions", std::move(motions)},
              {"pictures", std::move(pictures)},
              {"groups", std::move(groups)},
              {"graph",
               {{"name", "main"},
                {"nodes", made.graph.nodes},
                {"transitions", made.graph.transitions},
                {"component_share", made.graph.component_share},
                {"report", made.graph.report.string()}}},
              {"machine",
               {{"name", "mined"},
                {"states", made.machine.states},
                {"edges", made.machine.edges},
                {"chi", made.machine.chi},
                {"rho", made.machine.rho},
                {"drawn", made.machine.file.string()},
                {"page", made.machine.page.string()},
                {"transitions", made.machine.transitions},
                {"wishes", made.machine.wishes},
                {"delay_mean_s", made.machine.delay},
                {"scene", made.machine.scene.string()}}},
              {"plan",
               {{"world", made.plan.world.string()},
                {"seconds", made.plan.seconds},
                {"length_m", made.plan.length_m},
                {"bound", made.plan.bound},
                {"collisions", made.plan.collisions},
                {"scene", made.plan.scene.string()},
                {"picture", made.plan.picture.string()}}},
              {"fight",
               {{"state_graph", "fight"},
                {"scene", made.bout.scene.string()},
                {"picture", made.bout.picture.string()},
                {"event_count", made.bout.bout.events.size()}}},
              {"blend",
               {{"family", "reach"},
                {"examples", made.blend.examples},
                {"worst_error_m", made.blend.worst_error},
                {"files", files_of(made.blend.files)}}},
              {"show",
               {{"world", made.show.world.string()},
                {"seconds", made.show.seconds},
                {"steps", made.show.steps},
                {"hand_error_m", made.show.hand_error_m},
                {"collisions", made.show.collisions},
                {"scene", made.show.scene.string()},
                {"picture", made.show.picture.string()}}},
              {"crowd",
               {{"characters", made.crowd.characters},
                {"reached", made.crowd.arrived},
                {"collisions", made.crowd.collisions},
                {"world", made.crowd.world.string()},
                {"scene", made.crowd.scene.string()},
                {"picture", made.crowd.picture.string()}}},
              {"seconds", seconds}});
}

void tell_demo(const Made& made, const std::vector<SampleClip>& clips, double seconds) {
  Table table({"group", "motions", "seconds", "frames"});
  GroupTotal all;
  for (const auto& [name, total] : totals_of(clips)) {
    table.add(
        {name, std::to_string(total.motions), fmt::format("{:.1f}", total.seconds), std::to_string(total.frames)});
    all.motions += total.motions;
    all.frames += total.frames;
    all.seconds += total.seconds;
  }
  table.print();
  const auto walk = std::find_if(clips.begin(), clips.end(), [](const SampleClip& c) { return c.group == "walk"; });
  const std::string library = made.library.string();
  const std::string first = (walk == clips.end() ? clips.begin() : walk)->clip.name;
  say("\n{} motions, {:.1f} s, {} frames, made in {:.1f} s\n\n", all.motions, all.seconds, all.frames, seconds);
  say("library   {}\n", library);
  say("motions   {}: {} BVH files, and samples.glb with all of them\n", (made.folder / "motions").string(),
      made.motions.size());
  say("pictures  {}: {} contact sheets as PNG and SVG\n", (made.folder / "pictures").string(),
      made.pictures.size() / 2);
  say("graph     {}: {} nodes ({:.0f} % of the frames), {} transitions; a walk, a path followed, and graph.html\n",
      (made.folder / "graph").string(), made.graph.nodes, 100 * made.graph.component_share, made.graph.transitions);
  say("machine   {}: {} states drawn by hand, {} transitions mined between them (chi {:.2f}, rho {:.2f}), mined.html\n",
      (made.folder / "machine").string(), made.machine.states, made.machine.edges, made.machine.chi, made.machine.rho);
  say("          {} wishes answered after {:.2f} s in the mean: {}\n", made.machine.wishes, made.machine.delay,
      made.machine.scene.string());
  say("plan      {}: {:.0f} s and {:.0f} m through a hall, {} poses touch something; walk.glb shows both\n",
      (made.folder / "plan").string(), made.plan.seconds, made.plan.length_m, made.plan.collisions);
  say("show      {}: {} steps up to a table, and a hand {:.1f} mm off what it shows; show.glb has the room in it\n",
      (made.folder / "plan").string(), made.show.steps, 1000 * made.show.hand_error_m);
  say("fight     {}: two characters in one bout.glb, {} events, and pictures of it\n", (made.folder / "fight").string(),
      made.bout.bout.events.size());
  say("blend     {}: {} reaches as a family, a hand led along a circle within {:.1f} mm, and their coverage\n",
      (made.folder / "blend").string(), made.blend.examples, 1000 * made.blend.worst_error);
  say("crowd     {}: {} walkers in hall.world, {} of them arrived, {} collisions; crowd.glb and where they went\n",
      (made.folder / "crowd").string(), made.crowd.characters, made.crowd.arrived, made.crowd.collisions);
  say("page      {}: every motion in 3D; open it in a browser\n\n", made.page.string());
  say("Next:\n");
  for (const std::string& next : {
           shell_command({"list"}, {library}),
           shell_command({"picture", "--trail", "-o", "picture.png"}, {library, first}),
           shell_command({"export", "-o", first + ".glb"}, {library, first}),
           shell_command({"graph", "walk", "--seconds", "60", "--seed", "7", "-o", "walk.glb"}, {library, "main"}),
           shell_command({"machine", "prefer"}, {library, "mined", "idle,start,walk"}),
           shell_command({"fight", "--style", "aggressive,defensive", "--seed", "2", "-o", "bout.glb"}, {library}),
           shell_command({"crowd", "--characters", "40", "--scene", "streams", "-o", "crowd.glb"}, {library}),
           shell_command({"blend", "analyze", "--out", "analysis"}, {library, "reach"}),
       }) {
    say("  {}\n", next);
  }
  say("  loom import mine.loom FOLDER          your own motion capture\n");
}

int run(const Command& command, const DemoArguments& arguments) {
  const auto begin = std::chrono::steady_clock::now();
  Made made;
  made.folder = arguments.out;
  made.library = made.folder / "samples.loom";
  made.page = made.folder / "samples.html";
  if (const auto ok = allow_folder(made, command.outputs); !ok) return report(ok.error());
  if (const auto ok = make_folders(made); !ok) return report(ok.error());
  std::vector<SampleClip> clips;
  {
    ProgressBar bar;
    const Progress progress = bar.progress();
    progress.report(0, "making the sample motions");
    auto samples = sample::make_samples(arguments.samples);
    if (!samples) return report(samples.error());
    clips = std::move(*samples);
    if (const auto ok = make_all(made, clips, arguments, progress); !ok) return report(ok.error());
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  (command.json ? tell_json : tell_demo)(made, clips, seconds);
  return kDone;
}

}  // namespace

void add_demo(Commands& commands) {
  auto arguments = std::make_shared<DemoArguments>();
  Command& command = commands.add("demo", "make a sample library, motion files, pictures and a page to look at",
                                  "loom demo --out out/demo");
  command.outputs
      .add_folder(*command.options, "--out", arguments->out,
                  "the folder to write; what an earlier demo made there is replaced, other files are left alone")
      ->capture_default_str();
  command.options->add_option("--seed", arguments->samples.seed, "another seed is another day of recording (1)");
  command.run = [arguments](const Command& self) { return run(self, *arguments); };
}

}  // namespace loom::app
