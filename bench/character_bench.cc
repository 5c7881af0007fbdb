// SPDX-License-Identifier: MIT
// How well and how fast the joints of characters are told apart: the share of roles that a table made by hand calls
// right, with the names of the files and with names that say nothing; who is taken for a human and is none; time a
// character.
//
// Needs the characters of ../shared/characters.
#include <algorithm>
#include <string>
#include <vector>

#include <loom/character/map_joints.h>
#include <loom/io/read_rig.h>

#include "bench_support.h"
#include "tests/character_table.h"

namespace {

using namespace loom;
using namespace loom::bench;

constexpr int kRounds = 20;

struct Total {
  std::size_t right = 0, roles = 0, refused = 0, taken = 0, humans = 0, others = 0;
  double slowest = 0, sum = 0;  ///< milliseconds

  void add(const loom::testing::RightJoints& right_joints, const motion::Rig& rig, const motion::Rig& named) {
    double best = 1e9;
    character::JointMap map;
    for (int round = 0; round < kRounds; ++round) {
      const Stopwatch watch;
      map = need(character::map_joints(rig));
      best = std::min(best, watch.thread() * 1e3);
    }
    slowest = std::max(slowest, best);
    sum += best;
    const bool human = !right_joints.empty();
    (human ? humans : others) += 1;
    refused += human && !map.human ? 1 : 0;
    taken += !human && map.human ? 1 : 0;
    right += human ? loom::testing::count_right(right_joints, map, named) : 0;
    roles += right_joints.size();
  }

  void print(const char* what) const {
    fmt::print("{}: {} of {} roles right ({:.1f} %), {} of {} humans refused, {} of {} others taken for one\n", what,
               right, roles, 100.0 * static_cast<double>(right) / static_cast<double>(std::max<std::size_t>(roles, 1)),
               refused, humans, taken, others);
    fmt::print("  {:.2f} ms a character, {:.2f} ms the slowest\n",
               sum / static_cast<double>(std::max<std::size_t>(humans + others, 1)), slowest);
  }
};

}  // namespace

int main() {
  if (!fs::exists(loom::testing::characters_folder())) {
    fmt::print("The characters of ../shared/characters are not there: nothing to measure.\n");
    return 0;
  }
  Total named, bare;
  for (const auto& [file, right] : loom::testing::read_character_table()) {
    const std::vector<motion::Rig> rigs = need(io::read_rigs((loom::testing::characters_folder() / file).string()));
    named.add(right, rigs.front(), rigs.front());
    bare.add(right, loom::testing::without_names(rigs.front()), rigs.front());
  }
  named.print("with names");
  bare.print("without names");
  return 0;
}
