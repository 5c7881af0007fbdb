// SPDX-License-Identifier: MIT
#include <cmath>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/io/bvh.h>
#include <loom/motion/kinematics.h>

#include "tests/naive_bvh.h"

namespace loom::io {
namespace {

using ::testing::HasSubstr;

/// A small file whose parts the tests change. The root is on line 2, the first row on line 28.
struct SmallBvh {
  std::string root_channels = "6 Xposition Yposition Zposition Zrotation Yrotation Xrotation";
  std::string spine_name = "Spine";
  std::string spine_offset = "0 20 0";
  std::string spine_channels = "3 Zrotation Yrotation Xrotation";
  std::string frames = "Frames: 3";
  std::string frame_time = "Frame Time: 0.0083333";
  std::string rows =
      "0 90 0 0 0 0 1 2 3 4 5 6\n"
      "1 90 2 0 10 0 1 2 3 4 5 6\n"
      "2 90 4 0 20 0 1 2 3 4 5 6\n";

  [[nodiscard]] std::string text() const {
    return "HIERARCHY\nROOT Hips\n{\n\tOFFSET 0 90 0\n\tCHANNELS " + root_channels + "\n\tJOINT " + spine_name +
           "\n\t{\n\t\tOFFSET " + spine_offset + "\n\t\tCHANNELS " + spine_channels +
           "\n\t\tEnd Site\n\t\t{\n\t\t\tOFFSET 0 30 0\n\t\t}\n\t}\n\tJOINT LeftLeg\n\t{\n\t\tOFFSET 10 0 "
           "0\n\t\tCHANNELS 3 "
           "Zrotation Yrotation Xrotation\n\t\tEnd Site\n\t\t{\n\t\t\tOFFSET 0 -90 0\n\t\t}\n\t}\n}\nMOTION\n" +
           frames + "\n" + frame_time + "\n" + rows;
  }
};

RawMotion read_well(const std::string& text, RootOffset root_offset = RootOffset::kAuto) {
  ReadOptions options;
  options.root_offset = root_offset;
  Result<RawMotion> motion = read_bvh(text, "folder/test.bvh", options);
  EXPECT_TRUE(motion) << motion.error().to_string();
  return motion ? std::move(*motion) : RawMotion{};
}

Error read_badly(const std::string& text) {
  const Result<RawMotion> motion = read_bvh(text, "test.bvh");
  EXPECT_FALSE(motion);
  return motion ? Error{} : motion.error();
}

std::string with_replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

/// Where everything is in frame `f`, joints then end sites, from the raw motion itself.
std::vector<Vec3> evaluate(const RawMotion& motion, std::size_t f) {
  std::vector<Vec3> points(motion.joints.size());
  std::vector<Quat> world(motion.joints.size());
  for (std::size_t j = 0; j < motion.joints.size(); ++j) {
    Vec3 place = motion.joints[j].offset;
    for (std::size_t m = 0; m < motion.moving.size(); ++m) {
      if (motion.moving[m] == static_cast<int>(j)) place = motion.translations[f * motion.moving.size() + m];
    }
    world[j] = motion.rotations[f * motion.joints.size() + j];
    if (j > 0) {
      const auto parent = static_cast<std::size_t>(motion.joints[j].parent);
      place = points[parent] + rotate(world[parent], place);
      world[j] = world[parent] * world[j];
    }
    points[j] = place;
  }
  for (const motion::EndSite& site : motion.end_sites) {
    const auto joint = static_cast<std::size_t>(site.joint);
    points.push_back(points[joint] + rotate(world[joint], site.offset));
  }
  return points;
}

void expect_near(Vec3 point, const testing::NaiveBvh::Point& oracle, double tolerance) {
  EXPECT_NEAR(point.x, oracle[0], tolerance);
  EXPECT_NEAR(point.y, oracle[1], tolerance);
  EXPECT_NEAR(point.z, oracle[2], tolerance);
}

TEST(BvhReader, AgreesWithTheNaiveEvaluatorOnRandomFiles) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    testing::RandomBvh options;
    options.joints = 1 + seed % 40;
    options.frames = 1 + seed % 37;
    options.inner_positions_vary = seed % 2 == 0;
    const std::string text = testing::random_bvh(options, seed);
    const testing::NaiveBvh oracle = testing::evaluate_naively(text);
    const RawMotion motion = read_well(text, RootOffset::kReplace);
    ASSERT_EQ(motion.frames, oracle.points.size()) << text;
    ASSERT_EQ(motion.joints.size(), oracle.names.size());
    for (std::size_t f = 0; f < motion.frames; ++f) {
      const std::vector<Vec3> points = evaluate(motion, f);
      ASSERT_EQ(points.size(), oracle.points[f].size());
      for (std::size_t p = 0; p < points.size(); ++p) expect_near(points[p], oracle.points[f][p], 1e-3);
    }
    if (HasFailure()) FAIL() << "seed " << seed << "\n" << text;
  }
}

