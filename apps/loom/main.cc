// SPDX-License-Identifier: MIT
// The command `loom`: parses the words on the command line and hands over to the subcommand.
#include <algorithm>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <loom/base/memory.h>
#include <loom/base/parallel.h>
#include <loom/base/whole.h>

#include "loom/command.h"
#include "loom/command_line.h"
#include "loom/subcommands.h"

namespace {

using namespace loom::app;

int run(int argc, char** argv) {
  CLI::App app{"Motion Loom: weaves recorded human motion into characters one can direct."};
  app.name("loom");
  app.set_version_flag("--version", LOOM_VERSION);
  app.footer("`loom COMMAND --help` tells more of each.\n\nExample:\n  loom demo --out out/demo");
  app.require_subcommand(1);
  std::size_t threads = 0;
  app.add_option("--threads", threads, "use at most this many cores (all by default)");
  double gigabytes = 0;
  app.add_option("--memory", gigabytes,
                 "take at most so many gigabytes for building (by default what the machine has to spare)")
      ->check(CLI::PositiveNumber);

  Commands commands(app);
  add_all(commands);
  refuse_odd_numbers(app);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return tell(app, error, argc, argv);
  }
  const loom::ThreadLimit limit(threads);
  const auto bytes = loom::to_whole<std::size_t>(std::min(gigabytes * 1e9, 1e18));
  const loom::MemoryLimit memory(bytes, [](const loom::MemoryRequirement& r) {
    notice(fmt::format("{} takes about {} of memory, of {} free", r.what, loom::describe_bytes(r.bytes),
                       loom::describe_bytes(r.free)));
  });
  return commands.run();
}

}  // namespace

int main(int argc, char** argv) {
  return guard([&] { return run(argc, argv); });
}
