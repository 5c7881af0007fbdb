// SPDX-License-Identifier: MIT
// `loom measure`: how good the motion of clips is, in numbers.
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/parallel.h>
#include <loom/measure/faults.h>
#include <loom/measure/measure.h>
#include <loom/motion/contacts.h>

#include "loom/command.h"
#include "loom/measure_body.h"
#include "loom/shapes.h"
#include "loom/source.h"
#include "loom/subcommands.h"
#include "loom/table.h"

namespace loom::app {
namespace {

using measure::Measures;
using motion::Clip;

/// All that is told of one clip.
struct Report {
  Measures measures;
  motion::Contacts contacts;
  std::vector<motion::ContactPhase> phases;  ///< empty on a skeleton without feet
  std::array<double, 4> stance_s{};          ///< seconds in each Stance
  std::vector<measure::Fault> faults;
  BodyReport body;
};

Result<Report> report_on(const Clip& clip, const Reference& reference) {
  Report report;
  auto body = look_at(clip, reference);
  if (!body) return fail_from(body);
  report.body = *body;
  if (auto contacts = motion::find_contacts(clip)) {
    report.contacts = std::move(*contacts);
    report.measures = measure::measure(clip, report.contacts);
    report.phases = motion::contact_phases(report.contacts);
  } else {
    report.measures = measure::measure(clip);
  }
  for (const motion::ContactPhase& phase : report.phases) {
    report.stance_s[static_cast<std::size_t>(phase.stance)] += static_cast<double>(phase.end - phase.begin) / clip.rate;
  }
  report.faults = measure::find_faults(clip);
  return report;
}

Result<std::vector<Report>> report_on_all(const std::vector<Clip>& clips, const Reference& reference) {
  std::vector<Result<Report>> looked(clips.size(), Report{});
  parallel_for(clips.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t c = begin; c < end; ++c) looked[c] = report_on(clips[c], reference);
  });
  std::vector<Report> reports;
  for (Result<Report>& report : looked) {
    if (!report) return fail_from(report);
    reports.push_back(std::move(*report));
  }
  return reports;
}

BodyReport bodies_together(const std::vector<Clip>& clips, const std::vector<Report>& reports) {
  std::vector<BodyReport> bodies;
  for (const Report& report : reports) bodies.push_back(report.body);
  return all_together(clips, bodies);
}

/// Figures of motion of which the longest clip has `frames` frames; null where it has no feet or too few frames.
nlohmann::json measures_json(const Measures& m, std::size_t frames) {
  return {{"has_feet", m.has_feet},
          {"foot_slide_mean_mps", value_if(m.has_feet, m.foot_slide_mean_mps)},
          {"foot_slide_max_mps", value_if(m.has_feet, m.foot_slide_max_mps)},
          {"penetration_max_m", value_if(m.has_feet, m.penetration_max_m)},
          {"largest_jump_m", value_if(frames >= kFramesOfJump, m.largest_jump_m)},
          {"jerk_rms", value_if(frames >= kFramesOfJerk, m.jerk_rms)},
          {"flight_s", value_if(m.has_feet, m.flight_s)},
          {"path_m", m.path_m},
          {"mean_speed_mps", value_if(frames >= kFramesOfSpeed, m.mean_speed_mps)},
          {"mean_turn_rate_rps", value_if(frames >= kFramesOfSpeed, m.mean_turn_rate_rps)}};
}

nlohmann::json faults_json(const Clip& clip, const std::vector<measure::Fault>& faults) {
  auto list = nlohmann::json::array();
  for (const measure::Fault& fault : faults) {
    auto frames = nlohmann::json::array();
    for (const motion::FrameRange& range : fault.frames) frames.push_back({{"from", range.begin}, {"to", range.end}});
    list.push_back(
        {{"kind", to_string(fault.kind)},
         {"frames", std::move(frames)},
         {"joint", text_or_null(fault.joint < 0 ? std::string()
                                                : clip.skeleton->joint(static_cast<std::size_t>(fault.joint)).name)},
         {"amount", fault.amount},
         {"severity", fault.severity},
         {"mendable", fault.mendable},
         {"description", fault.description}});
  }
  return list;
}

nlohmann::json report_json(const Clip& clip, const Report& report) {
  const Measures& m = report.measures;
  auto phases = nlohmann::json::array();
  for (const motion::ContactPhase& phase : report.phases) {
    phases.push_back({{"stance", to_string(phase.stance)}, {"from", phase.begin}, {"to", phase.end}});
  }
  nlohmann::json json = clip_json(clip);
  json.update(measures_json(m, clip.frames()));
  json["foot_slide_max_frame"] = value_if(m.has_feet, m.foot_slide_max_frame);
  json["penetration_max_frame"] = value_if(m.has_feet, m.penetration_max_frame);
  json["largest_jump_frame"] = value_if(clip.frames() >= kFramesOfJump, m.largest_jump_frame);
  json["jerk_max_frame"] = value_if(clip.frames() >= kFramesOfJerk, m.jerk_max_frame);
  json["floor_m"] = value_if(m.has_feet, report.contacts.floor);
  json["contact_phases"] = std::move(phases);
  json["faults"] = faults_json(clip, report.faults);
  add_json(report.body, json);
  add_frames_json(clip, report.body, json);
  return json;
}

