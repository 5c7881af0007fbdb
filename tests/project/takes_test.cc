// SPDX-License-Identifier: MIT
#include <algorithm>

#include <gtest/gtest.h>

#include <loom/blend/align/strokes.h>
#include <loom/blend/family/stored_family.h>
#include <loom/character/transfer.h>
#include <loom/live/live_body.h>
#include <loom/project/takes.h>
#include <loom/sample/sample.h>

#include "tests/temporary_folder.h"

namespace loom::project {
namespace {

motion::Clip reach(const char* name) {
  auto made = sample::make_sample(name);
  EXPECT_TRUE(made);
  return made->clip;
}

/// A performance as a source shows it: two reaches one after the other, on a body of its own.
motion::Clip performed() {
  std::vector<motion::Clip> parts = {reach("reach-01"), reach("reach-09")};
  auto joined = motion::join(parts);
  EXPECT_TRUE(joined);
  const auto from = character::look_at_body(*joined);
  const auto to = live::make_live_body();
  EXPECT_TRUE(from && to);
  auto transfer = character::Transfer::between(*from, *to);
  auto carried = character::transfer_clip(transfer, *joined);
  EXPECT_TRUE(carried);
  carried->labels.clear();
  return *carried;
}

TEST(KeepTake, CarriesCutsLabelsAndBuildsTheFamily) {
  const testing::TemporaryFolder folder;
  auto library = library::Library::open_or_create(folder.file("a.loom"));
  ASSERT_TRUE(library);
  const motion::Clip known = reach("reach-05");
  ASSERT_TRUE(library->add_clip(known));
  const motion::Clip take = performed();
  TakeOptions options{"reach", "reaching", {}};
  const auto kept = keep_take(*library, take, "performed", options);
  ASSERT_TRUE(kept) << kept.error().to_string();
  EXPECT_EQ(kept->clip.name, "performed");
  EXPECT_EQ(*kept->clip.skeleton, *known.skeleton);
  ASSERT_EQ(kept->pieces.size(), 2u);
  // Each stroke is where the sample's own mark has it, half a second about.
  const double first = blend::marked_strokes(reach("reach-01")).at(0);
  EXPECT_NEAR(static_cast<double>(*kept->pieces[0].stroke) / kept->clip.rate, first, 0.25);
  EXPECT_GE(kept->examples, 2u);
  const auto stored = library->read_clip("performed");
  ASSERT_TRUE(stored);
  EXPECT_EQ(blend::marked_strokes(*stored).size(), 2u);
  EXPECT_TRUE(library->get_artefact(blend::kFamilyKind, "reaching"));
  // Again: the name gets a number.
  const auto again = keep_take(*library, take, "performed", {});
  ASSERT_TRUE(again);
  EXPECT_EQ(again->clip.name, "performed-2");
  EXPECT_TRUE(again->pieces.empty());
}

TEST(KeepTake, AnEmptyLibraryTakesTheBodyOfTheTakeAndAFailedFamilyKeepsIt) {
  const testing::TemporaryFolder folder;
  auto library = library::Library::open_or_create(folder.file("b.loom"));
  ASSERT_TRUE(library);
  const motion::Clip take = performed();
  motion::Clip still = take;
  for (std::size_t f = 0; f < still.frames(); ++f) {
    still.roots[f] = take.roots[0];
    std::copy(take.pose(0).begin(), take.pose(0).end(), still.pose(f).begin());
  }
  const auto kept = keep_take(*library, still, "still", {"reach", "reaching", {}});
  ASSERT_TRUE(kept) << kept.error().to_string();
  EXPECT_EQ(*kept->clip.skeleton, *take.skeleton);
  EXPECT_EQ(kept->examples, 0u);
  EXPECT_FALSE(kept->notes.empty());
  EXPECT_FALSE(keep_take(*library, take, "x", {{}, {}, "nobody"}));
}

/// What a library holds, to be compared: clips with their motion and labels, and the bytes of a family.
std::string state_of(const library::Library& library) {
  std::string all;
  const auto clips = library.clips();
  EXPECT_TRUE(clips);
  std::vector<std::string> lines;
  for (const library::ClipInfo& clip : *clips) {
    std::string line = clip.name + " " + clip.hash;
    for (const motion::Label& label : clip.labels) line += " " + label.name + ":" + std::to_string(label.begin);
    lines.push_back(line);
  }
  std::sort(lines.begin(), lines.end());
  for (const std::string& line : lines) all += line + "\n";
  const auto families = library.artefacts(blend::kFamilyKind);
  EXPECT_TRUE(families);
  for (const library::ArtefactInfo& family : *families) {
    const auto stored = blend::load_family(library, family.name);
    all += family.name + (stored ? "" : " unusable");
    if (!stored) continue;
    for (const std::byte b : blend::to_bytes(*stored->family)) all += static_cast<char>(b);
  }
  return all;
}

TEST(ChangeTakes, EveryCommandOfTheLoopIsUndoneByItsOpposite) {
  const testing::TemporaryFolder folder;
  auto library = library::Library::open_or_create(folder.file("a.loom"));
  ASSERT_TRUE(library);
  ASSERT_TRUE(library->add_clip(reach("reach-05")));
  ASSERT_TRUE(keep_take(*library, performed(), "one", {"reach", "reaching", {}}));
  const std::string one = state_of(*library);
  // Refine: one more take, and away with it again.
  ASSERT_TRUE(keep_take(*library, performed(), "two", {"reach", "reaching", {}}));
  const std::string two = state_of(*library);
  EXPECT_NE(one, two);
  auto gone = change_takes(*library, {{"two"}, {}, {}, {}});
  ASSERT_TRUE(gone);
  auto family = build_take_family(*library, "reaching", "reach");
  ASSERT_TRUE(family);
  EXPECT_EQ(state_of(*library), one);
  // Again, and in the place of the first.
  ASSERT_TRUE(change_takes(*library, {{}, gone->removed, {}, {}}));
  ASSERT_TRUE(build_take_family(*library, "reaching", "reach"));
  EXPECT_EQ(state_of(*library), two);
  auto replaced = change_takes(*library, {{"one"}, {}, {}, {}});
  ASSERT_TRUE(replaced);
  family = build_take_family(*library, "reaching", "reach");
  ASSERT_TRUE(family);
  EXPECT_EQ(family->examples, 3u) << "the clip that was there, and two strokes";
  ASSERT_TRUE(change_takes(*library, {{}, replaced->removed, {}, {}}));
  ASSERT_TRUE(build_take_family(*library, "reaching", "reach"));
  EXPECT_EQ(state_of(*library), two);
}

TEST(ChangeTakes, AMirrorImageIsAnExampleForTheOtherHand) {
  const testing::TemporaryFolder folder;
  auto library = library::Library::open_or_create(folder.file("a.loom"));
  ASSERT_TRUE(library);
  ASSERT_TRUE(library->add_clip(reach("reach-05")));
  ASSERT_TRUE(keep_take(*library, performed(), "one", {"reach", "reaching", {}}));
  const std::string before = state_of(*library);
  const auto made = change_takes(*library, {{}, {}, {"one"}, "reach"});
  ASSERT_TRUE(made);
  ASSERT_EQ(made->mirrored, std::vector<std::string>{"one-mirrored"});
  const auto family = build_take_family(*library, mirrored_label("reaching"), mirrored_label("reach"));
  ASSERT_TRUE(family);
  EXPECT_EQ(family->examples, 2u);
  const auto right = blend::load_family(*library, "reaching"), left = blend::load_family(*library, "reaching-mirrored");
  ASSERT_TRUE(right && left);
  EXPECT_EQ(right->family->members.size(), 3u);
  EXPECT_NE(right->family->joint, left->family->joint) << "the other hand's";
  // Undone: the family that had nothing but the image goes with it.
  ASSERT_TRUE(change_takes(*library, {{"one-mirrored"}, {}, {}, {}}));
  const auto none = build_take_family(*library, mirrored_label("reaching"), mirrored_label("reach"));
  ASSERT_TRUE(none);
  EXPECT_EQ(none->examples, 0u);
  EXPECT_EQ(state_of(*library), before);
  EXPECT_EQ(mirrored_label(mirrored_label("reach")), "reach");
}

TEST(ChangeTakes, WhatFailsChangesNothing) {
  const testing::TemporaryFolder folder;
  auto library = library::Library::open_or_create(folder.file("a.loom"));
  ASSERT_TRUE(library);
  ASSERT_TRUE(library->add_clip(reach("reach-05")));
  const std::string before = state_of(*library);
  EXPECT_FALSE(change_takes(*library, {{"reach-05", "nobody"}, {}, {}, {}}));
  EXPECT_FALSE(change_takes(*library, {{}, {}, {"reach-05", "nobody"}, "reach"}));
  EXPECT_EQ(state_of(*library), before);
}

}  // namespace
}  // namespace loom::project
