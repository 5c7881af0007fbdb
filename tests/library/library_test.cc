// SPDX-License-Identifier: MIT
#include <cmath>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <loom/base/hash.h>
#include <loom/library/artefact_kinds.h>
#include <loom/library/hash.h>
#include <loom/library/library.h>

#include "tests/make_clip.h"
#include "tests/temporary_folder.h"

namespace loom::library {
namespace {

using motion::Clip;
using motion::Label;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::random_clip;
using testing::random_skeleton;
using testing::small_person;
using testing::TemporaryFolder;

Clip named(std::string name, std::size_t frames = 10, std::uint64_t seed = 1) {
  Clip clip = random_clip(small_person(), frames, 30, seed);
  clip.name = std::move(name);
  return clip;
}

std::vector<std::byte> bytes_of(std::string_view text) {
  const auto* begin = reinterpret_cast<const std::byte*>(text.data());
  return {begin, begin + text.size()};
}

/// Runs SQL on the file as another program would, to do it harm.
void meddle(const std::string& path, const std::string& sql) {
  sqlite3* handle = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &handle), SQLITE_OK);
  char* message = nullptr;
  EXPECT_EQ(sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, &message), SQLITE_OK) << message;
  sqlite3_close(handle);
}

class LibraryTest : public ::testing::Test {
 protected:
  Library create() { return Library::open_or_create(path_).value(); }

  TemporaryFolder folder_;
  std::string path_ = folder_.file("test.loom");
};

TEST_F(LibraryTest, WhatIsNoPlainFileIsRefusedWithoutWaiting) {
  ASSERT_EQ(::mkfifo(path_.c_str(), 0600), 0);
  EXPECT_THAT(Library::open(path_).error().message, HasSubstr("is not a plain file"));
  EXPECT_THAT(Library::open_or_create(path_).error().message, HasSubstr("is not a plain file"));
  EXPECT_THAT(Library::open("/dev/zero").error().message, HasSubstr("is not a plain file"));
  EXPECT_THAT(file_hash(path_).error().message, HasSubstr("is not a plain file"));
  EXPECT_THAT(file_hash("/dev/zero").error().message, HasSubstr("is not a plain file"));
}

TEST_F(LibraryTest, CutShortWhileItIsReadIsAnErrorAndNoCrash) {
  {
    Library library = create();
    for (int i = 0; i < 40; ++i) ASSERT_TRUE(library.add_clip(named("clip" + std::to_string(i), 400)));
  }
  const Library library = Library::open(path_).value();
  ASSERT_TRUE(library.read_clip("clip0"));
  std::filesystem::resize_file(path_, 8192);
  std::size_t failed = 0;
  for (int i = 0; i < 40; ++i) failed += library.read_clip("clip" + std::to_string(i)) ? 0 : 1;
  EXPECT_GE(failed, 38u);
}

TEST_F(LibraryTest, AClipComesBackBitForBit) {
  Clip clip = random_clip(random_skeleton(40, 3), 57, 59.94, 7);
  clip.name = "wander";
  clip.labels = {{"walk", 0, 57}, {"turn", 3, 9}, {"walk", 1, 2}};
  ASSERT_TRUE(create().add_clip(clip));
  const Library library = Library::open(path_).value();
  const Clip back = library.read_clip("wander").value();
  EXPECT_EQ(back.name, clip.name);
  EXPECT_EQ(back.rate, clip.rate);
  EXPECT_EQ(*back.skeleton, *clip.skeleton);
  EXPECT_EQ(back.roots, clip.roots);
  EXPECT_EQ(back.rotations, clip.rotations);
  EXPECT_EQ(back.labels, clip.labels);
  EXPECT_TRUE(library.verify());
}

TEST_F(LibraryTest, ListsClipsByNameWithoutTheirFrames) {
  Library library = create();
  const Clip clips[] = {named("walk", 31), named("idle", 61)};
  ASSERT_TRUE(library.add_clips(clips));
  const auto infos = library.clips().value();
  ASSERT_EQ(infos.size(), 2u);
  EXPECT_EQ(infos[0].name, "idle");
  EXPECT_EQ(infos[0].frames, 61u);
  EXPECT_EQ(infos[0].joints, 17u);
  EXPECT_DOUBLE_EQ(infos[0].duration(), 2.0);
  EXPECT_EQ(infos[1].hash, clip_hash(clips[0]));
}

