// SPDX-License-Identifier: MIT
// What a user meets: `loom measure`, run as a program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/io/bvh_write.h>
#include <loom/library/library.h>

#include "tests/make_walk.h"
#include "tests/run_command.h"
#include "tests/temporary_folder.h"

namespace loom {
namespace {

using testing::CommandRun;
using testing::Gait;
using ::testing::HasSubstr;
using testing::make_gait;
using testing::run_loom;

TEST(MeasureCommand, TellsMachinesAllFiguresOfAFile) {
  const testing::TemporaryFolder folder;
  Gait gait;
  gait.slide = 0.1f;
  motion::Clip clip = make_gait(gait).clip;
  for (std::size_t f = 60; f < clip.frames(); ++f) clip.roots[f].x += 2;  // a teleport
  ASSERT_TRUE(io::write_bvh(clip, folder.file("walk.bvh")));
  const CommandRun run = run_loom({"measure", folder.file("walk.bvh"), "--json"});
  ASSERT_EQ(run.status, 0) << run.err;
  const auto json = run.json();
  EXPECT_NEAR(json["foot_slide_mean_mps"], 0.1, 0.03);
  EXPECT_GE(json["foot_slide_max_mps"], json["foot_slide_mean_mps"]);
  EXPECT_GE(json["penetration_max_m"], 0);
  EXPECT_NEAR(json["largest_jump_m"], 2, 0.1);
  EXPECT_GT(json["jerk_rms"], 0);
  EXPECT_NEAR(json["path_m"], 4.8 + 2, 0.1);
  ASSERT_EQ(json["clips"].size(), 1u);
  EXPECT_EQ(json["clips"][0]["name"], "walk");
  EXPECT_EQ(json["clips"][0]["faults"][0]["kind"], "teleport");
  EXPECT_EQ(json["clips"][0]["faults"][0]["frames"][0]["from"], 60);
  EXPECT_GT(json["clips"][0]["contact_phases"].size(), 5u);
}

TEST(MeasureCommand, ListsTheClipsOfALibraryAndOneByName) {
  const testing::TemporaryFolder folder;
  {
    auto library = library::Library::open_or_create(folder.file("moves.loom"));
    ASSERT_TRUE(library) << library.error().to_string();
    Gait slow;
    slow.speed = 0.6;
    motion::Clip a = make_gait({}).clip, b = make_gait(slow).clip;
    a.name = "normal", b.name = "slow";
    ASSERT_TRUE(library->add_clip(a));
    ASSERT_TRUE(library->add_clip(b));
  }
  const CommandRun both = run_loom({"measure", folder.file("moves.loom")});
  ASSERT_EQ(both.status, 0) << both.err;
  EXPECT_THAT(both.out, HasSubstr("normal"));
  EXPECT_THAT(both.out, HasSubstr("slow"));
  EXPECT_THAT(both.out, HasSubstr("all"));
  const CommandRun one = run_loom({"measure", folder.file("moves.loom"), "slow"});
  ASSERT_EQ(one.status, 0) << one.err;
  EXPECT_THAT(one.out, HasSubstr("2.40 m at 0.60 m/s"));
  const CommandRun together = run_loom({"measure", folder.file("moves.loom"), "--json"});
  EXPECT_NEAR(together.json()["path_m"], 4.8 + 2.4, 0.05);
}

TEST(MeasureCommand, TakesSeveralFilesAtOnce) {
  const testing::TemporaryFolder folder;
  Gait sliding;
  sliding.slide = 0.2f;
  ASSERT_TRUE(io::write_bvh(make_gait({}).clip, folder.file("a.bvh")));
  ASSERT_TRUE(io::write_bvh(make_gait(sliding).clip, folder.file("b.bvh")));
  const CommandRun run = run_loom({"measure", folder.file("a.bvh"), folder.file("b.bvh"), "--json"});
  ASSERT_EQ(run.status, 0) << run.err;
  const auto json = run.json();
  ASSERT_EQ(json["clips"].size(), 2u);
  EXPECT_LT(json["clips"][0]["foot_slide_mean_mps"].get<double>(), json["foot_slide_mean_mps"].get<double>());
  EXPECT_GT(json["clips"][1]["foot_slide_mean_mps"].get<double>(), json["foot_slide_mean_mps"].get<double>());
  EXPECT_EQ(run_loom({"measure", folder.file("a.bvh"), folder.file("nothing.bvh")}).status, 1);
}

TEST(MeasureCommand, FailsOnWhatIsNotThere) {
  const testing::TemporaryFolder folder;
  EXPECT_EQ(run_loom({"measure", folder.file("none.bvh")}).status, 1);
  EXPECT_EQ(run_loom({"measure"}).status, 2);
  const CommandRun help = run_loom({"measure", "--help"});
  EXPECT_EQ(help.status, 0);
  EXPECT_THAT(help.out, HasSubstr("Example"));
}

}  // namespace
}  // namespace loom
