// SPDX-License-Identifier: MIT
// What a user meets: `loom graph` in all its forms, run as a program, with good input and bad.
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/library/library.h>

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
using ::testing::HasSubstr;
using testing::run_loom;

motion::Clip walk(const std::string& name, double seconds, double speed) {
  return testing::labelled_walk(name, speed, speed > 1.2 ? "fast" : "slow", seconds);
}

class GraphCommandTest : public ::testing::Test {
 protected:
  void add(const motion::Clip& clip) { ASSERT_TRUE(Library::open_or_create(library_)->add_clip(clip)); }
  void add_walks() {
    add(walk("a", 8, 1.1));
    add(walk("b", 8, 1.15));
    add(walk("c", 8, 1.3));
  }
  CommandRun graph(std::vector<std::string> words) {
    words.insert(words.begin(), "graph");
    return run_loom(words);
  }

  testing::TemporaryFolder folder_;
  std::string library_ = folder_.file("moves.loom");
};

TEST_F(GraphCommandTest, BuildTellsMachinesWhatItBuilt) {
  add_walks();
  const CommandRun run = graph({"build", library_, "--name", "g", "--connect", "0.7", "--json"});
  ASSERT_EQ(run.status, 0) << run.err;
  const auto json = run.json();
  for (const char* key : {"frames", "nodes", "edges", "component_share", "pairs_per_second", "pairs_compared",
                          "pairs_skipped", "seconds", "peak_memory_bytes"}) {
    EXPECT_TRUE(json[key].is_number()) << key;
  }
  EXPECT_GE(json["component_share"], 0.7);
  const auto measured = graph({"measure", library_, "g", "--json"}).json();
  EXPECT_EQ(measured["nodes"], json["nodes"]);
  EXPECT_GT(measured["mean_transition_s"], 0);
  EXPECT_GT(measured["local_maneuverability_s"], 0);
}

TEST_F(GraphCommandTest, SaysWhatComparedAndWhyNotACard) {
  add_walks();
  EXPECT_EQ(graph({"build", library_, "--name", "g", "--on", "cpu", "--json"}).json()["on"], "cpu");
  const CommandRun few = graph({"build", library_, "--name", "g"});
  EXPECT_THAT(few.out, HasSubstr("compared on the processor; fewer than 20000 frames"));
  const CommandRun joints = graph({"build", library_, "--name", "g", "--on", "cuda", "--metric", "joints"});
  EXPECT_EQ(joints.status, 2);
  const CommandRun card = graph({"build", library_, "--name", "card", "--on", "cuda", "--json"});
  if (card.status == 0) {
    EXPECT_EQ(card.json()["on"], "cuda");
    return;
  }
  EXPECT_EQ(card.status, 1);
  EXPECT_THAT(card.err, HasSubstr("no graphics card can be used: "));
  EXPECT_FALSE(Library::open(library_).value().get_artefact("graph", "card"));
  EXPECT_EQ(graph({"build", library_, "--name", "g", "--on", "tpu"}).status, 2);
}

TEST_F(GraphCommandTest, AThresholdInCentimetresIsOneInSquareMetres) {
  add_walks();
  const auto metres = graph({"build", library_, "--name", "m", "--threshold", "0.0025", "--json"}).json();
  const CommandRun run = graph({"build", library_, "--name", "cm", "--threshold-cm", "5", "--json"});
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_NEAR(run.json()["threshold"].get<double>(), 0.0025, 1e-9);
  EXPECT_NEAR(run.json()["threshold_cm"].get<double>(), 5, 1e-6);
  EXPECT_EQ(run.json()["transitions"], metres["transitions"]);
  EXPECT_THAT(graph({"build", library_, "--name", "cm", "--threshold-cm", "5"}).out, HasSubstr("0.0025 (5.00 cm)"));
  const CommandRun angles = graph({"build", library_, "--name", "a", "--metric", "joints", "--json"});
  EXPECT_TRUE(angles.json()["threshold_cm"].is_null());
  EXPECT_THAT(graph({"explain", library_, "a", "slow", "fast"}).out, HasSubstr("radians"));
  EXPECT_THAT(graph({"explain", library_, "cm", "slow", "fast"}).out, HasSubstr("cm)"));
}

