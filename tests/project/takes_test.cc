// SPDX-License-Identifier: MIT
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

}  // namespace
}  // namespace loom::project
