// SPDX-License-Identifier: MIT
// What a user meets: `loom import`, `list`, `info` and `label`, run as programs.
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <loom/base/random.h>
#include <loom/io/bvh_write.h>
#include <loom/library/library.h>

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
using ::testing::IsEmpty;
using ::testing::Not;
using testing::run_loom;

motion::Clip walk(double seconds, double speed) {
  testing::Gait gait;
  gait.seconds = seconds;
  gait.speed = speed;
  return testing::make_gait(gait).clip;
}

class CommandTest : public ::testing::Test {
 protected:
  void write(const std::string& name, const motion::Clip& clip) {
    fs::create_directories((folder_.path() / name).parent_path());
    ASSERT_TRUE(io::write_bvh(clip, folder_.file(name)));
  }

  testing::TemporaryFolder folder_;
  std::string library_ = folder_.file("moves.loom");
};

TEST_F(CommandTest, ImportTellsMachinesWhatItDid) {
  write("in/a.bvh", walk(1, 1.2));
  write("in/b.bvh", walk(2, 0.8));
  folder_.write("in/bad.bvh", "HIERARCHY\n");
  folder_.write("in/labels.csv", "file,label,from,to\na.bvh,walk,,\nb.bvh,slow,0,10\n");
  const CommandRun run = run_loom(
      {"import", library_, folder_.file("in"), "--labels", folder_.file("in/labels.csv"), "--rate", "15", "--json"});
  EXPECT_EQ(run.status, 1);  // one file failed
  const auto json = run.json();
  EXPECT_EQ(json["imported"], 2);
  EXPECT_EQ(json["frames"], 16 + 31);
  ASSERT_EQ(json["failed"].size(), 1u);
  EXPECT_EQ(json["failed"][0]["file"], folder_.file("in/bad.bvh"));
  EXPECT_TRUE(json["failed"][0]["error"].is_string());
  EXPECT_GT(json["seconds"], 0);
  EXPECT_THAT(json["skipped"], IsEmpty());
  const auto list = run_loom({"list", library_, "--label", "slow", "--json"}).json();
  ASSERT_EQ(list["clips"].size(), 1u);
  EXPECT_EQ(list["clips"][0]["name"], "b");
  EXPECT_EQ(list["clips"][0]["labels"][0]["to"], 5);
}

TEST_F(CommandTest, ImportingAgainIsNoFailure) {
  write("a.bvh", walk(1, 1.2));
  EXPECT_EQ(run_loom({"import", library_, folder_.file("a.bvh")}).status, 0);
  const CommandRun again = run_loom({"import", library_, folder_.file("a.bvh"), "--json"});
  EXPECT_EQ(again.status, 0);
  EXPECT_EQ(again.json()["imported"], 0);
  EXPECT_EQ(again.json()["skipped"].size(), 1u);
}

TEST_F(CommandTest, ImportTellsAKindOnceAndWritesAllIntoItsLog) {
  for (int i = 0; i < 5; ++i) {
    motion::Clip clip = walk(1, 0.8 + 0.1 * i);
    clip.roots[0].x += 2 + 0.1f * static_cast<float>(i);  // a stray frame in each, each elsewhere
    write("in/" + std::to_string(i) + ".bvh", clip);
  }
  fs::copy_file(folder_.file("in/0.bvh"), folder_.file("in/copy.bvh"));
  const std::string log = folder_.file("log.txt");
  const CommandRun run = run_loom({"import", library_, folder_.file("in"), "--scale", "0.01", "--log", log});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.err, HasSubstr("5 files (0.bvh, 1.bvh, 2.bvh and 2 more): such as: Mended: The root jumps"));
  EXPECT_EQ(run.err.find("The root jumps"), run.err.rfind("The root jumps"));
  EXPECT_THAT(run.out, HasSubstr("skipped  1 that are copies of other files here"));
  std::ifstream file(log);
  std::size_t warnings = 0, copies = 0;
  for (std::string line; std::getline(file, line);) {
    warnings += line.starts_with("warning\t" + folder_.file("in")) ? 1 : 0;
    copies += line.starts_with("copy\t") ? 1 : 0;
  }
  EXPECT_EQ(warnings, 5u);
  EXPECT_EQ(copies, 1u);
  EXPECT_EQ(run_loom({"import", library_, folder_.file("in"), "--log", library_}).status, 1);
}