/// One set of figures for all clips: means over their frames, worst of the worst, sums of ways and times.
Measures all_together(const std::vector<Clip>& clips, const std::vector<Report>& reports) {
  Measures all;
  double frames = 0, foot_frames = 0, seconds = 0, turn = 0;
  for (std::size_t c = 0; c < clips.size(); ++c) {
    const Measures& m = reports[c].measures;
    const auto weight = static_cast<double>(clips[c].frames());
    frames += weight;
    foot_frames += m.has_feet ? weight : 0;
    seconds += clips[c].duration();
    all.has_feet = all.has_feet || m.has_feet;
    all.foot_slide_mean_mps += m.has_feet ? weight * m.foot_slide_mean_mps : 0;
    all.foot_slide_max_mps = std::max(all.foot_slide_max_mps, m.foot_slide_max_mps);
    all.penetration_max_m = std::max(all.penetration_max_m, m.penetration_max_m);
    all.largest_jump_m = std::max(all.largest_jump_m, m.largest_jump_m);
    all.jerk_rms += weight * m.jerk_rms * m.jerk_rms;
    all.flight_s += m.flight_s;
    all.path_m += m.path_m;
    turn += m.mean_turn_rate_rps * clips[c].duration();
  }
  if (foot_frames > 0) all.foot_slide_mean_mps /= foot_frames;
  if (frames > 0) all.jerk_rms = std::sqrt(all.jerk_rms / frames);
  if (seconds > 0) all.mean_speed_mps = all.path_m / seconds, all.mean_turn_rate_rps = turn / seconds;
  return all;
}

void print_as_json(const std::vector<Clip>& clips, const std::vector<Report>& reports,
                   const std::optional<measure::Collision>& collision,
                   const std::vector<library::DamagedClip>& damaged) {
  auto list = nlohmann::json::array();
  std::size_t longest = 0;
  for (std::size_t c = 0; c < clips.size(); ++c) {
    list.push_back(report_json(clips[c], reports[c]));
    longest = std::max(longest, clips[c].frames());
  }
  nlohmann::json json = measures_json(all_together(clips, reports), longest);
  add_json(bodies_together(clips, reports), json);
  json["bodies_inside_m"] = value_if(collision.has_value(), collision.value_or(measure::Collision{}).inside_m);
  json["bodies_inside_frame"] = value_if(collision.has_value(), collision.value_or(measure::Collision{}).frame);
  json["bodies_inside_share"] = value_if(collision.has_value(), collision.value_or(measure::Collision{}).share);
  json["clips"] = std::move(list);
  json["damaged"] = damaged_json(damaged);
  print_json(json);
}

void print_one(const Clip& clip, const Report& report) {
  const Measures& m = report.measures;
  say("{}: {} frames at {:.6g} Hz, {:.2f} s\n", clip.name, clip.frames(), clip.rate, clip.duration());
  if (m.has_feet) {
    say("foot slide    {:.3f} m/s on average, {:.3f} m/s at worst (frame {})\n", m.foot_slide_mean_mps,
        m.foot_slide_max_mps, m.foot_slide_max_frame);
    say("floor         at {:.3f} m; feet sink {:.3f} m at worst (frame {})\n", report.contacts.floor,
        m.penetration_max_m, m.penetration_max_frame);
    const auto& s = report.stance_s;
    say("support       left {:.2f} s, right {:.2f} s, both {:.2f} s, none {:.2f} s\n", s[1], s[2], s[3], s[0]);
  } else {
    say("feet          none found on this skeleton\n");
  }
  say("largest jump  {:.4f} m (frame {})\n", m.largest_jump_m, m.largest_jump_frame);
  say("jerk          {:.0f} m/s³ root mean square (most in frame {})\n", m.jerk_rms, m.jerk_max_frame);
  say("path          {:.2f} m at {:.2f} m/s, turning {:+.1f} degrees a second\n", m.path_m, m.mean_speed_mps,
      m.mean_turn_rate_rps / static_cast<double>(kDegree));
  print(clip, report.body);
  for (const measure::Fault& fault : report.faults) say("fault         {}\n", fault.description);
}

std::vector<std::string> table_row(const std::string& name, const Measures& m) {
  const auto feet = [&](const char* format, double value) {
    return m.has_feet ? fmt::format(fmt::runtime(format), value) : std::string("none");
  };
  return {name,
          feet("{:.3f}", m.foot_slide_mean_mps),
          feet("{:.3f}", m.foot_slide_max_mps),
          feet("{:.3f}", m.penetration_max_m),
          fmt::format("{:.4f}", m.largest_jump_m),
          fmt::format("{:.0f}", m.jerk_rms),
          feet("{:.2f}", m.flight_s),
          fmt::format("{:.2f}", m.path_m),
          fmt::format("{:.2f}", m.mean_speed_mps)};
}

