// SPDX-License-Identifier: MIT
#include "loom/measure_body.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/csv.h>
#include <loom/base/file.h>

#include "loom/command.h"
#include "loom/shapes.h"
#include "loom/source.h"

namespace loom::app {
namespace {

/// At which commands that make motion read recordings, unless told otherwise.
constexpr std::array<double, 3> kSourceRates{30, 60, 120};
/// The name of a point as in WorldPoses: of a joint, or of the one a limb ends at.
std::string point_name(const motion::Skeleton& skeleton, std::size_t point) {
  if (point < skeleton.size()) return skeleton.joint(point).name;
  return "end of " + skeleton.joint(static_cast<std::size_t>(skeleton.end_sites()[point - skeleton.size()].joint)).name;
}

constexpr std::string_view kMirrored = " (mirrored)";

/// The clip and frame that one record tells: frame,seconds,clip,source_frame.
std::optional<motion::SourceFrame> parse_source(const std::vector<std::string>& fields,
                                                const std::map<std::string, std::uint32_t>& numbers) {
  if (fields.size() != 4) return std::nullopt;
  const auto found = numbers.find(fields[2]);
  motion::SourceFrame source;
  const std::string& number = fields[3];
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), source.frame);
  if (found == numbers.end() || error != std::errc() || end != number.data() + number.size()) return std::nullopt;
  source.clip = found->second;
  return source;
}

Result<std::vector<motion::SourceFrame>> read_sources(const std::string& path,
                                                      const std::vector<motion::Clip>& recordings) {
  const auto file = load_file(path);
  if (!file) return fail_from(file);
  std::map<std::string, std::uint32_t> numbers;
  for (std::size_t c = 0; c < recordings.size(); ++c) {
    numbers[recordings[c].name] = static_cast<std::uint32_t>(c);
    numbers[recordings[c].name + std::string(kMirrored)] = static_cast<std::uint32_t>(c);  // knees open alike
  }
  std::vector<motion::SourceFrame> sources;
  CsvReader reader(file->text());
  for (bool header = true; !reader.at_end(); header = false) {
    const std::size_t line = reader.line();
    const auto fields = reader.next(path);
    if (!fields) return fail_from(fields);
    if (header) continue;
    const auto source = parse_source(*fields, numbers);
    if (!source) return fail("expected frame,seconds,clip,source_frame with a clip of the reference", path, line);
    sources.push_back(*source);
  }
  return sources;
}

/// The recordings at the rate at which the sources count their frames.
Result<std::vector<motion::Clip>> at_source_rate(const Reference& reference, double rate) {
  const double played = measure::measure_source_rate(reference.sources, rate);
  const double used = *std::min_element(kSourceRates.begin(), kSourceRates.end(), [&](double a, double b) {
    return std::abs(std::log(a / played)) < std::abs(std::log(b / played));
  });
  std::vector<motion::Clip> recordings;
  for (const motion::Clip& clip : reference.recordings) {
    auto resampled = motion::resample(clip, used);
    if (!resampled) return fail_from(resampled);
    recordings.push_back(std::move(*resampled));
  }
  return recordings;
}

double per_clip(const std::optional<double>& value) { return value.value_or(0); }

nlohmann::json or_null(const std::optional<double>& value) {
  return value ? nlohmann::json(*value) : nlohmann::json(nullptr);
}

}  // namespace

Result<Reference> read_reference(const ReferenceOptions& options) {
  Reference reference;
  reference.floor = options.floor;
  if (options.reference.empty()) {
    if (!options.sources.empty()) return fail("--sources needs the recordings too: --reference LIBRARY");
    return reference;
  }
  auto recordings =
      read_clips({options.reference.front(), {options.reference.begin() + 1, options.reference.end()}, {}});
  if (!recordings) return fail_from(recordings);
  reference.recordings = std::move(recordings->clips);
  auto limits = measure::learn_turn_limits(reference.recordings);
  if (!limits) return fail_from(limits);
  reference.limits = std::move(*limits);
  if (options.sources.empty()) return reference;
  auto sources = read_sources(options.sources, reference.recordings);
  if (!sources) return fail_from(sources);
  reference.sources = std::move(*sources);
  return reference;
}

