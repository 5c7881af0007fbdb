// SPDX-License-Identifier: MIT
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/blend/align/strokes.h>
#include <loom/io/detail/skeleton_file.h>
#include <loom/io/read.h>
#include <loom/io/smartbody.h>
#include <loom/motion/kinematics.h>

#include "tests/shared_data.h"

namespace loom::io {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kArm = R"(# SK Skeleton Definition
# made by hand    Units: cm

set_name arm of one

skeleton
root base
{ offset 0 90 0
  channel XPos 0 free
  channel YPos 5 free
  channel ZPos 0 free
  channel Quat

  joint upper
  { offset 10 40 0
    prerot axis 0 0 1 ang 90
    channel Quat
    joint lower
    { offset 30 0 0
      prerot axis 0 0 0 ang 0
      channel YPos 0 lim -1 1
      channel Quat
      joint hand { offset 25 0 0
      }
    }
  }
  joint hip { offset 0 -10 0
    channel Quat }
}
end
)";

constexpr const char* kWave = R"(# SKM Motion Definition
# Units: cm
SkMotion
name "wave"
channels 5
base XPos
base ZPos
base Quat
nobody Quat
upper Quat
frames 3
kt 0 fr 1 2 0 0 0  9 9 9  0 0 0
kt 0.0333333 fr 2 2 0 0.5 0  9 9 9  0 1.5707963 0
kt 0.0666667 fr 3 2 0 1 0  9 9 9  0 0 3.1415926

ready time: 0
strokeStart time: 0.02
emphasis time: 0.034
stroke time: 0.06
relax time: 0.0666
heelStrikeRt: 0.05
what is this
)";

SkSkeleton arm() { return read_sk(kArm, "arm.sk").value(); }

