// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <loom/behavior/state_machine.h>
#include <loom/behavior/style_sliders.h>

namespace loom::behavior {
namespace {

/// A name as the reader takes it: in quotes, unless it is plainly one word.
std::string written(const std::string& name) {
  const bool plain = !name.empty() && name != "else" && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  }) && name.front() != '-';
  return plain ? name : '"' + name + '"';
}

const char* link_word(Link link) {
  switch (link) {
    case Link::kSelf:
      return " self";
    case Link::kFull:
      return " full";
    case Link::kPlain:
      break;
  }
  return "";
}

const char* kind_word(ActivityKind kind) {
  switch (kind) {
    case ActivityKind::kAttack:
      return "attack";
    case ActivityKind::kEvade:
      return "evade";
    case ActivityKind::kReact:
      return "react";
    case ActivityKind::kShadow:
      break;
  }
  return "shadow";
}

std::string format_state(const MachineState& state) {
  std::vector<std::string> sets;
  for (const auto& set : state.labels) {
    std::vector<std::string> labels;
    for (const TakenLabel& label : set) labels.push_back(written(label.name) + (label.optional ? "?" : ""));
    sets.push_back(fmt::format("{}", fmt::join(labels, ", ")));
  }
  return fmt::format("state {}{}{}: {}\n", written(state.name), state.whole ? " whole" : "",
                     state.optional ? " optional" : "", fmt::join(sets, " else "));
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
  }};
  return infos;
}

std::optional<std::size_t> StateMachine::find_state(std::string_view state) const {
  const auto found = std::find_if(states.begin(), states.end(), [&](const auto& s) { return s.name == state; });
  if (found == states.end()) return std::nullopt;
  return static_cast<std::size_t>(found - states.begin());
}

const MachineTransition* StateMachine::find_transition(std::size_t from, std::size_t to) const {
  const auto found = std::find_if(transitions.begin(), transitions.end(),
                                  [&](const MachineTransition& t) { return t.from == from && t.to == to; });
  return found == transitions.end() ? nullptr : &*found;
}

Result<std::vector<Activity>> StateMachine::activities_in(const std::vector<std::string>& wanted) const {
  std::vector<Activity> result = activities;
  for (const std::string& called : wanted) {
    if (called.find('=') != std::string::npos) {
      if (const auto ok = set_slider(result, called); !ok) return fail_from(ok);
      continue;
    }
    const auto style = std::find_if(styles.begin(), styles.end(), [&](const Style& s) { return s.name == called; });
    if (style == styles.end() && called == kPlainStyle) continue;
    if (style == styles.end()) {
      std::vector<std::string> known;
      for (const Style& s : styles) known.push_back(s.name);
      return fail(fmt::format("machine '{}' has no style '{}'; it has: {}", name, called,
                              known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", "))));
    }
    for (const Style::Change& change : style->changes) {
      result[change.activity].settings[static_cast<std::size_t>(change.setting)] = change.value;
    }
  }
  return result;
}

std::string format_machine(const StateMachine& machine) {
  std::string text = fmt::format("machine {}\n", written(machine.name));
  for (const MachineState& state : machine.states) text += format_state(state);
  text += fmt::format("default {}\n", written(machine.states[machine.default_state].name));
  const auto state_name = [&](std::size_t state) { return written(machine.states[state].name); };
  for (const MachineTransition& t : machine.transitions) {
    text += fmt::format("transition {} -> {}{}\n", state_name(t.from), state_name(t.to), link_word(t.link));
  }
  const auto& infos = setting_infos();
  for (const Activity& activity : machine.activities) {
    text += fmt::format("activity {}: {} in {}\n", written(activity.name), kind_word(activity.kind),
                        state_name(activity.state));
    for (std::size_t s = 0; s < kSettingCount; ++s) {
      if (std::string_view(infos[s].kinds).find(kind_word(activity.kind)[0]) == std::string_view::npos) continue;
      text += fmt::format("  {} {:.9g}\n", infos[s].name, activity.settings[s]);
    }
  }
  for (const Style& style : machine.styles) {
    text += fmt::format("style {}\n", written(style.name));
    for (const Style::Change& change : style.changes) {
      text += fmt::format("  {}.{} {:.9g}\n", machine.activities[change.activity].name,
                          infos[static_cast<std::size_t>(change.setting)].name, change.value);
    }
  }
  return text;
}

}  // namespace loom::behavior
