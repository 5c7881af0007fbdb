// SPDX-License-Identifier: MIT
// A program of the run-time library alone: plays artefacts from plain files and prints what came of each.
//   player FOLDER
#include <cstdio>
#include <fstream>
#include <iterator>

#include "tests/runtime/play_artefacts.h"

namespace {

using loom::testing::Bytes;

Bytes read(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  const std::vector<char> text{std::istreambuf_iterator<char>(in), {}};
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

bool print(const loom::Result<std::string>& played) {
  std::printf("%s\n", played ? played->c_str() : played.error().to_string().c_str());
  return played.has_value();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::string folder = argv[1];
  const auto file = [&](const char* name) { return read(folder + "/" + name); };
  bool fine = print(loom::testing::play_graph(file("graph"), file("graph.motion")));
  fine &= print(loom::testing::play_matching(file("graph.motion")));
  fine &= print(loom::testing::play_family(file("family"), file("family.motion"), file("family.points")));
  fine &= print(loom::testing::play_bout(file("states"), file("states.motion")));
  fine &= print(loom::testing::play_policy(file("fragments"), file("policy"), file("fragments.motion")));
  return fine ? 0 : 1;
}
