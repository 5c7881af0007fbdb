// SPDX-License-Identifier: MIT
// Machines in a library: kept, read back, edits taken back, damage refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/machine/stored_machine.h>

#include "tests/temporary_folder.h"

namespace loom::machine {
namespace {

using ::testing::HasSubstr;

BehaviorMachine two_states() {
  return {*behavior::parse_machine("machine m\nstate walk: walk\nstate run: run, clip \"my run\"\n"
                                   "transition walk -> walk self\ntransition walk -> run weight 0.25\n"
                                   "transition run -> walk\nafter run -> walk\n"
                                   "warp walk -> run: 0.5 0.1, 0.75 0.375\nwarp run -> walk pinned out: 0 0, 1 2\n",
                                   "m"),
          {{"walk, run preferred", {1, 0.5f, 1}}}};
}

TEST(StoredMachine, IsTheSameAfterTheLibrary) {
  testing::TemporaryFolder folder;
  auto library = *library::Library::open_or_create(folder.file("m.loom"));
  ASSERT_TRUE(store_machine(library, "m", two_states(), R"({"graph": "g"})"));
  const auto stored = load_machine(library, "m");
  ASSERT_TRUE(stored) << stored.error().to_string();
  EXPECT_EQ(stored->parameters, R"({"graph": "g"})");
  EXPECT_EQ(to_bytes(stored->machine), to_bytes(two_states()));
  EXPECT_EQ(stored->machine.machine.warps[1].knots[1], (behavior::WarpKnot{1, 2}));
  EXPECT_TRUE(stored->machine.machine.warps[1].pinned && stored->machine.machine.warps[1].out);
  EXPECT_EQ(stored->machine.machine.states[1].after, 0u);
  EXPECT_THAT(load_machine(library, "other").error().message, HasSubstr("m"));
}

TEST(StoredMachine, UndoTakesTheLastEditBackAndNoMore) {
  BehaviorMachine machine = two_states();
  const auto undone = undo(machine);
  ASSERT_TRUE(undone);
  EXPECT_EQ(undone->what, "walk, run preferred");
  EXPECT_FLOAT_EQ(machine.machine.transitions[1].weight, 0.5f);
  EXPECT_FALSE(undo(machine));
}

TEST(StoredMachine, WhatIsTakenCanBeTakenBack) {
  BehaviorMachine machine = two_states();
  machine.machine.states.push_back(machine.machine.states[0]);
  machine.machine.states.back().name = "jog";
  machine.machine.transitions.push_back({0, 2, behavior::Link::kPlain, 0.5f, {}});
  machine.machine.transitions.push_back({2, 1, behavior::Link::kPlain, 1, {}});
  machine.edits.clear();
  const auto before = to_bytes(machine);
  const std::vector<StateWay> ways = {{0, 1}};
  const auto preferred = prefer(machine.machine, ways, PreferMethod::kLeast).value();
  take(machine, preferred, "walk, run");
  ASSERT_EQ(machine.edits.size(), 1u);
  EXPECT_EQ(machine.edits[0].what, "walk, run (least)");
  EXPECT_NE(to_bytes(machine), before);
  ASSERT_TRUE(undo(machine));
  EXPECT_EQ(to_bytes(machine), before);
}

TEST(StoredMachine, AnyByteMissingIsDamage) {
  const auto bytes = to_bytes(two_states());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const auto read = machine_from_bytes(std::span(bytes).first(size));
    ASSERT_FALSE(read) << size;
    EXPECT_EQ(read.error().kind, ErrorKind::kDamaged);
  }
  BehaviorMachine wrong = two_states();
  wrong.edits[0].before.pop_back();
  EXPECT_FALSE(machine_from_bytes(to_bytes(wrong)));
  wrong.edits[0].before.push_back(-1);
  EXPECT_FALSE(machine_from_bytes(to_bytes(wrong)));
}

}  // namespace
}  // namespace loom::machine