TEST_F(LibraryTest, ClipsOnEqualSkeletonsShareOne) {
  Library library = create();
  ASSERT_TRUE(library.add_clip(named("a")));
  ASSERT_TRUE(library.add_clip(named("b")));  // another object, the same bones
  Clip other = random_clip(random_skeleton(5, 1), 4, 30, 1);
  other.name = "c";
  ASSERT_TRUE(library.add_clip(other));
  const auto skeletons = library.skeletons().value();
  ASSERT_EQ(skeletons.size(), 2u);
  EXPECT_EQ(skeletons[0].clips, 2u);
  EXPECT_EQ(library.read_clip("a")->skeleton, library.read_clip("b")->skeleton);
  EXPECT_EQ(library.read_clip("a")->skeleton, skeletons[0].skeleton);
}

TEST_F(LibraryTest, RemovingTheLastClipOfABodyRemovesTheBody) {
  Library library = create();
  ASSERT_TRUE(library.add_clip(named("a")));
  ASSERT_TRUE(library.add_clip(named("b")));
  ASSERT_TRUE(library.remove_clip("a"));
  EXPECT_EQ(library.skeletons()->size(), 1u);
  ASSERT_TRUE(library.remove_clip("b"));
  EXPECT_TRUE(library.skeletons()->empty());
  EXPECT_TRUE(library.clips()->empty());
  EXPECT_FALSE(library.remove_clip("b"));
}

TEST_F(LibraryTest, AddsAllOfSeveralClipsOrNone) {
  Library library = create();
  ASSERT_TRUE(library.add_clip(named("walk")));
  const Clip clips[] = {named("new"), named("walk")};
  const auto added = library.add_clips(clips);
  ASSERT_FALSE(added);
  EXPECT_THAT(added.error().message, HasSubstr("'walk' already"));
  EXPECT_FALSE(library.has_clip("new").value());
}

TEST_F(LibraryTest, RefusesClipsThatAreNotSound) {
  Library library = create();
  EXPECT_FALSE(library.add_clip(named("")));
  EXPECT_FALSE(library.add_clip(named("two\nlines")));
  EXPECT_FALSE(library.add_clip(named(std::string(256, 'x'))));
  EXPECT_FALSE(library.add_clip(named("nothing", 0)));
  Clip clip = named("nan");
  clip.pose(4)[2].x = std::nanf("");
  EXPECT_THAT(library.add_clip(clip).error().message, HasSubstr("frame 4"));
  EXPECT_TRUE(library.clips()->empty());
}

TEST_F(LibraryTest, AMissingClipNamesTheNearest) {
  Library library = create();
  EXPECT_THAT(library.read_clip("walk").error().message, HasSubstr("library is empty"));
  const Clip clips[] = {named("walk-slow"), named("run"), named("jump")};
  ASSERT_TRUE(library.add_clips(clips));
  EXPECT_THAT(library.read_clip("walk-slwo").error().message, HasSubstr("did you mean 'walk-slow'?"));
}

TEST_F(LibraryTest, KeepsWhereAClipCameFrom) {
  Library library = create();
  Provenance provenance{"capture/07_01.bvh", "0123", 120, 1, R"({"rate":30})", {"Fitted."}, {"It teleports."}, {}};
  ASSERT_TRUE(library.add_clip(named("07_01"), provenance));
  const Provenance back = library.provenance("07_01").value();
  EXPECT_EQ(back.source, provenance.source);
  EXPECT_EQ(back.source_hash, "0123");
  EXPECT_EQ(back.source_rate, 120);
  EXPECT_EQ(back.first_frame, 1u);
  EXPECT_EQ(back.options, provenance.options);
  EXPECT_EQ(back.notes, provenance.notes);
  EXPECT_EQ(back.warnings, provenance.warnings);
  EXPECT_EQ(back.added.size(), std::string("2024-05-31T12:00:00Z").size());
  provenance.added = "2024-05-31T12:00:00Z";
  ASSERT_TRUE(library.add_clip(named("put-back"), provenance));
  EXPECT_EQ(library.provenance("put-back")->added, provenance.added) << "a clip that is put back is no newer";
  ASSERT_TRUE(library.remove_clip("put-back"));
  EXPECT_THAT(library.clips_of_content("0123").value(), ElementsAre("07_01"));
  EXPECT_THAT(library.clips_of_source("capture/07_01.bvh").value(), ElementsAre("07_01"));
  EXPECT_TRUE(library.clips_of_content("4567")->empty());
}