TEST_F(GraphCommandTest, ParametersOfTheMetricAreToldAndTheUsualOnesChangeNothing) {
  add_walks();
  const auto build = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"build", library_, "--name", "g", "--json"});
    const CommandRun run = graph(more);
    EXPECT_EQ(run.status, 0) << run.err;
    return run.json();
  };
  const auto usual = build({}), said = build({"--window", "0.3333333333333333"}), longer = build({"--window", "0.6"});
  EXPECT_FALSE(usual["parameters"].contains("window_seconds"));
  EXPECT_EQ(said["transitions"], usual["transitions"]);
  EXPECT_EQ(longer["parameters"]["window_seconds"], 0.6);
  EXPECT_NE(longer["threshold"], usual["threshold"]);
  const auto angles = build({"--metric", "joints"});
  const auto turning = build({"--metric", "joints", "--joint-velocity-weight", "0.1"});
  EXPECT_EQ(turning["parameters"]["joint_velocity_weight"], 0.1);
  EXPECT_NE(turning["threshold"], angles["threshold"]);

  const auto refusal = [&](std::vector<std::string> more, int status) {
    more.insert(more.begin(), {"build", library_, "--name", "g"});
    const CommandRun run = graph(more);
    EXPECT_EQ(run.status, status);
    return run.err;
  };
  EXPECT_THAT(refusal({"--joint-weight", "Nose=1"}, 1), HasSubstr("no joint 'Nose'"));
  EXPECT_THAT(refusal({"--joint-weight", "Nose"}, 1), HasSubstr("JOINT=W"));
  EXPECT_THAT(refusal({"--metric", "joints", "--window", "1"}, 2), HasSubstr("--metric pointcloud"));
  EXPECT_THAT(refusal({"--velocity-weight", "1"}, 2), HasSubstr("--metric joints"));
  EXPECT_EQ(graph({"build", library_, "--name", "g", "--threshold", "1", "--threshold-cm", "1"}).status, 2);
}