Result<BodyReport> look_at(const motion::Clip& clip, const Reference& reference) {
  BodyReport report;
  report.body = measure::measure_body(clip, {reference.floor});
  const bool comparable =
      reference.limits && motion::same_hierarchy(*clip.skeleton, *reference.recordings.front().skeleton);
  if (comparable) report.turns = measure::measure_turns(clip, *reference.limits);
  if (reference.sources.empty()) return report;
  const auto recordings = at_source_rate(reference, clip.rate);
  if (!recordings) return fail_from(recordings);
  const auto lost = measure::measure_straightness_lost(clip, reference.sources, *recordings);
  if (!lost) return fail_from(lost);
  report.straightness_lost_deg = *lost;
  report.stutter_share = measure::measure_stutter(reference.sources, clip.rate);
  return report;
}

BodyReport all_together(const std::vector<motion::Clip>& clips, const std::vector<BodyReport>& reports) {
  BodyReport all;
  double seconds = 0;
  const auto worst = [](double& into, double value) { into = std::max(into, value); };
  for (std::size_t c = 0; c < clips.size(); ++c) {
    const measure::BodyMeasures& m = reports[c].body;
    const double weight = static_cast<double>(clips[c].frames()) / clips[c].rate;
    seconds += weight;
    worst(all.body.knee_backward_deg, m.knee_backward_deg);
    worst(all.body.elbow_backward_deg, m.elbow_backward_deg);
    worst(all.body.drag_max_m, m.drag_max_m);
    worst(all.body.self_inside_m, m.self_inside_m);
    worst(all.body.head_acceleration_mps2, m.head_acceleration_mps2);
    worst(all.body.joint_acceleration_mps2, m.joint_acceleration_mps2);
    all.body.has_head = all.body.has_head || m.has_head;
    all.body.sole_lowest_m = std::min(all.body.sole_lowest_m, m.sole_lowest_m);
    all.body.knee_backward_frames += m.knee_backward_frames;
    all.body.elbow_backward_frames += m.elbow_backward_frames;
    all.body.foot_reversed_frames += m.foot_reversed_frames;
    all.body.has_feet = all.body.has_feet || m.has_feet;
    all.body.sole_height_m += weight * m.sole_height_m;
    all.body.glide_share += weight * m.glide_share;
    all.body.drags_per_minute += weight * m.drags_per_minute;
    all.body.self_inside_share += weight * m.self_inside_share;
    if (reports[c].turns) {
      if (!all.turns) all.turns.emplace();
      worst(all.turns->ratio, reports[c].turns->ratio);
      all.turns->frames += reports[c].turns->frames;
    }
    if (reports[c].straightness_lost_deg) {
      all.straightness_lost_deg = per_clip(all.straightness_lost_deg) + weight * *reports[c].straightness_lost_deg;
      all.stutter_share = per_clip(all.stutter_share) + weight * per_clip(reports[c].stutter_share);
    }
  }
  if (seconds <= 0) return all;
  for (double* mean :
       {&all.body.sole_height_m, &all.body.glide_share, &all.body.drags_per_minute, &all.body.self_inside_share}) {
    *mean /= seconds;
  }
  if (all.straightness_lost_deg) *all.straightness_lost_deg /= seconds, *all.stutter_share /= seconds;
  return all;
}

