// SPDX-License-Identifier: MIT
// What a user meets: `loom states` and `loom fight`, run as programs, with good input and bad.
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/io/read.h>
#include <loom/library/library.h>

#include "tests/run_command.h"
#include "tests/temporary_folder.h"

namespace loom {
namespace {

namespace fs = std::filesystem;
using testing::CommandRun;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::run_loom;

class FightCommandTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new testing::TemporaryFolder;
    const CommandRun made = run_loom(
        {"sample", library(), "--only", "fight-stance", "fight-step", "punch", "kick", "evade", "fight-combination"});
    ASSERT_EQ(made.status, 0) << made.err;
    const CommandRun built = run_loom({"states", "build", library(), "--name", "fight", "--json"});
    ASSERT_EQ(built.status, 0) << built.err;
    EXPECT_EQ(built.json()["states"].size(), 5u);
    EXPECT_GT(built.json()["transitions"].get<int>(), 1000);
  }
  static void TearDownTestSuite() { delete folder_; }
  static std::string library() { return folder_->file("moves.loom"); }
  static std::string content(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static std::string write(const std::string& name, const std::string& text) {
    std::ofstream(folder_->file(name)) << text;
    return folder_->file(name);
  }
  static testing::TemporaryFolder* folder_;
};

testing::TemporaryFolder* FightCommandTest::folder_ = nullptr;

/// Without the entries that are added from every frame there are fewer transitions, and attacks are further away; what
/// was built so is explained so.
TEST_F(FightCommandTest, WithMinimaOnlyAnswersComeLater) {
  const CommandRun built = run_loom({"states", "build", library(), "--name", "minima", "--minima-only", "--json"});
  ASSERT_EQ(built.status, 0) << built.err;
  EXPECT_TRUE(built.json()["parameters"]["minima_only"].get<bool>());
  const auto slowest = [&](const char* states) {
    double most = 0;
    const auto table = run_loom({"states", "table", library(), states, "--json"}).json();
    for (const auto& time : table["times"]) {
      if (time["transition"] == "full") most = std::max(most, time["mean_to_each_s"].get<double>());
    }
    return most;
  };
  EXPECT_GT(slowest("minima"), slowest("fight"));
  const auto kept = [&](const char* states) {
    std::size_t sum = 0;
    const auto explained = run_loom({"states", "explain", library(), states, "--json"}).json();
    for (const auto& state : explained["states"]) {
      sum += state["nodes"].get<std::size_t>();
    }
    return sum;
  };
  EXPECT_EQ(kept("minima"), built.json()["nodes"].get<std::size_t>());
  EXPECT_LT(kept("minima"), kept("fight"));
}

TEST_F(FightCommandTest, TheTableSaysHowQuicklyStatesAreReached) {
  const CommandRun run = run_loom({"states", "table", library(), "fight", "--json"});
  ASSERT_EQ(run.status, 0) << run.err;
  const auto json = run.json();
  std::size_t full = 0;
  for (const auto& time : json["times"]) {
    if (time["transition"] != "full") continue;
    EXPECT_LT(time["mean_to_each_s"].get<double>(), 0.1);
    ++full;
  }
  EXPECT_EQ(full, 3u);
  EXPECT_THAT(run_loom({"states", "explain", library(), "fight"}).out, HasSubstr("locomotion"));
  EXPECT_THAT(run_loom({"states", "table", library(), "none"}).err, HasSubstr("fight"));
}

TEST_F(FightCommandTest, ABoutIsOneSceneWithBothFightersAndTheSameForASeed) {
  const std::string scene = folder_->file("bout.glb"), picture = folder_->file("bout.png");
  const std::vector<std::string> words = {"fight",  library(), "--seconds", "6",   "--style",   "aggressive,defensive",
                                          "--seed", "3",       "-o",        scene, "--picture", picture,
                                          "--json", "--force"};
  const CommandRun run = run_loom(words);
  ASSERT_EQ(run.status, 0) << run.err;
  const auto json = run.json();
  ASSERT_EQ(json["fighters"].size(), 2u);
  EXPECT_EQ(json["fighters"][0]["style"], "aggressive");
  for (const char* key : {"attacks", "evasions", "hits"}) EXPECT_TRUE(json["fighters"][1][key].is_number()) << key;
  std::size_t attacks = 0;
  for (const auto& event : json["events"]) attacks += event["kind"] == "attack" ? 1 : 0;
  EXPECT_EQ(attacks,
            json["fighters"][0]["attacks"].get<std::size_t>() + json["fighters"][1]["attacks"].get<std::size_t>());
  EXPECT_GT(fs::file_size(picture), 10000u);
  EXPECT_EQ(run_loom(words).out, run.out);
  const auto clips = io::read_motion(scene);
  ASSERT_TRUE(clips) << clips.error().to_string();
  EXPECT_EQ(clips->size(), 2u);
}

TEST_F(FightCommandTest, FightersLookWhereTheyAreTold) {
  const std::string scene = folder_->file("looking.glb");
  const auto bout = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = {"fight", library(), "--states", "fight",  "--seconds",
                                      "3",     "-o",      scene,      "--force"};
    words.insert(words.end(), more.begin(), more.end());
    const CommandRun run = run_loom(words);
    EXPECT_EQ(run.status, 0) << run.err;
    return io::read_motion(scene).value();
  };
  const auto plain = bout({}), looking = bout({"--look-at", "0,0.1,0"});  // the floor between them
  ASSERT_EQ(looking.size(), 2u);
  for (std::size_t f = 0; f < 2; ++f) {
    const motion::Clip &before = plain[f].clip, &after = looking[f].clip;
    ASSERT_EQ(after.frames(), before.frames());
    const auto turned = [&](std::string_view joint) {
      const auto j = static_cast<std::size_t>(before.skeleton->find(joint).value());
      float most = 0;
      for (std::size_t i = 0; i < before.frames(); ++i)
        most = std::max(most, angle_between(before.pose(i)[j], after.pose(i)[j]));
      return most;
    };
    EXPECT_GT(turned("Head"), 0.1f) << f;
    EXPECT_LT(turned("LeftUpLeg"), 1e-3f) << f;
    EXPECT_LT(distance(before.roots.back(), after.roots.back()), 1e-5f) << "they go where they went";
  }
  EXPECT_EQ(run_loom({"fight", library(), "--states", "fight", "--look-at", "1,2"}).status, 2);
}

