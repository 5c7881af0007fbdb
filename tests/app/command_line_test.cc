// SPDX-License-Identifier: MIT
// The command line itself: what is refused, how errors are told, and that no words bring it down.
#include "loom/command_line.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <stdexcept>

#include <CLI/CLI.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/wait.h>

#include <loom/base/random.h>
#include <loom/base/words.h>
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

class CommandLine : public ::testing::Test {
 protected:
  CommandLine() {
    testing::Gait gait;
    gait.seconds = 2;
    walk_ = testing::make_gait(gait).clip;
    add("walk");
    add("--graph=g");
    EXPECT_TRUE(io::write_motion(file_, {&walk_, 1}, "walk"));
  }

  void add(const std::string& name) {
    auto made = library::Library::open_or_create(library_);
    walk_.name = name;
    EXPECT_TRUE(made && made->add_clip(walk_));
  }

  void execute(const std::string& sql) {
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open(library_.c_str(), &database), SQLITE_OK);
    ASSERT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(database);
    sqlite3_close(database);
  }

  /// As run_loom, through a shell: after `before`, which may set limits, and with standard output going to `out`.
  [[nodiscard]] CommandRun run_by_shell(const std::vector<std::string>& words, const std::string& before,
                                        std::string out = {}) const {
    if (out.empty()) out = folder_.file("run.out");
    const std::string err = folder_.file("run.err");
    std::string line = before + " " + shell_word(LOOM_COMMAND);
    for (const std::string& word : words) line += " " + shell_word(word);
    const int status = std::system((line + " >" + shell_word(out) + " 2>" + shell_word(err)).c_str());
    const std::string said = out == "/dev/full" ? "" : testing::file_content(out);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, said, testing::file_content(err)};
  }

  testing::TemporaryFolder folder_;
  std::string library_ = folder_.file("moves.loom"), file_ = folder_.file("walk.bvh");
  motion::Clip walk_;
};

TEST(Guard, WhateverIsThrownEndsInOneAndAWord) {
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(app::guard([]() -> int { throw std::runtime_error("the sky fell"); }), 1);
  EXPECT_EQ(app::guard([]() -> int { throw std::bad_alloc(); }), 1);
  EXPECT_EQ(app::guard([]() -> int { throw 3; }), 1);
  EXPECT_EQ(app::guard([] { return 2; }), 2);
  const std::string told = ::testing::internal::GetCapturedStderr();
  EXPECT_THAT(told, HasSubstr("the sky fell"));
  EXPECT_THAT(told, HasSubstr("memory"));
}

TEST_F(CommandLine, AFullDiskUnderStandardOutputIsAFailure) {
  for (const auto& words : {std::vector<std::string>{"list", library_}, {"list", library_, "--json"}, {"--help"}}) {
    const CommandRun run = run_by_shell(words, "", "/dev/full");
    EXPECT_EQ(run.status, 1) << words[0];
    EXPECT_THAT(run.err, HasSubstr("standard output cannot be written: No space left"));
  }
}

TEST_F(CommandLine, ErrorsAreJsonWhereJsonWasAskedFor) {
  const CommandRun failed = run_loom({"info", folder_.file("none.bvh"), "--json"});
  EXPECT_EQ(failed.status, 1);
  EXPECT_EQ(failed.json()["error"]["file"], folder_.file("none.bvh"));
  EXPECT_EQ(failed.json()["error"]["status"], 1);
  EXPECT_EQ(failed.json()["error"]["kind"], "not_found");
  EXPECT_TRUE(failed.json()["error"]["message"].is_string());
  EXPECT_THAT(failed.err, HasSubstr("none.bvh")) << "people read it too";
  folder_.write("bad.bvh", "HIERARCHY\nROOT\n{\n  OFFSET 0 0 x\n}\n");
  const CommandRun bad = run_loom({"info", folder_.file("bad.bvh"), "--json"});
  EXPECT_GT(bad.json()["error"]["line"], 0);
  EXPECT_EQ(bad.json()["error"]["kind"], "bad_input");
  for (const auto& words : {std::vector<std::string>{"walk", "--json"},
                            {"graph", "walk", "--json"},
                            {"list", library_, "--no-such", "--json"},
                            {"label", library_, "--json"},
                            {"graph", "walk", library_, "g", "--seconds", "-1", "-o", "x.bvh", "--json"}}) {
    const CommandRun wrong = run_loom(words);
    EXPECT_GE(wrong.status, 1);
    EXPECT_EQ(wrong.json()["error"]["status"], wrong.status) << wrong.out;
  }
  EXPECT_EQ(run_loom({"list", library_, "--no-such"}).out, "") << "for people, errors are not on standard output";
}