void print_table(const std::vector<Clip>& clips, const std::vector<Report>& reports) {
  Table table({"clip", "slide m/s", "worst", "sinks m", "jump m", "jerk m/s³", "flight s", "path m", "m/s"});
  for (std::size_t c = 0; c < clips.size(); ++c) table.add(table_row(clips[c].name, reports[c].measures));
  table.add(table_row("all", all_together(clips, reports)));
  table.print();
  for (std::size_t c = 0; c < clips.size(); ++c) {
    for (const measure::Fault& fault : reports[c].faults) say("{}: {}\n", clips[c].name, fault.description);
  }
}

std::vector<std::string> body_row(const std::string& name, const BodyReport& report) {
  const measure::BodyMeasures& m = report.body;
  return {name,
          fmt::format("{:.1f}", m.knee_backward_deg),
          fmt::format("{:.1f}", m.elbow_backward_deg),
          report.turns ? fmt::format("{:.1f}", report.turns->ratio) : "",
          fmt::format("{}", m.foot_reversed_frames),
          fmt::format("{:+.3f}", m.sole_height_m),
          fmt::format("{:.1f}", m.drags_per_minute),
          fmt::format("{:.2f}", m.drag_max_m),
          fmt::format("{:.1f}", 100 * m.glide_share),
          fmt::format("{:.3f}", m.self_inside_m)};
}

void print_body_table(const std::vector<Clip>& clips, const std::vector<Report>& reports) {
  Table table(
      {"clip", "knee °", "elbow °", "turns", "reversed", "sole m", "drags/min", "worst m", "glide %", "inside m"});
  for (std::size_t c = 0; c < clips.size(); ++c) table.add(body_row(clips[c].name, reports[c].body));
  table.add(body_row("all", bodies_together(clips, reports)));
  table.print();
}

struct MeasureArguments {
  Source source;
  ReferenceOptions reference;
  bool together = false;
};

/// The two clips as two bodies on one stage, where they were asked for as that.
Result<std::optional<measure::Collision>> collision_of(const std::vector<Clip>& clips, bool together) {
  if (!together) return std::nullopt;
  if (clips.size() != 2 || clips[0].rate != clips[1].rate) {
    return fail("--together takes two clips of the same rate: the two bodies");
  }
  return measure::measure_collision(clips[0], clips[1]);
}

/// The clips of a library, or of one or several files.
Result<SourceMotion> read_all(const MeasureArguments& arguments) {
  const Source& source = arguments.source;
  if (is_library(source.path) || source.clips.empty()) return read_clips(source);
  if (!arguments.reference.sources.empty()) return fail("--sources tells of one file, and here are several");
  auto all = read_clips({source.path, {}, {}});
  for (const std::string& path : source.clips) {
    if (!all) break;
    if (is_library(path)) return fail("a library cannot be measured together with files", path);
    auto more = read_clips({path, {}, {}});
    if (!more) return fail_from(more);
    std::move(more->clips.begin(), more->clips.end(), std::back_inserter(all->clips));
  }
  return all;
}

int run(const Command& command, const MeasureArguments& arguments) {
  const auto reference = read_reference(arguments.reference);
  if (!reference) return report(reference.error());
  const auto read = read_all(arguments);
  if (!read) return report(read.error());
  const std::vector<Clip>& clips = read->clips;
  const auto reports = report_on_all(clips, *reference);
  if (!reports) return report(reports.error());
  const auto collision = collision_of(clips, arguments.together);
  if (!collision) return report(collision.error());
  if (command.json) {
    print_as_json(clips, *reports, *collision, read->damaged);
  } else if (clips.size() == 1) {
    print_one(clips.front(), reports->front());
  } else {
    print_table(clips, *reports);
    print_body_table(clips, *reports);
    if (*collision) {
      say("the two bodies are {:.3f} m inside each other at worst (frame {}), {:.1f} % of the time\n",
          (*collision)->inside_m, (*collision)->frame, 100 * (*collision)->share);
    }
  }
  return read->damaged.empty() ? kDone : kFailed;
}

}  // namespace

void add_measure(Commands& commands) {
  auto arguments = std::make_shared<MeasureArguments>();
  Command& command = commands.add(
      "measure", "tell how good motion is: feet, floor, jumps, jerk, path, joints, body, contacts and faults",
      "loom measure play.glb --reference moves.loom --sources play.csv");
  Options& options = *command.options;
  options.add_option("path", arguments->source.path, "a motion file or a library")->required();
  options.add_option("clip", arguments->source.clips, "clips of the library, all by default; or more files");
  add_body_option(options, arguments->source.body);
  options.add_option("--reference", arguments->reference.reference,
                     "recordings to compare the turning of joints with: a library, perhaps clips of it, or a file");
  options.add_option("--sources", arguments->reference.sources,
                     "where each frame was taken from, as the --sources of other commands writes it");
  options.add_option("--floor", arguments->reference.floor, "height of the floor in metres (found in the motion)");
  options.add_flag("--together", arguments->together, "the two clips are two bodies on one stage");
  command.run = [arguments](const Command& self) { return run(self, *arguments); };
}

}  // namespace loom::app
