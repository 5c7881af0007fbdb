// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/library/note_groups.h>

namespace loom::library {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

TEST(GroupNotes, NumbersAndNamesDoNotMakeAnotherKind) {
  const std::vector<FileNote> notes = {
      {"b/1.bvh", "Joint 'LeftHand' flips by 95 degrees in frame 3."},
      {"b/1.bvh", "The root jumps 1.50 m into frame 2."},
      {"b/2.bvh", "Joint 'Head' flips by 101.5 degrees in frame 12."},
      {"b/2.bvh", "Joint 'Neck' flips by 99 degrees in frame 7."},
  };
  const std::vector<NoteGroup> groups = group_notes(notes);
  ASSERT_THAT(groups, SizeIs(2));
  EXPECT_EQ(groups[0].notes, 3u);
  EXPECT_THAT(groups[0].files, ElementsAre("b/1.bvh", "b/2.bvh"));
  EXPECT_EQ(to_string(groups[0]),
            "2 files, 3 times (1.bvh, 2.bvh): such as: Joint 'LeftHand' flips by 95 degrees in frame 3.");
  EXPECT_EQ(to_string(groups[1]), "b/1.bvh: The root jumps 1.50 m into frame 2.");
}

TEST(GroupNotes, WhatIsSaidOfManyFilesIsSaidOnceWithAFewOfThem) {
  std::vector<FileNote> notes;
  for (int i = 0; i < 468; ++i) notes.push_back({std::to_string(i) + ".bvh", "One unit is taken as 1 cm."});
  const std::vector<NoteGroup> groups = group_notes(notes);
  ASSERT_THAT(groups, SizeIs(1));
  EXPECT_EQ(to_string(groups[0]), "468 files (0.bvh, 1.bvh, 2.bvh and 465 more): One unit is taken as 1 cm.");
}

TEST(GroupNotes, ApostrophesAreNoQuotes) {
  EXPECT_THAT(group_notes(std::vector<FileNote>{{"a", "the body's size is 1"}, {"b", "the body's age is 1"}}),
              SizeIs(2));
  EXPECT_THAT(group_notes({}), SizeIs(0));
}

}  // namespace
}  // namespace loom::library