TEST_F(FightCommandTest, ManyBoutsAreCounted) {
  const CommandRun run = run_loom({"fight", library(), "--states", "fight", "--seconds", "10", "--style",
                                   "puncher,kicker", "--bouts", "3", "--json"});
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_GT(run.json()["fighters"][1]["kicks"].get<double>(), run.json()["fighters"][0]["kicks"].get<double>());
}

TEST_F(FightCommandTest, CtrlCEndsManyBoutsAndLeavesTheLibraryAsItWas) {
  const std::string before = content(library());
  ::setenv("LOOM_PROGRESS_SECONDS", "0", 1);
  const CommandRun stopped =
      run_loom({"fight", library(), "--seconds", "2", "--bouts", "1000000", "--json"}, {.interrupt_when = "fighting"});
  ::unsetenv("LOOM_PROGRESS_SECONDS");
  EXPECT_EQ(stopped.status, 1) << stopped.out << stopped.err;
  EXPECT_THAT(stopped.err, HasSubstr("stopped after "));
  EXPECT_THAT(stopped.err, HasSubstr(" of 1000000 bouts"));
  EXPECT_THAT(stopped.out, Not(HasSubstr("hits"))) << "no figures of half the work";
  EXPECT_TRUE(content(library()) == before);
}

TEST_F(FightCommandTest, StylesAreSetBySlidersAndFightersByWishes) {
  const auto fight = [&](const std::string& styles, const std::vector<std::string>& more = {}) {
    std::vector<std::string> words = {"fight", library(), "--states", "fight", "--seconds",
                                      "10",    "--json",  "--style",  styles};
    words.insert(words.end(), more.begin(), more.end());
    return run_loom(words);
  };
  const CommandRun run = fight("punch=1+kick=0+evade=0,aggressive+punch=0+kick=0");
  ASSERT_EQ(run.status, 0) << run.err;
  const auto fighters = run.json()["fighters"];
  EXPECT_EQ(fighters[0]["style"], "punch=1+kick=0+evade=0");
  EXPECT_GT(fighters[0]["punches"], 0);
  EXPECT_EQ(fighters[0]["kicks"], 0);
  EXPECT_EQ(fighters[1]["attacks"], 0);
  EXPECT_THAT(fight("punch=2,defensive").err, HasSubstr("'punch=2': a slider is set to a number from 0 to 1"));
  EXPECT_THAT(fight("jab=0.2,defensive").err, HasSubstr("no slider 'jab'"));

  const std::string wishes = write("wishes.csv", "frame,fighter,move,act\n0,1,stay,nothing\n60,1,stay,kick\n");
  const CommandRun steered = fight("aggressive,defensive", {"--wishes", wishes});
  ASSERT_EQ(steered.status, 0) << steered.err;
  EXPECT_EQ(steered.json()["fighters"][0]["attacks"], 1) << "it does what it is told and nothing else";
  EXPECT_EQ(steered.json()["fighters"][0]["kicks"], 1);
  const std::string calm =
      write("styles.csv", "frame,fighter,move,act,style\n0,1,,,punch=0+kick=0\n0,2,,,punch=0+kick=0\n");
  EXPECT_EQ(fight("aggressive,aggressive", {"--wishes", calm}).json()["fighters"][0]["attacks"], 0);
  const std::string bad = write("bad.csv", "frame,fighter,move,act\n0,1,fly,nothing\n");
  EXPECT_THAT(fight("aggressive,defensive", {"--wishes", bad}).err, HasSubstr("bad.csv:2: 'fly' is no move"));
  EXPECT_EQ(fight("aggressive,defensive", {"--wishes", wishes, "--bouts", "2"}).status, 2);
}

