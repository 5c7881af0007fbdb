// SPDX-License-Identifier: MIT
// What a user meets: `loom machine` in all its forms, run as a program, with good input and bad.
#include <fstream>
#include <iterator>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/run_command.h"
#include "tests/temporary_folder.h"

namespace loom {
namespace {

using testing::CommandRun;
using ::testing::HasSubstr;
using testing::run_loom;

constexpr const char* kDrawn =
    "machine drawn\nstate punch: punch\nstate kick: kick\nstate stand: fight-stance\ndefault stand\n"
    "transition stand -> stand self\ntransition stand -> punch weight 0.2\ntransition stand -> kick weight 0.8\n"
    "transition punch -> stand\ntransition punch -> kick\ntransition kick -> stand\nafter kick -> stand\n";

class MachineCommandTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new testing::TemporaryFolder;
    CommandRun made = run_loom({"sample", library(), "--only", "fight-stance", "punch", "kick"});
    ASSERT_EQ(made.status, 0) << made.err;
    made = run_loom({"graph", "build", library(), "--name", "g", "--threshold", "0.0064"});
    ASSERT_EQ(made.status, 0) << made.err;
  }
  static void TearDownTestSuite() { delete folder_; }
  static std::string library() { return folder_->file("moves.loom"); }
  static std::string file(const std::string& name, const std::string& text) {
    std::ofstream(folder_->file(name)) << text;
    return folder_->file(name);
  }
  static std::string content(const std::string& path) {
    std::ifstream read(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(read), {}};
  }
  static CommandRun machine(std::vector<std::string> words) {
    words.insert(words.begin(), "machine");
    return run_loom(words);
  }
  static testing::TemporaryFolder* folder_;
};

testing::TemporaryFolder* MachineCommandTest::folder_ = nullptr;

TEST_F(MachineCommandTest, MiningFindsWaysBetweenTheStatesThatWereDrawn) {
  const std::string drawn = file("drawn.machine", kDrawn);
  const CommandRun run = machine({"mine", library(), "g", "--name", "m", "--against", drawn, "--json"});
  ASSERT_EQ(run.status, 0) << run.err;
  const auto json = run.json();
  ASSERT_EQ(json["states"].size(), 3u);
  EXPECT_EQ(json["states"][2]["name"], "stand");
  EXPECT_TRUE(json["states"][2]["cyclic"].get<bool>());
  EXPECT_TRUE(json["states"][0]["family"].is_null()) << "it was not asked for";
  EXPECT_EQ(json["chi"].get<double>(), static_cast<double>(json["edges"].size()) / 5);
  EXPECT_EQ(json["rho"].get<double>(), 1 - static_cast<double>(json["missing"].size()) / 5);
  EXPECT_GT(json["rho"].get<double>(), 0.5);
  EXPECT_EQ(json["parameters"]["graph"], "g");
  EXPECT_THAT(machine({"mine", library(), "g", "--name", "m", "--against", drawn}).out, HasSubstr("rho"));
}

TEST_F(MachineCommandTest, FamiliesAreFoundAndWhatTheyVaryIn) {
  const std::string drawn = file("drawn.machine", kDrawn);
  const CommandRun run = machine({"mine", library(), "g", "--name", "f", "--against", drawn, "--families", "--json"});
  ASSERT_EQ(run.status, 0) << run.err;
  const auto states = run.json()["states"];
  EXPECT_EQ(states[1]["family"]["kind"], "kick");
  EXPECT_GE(states[1]["family"]["examples"].get<int>(), 2);
  ASSERT_FALSE(states[1]["family"]["varies"].empty()) << "kicks are low, middle and high";
  EXPECT_TRUE(states[2]["family"]["kind"].is_null());
  EXPECT_THAT(states[2]["family"]["why_not"].get<std::string>(), HasSubstr("does not say"));
}

TEST_F(MachineCommandTest, AMachineIsTheSameAfterTheLibraryAndAfterAFile) {
  const std::string drawn = file("drawn.machine", kDrawn), again = folder_->file("again.machine");
  ASSERT_EQ(machine({"read", library(), drawn, "--name", "d"}).status, 0);
  ASSERT_EQ(machine({"write", library(), "d", again}).status, 0);
  EXPECT_EQ(content(again), kDrawn);
  EXPECT_EQ(machine({"write", library(), "d", again}).status, 1) << "never over a file that is there";
}