std::string with(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string sk_error(const std::string& from, const std::string& to) {
  const auto read = read_sk(with(kArm, from, to), "arm.sk");
  return read ? "read" : read.error().to_string();
}

std::string skm_error(const std::string& from, const std::string& to) {
  const auto read = read_skm(with(kWave, from, to), "wave.skm", arm());
  return read ? "read" : read.error().to_string();
}

TEST(SkReader, JointsHangAsTheirBracesSay) {
  const SkSkeleton skeleton = arm();
  ASSERT_EQ(skeleton.joints.size(), 5u);
  const auto parents = [&] {
    std::vector<int> list;
    for (const SkJoint& joint : skeleton.joints) list.push_back(joint.parent);
    return list;
  };
  EXPECT_THAT(parents(), ElementsAre(-1, 0, 1, 2, 0));
  EXPECT_EQ(skeleton.joints[3].name, "hand");
  EXPECT_EQ(skeleton.joints[1].offset, (Vec3{10, 40, 0}));
  EXPECT_LT(angle_between(skeleton.joints[1].prerot, axis_angle({0, 0, 1}, kPi / 2)), 1e-5f);
  EXPECT_EQ(skeleton.joints[2].prerot, Quat{});
  EXPECT_EQ(skeleton.joints[0].position, (Vec3{0, 5, 0}));
  EXPECT_EQ(skeleton.metres_per_unit, 0.01);
  EXPECT_THAT(skeleton.warnings, IsEmpty());
}

TEST(SkReader, UnitsAreReadFromTheCommentsAtTheTopAlone) {
  EXPECT_EQ(unit_in_comments("# a\r\n# Units: m  Joints: 5\r\nx"), 1.0);
  EXPECT_EQ(unit_in_comments("\n#Units: mm"), 0.001);
  EXPECT_EQ(unit_in_comments("# Units: ells\n# Units: m\n"), std::nullopt);
  EXPECT_EQ(unit_in_comments("skeleton\n# Units: m\n"), std::nullopt);
  EXPECT_EQ(unit_in_comments(""), std::nullopt);
}

TEST(SkReader, FaultsAreToldWithTheirLine) {
  EXPECT_THAT(sk_error("root base", "boot base"), HasSubstr("expected 'root'"));
  EXPECT_THAT(sk_error("offset 10 40 0", "offset 10 forty 0"), HasSubstr("arm.sk:15:"));
  EXPECT_THAT(sk_error("offset 10 40 0", "offset 10 40"), HasSubstr("arm.sk:15:"));
  EXPECT_THAT(sk_error("joint lower", "joint upper"), HasSubstr("a second joint is called 'upper'"));
  EXPECT_THAT(sk_error("prerot axis 0 0 1", "prerot about 0 0 1"), HasSubstr("expected 'axis'"));
  EXPECT_THAT(sk_error("joint hip {", "joint hip"), HasSubstr("expected '{'"));
  EXPECT_THAT(sk_error("channel Quat }\n}", "channel Quat { }\n}"), HasSubstr("expected the line to end"));
  EXPECT_THAT(read_sk("root a { offset 0 0 0", "a.sk").error().message, HasSubstr("expected '}'"));
  EXPECT_THAT(read_sk("", "a.sk").error().message, HasSubstr("expected 'root'"));
}

TEST(SkReader, UnknownWordsAreToldOnce) {
  std::string text = with(kArm, "prerot axis 0 0 1 ang 90", "shape hand.obj\n shape arm.obj");
  EXPECT_THAT(read_sk(text, "arm.sk").value().warnings, ElementsAre(HasSubstr("'shape'")));
}

TEST(SkReader, MoreJointsThanABodyMayHaveAreRefused) {
  std::string text = "root a {\n";
  for (std::size_t j = 0; j < motion::kMaxJoints; ++j) text += fmt::format("joint j{} {{\n}}\n", j);
  EXPECT_THAT(read_sk(text + "}\n", "a.sk").error().message, HasSubstr("at most"));
}

TEST(SkmReader, ChannelsMoveTheirJoints) {
  const RawMotion raw = read_skm(kWave, "wave.skm", arm()).value();
  EXPECT_EQ(raw.name, "wave");
  EXPECT_EQ(raw.frames, 3u);
  EXPECT_EQ(raw.rate, 30.0);
  EXPECT_THAT(raw.moving, ElementsAre(0));
  EXPECT_EQ(raw.translations[1], (Vec3{2, 95, 2}));  // YPos is not moved and stays as the skeleton has it
  EXPECT_LT(angle_between(raw.rotations[5 + 1], axis_angle({0, 0, 1}, kPi / 2) * axis_angle({0, 1, 0}, kPi / 2)),
            1e-3f);
  EXPECT_LT(angle_between(raw.rotations[10], axis_angle({0, 1, 0}, 1)), 1e-3f);
  EXPECT_THAT(raw.notes, ElementsAre(HasSubstr("1 of 5 channels belong to joints the skeleton lacks, first 'nobody'")));
}

TEST(SkmReader, MomentsBecomeLabelsOfOneFrame) {
  const RawMotion raw = read_skm(kWave, "wave.skm", arm()).value();
  EXPECT_THAT(raw.labels, ElementsAre(motion::Label{"ready", 0, 1}, motion::Label{"stroke-start", 1, 2},
                                      motion::Label{"stroke", 1, 2}, motion::Label{"stroke-end", 2, 3},
                                      motion::Label{"relax", 2, 3}, motion::Label{"heelStrikeRt", 2, 3}));
}

TEST(SkmReader, WhatBlendsCallAStrokeIsTheEmphasis) {
  const auto read = normalise(read_skm(kWave, "wave.skm", arm()).value(), {});
  ASSERT_TRUE(read);
  EXPECT_THAT(blend::marked_strokes(read->clip), ElementsAre(1.0 / 30));
}

TEST(SkmReader, MomentsNobodySetAreLeftOutAndTold) {
  std::string frames;
  for (int f = 0; f < 9; ++f) frames += fmt::format("kt {} fr 0\n", f / 30.0);
  const std::string motion = "channels 1\nbase XPos\nframes 9\n" + frames;
  const auto labels = [&](double emphasis) {
    const std::string text = motion + fmt::format(
                                          "ready time: 0.033333\nstrokeStart time: 0.066667\nemphasis time: {}\n"
                                          "stroke time: 0.133333\nrelax time: 0.166667\n",
                                          emphasis);
    const RawMotion raw = read_skm(text, "a.skm", arm()).value();
    EXPECT_THAT(raw.notes, ElementsAre(HasSubstr("nobody has set them")));
    return raw.labels;
  };
  EXPECT_THAT(labels(0.1), IsEmpty());
  EXPECT_THAT(labels(0.2), ElementsAre(motion::Label{"stroke", 6, 7}));
  // Two that happen to lie there are believed.
  const RawMotion two = read_skm(motion + "ready time: 0.033333\nemphasis time: 0.1\n", "a.skm", arm()).value();
  EXPECT_THAT(two.labels, ElementsAre(motion::Label{"ready", 1, 2}, motion::Label{"stroke", 3, 4}));
}

TEST(SkmReader, MomentsOutsideTheMotionAreTold) {
  const RawMotion raw = read_skm(with(kWave, "relax time: 0.0666", "relax time: 1e8"), "wave.skm", arm()).value();
  EXPECT_THAT(raw.warnings, ElementsAre(HasSubstr("1 moment lies outside the motion")));
  EXPECT_EQ(raw.labels.size(), 5u);
}

TEST(SkmReader, FaultsAreToldWithTheirLine) {
  EXPECT_THAT(skm_error("channels 5", "channels 0"), HasSubstr("expected how many channels"));
  EXPECT_THAT(skm_error("channels 5", "channels 99999999999999999999"), HasSubstr("expected how many channels"));
  EXPECT_THAT(skm_error("channels 5", "channels 6"), HasSubstr("after joint 'frames'"));
  EXPECT_THAT(skm_error("base ZPos", "base XPos"), HasSubstr("wave.skm:7: joint 'base' has a channel twice"));
  EXPECT_THAT(skm_error("base Quat", "base Spin"), HasSubstr("expected XPos, YPos, ZPos or Quat"));
  EXPECT_THAT(skm_error("frames 3", "frames 18446744073709551615"), HasSubstr("expected 'kt' of frame 4"));
  EXPECT_THAT(skm_error("kt 0.0333333", "kt 0"), HasSubstr("wave.skm:13: expected a later time"));
  EXPECT_THAT(skm_error("9 9 9  0 0 0", "9 9 9  0 0"), HasSubstr("wave.skm:12: expected a number"));
  EXPECT_THAT(skm_error("9 9 9  0 0 0", "9 9 9  0 0 0 0"), HasSubstr("but '0' follows"));
  EXPECT_THAT(skm_error("fr 1 2", "fr nan 2"), HasSubstr("wave.skm:12:"));
  EXPECT_THAT(skm_error("kt 0.0666667", "kt 0.000001"), HasSubstr("a later time"));
  EXPECT_THAT(read_skm("channels 1\nx Quat\nframes 1\nkt 0 fr 0 0 0\n", "a.skm", arm()).error().message,
              HasSubstr("no channel belongs to a joint of the skeleton"));
  EXPECT_THAT(read_skm("", "a.skm", arm()).error().message, HasSubstr("'channels'"));
}

TEST(SkmReader, UnevenFramesAndUnitsThatDifferAreTold) {
  const RawMotion uneven = read_skm(with(kWave, "kt 0.0333333", "kt 0.05"), "wave.skm", arm()).value();
  EXPECT_THAT(uneven.warnings, ElementsAre(HasSubstr("not evenly spaced")));
  const RawMotion metres = read_skm(with(kWave, "Units: cm", "Units: m"), "wave.skm", arm()).value();
  EXPECT_THAT(metres.warnings, ElementsAre(HasSubstr("the skeleton's is taken for both")));
  EXPECT_EQ(metres.metres_per_unit, 0.01);
}

TEST(SkmReader, JointsWithoutChannelsDoNotExhaustMemory) {
  std::string text = "root a {\nchannel XPos 0 free\n";
  for (std::size_t j = 1; j < motion::kMaxJoints; ++j) text += fmt::format("joint j{} {{\n}}\n", j);
  const SkSkeleton many = read_sk(text + "}\n", "a.sk").value();
  std::string motion = "channels 1\na XPos\nframes 40000\n";
  for (int f = 0; f < 40000; ++f) motion += fmt::format("kt {} fr 0\n", f);
  const auto read = read_skm(motion, "a.skm", many);
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().message, HasSubstr("far more memory"));
}

