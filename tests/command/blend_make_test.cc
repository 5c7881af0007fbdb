// SPDX-License-Identifier: MIT
// What a user meets: `loom blend make`, `lead` and `steps`, run as a program, with good input and bad.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/io/read.h>
#include <loom/library/library.h>
#include <loom/motion/kinematics.h>

#include "tests/run_command.h"
#include "tests/temporary_folder.h"

namespace loom {
namespace {

using testing::CommandRun;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::run_loom;

class BlendCommandTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new testing::TemporaryFolder;
    library_ = folder_->file("moves.loom");
    ASSERT_EQ(run_loom({"sample", library_, "--rate", "30", "--only", "reach", "locomotion", "wander"}).status, 0);
    ASSERT_EQ(run_loom({"blend", "family", library_, "--label", "reach", "--name", "reach"}).status, 0);
  }
  static void TearDownTestSuite() { delete folder_; }

  static CommandRun blend(std::vector<std::string> words) {
    words.insert(words.begin(), "blend");
    return run_loom(words);
  }
  static std::string footprints(const std::string& text) {
    const std::string path = folder_->file("prints.csv");
    std::ofstream(path) << text;
    return path;
  }

  static inline testing::TemporaryFolder* folder_ = nullptr;
  static inline std::string library_;
};

TEST_F(BlendCommandTest, MakesAReachThatComesWhereItIsTold) {
  const std::string out = folder_->file("reach.bvh");
  const CommandRun run = blend({"make", library_, "reach", "--at", "0.2,1.22,0.5", "-o", out, "--json"});
  ASSERT_EQ(run.status, 0) << run.err;
  const auto json = run.json();
  EXPECT_LT(json["error"].get<double>(), 0.005);
  EXPECT_FALSE(json["clamped"].get<bool>());
  EXPECT_NEAR(json["reached"]["y"].get<double>(), 1.22, 0.005);
  EXPECT_LT(json["motion"]["foot_slide_max_mps"].get<double>(), 0.05);
  // And so it does in the file.
  const motion::Clip clip = io::read_motion(out).value().front().clip;
  const auto stroke = json["stroke_frames"][0].get<std::size_t>();
  const auto hand = motion::joint_frame(*clip.skeleton, clip.skeleton->find("RightHand").value(), clip.roots[stroke],
                                        clip.pose(stroke));
  EXPECT_LT(distance(hand.position, {0.2f, 1.22f, 0.5f}), 0.01f);
}

TEST_F(BlendCommandTest, MeetsATargetOfAJoint) {
  const CommandRun run =
      blend({"make", library_, "reach", "--target", "RightHand=0.2,1.22,0.5@stroke", "--add", "to-order", "--json"});
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_LT(run.json()["target_errors_m"][0].get<double>(), 0.005);
  EXPECT_EQ(run_loom({"info", library_, "to-order"}).status, 0);
}

TEST_F(BlendCommandTest, FarOutsideIsClampedOrExtrapolatedAndTold) {
  const std::string out = folder_->file("far.bvh");
  const CommandRun clamped = blend({"make", library_, "reach", "--at", "0.2,1.2,3", "-o", out, "--json"});
  ASSERT_EQ(clamped.status, 0) << clamped.err;
  EXPECT_TRUE(clamped.json()["clamped"].get<bool>());
  EXPECT_GT(clamped.json()["outside_by"].get<double>(), 1.5);
  const CommandRun further =
      blend({"make", library_, "reach", "--at", "0.2,1.2,1.2", "--outside", "extrapolate", "-o", out, "--force"});
  EXPECT_EQ(further.status, 0);
  EXPECT_THAT(further.err, HasSubstr("extrapolated"));
}

TEST_F(BlendCommandTest, LeadsAHandFromPointToPoint) {
  const std::string out = folder_->file("led.bvh");
  const CommandRun run = blend({"lead", library_, "reach", "--through", "0.2,1.22,0.5", "0.0,1.3,0.5", "0.2,1.22,0.5",
                                "--seconds", "4", "-o", out, "--json"});
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_FALSE(run.json()["cyclic"].get<bool>());
  const motion::Clip clip = io::read_motion(out).value().front().clip;
  ASSERT_EQ(clip.frames(), 120u);
  const auto hand_at = [&](std::size_t f) {
    return motion::joint_frame(*clip.skeleton, clip.skeleton->find("RightHand").value(), clip.roots[f], clip.pose(f))
        .position;
  };
  for (const auto& [frame, place] :
       {std::pair<std::size_t, Vec3>{0, {0.2f, 1.22f, 0.5f}}, {60, {0.0f, 1.3f, 0.5f}}, {119, {0.2f, 1.22f, 0.5f}}}) {
    // Where an arm would have to bend as none of the examples does, the hand stays short by a little.
    EXPECT_LT(distance(hand_at(frame), place), 0.05f) << frame;
  }
}