TEST_F(GraphCommandTest, WalksTheSameWithOneThreadAndTwo) {
  add_walks();
  ASSERT_EQ(run_loom({"--threads", "1", "graph", "build", library_, "--name", "one", "--connect", "0.7"}).status, 0);
  ASSERT_EQ(run_loom({"--threads", "2", "graph", "build", library_, "--name", "two", "--connect", "0.7"}).status, 0);
  const auto opened = Library::open(library_).value();
  EXPECT_EQ(opened.get_artefact("graph", "one")->data, opened.get_artefact("graph", "two")->data);
  for (const char* name : {"one", "two"}) {
    const CommandRun run = graph({"walk", library_, name, "--seconds", "20", "--seed", "4", "-o",
                                  folder_.file(std::string(name) + ".bvh"), "--json"});
    ASSERT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(run.json()["motion"]["frames"], 601);
  }
  const auto text = [&](const char* name) {
    std::ifstream in(folder_.file(name));
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  EXPECT_EQ(text("one.bvh"), text("two.bvh"));
}

TEST_F(GraphCommandTest, KeysAndPathsBecomeClipsOfTheLibrary) {
  add_walks();
  ASSERT_EQ(graph({"build", library_, "--name", "g", "--connect", "0.7"}).status, 0);
  const CommandRun keys = graph(
      {"keys", library_, "g", "slow@1", "fast", "slow", "--add", "made", "--sources", folder_.file("sources.csv")});
  EXPECT_EQ(keys.status, 0) << keys.err;
  EXPECT_TRUE(fs::exists(folder_.file("sources.csv")));
  EXPECT_TRUE(Library::open(library_)->clip_info("made"));
  const std::string path = folder_.write("path.csv", "x,z,label\n0,0,slow\n0,3,fast\n0,6,\n");
  const CommandRun follow = graph({"follow", library_, "g", path, "-o", folder_.file("f.glb"), "--json"});
  ASSERT_EQ(follow.status, 0) << follow.err;
  EXPECT_LT(follow.json()["mean_error_m"], 0.5);
  const std::string same = folder_.write("same.csv", "0,0,slow\n-0.5,3,slow\n");
  const auto points =
      graph({"follow", library_, "g", "--points", "0,0", "-0.5,3", "--label", "slow", "--add", "x", "--json"});
  ASSERT_EQ(points.status, 0) << points.err;
  EXPECT_EQ(points.json()["mean_error_m"],
            graph({"follow", library_, "g", same, "--add", "y", "--json"}).json()["mean_error_m"]);
  EXPECT_EQ(graph({"follow", library_, "g", "--add", "z"}).status, 2) << "no path at all";
  EXPECT_EQ(graph({"follow", library_, "g", "--points", "0,0", "0,x", "--add", "z"}).status, 1);
  const CommandRun report = graph({"report", library_, "g", "-o", folder_.file("r.html")});
  EXPECT_EQ(report.status, 0) << report.err;
  EXPECT_GT(fs::file_size(folder_.file("r.html")), 1000u);
  EXPECT_EQ(graph({"explain", library_, "g", "slow", "fast"}).status, 0);
  EXPECT_EQ(graph({"explain", library_, "g"}).status, 0);
}

TEST_F(GraphCommandTest, ExportsBothFormatsAndWritesOverNothing) {
  add_walks();
  ASSERT_EQ(graph({"build", library_, "--name", "g", "--connect", "0.7"}).status, 0);
  const auto measured = graph({"measure", library_, "g", "--json"}).json();
  for (const char* name : {"g.csv", "g.graphml"}) {
    const CommandRun run = graph({"export", library_, "g", "-o", folder_.file(name), "--json"});
    ASSERT_EQ(run.status, 0) << run.err;
    const auto told = run.json();
    EXPECT_EQ(told["vertices"], measured["nodes"]);
    EXPECT_EQ(told["edges"], measured["edges"]);
    std::size_t bytes = 0;
    for (const auto& file : told["files"]) bytes += fs::file_size(file.get<std::string>());
    EXPECT_EQ(told["bytes"], bytes);
  }
  // The file of the vertices is looked at too, although no option names it.
  ASSERT_TRUE(fs::remove(folder_.file("g.csv")));
  const CommandRun again = graph({"export", library_, "g", "-o", folder_.file("g.csv")});
  EXPECT_EQ(again.status, 1);
  EXPECT_THAT(again.err, HasSubstr("g.vertices.csv"));
  EXPECT_FALSE(fs::exists(folder_.file("g.csv")));
  EXPECT_EQ(graph({"export", library_, "g", "-o", folder_.file("g.csv"), "--force"}).status, 0);
  EXPECT_EQ(graph({"export", library_, "g", "-o", folder_.file("g.txt")}).status, 2);
  EXPECT_THAT(graph({"export", library_, "h", "-o", folder_.file("h.csv")}).err, HasSubstr("'h'"));
  EXPECT_THAT(graph({"export", library_, "g", "--states", "-o", folder_.file("s.csv")}).err, HasSubstr("'g'"));
}

TEST_F(GraphCommandTest, WalksLookingAtAPlace) {
  add_walks();
  ASSERT_EQ(graph({"build", library_, "--name", "g", "--connect", "0.5"}).status, 0);
  const auto walk_of = [&](std::vector<std::string> more) {
    std::vector<std::string> words{"walk", library_, "g", "--seconds", "3", "--force", "-o", folder_.file("walk.bvh")};
    words.insert(words.end(), more.begin(), more.end());
    const CommandRun walked = graph(words);
    EXPECT_EQ(walked.status, 0) << walked.err;
    std::ifstream in(folder_.file("walk.bvh"));
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  EXPECT_EQ(walk_of({}), walk_of({}));
  EXPECT_NE(walk_of({}), walk_of({"--look-at", "3,1.5,3"}));
  const CommandRun two = graph({"walk", library_, "g", "-o", folder_.file("no.bvh"), "--look-at", "3,1"});
  EXPECT_EQ(two.status, 2);
  EXPECT_THAT(two.err, HasSubstr("--look-at"));
}

TEST_F(GraphCommandTest, AnExtractedGraphWalksTheSameAndReplacesNothingElse) {
  add_walks();
  ASSERT_EQ(graph({"build", library_, "--name", "g", "--connect", "0.5"}).status, 0);
  const std::string small = folder_.file("small.loom");
  const CommandRun run = graph({"extract", library_, "g", "-o", small, "--json"});
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_LE(run.json()["frames"], run.json()["source_frames"]);
  EXPECT_EQ(run.json()["bytes"], fs::file_size(small));
  EXPECT_FALSE(fs::exists(small + ".part"));
  const auto walk_of = [&](const std::string& library) {
    const CommandRun walked =
        graph({"walk", library, "g", "--seconds", "20", "--seed", "5", "--force", "-o", folder_.file("walk.bvh")});
    EXPECT_EQ(walked.status, 0) << walked.err;
    std::ifstream in(folder_.file("walk.bvh"));
    for (std::string word; word != "Time:" && in >> word;) continue;
    return std::vector<double>(std::istream_iterator<double>(in), {});
  };
  const std::vector<double> before = walk_of(library_), after = walk_of(small);
  ASSERT_GT(before.size(), 600U * 6);
  EXPECT_THAT(after, ::testing::Pointwise(::testing::DoubleNear(0.02), before)) << "degrees and centimetres";
  EXPECT_EQ(graph({"explain", small, "g"}).status, 0);
  const CommandRun again = graph({"extract", library_, "g", "-o", small});
  EXPECT_EQ(again.status, 1);
  EXPECT_THAT(again.err, HasSubstr("--force"));
  EXPECT_EQ(graph({"extract", library_, "g", "-o", small, "--force", "--name", "h"}).status, 0);
  EXPECT_EQ(graph({"measure", small, "h"}).status, 0);
  // A library that somebody made is never replaced, nor the one that is read.
  const std::string other = folder_.file("other.loom");
  ASSERT_TRUE(Library::open_or_create(other));
  EXPECT_EQ(graph({"extract", library_, "g", "-o", other, "--force"}).status, 1);
  EXPECT_EQ(graph({"extract", library_, "g", "-o", library_, "--force"}).status, 1);
  EXPECT_EQ(graph({"extract", library_, "g", "-o", folder_.file("small.bin")}).status, 1);
  EXPECT_EQ(graph({"extract", small, "h", "-o", folder_.file("again.loom")}).status, 0) << "and once more";
}

TEST_F(GraphCommandTest, ASelectedGraphDoesWhatIsAskedAndIsUsedAsAnyOther) {
  add_walks();
  ASSERT_EQ(graph({"build", library_, "--name", "g", "--connect", "0.5"}).status, 0);
  const std::vector<std::string> words = {"select",    library_, "g",         "--name",   "s", "--key",
                                          "a:100-120", "--key",  "b:100-120", "--within", "30"};
  auto with_json = words;
  with_json.push_back("--json");
  const CommandRun run = graph(with_json);
  ASSERT_EQ(run.status, 0) << run.err;
  const auto json = run.json();
  EXPECT_EQ(json["key_frames"], 42);
  EXPECT_EQ(json["satisfied_share"], 1.0);
  EXPECT_LE(json["vertices"], json["vertices_core"]);
  EXPECT_LE(json["lower_bound"], json["vertices"]);
  EXPECT_LT(json["vertices"], json["vertices_database"]);
  EXPECT_EQ(graph({"measure", library_, "s", "--json"}).json()["nodes"], json["vertices"]);
  EXPECT_EQ(graph({"walk", library_, "s", "--seconds", "4", "-o", folder_.file("s.bvh")}).status, 0);
  EXPECT_EQ(graph({"extract", library_, "s", "-o", folder_.file("s.loom")}).status, 0);
  EXPECT_EQ(graph({"walk", folder_.file("s.loom"), "s", "--seconds", "4", "-o", folder_.file("t.bvh")}).status, 0);

  const CommandRun more =
      graph({"select", library_, "g", "--name", "s2", "--add-to", "s", "--key", "a:130-140", "--json"});
  ASSERT_EQ(more.status, 0) << more.err;
  EXPECT_EQ(more.json()["key_frames"], 53);
  EXPECT_EQ(more.json()["satisfied_share"], 1.0);
  EXPECT_GE(more.json()["vertices"], json["vertices"]);
}

TEST_F(GraphCommandTest, ASelectionThatCannotBeSaysWhy) {
  add_walks();
  ASSERT_EQ(graph({"build", library_, "--name", "g", "--connect", "0.5"}).status, 0);
  const auto select = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"select", library_, "g", "--name", "s"});
    return graph(words);
  };
  EXPECT_THAT(select({}).err, HasSubstr("--key"));
  EXPECT_THAT(select({"--key", "fly"}).err, HasSubstr("'fly'"));
  EXPECT_THAT(select({"--key", "a:0-1"}).err, HasSubstr("lost to pruning"));
  EXPECT_THAT(select({"--key", "a:100-110", "--between", "a:100-110,c=5"}).err, HasSubstr("'c' is no key motion"));
  EXPECT_THAT(select({"--key", "a:100-110", "--key", "b:100-110", "--within", "1", "--strict"}).err,
              HasSubstr("no way so short"));
  EXPECT_EQ(select({"--key", "a:100-110", "--within", "0"}).status, 2);
  EXPECT_EQ(select({"--key", "a:100-110", "--requirement", "5"}).status, 2);
  EXPECT_THAT(graph({"select", library_, "g", "--name", "g", "--key", "a:100-110"}).err, HasSubstr("another name"));
  EXPECT_THAT(graph({"select", library_, "none", "--name", "s", "--key", "a"}).err, HasSubstr("'none'"));
  EXPECT_THAT(select({"--key", "a:100-110", "--add-to", "g"}).err, HasSubstr("not selected"));
  ASSERT_EQ(run_loom({"remove", library_, "b"}).status, 0);
  EXPECT_THAT(select({"--key", "a:100-110"}).err, HasSubstr("the library has changed since the graph 'g' was built"));
  EXPECT_EQ(graph({"measure", library_, "s"}).status, 1) << "nothing was kept";
}

