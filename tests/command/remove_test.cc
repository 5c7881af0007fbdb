// SPDX-License-Identifier: MIT
// What a user meets who tidies a library up: `loom remove`, run as a program.
#include <algorithm>
#include <chrono>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/library/library.h>
#include <loom/policy/stored_traces.h>

#include "tests/command/walk_clips.h"
#include "tests/make_clip.h"
#include "tests/make_walk.h"
#include "tests/run_command.h"
#include "tests/temporary_folder.h"

namespace loom {
namespace {

namespace fs = std::filesystem;
using library::Library;
using testing::CommandRun;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::run_loom;
using ::testing::UnorderedElementsAre;

std::vector<std::string> names_in(const nlohmann::json& list) {
  std::vector<std::string> names;
  for (const auto& entry : list) {
    names.push_back((entry.contains("kind") ? entry["kind"].get<std::string>() + " " : "") +
                    entry["name"].get<std::string>());
  }
  return names;
}

class RemoveCommandTest : public ::testing::Test {
 protected:
  RemoveCommandTest() {
    auto library = *Library::open_or_create(library_);
    for (const auto& [name, speed] : {std::pair{"walk-1", 1.1}, {"walk-2", 1.15}, {"stroll", 1.3}}) {
      EXPECT_TRUE(library.add_clip(testing::labelled_walk(name, speed)));
    }
  }

  /// One of every kind that can be built: graph with its pairs and policy, family, fragments with a policy, states.
  void build_all() {
    const std::string machine = folder_.write(
        "walk.machine", "machine walking\nstate walk: walk\ndefault walk\ntransition walk -> walk self\n");
    for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
             {"graph", "build", library_, "--name", "g", "--connect", "0.5"},
             {"graph", "train", library_, "g", "--headings", "4", "--discount", "0.5"},
             {"states", "build", library_, "--machine", machine, "--name", "s", "--threshold", "0.05"},
             {"blend", "family", library_, "--label", "walk", "--name", "w"},
             {"fragments", "cut", library_, "--name", "f"},
             {"fragments", "train", library_, "f", "--name", "p", "--discount", "0.9", "--bins", "10"}}) {
      const CommandRun run = run_loom(words);
      ASSERT_EQ(run.status, 0) << words[0] << " " << words[1] << ": " << run.err;
    }
    auto library = *Library::open(library_, library::Access::kWrite);
    policy::Trace trace;
    trace.times = {0, 1};
    trace.signals.resize(2);
    ASSERT_TRUE(policy::store_trace(library, "t", trace));
  }
  std::vector<std::string> artefacts() {
    std::vector<std::string> names;
    const auto infos = Library::open(library_)->artefacts();
    for (const auto& info : *infos) names.push_back(info.kind + " " + info.name);
    return names;
  }
  CommandRun remove(std::vector<std::string> words) {
    words.insert(words.begin(), {"remove", library_});
    return run_loom(words);
  }

  testing::TemporaryFolder folder_;
  std::string library_ = folder_.file("moves.loom");
};

TEST_F(RemoveCommandTest, TakesAllThatIsNamedOrNothing) {
  ASSERT_EQ(run_loom({"graph", "build", library_, "--name", "g", "--connect", "0.5"}).status, 0);
  const CommandRun unknown = remove({"walk-1", "--graph", "h"});
  EXPECT_EQ(unknown.status, 1);
  EXPECT_THAT(unknown.err, HasSubstr("there is no graph called 'h'; there are: g"));
  EXPECT_TRUE(Library::open(library_)->clip_info("walk-1")) << "nothing was removed";
  EXPECT_EQ(remove({}).status, 2);
  const CommandRun run = remove({"--graph", "g", "walk-2", "--json"});
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(names_in(run.json()["clips"]), ElementsAre("walk-2"));
  EXPECT_THAT(names_in(run.json()["artefacts"]), ElementsAre("graph g", "graph-pairs g"));
  EXPECT_FALSE(Library::open(library_)->clip_info("walk-2"));
  EXPECT_THAT(artefacts(), IsEmpty());
}

TEST_F(RemoveCommandTest, PatternsMeanClipsAndWhatWasBuilt) {
  for (const char* name : {"draft-1", "draft-2", "final"}) {
    ASSERT_EQ(run_loom({"fragments", "cut", library_, "--name", name}).status, 0);
  }
  EXPECT_THAT(remove({"--fragments", "scrap-*"}).err, HasSubstr("nothing is named like 'scrap-*'"));
  EXPECT_THAT(remove({"wlak-1"}).err, HasSubstr("did you mean 'walk-1'"));
  const auto json = remove({"walk-*", "--fragments", "draft-?", "--json"}).json();
  EXPECT_THAT(names_in(json["clips"]), ElementsAre("walk-1", "walk-2"));
  EXPECT_THAT(names_in(json["artefacts"]), ElementsAre("fragments draft-1", "fragments draft-2"));
  EXPECT_THAT(artefacts(), ElementsAre("fragments final"));
}

TEST_F(RemoveCommandTest, ANameThatLooksLikeAPatternMeansItselfAlone) {
  {
    auto library = *Library::open(library_, library::Access::kWrite);
    auto clip = *library.read_clip("walk-1");
    clip.name = "*";
    ASSERT_TRUE(library.add_clip(clip));
  }
  EXPECT_THAT(names_in(remove({"*", "--json"}).json()["clips"]), ElementsAre("*"));
  EXPECT_TRUE(Library::open(library_)->clip_info("walk-1"));
}