TEST_F(MachineCommandTest, APreferredWayIsShownTakenDrawnAndTakenBack) {
  ASSERT_EQ(machine({"read", library(), file("drawn.machine", kDrawn), "--name", "p"}).status, 0);
  const auto probability = [&](const nlohmann::json& told, const char* to) {
    for (const auto& edge : told["edges"]) {
      if (edge["from"] == "stand" && edge["to"] == to) return edge["probability"].get<double>();
    }
    return 0.0;
  };
  const auto before = machine({"show", library(), "p", "--json"}).json();
  const CommandRun both = machine({"prefer", library(), "p", "stand,punch,kick", "--json"});
  ASSERT_EQ(both.status, 0) << both.err;
  EXPECT_EQ(both.json()["answers"].size(), 2u);
  EXPECT_TRUE(both.json()["taken"].is_null());
  EXPECT_EQ(machine({"show", library(), "p", "--json"}).json()["edges"], before["edges"]) << "nothing was chosen yet";

  const CommandRun taken = machine({"prefer", library(), "p", "stand,punch,kick", "--method", "quadratic", "--json"});
  ASSERT_EQ(taken.status, 0) << taken.err;
  EXPECT_GT(probability(taken.json(), "punch"), 0.4);
  EXPECT_NEAR(probability(taken.json(), "punch") + probability(taken.json(), "kick"), 1, 1e-6);
  const std::string page = folder_->file("p.html");
  ASSERT_EQ(machine({"show", library(), "p", "-o", page}).status, 0);
  EXPECT_THAT(content(page), HasSubstr("stand,punch,kick (quadratic)"));
  EXPECT_THAT(content(page), HasSubstr("<circle class=\"inner\""));

  ASSERT_EQ(machine({"prefer", library(), "p", "--undo"}).status, 0);
  EXPECT_EQ(machine({"show", library(), "p", "--json"}).json()["edges"], before["edges"]);
  EXPECT_THAT(machine({"prefer", library(), "p", "--undo"}).err, HasSubstr("nothing to take back"));
}

TEST_F(MachineCommandTest, MistakesAreToldInOneLineWithTheirPlace) {
  const auto refused = [&](const std::string& text) {
    return machine({"mine", library(), "g", "--name", "x", "--against", file("bad.machine", text)}).err;
  };
  EXPECT_THAT(refused("machine m\nstate a: fly\ntransition a -> a self\n"),
              HasSubstr("bad.machine:2: nothing in the library is labelled 'fly'"));
  EXPECT_THAT(refused("machine m\nstate a: punch\nstate b: kick\ntransition a -> b\n"),
              HasSubstr("bad.machine:3: the machine is not connected"));
  EXPECT_THAT(refused("machine m\nstate a: family reaches\ntransition a -> a self\n"),
              HasSubstr("bad.machine:2: the library has no family 'reaches'"));
  EXPECT_THAT(refused("machine m\nstate a: punch\ntransition a -> a self\n"),
              HasSubstr("no transition between two different states"));
  EXPECT_THAT(machine({"mine", library(), "nothing", "--name", "x"}).err, HasSubstr("nothing"));
  EXPECT_EQ(machine({"mine", library(), "g", "--name", "x", "--discount", "1"}).status, 1);

  ASSERT_EQ(machine({"read", library(), file("drawn.machine", kDrawn), "--name", "q"}).status, 0);
  EXPECT_THAT(machine({"prefer", library(), "q", "kick,punch"}).err, HasSubstr("no transition from 'kick' to 'punch'"));
  EXPECT_THAT(machine({"prefer", library(), "q", "kick,fly"}).err, HasSubstr("there is no state 'fly'"));
  EXPECT_THAT(machine({"prefer", library(), "q", "stand,kick", "stand,punch,kick"}).err, HasSubstr("contradict"));
  EXPECT_EQ(machine({"prefer", library(), "q"}).status, 2);

  // What is kept has the lines of the file that is written of it.
  const std::string later = "machine m\nstate a: punch\nstate b: fly\ntransition a -> b\ntransition b -> a\n";
  ASSERT_EQ(machine({"read", library(), file("later.machine", later), "--name", "later"}).status, 0);
  EXPECT_THAT(machine({"build", library(), "later"}).err,
              HasSubstr("later.machine:3: nothing in the library is labelled 'fly'"));
}

