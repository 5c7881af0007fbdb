// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/library/label_table.h>

#include "tests/temporary_folder.h"

namespace loom::library {
namespace {

using motion::Label;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<LabelRow> rows_of(std::string_view text) { return parse_label_table(text, "labels.csv").value().rows; }

std::string problem_of(std::string_view text) {
  const auto table = parse_label_table(text, "labels.csv");
  return table ? "none" : table.error().to_string();
}

TEST(LabelTable, ReadsRangesAndWholeClips) {
  EXPECT_THAT(rows_of("file,label,from,to\na.bvh,walk,,\nb.bvh,turn,3,20\nc.bvh,end,7,\n"),
              ElementsAre(LabelRow{"a.bvh", "walk", {}, {}, 2}, LabelRow{"b.bvh", "turn", 3, 20, 3},
                          LabelRow{"c.bvh", "end", 7, {}, 4}));
}

TEST(LabelTable, UnderstandsWhatSpreadsheetsWrite) {
  const std::vector<LabelRow> plain = {{"a, b.bvh", "say \"hi\"", 1, 2, 2}, {"dir/c.bvh", "walk", {}, {}, 3}};
  EXPECT_EQ(rows_of("\xEF\xBB\xBF"
                    "file,label,from,to\r\n\"a, b.bvh\",\"say \"\"hi\"\"\",1,2\r\ndir\\c.bvh,walk,,\r\n"),
            plain);
  EXPECT_EQ(rows_of("file;label;from;to\n\"a, b.bvh\";\"say \"\"hi\"\"\";1;2\n./dir/c.bvh;walk;;"), plain);
  EXPECT_EQ(rows_of("file\tlabel\tfrom\tto\ra, b.bvh\t\"say \"\"hi\"\"\"\t1\t2\rdir/c.bvh\twalk\r"), plain);
}

TEST(LabelTable, ColumnsMayComeInAnyOrderAndMore) {
  EXPECT_THAT(rows_of("Label , speaker,FILE\nwalk,me,a.bvh\n\n"), ElementsAre(LabelRow{"a.bvh", "walk", {}, {}, 2}));
}

TEST(LabelTable, ErrorsNameTheLine) {
  EXPECT_THAT(problem_of(""), HasSubstr("labels.csv:1: the first line must name the columns"));
  EXPECT_THAT(problem_of("a.bvh,walk\n"), HasSubstr("labels.csv:1:"));
  EXPECT_THAT(problem_of("file,label,from,to\na.bvh,walk,,\nb.bvh,walk,x,9\n"),
              HasSubstr("labels.csv:3: expected a frame number or nothing, found 'x'"));
  EXPECT_THAT(problem_of("file,label,from,to\na.bvh,walk,-1,9\n"), HasSubstr("labels.csv:2:"));
  EXPECT_THAT(problem_of("file,label,from,to\na.bvh,walk,1.5,9\n"), HasSubstr("'1.5'"));
  EXPECT_THAT(problem_of("file,label,from,to\na.bvh,walk,1,99999999999999999999999\n"), HasSubstr("labels.csv:2:"));
  EXPECT_THAT(problem_of("file,label,from,to\na.bvh,walk,9,9\n"), HasSubstr("empty"));
  EXPECT_THAT(problem_of("file,label,from,to\n,walk,,\n"), HasSubstr("'file' is empty"));
  EXPECT_THAT(problem_of("file,label,from,to\na.bvh,,,\n"), HasSubstr("'label' is empty"));
  EXPECT_THAT(problem_of("file,label\n\"a\nb\",x\n\"c,x\n"), HasSubstr("labels.csv:4: a quote is never closed"));
}

TEST(LabelTable, AFileThatIsNotThereIsAnError) {
  const testing::TemporaryFolder folder;
  EXPECT_FALSE(read_label_table(folder.file("none.csv")));
  EXPECT_FALSE(read_label_table(folder.path().string()));
}

LabelMatches match(std::vector<std::string> files, const std::vector<std::string>& motions) {
  LabelTable table;
  for (std::string& file : files) table.rows.push_back({std::move(file), "x", {}, {}, 0});
  return match_labels(table, motions);
}

TEST(MatchLabels, ByTheEndOfThePath) {
  const auto matches = match({"native/01.bvh", "cmu/01.bvh"}, {"/data/cmu/01.bvh", "/data/native/01.bvh"});
  EXPECT_THAT(matches.rows, ElementsAre(ElementsAre(1), ElementsAre(0)));
  EXPECT_THAT(matches.unmatched, IsEmpty());
}

TEST(MatchLabels, NotByTheMiddleOfAName) { EXPECT_THAT(match({"1.bvh"}, {"/data/01.bvh"}).unmatched, ElementsAre(0)); }

TEST(MatchLabels, ABareNameNamesAllFilesOfThatName) {
  EXPECT_THAT(match({"01", "01.bvh"}, {"a/01.bvh", "b/01.bvh", "b/01.amc"}).rows,
              ElementsAre(ElementsAre(0, 1), ElementsAre(0, 1), ElementsAre(0)));
}

TEST(MatchLabels, UnderAnotherFolderOnlyWhereThatIsClear) {
  EXPECT_THAT(match({"cmu/01.bvh"}, {"/moved/01.bvh", "/moved/02.bvh"}).rows, ElementsAre(ElementsAre(0), IsEmpty()));
  EXPECT_THAT(match({"cmu/01.bvh"}, {"/a/01.bvh", "/b/01.bvh"}).unmatched, ElementsAre(0));
}

TEST(LabelOf, FollowsADroppedFrameAndAnotherRate) {
  const LabelRow row{"a", "turn", 41, 81, 0};
  // 120 Hz, T-pose dropped: frame 41 of the file is frame 40 of the clip, frame 10 at 30 Hz.
  EXPECT_EQ(label_of(row, 1, 120, 100, 120), (Label{"turn", 40, 80}));
  EXPECT_EQ(label_of(row, 1, 120, 25, 30), (Label{"turn", 10, 20}));
  EXPECT_EQ(label_of(row, 0, 0, 100, 30), (Label{"turn", 41, 81}));
}

TEST(LabelOf, IsCutToTheClipOrNothing) {
  EXPECT_EQ(label_of({"a", "x", 5, 1000, 0}, 0, 30, 50, 30), (Label{"x", 5, 50}));
  EXPECT_EQ(label_of({"a", "x", {}, {}, 0}, 1, 30, 50, 30), (Label{"x", 0, 50}));
  EXPECT_EQ(label_of({"a", "x", 50, {}, 0}, 0, 30, 50, 30), std::nullopt);
  EXPECT_EQ(label_of({"a", "x", {}, 1, 0}, 1, 30, 50, 30), std::nullopt);
  EXPECT_EQ(label_of({"a", "x", 3, 4, 0}, 0, 120, 50, 30), (Label{"x", 1, 2}));  // never empty
}

}  // namespace
}  // namespace loom::library