TEST_F(CommandLine, NumbersBelowZeroAreNotWrappedAround) {
  CLI::App tree{"test"};
  app::Commands commands{tree};
  add_all(commands);
  std::size_t seeds = 0;
  for (const auto& command : commands.all()) {
    for (const CLI::Option* option : command->options->app().get_options()) {
      if (option->get_name() != "--seed") continue;
      ++seeds;
      std::vector<std::string> words;
      for (const CLI::App* app = &command->options->app(); app->get_parent() != nullptr; app = app->get_parent()) {
        words.insert(words.begin(), app->get_name());
      }
      words.insert(words.end(), {library_, library_, library_, "--seed", "-1"});
      const CommandRun run = run_loom(words);
      EXPECT_EQ(run.status, 2) << words[0] << run.err;
      EXPECT_THAT(run.err, HasSubstr("-1 is below 0"));
    }
  }
  EXPECT_GT(seeds, 5u);
  EXPECT_EQ(run_loom({"--threads", "-1", "list", library_}).status, 2);
  EXPECT_THAT(run_loom({"graph", "walk", library_, "g", "--seconds", "nan"}).err, HasSubstr("no finite number"));
}

TEST_F(CommandLine, NoNameReachesTheTerminalAsItIs) {
  const std::string evil = "\x1b[2Jevil\x07\xc2\x9b";
  execute("UPDATE clips SET name = '" + evil + "' WHERE name = 'walk'");
  ASSERT_EQ(run_loom({"label", library_, "--", evil, evil}).status, 0);
  const std::vector<std::vector<std::string>> all = {
      {"list", library_},
      {"info", library_},
      {"info", library_, evil},
      {"measure", library_},
      {"label", library_, "--list"},
      {"list", evil},
      {"list", library_, evil},
      {evil},
      {"graph", "build", library_, "--name", evil, "--threshold", "0.5"},
      {"graph", "list", library_},
      {"graph", "walk", library_, evil, "-o", folder_.file("w" + evil + ".bvh")},
      {"export", library_, "-o", folder_.file(evil)},
      {"picture", library_, evil, "-o", folder_.file(evil + ".png")},
  };
  for (const auto& words : all) {
    const CommandRun run = run_loom(words);
    for (const std::string& text : {run.out, run.err}) {
      EXPECT_THAT(text, Not(HasSubstr("\x1b"))) << words[0];
      EXPECT_THAT(text, Not(HasSubstr("\x07"))) << words[0];
      EXPECT_THAT(text, Not(HasSubstr("\xc2\x9b"))) << words[0];
    }
  }
}

TEST_F(CommandLine, NamesThatLookLikeOptionsAreTakenAfterTwoDashes) {
  EXPECT_EQ(run_loom({"info", library_, "--graph=g"}).status, 2);
  const CommandRun run = run_loom({"info", "--json", "--", library_, "--graph=g"});
  EXPECT_EQ(run.json()["name"], "--graph=g") << run.err;
  EXPECT_EQ(run_loom({"export", "-o", folder_.file("a.bvh"), "--", library_, "--graph=g"}).status, 0);
  EXPECT_EQ(run_loom({"graph", "compare", "--json", "--", library_, "--graph=g", "walk"}).status, 0);
  EXPECT_EQ(run_loom({"label", library_, "--", "--graph=g", "--label"}).status, 0);
  EXPECT_EQ(run_loom({"remove", library_, "--", "--graph=g"}).status, 0);
}

TEST_F(CommandLine, OneDamagedClipHidesNoOther) {
  add("other");
  execute("UPDATE clips SET frames = -5 WHERE name = 'walk'");
  execute("UPDATE clips SET rate = -1 WHERE name = '--graph=g'");
  const CommandRun list = run_loom({"list", library_, "--json"});
  EXPECT_EQ(list.status, 1);
  ASSERT_EQ(list.json()["clips"].size(), 1u);
  EXPECT_EQ(list.json()["clips"][0]["name"], "other");
  EXPECT_EQ(list.json()["damaged"].size(), 2u);
  EXPECT_THAT(list.err, HasSubstr("'walk'"));
  const CommandRun check = run_loom({"info", library_, "--check"});
  EXPECT_EQ(check.status, 1);
  EXPECT_THAT(check.err, HasSubstr("'walk'"));
  EXPECT_THAT(check.err, HasSubstr("'--graph=g'"));
  EXPECT_EQ(run_loom({"export", library_, "other", "-o", folder_.file("other.bvh")}).status, 0);
  for (const std::vector<std::string>& line :
       std::vector<std::vector<std::string>>{{"export", library_, "-o", folder_.file("all"), "--body", "other"},
                                             {"measure", library_, "--body", "1"},
                                             {"picture", library_, "-o", folder_.file("all.html")},
                                             {"info", library_}}) {
    std::vector<std::string> words = line;
    words.emplace_back("--json");
    const CommandRun part = run_loom(words);
    EXPECT_EQ(part.status, 1) << part.err;
    EXPECT_GE(part.json()["damaged"].size(), 1u) << part.out;
    EXPECT_FALSE(part.json().contains("error")) << part.out;
  }
  EXPECT_EQ(run_loom({"remove", library_, "--", "walk", "--graph=g"}).status, 0);
  EXPECT_EQ(run_loom({"info", library_, "--check"}).status, 0);
}

