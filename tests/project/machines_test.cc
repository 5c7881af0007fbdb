// SPDX-License-Identifier: MIT
// Machines that are built, kept and changed in a library.
#include <cmath>

#include <gtest/gtest.h>

#include <loom/machine/build.h>
#include <loom/machine/stored_machine.h>
#include <loom/project/machines.h>

#include "tests/machine/walking_machine.h"

namespace loom::project {
namespace {

constexpr std::size_t kWalk = 1, kRun = 2;

class BuiltMachineTest : public ::testing::Test {
 protected:
  BuiltMachineTest() : library_(testing::walking_library(folder_.file("w.loom"))) {
    const auto drawn = *behavior::parse_machine(testing::kWalkingMachine, "walking");
    EXPECT_TRUE(put_machine(library_, "m", drawn, "{}"));
  }
  [[nodiscard]] std::vector<behavior::MachineWarp> warps() const {
    std::vector<behavior::MachineWarp> list;
    const machine::StoredMachine stored = *machine::load_machine(library_, "m");
    for (const behavior::MachineWarp& warp : stored.machine.machine.warps) {
      if (warp.from == kWalk && warp.to == kRun) list.push_back(warp);
    }
    return list;
  }

  testing::TemporaryFolder folder_;
  library::Library library_;
};

TEST_F(BuiltMachineTest, OptionsOfBuildingAreKeptWithIt) {
  EXPECT_EQ(built_with(library_, "m")->transition_seconds, machine::BuildOptions{}.transition_seconds);
  machine::BuildOptions options;
  options.transition_seconds = 0.2;
  options.patience = 0.05;
  options.longest_wait = 1.1;
  options.parametric = false;
  ASSERT_TRUE(build_machine(library_, "m", options));
  const auto kept = built_with(library_, "m");
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->transition_seconds, 0.2);
  EXPECT_EQ(kept->patience, 0.05);
  EXPECT_EQ(kept->longest_wait, 1.1);
  EXPECT_FALSE(kept->parametric);
  EXPECT_EQ(kept->rate, 0) << "it was not asked for";
}

TEST_F(BuiltMachineTest, AWarpThatIsChangedLeavesTheRestAsItWasBuilt) {
  machine::BuildOptions options;
  options.transition_seconds = 0.2;
  options.parametric = false;
  ASSERT_TRUE(build_machine(library_, "m", options));
  const auto before = *machine::load_built_machine(library_, "m");
  auto changed = warps();
  ASSERT_GT(changed.size(), 1u);
  changed[0].pinned = true;
  changed[0].knots.back().from += 0.1;
  ASSERT_TRUE(change_warps(library_, "m", kWalk, kRun, changed));
  const auto after = *machine::load_built_machine(library_, "m");
  const double seconds = after->states[kWalk].end - after->states[kWalk].begin;
  std::size_t pinned = 0;
  for (const machine::BuiltTransition& t : after->between(kWalk, kRun)) {
    const double length = (t.knots.back().from - t.begin()) * seconds;
    EXPECT_NEAR(length, t.pinned ? 0.3 : 0.2, 0.02) << "as it was built, not as is usual";
    EXPECT_TRUE(t.entries.empty());
    pinned += t.pinned ? 1 : 0;
  }
  EXPECT_EQ(pinned, 1u);
  EXPECT_EQ(after->between(kRun, kWalk).size(), before->between(kRun, kWalk).size());
  EXPECT_EQ(built_with(library_, "m")->transition_seconds, 0.2);
  // Let go, all is as before.
  auto free = warps();
  for (behavior::MachineWarp& warp : free) warp.pinned = false;
  ASSERT_TRUE(change_warps(library_, "m", kWalk, kRun, free));
  const auto again = *machine::load_built_machine(library_, "m");
  ASSERT_EQ(again->transitions.size(), before->transitions.size());
  for (std::size_t t = 0; t < before->transitions.size(); ++t) {
    EXPECT_NEAR(again->transitions[t].begin(), before->transitions[t].begin(), 1e-9) << t;
  }
}

TEST_F(BuiltMachineTest, AWarpOutsideTheMotionsChangesNothing) {
  ASSERT_TRUE(build_machine(library_, "m"));
  auto wrong = warps();
  const std::size_t count = wrong.size();
  wrong[0].pinned = true;
  for (behavior::WarpKnot& knot : wrong[0].knots) knot.from += 90;
  EXPECT_FALSE(change_warps(library_, "m", kWalk, kRun, wrong));
  EXPECT_EQ(warps().size(), count);
}

}  // namespace
}  // namespace loom::project