TEST_F(CommandTest, ImportTellsWhatItDidWhereItsLogCannotBeWritten) {
  write("in/a.bvh", walk(1, 0.8));
  const std::string far = folder_.file("in/nowhere");
  fs::create_symlink(far + "/log.txt", folder_.file("log.txt"));
  const CommandRun run =
      run_loom({"import", library_, folder_.file("in/a.bvh"), "--scale", "0.01", "--log", folder_.file("log.txt")});
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.out, HasSubstr("imported 1 clips"));
  EXPECT_THAT(run.err, HasSubstr("log.txt"));
}

TEST_F(CommandTest, ALineOfTheLogIsOneNoteWhateverAFileIsCalled) {
  folder_.write("in/a\tb\nc.bvh", "HIERARCHY\n");
  const std::string log = folder_.file("log.txt");
  EXPECT_EQ(run_loom({"import", library_, folder_.file("in"), "--log", log}).status, 1);
  std::ifstream file(log);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(std::count(lines[0].begin(), lines[0].end(), '\t'), 2);
}

TEST_F(CommandTest, ACheckIsOfLibrariesAlone) {
  write("a.bvh", walk(1, 0.8));
  EXPECT_EQ(run_loom({"info", folder_.file("a.bvh"), "--check"}).status, 2);
}

TEST_F(CommandTest, TheRateOfASourceMayBeSaid) {
  write("a.bvh", walk(1, 1.2));
  ASSERT_EQ(run_loom({"import", library_, folder_.file("a.bvh"), "--source-rate", "60"}).status, 0);
  EXPECT_EQ(run_loom({"info", library_, "a", "--json"}).json()["rate"], 60);
  EXPECT_EQ(run_loom({"info", folder_.file("a.bvh"), "--source-rate", "50", "--json"}).json()["clips"][0]["rate"], 50);
  ASSERT_EQ(run_loom({"convert", folder_.file("a.bvh"), folder_.file("b.bvh"), "--source-rate", "90"}).status, 0);
  EXPECT_EQ(run_loom({"info", folder_.file("b.bvh"), "--json"}).json()["clips"][0]["rate"], 90);
}

TEST_F(CommandTest, WhatIsNotThereFailsAndMakesNoLibrary) {
  fs::create_directory(folder_.file("empty"));
  const CommandRun run = run_loom({"import", library_, folder_.file("none.bvh"), folder_.file("empty"), "--json"});
  EXPECT_EQ(run.status, 1);
  EXPECT_EQ(run.json()["failed"].size(), 2u);
  EXPECT_FALSE(fs::exists(library_));
  EXPECT_EQ(run_loom({"import", library_, folder_.file("empty"), "--labels", folder_.file("none.csv")}).status, 1);
  EXPECT_EQ(run_loom({"list", library_}).status, 1);
}

TEST_F(CommandTest, WrongUsageIsTwo) {
  EXPECT_EQ(run_loom({"import", library_}).status, 2);
  EXPECT_EQ(run_loom({"import", library_, "x.bvh", "--rate", "0"}).status, 2);
  EXPECT_EQ(run_loom({"import", library_, "x.bvh", "--up", "w"}).status, 2);
  EXPECT_EQ(run_loom({"import", library_, "x.bvh", "--scale", "-1"}).status, 2);
  EXPECT_EQ(run_loom({"label", library_}).status, 2);
  EXPECT_EQ(run_loom({"label", library_, "a"}).status, 2);
  EXPECT_EQ(run_loom({"list"}).status, 2);
}

TEST_F(CommandTest, EachHelpEndsInAnExample) {
  for (const char* name : {"import", "list", "info", "label"}) {
    const CommandRun run = run_loom({name, "--help"});
    EXPECT_EQ(run.status, 0);
    EXPECT_THAT(run.out, HasSubstr(std::string("Example:\n  loom ") + name)) << name;
  }
}