/// Where a point of a joint is, by matrices and in double: as the format is described, not as the reader goes about it.
using Matrix = std::array<std::array<double, 4>, 4>;

Matrix times(const Matrix& a, const Matrix& b) {
  Matrix c{};
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      for (std::size_t k = 0; k < 4; ++k) c[i][j] += a[i][k] * b[k][j];
    }
  }
  return c;
}

Matrix moved(double x, double y, double z) { return {{{1, 0, 0, x}, {0, 1, 0, y}, {0, 0, 1, z}, {0, 0, 0, 1}}}; }

/// Rodrigues' formula.
Matrix turned(double x, double y, double z, double angle) {
  const double n = std::sqrt(x * x + y * y + z * z);
  if (n == 0) return moved(0, 0, 0);
  x /= n, y /= n, z /= n;
  const double c = std::cos(angle), s = std::sin(angle), t = 1 - c;
  return {{{c + t * x * x, t * x * y - s * z, t * x * z + s * y, 0},
           {t * x * y + s * z, c + t * y * y, t * y * z - s * x, 0},
           {t * x * z - s * y, t * y * z + s * x, c + t * z * z, 0},
           {0, 0, 0, 1}}};
}

TEST(SkmReader, AgreesWithMatricesOnRandomChains) {
  Random random(7);
  const auto number = [&](double size) { return size * (2 * random.uniform() - 1); };
  for (int round = 0; round < 20; ++round) {
    constexpr std::size_t kJoints = 6, kFrames = 4;
    std::string sk = "# Units: m\nroot j0\n{ ", channels = "channels 9\nj0 XPos\nj0 YPos\nj0 ZPos\n", frames;
    std::vector<Matrix> rests;
    for (std::size_t j = 0; j < kJoints; ++j) {
      const std::array<double, 7> v = {number(1), number(1), number(1), number(1), number(1), number(1), number(180)};
      if (j > 0) sk += fmt::format("joint j{}\n{{ ", j);
      sk += fmt::format("offset {} {} {}\nprerot axis {} {} {} ang {}\n", v[0], v[1], v[2], v[3], v[4], v[5], v[6]);
      rests.push_back(times(moved(v[0], v[1], v[2]), turned(v[3], v[4], v[5], v[6] * 3.14159265358979323846 / 180)));
      channels += fmt::format("j{} Quat\n", j);
    }
    for (std::size_t j = 0; j < kJoints; ++j) sk += "}\n";
    std::vector<std::vector<std::array<double, 3>>> world;
    for (std::size_t f = 0; f < kFrames; ++f) {
      const std::array<double, 3> p = {number(2), number(2), number(2)};
      frames += fmt::format("kt {} fr {} {} {}", static_cast<double>(f) / 60, p[0], p[1], p[2]);
      Matrix here = moved(p[0], p[1], p[2]);
      world.emplace_back();
      for (std::size_t j = 0; j < kJoints; ++j) {
        const std::array<double, 3> q = {number(2), number(2), number(2)};
        frames += fmt::format(" {} {} {}", q[0], q[1], q[2]);
        here = times(times(here, rests[j]), turned(q[0], q[1], q[2], std::hypot(q[0], q[1], q[2])));
        world[f].push_back({here[0][3], here[1][3], here[2][3]});
      }
      frames += "\n";
    }
    const SkSkeleton skeleton = read_sk(sk, "a.sk").value();
    ReadOptions options;
    options.keep_t_pose = true;
    options.up_axis = 1;
    const motion::Clip clip =
        normalise(read_skm(channels + fmt::format("frames {}\n", kFrames) + frames, "a.skm", skeleton).value(), options)
            .value()
            .clip;
    ASSERT_EQ(clip.rate, 60.0);
    // The rest pose may be turned when it is stood up; what the motion shows is not.
    const motion::WorldPoses poses = motion::forward_kinematics(clip);
    for (std::size_t f = 0; f < kFrames; ++f) {
      for (std::size_t j = 0; j < kJoints; ++j) {
        const Vec3 at = poses.position(f, j);
        ASSERT_NEAR(at.x, world[f][j][0], 1e-4) << round << " frame " << f << " joint " << j;
        ASSERT_NEAR(at.y, world[f][j][1], 1e-4);
        ASSERT_NEAR(at.z, world[f][j][2], 1e-4);
      }
    }
  }
}

class SkFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) / ("sk_files_" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  void put(const std::string& name, const char* text) const { std::ofstream(folder_ / name) << text; }

  fs::path folder_;
};

TEST_F(SkFiles, AMotionFindsItsSkeletonByTheNameBeforeTheAt) {
  put("other.sk", "root x {\n}\n");
  put("Arm.sk", kArm);
  put("arm@wave.skm", kWave);
  put("wave.skm", kWave);
  EXPECT_TRUE(is_motion_file("a.SKM"));
  EXPECT_TRUE(is_skeleton_file("a.sk"));
  EXPECT_FALSE(is_motion_file("a.sk"));
  const auto read = read_motion(folder_ / "arm@wave.skm");
  ASSERT_TRUE(read) << read.error().to_string();
  EXPECT_EQ((*read)[0].clip.joints(), 5u);
  EXPECT_NEAR((*read)[0].clip.roots[0].x, 0.01f, 1e-6f);
  EXPECT_THAT(read_motion(folder_ / "wave.skm").error().message, HasSubstr("looked in"));
  ReadOptions options;
  options.sk_file = folder_ / "Arm.sk";
  EXPECT_TRUE(read_motion(folder_ / "wave.skm", options));
  EXPECT_THAT(read_motion(folder_ / "Arm.sk").error().message, HasSubstr("read the SKM that goes with it"));
  EXPECT_EQ(read_skeleton(folder_ / "Arm.sk").value().clip.joints(), 5u);
}

