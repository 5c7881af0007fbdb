// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <loom/behavior/state_machine.h>

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

const char* holding_word(Holding holding) {
  switch (holding) {
    case Holding::kClip:
      return "clip ";
    case Holding::kFamily:
      return "family ";
    case Holding::kLabel:
      break;
  }
  return "";
}

std::string format_state(const MachineState& state) {
  std::vector<std::string> sets;
  for (const auto& set : state.takes) {
    std::vector<std::string> taken;
    for (const TakenMotion& motion : set) {
      taken.push_back(holding_word(motion.holding) + written(motion.name) + (motion.optional ? "?" : ""));
    }
    sets.push_back(fmt::format("{}", fmt::join(taken, ", ")));
  }
  return fmt::format("state {}{}{}: {}\n", written(state.name), state.whole ? " whole" : "",
                     state.optional ? " optional" : "", fmt::join(sets, " else "));
}

}  // namespace

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

Result<const Style*> StateMachine::find_style(std::string_view called) const {
  const auto style = std::find_if(styles.begin(), styles.end(), [&](const Style& s) { return s.name == called; });
  if (style != styles.end()) return &*style;
  if (called == kPlainStyle) return nullptr;
  std::vector<std::string> known;
  for (const Style& s : styles) known.push_back(s.name);
  return fail(fmt::format("machine '{}' has no style '{}'; it has: {}", name, called,
                          known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", "))));
}

std::string format_machine(const StateMachine& machine) {
  std::string text = fmt::format("machine {}\n", written(machine.name));
  for (const MachineState& state : machine.states) text += format_state(state);
  text += fmt::format("default {}\n", written(machine.states[machine.default_state].name));
  const auto state_name = [&](std::size_t state) { return written(machine.states[state].name); };
  for (const MachineTransition& t : machine.transitions) {
    text += fmt::format("transition {} -> {}{}{}\n", state_name(t.from), state_name(t.to), link_word(t.link),
                        t.weight == 1 ? "" : fmt::format(" weight {}", t.weight));
  }
  for (const MachineState& state : machine.states) {
    if (state.after) text += fmt::format("after {} -> {}\n", written(state.name), state_name(*state.after));
  }
  for (const MachineState& state : machine.states) {
    if (!state.reference) continue;
    const ReferenceMotion& reference = *state.reference;
    text += fmt::format("reference {}{}: {}{} {:.9g} {:.9g}\n", written(state.name), reference.pinned ? " pinned" : "",
                        written(reference.clip), reference.mirrored ? " mirrored" : "", reference.begin, reference.end);
  }
  for (const MachineWarp& warp : machine.warps) {
    std::vector<std::string> knots;
    for (const WarpKnot& knot : warp.knots) knots.push_back(fmt::format("{:.9g} {:.9g}", knot.from, knot.to));
    text += fmt::format("warp {} -> {}{}{}: {}\n", state_name(warp.from), state_name(warp.to),
                        warp.pinned ? " pinned" : "", warp.out ? " out" : "", fmt::join(knots, ", "));
  }
  for (const Activity& activity : machine.activities) {
    text += fmt::format("activity {}: {} in {}\n", written(activity.name), activity.kind, state_name(activity.state));
    for (const NamedNumber& setting : activity.settings) {
      text += fmt::format("  {} {:.9g}\n", setting.name, setting.value);
    }
  }
  for (const Style& style : machine.styles) {
    text += fmt::format("style {}\n", written(style.name));
    for (const Style::Change& change : style.changes) {
      text += fmt::format("  {}.{} {:.9g}\n", machine.activities[change.activity].name, change.setting.name,
                          change.setting.value);
    }
  }
  return text;
}

Result<void> check_connected(const StateMachine& machine) {
  const std::size_t count = machine.states.size();
  // Which states the default reaches, and which reach it: the same walk along transitions and against them.
  const auto walk = [&](bool forward) {
    std::vector<bool> seen(count);
    std::vector<std::size_t> open{machine.default_state};
    seen[machine.default_state] = true;
    while (!open.empty()) {
      const std::size_t state = open.back();
      open.pop_back();
      for (const MachineTransition& t : machine.transitions) {
        const std::size_t here = forward ? t.from : t.to, there = forward ? t.to : t.from;
        if (here != state || seen[there]) continue;
        seen[there] = true;
        open.push_back(there);
      }
    }
    return seen;
  };
  const std::vector<bool> reached = walk(true), returns = walk(false);
  for (std::size_t s = 0; s < count; ++s) {
    if (reached[s] && returns[s]) continue;
    const MachineState& state = machine.states[s];
    const std::string& home = machine.states[machine.default_state].name;
    return fail(fmt::format("the machine is not connected: no transitions lead {}",
                            reached[s] ? fmt::format("from '{}' back to '{}'", state.name, home)
                                       : fmt::format("from '{}' to '{}'", home, state.name)),
                state.place.file, state.place.line);
  }
  if (count == 1 && machine.transitions.empty()) {
    const MachineState& state = machine.states.front();
    return fail(fmt::format("the machine is not connected: '{}' has no transition, not even to itself", state.name),
                state.place.file, state.place.line);
  }
  return {};
}

}  // namespace loom::behavior