TEST_F(GraphCommandTest, FindListsWhatIsLikeAnExample) {
  add_walks();
  const CommandRun run = run_loom({"find", library_, "a:20-60", "--most", "6", "--json"});
  ASSERT_EQ(run.status, 0) << run.err;
  const auto found = run.json()["stretches"];
  ASSERT_EQ(found.size(), 6U);
  EXPECT_EQ(run.json()["example_frames"], 41);
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (i > 0) {
      EXPECT_GE(found[i]["rank_cm"], found[i - 1]["rank_cm"]);
    }
    // What is listed can be given as an example.
    EXPECT_EQ(run_loom({"find", library_, found[i]["stretch"], "--most", "1"}).status, 0) << found[i]["stretch"];
  }
  const CommandRun none = run_loom({"find", library_, "a:20-60", "--within-cm", "0.0001"});
  EXPECT_EQ(none.status, 0);
  EXPECT_THAT(none.out, HasSubstr("nothing"));
  EXPECT_THAT(run_loom({"find", library_, "x:20-60"}).err, HasSubstr("'x'"));
  EXPECT_THAT(run_loom({"find", library_, "a:20-6000"}).err, HasSubstr(" frames, of which"));
  EXPECT_THAT(run_loom({"find", library_, "a:20-21"}).err, HasSubstr("too short"));
  EXPECT_EQ(run_loom({"find", library_, "a", "--most", "0"}).status, 2);
  EXPECT_EQ(run_loom({"find", library_, "a"}).status, 0) << "a clip as a whole";
}

