// SPDX-License-Identifier: MIT
// `loom-cluster` as a user of a cluster meets it: by mpirun, several ranks on this one machine.
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <loom/base/parts_file.h>
#include <loom/graph/build.h>
#include <loom/graph/stored_graph.h>
#include <loom/library/library.h>

#include "tests/command/walk_clips.h"
#include "tests/run_command.h"
#include "tests/temporary_folder.h"

namespace loom {
namespace {

namespace fs = std::filesystem;
using library::Library;
using testing::CommandRun;
using ::testing::HasSubstr;
using testing::run_loom;
using testing::run_program;

/// Small, so that a few walks are many parts.
constexpr const char* kPartPairs = "40000";

class ClusterTest : public ::testing::Test {
 protected:
  void SetUp() override {
#ifndef LOOM_CLUSTER
    GTEST_SKIP() << "NOT TESTED: loom-cluster was not built, since there is no MPI (libopenmpi-dev)";
#else
    if (!fs::exists(LOOM_MPIRUN)) GTEST_SKIP() << "NOT TESTED: there is no mpirun (openmpi-bin)";
    auto library = Library::open_or_create(library_).value();
    int n = 0;
    for (const double speed : {1.1, 1.15, 1.2, 1.3}) {
      ASSERT_TRUE(library.add_clip(testing::labelled_walk("walk" + std::to_string(n++), speed, "walk", 10)));
    }
#endif
  }

  /// The words after "mpirun" for so many ranks on this machine, whoever runs it and however few cores it has.
  static std::vector<std::string> ranks(int count, const std::vector<std::string>& words) {
    std::vector<std::string> all = {"--oversubscribe",    "--allow-run-as-root", "--bind-to", "none", "-n",
                                    std::to_string(count)};
#ifdef LOOM_CLUSTER
    all.emplace_back(LOOM_CLUSTER);
#endif
    all.insert(all.end(), words.begin(), words.end());
    return all;
  }
  static CommandRun cluster(int count, const std::vector<std::string>& words) {
#ifdef LOOM_CLUSTER
    return run_program(LOOM_MPIRUN, ranks(count, words));
#else
    return {};
#endif
  }
  [[nodiscard]] std::vector<std::string> build(const std::string& name) const {
    return {"graph", "build", library_, "--name", name, "--connect", "0.7", "--part-pairs", kPartPairs, "--json"};
  }

  /// Long enough to be killed in: all pairs of many frames, in a hundred parts.
  [[nodiscard]] std::vector<std::string> slow_build(const std::string& name) const {
    auto words = build(name);
    words.insert(words.end(), {"--metric", "joints", "--rate", "240"});
    return words;
  }

  /// Kills the process that is rank `rank` of the run that keeps its parts at `parts`; false where there is none.
  static bool kill_rank(const std::string& rank, const std::string& parts) {
    const std::string library = parts.substr(0, parts.find(".loom") + 5);
    for (const auto& entry : fs::directory_iterator("/proc")) {
      const std::string number = entry.path().filename().string();
      if (number.find_first_not_of("0123456789") != std::string::npos) continue;
      const auto words = [&](const char* name) {
        std::ifstream file(entry.path() / name, std::ios::binary);
        return std::string{std::istreambuf_iterator<char>(file), {}} + '\0';
      };
      const std::string zero(1, '\0');
      if (words("cmdline").find(library + zero) == std::string::npos) continue;
      if (words("environ").find(zero + "OMPI_COMM_WORLD_RANK=" + rank + zero) == std::string::npos) continue;
      ::kill(static_cast<pid_t>(std::stol(number)), SIGKILL);
      return true;
    }
    return false;
  }

  struct Stored {
    std::vector<std::byte> graph, pairs;
    std::string parameters;

    friend bool operator==(const Stored&, const Stored&) = default;
  };
  [[nodiscard]] Stored stored(const std::string& name) const {
    const auto library = Library::open(library_).value();
    const auto graph = library.get_artefact(graph::kGraphKind, name).value();
    return {graph.data, library.get_artefact(graph::kPairsKind, name).value().data, graph.info.parameters};
  }

