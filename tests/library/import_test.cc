// SPDX-License-Identifier: MIT
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/base/parallel.h>
#include <loom/io/bvh_write.h>
#include <loom/library/import.h>
#include <loom/library/import_labels.h>

#include "tests/make_clip.h"
#include "tests/make_walk.h"
#include "tests/shared_data.h"
#include "tests/temporary_folder.h"

namespace loom::library {
namespace {

using motion::Clip;
using motion::Label;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using testing::TemporaryFolder;

/// The small person's walk on a body `scale` times as large.
Clip walk_of(float scale, double speed = 1.2) {
  testing::Gait gait;
  gait.seconds = 1;
  gait.speed = speed;
  Clip clip = testing::make_gait(gait).clip;
  clip.skeleton = std::make_shared<motion::Skeleton>(clip.skeleton->scaled(scale));
  for (Vec3& root : clip.roots) root *= scale;
  return clip;
}

class ImportTest : public ::testing::Test {
 protected:
  std::string write(const std::string& name, const Clip& clip) {
    const std::filesystem::path path = folder_.path() / name;
    std::filesystem::create_directories(path.parent_path());
    EXPECT_TRUE(io::write_bvh(clip, path.string()));
    return path.string();
  }
  Library create() { return Library::open_or_create(folder_.file("test.loom")).value(); }
  static ImportOptions metres() {
    ImportOptions options;
    options.read.metres_per_unit = 0.01;  // what the writer writes by default: centimetres
    return options;
  }
  static ImportReport import(Library& library, const std::vector<std::string>& files,
                             const ImportOptions& options = metres()) {
    auto report = import_motions(library, files, options);
    EXPECT_TRUE(report) << report.error().to_string();
    return report.value_or(ImportReport{});
  }

