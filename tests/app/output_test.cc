// SPDX-License-Identifier: MIT
// What commands write, and what they must never write over: every output option of every command is tried.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <CLI/CLI.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/io/write.h>
#include <loom/library/library.h>

#include "loom/command.h"
#include "loom/subcommands.h"
#include "tests/app/file_content.h"
#include "tests/make_walk.h"
#include "tests/run_command.h"
#include "tests/temporary_folder.h"

namespace loom {
namespace {

namespace fs = std::filesystem;
using testing::CommandRun;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::run_loom;

/// "graph", "walk".
std::vector<std::string> words_of(const CLI::App& command) {
  std::vector<std::string> words;
  for (const CLI::App* app = &command; app->get_parent() != nullptr; app = app->get_parent()) {
    words.insert(words.begin(), app->get_name());
  }
  return words;
}

class OutputTest : public ::testing::Test {
 protected:
  OutputTest() {
    testing::Gait gait;
    gait.seconds = 1;
    motion::Clip clip = testing::make_gait(gait).clip;
    clip.name = "walk";
    EXPECT_TRUE(io::write_motion(file_, {&clip, 1}, "walk"));
    auto made = library::Library::open_or_create(library_);
    EXPECT_TRUE(made && made->add_clip(clip));
    add_all(commands_);
  }

  /// A command line that names `target` for one output. Whatever else must be said is the library, or the file where
  /// the library stands elsewhere: so both are read.
  [[nodiscard]] std::vector<std::string> line(const app::Command& command, const app::Outputs::Place& place,
                                              const std::string& target) const {
    std::vector<std::string> words = words_of(command.options->app());
    words.emplace_back("--force");
    bool first = true;
    for (const CLI::Option* option : command.options->app().get_options()) {
      if (option == place.option) {
        if (!option->get_positional()) words.push_back(option->get_name());
        words.push_back(target);
      } else if (option->get_positional() && (option->get_required() || first)) {
        words.push_back(first ? library_ : file_);
        first = false;
      } else if (option->get_required()) {
        words.insert(words.end(), {option->get_name(), "x"});
      }
    }
    return words;
  }

  testing::TemporaryFolder folder_;
  std::string library_ = folder_.file("moves.loom"), file_ = folder_.file("walk.bvh");
  CLI::App app_{"test"};
  app::Commands commands_{app_};
};

TEST_F(OutputTest, NoOutputOfAnyCommandWritesOntoALibraryOrAnInput) {
  fs::create_symlink(library_, folder_.file("link.bvh"));
  fs::create_hard_link(library_, folder_.file("hard.bvh"));
  fs::create_symlink(file_, folder_.file("link.csv"));
  const std::string library = testing::file_content(library_), file = testing::file_content(file_);
  std::size_t tried = 0;
  for (const auto& command : commands_.all()) {
    for (const app::Outputs::Place& place : command->outputs.places()) {
      std::vector<std::string> targets = {library_,
                                          folder_.file("link.bvh"),
                                          folder_.file("hard.bvh"),
                                          folder_.file("./../") + folder_.path().filename().string() + "/moves.loom",
                                          folder_.file("new.loom"),
                                          folder_.file("moves.loom-wal")};
      const std::vector<std::string> usual = line(*command, place, "x");
      if (std::find(usual.begin(), usual.end(), file_) != usual.end()) {
        targets.insert(targets.end(), {file_, folder_.file("link.csv")});
      }
      for (const std::string& target : targets) {
        const CommandRun run = run_loom(line(*command, place, target));
        SCOPED_TRACE(command->options->app().get_name() + " " + place.option->get_name() + " " + target + ": " +
                     run.err);
        EXPECT_EQ(run.status, 1);
        EXPECT_THAT(run.err, HasSubstr("give the output another"));
        EXPECT_EQ(testing::file_content(library_) == library, true);
        EXPECT_EQ(testing::file_content(file_) == file, true);
        EXPECT_FALSE(fs::exists(folder_.file("new.loom")));
        ++tried;
      }
    }
  }
  EXPECT_GT(tried, 100u);
}

TEST_F(OutputTest, EveryOptionThatNamesAFileToWriteIsAnOutput) {
  for (const auto& command : commands_.all()) {
    for (const CLI::Option* option : command->options->app().get_options()) {
      const std::string name = option->get_name(), text = option->get_description();
      const bool writes = name == "--out" || name == "output" || name == "--csv" || name == "--picture" ||
                          name == "--pictures" || text.starts_with("write ") || text.starts_with("draw ");
      // A library is made, not a file written: the command looks at the place itself, with rules of its own.
      const std::string called = command->options->app().get_name();
      const bool makes_library = called == "extract" || called == "pack";
      if (!writes || makes_library) continue;
      const auto& places = command->outputs.places();
      EXPECT_TRUE(std::any_of(places.begin(), places.end(), [&](const auto& p) { return p.option == option; }))
          << command->options->app().get_name() << " " << name;
    }
  }
}

TEST_F(OutputTest, AFileThatIsThereIsReplacedOnlyByForce) {
  const std::string other = folder_.write("other.bvh", "dear to somebody");
  const CommandRun refused = run_loom({"convert", file_, other});
  EXPECT_EQ(refused.status, 1);
  EXPECT_THAT(refused.err, HasSubstr("--force"));
  EXPECT_EQ(testing::file_content(other), "dear to somebody");
  EXPECT_EQ(run_loom({"convert", file_, other, "--force"}).status, 0);
  EXPECT_THAT(testing::file_content(other), ::testing::StartsWith("HIERARCHY"));
  // Through a link the file it leads to is replaced, and the link stays.
  fs::create_symlink(other, folder_.file("link.glb"));
  EXPECT_EQ(run_loom({"convert", file_, folder_.file("link.glb"), "--force"}).status, 0);
  EXPECT_TRUE(fs::is_symlink(folder_.file("link.glb")));
  EXPECT_THAT(testing::file_content(other), ::testing::StartsWith("glTF"));
}

TEST_F(OutputTest, AFileIsNotConvertedOntoItself) {
  const std::string before = testing::file_content(file_);
  EXPECT_EQ(run_loom({"convert", file_, file_, "--force"}).status, 1);
  EXPECT_EQ(testing::file_content(file_), before);
}

TEST_F(OutputTest, TwoOutputsDoNotShareAFile) {
  const CommandRun run =
      run_loom({"graph", "walk", library_, "g", "-o", folder_.file("a.bvh"), "--sources", folder_.file("x/../a.bvh")});
  EXPECT_EQ(run.status, 1);
  fs::create_directory(folder_.file("x"));
  const CommandRun again =
      run_loom({"graph", "walk", library_, "g", "-o", folder_.file("a.bvh"), "--sources", folder_.file("x/../a.bvh")});
  EXPECT_THAT(again.err, HasSubstr("two outputs"));
}

TEST_F(OutputTest, AFolderIsFilledWhollyOrNotAtAll) {
  folder_.write("out/walk-slow.bvh", "dear to somebody");
  const CommandRun run = run_loom({"sample", "--out", folder_.file("out"), "--only", "walk"});
  EXPECT_EQ(run.status, 1);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.file("out")), {}), 1);
  EXPECT_EQ(testing::file_content(folder_.file("out/walk-slow.bvh")), "dear to somebody");
  EXPECT_EQ(run_loom({"sample", "--out", folder_.file("out"), "--only", "walk", "--force"}).status, 0);
}