TEST_F(CommandTest, LabelsAreAddedListedAndRemoved) {
  write("a.bvh", walk(1, 1.2));
  ASSERT_EQ(run_loom({"import", library_, folder_.file("a.bvh")}).status, 0);
  EXPECT_EQ(run_loom({"label", library_, "a", "walk"}).status, 0);
  EXPECT_EQ(run_loom({"label", library_, "a", "turn", "--from", "5", "--to", "20"}).status, 0);
  EXPECT_EQ(run_loom({"label", library_, "a", "late", "--from", "5", "--to", "2000"}).status, 1);
  EXPECT_EQ(run_loom({"label", library_, "b", "walk"}).status, 1);
  const auto labels = run_loom({"label", library_, "--list", "--json"}).json()["labels"];
  ASSERT_EQ(labels.size(), 2u);
  EXPECT_EQ(labels[0]["label"], "turn");
  EXPECT_DOUBLE_EQ(labels[0]["seconds"], 0.5);
  EXPECT_EQ(run_loom({"label", library_, "a", "turn", "--remove"}).status, 0);
  EXPECT_EQ(run_loom({"label", library_, "a", "turn", "--remove"}).status, 1);
  const std::string table = folder_.write("l.csv", "file,label\na.bvh,new\nz.bvh,new\n");
  const CommandRun imported = run_loom({"label", library_, "--import", table, "--json"});
  EXPECT_EQ(imported.status, 0);
  EXPECT_EQ(imported.json()["added"], 1);
  EXPECT_EQ(imported.json()["warnings"].size(), 1u);
}

TEST_F(CommandTest, InfoTellsOfLibrariesClipsAndFiles) {
  write("a.bvh", walk(1, 1.2));
  ASSERT_EQ(run_loom({"import", library_, folder_.file("a.bvh")}).status, 0);
  const auto library = run_loom({"info", library_, "--json", "--check"}).json();
  EXPECT_EQ(library["schema"], 1);
  EXPECT_EQ(library["clip_count"], 1);
  EXPECT_EQ(library["bodies"][0]["bytes_per_frame"], (3 + 4 * 17) * 4);
  const auto clip = run_loom({"info", library_, "a", "--json"}).json();
  EXPECT_EQ(clip["source"], "a.bvh");
  EXPECT_EQ(clip["source_rate"], 30.0);
  const auto file = run_loom({"info", folder_.file("a.bvh"), "--json"}).json();
  EXPECT_EQ(file["clips"][0]["joints"], 17);
  EXPECT_THAT(run_loom({"info", library_}).out, HasSubstr("schema 1"));
  EXPECT_EQ(run_loom({"info", library_, "zzz"}).status, 1);
  EXPECT_EQ(run_loom({"info", folder_.file("nothing.bvh")}).status, 1);
}

TEST_F(CommandTest, PipesAndDevicesAreRefusedWithoutWaiting) {
  const std::string pipe = folder_.file("pipe.bvh"), zero = folder_.file("zero.bvh"), fbx = folder_.file("zero.fbx");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  fs::create_symlink("/dev/zero", zero);
  fs::create_symlink("/dev/zero", fbx);
  write("a.bvh", walk(1, 1.2));
  testing::CommandLimits limits;
  limits.kill_after_microseconds = 20'000'000;
  for (const std::string& path : {pipe, zero, fbx}) {
    for (const std::vector<std::string>& words : {std::vector<std::string>{"import", library_, path},
                                                  {"info", path},
                                                  {"convert", path, folder_.file("b.glb")},
                                                  {"measure", path},
                                                  {"import", path, folder_.file("a.bvh")},
                                                  {"list", path},
                                                  {"import", library_, folder_.file("a.bvh"), "--labels", path}}) {
      const CommandRun run = run_loom(words, limits);
      EXPECT_EQ(run.status, 1) << words[0] << " " << path << "\n" << run.err;
      EXPECT_THAT(run.err + run.out, HasSubstr("is not a plain file"));
    }
  }
}

