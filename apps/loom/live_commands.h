// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include <loom/base/result.h>
#include <loom/live/calibration.h>
#include <loom/live/live_source.h>

namespace loom::app {

class Commands;

/// What `loom live --help` says of the group.
inline constexpr const char* kLiveAbout = "motion as it is made: from sensors and other programs, and to them";

/// What a source did, for --json and for people.
nlohmann::json statistics_json(const live::SourceStatistics& statistics);
std::string describe(const live::SourceStatistics& statistics);

/// The calibration in the file `path`; an empty one where that is empty.
Result<live::Calibration> load_calibration(const std::string& path);

// One function a subcommand of the group.
void add_live_calibrate(Commands& commands);
void add_live_list(Commands& commands);
void add_live_record(Commands& commands);
void add_live_replay(Commands& commands);
void add_live_send(Commands& commands);

}  // namespace loom::app
