// SPDX-License-Identifier: MIT
#pragma once

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

/// What of a library a state can hold.
enum class Holding : std::uint8_t {
  kLabel,   ///< the motion that carries a label
  kClip,    ///< a whole clip
  kFamily,  ///< the examples that a stored blend family is made of
};

/// Motion of the library that a state takes.
struct TakenMotion {
  std::string name;  ///< of the label, the clip or the family
  Holding holding = Holding::kLabel;
  bool optional = false;  ///< written with '?': the library may lack it
  Place place;
};

/// The motion by which a state is known where it meets others: warps count its seconds (Srinivasan 2009 §5.3).
struct ReferenceMotion {
  std::string clip;           ///< of the library
  bool mirrored = false;      ///< as seen in a mirror
  double begin = 0, end = 0;  ///< seconds of the clip
  bool pinned = false;        ///< chosen by a person: a new build keeps it
  Place place;
};

/// A state of the character: what it is doing, in a designer's words.
struct MachineState {
  std::string name;
  /// The motion that belongs to the state. Of several sets (`else`) the first of which the library has anything counts.
  /// Where motion belongs to several states, the state written first takes it.
  std::vector<std::vector<TakenMotion>> takes;
  /// Its motion is played in whole actions, a punch or a slip: entered only at their beginning, left only at their end.
  bool whole = false;
  /// The library may lack all of its motion; then the state is never come into.
  bool optional = false;
  /// The state that follows when its motion is over and nothing else is wanted; none: whoever plays it chooses.
  std::optional<std::size_t> after{};
  /// Where it is one stretch of one clip: which. None: whoever builds the state chooses.
  std::optional<ReferenceMotion> reference{};
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
  float weight = 1;  ///< how much it is preferred over others from the same state; above 0
  Place place;
};

/// A moment of one motion that belongs to a moment of another: seconds from the beginning of each.
struct WarpKnot {
  double from = 0, to = 0;

  friend bool operator==(const WarpKnot&, const WarpKnot&) = default;
};

/// Where and how one goes from a state to another, or round within one: a time warp from the reference motion of the
/// first to that of the second (Srinivasan 2009 §5.4.1). From the first knot to the last the one is blended into the
/// other; between knots time goes evenly.
struct MachineWarp {
  std::size_t from = 0, to = 0;  ///< states that have a transition
  std::vector<WarpKnot> knots;   ///< two or more, both numbers ascending
  bool pinned = false;           ///< made or changed by a person: a new build keeps it
  bool out = false;              ///< thrown out: not used, and a new build does not bring it back
  Place place;
};

/// A number under a name, as a machine file writes it below an activity or a style.
struct NamedNumber {
  std::string name;
  float value = 0;
  Place place;
};

/// The kind of activity that deals blows: a long take of its state is cut at them (state_build.h).
inline constexpr std::string_view kAttackKind = "attack";

/// A controller of one state: how a character decides for it. What kinds there are, and which numbers each has, is the
/// matter of whoever plays the machine: of fighters in fight/activity_settings.h.
struct Activity {
  std::string name;
  std::string kind;
  std::size_t state = 0;
  std::vector<NamedNumber> settings;  ///< those that are written; of a name written twice the last counts
  Place place;
};

/// What one calls a machine's activities as they are, where it has no style of that name.
inline constexpr std::string_view kPlainStyle = "plain";

/// A way of deciding: activities with some of their numbers changed.
struct Style {
  struct Change {
    std::size_t activity = 0;
    NamedNumber setting;
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
///     state NAME [whole] [optional]: MOTION, MOTION? [else MOTION]   '?', optional: the library may lack it
///     default NAME                                    the state to come back to; the first one where not given
///     transition STATE -> STATE [self | full] [weight NUMBER]
///     after STATE -> STATE                            what follows when the motion of the first is over
///     reference STATE [pinned]: CLIP [mirrored] SECONDS SECONDS      the stretch of a clip by which it is known
///     warp STATE -> STATE [pinned] [out]: SECONDS SECONDS, SECONDS SECONDS, ...   moments that belong together
///     activity NAME: KIND in STATE
///       SETTING NUMBER
///     style NAME
///       ACTIVITY.SETTING NUMBER
///
/// MOTION is a label's name, `clip` and a clip's name, or `family` and a family's name. Names with blanks or commas are
/// written in quotes.
struct StateMachine {
  std::string name;
  std::vector<MachineState> states;
  std::vector<MachineTransition> transitions;
  std::vector<MachineWarp> warps;
  std::size_t default_state = 0;
  std::vector<Activity> activities;
  std::vector<Style> styles;

  [[nodiscard]] std::optional<std::size_t> find_state(std::string_view state) const;
  [[nodiscard]] const MachineTransition* find_transition(std::size_t from, std::size_t to) const;
  /// Whether one may go from a moment of state `from` to a moment of state `to`; staying is a transition too.
  [[nodiscard]] bool allows(std::size_t from, std::size_t to) const { return find_transition(from, to) != nullptr; }
  [[nodiscard]] bool keeps_itself(std::size_t state) const { return allows(state, state); }
  /// Fails on a style there is none of, naming those there are. Null for kPlainStyle where no style is called so.
  [[nodiscard]] Result<const Style*> find_style(std::string_view called) const;
};

/// Gives the text of an included file, or says why not.
using IncludeReader = std::function<Result<std::string>(const std::string& path)>;

/// Whether a machine must be one that can be played for ever.
enum class Connection : std::uint8_t {
  kNeeded,  ///< from the default state to every other and back
  kAny,     ///< a mined machine may lack what is still to be captured
};

/// Reads a machine from text. `file` is what errors call it and what includes are relative to. Every error has file and
/// line: unknown words and states, transitions to nowhere, an include that comes round to itself, a warp beside all
/// transitions or against time, and, where it is asked for, a state from which or to which the transitions give no way
/// (the machine is not connected).
Result<StateMachine> parse_machine(std::string_view text, const std::string& file, const IncludeReader& include = {},
                                   Connection connection = Connection::kNeeded);

/// Whether the default state leads to every other and back; where not, the error says which does not, with its line.
Result<void> check_connected(const StateMachine& machine);

/// The same from a file, with its includes.
Result<StateMachine> load_machine(const std::string& path);

/// The machine as text that `parse_machine` reads back the same, all in one file.
std::string format_machine(const StateMachine& machine);

}  // namespace loom::behavior
