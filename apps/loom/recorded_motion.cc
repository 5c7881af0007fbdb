// SPDX-License-Identifier: MIT
#include "loom/recorded_motion.h"

#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/file.h>
#include <loom/base/json_text.h>
#include <loom/base/progress_part.h>
#include <loom/io/write.h>
#include <loom/measure/body_measures.h>
#include <loom/motion/contacts.h>
#include <loom/polish/gaze.h>

#include "loom/choice.h"
#include "loom/motion_sender.h"
#include "loom/onto.h"
#include "loom/progress_bar.h"
#include "loom/shapes.h"

namespace loom::app {
namespace {

std::string sources_csv(const motion::Recording& recording) {
  std::string text = "frame,seconds,clip,source_frame\n";
  for (std::size_t f = 0; f < recording.sources.size(); ++f) {
    const motion::SourceFrame& source = recording.sources[f];
    text += fmt::format("{},{:.4f},{},{}\n", f, static_cast<double>(f) / recording.clip.rate,
                        csv_field(recording.source_names[source.clip]), source.frame);
  }
  return text;
}

Result<void> write_all(const motion::Recording& recording, const std::string& library, const MotionOutput& output,
                       const std::string& how) {
  if (!output.sources.empty()) {
    if (auto done = save_file(output.sources, sources_csv(recording)); !done) return done;
  }
  return write_clip(recording.clip, library, output, how);
}

/// What is told of a motion that was made: what its synthesiser's contacts show, and what a look at it does.
struct Told {
  measure::Measures measures;
  measure::BodyMeasures body;
};

/// A foot slides, too, where it is seen on the floor and its synthesiser knows of no contact.
Told tell_of(const motion::Clip& clip, motion::Contacts contacts) {
  if (const auto seen = motion::find_contacts(clip); seen && contacts.planted.size() == clip.frames()) {
    for (std::size_t f = 0; f < clip.frames(); ++f) contacts.planted[f] |= seen->planted[f];
  }
  return {measure::measure(clip, contacts), measure::measure_body(clip)};
}

/// What was made, in words.
void print_measures(const Told& told, const std::string& library, const MotionOutput& output) {
  const measure::Measures& measures = told.measures;
  say("path {:.1f} m, foot slide {:.1f} cm/s (worst {:.1f}), largest jump {:.1f} cm\n", measures.path_m,
      100 * measures.foot_slide_mean_mps, 100 * measures.foot_slide_max_mps, 100 * measures.largest_jump_m);
  if (told.body.drags_per_minute > 0) {
    say("a foot drags along the floor {:.1f} times a minute, {:.0f} cm at worst (frame {})\n",
        told.body.drags_per_minute, 100 * told.body.drag_max_m, told.body.drag_max_frame);
  }
  for (const std::string& file : {output.file, output.sources}) {
    if (!file.empty()) say("wrote {}\n", file);
  }
  if (!output.clip.empty()) say("added clip '{}' to {}\n", output.clip, library);
}

/// The same for machines: a clip, where it was put, and what it measures.
nlohmann::json motion_json(const motion::Clip& clip, const Told& told, const MotionOutput& output) {
  const measure::Measures& measures = told.measures;
  nlohmann::json motion = clip_json(clip);
  motion.update({{"file", text_or_null(output.file)},
                 {"added_as", text_or_null(output.clip)},
                 {"sources_file", text_or_null(output.sources)},
                 {"foot_slide_mean_mps", value_if(measures.has_feet, measures.foot_slide_mean_mps)},
                 {"foot_slide_max_mps", value_if(measures.has_feet, measures.foot_slide_max_mps)},
                 {"drags_per_minute", value_if(told.body.has_feet, told.body.drags_per_minute)},
                 {"drag_max_m", value_if(told.body.has_feet, told.body.drag_max_m)},
                 {"largest_jump_m", value_if(clip.frames() >= kFramesOfJump, measures.largest_jump_m)},
                 {"path_m", measures.path_m}});
  return motion;
}

/// How long it is, and of what.
std::string in_words(const motion::Recording& recording) {
  const motion::Clip& clip = recording.clip;
  if (recording.source_names.empty()) {
    return fmt::format("{}: {:.2f} s, {} frames", clip.name, clip.duration(), clip.frames());
  }
  const std::vector<motion::SourceRun> runs = motion::source_runs(recording);
  std::set<std::uint32_t> clips;
  for (const motion::SourceRun& run : runs) clips.insert(run.clip);
  return fmt::format("{}: {:.1f} s, {} frames from {} pieces of {} clips", clip.name, clip.duration(), clip.frames(),
                     runs.size(), clips.size());
}

nlohmann::json pieces_json(const motion::Recording& recording) {
  auto pieces = nlohmann::json::array();
  for (const motion::SourceRun& run : motion::source_runs(recording)) {
    pieces.push_back({{"clip", recording.source_names[run.clip]},
                      {"from", run.from},
                      {"at_s", static_cast<double>(run.begin) / recording.clip.rate},
                      {"frames", run.end - run.begin}});
  }
  return pieces;
}

}  // namespace

void add_look_at(Options& options, std::vector<double>& place) {
  options.add_option("--look-at", place, "turn the head to a place: x,y,z in metres, as the motion is written")
      ->delimiter(',')
      ->expected(3)
      ->check(between(-1e5, 1e5));
}

void add_clip_options(Command& command, MotionOutput& output) {
  Options& options = *command.options;
  command.outputs.add_file(options, "-o,--out", output.file, "write the motion here: .bvh, .glb, .gltf or .vrma");
  options.add_option("--on", output.on, kOnHelp);
  options.add_option("--add", output.clip, "add the motion to the library as a clip of this name");
  options.add_option("--send", output.send, std::string("play it, once it is made, ") + kSendHelp);
  add_off_flag(options, "--no-polish", output.polish, "leave the feet as the blends leave them");
  add_look_at(options, output.look_at);
}

void add_options(Command& command, MotionOutput& output) {
  add_clip_options(command, output);
  command.outputs.add_file(*command.options, "--sources", output.sources,
                           "write where each frame was taken from, as CSV");
}

bool has_place(const MotionOutput& output) {
  if (!output.file.empty() || !output.clip.empty() || !output.send.empty()) return true;
  wrong_usage("say where the motion should go: -o FILE, --add NAME, --send vmc:PORT or several of them");
  return false;
}

Result<void> write_clip(const motion::Clip& clip, const std::string& library, const MotionOutput& output,
                        const std::string& how) {
  if (!output.file.empty() && !output.on.empty()) {
    const auto onto = find_onto(library, output.on);
    if (!onto) return fail_from(onto);
    if (auto done = onto->carry_and_write(std::span(&clip, 1), output.file); !done) return done;
  } else if (!output.file.empty()) {
    if (auto done = write_motion(output.file, std::span(&clip, 1), clip.name); !done) return done;
  }
  if (output.clip.empty()) return {};
  auto target = library::Library::open(library, library::Access::kWrite);
  if (!target) return fail_from(target);
  library::Provenance provenance;
  provenance.options = how;
  return target->add_clip(clip, provenance);
}

int play_to_output(const Command& command, motion::MotionStream& stream, double seconds, const std::string& name,
                   const std::string& library, const MotionOutput& output, nlohmann::json details, double begun,
                   const std::function<motion::Control(double time)>& control,
                   const polish::FootPlantOptions& planting) {
  if (!has_place(output)) return kWrongUsage;
  auto recorded = [&] {
    ProgressBar bar;
    return motion::record(stream, seconds, control, part_of(bar.progress(), begun, 1));
  }();
  if (!recorded) return report(recorded.error());
  return write_to_output(command, std::move(*recorded), name, library, output, std::move(details), planting);
}

int write_to_output(const Command& command, motion::Recording recording, const std::string& name,
                    const std::string& library, const MotionOutput& output, nlohmann::json details,
                    const polish::FootPlantOptions& planting) {
  if (output.polish) {
    if (const auto planted = polish::plant_feet(recording, planting); !planted) return report(planted.error());
  }
  if (!output.look_at.empty()) {
    const auto at = [&](std::size_t i) { return static_cast<float>(output.look_at[i]); };
    if (const auto done = polish::look_at(recording.clip, {at(0), at(1), at(2)}); !done) return report(done.error());
  }
  recording.clip.name = output.clip.empty() ? name : output.clip;
  if (const auto done = write_all(recording, library, output, json_text(details)); !done) return report(done.error());

  nlohmann::json sent;
  if (!output.send.empty()) {
    const auto played = send_clip(recording.clip, output.send);
    if (!played) return report(played.error());
    sent = played->front();
  }
  const Told told = tell_of(recording.clip, recording.contacts);
  if (!command.json) {
    say("{}\n", in_words(recording));
    print_measures(told, library, output);
    if (!sent.is_null())
      say("sent {} frames to {}\n", sent["frames"].get<std::uint64_t>(), sent["to"].get<std::string>());
    return kDone;
  }
  details["motion"] = motion_json(recording.clip, told, output);
  details["motion"]["sent"] = std::move(sent);
  if (!recording.source_names.empty()) details["motion"]["pieces"] = pieces_json(recording);
  print_json(details);
  return kDone;
}

}  // namespace loom::app
