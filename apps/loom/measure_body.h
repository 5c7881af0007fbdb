// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <loom/base/result.h>
#include <loom/measure/body_measures.h>
#include <loom/measure/reference_measures.h>

namespace loom::app {

/// What `loom measure` compares motion with, as far as it was given.
struct ReferenceOptions {
  std::vector<std::string> reference;  ///< a library or a file, and clips of the library
  std::string sources;                 ///< a CSV file as --sources of the commands that make motion writes it
  std::optional<float> floor;
};

/// The same, read.
struct Reference {
  std::vector<motion::Clip> recordings;
  std::optional<measure::TurnLimits> limits;
  std::vector<motion::SourceFrame> sources;  ///< counting `recordings`; empty where they were not given
  std::optional<float> floor;
};

/// Reads what was asked for. Fails on sources without a reference and on clips that the reference does not have.
Result<Reference> read_reference(const ReferenceOptions& options);

/// What a close look at a clip shows.
struct BodyReport {
  measure::BodyMeasures body;
  std::optional<measure::TurnRatio> turns;                     ///< only with a reference on the same joints
  std::optional<double> straightness_lost_deg, stutter_share;  ///< only with sources
};

/// Looks at one clip. Fails when the sources are not those of this clip.
Result<BodyReport> look_at(const motion::Clip& clip, const Reference& reference);

/// One set of figures for all clips: means over their frames, worst of the worst, sums of frames.
BodyReport all_together(const std::vector<motion::Clip>& clips, const std::vector<BodyReport>& reports);

/// Adds the figures to `json`; null where there are no feet, or nothing was given to compare with.
void add_json(const BodyReport& report, nlohmann::json& json);
/// And where the worst of each is.
void add_frames_json(const motion::Clip& clip, const BodyReport& report, nlohmann::json& json);

/// The figures as lines of text.
void print(const motion::Clip& clip, const BodyReport& report);

}  // namespace loom::app