TEST(BvhReader, ClipsOfRandomFilesAgreeWithTheNaiveEvaluator) {
  for (std::uint64_t seed = 1000; seed < 1100; ++seed) {
    const std::string text = testing::random_bvh({1 + seed % 40, 3 + seed % 7, true, false, true}, seed);
    const testing::NaiveBvh oracle = testing::evaluate_naively(text);
    ReadOptions options;
    options.metres_per_unit = 1;
    options.up_axis = 1;
    const Result<ReadClip> read = normalise(read_well(text, RootOffset::kReplace), options);
    ASSERT_TRUE(read) << read.error().to_string();
    const motion::WorldPoses poses = motion::forward_kinematics(read->clip);
    for (std::size_t f = 0; f < poses.frames; ++f) {
      for (std::size_t p = 0; p < poses.points; ++p) expect_near(poses.position(f, p), oracle.points[f][p], 2e-3);
    }
    if (HasFailure()) FAIL() << "seed " << seed << "\n" << text;
  }
}

TEST(BvhReader, ReadsTheSkeletonAsWritten) {
  const RawMotion motion = read_well(SmallBvh().text());
  EXPECT_EQ(motion.name, "test");
  ASSERT_EQ(motion.joints.size(), 3u);
  EXPECT_EQ(motion.joints[1].name, "Spine");
  EXPECT_EQ(motion.joints[1].parent, 0);
  EXPECT_EQ(motion.joints[2].offset, (Vec3{10, 0, 0}));
  ASSERT_EQ(motion.end_sites.size(), 2u);
  EXPECT_EQ(motion.end_sites[1], (motion::EndSite{2, {0, -90, 0}}));
  EXPECT_EQ(motion.frames, 3u);
  EXPECT_EQ(motion.rate, 120);
  EXPECT_TRUE(motion.warnings.empty());
}

TEST(BvhReader, TurnsComeInTheOrderOfTheChannels) {
  SmallBvh file;
  file.spine_channels = "2 Xrotation Zrotation";
  file.frames = "Frames: 1";
  file.rows = "0 90 0 0 0 0 90 90 0 0 0\n";
  // First about its own Z, then about X: the end site at +Y goes to -X, where X turns nothing.
  EXPECT_NEAR(distance(evaluate(read_well(file.text()), 0)[3], {-30, 110, 0}), 0, 1e-4);
  file.spine_channels = "2 Zrotation Xrotation";
  // First about X: +Y goes to +Z, where Z turns nothing.
  EXPECT_NEAR(distance(evaluate(read_well(file.text()), 0)[3], {0, 110, 30}), 0, 1e-4);
}

TEST(BvhReader, PositionChannelsReplaceTheOffset) {
  EXPECT_EQ(evaluate(read_well(SmallBvh().text()), 1)[0], (Vec3{1, 90, 2}));
}

TEST(BvhReader, MissingPositionAxesKeepTheOffset) {
  SmallBvh file;
  file.root_channels = "5 Xposition Zposition Zrotation Yrotation Xrotation";
  file.frames = "Frames: 1";
  file.rows = "7 8 0 0 0 0 0 0 0 0 0\n";
  EXPECT_EQ(evaluate(read_well(file.text()), 0)[0], (Vec3{7, 90, 8}));
}

