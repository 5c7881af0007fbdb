// SPDX-License-Identifier: MIT
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/io/asf_amc.h>
#include <loom/io/read.h>
#include <loom/motion/kinematics.h>

#include "tests/shared_data.h"

namespace loom::io {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kLeg = R"(# a leg
:version 1.10
:name TEST
:units
  mass 1.0
  length 0.45
  angle deg
:documentation
  name and axis are words here, not statements
:root
  order TX TY TZ RX RY RZ
  axis XYZ
  position 0 0 0
  orientation 0 0 0
:bonedata
  begin
    id 1
    name thigh
    direction 0 -2 0
    length 7
    axis 0 0 20 XYZ
    dof rx ry rz
    limits (-160.0 20.0)
           (-70.0 70.0)
           (-60.0 70.0)
  end
  begin
    id 2
    name shin
    direction 0 -1 0
    length 6
    axis 0 0 90 XYZ
    dof rx
    limits (-10.0 170.0)
  end
  begin
    id 3
    name foot
    direction 0 0 1
    length 2
    axis 0 0 0 XYZ
  end
:hierarchy
  begin
    root thigh
    thigh shin
    shin foot
  end
)";

constexpr const char* kSteps = R"(:FULLY-SPECIFIED
:DEGREES
1
root 1 14 2 0 0 0
thigh 0 0 0
shin 0
2
root 1 14 3 0 0 90
thigh 0 0 0
shin 90
)";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

AsfSkeleton leg() { return read_asf(kLeg, "leg.asf").value(); }

Error asf_error(const std::string& text) {
  const auto skeleton = read_asf(text, "leg.asf");
  EXPECT_FALSE(skeleton);
  return skeleton ? Error{} : skeleton.error();
}

Error amc_error(const std::string& text) {
  const auto motion = read_amc(text, "leg.amc", leg(), 120);
  EXPECT_FALSE(motion);
  return motion ? Error{} : motion.error();
}

/// Where the points of frame `f` are, in file units.
std::vector<Vec3> points(const std::string& amc, const AsfSkeleton& skeleton, std::size_t f) {
  auto raw = read_amc(amc, "leg.amc", skeleton, 120);
  if (!raw) {
    ADD_FAILURE() << raw.error().to_string();
    return std::vector<Vec3>(5);
  }
  ReadOptions options;
  options.metres_per_unit = 1;
  options.up_axis = 1;
  options.keep_t_pose = true;
  const auto read = normalise(std::move(*raw), options);
  EXPECT_TRUE(read) << read.error().to_string();
  const motion::WorldPoses poses = motion::forward_kinematics(read->clip);
  std::vector<Vec3> found;
  for (std::size_t p = 0; p < poses.points; ++p) found.push_back(poses.position(f, p));
  return found;
}

TEST(AsfReader, ReadsBonesUnitsAndHierarchy) {
  const AsfSkeleton skeleton = leg();
  ASSERT_EQ(skeleton.bones.size(), 4u);
  EXPECT_EQ(skeleton.bones[2].name, "shin");
  EXPECT_EQ(skeleton.bones[2].parent, 1);
  EXPECT_EQ(skeleton.bones[1].tip, (Vec3{0, -7, 0}));
  EXPECT_THAT(skeleton.bones[2].dofs, ElementsAre(AsfDof::kRx));
  EXPECT_TRUE(skeleton.bones[3].dofs.empty());
  EXPECT_NEAR(*skeleton.metres_per_unit, 0.0564444, 1e-6);
  EXPECT_FALSE(skeleton.radians);
}

TEST(AsfReader, AnglesMayBeRadians) {
  std::string text = replaced(kLeg, "angle deg", "angle rad");
  text = replaced(text, "axis 0 0 20 XYZ", "axis 0 0 0.34906585 XYZ");
  const AsfSkeleton skeleton = read_asf(text, "leg.asf").value();
  EXPECT_TRUE(skeleton.radians);
  EXPECT_LT(angle_between(skeleton.bones[1].axis, leg().bones[1].axis), 1e-5f);
}