  testing::TemporaryFolder folder_;
  std::string library_ = folder_.file("moves.loom");
};

TEST_F(ClusterTest, AnyNumberOfRanksStoresTheBytesThatOneMachineDoes) {
  const CommandRun alone = run_loom({"graph", "build", library_, "--name", "alone", "--connect", "0.7", "--json"});
  ASSERT_EQ(alone.status, 0) << alone.err;
  const Stored expected = stored("alone");
  ASSERT_FALSE(expected.pairs.empty());
  for (const int count : {1, 2, 3, 4}) {
    const std::string name = "ranks" + std::to_string(count);
    const CommandRun run = cluster(count, build(name));
    ASSERT_EQ(run.status, 0) << run.err;
    const auto json = run.json();
    EXPECT_EQ(json["cluster"]["ranks"], count) << run.out;
    EXPECT_GT(json["cluster"]["parts"], 8);
    EXPECT_EQ(json["cluster"]["parts_kept"], 0);
    EXPECT_EQ(json["pairs_compared"], alone.json()["pairs_compared"]);
    EXPECT_EQ(stored(name), expected) << count;
    EXPECT_FALSE(fs::exists(library_ + "." + name + ".parts"));  // it was needed no more
  }
}

TEST_F(ClusterTest, AKilledRunGoesOnWhereItWasAndSaysWhoseWorkIsDoneAgain) {
#ifdef LOOM_CLUSTER
  ASSERT_EQ(cluster(1, slow_build("whole")).status, 0);
  // A rank is killed while it works, as a node that fails does; mpirun ends the others.
  const std::string parts = library_ + ".again.parts";
  std::thread killer([&] {
    for (int look = 0; look < 60000; ++look) {
      std::error_code ignored;
      if (fs::exists(parts, ignored) && fs::file_size(parts, ignored) > 6000 && kill_rank("1", parts)) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  });
  const CommandRun killed = cluster(2, slow_build("again"));
  killer.join();
  EXPECT_NE(killed.status, 0);
  ASSERT_TRUE(fs::exists(parts));
  EXPECT_FALSE(Library::open(library_).value().get_artefact(graph::kGraphKind, "again"));

  const CommandRun run = cluster(3, slow_build("again"));
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.err, HasSubstr("going on from an earlier run"));
  EXPECT_THAT(run.err, HasSubstr("of rank 1"));
  EXPECT_GE(run.json()["cluster"]["parts_kept"], 1);
  EXPECT_GE(run.json()["cluster"]["parts_again"], 1);
  EXPECT_EQ(stored("again").pairs, stored("whole").pairs);
  EXPECT_EQ(stored("again").graph, stored("whole").graph);
  EXPECT_FALSE(fs::exists(parts));
#endif
}

TEST_F(ClusterTest, APolicyIsTheSameWhateverTheNumberOfRanks) {
  const CommandRun cut = run_loom({"fragments", "cut", library_, "--name", "moves", "--step", "0.2", "--json"});
  ASSERT_EQ(cut.status, 0) << cut.err;
  const auto policy = [&](const std::string& name) {
    return Library::open(library_).value().get_artefact("policy", name).value().data;
  };
  const CommandRun alone =
      run_loom({"fragments", "train", library_, "moves", "--name", "same", "--on", "cpu", "--json"});
  ASSERT_EQ(alone.status, 0) << alone.err;
  const auto expected = policy("same");
  for (const int count : {1, 2, 3}) {
    const CommandRun run = cluster(
        count, {"fragments", "train", library_, "moves", "--name", "same", "--restart", "--columns", "40", "--json"});
    ASSERT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(run.json()["cluster"]["ranks"], count) << run.out;
    EXPECT_EQ(run.json()["sweeps"], alone.json()["sweeps"]);
    EXPECT_EQ(policy("same"), expected) << count;
  }
}

TEST_F(ClusterTest, AFullDiskIsToldAndLosesNothing) {
#ifdef LOOM_CLUSTER
  const std::string parts = folder_.file("full.parts");
  auto words = slow_build("full");
  words.insert(words.end(), {"--checkpoint", parts});
  // No file of the rank's may grow beyond 40 kB, as on a full disk; MPI itself has room.
  std::vector<std::string> limited = {"--oversubscribe",
                                      "--allow-run-as-root",
                                      "--bind-to",
                                      "none",
                                      "--mca",
                                      "btl",
                                      "self",
                                      "-n",
                                      "1",
                                      "sh",
                                      "-c",
                                      "trap '' XFSZ; ulimit -f 80; exec \"$0\" \"$@\"",
                                      LOOM_CLUSTER};
  limited.insert(limited.end(), words.begin(), words.end());
  const CommandRun full = run_program(LOOM_MPIRUN, limited);
  EXPECT_EQ(full.status, 1);
  EXPECT_THAT(full.err, HasSubstr("what was done cannot be kept"));
  EXPECT_THAT(full.err, HasSubstr("the same command goes on from there"));
  ASSERT_TRUE(full.json().is_object()) << full.out << full.err;
  EXPECT_EQ(full.json()["error"]["kind"], "no_space");
  const CommandRun run = cluster(2, words);
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_GT(run.json()["cluster"]["parts_kept"], 0);
  ASSERT_EQ(cluster(1, slow_build("whole")).status, 0);
  EXPECT_EQ(stored("full").pairs, stored("whole").pairs);
#endif
}

TEST_F(ClusterTest, TwoRunsAtOnceAreToldApart) {
  const std::string parts = folder_.file("busy.parts");
  const auto held = PartsFile::open(parts);
  ASSERT_TRUE(held);
  auto words = build("busy");
  words.insert(words.end(), {"--checkpoint", parts});
  const CommandRun run = cluster(2, words);
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.err, HasSubstr("another run is at work"));
}

TEST_F(ClusterTest, BadInputIsToldOnceAndNobodyWaits) {
  const CommandRun missing = cluster(3, {"graph", "build", folder_.file("none.loom"), "--name", "x", "--json"});
  EXPECT_EQ(missing.status, 1);
  EXPECT_EQ(missing.json()["error"]["kind"], "not_found") << missing.out;
  EXPECT_EQ(cluster(2, {"graph", "build"}).status, 2);
  EXPECT_EQ(cluster(2, {"--help"}).status, 0);
  auto words = build("x");
  words.insert(words.end(), {"--label", "dance"});
  const CommandRun nothing = cluster(2, words);
  EXPECT_EQ(nothing.status, 1);
  EXPECT_TRUE(nothing.json().contains("error")) << nothing.out;
  if (run_loom({"graph", "build", library_, "--name", "c", "--on", "cuda"}).status != 0) {
    auto card = build("x");
    card.insert(card.end(), {"--on", "cuda"});
    const CommandRun run = cluster(2, card);
    EXPECT_EQ(run.status, 1);
    EXPECT_THAT(run.err, HasSubstr("no graphics card can be used"));
  }
}

}  // namespace
}  // namespace loom
