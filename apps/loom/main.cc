// SPDX-License-Identifier: MIT
// The command `loom`: parses the words on the command line and hands over to one file a subcommand.
#include <CLI/CLI.hpp>

#include <loom/base/parallel.h>

#include "loom/command.h"
#include "loom/subcommands.h"

int main(int argc, char** argv) {
  using namespace loom::app;
  CLI::App app{"Motion Loom: weaves recorded human motion into characters one can direct."};
  app.name("loom");
  app.set_version_flag("--version", LOOM_VERSION);
  app.footer("`loom COMMAND --help` tells more of each.\n\nExample:\n  loom demo --out out/demo");
  app.require_subcommand(1);
  std::size_t threads = 0;
  app.add_option("--threads", threads, "use at most this many cores (all by default)");

  Commands commands(app);
  add_demo(commands);
  add_sample(commands);
  add_import(commands);
  add_list(commands);
  add_info(commands);
  add_label(commands);
  add_cut(commands);
  add_measure(commands);
  add_convert(commands);
  add_export(commands);
  add_picture(commands);
  add_remove(commands);
  add_graph_build(commands);
  add_graph_compare(commands);
  add_graph_play(commands);
  add_graph_tell(commands);
  add_blend_align(commands);
  add_blend_analyze(commands);
  add_blend_coverage(commands);
  add_blend_family(commands);
  add_blend_make(commands);
  add_blend_steps(commands);
  add_states_build(commands);
  add_states_tell(commands);
  add_states_play(commands);
  add_fight(commands);
  add_studio(commands);
  add_fragments_cut(commands);
  add_fragments_train(commands);
  add_fragments_eval(commands);
  add_fragments_traces(commands);
  add_fragments_play(commands);
  add_fragments_inspect(commands);
  add_graph_train(commands);
  add_graph_steer(commands);
  add_match_play(commands);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kDone : kWrongUsage;
  }
  const loom::ThreadLimit limit(threads);
  return commands.run();
}
