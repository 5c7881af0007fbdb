// SPDX-License-Identifier: MIT
// The command `loom`: parses the words on the command line and hands over to one file a subcommand.
#include <CLI/CLI.hpp>

int main(int argc, char** argv) {
  CLI::App app{"Motion Loom: weaves recorded human motion into characters one can direct."};
  CLI11_PARSE(app, argc, argv);
  return 0;
}