/// A person whose hips are 90 units above the soles, standing along Y or Z, with two rows of positions of the hips.
std::string person_text(const std::string& offset, const std::string& first, const std::string& second,
                        bool z_up = false, const std::string& above = "") {
  const auto along = [&](double up) { return z_up ? fmt::format("0 0 {}", up) : fmt::format("0 {} 0", up); };
  const auto joint = [&](const std::string& name, const std::string& place, const std::string& below) {
    return fmt::format("JOINT {} {{ OFFSET {} CHANNELS 3 Zrotation Yrotation Xrotation {} }}\n", name, place, below);
  };
  const auto leg = [&](const std::string& side, const std::string& hip) {
    return joint(
        side + "UpLeg", hip,
        joint(side + "Leg", along(-45), joint(side + "Foot", along(-40), "End Site { OFFSET " + along(-5) + " }")));
  };
  const std::string body =
      joint("Spine", along(40), joint("Head", along(25), "End Site { OFFSET " + along(15) + " }")) +
      leg("Left", "10 0 0") + leg("Right", "-10 0 0");
  const std::string turns = " 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n",
                    zeros = above.empty() ? "" : "0 0 0 ";
  return "HIERARCHY\n" + above + (above.empty() ? "ROOT" : "JOINT") + " Hips\n{\nOFFSET " + offset +
         "\nCHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation\n" + body + "}\n" +
         (above.empty() ? "" : "}\n") + "MOTION\nFrames: 2\nFrame Time: 0.01\n" + zeros + first + turns + zeros +
         second + turns;
}

TEST(BvhRootOffset, PositionsReplaceAnOffsetThatWouldHangTheBodyInTheAir) {
  const RawMotion motion = read_well(person_text("400 90 0", "30 91 20", "35 89 20"));
  EXPECT_EQ(evaluate(motion, 0)[0], (Vec3{30, 91, 20}));
  EXPECT_EQ(evaluate(motion, 1)[0], (Vec3{35, 89, 20}));
  EXPECT_THAT(motion.notes, ::testing::ElementsAre(HasSubstr("'Hips' replace its OFFSET in X and Y")));
}

TEST(BvhRootOffset, PositionsAreAddedWhereOnlyThatStandsOnTheFloor) {
  const RawMotion motion = read_well(person_text("400 90 -300", "-20 1 15", "300 -1 15"));
  EXPECT_EQ(evaluate(motion, 0)[0], (Vec3{380, 91, -285}));
  EXPECT_EQ(evaluate(motion, 1)[0], (Vec3{700, 89, -285}));
  EXPECT_THAT(motion.notes, ::testing::ElementsAre(HasSubstr("'Hips' are added to its OFFSET in X and Y and Z")));
}

TEST(BvhRootOffset, EachAxisIsReadForItself) {
  const RawMotion motion = read_well(person_text("400 90 -300", "395 1 5", "300 -1 15"));
  EXPECT_EQ(evaluate(motion, 0)[0], (Vec3{395, 91, -295}));
  EXPECT_THAT(motion.notes,
              ::testing::ElementsAre(HasSubstr("'Hips' are added to its OFFSET in Y and Z and replace it in X")));
}

TEST(BvhRootOffset, WithoutAHeightInOffsetTheOthersAreReadAsTheHeightIs) {
  EXPECT_EQ(evaluate(read_well(person_text("400 0 0", "30 91 20", "35 89 20")), 0)[0], (Vec3{30, 91, 20}));
  EXPECT_EQ(evaluate(read_well(person_text("400 0 0", "30 1 20", "35 2 20")), 0)[0], (Vec3{430, 1, 20}));
}

TEST(BvhRootOffset, AnOffsetThatIsNoHeightOfHipsDoesNotPullTheBodyDown) {
  EXPECT_EQ(evaluate(read_well(person_text("0 -22 0", "0 106 0", "0 107 0")), 0)[0], (Vec3{0, 106, 0}));
  EXPECT_EQ(evaluate(read_well(person_text("0 22 0", "0 70 0", "0 71 0")), 0)[0], (Vec3{0, 70, 0}));
}

TEST(BvhRootOffset, TheFloorLiesAcrossTheAxisTheBodyStandsAlong) {
  EXPECT_EQ(evaluate(read_well(person_text("0 400 90", "5 30 91", "5 30 91", true)), 0)[0], (Vec3{5, 30, 91}));
  EXPECT_EQ(evaluate(read_well(person_text("0 400 90", "5 30 -1", "5 30 1", true)), 0)[0], (Vec3{5, 430, 89}));
}

TEST(BvhRootOffset, HipsUnderAFixedReferenceAreReadAlike) {
  const std::string reference = "ROOT Reference\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Yrotation Xrotation\n";
  EXPECT_EQ(evaluate(read_well(person_text("400 90 0", "30 91 20", "30 91 20", false, reference)), 0)[1],
            (Vec3{30, 91, 20}));
  EXPECT_EQ(evaluate(read_well(person_text("0 90 0", "3 1 2", "3 1 2", false, reference)), 0)[1], (Vec3{3, 91, 2}));
}

