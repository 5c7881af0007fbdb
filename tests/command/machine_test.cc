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
}

}  // namespace
}  // namespace loom
