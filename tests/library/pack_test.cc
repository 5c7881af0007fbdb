// SPDX-License-Identifier: MIT
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <loom/library/library.h>
#include <loom/library/pack.h>
#include <loom/motion/pack_frames.h>
#include <loom/sample/sample.h>

#include "tests/make_clip.h"
#include "tests/temporary_folder.h"

namespace loom::library {
namespace {

namespace fs = std::filesystem;

class PackTest : public ::testing::Test {
 protected:
  PackTest() {
    auto library = *Library::open_or_create(path_);
    for (const char* name : {"walk-slow", "walk-normal-1"})
      EXPECT_TRUE(library.add_clip(sample::make_sample(name, {})->clip));
    motion::Clip noise = testing::random_clip(testing::small_person(), 40, 30, 1);
    noise.name = "noise";
    EXPECT_TRUE(library.add_clip(noise, {"noise.bvh", "hash", 120, 1, "{}", {"a note"}, {"a warning"}, {}}));
    EXPECT_TRUE(library.add_label("noise", {"odd", 3, 9}));
    ArtefactInfo info;
    info.kind = "graph";
    info.name = "main";
    info.parameters = "{}";
    info.input_hash = "abc";
    EXPECT_TRUE(library.put_artefact(info, std::vector<std::byte>(5000, std::byte{7})));
  }
  void execute(const std::string& path, const char* sql) const {
    sqlite3* handle = nullptr;
    ASSERT_EQ(sqlite3_open(path.c_str(), &handle), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(handle, sql, nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(handle);
    sqlite3_close(handle);
  }

  testing::TemporaryFolder folder_;
  std::string path_ = folder_.file("moves.loom"), small_ = folder_.file("small.loom");
};

TEST_F(PackTest, SomeClipsOfALibraryArePackedWhereTheyAre) {
  const auto before = *Library::open(path_);
  const auto noise = *before.read_clip("noise"), slow = *before.read_clip("walk-slow");
  const std::vector<std::string> names = {"walk-slow", "noise"};
  const auto report = pack_clips(path_, names, 0.0005);
  ASSERT_TRUE(report) << report.error().to_string();
  EXPECT_EQ(report->clips, 2U);
  EXPECT_EQ(report->frames, noise.frames() + slow.frames());
  EXPECT_LT(report->frames_bytes, report->frames_bytes_before / 2);
  EXPECT_LE(report->bytes, report->bytes_before);
  EXPECT_GT(report->largest_error, 0);
  const auto library = *Library::open(path_);
  EXPECT_TRUE(library.verify());
  EXPECT_LE(motion::packing_error(slow, *library.read_clip("walk-slow")), 0.0005);
  EXPECT_GT(motion::packing_error(slow, *library.read_clip("walk-slow")), 0.00001);
  EXPECT_EQ(library.clip_info("noise")->hash, before.clip_info("noise")->hash);
  EXPECT_EQ(library.clip_info("noise")->labels.size(), 1U);
  EXPECT_EQ(library.read_clip("walk-normal-1")->rotations, sample::make_sample("walk-normal-1", {})->clip.rotations);
  // Again: nothing is left to do, and what is packed is not packed twice.
  const auto again = pack_clips(path_, names, 0.002);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->clips, 0U);
  EXPECT_FALSE(pack_clips(path_, std::vector<std::string>{"nobody"}, 0.0005));
  EXPECT_FALSE(pack_clips(path_, names, 0));
}

TEST_F(PackTest, StoppedWhilePackingInPlaceNothingIsPacked) {
  const Progress stop([](double, std::string_view) { return false; });
  const auto stopped = pack_clips(path_, std::vector<std::string>{"noise"}, 0.0005, stop);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().kind, ErrorKind::kStopped);
  EXPECT_EQ(pack_clips(path_, std::vector<std::string>{"noise"}, 0.0005)->clips, 1U);
}

TEST_F(PackTest, ALibraryMadeForPackedClipsTakesThem) {
  const std::string path = folder_.file("made.loom");
  ASSERT_TRUE(create_for_packed(path));
  {
    auto library = *Library::open_or_create(path);
    ASSERT_TRUE(library.add_clip(sample::make_sample("walk-slow", {})->clip));
  }
  const auto report = pack_clips(path, std::vector<std::string>{"walk-slow"}, 0.0005);
  ASSERT_TRUE(report) << report.error().to_string();
  EXPECT_LT(fs::file_size(path), report->frames_bytes_before / 3);
}

TEST_F(PackTest, APackedLibraryIsReadLikeAnyOtherAndEverythingElseIsAsItWas) {
  const auto packed = pack_library(path_, small_, {});
  ASSERT_TRUE(packed) << packed.error().to_string();
  EXPECT_EQ(packed->clips, 3U);
  EXPECT_EQ(packed->artefacts, 1U);
  EXPECT_EQ(packed->bytes, fs::file_size(small_));
  EXPECT_LT(packed->frames_bytes * 4, packed->frames_bytes_before);
  EXPECT_LE(packed->largest_error, 0.0005);
  const auto before = Library::open(path_), after = Library::open(small_);
  ASSERT_TRUE(after) << after.error().to_string();
  EXPECT_TRUE(after->verify());
  const auto clips = before->clips(), small = after->clips();
  ASSERT_EQ(small->size(), clips->size());
  double worst = 0;
  for (std::size_t c = 0; c < clips->size(); ++c) {
    EXPECT_EQ((*small)[c].hash, (*clips)[c].hash) << "what was built of it still is of it";
    EXPECT_EQ((*small)[c].labels, (*clips)[c].labels);
    const auto a = before->read_clip((*clips)[c].name), b = after->read_clip((*clips)[c].name);
    ASSERT_TRUE(b) << b.error().to_string();
    EXPECT_EQ(a->rate, b->rate);
    worst = std::max(worst, motion::packing_error(*a, *b));
  }
  EXPECT_DOUBLE_EQ(worst, packed->largest_error);
  EXPECT_EQ(after->provenance("noise")->notes, before->provenance("noise")->notes);
  EXPECT_EQ(after->get_artefact("graph", "main")->data, before->get_artefact("graph", "main")->data);
  EXPECT_EQ(after->get_artefact("graph", "main")->info.input_hash, "abc");
}

TEST_F(PackTest, APackedLibraryTakesNewClipsAndGivesOldOnesUp) {
  ASSERT_TRUE(pack_library(path_, small_, {}));
  auto library = *Library::open(small_, Access::kWrite);
  motion::Clip more = testing::random_clip(testing::small_person(), 30, 30, 2);
  more.name = "more";
  ASSERT_TRUE(library.add_clip(more));
  ASSERT_TRUE(library.remove_clip("noise"));
  EXPECT_EQ(library.read_clip("more")->rotations, more.rotations);
  EXPECT_TRUE(library.verify());
  // Packed again: the new clip too; what was packed already is taken as it is.
  const std::string again = folder_.file("again.loom");
  ASSERT_TRUE(pack_library(small_, again, {}));
  EXPECT_EQ(Library::open(again)->read_clip("walk-slow")->rotations, library.read_clip("walk-slow")->rotations);
  EXPECT_LE(motion::packing_error(more, *Library::open(again)->read_clip("more")), 0.0005);
}

TEST_F(PackTest, UnpackedItIsALibraryThatOlderProgramsRead) {
  const std::string large = folder_.file("large.loom");
  ASSERT_TRUE(pack_library(path_, small_, {}));
  PackLibraryOptions back;
  back.unpack = true;
  const auto unpacked = pack_library(small_, large, back);
  ASSERT_TRUE(unpacked) << unpacked.error().to_string();
  const auto library = Library::open(large), small = Library::open(small_);
  EXPECT_TRUE(library->verify());
  EXPECT_EQ(library->read_clip("walk-slow")->rotations, small->read_clip("walk-slow")->rotations);
  EXPECT_NE(library->clip_info("walk-slow")->hash, small->clip_info("walk-slow")->hash) << "it is not what it was";
  sqlite3* handle = nullptr;
  ASSERT_EQ(sqlite3_open(large.c_str(), &handle), SQLITE_OK);
  const auto version = [](void* found, int, char** values, char**) {
    *static_cast<std::string*>(found) = values[0];
    return 0;
  };
  std::string found;
  EXPECT_EQ(sqlite3_exec(handle, "PRAGMA user_version", version, &found, nullptr), SQLITE_OK);
  sqlite3_close(handle);
  EXPECT_EQ(found, "1");
}

TEST_F(PackTest, TheLibraryThatIsPackedIsNeverWritten) {
  EXPECT_FALSE(pack_library(path_, path_, {}));
  EXPECT_FALSE(pack_library(path_, small_, {0.0, false}));
  EXPECT_FALSE(pack_library(folder_.file("none.loom"), small_, {}));
  EXPECT_FALSE(fs::exists(small_));
  EXPECT_TRUE(Library::open(path_)->verify());
}

TEST_F(PackTest, StoppedNothingIsLeftBehind) {
  const Progress stop([](double, std::string_view) { return false; });
  const auto stopped = pack_library(path_, small_, {}, stop);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().kind, ErrorKind::kStopped);
  EXPECT_FALSE(fs::exists(small_));
  EXPECT_FALSE(fs::exists(small_ + ".part"));
}

TEST_F(PackTest, WhatAKilledRunLeftIsClearedAway) {
  std::ofstream(small_ + ".part") << "half a library";
  ASSERT_TRUE(pack_library(path_, small_, {}));
  EXPECT_FALSE(fs::exists(small_ + ".part"));
  EXPECT_TRUE(Library::open(small_)->verify());
}

TEST_F(PackTest, DamageToPackedFramesIsTold) {
  ASSERT_TRUE(pack_library(path_, small_, {}));
  execute(small_, "UPDATE frames SET data = substr(data, 1, length(data) - 9) WHERE clip = 1");
  const auto library = Library::open(small_);
  EXPECT_FALSE(library->verify());
  execute(small_, "UPDATE packing SET hash = 'x' WHERE clip = 2");
  EXPECT_FALSE(library->verify());
  execute(small_, "PRAGMA user_version = 3");
  const auto newer = Library::open(small_);
  ASSERT_FALSE(newer);
  EXPECT_EQ(newer.error().kind, ErrorKind::kNewer);
}

/// A file of `bytes` that takes hardly any room: SQLite is told that the pages are there, and what is added lies behind
/// them.
void grow(const std::string& path, std::uint64_t bytes, std::uint32_t page) {
  fs::resize_file(path, bytes);
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  const auto pages = static_cast<std::uint32_t>(bytes / page);
  const char size[4] = {static_cast<char>(pages >> 24), static_cast<char>(pages >> 16), static_cast<char>(pages >> 8),
                        static_cast<char>(pages)};
  file.seekp(28);
  file.write(size, sizeof size);
}

TEST_F(PackTest, ALibraryOfFiftyGigabytesWorks) {
  const std::uint64_t bytes = std::uint64_t{50'000'000'000} / 16384 * 16384;
  grow(path_, bytes, 16384);
  motion::Clip more = testing::random_clip(testing::small_person(), 3000, 30, 2);
  more.name = "more";
  {
    auto library = Library::open(path_, Access::kWrite);
    ASSERT_TRUE(library) << library.error().to_string();
    const auto added = library->add_clip(more);
    ASSERT_TRUE(added) << added.error().to_string();
  }
  EXPECT_GT(fs::file_size(path_), bytes);
  const auto library = Library::open(path_);
  ASSERT_TRUE(library) << library.error().to_string();
  EXPECT_EQ(library->clips()->size(), 4U);
  EXPECT_EQ(library->read_clip("more")->rotations, more.rotations) << "it lies behind the fiftieth gigabyte";
  ASSERT_TRUE(pack_library(path_, small_, {}));
  EXPECT_LT(fs::file_size(small_), 1'000'000U);
  EXPECT_LE(motion::packing_error(more, *Library::open(small_)->read_clip("more")), 0.0005);
}

}  // namespace
}  // namespace loom::library