TEST_F(CommandLine, WordsThatAreNoUtf8AreTakenOrRefusedButNeverFatal) {
  const std::string odd = "w\xff\xfe";
  for (const auto& words : {std::vector<std::string>{"graph", "build", library_, "--name", odd, "--threshold", "0.5"},
                            {"graph", "build", library_, "--name", "g", "--label", odd},
                            {"cut", library_, "walk", "--as", odd},
                            {"label", library_, "walk", odd},
                            {"list", library_, "--label", odd, "--json"},
                            {"list", odd, "--json"},
                            {"fragments", "cut", library_, "--name", odd},
                            {"blend", "family", library_, "--name", odd, "--label", odd, "--json"},
                            {"graph", "keys", library_, odd, odd, "--add", odd, "--json"}}) {
    const CommandRun run = run_loom(words);
    EXPECT_TRUE(run.status == 0 || run.status == 1) << words[0] << words[1] << ": " << run.status << run.err;
    EXPECT_THAT(run.err, Not(HasSubstr("should not")));
  }
}

/// Words that people and programs have been seen to give, and worse.
std::string hostile_word(Random& random, const std::string& library, const std::string& file) {
  switch (random.index(17)) {
    case 0:
      return "";
    case 1:
      return "nan";
    case 2:
      return "-1";
    case 3:
      return "4294967296";
    case 4:
      return "18446744073709551616";
    case 5:
      return "1e308";
    case 6:
      return "inf";
    case 7:
      return std::string(300, 'n');
    case 8:
      return std::string("\xff\xfe\x1b[2J");
    case 9:
      return "../../..";
    case 10:
      return "walk";
    case 11:
      return "0";
    case 12:
      return "-";
    case 13:
      return "a,b;c:1@2=3*?[";
    case 14:
      return file;
    case 15:
      return "walk:0@1";
    default:
      return library;
  }
}

TEST_F(CommandLine, HostileWordsEndInAnAnswer) {
  CLI::App tree{"test"};
  app::Commands commands{tree};
  add_all(commands);
  const std::set<std::string> writers = {"sample", "import", "label",  "cut",   "remove",
                                         "build",  "train",  "family", "studio"};
  ASSERT_EQ(run_loom({"graph", "build", library_, "--name", "walk", "--threshold", "0.5"}).status, 0);
  const std::string untouched = testing::file_content(library_);
  fs::create_directories(folder_.file("here/a/b/c"));
  Random random(20260112);
  for (int round = 0; round < 300; ++round) {
    const auto& command = commands.all()[random.index(commands.all().size())];
    const std::string name = command->options->app().get_name();
    if (name == "studio" || name == "demo") continue;  // one waits for visitors, the other takes seconds
    std::vector<std::string> words;
    for (const CLI::App* app = &command->options->app(); app->get_parent() != nullptr; app = app->get_parent()) {
      words.insert(words.begin(), app->get_name());
    }
    bool adds = writers.count(name) > 0 || (name == "cut");
    bool first = true;
    for (const CLI::Option* option : command->options->app().get_options()) {
      if (option->get_name() == "--help") continue;
      const bool required = option->get_required() || (option->get_positional() && first);
      if (!required && random.index(3) != 0) continue;
      const bool output = option->get_name() == "--out" || option->get_name() == "output" ||
                          option->get_name().starts_with("--picture") || option->get_name() == "--csv";
      const bool flag = option->get_expected_max() == 0;
      if (!option->get_positional()) words.push_back(option->get_name());
      adds = adds || option->get_name() == "--add";
      if (flag) continue;
      const std::string word =
          first && option->get_positional() && random.index(6) != 0 ? library_ : hostile_word(random, library_, file_);
      first = first && !option->get_positional();
      words.push_back(output && random.index(2) == 0 ? folder_.file("out.bvh") : word);
    }
    // In a folder of its own, where what is written under an odd name lands, and deep enough for "../../.."; with 4 GB
    // of memory, and a minute.
    const CommandRun run = run_by_shell(
        words, "cd " + shell_word(folder_.file("here/a/b/c")) + " && ulimit -v 4194304 && exec timeout 60");
    std::string shown;
    for (const std::string& word : words) shown += " " + shell_word(word.size() > 60 ? word.substr(0, 60) : word);
    EXPECT_TRUE(run.status >= 0 && run.status <= 2) << run.status << shown << "\n" << run.err;
    EXPECT_THAT(run.err, Not(HasSubstr("should not"))) << shown;
    EXPECT_TRUE(run.status == 0 || !run.err.empty()) << shown;
    if (adds) {
      std::ofstream(library_, std::ios::binary) << untouched;
      for (const char* ending : {"-wal", "-shm"}) fs::remove(library_ + ending);
    } else {
      EXPECT_EQ(testing::file_content(library_) == untouched, true) << "the library was changed by" << shown;
    }
    ASSERT_FALSE(testing::file_content(file_).empty()) << "the motion file is gone after" << shown;
  }
}

}  // namespace
}  // namespace loom
