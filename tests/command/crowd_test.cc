// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <loom/base/file.h>

#include "tests/run_command.h"
#include "tests/temporary_folder.h"

namespace loom {
namespace {

using testing::run_loom;

class CrowdCommandTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(run_loom({"sample", path("walks.loom"), "--only", "locomotion", "--only", "idle"}).status, 0);
  }
  [[nodiscard]] std::string path(const std::string& name) const { return (folder_.path() / name).string(); }

  testing::TemporaryFolder folder_;
};

TEST_F(CrowdCommandTest, WalksRoundTheWallsOfAWorldAndTellsHowItWent) {
  ASSERT_TRUE(save_file(path("hall.world"),
                        "world hall\nground -6 -8 6 8\nbox wall at -1.5 0 size 9 0.2 to 2.5\nstart 0 -5\ngoal 0 5\n"));
  const auto run = run_loom({"crowd", path("walks.loom"), "--world", path("hall.world"), "--characters", "3",
                             "--seconds", "25", "-o", path("crowd.glb"), "--picture", path("crowd.png"), "--json"});
  ASSERT_EQ(run.status, 0) << run.err;
  const auto result = run.json();
  EXPECT_EQ(result["reached"], 3);
  EXPECT_EQ(result["wall_collisions"], 0);
  EXPECT_EQ(result["collisions"], 0);
  EXPECT_EQ(result["steering"], "reciprocal");
  EXPECT_TRUE(result["family"].is_null());
  EXPECT_GT(result["mean_seconds"], 8) << "the way through the wall takes less";
  EXPECT_EQ(run_loom({"info", path("crowd.glb")}).status, 0);
}

TEST_F(CrowdCommandTest, TheSameSeedIsTheSameCrowdWithEitherSteering) {
  for (const char* steering : {"reciprocal", "avoid"}) {
    const std::vector<std::string> asked = {"crowd", path("walks.loom"), "--scene", "circle",     "--characters",
                                            "4",     "--seconds",        "4",       "--steering", steering,
                                            "--json"};
    auto one = run_loom(asked).json(), other = run_loom(asked).json();
    ASSERT_TRUE(one.is_object());
    one.erase("ms_per_frame");
    other.erase("ms_per_frame");
    EXPECT_EQ(one, other);
  }
}

TEST_F(CrowdCommandTest, SaysWhatIsWrong) {
  const auto why = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"crowd", path("walks.loom"), "--seconds", "1"});
    const auto run = run_loom(arguments);
    return std::to_string(run.status) + " " + run.err;
  };
  EXPECT_NE(why({"--world", path("none.world")}).find("1 "), std::string::npos);
  EXPECT_NE(why({"--steering", "psychic"}).find("reciprocal"), std::string::npos);
  EXPECT_NE(why({"--family", "none"}).find("none"), std::string::npos);
  ASSERT_TRUE(save_file(path("small.world"), "world small\nground 0 0 2 2\n"));
  EXPECT_NE(why({"--world", path("small.world")}).find("room for"), std::string::npos);
  ASSERT_TRUE(save_file(path("shut.world"),
                        "world shut\nground -5 -5 5 5\nbox wall at 0 0 size 10 0.2 to 2\nstart 0 -3\ngoal 0 3\n"));
  EXPECT_NE(why({"--world", path("shut.world"), "--characters", "1"}).find("no way leads"), std::string::npos);
  const auto none = run_loom({"crowd", path("missing.loom")});
  EXPECT_EQ(none.status, 1);
}

}  // namespace
}  // namespace loom