TEST_F(CommandTest, InfoShowsASkeletonAloneAndAMotionWithTheOneGiven) {
  const std::string bones =
      ":version 1.10\n:units\n length 0.45\n angle deg\n:root\n order TX TY TZ RX RY RZ\n axis XYZ\n position 0 0 0\n"
      " orientation 0 0 0\n:bonedata\n begin\n name shin\n direction 0 -1 0\n length 7\n axis 0 0 0 XYZ\n dof rx\n "
      "end\n"
      ":hierarchy\n begin\n root shin\n end\n";
  const std::string asf = folder_.write("one/leg.asf", bones);
  const std::string amc =
      folder_.write("two/step.amc", ":DEGREES\n1\nroot 0 7 0 0 0 0\nshin 0\n2\nroot 0 7 1 0 0 0\nshin 9\n");
  const auto alone = run_loom({"info", asf, "--json"}).json();
  EXPECT_EQ(alone["clips"][0]["joints"], 2);
  EXPECT_EQ(alone["clips"][0]["frames"], 1);
  EXPECT_THAT(alone["clips"][0]["notes"].dump(), HasSubstr("skeleton without motion"));
  EXPECT_EQ(run_loom({"info", amc}).status, 1);
  const auto given = run_loom({"info", amc, "--asf", asf, "--json"}).json();
  EXPECT_EQ(given["clips"][0]["frames"], 2);
}

TEST_F(CommandTest, RootOffsetIsReadAsAsked) {
  const std::string text =
      "HIERARCHY\nROOT Hips { OFFSET 3 0.9 0 CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation\n"
      "JOINT Leg { OFFSET 0 -0.4 0 CHANNELS 3 Zrotation Yrotation Xrotation End Site { OFFSET 0 -0.5 0 } }\n"
      "JOINT Head { OFFSET 0 0.8 0 CHANNELS 3 Zrotation Yrotation Xrotation End Site { OFFSET 0 0.1 0 } } }\n"
      "MOTION\nFrames: 2\nFrame Time: 0.01\n0.1 0.9 0 0 0 0 0 0 0 0 0 0\n0.1 0.9 0 0 0 0 0 0 0 0 0 0\n";
  const std::string file = folder_.write("a.bvh", text);
  const auto height = [&](const std::string& reading) {
    const std::string library = folder_.file(reading + ".loom");
    EXPECT_EQ(run_loom({"import", library, file, "--scale", "1", "--up", "y", "--root-offset", reading}).status, 0);
    return Library::open(library)->read_clip("a")->roots[0];
  };
  EXPECT_NEAR(distance(height("auto"), {0.1f, 0.9f, 0}), 0, 1e-5);
  EXPECT_NEAR(distance(height("add"), {3.1f, 1.8f, 0}), 0, 1e-5);
  EXPECT_NEAR(distance(height("replace"), {0.1f, 0.9f, 0}), 0, 1e-5);
  EXPECT_THAT(run_loom({"info", file}).out, HasSubstr("replace its OFFSET in X and Y"));
  EXPECT_EQ(run_loom({"info", file, "--root-offset", "perhaps"}).status, 2);
}

/// A library of one clip, and a folder of more that takes long enough to import to be killed in the middle.
class KilledImport : public CommandTest {
 protected:
  static constexpr std::size_t kFiles = 16;

  void SetUp() override {
    write("first.bvh", walk(1, 1.2));
    ASSERT_EQ(run_loom({"import", seed_, folder_.file("first.bvh")}).status, 0);
    for (std::size_t i = 0; i < kFiles; ++i) {
      write("in/" + std::to_string(i) + ".bvh", walk(20, 0.5 + 0.05 * static_cast<double>(i)));
    }
  }

  CommandRun import(const testing::CommandLimits& limits = {}) const {
    return run_loom({"import", library_, folder_.file("in")}, limits);
  }

  /// The number of clips in the library, which must be sound.
  [[nodiscard]] std::size_t sound_clips() const {
    const auto opened = Library::open(library_);
    if (!opened) {
      ADD_FAILURE() << opened.error().to_string();
      return 0;
    }
    const auto sound = opened->verify();
    EXPECT_TRUE(sound) << sound.error().to_string();
    return opened->clips()->size();
  }

  void remove_library() const {
    for (const char* ending : {"", "-wal", "-shm"}) fs::remove(library_ + ending);
  }

  std::string seed_ = folder_.file("seed.loom");
};

