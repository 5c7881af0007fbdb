// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <loom/library/library.h>
#include <loom/project/find_motion.h>
#include <loom/project/rename.h>
#include <loom/project/repair_clip.h>

#include "tests/make_clip.h"
#include "tests/make_walk.h"
#include "tests/temporary_folder.h"

namespace loom::project {
namespace {

class WorkingDay : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"a", "b", "c"}) {
      motion::Clip clip = testing::make_gait({.speed = name[0] == 'c' ? 2.0 : 1.2}).clip;
      clip.name = name;
      clip.labels = {{std::string("is-") + name, 0, 10}};
      library::Provenance provenance;
      provenance.source = std::string(name) + ".bvh";
      ASSERT_TRUE(library_.add_clip(clip, provenance));
    }
  }
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> names;
    const auto clips = library_.clips();
    for (const auto& clip : clips.value()) names.push_back(clip.name);
    return names;
  }

  testing::TemporaryFolder folder_;
  library::Library library_ = library::Library::open_or_create(folder_.file("a.loom")).value();
};

TEST_F(WorkingDay, PatternsNameManyClips) {
  const auto wanted = renamings({"x", "y"}, "take-#-*").value();
  EXPECT_EQ(wanted[0].to, "take-1-x");
  EXPECT_EQ(wanted[1].to, "take-2-y");
  EXPECT_EQ(renamings(std::vector<std::string>(12, "x"), "#").value()[0].to, "01");
  EXPECT_EQ(renamings({"x"}, "plain").value()[0].to, "plain");
  EXPECT_FALSE(renamings({"x", "y"}, "plain"));
}

TEST_F(WorkingDay, NamesAreExchangedAndAllElseStays) {
  ASSERT_TRUE(rename(library_, {{"a", "b"}, {"b", "a"}, {"c", "z"}}));
  EXPECT_EQ(names(), (std::vector<std::string>{"a", "b", "z"}));
  EXPECT_EQ(library_.clip_info("a")->labels[0].name, "is-b");
  EXPECT_EQ(library_.provenance("b")->source, "a.bvh");
}

TEST_F(WorkingDay, ATakenNameLeavesAllAsTheyWere) {
  EXPECT_FALSE(rename(library_, {{"a", "n"}, {"b", "c"}}));
  EXPECT_FALSE(rename(library_, {{"a", "n"}, {"b", "n"}}));
  EXPECT_FALSE(rename(library_, {{"a", "n"}, {"nobody", "m"}}));
  EXPECT_EQ(names(), (std::vector<std::string>{"a", "b", "c"}));
}

TEST_F(WorkingDay, AMendedCopyTellsHowItWasMadeAndItsSourceStays) {
  const auto before = library_.read_clip("a").value();
  const polish::Repairs repairs{.loop = true, .plant_feet = true};
  const auto repaired = repair_clip(library_, "a", repairs).value();
  EXPECT_LT(repaired.after.loop_gap_m, 0.005);
  EXPECT_GT(repaired.before.loop_gap_m, repaired.after.loop_gap_m);
  EXPECT_EQ(repaired.before.frames, before.frames());
  ASSERT_TRUE(keep_repaired(library_, "a", repairs, repaired, "a-loop"));
  EXPECT_FALSE(keep_repaired(library_, "a", repairs, repaired, "b"));
  EXPECT_EQ(library_.provenance("a-loop")->options, R"({"made_from":"a","repair":{"loop":true,"plant_feet":true}})");
  EXPECT_EQ(library_.provenance("a-loop")->notes, repaired.done);
  EXPECT_EQ(library_.read_clip("a")->rotations, before.rotations);
  EXPECT_FALSE(repair_clip(library_, "nobody", repairs));
}

TEST_F(WorkingDay, MotionLikeAStretchIsFoundInTheOtherClipOfItsKind) {
  const auto found = find_motion(library_, {"a", {{10, 40}}}, {}).value();
  bool in_b = false;
  for (const auto& one : found.similar.found) in_b |= found.motion.stretches[one.clip].name == "b";
  EXPECT_TRUE(in_b);
  EXPECT_FALSE(find_motion(library_, {"a", {{10, 4000}}}, {}));
  EXPECT_FALSE(find_motion(library_, {"nobody", {}}, {}));
  EXPECT_EQ(read_example("x:3-9").frames, (std::pair<std::size_t, std::size_t>{3, 9}));
  EXPECT_EQ(read_example("x:y").clip, "x:y");
}

}  // namespace
}  // namespace loom::project