TEST_F(RemoveCommandTest, KnowsEveryKindThatALibraryHolds) {
  build_all();
  EXPECT_THAT(artefacts(), UnorderedElementsAre("graph g", "graph-pairs g", "graph-policy g", "family w", "fragments f",
                                                "policy p", "trace t", "states s"));
  const CommandRun run = remove({"--graph", "*", "--graph-policy", "*", "--family", "*", "--fragments", "*", "--policy",
                                 "*", "--trace", "*", "--states", "*", "--json"});
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.json()["artefacts"].size(), 8U);
  EXPECT_THAT(artefacts(), IsEmpty());
}

TEST_F(RemoveCommandTest, TellsWhatDependsOnWhatItTakes) {
  build_all();
  const auto needs = [](const nlohmann::json& json) {
    std::vector<std::string> told;
    for (const auto& entry : json["dependents"]) {
      told.push_back(entry["kind"].get<std::string>() + " " + entry["name"].get<std::string>() + ": " +
                     entry["needs"][0].get<std::string>());
    }
    return told;
  };
  EXPECT_THAT(needs(remove({"walk-1", "--dry-run", "--json"}).json()),
              UnorderedElementsAre("graph g: clip 'walk-1'", "family w: clip 'walk-1'", "fragments f: clip 'walk-1'",
                                   "states s: clip 'walk-1'", "graph-policy g: graph 'g'", "policy p: fragments 'f'"));
  EXPECT_THAT(needs(remove({"--fragments", "f", "--dry-run", "--json"}).json()),
              ElementsAre("policy p: fragments 'f'"));
  EXPECT_THAT(needs(remove({"--fragments", "f", "--policy", "p", "--dry-run", "--json"}).json()), IsEmpty());
  const CommandRun run = remove({"--graph", "g"});
  EXPECT_THAT(run.out, HasSubstr("removed graph 'g'"));
  EXPECT_THAT(run.out, HasSubstr("removed graph-policy 'g'")) << "which is nothing without it";
  EXPECT_EQ(needs(remove({"--fragments", "f", "--json"}).json()).size(), 1U);
  const CommandRun all = remove({"walk-1", "--dependents", "--json"});
  EXPECT_THAT(all.json()["dependents"], IsEmpty());
  EXPECT_EQ(all.json()["artefacts"].size(), 2U)
      << "the family and the states; the policy had lost its fragments before";
}

TEST_F(RemoveCommandTest, ADryRunChangesNothing) {
  build_all();
  const auto before = artefacts();
  const CommandRun run = remove({"*", "--graph", "*", "--dry-run", "--json"});
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.json()["dry_run"], true);
  EXPECT_EQ(run.json()["clips"].size(), 3U);
  EXPECT_TRUE(run.json()["bytes_after"].is_null());
  EXPECT_EQ(artefacts(), before);
  EXPECT_EQ(Library::open(library_)->clips()->size(), 3U);
  EXPECT_THAT(remove({"--graph", "g", "--dry-run"}).out, HasSubstr("would remove graph 'g'"));
}

TEST_F(RemoveCommandTest, TheFileFallsByWhatWasInIt) {
  {
    auto library = *Library::open(library_, library::Access::kWrite);
    motion::Clip large = testing::random_clip(testing::small_person(), 20000, 30, 1);
    large.name = "large";
    ASSERT_TRUE(library.add_clip(large));
  }
  const auto before = fs::file_size(library_);
  const auto json = remove({"large", "--json"}).json();
  const auto after = fs::file_size(library_);
  EXPECT_LT(after + 20000 * library::bytes_per_frame(17), before + 100'000);
  EXPECT_EQ(json["bytes_before"], before);
  EXPECT_EQ(json["bytes_after"], after);
  EXPECT_TRUE(Library::open(library_)->verify());
}

TEST_F(RemoveCommandTest, KilledAtAnyInstantNothingElseIsLost) {
  const fs::path kept = folder_.path() / "kept.loom";
  {
    auto library = *Library::open(library_, library::Access::kWrite);
    for (int i = 0; i < 12; ++i) {
      motion::Clip clip = testing::random_clip(testing::small_person(), 2000, 30, static_cast<std::uint64_t>(i));
      clip.name = "take-" + std::to_string(i);
      ASSERT_TRUE(library.add_clip(clip));
    }
  }
  fs::copy_file(library_, kept);
  const auto begin = std::chrono::steady_clock::now();
  ASSERT_EQ(remove({"take-*"}).status, 0);
  const double whole = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
  Random random(7);
  for (int round = 0; round < 25; ++round) {
    for (const char* ending : {"", "-wal", "-shm"}) fs::remove(library_ + ending);
    fs::copy_file(kept, library_);
    testing::CommandLimits limits;
    limits.kill_after_microseconds = static_cast<long>(random.uniform(0, 1.1 * whole));
    run_loom({"remove", library_, "take-*"}, limits);
    const auto library = Library::open(library_);
    ASSERT_TRUE(library) << library.error().to_string();
    const std::size_t clips = library->clips()->size();
    EXPECT_TRUE(clips == 3 || clips == 15) << clips;
    EXPECT_TRUE(library->verify()) << "after " << limits.kill_after_microseconds << " µs";
  }
}

}  // namespace
}  // namespace loom