/// A mesh goes with the hand: led from among the examples to a metre beyond them, less and less of it can be reached.
TEST_F(BlendCommandTest, TheMeshAroundALedHandTellsWhereTheExamplesEnd) {
  const std::string out = folder_->file("led-out.bvh"), csv = folder_->file("around.csv");
  const CommandRun run =
      blend({"lead", library_, "reach", "--through", "0.2,1.22,0.5", "0.2,1.22,1.5", "--seconds", "1", "--coverage",
             csv, "--shape", "ball", "--size", "0.1", "--points", "5", "-o", out, "--json"});
  ASSERT_EQ(run.status, 0) << run.err;
  const auto coverage = run.json()["coverage"];
  EXPECT_EQ(coverage["least_covered"].get<double>(), 0);
  EXPECT_GT(coverage["covered"].get<double>(), 0.1);
  std::ifstream lines(csv);
  std::vector<double> covered;
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "frame,x,y,z,covered,mean_error");
  while (std::getline(lines, line)) {
    std::istringstream cells(line);
    std::string cell;
    for (int c = 0; c < 5; ++c) std::getline(cells, cell, ',');
    covered.push_back(std::stod(cell));
  }
  ASSERT_EQ(covered.size(), 30U);
  EXPECT_GT(covered.front(), 0.3) << "all examples end with the arm stretched: nearer places are missed by a little";
  EXPECT_EQ(covered.back(), 0);
}

TEST_F(BlendCommandTest, SaysWhatIsWrongWithAWay) {
  const std::string out = folder_->file("no.bvh");
  EXPECT_EQ(blend({"lead", library_, "reach", "--through", "0.2,1.2,0.5", "-o", out}).status, 2);
  const CommandRun run = blend({"lead", library_, "reach", "--through", "0.2,1.2", "0.1,1.2", "-o", out});
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.err, HasSubstr("3 parameters"));
}

TEST_F(BlendCommandTest, LinesAndTurnsAreMetTogether) {
  const std::string out = folder_->file("poured.bvh");
  CommandRun run =
      blend({"make", library_, "reach", "--target", "RightHand=line:-0.2,0,0.5:0,1,0@stroke,c=0.54,n=2", "--target",
             "RightHand=turn:0,0,-60:xz@stroke,c=0.46", "--objective", "sum", "-o", out, "--json"});
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.json()["target_kinds"], nlohmann::json::array({"line", "turn"}));
  EXPECT_LT(run.json()["target_errors_m"][0].get<double>(), 0.02);
  run = blend({"make", library_, "reach", "--target", "RightHand=turn:0,0,-60:y", "-o", out, "--force"});
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("target 1: turned otherwise by"));
}

TEST_F(BlendCommandTest, SaysWhatIsWrongWithAnOrder) {
  const std::string out = folder_->file("no.bvh");
  const auto refusal = [&](std::vector<std::string> words, int status) {
    words.insert(words.end(), {"-o", out});
    const CommandRun run = blend(std::move(words));
    EXPECT_EQ(run.status, status);
    return run.err;
  };
  EXPECT_THAT(refusal({"make", library_, "reach", "--at", "1,2"}, 1), HasSubstr("3 parameters (x, y, z), not 2"));
  EXPECT_THAT(refusal({"make", library_, "reach", "--at", "1,2,three"}, 1), HasSubstr("expected numbers"));
  EXPECT_THAT(refusal({"make", library_, "jumps", "--at", "1"}, 1), HasSubstr("jumps"));
  EXPECT_THAT(refusal({"make", library_, "reach", "--target", "Nose=1,2,3"}, 1), HasSubstr("no joint 'Nose'"));
  EXPECT_THAT(refusal({"make", library_, "reach", "--target", "RightHand=1,2"}, 1), HasSubstr("JOINT=x,y,z@stroke"));
  EXPECT_THAT(refusal({"make", library_, "reach", "--target", "RightHand=1,2,3@4"}, 1), HasSubstr("no stroke 4"));
  for (const char* wrong : {"RightHand=line:1,2,3", "RightHand=line:1,2,3:4,5", "RightHand=turn:1,2,3:w",
                            "RightHand=turn:1,2,3:", "RightHand=bend:1,2,3", "RightHand=1,2,3@stroke,c=x",
                            "RightHand=1,2,3@stroke,q=1", "RightHand=1,2,3@stroke,c"}) {
    EXPECT_THAT(refusal({"make", library_, "reach", "--target", wrong}, 1), HasSubstr("a target is given as")) << wrong;
  }
  EXPECT_THAT(refusal({"make", library_, "reach", "--target", "RightHand=1,2,3@stroke,c=2"}, 1),
              HasSubstr("a priority outside 0 to 1"));
  EXPECT_THAT(refusal({"make", library_, "reach", "--target", "RightHand=line:1,2,3:0,0,0"}, 1),
              HasSubstr("a line without direction"));
  EXPECT_THAT(refusal({"make", library_, "reach"}, 2), HasSubstr("--at"));
  EXPECT_FALSE(std::filesystem::exists(out));
  EXPECT_EQ(blend({"make", library_, "reach", "--at", "0,1,1"}).status, 2);
}