TEST_F(GraphCommandTest, AnEmptyLibraryIsToldApart) {
  ASSERT_TRUE(Library::open_or_create(library_));
  const CommandRun run = graph({"build", library_, "--name", "g"});
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.err, HasSubstr("no clips"));
}

TEST_F(GraphCommandTest, TwoBodiesAreNamedAndHowToChoose) {
  add(walk("a", 4, 1.1));
  motion::Clip other = walk("giant", 4, 1.1);
  other.skeleton = std::make_shared<motion::Skeleton>(other.skeleton->scaled(1.5f));
  add(other);
  const CommandRun run = graph({"build", library_, "--name", "g"});
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.err, HasSubstr("'giant'"));
  EXPECT_THAT(run.err, HasSubstr("(--body)"));
}

TEST_F(GraphCommandTest, AThresholdThatLeavesNothingSaysWhichWould) {
  motion::Clip a = testing::random_clip(testing::small_person(), 90, 30, 1);
  motion::Clip b = testing::random_clip(a.skeleton, 90, 30, 2);
  a.name = "a";
  b.name = "b";
  add(a);
  add(b);
  const CommandRun run = graph({"build", library_, "--name", "g", "--threshold", "1e-9", "--keep-faulty"});
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.err, HasSubstr("would keep"));
  EXPECT_TRUE(Library::open(library_)->artefacts("graph")->empty());
}

