// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/blend/family/family_build.h>
#include <loom/blend/family/family_cut.h>
#include <loom/sample/sample.h>

#include "tests/make_walk.h"
#include "tests/temporary_folder.h"

namespace loom::blend {
namespace {

using ::testing::IsEmpty;

/// The sample reaches at 30 Hz, and one of them a second time, thrown aside in its middle.
library::Library reaches_with_a_fault(const testing::TemporaryFolder& folder) {
  auto library = library::Library::open_or_create(folder.file("reaches.loom")).value();
  const std::vector<std::string> only = {"reach"};
  const auto made = sample::make_samples({1, 30}, only).value();
  for (const sample::SampleClip& one : made) EXPECT_TRUE(library.add_clip(one.clip));
  motion::Clip thrown = made.front().clip;
  thrown.name = "reach-thrown";
  for (std::size_t f = thrown.frames() / 2; f < thrown.frames(); ++f) thrown.roots[f].x += 2;
  EXPECT_TRUE(library.add_clip(thrown));
  return library;
}

bool has_thrown(const BuiltFamily& built) {
  return std::any_of(built.family.members.begin(), built.family.members.end(),
                     [](const FamilyMember& member) { return member.name == "reach-thrown"; });
}

TEST(FamilyGather, AFaultyExampleIsNotTakenAndTold) {
  const testing::TemporaryFolder folder;
  const library::Library library = reaches_with_a_fault(folder);
  FamilyOptions options;
  options.label = "reach";
  const auto built = build_family(library, options);
  ASSERT_TRUE(built) << built.error().to_string();
  EXPECT_FALSE(has_thrown(*built));
  EXPECT_EQ(built->family.members.size(), 24u);
  ASSERT_EQ(built->left_out.size(), 1u);
  EXPECT_EQ(built->left_out[0].clip, "reach-thrown");
}

TEST(CutCycles, WhoDucksOnTheWayRunsNoCycle) {
  const testing::GaitClip made = testing::make_gait({.seconds = 8});
  const motion::Contacts contacts = testing::made_contacts(made);
  const Piece whole{0, made.clip.frames(), {}};
  const auto cycles = cut_cycles(made.clip, contacts, whole, 1);
  ASSERT_GE(cycles.size(), 4u);
  // From the middle of the third cycle on the body is 30 cm lower: that one ends as it did not begin.
  motion::Clip ducking = made.clip;
  for (std::size_t f = (cycles[2].begin + cycles[2].end) / 2; f < ducking.frames(); ++f) ducking.roots[f].y -= 0.3f;
  const auto kept = cut_cycles(ducking, contacts, whole, 1);
  EXPECT_EQ(kept.size(), cycles.size() - 1);
  EXPECT_TRUE(std::none_of(kept.begin(), kept.end(), [&](const Piece& s) { return s.begin == cycles[2].begin; }));
}

TEST(FamilyGather, AFaultyExampleIsTakenWhereAskedFor) {
  const testing::TemporaryFolder folder;
  const library::Library library = reaches_with_a_fault(folder);
  FamilyOptions options;
  options.label = "reach";
  options.keep_faulty = true;
  options.least_spacing = 0;
  options.max_cost = 1e9;
  const auto built = build_family(library, options);
  ASSERT_TRUE(built) << built.error().to_string();
  EXPECT_TRUE(has_thrown(*built));
  EXPECT_THAT(built->left_out, IsEmpty());
}

}  // namespace
}  // namespace loom::blend