TEST(SkmReader, EveryFileOfSmartBodyIsABodyOnItsFeet) {
  LOOM_REQUIRE_MOCAP();
  const fs::path folder = testing::mocap_folder() / "smartbody";
  if (!fs::exists(folder)) GTEST_SKIP() << "SKIPPED: SmartBody's motions are needed in " << folder;
  std::size_t read_files = 0, refused = 0;
  for (const char* family : {"punching", "kicking", "jumping", "MocapReaching", "MaleMocapLocomotion", "reaching"}) {
    for (const auto& entry : fs::directory_iterator(folder / family)) {
      if (entry.path().extension() != ".skm") continue;
      const auto read = read_motion(entry.path());
      if (!read) {  // hand shapes and a gesture of another skeleton
        EXPECT_THAT(read.error().message, HasSubstr("no channel belongs to a joint of the skeleton"));
        ++refused;
        continue;
      }
      ++read_files;
      const motion::Clip& clip = (*read)[0].clip;
      EXPECT_EQ(clip.rate, 30.0) << entry.path();
      const motion::WorldPoses poses = motion::forward_kinematics(clip);
      float low = 1e9f, high = -1e9f;
      for (std::size_t j = 0; j < clip.joints(); ++j) {
        low = std::min(low, poses.position(0, j).y);
        high = std::max(high, poses.position(0, j).y);
      }
      EXPECT_GT(high - low, 1.3f) << entry.path();
      EXPECT_LT(high - low, 2.1f) << entry.path();
    }
  }
  EXPECT_EQ(read_files, 183u);
  EXPECT_EQ(refused, 7u);
}

/// The moments SmartBody's authors matched by hand are the emphases of the files, to a tenth of a second: what the
/// reader calls strokes.
TEST(SkmReader, StrokesLieAtTheMatchedMoments) {
  LOOM_REQUIRE_MOCAP();
  const fs::path folder = testing::mocap_folder() / "smartbody";
  std::ifstream table(folder / "correspondence.tsv");
  if (!table) GTEST_SKIP() << "SKIPPED: SmartBody's motions are needed in " << folder;
  std::size_t compared = 0;
  for (std::string line; std::getline(table, line);) {
    if (!line.starts_with("punching\tstatePunching") && !line.starts_with("kicking")) continue;
    const std::size_t name = line.find("ChrGarza"), tab = line.rfind('\t');
    const std::string family = line.substr(0, line.find('\t'));
    const auto read = read_motion(folder / family / (line.substr(name, tab - name) + ".skm"));
    ASSERT_TRUE(read) << read.error().to_string();
    double start = 0, stroke = 0;
    ASSERT_EQ(std::sscanf(line.c_str() + tab, "%lf %lf", &start, &stroke), 2);
    const std::vector<double> marked = blend::marked_strokes((*read)[0].clip);
    ASSERT_EQ(marked.size(), 1u);
    EXPECT_NEAR(marked[0], stroke, 0.1) << line;
    ++compared;
  }
  EXPECT_EQ(compared, 33u);
}

}  // namespace
}  // namespace loom::io