TEST_F(LibraryTest, LabelsAreAddedOnceAndRemovedByNameOrRange) {
  Library library = create();
  ASSERT_TRUE(library.add_clip(named("walk", 60)));
  ASSERT_TRUE(library.add_label("walk", {"step", 0, 30}));
  ASSERT_TRUE(library.add_label("walk", {"step", 0, 30}));
  ASSERT_TRUE(library.add_label("walk", {"step", 30, 60}));
  ASSERT_TRUE(library.add_label("walk", {"all", 0, 60}));
  EXPECT_THAT(library.clip_info("walk")->labels,
              ElementsAre(Label{"step", 0, 30}, Label{"step", 30, 60}, Label{"all", 0, 60}));
  const auto totals = library.label_totals().value();
  ASSERT_EQ(totals.size(), 2u);
  EXPECT_EQ(totals[1].name, "step");
  EXPECT_EQ(totals[1].ranges, 2u);
  EXPECT_EQ(totals[1].clips, 1u);
  EXPECT_DOUBLE_EQ(totals[1].seconds, 2.0);
  EXPECT_EQ(library.remove_label("walk", Label{"step", 0, 30}).value(), 1u);
  EXPECT_EQ(library.remove_label("walk", "all").value(), 1u);
  EXPECT_EQ(library.remove_label("walk", "none").value(), 0u);
  EXPECT_THAT(library.clip_info("walk")->labels, ElementsAre(Label{"step", 30, 60}));
}

TEST_F(LibraryTest, RefusesLabelsOutsideTheClip) {
  Library library = create();
  ASSERT_TRUE(library.add_clip(named("walk", 60)));
  EXPECT_FALSE(library.add_label("walk", {"x", 0, 61}));
  EXPECT_FALSE(library.add_label("walk", {"x", 5, 5}));
  EXPECT_FALSE(library.add_label("walk", {"", 0, 5}));
  EXPECT_FALSE(library.add_label("run", {"x", 0, 5}));
}

TEST_F(LibraryTest, ArtefactsAreKeptByKindAndName) {
  Library library = create();
  const auto data = bytes_of("some edges"), newer = bytes_of("other edges");
  ASSERT_TRUE(library.put_artefact({"graph", "walks", 3, R"({"threshold":0.2})", "abc", {}, 0}, data));
  ASSERT_TRUE(library.put_artefact({"family", "walks", 1, "{}", "def", {}, 0}, {}));
  ASSERT_TRUE(library.put_artefact({"graph", "walks", 4, "{}", "ghi", {}, 0}, newer));
  const Artefact graph = library.get_artefact("graph", "walks").value();
  EXPECT_EQ(graph.data, newer);
  EXPECT_EQ(graph.info.version, find_artefact_kind("graph")->version);
  EXPECT_EQ(graph.info.input_hash, "ghi");
  EXPECT_EQ(graph.info.bytes, newer.size());
  EXPECT_TRUE(library.get_artefact("family", "walks")->data.empty());
  EXPECT_EQ(library.artefacts()->size(), 2u);
  EXPECT_EQ(library.artefacts("graph")->size(), 1u);
  EXPECT_THAT(library.get_artefact("graph", "runs").error().message, HasSubstr("'walks'"));
  ASSERT_TRUE(library.remove_artefact("graph", "walks"));
  EXPECT_FALSE(library.remove_artefact("graph", "walks"));
  EXPECT_FALSE(library.put_artefact({"", "x", 1, "{}", "", {}, 0}, data));
}