TEST(BvhRootOffset, IsReadAsAsked) {
  const std::string full = person_text("400 90 0", "30 91 20", "35 89 20");
  EXPECT_EQ(evaluate(read_well(full, RootOffset::kAdd), 0)[0], (Vec3{430, 181, 20}));
  const std::string added = person_text("400 90 0", "3 1 20", "5 -1 20");
  EXPECT_EQ(evaluate(read_well(added, RootOffset::kReplace), 0)[0], (Vec3{3, 1, 20}));
  EXPECT_TRUE(read_well(added, RootOffset::kReplace).notes.empty());
}

TEST(BvhRootOffset, NothingIsToldWhereItMakesNoDifference) {
  EXPECT_TRUE(read_well(person_text("0 0 0", "30 91 20", "35 89 20")).notes.empty());
}

TEST(BvhRootOffset, ABodyThatIsNotRecognisedIsReadAlike) {
  SmallBvh file;
  file.rows = "0 0 0 0 0 0 1 2 3 4 5 6\n1 0 2 0 10 0 1 2 3 4 5 6\n2 0 4 0 20 0 1 2 3 4 5 6\n";
  const RawMotion motion = read_well(file.text());
  EXPECT_EQ(evaluate(motion, 1)[0], (Vec3{1, 90, 2}));
  EXPECT_THAT(motion.notes, ::testing::ElementsAre(HasSubstr("'Hips'")));
}

TEST(BvhReader, SmallInnerPositionsAreAddedToTheOffset) {
  SmallBvh file;
  file.spine_channels = "6 Xposition Yposition Zposition Zrotation Yrotation Xrotation";
  file.frames = "Frames: 2";
  file.rows = "0 90 0 0 0 0 0 0.5 0 0 0 0 0 0 0\n0 90 0 0 0 0 0 0 0.5 0 0 0 0 0 0\n";
  const RawMotion motion = read_well(file.text());
  EXPECT_EQ(evaluate(motion, 0)[1], (Vec3{0, 110.5f, 0}));
  ASSERT_EQ(motion.warnings.size(), 1u);
  EXPECT_THAT(motion.warnings[0], HasSubstr("'Spine'"));

  file.rows = "0 90 0 0 0 0 0 20 0 0 0 0 0 0 0\n0 90 0 0 0 0 0 21 0 0 0 0 0 0 0\n";
  EXPECT_EQ(evaluate(read_well(file.text()), 1)[1], (Vec3{0, 111, 0}));
}

TEST(BvhReader, TakesAHierarchyOnOneLine) {
  const RawMotion reference = read_well(SmallBvh().text());
  const std::string text = SmallBvh().text();
  const std::size_t motion = text.find("MOTION");
  const std::string one_line = with_replaced(text.substr(0, motion), "\n", " ");
  for (const std::string& whole :
       {one_line + "\n" + text.substr(motion), one_line + text.substr(motion),
        one_line + with_replaced(text.substr(motion), "\nFrame", " Frame"),
        with_replaced(one_line, "\t", "") + "MOTION Frames: 3\nFrame Time: 0.0083333\n" + SmallBvh().rows}) {
    const RawMotion read = read_well(whole);
    ASSERT_EQ(read.joints.size(), reference.joints.size()) << whole;
    EXPECT_EQ(read.rotations, reference.rotations);
    EXPECT_EQ(read.translations, reference.translations);
    EXPECT_EQ(read.end_sites, reference.end_sites);
    EXPECT_EQ(read.rate, reference.rate);
  }
}

TEST(BvhReader, TakesEveryKindOfLineEnd) {
  const RawMotion reference = read_well(SmallBvh().text());
  for (const char* line_end : {"\r\n", "\r", "\n\n", " \t\r\n", "\r\n\r\n"}) {
    const RawMotion motion = read_well(with_replaced(SmallBvh().text(), "\n", line_end));
    EXPECT_EQ(motion.rotations, reference.rotations);
    EXPECT_EQ(motion.translations, reference.translations);
  }
  std::string without_last = SmallBvh().text();
  without_last.pop_back();
  EXPECT_EQ(read_well(without_last).rotations, reference.rotations);
}