TEST_F(BlendCommandTest, StepsMeetFootprintsWithinACentimetre) {
  const std::string prints = footprints(
      "x,z,heading,foot\n0.1,0,0,left\n-0.1,0.6,0,right\n0.1,1.2,0,left\n-0.05,1.8,10,right\n0.3,2.3,20,left\n");
  const CommandRun run = blend({"steps", library_, prints, "-o", folder_->file("steps.glb"), "--json"});
  ASSERT_EQ(run.status, 0) << run.err;
  const auto json = run.json();
  EXPECT_EQ(json["steps"].size(), 3U);
  EXPECT_LT(json["largest_error_m"].get<double>(), 0.01);
  EXPECT_LT(json["motion"]["foot_slide_max_mps"].get<double>(), 0.12);
}

TEST_F(BlendCommandTest, StepsTellWhichFaultyStretchesTheyLeaveOut) {
  const std::string thrown = folder_->file("thrown.loom");
  std::filesystem::copy_file(library_, thrown);
  {
    auto library = library::Library::open(thrown, library::Access::kWrite).value();
    const auto infos = library.clips().value();
    const auto walk = std::find_if(infos.begin(), infos.end(), [](const library::ClipInfo& info) {
      const auto is_walk = [](const motion::Label& label) { return label.name == "walk"; };
      return info.frames > 60 && std::any_of(info.labels.begin(), info.labels.end(), is_walk);
    });
    ASSERT_NE(walk, infos.end());
    motion::Clip clip = library.read_clip(walk->name).value();
    clip.name = "thrown";
    clip.labels = {{"walk", 0, clip.frames()}};
    for (std::size_t f = 30; f < clip.frames(); ++f) clip.roots[f].x += 2;
    ASSERT_TRUE(library.add_clip(clip));
  }
  const std::string prints = footprints("x,z,heading,foot\n0.1,0,0,left\n-0.1,0.6,0,right\n0.1,1.2,0,left\n");
  const std::vector<std::string> words = {"steps", thrown,    prints, "--label",
                                          "walk",  "--force", "-o",   folder_->file("sound.glb")};
  const auto with = [&](const char* more) {
    std::vector<std::string> all = words;
    all.emplace_back(more);
    return blend(all);
  };
  const auto json = with("--json").json();
  ASSERT_EQ(json["left_out"].size(), 1U);
  EXPECT_EQ(json["left_out"][0]["clip"], "thrown");
  EXPECT_LE(json["left_out"][0]["from"].get<int>(), 30);
  EXPECT_GT(json["left_out"][0]["to"].get<int>(), 30);
  EXPECT_THAT(blend(words).out, HasSubstr("thrown ["));
  EXPECT_THAT(with("--keep-faulty").out, Not(HasSubstr("thrown [")));
}

TEST_F(BlendCommandTest, StepsThatCannotBeMadeAreNamed) {
  const std::string out = folder_->file("no.glb");
  const CommandRun far = blend({"steps", library_, footprints("x,z\n0.1,0\n-0.1,0.6\n0.1,3.2\n"), "-o", out});
  EXPECT_EQ(far.status, 1);
  EXPECT_THAT(far.err, HasSubstr("footprint 3 cannot be stepped on"));
  const CommandRun bad = blend({"steps", library_, footprints("x,z\n0,0\n0,one\n"), "-o", out});
  EXPECT_EQ(bad.status, 1);
  EXPECT_THAT(bad.err, HasSubstr("prints.csv:3"));
  const CommandRun none =
      blend({"steps", library_, footprints("x,z\n0.1,0\n-0.1,0.6\n0.1,1.2\n"), "--clips", "reach*", "-o", out});
  EXPECT_EQ(none.status, 1);
  EXPECT_THAT(none.err, HasSubstr("found 0 steps"));
}

}  // namespace
}  // namespace loom