TEST_F(LibraryTest, AnArtefactOfANewerProgramIsRefusedInWords) {
  Library library = create();
  ASSERT_TRUE(library.put_artefact({"graph", "walks", 0, "{}", "", {}, 0}, bytes_of("edges")));
  EXPECT_FALSE(library.put_artefact({"hologram", "walks", 0, "{}", "", {}, 0}, {})) << "nobody knows how to read it";
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(library.path().c_str(), &database), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(database, "UPDATE artefacts SET version = 99", nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(database);
  const auto newer = library.get_artefact("graph", "walks");
  ASSERT_FALSE(newer);
  EXPECT_THAT(newer.error().message,
              HasSubstr("graph 'walks' was made by a newer Motion Loom: its layout is version 99"));
  EXPECT_EQ(newer.error().kind, ErrorKind::kNewer);
  EXPECT_EQ(library.get_artefact("graph", "runs").error().kind, ErrorKind::kNotFound);
  EXPECT_EQ(library.artefacts("graph")->size(), 1u) << "it is listed all the same";
  EXPECT_TRUE(library.remove_artefact("graph", "walks"));
}

TEST_F(LibraryTest, AFailedTransactionLeavesNothing) {
  Library library = create();
  const auto done = library.transact([&]() -> Result<void> {
    EXPECT_TRUE(library.add_clip(named("kept for a moment")));
    EXPECT_TRUE(library.has_clip("kept for a moment").value());
    return fail("changed my mind");
  });
  EXPECT_FALSE(done);
  EXPECT_TRUE(library.clips()->empty());
}

TEST_F(LibraryTest, AnInnerFailureIsUndoneAlone) {
  Library library = create();
  const Clip bad[] = {named("half"), named("")};
  ASSERT_TRUE(library.transact([&]() -> Result<void> {
    EXPECT_TRUE(library.add_clip(named("outer")));
    EXPECT_FALSE(library.add_clips(bad));
    return {};
  }));
  EXPECT_TRUE(library.has_clip("outer").value());
  EXPECT_FALSE(library.has_clip("half").value());
}

TEST_F(LibraryTest, ASkeletonReadInAnUndoneTransactionIsForgotten) {
  Library library = create();
  Clip first = random_clip(random_skeleton(5, 1), 4, 30, 1), second = random_clip(random_skeleton(5, 2), 4, 30, 2);
  first.name = "first", second.name = "second";
  ASSERT_FALSE(library.transact([&]() -> Result<void> {
    EXPECT_TRUE(library.add_clip(first));
    EXPECT_TRUE(library.read_clip("first"));
    return fail("no");
  }));
  ASSERT_TRUE(library.add_clip(second));  // gets the row the first one had
  EXPECT_EQ(*library.read_clip("second")->skeleton, *second.skeleton);
}

TEST_F(LibraryTest, OthersReadWhileOneWrites) {
  Library writer = create();
  ASSERT_TRUE(writer.add_clip(named("before")));
  const Library reader = Library::open(path_).value(), another = Library::open(path_).value();
  ASSERT_TRUE(writer.transact([&]() -> Result<void> {
    EXPECT_TRUE(writer.add_clip(named("after", 20000)));  // large enough to leave the writer's cache
    EXPECT_TRUE(reader.read_clip("before"));
    EXPECT_EQ(another.clips()->size(), 1u);
    return {};
  }));
  EXPECT_EQ(reader.clips()->size(), 2u);
}

TEST_F(LibraryTest, AReaderCannotWrite) {
  ASSERT_TRUE(create().add_clip(named("walk")));
  Library reader = Library::open(path_).value();
  EXPECT_THAT(reader.add_clip(named("run")).error().message, HasSubstr("may not be written to"));
  EXPECT_THAT(reader.remove_label("walk", "x").error().message, HasSubstr("may not be written to"));
}

TEST_F(LibraryTest, ClosedItIsOneFile) {
  ASSERT_TRUE(create().add_clip(named("walk")));
  { EXPECT_TRUE(Library::open(path_)->read_clip("walk")); }
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
    EXPECT_EQ(entry.path().filename(), "test.loom");
    ++files;
  }
  EXPECT_EQ(files, 1u);
}