TEST_F(KilledImport, LeavesAllOrNothing) {
  fs::copy_file(seed_, library_);
  const auto start = std::chrono::steady_clock::now();
  ASSERT_EQ(import().status, 0);
  const auto whole = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() * 1e6;
  Random random(7);
  std::size_t killed = 0;
  for (int round = 0; round < 20; ++round) {
    remove_library();
    fs::copy_file(seed_, library_);
    testing::CommandLimits limits;
    limits.kill_after_microseconds = static_cast<long>(random.uniform(0, 1.1 * whole));
    if (import(limits).status == -1) ++killed;
    const std::size_t clips = sound_clips();
    EXPECT_TRUE(clips == 1 || clips == 1 + kFiles) << clips << " clips after " << limits.kill_after_microseconds;
  }
  EXPECT_GT(killed, 5u);
  EXPECT_EQ(import().status, 0);
  EXPECT_EQ(sound_clips(), 1 + kFiles);
}

TEST_F(KilledImport, OfANewLibraryCanBeDoneAgain) {
  Random random(8);
  for (int round = 0; round < 6; ++round) {
    remove_library();
    testing::CommandLimits limits;
    limits.kill_after_microseconds = static_cast<long>(random.uniform(0, 30'000));
    import(limits);
    EXPECT_EQ(import().status, 0);
    EXPECT_EQ(sound_clips(), kFiles);
  }
}

TEST_F(KilledImport, AFullDiskIsToldAndChangesNothing) {
  fs::copy_file(seed_, library_);
  testing::CommandLimits limits;
  limits.file_bytes = 500'000;  // the library has 200 kB, and the folder needs more than 2 MB
  const CommandRun run = import(limits);
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.err, HasSubstr("moves.loom: "));
  EXPECT_THAT(run.err, HasSubstr("File too large"));
  EXPECT_EQ(sound_clips(), 1u);
}

TEST_F(KilledImport, CtrlCWhileFilesAreHashedChangesNothing) {
  fs::copy_file(seed_, library_);
  // Holes take no space and are as long to hash as anything: 64 GB, of which the first few are begun.
  for (int i = 0; i < 256; ++i) {
    const std::string file = folder_.write("in/hole" + std::to_string(i) + ".bvh", "");
    fs::resize_file(file, 1 << 28);
  }
  ::setenv("LOOM_PROGRESS_SECONDS", "0", 1);
  testing::CommandLimits limits;
  limits.interrupt_when = "looking for files that are new";
  const CommandRun run = import(limits);
  ::unsetenv("LOOM_PROGRESS_SECONDS");
  EXPECT_EQ(run.status, 1) << run.out;
  EXPECT_THAT(run.err, HasSubstr("the import was stopped; the library is as it was"));
  EXPECT_THAT(run.err, Not(HasSubstr("in/0.bvh"))) << "nothing was read";
  EXPECT_EQ(sound_clips(), 1u);
}

TEST_F(CommandTest, CutMakesAClipOfAnother) {
  write("a.bvh", walk(1, 1.2));
  ASSERT_EQ(run_loom({"import", library_, folder_.file("a.bvh")}).status, 0);
  ASSERT_EQ(run_loom({"label", library_, "a", "walk", "--from", "5", "--to", "25"}).status, 0);
  const CommandRun cut =
      run_loom({"cut", library_, "a", "--from", "10", "--to", "20", "--mirror", "--as", "b", "--json"});
  EXPECT_EQ(cut.status, 0) << cut.err;
  EXPECT_EQ(cut.json()["frames"], 10);
  const auto library = Library::open(library_);
  const motion::Clip whole = *library->read_clip("a"), piece = *library->read_clip("b");
  EXPECT_EQ(piece.labels, (std::vector<motion::Label>{{"walk", 0, 10}}));
  EXPECT_FLOAT_EQ(piece.roots[0].x, -whole.roots[10].x);
  EXPECT_THAT(library->provenance("b")->options, HasSubstr("made_from"));
  EXPECT_EQ(run_loom({"cut", library_, "a", "--as", "b"}).status, 1) << "the name is taken";
  EXPECT_EQ(run_loom({"cut", library_, "a", "--from", "20", "--to", "10", "--as", "c"}).status, 1);
  EXPECT_EQ(run_loom({"cut", library_, "nobody", "--as", "c"}).status, 1);
  EXPECT_EQ(run_loom({"cut", library_, "a"}).status, 2);
}

}  // namespace
}  // namespace loom