  TemporaryFolder folder_;
};

TEST_F(ImportTest, OneBadFileDoesNotStopTheRest) {
  Library library = create();
  const std::vector<std::string> files = {write("a.bvh", walk_of(1)),
                                          folder_.write("bad.bvh", "HIERARCHY\nROOT Hips\n"), folder_.file("none.bvh"),
                                          write("c.bvh", walk_of(1, 0.8))};
  const ImportReport report = import(library, files);
  EXPECT_THAT(report.clips, ElementsAre("a", "c"));
  EXPECT_EQ(report.frames, 2 * walk_of(1).frames());
  ASSERT_THAT(report.failed, SizeIs(2));
  EXPECT_EQ(report.failed[0].file, files[1]);
  EXPECT_THAT(report.failed[0].text, HasSubstr("line"));
  EXPECT_EQ(report.failed[1].file, files[2]);
  EXPECT_TRUE(library.verify());
}

TEST_F(ImportTest, RemembersWhereClipsCameFrom) {
  Library library = create();
  ImportOptions options = metres();
  options.rate = 15;
  import(library, {write("in/a.bvh", walk_of(1))}, options);
  const Provenance from = library.provenance("a").value();
  EXPECT_EQ(from.source, "in/a.bvh");
  EXPECT_EQ(from.source_rate, 30);
  EXPECT_THAT(from.options, HasSubstr("\"rate\":15"));
  EXPECT_EQ(library.clip_info("a")->rate, 15);
}

TEST_F(ImportTest, TheSameFileAgainIsNoticed) {
  Library library = create();
  const std::string file = write("a.bvh", walk_of(1)), copy = folder_.file("copy.bvh");
  import(library, {file});
  std::filesystem::copy_file(file, copy);
  const ImportReport again = import(library, {file, copy});
  EXPECT_THAT(again.clips, IsEmpty());
  EXPECT_THAT(again.failed, IsEmpty());
  ASSERT_THAT(again.skipped, SizeIs(2));
  for (const FileNote& skipped : again.skipped) EXPECT_EQ(skipped.text, "is in the library as 'a'");
  EXPECT_THAT(again.copies, IsEmpty());
}

TEST_F(ImportTest, CopiesWithinOneImportAreToldAsThat) {
  Library library = create();
  const std::string file = write("a.bvh", walk_of(1)), copy = folder_.file("copy.bvh");
  std::filesystem::copy_file(file, copy);
  const ImportReport report = import(library, {file, copy});
  EXPECT_THAT(report.clips, ElementsAre("a"));
  EXPECT_THAT(report.skipped, IsEmpty());
  EXPECT_THAT(report.copies, ElementsAre(FileNote{copy, "has the same content as " + file}));
}

TEST_F(ImportTest, LabelsOfSkippedFilesGoToTheClipThatHasTheContent) {
  Library library = create();
  ImportOptions options = metres();
  options.rate = 15;
  const std::string file = write("a.bvh", walk_of(1)), copy = folder_.file("copy.bvh");
  std::filesystem::copy_file(file, copy);
  options.labels = parse_label_table("file,label,from,to\na,walk,,\ncopy,step,10,20\ncopy,walk,,\n", "l.csv").value();
  const ImportReport report = import(library, {file, copy}, options);
  const std::size_t frames = library.clip_info("a")->frames;
  EXPECT_THAT(library.clip_info("a")->labels, ElementsAre(Label{"walk", 0, frames}, Label{"step", 5, 10}));
  EXPECT_EQ(report.labels_passed_on, 1u);
  EXPECT_THAT(report.copies.at(0).text, HasSubstr("; 'a' gets its 1 label"));
  // Into a library that has it already they come as well.
  options.labels = parse_label_table("file,label,from,to\ncopy,late,20,\n", "l.csv").value();
  const ImportReport again = import(library, {copy}, options);
  EXPECT_EQ(again.labels_passed_on, 1u);
  EXPECT_THAT(again.skipped.at(0).text, HasSubstr("is in the library as 'a'; 'a' gets its 1 label"));
  EXPECT_THAT(library.clip_info("a")->labels, SizeIs(3));
}

/// The walk with an artificial pose, not at rest, before it.
Clip with_made_pose(Clip clip, std::size_t frames = 1) {
  std::vector<Quat> pose(clip.joints());
  for (std::size_t j = 0; j < pose.size(); ++j) pose[j] = axis_angle({0.2f, 0.3f, 1}, j % 2 == 0 ? 0.9f : -0.8f);
  for (std::size_t f = 0; f < frames; ++f) {
    clip.roots.insert(clip.roots.begin(), clip.roots.front());
    clip.rotations.insert(clip.rotations.begin(), pose.begin(), pose.end());
  }
  return clip;
}

TEST_F(ImportTest, AFirstPoseThatSistersShareIsDropped) {
  const Clip slow = walk_of(1, 0.9), quick = walk_of(1, 1.4);
  const std::vector<std::string> files = {write("p_1.bvh", with_made_pose(slow)),
                                          write("p_2.bvh", with_made_pose(quick, 3))};
  Library alone = Library::open_or_create(folder_.file("alone.loom")).value();
  import(alone, {files[0]});
  EXPECT_EQ(alone.clip_info("p_1")->frames, slow.frames() + 1);  // one take alone does not tell
  Library library = create();
  const ImportReport report = import(library, files);
  EXPECT_EQ(library.clip_info("p_1")->frames, slow.frames());
  EXPECT_EQ(library.clip_info("p_2")->frames, quick.frames());
  EXPECT_EQ(library.provenance("p_2")->first_frame, 3u);
  EXPECT_THAT(library.provenance("p_1")->notes, ::testing::Contains(HasSubstr("artificial T-pose and was dropped")));
  EXPECT_THAT(report.faults, IsEmpty());
}

TEST_F(ImportTest, TwoConversionsOfOneTakeDoNotMakeItsFirstFrameArtificial) {
  Clip clip = with_made_pose(walk_of(1));
  const std::string first = write("p_1.bvh", clip);
  clip.rotations.back() = axis_angle({1, 0, 0}, 0.1f) * clip.rotations.back();  // not the same file
  Library library = create();
  import(library, {first, write("p_2.bvh", clip)});
  EXPECT_EQ(library.clip_info("p_1")->frames, clip.frames());
}

TEST_F(ImportTest, AStretchOfTPoseInsideATakeIsLabelled) {
  testing::Gait gait;
  gait.seconds = 4;
  Clip clip = testing::make_gait(gait).clip;
  for (std::size_t f = 50; f < 70; ++f) std::fill(clip.pose(f).begin(), clip.pose(f).end(), Quat{});
  Library library = create();
  const ImportReport report = import(library, {write("a.bvh", clip)});
  ASSERT_THAT(report.faults, SizeIs(1));
  EXPECT_EQ(report.faults[0].kind, "t-pose");
  EXPECT_FALSE(report.faults[0].mended);
  EXPECT_THAT(report.faults[0].text, HasSubstr("It is labelled 't-pose'."));
  EXPECT_THAT(library.clip_info("a")->labels, ElementsAre(Label{"t-pose", 50, 70}));
}

/// Takes of one performer recorded at 60 Hz and stamped 120, of which some walk and the last says nothing.
std::vector<Clip> stamped_twice_too_high() {
  std::vector<Clip> takes;
  for (const double speed : {1.1, 1.2, 1.3, 0.0}) {
    testing::Gait gait;
    gait.rate = 60, gait.seconds = speed > 0 ? 8 : 1, gait.speed = speed;
    takes.push_back(testing::make_gait(gait).clip);
    takes.back().rate = 120;
  }
  return takes;
}

TEST_F(ImportTest, APerformersTakesTellTheirRateTogetherAndItIsMendedWhenAsked) {
  const std::vector<Clip> takes = stamped_twice_too_high();
  std::vector<std::string> files;
  for (const Clip& take : takes) files.push_back(write("p_" + std::to_string(files.size()) + ".bvh", take));
  Library library = create();
  const ImportReport told = import(library, files);
  ASSERT_THAT(told.faults, SizeIs(4));
  for (const ImportFault& fault : told.faults) {
    EXPECT_EQ(fault.kind, "frame-rate");
    EXPECT_EQ(fault.rate, 60);
    EXPECT_FALSE(fault.mended);
  }
  EXPECT_EQ(library.clip_info("p_3")->rate, 120);
  ImportOptions options = metres();
  options.mend_rate = options.replace = true;
  const ImportReport mended = import(library, files, options);
  EXPECT_THAT(mended.faults, SizeIs(4));
  EXPECT_TRUE(mended.faults.at(3).mended);
  EXPECT_EQ(library.clip_info("p_3")->rate, 60);
  EXPECT_EQ(library.clip_info("p_3")->frames, takes[3].frames());
  EXPECT_EQ(library.provenance("p_3")->source_rate, 60);
}

TEST_F(ImportTest, WhatIsInTheLibraryIsHeardAboutTheRate) {
  const std::vector<Clip> takes = stamped_twice_too_high();
  const std::string last = write("p_3.bvh", takes[3]);
  Library library = create();
  EXPECT_THAT(import(library, {last}).faults, IsEmpty());
  ImportOptions options = metres();
  options.rate = 30;  // resampled they tell it as well
  for (std::size_t i = 0; i < 3; ++i) import(library, {write("p_" + std::to_string(i) + ".bvh", takes[i])}, options);
  options.replace = true;
  const ImportReport report = import(library, {last}, options);
  ASSERT_THAT(report.faults, SizeIs(1));
  EXPECT_EQ(report.faults[0].rate, 60);
}

TEST_F(ImportTest, TheUserMaySayTheRateOfTheSource) {
  const std::vector<Clip> takes = stamped_twice_too_high();
  Library library = create();
  ImportOptions options = metres();
  options.read.source_rate = 60;
  const ImportReport report = import(library, {write("p_1.bvh", takes[1]), write("p_2.bvh", takes[2])}, options);
  EXPECT_THAT(report.faults, IsEmpty());
  EXPECT_EQ(library.clip_info("p_1")->rate, 60);
  EXPECT_THAT(library.provenance("p_1")->notes,
              ::testing::Contains("Taken as recorded at 60 Hz, as asked; the file says 120 Hz."));
}

TEST_F(ImportTest, SomeoneLyingDownHasTheirSistersUpAxis) {
  std::vector<std::string> files;
  const Quat to_z = axis_angle({1, 0, 0}, kPi / 2);
  const auto lying_or_standing = [&](bool lying) {
    Clip clip = walk_of(1);
    for (std::size_t f = 0; f < clip.frames(); ++f) {
      const Quat turn = lying ? Quat{} : to_z;  // the offsets draw the body along Y; the world has Z up
      clip.roots[f] = rotate(turn, clip.roots[f]);
      clip.pose(f)[0] = turn * clip.pose(f)[0];
    }
    return clip;
  };
  for (int i = 0; i < 4; ++i) {
    Clip clip = lying_or_standing(false);
    clip.roots[0].x += 0.001f * static_cast<float>(i);  // not copies
    files.push_back(write("stand_" + std::to_string(i) + ".bvh", clip));
  }
  files.push_back(write("lie_1.bvh", lying_or_standing(true)));
  Library library = create();
  import(library, files);
  EXPECT_THAT(library.provenance("lie_1")->notes,
              ::testing::Contains("Z is taken as up, as in the other files of this body."));
}

TEST_F(ImportTest, AChangedFileIsAFailureUnlessItReplaces) {
  Library library = create();
  const std::string file = write("a.bvh", walk_of(1));
  import(library, {file, write("b.bvh", walk_of(1, 0.5))});
  write("a.bvh", walk_of(1, 0.9));
  const std::string before = library.clip_info("a")->hash;
  const ImportReport refused = import(library, {file});
  ASSERT_THAT(refused.failed, SizeIs(1));
  EXPECT_THAT(refused.failed[0].text, HasSubstr("has changed since it was imported as 'a'"));
  EXPECT_EQ(library.clip_info("a")->hash, before);
  ImportOptions replace = metres();
  replace.replace = true;
  EXPECT_THAT(import(library, {file}, replace).clips, ElementsAre("a"));
  EXPECT_NE(library.clip_info("a")->hash, before);
  EXPECT_THAT(library.clips().value(), SizeIs(2));
}

TEST_F(ImportTest, OtherOptionsAreAFailureUnlessTheyReplace) {
  Library library = create();
  const std::string file = write("a.bvh", walk_of(1));
  import(library, {file});
  ImportOptions slower = metres();
  slower.rate = 15;
  EXPECT_THAT(import(library, {file}, slower).failed.at(0).text, HasSubstr("other options"));
  slower.replace = true;
  EXPECT_THAT(import(library, {file}, slower).clips, ElementsAre("a"));
  EXPECT_EQ(library.clip_info("a")->rate, 15);
}

TEST_F(ImportTest, AFileThatBreaksWhenReplacedLeavesTheOldClip) {
  Library library = create();
  const std::string file = write("a.bvh", walk_of(1));
  import(library, {file});
  folder_.write("a.bvh", "not a BVH file");
  ImportOptions replace = metres();
  replace.replace = true;
  EXPECT_THAT(import(library, {file}, replace).failed, SizeIs(1));
  EXPECT_TRUE(library.read_clip("a"));
}

TEST_F(ImportTest, NamesThatClashTakeTheirFolder) {
  Library library = create();
  const ImportReport report = import(library, {write("x/a.bvh", walk_of(1)), write("y/a.bvh", walk_of(1, 0.8))});
  EXPECT_THAT(report.clips, ElementsAre("a", "y-a"));
  ASSERT_THAT(report.notes, SizeIs(1));
  EXPECT_EQ(report.notes[0].text, "is called 'y-a', since 'a' is taken");
}

TEST_F(ImportTest, PerformersAreFittedToTheFirstBody) {
  Library library = create();
  const ImportReport report = import(library, {write("small.bvh", walk_of(1)), write("tall.bvh", walk_of(1.2f, 0.8))});
  EXPECT_EQ(report.fitted, 1u);
  ASSERT_THAT(library.skeletons().value(), SizeIs(1));
  EXPECT_THAT(library.provenance("tall")->notes.at(0), HasSubstr("Fitted"));
  // Later imports are fitted to the library's body as well.
  EXPECT_EQ(import(library, {write("tiny.bvh", walk_of(0.8f, 1.0))}).fitted, 1u);
  EXPECT_THAT(library.skeletons().value(), SizeIs(1));
}

TEST_F(ImportTest, PerformersAreKeptApartWhenAsked) {
  Library library = create();
  ImportOptions options = metres();
  options.keep_apart = true;
  const ImportReport report =
      import(library, {write("small.bvh", walk_of(1)), write("tall.bvh", walk_of(1.2f, 0.8))}, options);
  EXPECT_EQ(report.fitted, 0u);
  EXPECT_THAT(library.skeletons().value(), SizeIs(2));
}

TEST_F(ImportTest, AnotherPerformersBodyMayBeChosen) {
  const std::vector<std::string> files = {write("01_01.bvh", walk_of(1)), write("02_01.bvh", walk_of(1.2f, 0.8))};
  const auto height = [](const Library& library) { return library.skeletons()->at(0).skeleton->joint(1).offset.y; };
  for (const std::string body : {"02", "02_01", files[1].c_str()}) {
    std::filesystem::remove(folder_.file("test.loom"));
    Library library = create();
    ImportOptions options = metres();
    options.body = body;
    import(library, files, options);
    ASSERT_THAT(library.skeletons().value(), SizeIs(1));
    EXPECT_NEAR(height(library), 1.2f * 0.12f, 1e-4f) << body;
  }
  Library library = create();
  ImportOptions options = metres();
  options.body = "09";
  EXPECT_THAT(import_motions(library, files, options).error().message, HasSubstr("performer '09'"));
}

TEST_F(ImportTest, WhatCannotBeFittedIsKeptApartAndNamed) {
  Library library = create();
  Clip other = testing::random_clip(testing::random_skeleton(5, 1), 10, 30, 1);
  const ImportReport report = import(library, {write("person.bvh", walk_of(1)), write("other.bvh", other)});
  EXPECT_THAT(report.clips, SizeIs(2));
  ASSERT_THAT(report.notes, SizeIs(1));
  EXPECT_THAT(report.notes[0].text,
              HasSubstr("keeps a body of its own: compared with that of 'person', joint 'Hips' is missing"));
  EXPECT_THAT(library.skeletons().value(), SizeIs(2));
}

TEST_F(ImportTest, LabelsComeWithTheFiles) {
  Library library = create();
  ImportOptions options = metres();
  options.rate = 15;
  options.labels =
      parse_label_table("file,label,from,to\nx/a.bvh,walk,,\nx/a.bvh,step,10,20\nb.bvh,none,,\nc.bvh,none,,\n", "l.csv")
          .value();
  const ImportReport report = import(library, {write("x/a.bvh", walk_of(1))}, options);
  const auto info = library.clip_info("a").value();
  EXPECT_THAT(info.labels, ElementsAre(Label{"walk", 0, info.frames}, Label{"step", 5, 10}));
  ASSERT_THAT(report.warnings, SizeIs(1));
  EXPECT_EQ(report.warnings[0], (FileNote{"l.csv:4", "no file is called 'b.bvh', and 1 more rows find none"}));
}

TEST_F(ImportTest, LabelsMayComeLaterAndCountFramesAlike) {
  Library library = create();
  ImportOptions options = metres();
  options.rate = 15;
  import(library, {write("x/a.bvh", walk_of(1)), write("x/b.bvh", walk_of(1, 0.8))}, options);
  const auto table =
      parse_label_table("file,label,from,to\nx/a.bvh,step,10,20\nb,walk,,\nc,walk,,\na,late,900,\n", "l.csv").value();
  const LabelReport report = import_labels(library, table).value();
  EXPECT_EQ(report.added, 2u);
  EXPECT_THAT(library.clip_info("a")->labels, ElementsAre(Label{"step", 5, 10}));
  EXPECT_THAT(library.clip_info("b")->labels, SizeIs(1));
  ASSERT_THAT(report.warnings, SizeIs(2));
  EXPECT_EQ(report.warnings[0], (FileNote{"l.csv:4", "no clip is called 'c'"}));
  EXPECT_EQ(report.warnings[1], (FileNote{"l.csv:5", "lies outside clip 'a'"}));
  EXPECT_EQ(import_labels(library, table)->added, 0u);
}

TEST_F(ImportTest, FaultsAreToldAndMendedAndLabelsStayInPlace) {
  Clip clip = walk_of(1);
  const std::size_t frames = clip.frames();
  clip.roots[0].x += 3;  // two stray frames before the body is where it is
  clip.roots[1].x += 3;
  const std::string file = write("a.bvh", clip);
  Library library = create();
  ImportOptions options = metres();
  options.labels = parse_label_table("file,label,from,to\na,before,10,20\n", "l.csv").value();
  const ImportReport report = import(library, {file}, options);
  ASSERT_THAT(report.faults, SizeIs(1));
  EXPECT_EQ(report.faults[0].kind, "teleport");
  EXPECT_TRUE(report.faults[0].mended);
  ASSERT_TRUE(import_labels(library, parse_label_table("file,label,from,to\na,after,10,20\n", "l.csv").value()));
  EXPECT_EQ(library.clip_info("a")->frames, frames - 2);
  EXPECT_EQ(library.provenance("a")->first_frame, 2u);
  EXPECT_THAT(library.clip_info("a")->labels, ElementsAre(Label{"before", 8, 18}, Label{"after", 8, 18}));
  EXPECT_THAT(library.provenance("a")->warnings.at(0), HasSubstr("Mended: The root jumps"));
}

TEST_F(ImportTest, FaultsStayWhenAsked) {
  Clip clip = walk_of(1);
  clip.roots[0].x += 3;
  Library library = create();
  ImportOptions options = metres();
  options.keep_faults = true;
  const ImportReport report = import(library, {write("a.bvh", clip)}, options);
  ASSERT_THAT(report.faults, SizeIs(1));
  EXPECT_FALSE(report.faults[0].mended);
  EXPECT_EQ(library.clip_info("a")->frames, clip.frames());
}

TEST_F(ImportTest, StoppedItLeavesTheLibraryAsItWas) {
  Library library = create();
  import(library, {write("first.bvh", walk_of(1))});
  std::vector<std::string> files;
  for (int i = 0; i < 20; ++i) files.push_back(write(std::to_string(i) + ".bvh", walk_of(1, 0.5 + 0.02 * i)));
  int reports = 0;
  const Progress progress([&](double, std::string_view) { return ++reports < 10; });
  const auto stopped = import_motions(library, files, metres(), progress);
  ASSERT_FALSE(stopped);
  EXPECT_THAT(stopped.error().message, HasSubstr("stopped"));
  EXPECT_EQ(stopped.error().kind, ErrorKind::kStopped);
  EXPECT_EQ(reports, 10);
  EXPECT_THAT(library.clips().value(), SizeIs(1));
}

TEST_F(ImportTest, TheNumberOfThreadsChangesNothing) {
  std::vector<std::string> files;
  for (int i = 0; i < 30; ++i) {
    files.push_back(write(std::to_string(i % 3) + "/" + std::to_string(i % 7) + ".bvh",
                          walk_of(1 + 0.01f * static_cast<float>(i), 0.5 + 0.03 * i)));
  }
  files.push_back(folder_.write("bad.bvh", "x"));
  std::vector<std::string> outcomes;
  for (const std::size_t threads : {1, 2, 5}) {
    const ThreadLimit limit(threads);
    Library library = Library::open_or_create(folder_.file(std::to_string(threads) + ".loom")).value();
    const ImportReport report = import(library, files);
    std::string outcome;
    const auto clips = library.clips().value();
    for (const ClipInfo& clip : clips) outcome += clip.name + " " + clip.hash + "\n";
    for (const auto* list : {&report.failed, &report.skipped, &report.copies, &report.warnings, &report.notes}) {
      for (const FileNote& note : *list) outcome += note.file + ": " + note.text + "\n";
    }
    outcomes.push_back(outcome);
  }
  EXPECT_EQ(outcomes[0], outcomes[1]);
  EXPECT_EQ(outcomes[0], outcomes[2]);
}

TEST(FindMotionFiles, SearchesFoldersInOrderAndPassesOverTheRest) {
  const TemporaryFolder folder;
  for (const char* name : {"b/2.bvh", "b/1.BVH", "a/x.amc", "a/x.asf", "notes.txt", ".hidden/3.bvh", "b/._1.bvh"}) {
    folder.write(name, "");
  }
  const std::vector<std::string> paths = {folder.path().string(), folder.file("b/2.bvh"), folder.file("none")};
  const MotionFiles found = find_motion_files(paths);
  EXPECT_THAT(found.files, ElementsAre(folder.file("a/x.amc"), folder.file("b/1.BVH"), folder.file("b/2.bvh")));
  EXPECT_THAT(found.failed, ElementsAre(FileNote{folder.file("none"), "there is no such file or folder"}));
}

TEST(FindMotionFiles, AnEmptyFolderIsTold) {
  const TemporaryFolder folder;
  const MotionFiles found = find_motion_files(std::vector{folder.path().string()});
  EXPECT_THAT(found.files, IsEmpty());
  EXPECT_THAT(found.failed.at(0).text, HasSubstr("no motion files"));
}

/// Every kind of file there is, on one body where that is possible.
TEST(ImportRealCapture, TakesEveryFileOfASampleOfFoldersButTheBroken) {
  LOOM_REQUIRE_MOCAP();
  const TemporaryFolder folder;
  std::vector<std::string> paths;
  for (const char* name : {"native", "asfamc", "formats"}) paths.push_back((testing::mocap_folder() / name).string());
  const MotionFiles found = find_motion_files(paths);
  EXPECT_THAT(found.failed, IsEmpty());
  Library library = Library::open_or_create(folder.file("all.loom")).value();
  ImportOptions options;
  options.rate = 30;
  const ImportReport report = import_motions(library, found.files, options).value();
  for (const FileNote& failure : report.failed) {
    const std::string name = std::filesystem::path(failure.file).filename().string();
    EXPECT_TRUE(name.starts_with("bad_") || name == "ok_zero_frames.bvh") << failure.file << ": " << failure.text;
  }
  EXPECT_GT(report.clips.size(), 35u);
  EXPECT_GT(report.fitted, 10u);
  EXPECT_TRUE(library.verify());
}

}  // namespace
}  // namespace loom::library