TEST(AsfReader, ParentsComeFirstWhateverTheOrderOfTheFile) {
  const std::string text =
      replaced(kLeg, "root thigh\n    thigh shin\n    shin foot", "shin foot\n    thigh shin\n    root thigh");
  EXPECT_EQ(read_asf(text, "leg.asf")->bones[3].name, "foot");
}

TEST(AsfReader, AMisspeltKeywordIsAnErrorAndAForeignOneIsTold) {
  const std::tuple<const char*, const char*, std::size_t, const char*> files[] = {
      {"    length 7", "    lenght 7", 20, "unknown keyword 'lenght'; 'length' is perhaps meant"},
      {"    direction 0 -2 0", "    directoin 0 -2 0", 19, "'direction' is perhaps meant"},
      {"    dof rx ry rz", "    dfo rx ry rz", 22, "unknown keyword 'dfo'"},
      {"    axis 0 0 20", "    axes 0 0 20", 21, "'axis' is perhaps meant"},
      {"  angle deg", "  angel deg", 7, "'angle' is perhaps meant"},
      {"  orientation 0 0 0", "  orentation 0 0 0", 14, "'orientation' is perhaps meant"},
      {":bonedata", ":bondata", 15, "unknown keyword 'bondata'; 'bonedata' is perhaps meant"},
  };
  for (const auto& [from, to, line, message] : files) {
    const Error error = asf_error(replaced(kLeg, from, to));
    EXPECT_EQ(error.line, line) << error.message;
    EXPECT_THAT(error.message, HasSubstr(message));
  }
  EXPECT_TRUE(leg().warnings.empty());
  const auto foreign = read_asf(replaced(kLeg, "    length 7", "    length 7\n    colour red"), "leg.asf");
  ASSERT_TRUE(foreign);
  EXPECT_THAT(foreign->warnings, ElementsAre(HasSubstr("keyword 'colour' is not known")));
  const auto section = read_asf(replaced(kLeg, ":bonedata", ":skin\n  leg.skin\n:bonedata"), "leg.asf");
  ASSERT_TRUE(section);
  EXPECT_THAT(section->warnings, ElementsAre(HasSubstr("'skin'")));
  EXPECT_THAT(read_amc(kSteps, "leg.amc", *section, 120)->warnings, Contains(HasSubstr("'skin'")));
}

TEST(AsfReader, SaysWhereAndWhatIsWrong) {
  const std::tuple<const char*, const char*, std::size_t, const char*> files[] = {
      {"angle deg", "angle grad", 7, "expected 'deg' or 'rad', found 'grad'"},
      {"length 0.45", "length x", 6, "expected a number, found 'x'"},
      {"length 0.45", "length -1", 6, "positive length"},
      {"TX TY TZ", "TX TX TZ", 11, "the degree of freedom 'TX' twice"},
      {"RX RY RZ", "RX RY RQ", 11, "expected a degree of freedom such as 'rx', found 'RQ'"},
      {"axis XYZ\n  position", "axis XXZ\n  position", 12, "expected an order of axes such as 'XYZ', found 'XXZ'"},
      {"direction 0 -2 0", "direction 0 -2", 19, "expected a number, found the end of the line"},
      {"name shin", "name thigh", 35, "a second bone is called 'thigh'"},
      {"    id 2\n    name shin", "    id 2", 34, "to have a name"},
      {"thigh shin\n", "thigh tail\n", 46, "expected the name of a bone, found 'tail'"},
      {"thigh shin\n", "tail shin\n", 46, "expected the name of a bone, found 'tail'"},
      {"shin foot\n", "shin thigh\n", 47, "bone 'thigh' has a second parent"},
      {"root thigh\n", "foot thigh\n", 49, "bone 'thigh' is not connected to the root"},
      {":hierarchy\n  begin\n    root thigh\n    thigh shin\n    shin foot\n  end\n", "", 43, "expected ':hierarchy'"},
      {"# a leg", "leg", 1, "expected a section"},
  };
  for (const auto& [from, to, line, message] : files) {
    const Error error = asf_error(replaced(kLeg, from, to));
    EXPECT_EQ(error.line, line) << error.message;
    EXPECT_THAT(error.message, HasSubstr(message));
    EXPECT_EQ(error.file, "leg.asf");
  }
  EXPECT_FALSE(read_asf("", "empty.asf"));
}