TEST_F(GraphCommandTest, OneShortClipFailsClearly) {
  add(walk("a", 0.3, 1.1));
  const CommandRun run = graph({"build", library_, "--name", "g"});
  EXPECT_EQ(run.status, 1);
  EXPECT_FALSE(run.err.empty());
}

TEST_F(GraphCommandTest, BadPathsAndNamesAreErrorsWithAnAddress) {
  add_walks();
  ASSERT_EQ(graph({"build", library_, "--name", "g", "--connect", "0.7"}).status, 0);
  const auto follow = [&](const std::string& text) {
    return graph({"follow", library_, "g", folder_.write("p.csv", text), "-o", folder_.file("x.glb")});
  };
  EXPECT_THAT(follow("0,0\n").err, HasSubstr("two points"));
  EXPECT_THAT(follow("0,0\nnan,1\n").err, HasSubstr("p.csv:2"));
  EXPECT_THAT(follow("x,z,label\n0,0,swim\n0,5,\n").err, HasSubstr("swim"));
  EXPECT_THAT(graph({"walk", library_, "nobody", "-o", folder_.file("x.glb")}).err, HasSubstr("nobody"));
  EXPECT_THAT(graph({"walk", library_, "g", "--want", "swim", "-o", folder_.file("x.glb")}).err, HasSubstr("swim"));
  EXPECT_EQ(graph({"walk", library_, "g", "--seconds", "-5", "-o", folder_.file("x.glb")}).status, 2);
  EXPECT_EQ(graph({"walk", library_, "g"}).status, 2);
  EXPECT_FALSE(fs::exists(folder_.file("x.glb")));
}

TEST_F(GraphCommandTest, AFollowedPathThatIsMissedIsWrittenAndFails) {
  add_walks();
  ASSERT_EQ(graph({"build", library_, "--name", "g", "--connect", "0.7"}).status, 0);
  // Straight walks keep near a path that is hardly bent, but not to the millimetre.
  const std::string made = folder_.file("x.glb");
  std::vector<std::string> ahead = {"follow",  library_, "g",  "--points", "0,0",
                                    "0.2,1.5", "0,3",    "-o", made,       "--force"};
  EXPECT_EQ(graph(ahead).status, 0);
  ASSERT_TRUE(fs::remove(made));
  ahead.insert(ahead.end(), {"--within", "0.001"});
  const CommandRun missed = graph(ahead);
  EXPECT_EQ(missed.status, 1) << missed.out;
  EXPECT_TRUE(fs::exists(made)) << "what was made is there to be looked at";
}

TEST_F(GraphCommandTest, AChangedLibraryIsNoticed) {
  add_walks();
  ASSERT_EQ(graph({"build", library_, "--name", "g", "--connect", "0.7"}).status, 0);
  {
    auto opened = Library::open(library_, library::Access::kWrite).value();
    ASSERT_TRUE(opened.remove_clip("b"));
    ASSERT_TRUE(opened.add_clip(walk("b", 8, 0.9)));
  }
  const CommandRun run = graph({"walk", library_, "g", "-o", folder_.file("x.glb")});
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.err, HasSubstr("changed"));
}