TEST_F(MachineCommandTest, ABuiltMachineIsPlayedByAScriptOfWishes) {
  ASSERT_EQ(machine({"read", library(), file("built.machine", kDrawn), "--name", "p"}).status, 0);
  const std::string script = file("wishes.csv", "seconds,behavior\n1,punch\n4,kick\n"), out = folder_->file("w.glb");
  const CommandRun early = machine({"wish", library(), "p", "--script", script, "-o", out});
  EXPECT_EQ(early.status, 1);
  EXPECT_THAT(early.err, HasSubstr("machine 'p' has no motion yet; build it first"));
  const CommandRun built = machine({"build", library(), "p", "--json"});
  ASSERT_EQ(built.status, 0) << built.err;
  EXPECT_EQ(built.json()["kind"], "machine-motion");
  EXPECT_EQ(built.json()["states"][0]["after"], "stand");
  EXPECT_GT(built.json()["transitions"][0]["points"].get<int>(), 1) << "stand to punch";
  const CommandRun run = machine({"wish", library(), "p", "--script", script, "--seconds", "8", "-o", out, "--json"});
  ASSERT_EQ(run.status, 0) << run.err;
  ASSERT_EQ(run.json()["answers"].size(), 2u);
  EXPECT_EQ(run.json()["answers"][1]["state"], "kick");
  EXPECT_LT(run.json()["delay_mean_s"].get<double>(), 0.5);
  EXPECT_GE(run.json()["delay_p95_s"].get<double>(), run.json()["delay_mean_s"].get<double>());
  EXPECT_NEAR(run.json()["motion"]["seconds"].get<double>(), 8, 0.1);
  // What was found is in the file, and goes with the machine.
  const std::string written = folder_->file("found.machine");
  ASSERT_EQ(machine({"write", library(), "p", written}).status, 0);
  EXPECT_THAT(content(written), HasSubstr("reference punch: "));
  EXPECT_THAT(content(written), HasSubstr("warp stand -> stand: "));
  EXPECT_THAT(content(written), HasSubstr("warp stand -> kick: "));
}

TEST_F(MachineCommandTest, AScriptGoesFromMachineToMachineAndTheUpperBodyHasItsOwn) {
  for (const char* name : {"one", "two"}) {
    ASSERT_EQ(machine({"read", library(), file("built.machine", kDrawn), "--name", name}).status, 0);
    ASSERT_EQ(machine({"build", library(), name}).status, 0);
  }
  const std::string script = file("both.csv", "1,punch\n3,two:kick\n5,stand\n"), above = file("above.csv", "1,kick\n");
  const std::string out = folder_->file("both.glb");
  const CommandRun run = machine({"wish", library(), "one", "--script", script, "--seconds", "8", "-o", out, "--upper",
                                  "two", "--upper-script", above, "--json"});
  ASSERT_EQ(run.status, 0) << run.err;
  const auto json = run.json();
  ASSERT_EQ(json["answers"].size(), 3u);
  EXPECT_EQ(json["answers"][0]["machine"], "one");
  EXPECT_EQ(json["answers"][1]["machine"], "two");
  EXPECT_EQ(json["answers"][1]["state"], "kick");
  EXPECT_EQ(json["answers"][1]["delay_s"], 0);
  EXPECT_EQ(json["answers"][2]["machine"], "one");
  EXPECT_EQ(json["upper"]["machine"], "two");
  EXPECT_EQ(json["upper"]["answers"][0]["state"], "kick");
  EXPECT_LT(json["motion"]["largest_jump_m"].get<double>(), 0.2);
  const auto error = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = {"wish", library(), "one", "--script", script, "-o", folder_->file("no.glb")};
    words.insert(words.end(), more.begin(), more.end());
    return machine(words);
  };
  EXPECT_EQ(error({"--upper", "two"}).status, 2);
  EXPECT_THAT(error({"--upper", "two", "--upper-script", above, "--upper-from", "tail"}).err,
              HasSubstr("no joint 'tail'"));
  const std::string bad = file("bad.csv", "1,three:kick\n");
  EXPECT_THAT(machine({"wish", library(), "one", "--script", bad, "-o", folder_->file("no.glb")}).err,
              HasSubstr("bad.csv:1: "));
}

TEST_F(MachineCommandTest, WhatIsWrongWithAScriptIsToldByItsLine) {
  ASSERT_EQ(machine({"read", library(), file("built.machine", kDrawn), "--name", "q"}).status, 0);
  ASSERT_EQ(machine({"build", library(), "q"}).status, 0);
  const auto error = [&](const std::string& text) {
    const CommandRun run =
        machine({"wish", library(), "q", "--script", file("bad.csv", text), "-o", folder_->file("b.glb")});
    EXPECT_EQ(run.status, 1);
    return run.err;
  };
  EXPECT_THAT(error("1,dance\n"),
              HasSubstr("bad.csv:1: there is no state 'dance'; the states are: punch, kick, stand"));
  EXPECT_THAT(error("1,kick\nsoon,punch\n"), HasSubstr("bad.csv:2: "));
  EXPECT_THAT(error("2,kick\n1,punch\n"), HasSubstr("bad.csv:2: seconds go back here"));
  EXPECT_THAT(error("1,kick,height=2\n"), HasSubstr("bad.csv:1: state 'kick' has no parameters"));
  EXPECT_THAT(error("1,kick,height\n"), HasSubstr("bad.csv:1: expected parameter=value"));
  EXPECT_THAT(error("1\n"), HasSubstr("bad.csv:1: expected: seconds,behavior"));
  EXPECT_THAT(error(""), HasSubstr("there is no wish in it"));
}

}  // namespace
}  // namespace loom