TEST(AmcReader, PutsAJointWhereEachBoneStarts) {
  // root, thigh, shin, foot, tip of the foot
  const std::vector<Vec3> rest = points(kSteps, leg(), 0);
  ASSERT_EQ(rest.size(), 5u);
  EXPECT_NEAR(distance(rest[0], {1, 14, 2}), 0, 1e-5);
  EXPECT_NEAR(distance(rest[1], {1, 14, 2}), 0, 1e-5);
  EXPECT_NEAR(distance(rest[2], {1, 7, 2}), 0, 1e-5);
  EXPECT_NEAR(distance(rest[3], {1, 1, 2}), 0, 1e-5);
  EXPECT_NEAR(distance(rest[4], {1, 1, 4}), 0, 1e-5);
}

TEST(AmcReader, TurnsBonesInTheirOwnAxes) {
  // The shin's own X is the body's Y (axis 0 0 90), the line the leg lies along: its 90° leave the shin where it is
  // and turn the foot from +Z to +X. The root then turns all of it by 90° about Z, -Y to +X and +X to +Y.
  const std::vector<Vec3> turned = points(kSteps, leg(), 1);
  EXPECT_NEAR(distance(turned[2], {8, 14, 3}), 0, 1e-5);
  EXPECT_NEAR(distance(turned[3], {14, 14, 3}), 0, 1e-5);
  EXPECT_NEAR(distance(turned[4], {14, 16, 3}), 0, 1e-5);
}

TEST(AmcReader, AnglesMayBeRadians) {
  std::string text = replaced(kSteps, ":DEGREES", ":RADIANS");
  text = replaced(text, "0 0 90", "0 0 1.57079633");
  text = replaced(text, "shin 90", "shin 1.57079633");
  EXPECT_NEAR(distance(points(text, leg(), 1)[4], {14, 16, 3}), 0, 1e-5);
}

TEST(AmcReader, TurnsComeInTheOrderOfTheAxesNotOfTheValues) {
  const auto shin_start = [](const char* axes, const char* dofs, const char* values) {
    std::string asf = replaced(kLeg, "axis 0 0 20 XYZ", std::string("axis 0 0 0 ") + axes);
    asf = replaced(asf, "dof rx ry rz", std::string("dof ") + dofs);
    const std::string amc = std::string("1\nroot 1 14 2 0 0 0\nthigh ") + values + "\nshin 0\n";
    return points(amc, read_asf(asf, "leg.asf").value(), 0)[2];
  };
  // First about X, then about Z: -Y goes to -Z, where Z turns nothing.
  EXPECT_NEAR(distance(shin_start("XYZ", "rx rz", "90 90"), {1, 14, -5}), 0, 1e-5);
  EXPECT_NEAR(distance(shin_start("XYZ", "rz rx", "90 90"), {1, 14, -5}), 0, 1e-5);
  // First about Z, then about X: -Y goes to +X, where X turns nothing.
  EXPECT_NEAR(distance(shin_start("ZYX", "rx rz", "90 90"), {8, 14, 2}), 0, 1e-5);
}

TEST(AmcReader, StretchesAreToleratedAndTranslationsMove) {
  std::string asf = replaced(kLeg, "dof rx\n", "dof rx l\n");
  const std::string amc = replaced(replaced(kSteps, "shin 0", "shin 0 0.5"), "shin 90", "shin 90 0.7");
  EXPECT_NEAR(distance(points(amc, read_asf(asf, "leg.asf").value(), 0)[3], {1, 1, 2}), 0, 1e-5);
}

TEST(AmcReader, BonesWithoutMotionStayAtRestAndAreTold) {
  const std::string text = "1\nroot 0 0 0 0 0 0\n2\nroot 0 0 1 0 0 0\n";
  const RawMotion motion = read_amc(text, "leg.amc", leg(), 120).value();
  EXPECT_EQ(motion.frames, 2u);
  EXPECT_THAT(motion.warnings, Contains(HasSubstr("2 bones have no motion")));
}

