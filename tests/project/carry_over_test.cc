// SPDX-License-Identifier: MIT
// A folder of clips on several skeletons becomes one library on one body.
#include <gtest/gtest.h>

#include <loom/character/character_file.h>
#include <loom/io/bvh_write.h>
#include <loom/library/import.h>
#include <loom/motion/contacts.h>
#include <loom/project/carry_over.h>

#include "tests/character/make_body.h"
#include "tests/make_walk.h"
#include "tests/temporary_folder.h"

namespace loom::project {
namespace {

using character::Build;
using character::HumanBody;

std::string write(const loom::testing::TemporaryFolder& folder, const std::string& name, const motion::Clip& clip) {
  EXPECT_TRUE(io::write_bvh(clip, folder.file(name)));
  return folder.file(name);
}

/// A walk on somebody of another hierarchy: more joints in the spine, other names, longer legs, arms that hang.
motion::Clip walk_on(const Build& build) {
  const HumanBody body = character::make_body(build);
  auto carried = character::carry(loom::testing::make_gait({}).clip, body);
  EXPECT_TRUE(carried) << carried.error().to_string();
  return std::move(*carried);
}

library::ImportOptions in_metres() {
  library::ImportOptions options;
  options.read.metres_per_unit = 1;
  options.carry_over = between_humans();
  return options;
}

TEST(CarryOver, ClipsOnSeveralSkeletonsComeOntoOneBody) {
  loom::testing::TemporaryFolder folder;
  Build tall, small;
  tall.thigh = 0.5f, tall.arms_down = 1.2f, tall.spine = 4;
  small.thigh = 0.3f, small.shin = 0.28f, small.collars = false;
  const std::vector<std::string> files = {write(folder, "a.bvh", loom::testing::make_gait({}).clip),
                                          write(folder, "b.bvh", walk_on(tall)),
                                          write(folder, "c.bvh", walk_on(small))};
  auto library = library::Library::open_or_create(folder.file("one.loom"));
  ASSERT_TRUE(library);
  const auto report = library::import_motions(*library, files, in_metres());
  ASSERT_TRUE(report) << report.error().to_string();
  EXPECT_TRUE(report->failed.empty()) << (report->failed.empty() ? "" : report->failed[0].text);
  EXPECT_EQ(report->clips.size(), 3U);
  EXPECT_EQ(report->fitted, 2U);
  EXPECT_EQ(library->skeletons()->size(), 1U);
  // The way there and back again is as long as it was.
  const auto first = library->read_clip("a"), second = library->read_clip("b");
  ASSERT_TRUE(first && second);
  const auto way = [](const motion::Clip& clip) { return clip.roots.back().z - clip.roots.front().z; };
  EXPECT_NEAR(way(*second), way(*first), 0.05f * way(*first));
}

TEST(CarryOver, KeptApartTheyStayWhoTheyAre) {
  loom::testing::TemporaryFolder folder;
  const std::vector<std::string> files = {write(folder, "a.bvh", loom::testing::make_gait({}).clip),
                                          write(folder, "b.bvh", walk_on({}))};
  auto library = library::Library::open_or_create(folder.file("two.loom"));
  ASSERT_TRUE(library);
  library::ImportOptions options = in_metres();
  options.keep_apart = true;
  ASSERT_TRUE(library::import_motions(*library, files, options));
  EXPECT_EQ(library->skeletons()->size(), 2U);
}

}  // namespace
}  // namespace loom::project
