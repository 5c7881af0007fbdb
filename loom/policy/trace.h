// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <loom/base/result.h>
#include <loom/policy/control_space.h>

namespace loom::policy {

/// What a player did with stick and buttons over time (McCann & Pollard 2007 §3): the input of the player model and of
/// evaluations. docs/fragments.md describes the files.
struct Trace {
  std::string name;                           ///< of the file, or of the simulated player
  bool simulated = false;                     ///< made by a simulated player, not recorded
  std::vector<std::string> flags{kAirborne};  ///< what the bits of the signals' flags mean
  std::vector<double> times;                  ///< seconds, ascending, the first 0
  std::vector<ControlSignal> signals;         ///< one a time; each holds until the next

  [[nodiscard]] double seconds() const { return times.empty() ? 0.0 : times.back(); }
  /// The signal that holds at `time`. O(log samples). The trace must not be empty.
  [[nodiscard]] const ControlSignal& at(double time) const;

  friend bool operator==(const Trace&, const Trace&) = default;
};

/// No trace is longer.
inline constexpr double kLongestTrace = 24 * 3600.0;
/// No control is faster: metres a second over the floor, radians a second of turn.
inline constexpr float kFastest = 100;

/// The trace with its flags in the order of `space`. Fails on a flag the space does not have, and when the trace says
/// nothing about one of the space's flags: then it was recorded for another control space.
Result<Trace> fit_to(const Trace& trace, const std::vector<std::string>& flags);

/// The signals of a trace every `step` seconds from `start` on.
std::vector<ControlSignal> sample(const Trace& trace, double step, double start = 0);

}  // namespace loom::policy
