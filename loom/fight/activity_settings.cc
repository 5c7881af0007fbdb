// SPDX-License-Identifier: MIT
#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <loom/base/text.h>
#include <loom/fight/activity_settings.h>
#include <loom/fight/style_sliders.h>

namespace loom::fight {
namespace {

using behavior::NamedNumber;

/// In the order of `ActivityKind`; their first letters are those of SettingInfo::kinds.
constexpr std::array<std::string_view, 4> kKinds = {"shadow", "attack", "evade", "react"};

bool has(std::size_t setting, ActivityKind kind) {
  return std::string_view(setting_infos()[setting].kinds).find(kKinds[static_cast<std::size_t>(kind)].front()) !=
         std::string_view::npos;
}

Result<ActivityKind> kind_of(const behavior::Activity& activity) {
  const auto found = std::find(kKinds.begin(), kKinds.end(), activity.kind);
  if (found != kKinds.end()) return static_cast<ActivityKind>(found - kKinds.begin());
  return fail(
      fmt::format("an activity of a fighter is {}; found {}", fmt::join(kKinds, ", "), in_quotes(activity.kind)),
      activity.place.file, activity.place.line);
}

/// Sets one number of an activity.
Result<void> apply(const NamedNumber& written, Activity& activity) {
  const auto wrong = [&](const std::string& message) { return fail(message, written.place.file, written.place.line); };
  std::vector<std::string> known;
  for (std::size_t s = 0; s < kSettingCount; ++s) {
    if (!has(s, activity.kind)) continue;
    const SettingInfo& info = setting_infos()[s];
    known.emplace_back(info.name);
    if (written.name != info.name) continue;
    if (!(written.value >= info.least && written.value <= info.most)) {
      return wrong(fmt::format("{} lies between {} and {}; found {}", info.name, info.least, info.most, written.value));
    }
    activity.settings[s] = written.value;
    return {};
  }
  return wrong(fmt::format("activity '{}' has no setting {}; it has: {}", activity.name, in_quotes(written.name),
                           fmt::join(known, ", ")));
}

/// An activity without any style.
Result<Activity> plain(const behavior::Activity& written) {
  const auto kind = kind_of(written);
  if (!kind) return fail_from(kind);
  Activity activity{written.name, *kind, written.state, {}};
  for (std::size_t s = 0; s < kSettingCount; ++s) activity.settings[s] = setting_infos()[s].usual;
  for (const NamedNumber& setting : written.settings) {
    if (const auto set = apply(setting, activity); !set) return fail_from(set);
  }
  return activity;
}

/// All activities of a machine without any style.
Result<std::vector<Activity>> plain_activities(const behavior::StateMachine& machine) {
  std::vector<Activity> activities;
  for (const behavior::Activity& written : machine.activities) {
    auto activity = plain(written);
    if (!activity) return fail_from(activity);
    activities.push_back(std::move(*activity));
  }
  return activities;
}

Result<void> apply(const behavior::Style& style, std::vector<Activity>& activities) {
  for (const behavior::Style::Change& change : style.changes) {
    if (const auto set = apply(change.setting, activities[change.activity]); !set) return fail_from(set);
  }
  return {};
}

}  // namespace

const std::array<SettingInfo, kSettingCount>& setting_infos() {
  static const std::array<SettingInfo, kSettingCount> infos = {{
      {"priority", "sae", 1, 0, 1000, "activities are asked from the highest down"},
      {"eager", "sae", 1, 0, 1, "chance that a reasonable offer is taken when it is made"},
      {"rest", "sae", 0, 0, 60, "seconds between two uses, at least"},
      {"distance", "s", 1.2f, 0.3f, 10, "metres to keep from the opponent"},
      {"distance-weight", "s", 1, 0, 100, "cost of a metre too near or too far"},
      {"facing-weight", "s", 0.6f, 0, 100, "cost of a radian turned away"},
      {"reach", "a", 0.1f, 0, 2, "metres a blow may be predicted to miss by"},
      {"delay", "ae", 0.4f, 0, 10, "seconds the way to the action may take"},
      {"head", "a", 1, 0, 1, "whether the head is a target: 0 or 1"},
      {"chest", "a", 1, 0, 1, "whether the chest is a target: 0 or 1"},
      {"abdomen", "a", 1, 0, 1, "whether the abdomen is a target: 0 or 1"},
      {"danger", "e", 0.25f, 0, 5, "metres: a blow predicted to pass nearer is evaded"},
      {"near", "e", 0.6f, 0, 10, "metres: an opponent nearer than this is evaded"},
      {"longest", "ae", 6, 0.1f, 60, "seconds an action may last: who does a longer one can do nothing else"},
  }};
  return infos;
}

Result<std::vector<Activity>> activities_in(const behavior::StateMachine& machine,
                                            const std::vector<std::string>& styles) {
  auto activities = plain_activities(machine);
  if (!activities) return activities;
  for (const std::string& called : styles) {
    if (called.find('=') != std::string::npos) {
      if (const auto set = set_slider(*activities, called); !set) return fail_from(set);
      continue;
    }
    const auto style = machine.find_style(called);
    if (!style) return fail_from(style);
    if (*style == nullptr) continue;
    if (const auto set = apply(**style, *activities); !set) return fail_from(set);
  }
  return activities;
}

Result<void> settle_activities(behavior::StateMachine& machine) {
  const auto activities = plain_activities(machine);
  if (!activities) return fail_from(activities);
  for (const behavior::Style& style : machine.styles) {
    std::vector<Activity> changed = *activities;
    if (const auto set = apply(style, changed); !set) return fail_from(set);
  }
  for (std::size_t a = 0; a < activities->size(); ++a) {
    behavior::Activity& written = machine.activities[a];
    written.settings.clear();
    for (std::size_t s = 0; s < kSettingCount; ++s) {
      if (!has(s, (*activities)[a].kind)) continue;
      written.settings.push_back({setting_infos()[s].name, (*activities)[a].settings[s], written.place});
    }
  }
  return {};
}

}  // namespace loom::fight
