// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json_fwd.hpp>

#include <loom/base/result.h>
#include <loom/base/words.h>

#include "loom/options.h"
#include "loom/output.h"

namespace loom::app {

/// What a command ends with: 0 it did what it was asked, 1 it failed, 2 it was asked wrongly.
inline constexpr int kDone = 0, kFailed = 1, kWrongUsage = 2;

/// One subcommand: its options, and what to do.
///
/// A subcommand's file adds options to `options`, bound to variables it keeps in a shared struct, those that name what
/// it writes through `outputs`, and sets `run`. Results go to standard output (as JSON when `json` is set), progress
/// and errors to standard error.
struct Command {
  std::unique_ptr<Options> options;
  bool json = false;  ///< the user wants output for machines
  Outputs outputs;    ///< the files it writes
  std::function<int(const Command&)> run;
};

/// All subcommands of `loom`, and the groups they stand in (`loom graph build`).
class Commands {
 public:
  explicit Commands(CLI::App& app) : app_(app) {}

  /// Adds a subcommand with `--json` and an example at the end of its `--help`.
  Command& add(const std::string& name, const std::string& what, const std::string& example);
  /// Adds a subcommand within the group `group`, which is made, and described by `about`, when it is new.
  Command& add(const std::string& group, const std::string& about, const std::string& name, const std::string& what,
               const std::string& example);

  /// Runs the subcommand the user chose; the app has been parsed. Returns the exit status.
  int run();

  [[nodiscard]] const std::vector<std::unique_ptr<Command>>& all() const { return commands_; }

 private:
  Command& add_to(CLI::App& parent, const std::string& name, const std::string& what, const std::string& example);

  CLI::App& app_;
  std::vector<std::unique_ptr<Command>> commands_;
};

/// From now on errors are printed on standard output too, as {"error": {...}}: what --json asks for.
void tell_errors_as_json();

/// Tells the user what failed, on standard error, and returns kFailed: `return report(result.error());`
int report(const Error& error);

/// Tells the user what is wrong with what was asked for, and returns kWrongUsage.
int wrong_usage(const std::string& text);

/// Tells the user something worth knowing, on standard error.
void notice(const std::string& text);

/// Prints `value` on standard output, indented.
void print_json(const nlohmann::json& value);

/// A value as `say` shows it: texts with their control characters written out.
template <typename Value>
decltype(auto) shown(const Value& value) {
  if constexpr (std::is_convertible_v<const Value&, std::string_view>) {
    return printable(std::string_view(value));
  } else {
    return (value);
  }
}

/// Prints text for people on standard output.
void print_text(std::string_view text);

/// Prints for people, as fmt::print does. Names among the values come from files nobody vouches for and cannot reach
/// the terminal as they are: whatever they would make it do is written out.
template <typename... Values>
void say(fmt::format_string<const Values&...> format, const Values&... values) {
  print_text(fmt::vformat(format, fmt::make_format_args(shown(values)...)));
}

}  // namespace loom::app