TEST_F(GraphCommandTest, LabelsGivenLaterAreKnownToKeysPathsAndPolicies) {
  add_walks();
  ASSERT_EQ(graph({"build", library_, "--name", "g", "--connect", "0.7"}).status, 0);
  EXPECT_THAT(graph({"keys", library_, "g", "stroll", "-o", folder_.file("k.bvh")}).err, HasSubstr("fast, slow"));
  ASSERT_EQ(run_loom({"label", library_, "a", "stroll"}).status, 0);
  const CommandRun keys = graph({"keys", library_, "g", "stroll@1", "fast", "-o", folder_.file("k.bvh")});
  EXPECT_EQ(keys.status, 0) << keys.err;
  const CommandRun follow = graph(
      {"follow", library_, "g", "--points", "0,0", "0,3", "--label", "stroll", "-o", folder_.file("f.bvh"), "--json"});
  ASSERT_EQ(follow.status, 0) << follow.err;
  EXPECT_GE(follow.json()["searches"].get<int>(), 1);
  EXPECT_GT(follow.json()["beam"].get<int>(), 0);
  const CommandRun train = graph({"train", library_, "g", "--behaviors", "stroll", "--headings", "8", "--json"});
  ASSERT_EQ(train.status, 0) << train.err;
  EXPECT_EQ(train.json()["behaviors"][0], "stroll");
  // The policy stays good when labels change once more; it knows what it was trained for.
  ASSERT_EQ(run_loom({"label", library_, "b", "march"}).status, 0);
  EXPECT_EQ(
      graph({"play", library_, "g", "--behavior", "0:stroll", "--seconds", "1", "-o", folder_.file("p.bvh")}).status,
      0);
  EXPECT_THAT(
      graph({"play", library_, "g", "--behavior", "0:march", "--seconds", "1", "-o", folder_.file("q.bvh")}).err,
      HasSubstr("trained for: stroll"));
}

TEST_F(GraphCommandTest, AWellConnectedGraphThatCannotBeSaysWhy) {
  motion::Clip still = walk("still", 1, 1.1);
  for (std::size_t f = 1; f < still.frames(); ++f) {
    still.roots[f] = still.roots[0];
    std::copy_n(still.pose(0).begin(), still.skeleton->size(), still.pose(f).begin());
  }
  add(still);
  const auto connect = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"connect", library_, "--name", "w", "--threshold-cm", "3"});
    return graph(words);
  };
  EXPECT_THAT(connect({}).err, HasSubstr("no two stretches of these clips have the same contacts"));
  add_walks();
  EXPECT_THAT(connect({"--lambda", "0.5"}).err, HasSubstr("lambda lies between 1 and 100"));
  EXPECT_EQ(connect({"--weights", "0"}).status, 2);
  EXPECT_EQ(connect({"--sigma", "-1"}).status, 2);
  EXPECT_EQ(graph({"connect", library_, "--name", ""}).status, 2);
  EXPECT_THAT(connect({"--hand-label", "grip"}).err, HasSubstr("no motion is labelled 'grip'"));
  const CommandRun small = run_loom({"--memory", "0.001", "graph", "connect", library_, "--name", "w"});
  EXPECT_EQ(small.status, 1);
  EXPECT_THAT(small.err, HasSubstr("choose fewer clips"));
  motion::Clip giant = walk("giant", 4, 1.1);
  giant.skeleton = std::make_shared<motion::Skeleton>(giant.skeleton->scaled(1.5f));
  add(giant);
  EXPECT_THAT(connect({}).err, HasSubstr("'giant'"));
  EXPECT_EQ(graph({"measure", library_, "w"}).status, 1) << "nothing was kept";
}

TEST_F(GraphCommandTest, ABodyWithoutFeetIsNotConnected) {
  add(testing::random_clip(testing::random_skeleton(6, 1), 90, 30, 1));
  const CommandRun run = graph({"connect", library_, "--name", "w", "--threshold-cm", "3"});
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.err, HasSubstr("feet"));
}

TEST_F(GraphCommandTest, BuildersObeyTheMemoryTheyAreGiven) {
  add_walks();
  const CommandRun build = run_loom({"--memory", "0.001", "graph", "build", library_, "--name", "g"});
  EXPECT_EQ(build.status, 1);
  EXPECT_THAT(build.err, HasSubstr("of memory, and 0 bytes are free: choose fewer clips"));
  ASSERT_EQ(run_loom({"fragments", "cut", library_, "--name", "f"}).status, 0);
  const CommandRun train = run_loom({"--memory", "0.001", "fragments", "train", library_, "f"});
  EXPECT_EQ(train.status, 1);
  EXPECT_THAT(train.err, HasSubstr("--memory"));
  EXPECT_EQ(run_loom({"--memory", "0", "list", library_}).status, 2);
}

}  // namespace
}  // namespace loom