void add_json(const BodyReport& report, nlohmann::json& json) {
  const measure::BodyMeasures& m = report.body;
  json["knee_backward_deg"] = m.knee_backward_deg;
  json["knee_backward_frames"] = m.knee_backward_frames;
  json["elbow_backward_deg"] = m.elbow_backward_deg;
  json["elbow_backward_frames"] = m.elbow_backward_frames;
  json["foot_reversed_frames"] = value_if(m.has_feet, m.foot_reversed_frames);
  json["sole_height_m"] = value_if(m.has_feet, m.sole_height_m);
  json["sole_lowest_m"] = value_if(m.has_feet, m.sole_lowest_m);
  json["glide_share"] = value_if(m.has_feet, m.glide_share);
  json["drags_per_minute"] = value_if(m.has_feet, m.drags_per_minute);
  json["drag_max_m"] = value_if(m.has_feet, m.drag_max_m);
  json["head_acceleration_mps2"] = value_if(m.has_head, m.head_acceleration_mps2);
  json["joint_acceleration_mps2"] = m.joint_acceleration_mps2;
  json["self_inside_m"] = m.self_inside_m;
  json["self_inside_share"] = m.self_inside_share;
  json["joint_turn_ratio"] = or_null(report.turns ? std::optional(report.turns->ratio) : std::nullopt);
  json["joint_flip_frames"] = report.turns ? nlohmann::json(report.turns->frames) : nlohmann::json(nullptr);
  json["straightness_lost_deg"] = or_null(report.straightness_lost_deg);
  json["stutter_share"] = or_null(report.stutter_share);
}

void add_frames_json(const motion::Clip& clip, const BodyReport& report, nlohmann::json& json) {
  const measure::BodyMeasures& m = report.body;
  json["knee_backward_frame"] = m.knee_backward_frame;
  json["elbow_backward_frame"] = m.elbow_backward_frame;
  json["foot_reversed_frame"] = value_if(m.has_feet, m.foot_reversed_frame);
  json["sole_lowest_frame"] = value_if(m.has_feet, m.sole_lowest_frame);
  json["glide_frame"] = value_if(m.has_feet, m.glide_frame);
  json["drag_max_frame"] = value_if(m.has_feet, m.drag_max_frame);
  json["head_acceleration_frame"] = value_if(m.has_head, m.head_acceleration_frame);
  json["joint_acceleration_frame"] = m.joint_acceleration_frame;
  json["joint_acceleration_joint"] = point_name(*clip.skeleton, m.joint_acceleration_point);
  json["self_inside_frame"] = m.self_inside_frame;
  const bool turns = report.turns.has_value();
  json["joint_turn_frame"] = value_if(turns, turns ? report.turns->frame : 0);
  json["joint_turn_joint"] = text_or_null(turns ? clip.skeleton->joint(report.turns->joint).name : std::string());
}

void print(const motion::Clip& clip, const BodyReport& report) {
  const measure::BodyMeasures& m = report.body;
  say("bent wrongly  knees by {:.1f} degrees at worst (frame {}), elbows by {:.1f} (frame {})\n", m.knee_backward_deg,
      m.knee_backward_frame, m.elbow_backward_deg, m.elbow_backward_frame);
  say("inside itself {:.3f} m at worst (frame {}), {:.1f} % of the time\n", m.self_inside_m, m.self_inside_frame,
      100 * m.self_inside_share);
  say("joints        accelerate by {:.0f} m/s² at worst ({}, frame {})\n", m.joint_acceleration_mps2,
      point_name(*clip.skeleton, m.joint_acceleration_point), m.joint_acceleration_frame);
  if (m.has_head) {
    say("head          accelerates by {:.0f} m/s² at worst (frame {})\n", m.head_acceleration_mps2,
        m.head_acceleration_frame);
  }
  if (m.has_feet) {
    say("soles         {:+.3f} m from the floor where planted, {:+.3f} m at the lowest (frame {})\n", m.sole_height_m,
        m.sole_lowest_m, m.sole_lowest_frame);
    say("drags         {:.1f} a minute, {:.2f} m at worst (frame {}); gliding {:.1f} % of the time\n",
        m.drags_per_minute, m.drag_max_m, m.drag_max_frame, 100 * m.glide_share);
    if (m.foot_reversed_frames > 0) {
      say("feet turned   round in {} frames, first in frame {}\n", m.foot_reversed_frames, m.foot_reversed_frame);
    }
  }
  if (report.turns) {
    say("joint turns   {:.1f} times what recordings have, at worst ({}, frame {})\n", report.turns->ratio,
        clip.skeleton->joint(report.turns->joint).name, report.turns->frame);
  }
  if (!report.straightness_lost_deg) return;
  say("against its sources: knees open {:.1f} degrees less; stutters {:.1f} % of the time\n",
      *report.straightness_lost_deg, 100 * per_clip(report.stutter_share));
}

}  // namespace loom::app