TEST(BvhReader, PassesOverCommentsBlankLinesAndCase) {
  std::string text = "\xef\xbb\xbf# exported by hand\n\n" + SmallBvh().text();
  text = with_replaced(text, "JOINT LeftLeg", "joint LeftLeg # the other one\n// is missing");
  text = with_replaced(text, "CHANNELS", "Channels");
  text = with_replaced(text, "OFFSET", "Offset");
  text = with_replaced(text, "End Site", "END SITE");
  text = with_replaced(text, "Frames: 3", "FRAMES:\t3  ");
  text = with_replaced(text, "Frame Time: 0.0083333", "frame time:.0083333 // 120 Hz");
  text = with_replaced(text, "1 90 2", "# half-way\n  1 90 2");
  const RawMotion motion = read_well(text);
  EXPECT_EQ(motion.joints[2].name, "LeftLeg");
  EXPECT_EQ(motion.rate, 120);
  EXPECT_EQ(motion.rotations, read_well(SmallBvh().text()).rotations);
}

TEST(BvhReader, BracesMayStandOnTheSameLine) {
  const std::string text = with_replaced(with_replaced(SmallBvh().text(), "\n\t{\n", " {\n"), "\n\t\t}", " }");
  EXPECT_EQ(read_well(text).joints[1].name, "Spine");
}

TEST(BvhReader, KeepsNamesWithBlanksNamespacesAndAccents) {
  for (const char* name : {"Left Up Leg", "mixamorig:Hips", "Jambe_gaucheé", "背骨", "a#b", "JOINT"}) {
    SmallBvh file;
    file.spine_name = name;
    EXPECT_EQ(read_well(file.text()).joints[1].name, name);
  }
}

TEST(BvhReader, AcceptsNumbersInEveryDecimalForm) {
  SmallBvh file;
  file.rows = "0 90 0 0 0 0 1 2 3 4 5 6\n+1e0 9.0E+01 2. -.0 1.0e1 0 1 2 3 4 5 6\n2 90 4 0 20 0 1 2 3 4 5 6e-0\n";
  EXPECT_EQ(read_well(file.text()).rotations, read_well(SmallBvh().text()).rotations);
  EXPECT_EQ(read_well(file.text()).translations, read_well(SmallBvh().text()).translations);
}

TEST(BvhReader, FewerRowsThanAnnouncedIsAnErrorWithBothCounts) {
  SmallBvh file;
  file.frames = "Frames: 5";
  const Error error = read_badly(file.text());
  EXPECT_EQ(error.line, 26u);
  EXPECT_THAT(error.message, HasSubstr("announces 5 frames, but the file has 3"));
}

TEST(BvhReader, MoreRowsThanAnnouncedAreLeftOutAndTold) {
  SmallBvh file;
  file.frames = "Frames: 1";
  const RawMotion motion = read_well(file.text());
  EXPECT_EQ(motion.frames, 1u);
  ASSERT_EQ(motion.warnings.size(), 1u);
  EXPECT_THAT(motion.warnings[0], HasSubstr("announces 1 frames, but 2 more"));
}

struct BadFile {
  const char* what;
  std::string from, to;  ///< what is replaced in the small file
  std::size_t line;
  const char* message;
};