TEST(AmcReader, TellsThatTheRateIsAssumed) {
  const RawMotion assumed = read_amc(kSteps, "leg.amc", leg(), 120).value();
  EXPECT_EQ(assumed.rate, 120);
  EXPECT_THAT(assumed.warnings, ElementsAre(HasSubstr("120 Hz is assumed")));
  const RawMotion stamped = read_amc(std::string(":SAMPLES-PER-SECOND 60\n") + kSteps, "leg.amc", leg(), 120).value();
  EXPECT_EQ(stamped.rate, 60);
  EXPECT_TRUE(stamped.warnings.empty());
}

TEST(AmcReader, SaysWhereAndWhatIsWrong) {
  const std::tuple<const char*, const char*, std::size_t, const char*> files[] = {
      {"shin 0", "tail 0", 6, "the skeleton has no bone 'tail'"},
      {"shin 0", "thigh 0 0 0", 6, "bone 'thigh' comes twice"},
      {"shin 0", "shin", 6, "bone 'shin' has 0 values where its degrees of freedom need 1"},
      {"shin 0", "shin 0 1", 6, "bone 'shin' has 2 values where its degrees of freedom need 1"},
      {"shin 90", "shin nan", 10, "expected a number, found 'nan'"},
      {"shin 90\n", "", 10, "frame 2 ends without bone 'shin', which the first frame has"},
      {"thigh 0 0 0\nshin 90", "shin 90\nshin 90", 10, "bone 'shin' comes twice"},
      {"shin 90", "shin 90\nfoot", 11, "frame 2 has bone 'foot', which the first frame has not"},
      {"shin 90", "shin 90\ntail", 11, "the skeleton has no bone 'tail'"},
      {"\n2\n", "\n99999999999999999999\n", 7, "no file has a frame of number '99999999999999999999'"},
      {"\n2\n", "\n2 3\n", 7, "'3' follows"},
      {"1\nroot", "one\nroot", 3, "expected the number of a frame, found 'one'"},
  };
  for (const auto& [from, to, line, message] : files) {
    const Error error = amc_error(replaced(kSteps, from, to));
    EXPECT_EQ(error.line, line) << error.message;
    EXPECT_THAT(error.message, HasSubstr(message));
  }
}

TEST(AmcReader, BonesMayComeInAnotherOrderLater) {
  std::string text = kSteps;
  const std::string frame = "root 1 14 3 0 0 90\nthigh 0 0 0\nshin 90\n";
  text = replaced(text, frame, "shin 90\nroot 1 14 3 0 0 90\nthigh 0 0 0\n");
  const RawMotion motion = read_amc(text, "leg.amc", leg(), 120).value();
  const RawMotion reference = read_amc(kSteps, "leg.amc", leg(), 120).value();
  EXPECT_EQ(motion.rotations, reference.rotations);
  EXPECT_EQ(motion.translations, reference.translations);
}

TEST(AmcReader, TellsOfGapsInTheNumbersOfTheFrames) {
  const std::string frame = "root 1 14 2 0 0 0\nthigh 0 0 0\nshin 0\n";
  const auto warnings = [&](std::initializer_list<int> numbers) {
    std::string text = ":SAMPLES-PER-SECOND 60\n";
    for (const int number : numbers) text += std::to_string(number) + "\n" + frame;
    return read_amc(text, "leg.amc", leg(), 120).value().warnings;
  };
  EXPECT_TRUE(warnings({1, 2, 3}).empty());
  EXPECT_TRUE(warnings({100, 101, 102}).empty());
  EXPECT_THAT(warnings({1, 2, 7, 8}), ElementsAre(HasSubstr("in 1 place, first from 2 to 7")));
  EXPECT_THAT(warnings({1, 2, 7, 7, 6}), ElementsAre(HasSubstr("in 3 places, first from 2 to 7")));
}

