// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <loom/base/result.h>
#include <loom/library/library.h>
#include <loom/motion/clip.h>

namespace loom::io {
struct ReadClip;
}

namespace loom::app {

// What several commands print with --json has one shape in all of them; docs/json.md tells each field.

/// A clip: name, frames, rate, seconds, joints; of a library also body, hash and labels.
nlohmann::json clip_json(const motion::Clip& clip);
nlohmann::json clip_json(const library::ClipInfo& clip);
/// Of a motion file also how it was read: unit, up axis, what was guessed, notes and warnings.
nlohmann::json clip_json(const io::ReadClip& read);

/// The labels in use, each with how much of the library carries it.
nlohmann::json label_totals_json(const std::vector<library::LabelTotal>& totals);

/// Something built of clips: kind, name, bytes, created and parameters.
nlohmann::json artefact_json(const library::ArtefactInfo& info);
/// The one called so in the library: what a builder has just stored.
Result<nlohmann::json> artefact_json(const library::Library& library, const std::string& kind, const std::string& name);

/// Frames a clip must have at least for a figure of it to mean anything: differences take one more than their order.
inline constexpr std::size_t kFramesOfSpeed = 2, kFramesOfJump = 3, kFramesOfJerk = 4;

/// What has no value is null: `value` where there is one.
template <typename Value>
nlohmann::json value_if(bool there, const Value& value) {
  return there ? nlohmann::json(value) : nlohmann::json();
}
inline nlohmann::json text_or_null(const std::string& text) { return value_if(!text.empty(), text); }

}  // namespace loom::app
