// SPDX-License-Identifier: MIT
// The command `loom-cluster`: what of `loom` is long work, on all processes that mpirun started. Rank 0 prints.
#include <algorithm>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <loom/base/memory.h>
#include <loom/base/parallel.h>
#include <loom/base/whole.h>

#include "cluster/cluster_commands.h"
#include "cluster/crew.h"
#include "loom/command.h"
#include "loom/command_line.h"

namespace {

using namespace loom::app;

int run(loom::cluster::Crew& crew, int argc, char** argv) {
  CLI::App app{"Motion Loom on a cluster: the same results, by all processes that mpirun started."};
  app.name("loom-cluster");
  app.set_version_flag("--version", LOOM_VERSION);
  app.footer("Example:\n  mpirun -n 4 loom-cluster graph build motions.loom --name main");
  app.require_subcommand(1);
  std::size_t threads = 0;
  app.add_option("--threads", threads, "use at most this many cores a rank (all that it is given by default)");
  double gigabytes = 0;
  app.add_option("--memory", gigabytes, "take at most so many gigabytes a rank (by default what there is to spare)")
      ->check(CLI::PositiveNumber);

  Commands commands(app);
  loom::cluster::add_graph_build(commands, crew);
  loom::cluster::add_fragments_train(commands, crew);
  refuse_odd_numbers(app);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (!crew.leads()) return error.get_exit_code() == 0 ? kDone : kWrongUsage;  // all ranks read the same words
    return tell(app, error, argc, argv);
  }
  const loom::ThreadLimit limit(threads);
  const auto bytes = loom::to_whole<std::size_t>(std::min(gigabytes * 1e9, 1e18));
  const loom::MemoryLimit memory(bytes, [&](const loom::MemoryRequirement& r) {
    if (!crew.leads()) return;
    notice(fmt::format("{} takes about {} of memory, of {} free", r.what, loom::describe_bytes(r.bytes),
                       loom::describe_bytes(r.free)));
  });
  return commands.run();
}

}  // namespace

int main(int argc, char** argv) {
  loom::cluster::Crew crew(argc, argv);
  return guard([&] { return run(crew, argc, argv); });
}