TEST(BvhReader, SaysWhereAndWhatIsWrong) {
  const BadFile files[] = {
      {"no header", "HIERARCHY", "", 2, "expected HIERARCHY, found 'ROOT'"},
      {"two roots", "MOTION", "ROOT Other\n{\n}\nMOTION", 25, "a second ROOT"},
      {"unclosed", "\n}\nMOTION", "\nMOTION", 24, "found 'MOTION'"},
      {"one brace too many", "}\nMOTION", "}\n}\nMOTION", 25, "one brace too many"},
      {"no offset", "OFFSET 0 20 0", "", 14, "joint 'Spine' has no OFFSET"},
      {"short offset", "0 20 0", "0 20", 8, "OFFSET needs three numbers: expected a number, found the end of the line"},
      {"long offset", "0 20 0", "0 20 0 9", 8, "'9' follows"},
      {"channel twice", "3 Zrotation Yrotation Xrotation\n\t\tEnd", "3 Xrotation Yrotation Xrotation\n\t\tEnd", 9,
       "has the channel 'Xrotation' twice"},
      {"unknown channel", "6 Xposition", "6 Wposition", 5, "expected a channel such as Xposition or Zrotation"},
      {"more channels than announced", "6 Xposition", "5 Xposition", 5, "'Xrotation' follows"},
      {"fewer channels than announced", "Yrotation Xrotation\n\tJOINT Spine", "Yrotation\n\tJOINT Spine", 5,
       "expected a channel"},
      {"huge channels", "6 Xposition", "2000000000 Xposition", 5, "from 0 to 6, found '2000000000'"},
      {"negative channels", "6 Xposition", "-6 Xposition", 5, "from 0 to 6"},
      {"nul in a name", "Spine", std::string("Sp\0ne", 5), 6, "'Sp\\x00ne'"},
      {"no frames line", "Frames: 3\n", "", 26, "expected 'Frames:'"},
      {"negative frames", "Frames: 3", "Frames: -3", 26, "expected a whole number of frames"},
      {"broken frames", "Frames: 3", "Frames: 2.5", 26, "expected a whole number of frames"},
      {"zero frame time", "0.0083333", "0", 27, "expected a frame time between"},
      {"comma in the frame time", "0.0083333", "0,0083333", 27, "found '0,0083333'"},
      {"text", "1 90 2", "1 abc 2", 29, "value 2 of frame 2: expected a number, found 'abc'"},
      {"comma", "1 90 2", "1,5 90 2", 29, "decimals are written with a point"},
      {"nan", "1 90 2", "nan 90 2", 29, "expected a number, found 'nan'"},
      {"inf", "1 90 2", "-inf 90 2", 29, "expected a number, found '-inf'"},
      {"too large", "1 90 2", "1e999 90 2", 29, "found '1e999'"},
      {"hexadecimal", "1 90 2", "0x10 90 2", 29, "found '0x10'"},
      {"sign alone", "1 90 2", "- 90 2", 29, "found '-'"},
      {"two signs", "1 90 2", "+-1 90 2", 29, "found '+-1'"},
      {"long row", "1 90 2", "1 90 2 9", 29, "frame 2 has 13 values where the channels need 12"},
      {"short row", "1 90 2", "1 90", 29, "frame 2 has 11 values where the channels need 12"},
  };
  for (const BadFile& file : files) {
    const Error error = read_badly(with_replaced(SmallBvh().text(), file.from, file.to));
    EXPECT_EQ(error.line, file.line) << file.what << ": " << error.message;
    EXPECT_THAT(error.message, HasSubstr(file.message)) << file.what;
    EXPECT_EQ(error.file, "test.bvh");
  }
  EXPECT_THAT(read_badly("").message, HasSubstr("empty"));
  EXPECT_THAT(read_badly(" \n\t\r\n").message, HasSubstr("empty"));
}

TEST(BvhReader, DeepNestingIsAnErrorAndNotACrash) {
  std::string text = "HIERARCHY\nROOT r\n";
  for (int i = 0; i < 200000; ++i) text += "{OFFSET 0 1 0 CHANNELS 0\nJOINT j\n";
  text = with_replaced(text, "0 CHANNELS", "0\nCHANNELS");
  EXPECT_THAT(read_badly(text).message, HasSubstr("at most 4096 joints"));
}

TEST(BvhReader, AnnouncingMoreFramesThanBytesTakesNoMemory) {
  SmallBvh file;
  for (const char* count : {"1000000000000", "1e300", "99999999999999999999999999"}) {
    file.frames = std::string("Frames: ") + count;
    EXPECT_THAT(read_badly(file.text()).message, HasSubstr("but the file has 3"));
  }
}

TEST(BvhReader, ManyJointsWithoutChannelsTakeNoMemory) {
  std::string text = "HIERARCHY\nROOT r\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n";
  for (int i = 0; i < 4000; ++i) text += "JOINT j\n{\nOFFSET 0 1 0\n}\n";
  text += "}\nMOTION\nFrames: 1000000\nFrame Time: 0.01\n";
  for (int i = 0; i < 1000000; ++i) text += "0\n";
  EXPECT_THAT(read_badly(text).message, HasSubstr("more memory"));
}

TEST(BvhReader, KnowsTheRateThatARoundedFrameTimeMeans) {
  const std::pair<const char*, double> times[] = {{".0083333", 120}, {"0.008333", 120},  {"0.00833333333333", 120},
                                                  {"0.0333333", 30}, {"0.033", 30},      {"0.0333", 30},
                                                  {"0.04", 25},      {"0.041667", 24},   {"0.0416667", 24},
                                                  {"0.0167", 60},    {"0.017", 60},      {"0.016667", 60},
                                                  {"0.01", 100},     {"0.02", 50},       {"0.0333667", 30000.0 / 1001},
                                                  {"0.005", 200},    {"0.0041667", 240}, {"1", 1},
                                                  {"0.0625", 16},    {"3.3333e-02", 30}};
  for (const auto& [time, rate] : times) {
    SmallBvh file;
    file.frame_time = std::string("Frame Time: ") + time;
    EXPECT_DOUBLE_EQ(read_well(file.text()).rate, rate) << time;
  }
}

}  // namespace
}  // namespace loom::io
