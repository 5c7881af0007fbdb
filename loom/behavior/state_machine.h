// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <loom/base/result.h>

namespace loom::behavior {

/// Where in a machine file something was written, so that what is wrong with it later can still be told by line.
struct Place {
  std::string file;
  std::size_t line = 0;
};

/// A label of the library that a state takes.
struct TakenLabel {
  std::string name;
  bool optional = false;  ///< written with '?': the library may lack it
  Place place;
};

/// A state of the character: what it is doing, in a designer's words.
struct MachineState {
  std::string name;
  /// Labels whose motion belongs to the state. Of several sets (`else`) the first of which the library has anything
  /// counts. Where motion carries labels of several states, the state written first takes it.
  std::vector<std::vector<TakenLabel>> labels;
  /// Its motion is played in whole actions, a punch or a slip: entered only at their beginning, left only at their end.
  bool whole = false;
  /// The library may lack all of its motion; then the state is never come into.
  bool optional = false;
  Place place;
};

/// How a transition of the machine may be taken (Chiu 2007 §4).
enum class Link : std::uint8_t {
  kPlain,  ///< where the motion graph has a transition
  kSelf,   ///< from a state to itself: one may stay for ever
  kFull,   ///< fully connected: from every node of one state the quickest way to every node of the other is kept ready
};

struct MachineTransition {
  std::size_t from = 0, to = 0;  ///< states
  Link link = Link::kPlain;
  Place place;
};

/// What an activity controller judges motion by (Chiu 2007 §6).
enum class ActivityKind : std::uint8_t {
  kShadow,  ///< distance and facing to the opponent at the end
  kAttack,  ///< distance from fist or foot to the opponent's body at the first contact
  kEvade,   ///< distance to the opponent at the end
  kReact,   ///< how the body moves when it is hit, against where and how hard; begun by the blow, never chosen
};

/// The numbers that configure an activity; `setting_infos` says which are whose, and what they may be.
enum class Setting : std::uint8_t {
  kPriority,
  kEager,
  kRest,
  kDistance,
  kDistanceWeight,
  kFacingWeight,
  kReach,
  kDelay,
  kHead,
  kChest,
  kAbdomen,
  kDanger,
  kNear,
  kCount,
};
inline constexpr std::size_t kSettingCount = static_cast<std::size_t>(Setting::kCount);

struct SettingInfo {
  const char* name;
  const char* kinds;  ///< the activities that have it, by their first letters; "saer" is all
  float usual, least, most;
  const char* meaning;
};

/// In the order of `Setting`.
const std::array<SettingInfo, kSettingCount>& setting_infos();

/// A controller of one state, polled by the supervisor in order of priority.
struct Activity {
  std::string name;
  ActivityKind kind = ActivityKind::kShadow;
  std::size_t state = 0;
  std::array<float, kSettingCount> settings{};
  Place place;

  [[nodiscard]] float operator[](Setting setting) const { return settings[static_cast<std::size_t>(setting)]; }
};

/// What one calls a machine's activities as they are, where it has no style of that name.
inline constexpr std::string_view kPlainStyle = "plain";

/// A way of fighting: activities with some of their numbers changed.
struct Style {
  struct Change {
    std::size_t activity = 0;
    Setting setting = Setting::kPriority;
    float value = 0;
  };
  std::string name;
  std::vector<Change> changes;
  Place place;
};

/// A finite state machine of behaviors, and how a character with it decides for itself.
///
/// The text format, one statement a line, '#' starts a comment:
///
///     machine NAME
///     include "FILE"                                  relative to the file it is written in
///     state NAME [whole] [optional]: LABEL, LABEL? [else LABEL]   '?', optional: the library may lack it
///     default NAME                                    the state to come back to; the first one where not given
///     transition STATE -> STATE [self | full]
///     activity NAME: shadow | attack | evade | react in STATE
///       SETTING NUMBER                                see `setting_infos`
///     style NAME
///       ACTIVITY.SETTING NUMBER
///
/// Names with blanks or commas are written in quotes.
struct StateMachine {
  std::string name;
  std::vector<MachineState> states;
  std::vector<MachineTransition> transitions;
  std::size_t default_state = 0;
  std::vector<Activity> activities;
  std::vector<Style> styles;

  [[nodiscard]] std::optional<std::size_t> find_state(std::string_view state) const;
  [[nodiscard]] const MachineTransition* find_transition(std::size_t from, std::size_t to) const;
  /// Whether one may go from a moment of state `from` to a moment of state `to`; staying is a transition too.
  [[nodiscard]] bool allows(std::size_t from, std::size_t to) const { return find_transition(from, to) != nullptr; }
  [[nodiscard]] bool keeps_itself(std::size_t state) const { return allows(state, state); }
  /// The activities as styles change them, applied in order; a style is a name, kPlainStyle, or a slider as
  /// "kick=0.8" (see `set_slider`). Fails on a style there is none of, naming those there are.
  [[nodiscard]] Result<std::vector<Activity>> activities_in(const std::vector<std::string>& styles) const;
};

/// Gives the text of an included file, or says why not.
using IncludeReader = std::function<Result<std::string>(const std::string& path)>;

/// Reads a machine from text. `file` is what errors call it and what includes are relative to. Every error has file and
/// line: unknown words, states and settings, transitions to nowhere, an include that comes round to itself, a state
/// from which or to which the transitions give no way (the machine is not connected).
Result<StateMachine> parse_machine(std::string_view text, const std::string& file, const IncludeReader& include = {});

/// The same from a file, with its includes.
Result<StateMachine> load_machine(const std::string& path);

/// The machine as text that `parse_machine` reads back the same, all in one file.
std::string format_machine(const StateMachine& machine);

/// The built-in fighting machine (Chiu 2007 fig. 2a, with the attack split into punch and kick as in §6): for the
/// sample motions, and for libraries with the labels punch, kick, block, and boxing or walk.
const std::string& fighting_machine_text();

}  // namespace loom::behavior