/// Runs `body` in a process without rights of its own (root may write anywhere); true when it returns true.
bool as_nobody(const std::function<bool()>& body) {
  const pid_t child = ::fork();
  if (child == 0) {
    if (::geteuid() == 0 && ::setuid(65534) != 0) std::_Exit(2);
    std::_Exit(body() ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST_F(LibraryTest, IsReadFromAFolderThatMayNotBeWrittenTo) {
  ASSERT_TRUE(create().add_clip(named("walk")));
  std::filesystem::permissions(path_, std::filesystem::perms(0444));
  std::filesystem::permissions(folder_.path(), std::filesystem::perms(0555));
  EXPECT_TRUE(as_nobody([&] {
    const auto library = Library::open(path_);
    return library && library->read_clip("walk").has_value();
  }));
  EXPECT_TRUE(as_nobody([&] {
    auto library = Library::open(path_, Access::kWrite);
    return !library || !library->add_clip(named("run"));
  }));
  EXPECT_TRUE(as_nobody([&] {
    const auto created = Library::open_or_create(folder_.file("new.loom"));
    return !created && created.error().message.find("cannot be opened") != std::string::npos;
  }));
  std::filesystem::permissions(folder_.path(), std::filesystem::perms(0755));
}

TEST_F(LibraryTest, RefusesWhatIsNotALibrary) {
  const auto message = [](const std::string& path) { return Library::open(path).error().to_string(); };
  EXPECT_THAT(message(folder_.file("none.loom")), HasSubstr("there is no such file"));
  EXPECT_THAT(message(folder_.path().string()), HasSubstr("is a folder"));
  EXPECT_THAT(message(folder_.write("text.loom", "HIERARCHY\nROOT Hips\n")), HasSubstr("not a Motion Loom library"));
  EXPECT_THAT(message(folder_.write("empty.loom", "")), HasSubstr("not a Motion Loom library"));
  const std::string other = folder_.file("other.loom");
  meddle(other, "CREATE TABLE bookmarks(url TEXT); INSERT INTO bookmarks VALUES('x');");
  EXPECT_THAT(message(other), HasSubstr("not a Motion Loom library"));
  EXPECT_THAT(Library::open_or_create(other).error().message, HasSubstr("not a Motion Loom library"));
  EXPECT_THAT(Library::open_or_create(folder_.write("t.loom", std::string(5000, 'x'))).error().message,
              HasSubstr("not a Motion Loom library"));
  EXPECT_THAT(Library::open_or_create(folder_.file("no/such/folder/x.loom")).error().message,
              HasSubstr("cannot be opened"));
}

TEST_F(LibraryTest, FillsAnEmptyFile) {
  const std::string empty = folder_.write("empty.loom", "");
  ASSERT_TRUE(Library::open_or_create(empty)->add_clip(named("walk")));
  EXPECT_TRUE(Library::open(empty)->has_clip("walk").value());
}

TEST_F(LibraryTest, RefusesANewerSchemaAndSaysSo) {
  ASSERT_TRUE(create().add_clip(named("walk")));
  meddle(path_, "PRAGMA user_version = 3");
  for (const auto& result : {Library::open(path_).error(), Library::open_or_create(path_).error()}) {
    EXPECT_THAT(result.message, HasSubstr("newer Motion Loom (schema 3; this one reads schema 2 and older)"));
    EXPECT_EQ(result.kind, ErrorKind::kNewer);
  }
}

TEST_F(LibraryTest, RefusesMissingTables) {
  ASSERT_TRUE(create().add_clip(named("walk")));
  meddle(path_, "DROP TABLE labels");
  EXPECT_THAT(Library::open(path_).error().message, HasSubstr("damaged: no such table: labels"));
  EXPECT_EQ(Library::open(path_).error().kind, ErrorKind::kDamaged);
}

TEST_F(LibraryTest, DamageIsAnErrorNotACrash) {
  const std::string harms[] = {
      "UPDATE frames SET data = zeroblob(10)",
      "UPDATE frames SET data = zeroblob(length(data))",
      "UPDATE frames SET data = cast(data || x'00' AS BLOB)",
      "UPDATE clips SET frames = frames + 1",
      "UPDATE clips SET frames = -1",
      "UPDATE clips SET frames = 9223372036854775807",
      "UPDATE clips SET rate = 0",
      "UPDATE clips SET rate = 9e999",
      "UPDATE skeletons SET joints = 4",
      "UPDATE skeletons SET joints = 1000000000",
      "UPDATE skeletons SET data = zeroblob(8)",
      "UPDATE skeletons SET data = x'ffffffffffffffff'",
      "UPDATE skeletons SET data = substr(data, 1, length(data) - 1)",
      "PRAGMA foreign_keys = OFF; DELETE FROM skeletons",
      "PRAGMA foreign_keys = OFF; DELETE FROM frames",
      "INSERT INTO labels(clip, name, first, past) VALUES(1, 'x', 5, 1000)",
      "INSERT INTO labels(clip, name, first, past) VALUES(1, 'x', -5, 3)",
  };
  for (const std::string& harm : harms) {
    std::filesystem::remove(path_);
    ASSERT_TRUE(create().add_clip(named("walk")));
    meddle(path_, harm);
    const auto library = Library::open(path_);
    ASSERT_TRUE(library) << harm;
    const auto clip = library->read_clip("walk");
    ASSERT_FALSE(clip) << harm;
    EXPECT_EQ(clip.error().kind, ErrorKind::kDamaged) << harm << ": " << clip.error().message;
    const auto verified = library->verify();
    ASSERT_FALSE(verified) << harm;
    EXPECT_EQ(verified.error().kind, ErrorKind::kDamaged) << harm;
  }
}

TEST_F(LibraryTest, EveryByteTurnedOverIsHarmlessOrAnError) {
  {
    Library library = create();
    ASSERT_TRUE(library.add_clip(named("walk", 5)));
    ASSERT_TRUE(library.add_label("walk", {"walk", 0, 5}));
  }
  std::ifstream in(path_, std::ios::binary);
  const std::string good((std::istreambuf_iterator<char>(in)), {});
  Random random(5);
  for (int round = 0; round < 150; ++round) {
    std::string bad = good;
    // Half of the harm goes into the first bytes of a page, where the structure is.
    const std::size_t pages = good.size() / 16384;
    const std::size_t at = round % 2 == 0 ? random.index(good.size()) : random.index(pages) * 16384 + random.index(120);
    bad[at] = static_cast<char>(random.bits());
    const std::string path = folder_.write("bad.loom", bad);
    const auto library = Library::open(path, Access::kWrite);
    if (!library) continue;
    const auto clip = library->read_clip("walk");
    EXPECT_TRUE(!clip || validate(*clip));
    static_cast<void>(library->clips());
    static_cast<void>(library->label_totals());
    static_cast<void>(library->verify());
  }
}

TEST_F(LibraryTest, VerifyNoticesAFrameThatChanged) {
  Clip clip = named("walk");
  ASSERT_TRUE(create().add_clip(clip));
  // The first bytes are the first root's x; zero is a sound value, but not the one stored.
  meddle(path_, "UPDATE frames SET data = cast(x'00000000' || substr(data, 5) AS BLOB)");
  EXPECT_TRUE(Library::open(path_)->read_clip("walk"));
  EXPECT_THAT(Library::open(path_)->verify().error().message, HasSubstr("not what was stored"));
}

TEST_F(LibraryTest, ATruncatedFileIsAnError) {
  ASSERT_TRUE(create().add_clip(named("walk", 3000)));
  const auto size = std::filesystem::file_size(path_);
  for (const auto share : {0.9, 0.5, 0.1}) {
    std::filesystem::resize_file(path_, static_cast<std::uintmax_t>(static_cast<double>(size) * share));
    const auto library = Library::open(path_);
    EXPECT_FALSE(library && library->read_clip("walk")) << share;
  }
}

TEST(Hash, IsTheSameOnEveryMachine) {
  EXPECT_EQ(content_hash({}), "99aa06d3014798d86001c324468d497f");  // XXH3-128 of nothing
  EXPECT_EQ(content_hash(bytes_of("loom")), content_hash(bytes_of("loom")));
  EXPECT_NE(content_hash(bytes_of("loom")), content_hash(bytes_of("Loom")));
}

TEST(Hash, OfAClipForgetsItsNameAndLabels) {
  Clip a = named("a"), b = named("b");
  b.labels = {{"walk", 0, 3}};
  EXPECT_EQ(clip_hash(a), clip_hash(b));
  b.roots[3].y += 1e-6f;
  EXPECT_NE(clip_hash(a), clip_hash(b));
}

}  // namespace
}  // namespace loom::library