TEST_F(OutputTest, DevicesAreNotReplaced) {
  const CommandRun run = run_loom({"convert", file_, "/dev/null", "--force"});
  EXPECT_NE(run.status, 0);
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(OutputTest, TheDemoReplacesItsOwnLibraryOnly) {
  fs::create_directory(folder_.file("mine"));
  fs::copy_file(library_, folder_.file("mine/samples.loom"));
  folder_.write("mine/samples.html", "a page of my own");
  const CommandRun run = run_loom({"demo", "--out", folder_.file("mine")});
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.err, HasSubstr("no earlier demo"));
  EXPECT_EQ(testing::file_content(folder_.file("mine/samples.loom")) == testing::file_content(library_), true);
  for (const char* file : {"page/samples.html", "motion/motions/walk-slow.bvh", "graph/graph/graph.html"}) {
    const std::string path = folder_.write(file, "dear to somebody");
    const std::string folder = folder_.file(std::string(file).substr(0, std::string(file).find('/')));
    EXPECT_EQ(run_loom({"demo", "--out", folder}).status, 1) << file;
    EXPECT_EQ(testing::file_content(path), "dear to somebody");
  }
}

TEST_F(OutputTest, WhatAnImportFindsByItselfIsNotWrittenOver) {
  const std::string found = folder_.write("caps/a.bvh", "motion"), body = folder_.write("caps/07-walk.asf", "a body"),
                    log = folder_.write("caps/old.log", "a log");
  const std::string take = folder_.write("amc/07_01.amc", "motion"), its = folder_.write("amc/07.asf", "a body");
  const std::string target = folder_.file("new.loom"), caps = folder_.file("caps");
  for (const std::vector<std::string>& line :
       std::vector<std::vector<std::string>>{{"import", target, caps, "--log", found, "--force"},
                                             {"import", target, caps, "--log", body, "--force"},
                                             {"import", target, folder_.path().string(), "--log", found, "--force"},
                                             {"import", target, take, "--log", its, "--force"}}) {
    const CommandRun run = run_loom(line);
    EXPECT_EQ(run.status, 1);
    EXPECT_THAT(run.err, HasSubstr("give the output another name"));
  }
  EXPECT_EQ(testing::file_content(found), "motion");
  EXPECT_EQ(testing::file_content(body), "a body");
  EXPECT_EQ(testing::file_content(its), "a body");
  run_loom({"import", target, caps, "--log", log, "--force"});
  EXPECT_NE(testing::file_content(log), "a log");
}

TEST_F(OutputTest, ClipsWhoseFilesWouldMeetAreExportedToDifferentOnes) {
  {
    auto opened = library::Library::open(library_, library::Access::kWrite);
    ASSERT_TRUE(opened);
    motion::Clip clip = *opened->read_clip("walk");
    for (const std::string& name :
         {std::string("a/b"), std::string("a_b"), std::string("a_b-2"), std::string(250, 'n')}) {
      clip.name = name;
      ASSERT_TRUE(opened->add_clip(clip));
    }
  }
  const CommandRun run = run_loom({"export", library_, "-o", folder_.file("out"), "--json"});
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.json()["files"].size(), 5u);
  for (const auto& file : run.json()["files"]) EXPECT_TRUE(fs::exists(file.get<std::string>())) << file;
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.file("out")), {}), 5);
}

TEST_F(OutputTest, LongNamesAreWrittenOrRefusedInWords) {
  const std::string longest = std::string(251, 'n') + ".bvh", too_long = std::string(300, 'n') + ".bvh";
  EXPECT_EQ(run_loom({"convert", file_, folder_.file(longest)}).status, 0);
  EXPECT_TRUE(fs::exists(folder_.file(longest)));
  for (const std::string& out : {too_long, std::string(300, 'n'), std::string(5000, 'n')}) {
    const CommandRun run = run_loom({"export", library_, "walk", "-o", folder_.file(out)});
    EXPECT_EQ(run.status, 1);
    EXPECT_THAT(run.err, HasSubstr("too long"));
  }
}

}  // namespace
}  // namespace loom
