// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <loom/base/result.h>
#include <loom/machine/built_machine.h>
#include <loom/machine/machine_player.h>

namespace loom::machine {

/// A wish at a moment.
struct TimedWish {
  double seconds = 0;
  Wish wish;
  /// Of another machine than the first: its name, and itself; else empty, and null.
  std::string machine_name;
  std::shared_ptr<const BuiltMachine> machine;
};

/// Gives the machine that a script names, ready to be played.
using MachineFinder = std::function<Result<std::shared_ptr<const BuiltMachine>>(const std::string& name)>;

/// Reads a script of wishes: a CSV text whose lines are `seconds,behavior` and, after that, any number up to
/// Wish::kMostParameters of `parameter=value`; a first line that begins with the word `seconds` is a heading. Seconds
/// do not go back. Where `others` is given, `machine:behavior` names a behavior of another machine. Fails with the
/// line: on words that are no number, machines there are none of, states and parameters the machine has not, naming
/// those it has.
Result<std::vector<TimedWish>> parse_wish_script(std::string_view text, const std::string& path,
                                                 const BuiltMachine& machine, const MachineFinder& others = {});

}  // namespace loom::machine
