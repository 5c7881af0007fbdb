// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <loom/base/text.h>
#include <loom/fight/style_sliders.h>

namespace loom::fight {
namespace {

constexpr float kNearest = 0.7f, kFarthest = 1.5f;  ///< metres kept from the opponent at either end of the slider
constexpr float kLeastPriority = 10, kPriorityRange = 40;
constexpr float kEvadePriorityRange = 45;  ///< of two equally eager activities evading is asked first (Chiu 2007 §5)

enum SliderIndex : std::size_t { kPunch, kKick, kEvade, kDistance };

/// Nothing for an activity that no slider is about.
std::optional<std::size_t> slider_of(const Activity& activity) {
  switch (activity.kind) {
    case ActivityKind::kAttack:
      return activity.name.find("kick") != std::string::npos ? kKick : kPunch;
    case ActivityKind::kEvade:
      return kEvade;
    case ActivityKind::kReact:
      return std::nullopt;  // nobody chooses to be hit
    case ActivityKind::kShadow:
      break;
  }
  return kDistance;
}

float& setting(Activity& activity, Setting which) { return activity.settings[static_cast<std::size_t>(which)]; }

void set(Activity& activity, float value) {
  if (activity.kind == ActivityKind::kShadow) {
    setting(activity, Setting::kDistance) = kNearest + (kFarthest - kNearest) * value;
    return;
  }
  const float range = activity.kind == ActivityKind::kEvade ? kEvadePriorityRange : kPriorityRange;
  setting(activity, Setting::kEager) = value;
  setting(activity, Setting::kPriority) = kLeastPriority + range * value;
}

std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find(at));
    if (!part.empty()) parts.emplace_back(part);
    text.remove_prefix(std::min(text.size(), part.size() + 1));
  }
  return parts;
}

}  // namespace

std::array<std::optional<float>, kSliders.size()> sliders_of(std::span<const Activity> activities) {
  std::array<std::optional<float>, kSliders.size()> values;
  for (const Activity& activity : activities) {
    const float value = activity.kind == ActivityKind::kShadow
                            ? (activity[Setting::kDistance] - kNearest) / (kFarthest - kNearest)
                            : activity[Setting::kEager];
    if (const auto slider = slider_of(activity)) values[*slider] = std::clamp(value, 0.0f, 1.0f);
  }
  return values;
}

Result<void> set_slider(std::span<Activity> activities, std::string_view written) {
  const std::string_view name = written.substr(0, written.find('='));
  const auto slider = static_cast<std::size_t>(std::find(kSliders.begin(), kSliders.end(), name) - kSliders.begin());
  if (slider == kSliders.size()) {
    return fail(fmt::format("there is no slider '{}'; there are: {}", name, fmt::join(kSliders, ", ")));
  }
  const auto value = parse_number(written.substr(std::min(written.size(), name.size() + 1)));
  if (!value || !(*value >= 0 && *value <= 1)) {
    return fail(fmt::format("'{}': a slider is set to a number from 0 to 1, as in {}=0.5", written, name));
  }
  bool found = false;
  for (Activity& activity : activities) {
    if (slider_of(activity) != slider) continue;
    set(activity, static_cast<float>(*value));
    found = true;
  }
  if (!found) return fail(fmt::format("no activity of the machine has the slider '{}'", name));
  return {};
}

std::vector<std::vector<std::string>> parse_styles(std::string_view text) {
  std::vector<std::vector<std::string>> styles;
  for (const std::string& fighter : split(text, ',')) styles.push_back(split(fighter, '+'));
  return styles;
}

}  // namespace loom::fight
