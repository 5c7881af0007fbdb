// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace loom::testing {

/// What a run of the command `loom` did.
struct CommandRun {
  int status = -1;  ///< exit status; -1 when a signal ended it
  std::string out, err;

  /// Standard output as JSON; null where it is none.
  [[nodiscard]] nlohmann::json json() const { return nlohmann::json::parse(out, nullptr, false); }
};

/// Limits a run works under.
struct CommandLimits {
  long kill_after_microseconds = -1;  ///< SIGKILL after this time; negative: never
  bool interrupt = false;             ///< SIGINT, as Ctrl-C sends it, as soon as the command listens for it
  std::string interrupt_when = {};    ///< SIGINT as soon as this was told on standard error, of progress, say
  long file_bytes = -1;               ///< no file may grow beyond this, as on a full disk; negative: no limit
};

/// Runs the program at `path` with these arguments and waits for it.
CommandRun run_program(const std::string& path, const std::vector<std::string>& arguments,
                       const CommandLimits& limits = {});
/// Runs the real `loom` of this build with these arguments and waits for it.
CommandRun run_loom(const std::vector<std::string>& arguments, const CommandLimits& limits = {});

/// The words of every command and group of commands, as `--help` lists them; none for `loom` itself.
std::vector<std::vector<std::string>> commands_and_groups();
/// Those that are commands.
std::vector<std::vector<std::string>> all_commands();

}  // namespace loom::testing