TEST(AmcReader, ASkeletonAloneIsAFrameAtRest) {
  const RawMotion rest = rest_motion(leg(), "leg.asf").value();
  EXPECT_EQ(rest.frames, 1u);
  EXPECT_EQ(rest.joints.size(), 4u);
  EXPECT_TRUE(rest.warnings.empty());
}

TEST(AmcReader, ARateThatNoRecordingHasIsRefused) {
  const auto raw = read_amc(std::string(":SAMPLES-PER-SECOND 1e8\n") + kSteps, "leg.amc", leg(), 120);
  ASSERT_TRUE(raw);
  EXPECT_THAT(normalise(*raw, {}).error().message, HasSubstr("a frame rate of 100000000 Hz"));
}

TEST(AmcReader, AMotionWithoutFramesIsRefused) {
  const auto raw = read_amc(":DEGREES\n", "leg.amc", leg(), 120);
  ASSERT_TRUE(raw);
  EXPECT_THAT(normalise(*raw, {}).error().message, HasSubstr("no frames"));
}

class FindAsf : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) / ("find_asf_" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  void put(const std::string& name) const { std::ofstream(folder_ / name) << kLeg; }
  [[nodiscard]] std::string found(const std::string& amc) const {
    const auto path = find_asf(folder_ / amc, "");
    return path ? fs::path(*path).filename().string() : path.error().message;
  }

  fs::path folder_;
};

TEST_F(FindAsf, TakesTheSameNameThenThePerformerThenTheOnlyOne) {
  put("other.asf");
  EXPECT_EQ(found("07_05-walk.amc"), "other.asf");
  put("09.asf");
  EXPECT_THAT(found("07_05-walk.amc"), HasSubstr("looked in"));
  put("07-walk.asf");
  EXPECT_EQ(found("07_05-walk.amc"), "07-walk.asf");
  EXPECT_EQ(found("09_01.amc"), "09.asf");
  put("07-run.asf");
  EXPECT_EQ(found("07_05-walk.amc"), "07-walk.asf");
  EXPECT_THAT(found("07_05.amc"), HasSubstr("starts with '07'"));
  put("07_05.ASF");
  EXPECT_EQ(found("07_05.amc"), "07_05.ASF");
}

TEST_F(FindAsf, WhatTheUserNamesIsTaken) {
  EXPECT_EQ(find_asf("a.amc", "b.asf").value(), "b.asf");
  std::ofstream(folder_ / "a.amc") << kSteps;
  put("b.asf");
  put("c.asf");
  EXPECT_THAT(read_motion(folder_ / "a.amc").error().message, HasSubstr("found 2 that fit"));
  ReadOptions options;
  options.asf_file = folder_ / "b.asf";
  EXPECT_TRUE(read_motion(folder_ / "a.amc", options));
}

TEST(AmcReader, RealCaptureAgreesWithItsBvhConversion) {
  LOOM_REQUIRE_MOCAP();
  const fs::path folder = testing::mocap_folder() / "asfamc";
  for (const auto& [amc, bvh] : {std::pair{"07_05-walk.amc", "07_05.bvh"}, std::pair{"09_06-run.amc", "09_06.bvh"},
                                 std::pair{"11_01.amc", "11_01.bvh"}}) {
    const motion::Clip a = read_motion(folder / amc).value()[0].clip, b = read_motion(folder / bvh).value()[0].clip;
    ASSERT_EQ(a.frames(), b.frames());
    ASSERT_EQ(a.joints(), b.joints());
    const motion::WorldPoses p = motion::forward_kinematics(a), q = motion::forward_kinematics(b);
    for (std::size_t j = 0; j < a.joints(); ++j) {
      for (std::size_t f = 0; f < a.frames(); ++f) {
        // Bones point the same way in the world. Above the chest and beyond the wrists joints are not in the same
        // place: the conversion leaves out the length of the thorax and of the wrists.
        ASSERT_LT(angle_between(p.rotation(f, j), q.rotation(f, j)), 0.001f * kDegree) << amc << " joint " << j;
        if (j >= 14) continue;
        ASSERT_LT(distance(p.position(f, j), q.position(f, j)), 1e-5f) << amc << " joint " << j;
      }
    }
  }
}

}  // namespace
}  // namespace loom::io