TEST_F(FightCommandTest, ACharacterIsDirectedByHand) {
  const std::string file = folder_->file("played.bvh");
  const CommandRun run =
      run_loom({"states", "play", library(), "fight", "locomotion@2", "punch", "kick@3", "-o", file, "--json"});
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_NEAR(run.json()["motion"]["seconds"].get<double>(), 7, 0.05);
  EXPECT_THAT(run_loom({"states", "play", library(), "fight", "sleep", "-o", file, "--force"}).err,
              HasSubstr("no state 'sleep'"));
}

TEST_F(FightCommandTest, BadMachinesAreRefusedWithTheirLine) {
  const std::string good = "machine m\nstate a: punch\nstate b: fight-stance\ntransition b -> a\ntransition a -> b\n";
  const auto error = [&](const std::string& text) {
    const CommandRun run =
        run_loom({"states", "build", library(), "--machine", write("m.machine", text), "--name", "m"});
    EXPECT_EQ(run.status, 1);
    return run.err;
  };
  EXPECT_THAT(error(good + "transition a -> c\n"), HasSubstr("m.machine:6: there is no state 'c'"));
  EXPECT_THAT(error("machine m\nstate a: pnuch\ntransition a -> a self\n"), HasSubstr("m.machine:2: nothing in the"));
  EXPECT_THAT(error(good + "state c: kick\n"), HasSubstr("m.machine:6: the machine is not connected"));
  EXPECT_THAT(error(good + "include \"m.machine\"\n"), HasSubstr("m.machine:6: a cyclic include"));
  EXPECT_THAT(error("machine m\nstate a: fight-stance\nstate b: punch\ntransition b -> a\ntransition a -> b\n"),
              HasSubstr("m.machine:3: state 'b' has no motion"));
  EXPECT_EQ(run_loom({"fight", library(), "--style", "brave,shy"}).status, 1);
  EXPECT_EQ(run_loom({"fight", library(), "--seconds", "0"}).status, 2);
}

}  // namespace
}  // namespace loom
