// SPDX-License-Identifier: MIT
#include "loom/shapes.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/json_text.h>
#include <loom/io/read.h>

namespace loom::app {

nlohmann::json clip_json(const motion::Clip& clip) {
  return {{"name", clip.name},
          {"frames", clip.frames()},
          {"rate", clip.rate},
          {"seconds", clip.duration()},
          {"joints", clip.joints()}};
}

nlohmann::json clip_json(const library::ClipInfo& clip) {
  auto labels = nlohmann::json::array();
  for (const motion::Label& label : clip.labels) {
    labels.push_back({{"label", label.name}, {"from", label.begin}, {"to", label.end}});
  }
  return {{"name", clip.name},     {"frames", clip.frames}, {"rate", clip.rate}, {"seconds", clip.duration()},
          {"joints", clip.joints}, {"body", clip.skeleton}, {"hash", clip.hash}, {"labels", std::move(labels)}};
}

nlohmann::json clip_json(const io::ReadClip& read) {
  auto json = clip_json(read.clip);
  json.update({{"metres_per_unit", read.metres_per_unit},
               {"scale_guessed", read.scale_guessed},
               {"up", std::string(1, "xyz"[read.up_axis])},
               {"up_guessed", read.up_guessed},
               {"t_pose_dropped", read.frames_dropped > 0},
               {"notes", read.notes},
               {"warnings", read.warnings}});
  return json;
}

nlohmann::json label_totals_json(const std::vector<library::LabelTotal>& totals) {
  auto list = nlohmann::json::array();
  for (const library::LabelTotal& total : totals) {
    list.push_back({{"label", total.name},
                    {"clip_count", total.clips},
                    {"range_count", total.ranges},
                    {"seconds", total.seconds}});
  }
  return list;
}

nlohmann::json artefact_json(const library::ArtefactInfo& info) {
  return {{"kind", info.kind},
          {"name", info.name},
          {"bytes", info.bytes},
          {"created", info.created},
          {"parameters", parse_json(info.parameters)}};
}

Result<nlohmann::json> artefact_json(const library::Library& library, const std::string& kind,
                                     const std::string& name) {
  const auto all = library.artefacts(kind);
  if (!all) return fail_from(all);
  for (const library::ArtefactInfo& info : *all) {
    if (info.name == name) return artefact_json(info);
  }
  return fail_as(ErrorKind::kNotFound, fmt::format("there is no {} called '{}'", kind, name), library.path());
}

}  // namespace loom::app
