// SPDX-License-Identifier: MIT
// Blender's opinion: it puts the joints of our files where we do, and we put the joints of its files where it does.
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <loom/io/bvh_write.h>
#include <loom/io/gltf_write.h>
#include <loom/io/read.h>
#include <loom/motion/kinematics.h>

#include "tests/make_clip.h"
#include "tests/shared_data.h"
#include "tests/temporary_folder.h"

namespace loom::io {
namespace {

using motion::Clip;
using motion::WorldPoses;

constexpr float kMillimetre = 1e-3f;
constexpr int kRate = 30;

class Blender : public ::testing::Test {
 protected:
  void SetUp() override {
    if (std::system("command -v blender >/dev/null") != 0) {
      GTEST_SKIP() << "SKIPPED: Blender is not installed (Debian package blender, with python3-numpy)";
    }
    clip_ = testing::random_clip(testing::small_person(), 25, kRate, 11);
    const std::filesystem::path real = testing::mocap_folder() / "cmu30" / "16_35.bvh";
    if (std::filesystem::exists(real)) clip_ = read_motion(real.string()).value()[0].clip;
  }

  /// Runs tests/tools/blender_motion.py; what it printed is shown when it fails.
  void run(const std::string& words) const {
    const std::string script = (std::filesystem::path(LOOM_SOURCE_DIR) / "tests/tools/blender_motion.py").string();
    const std::string log = folder_.file("log.txt");
    const int status = std::system(
        fmt::format("blender -b --factory-startup --python '{}' -- {} >'{}' 2>&1", script, words, log).c_str());
    std::ifstream printed(log);
    ASSERT_EQ(status, 0) << std::string(std::istreambuf_iterator<char>(printed), {});
  }

  /// Expects every bone head that Blender finds in `file`, times `metres`, at our joint of that name.
  void expect_same_positions(const std::string& file, float metres) const {
    const std::string answer = folder_.file("positions.json");
    run(fmt::format("positions '{}' '{}' {} 0 1 7 {}", file, answer, kRate, clip_.frames() - 1));
    const WorldPoses poses = forward_kinematics(clip_);
    for (const auto& entry : nlohmann::json::parse(std::ifstream(answer))) {
      std::size_t found = 0;
      for (const auto& [name, head] : entry["heads"].items()) {
        const auto joint = clip_.skeleton->find(name);
        if (!joint) continue;  // an end site's bone
        ++found;
        const Vec3 theirs = Vec3{head[0], head[1], head[2]} * metres;
        const Vec3 ours = poses.position(entry["frame"], static_cast<std::size_t>(*joint));
        EXPECT_LT(distance(ours, theirs), kMillimetre) << name << " in frame " << entry["frame"];
      }
      EXPECT_EQ(found, clip_.joints());
    }
  }

  /// Has Blender turn our BVH into `name` and expects to read the same motion from that.
  void expect_reads(const std::string& name, const std::string& mesh) const {
    const std::string bvh = folder_.file("motion.bvh"), file = folder_.file(name);
    BvhWriteOptions in_metres;
    in_metres.metres_per_unit = 1;
    ASSERT_TRUE(write_bvh(clip_, bvh, in_metres));
    run(fmt::format("export '{}' '{}' {} {}", bvh, file, kRate, mesh));
    const auto read = read_motion(file);
    ASSERT_TRUE(read) << read.error().to_string();
    ASSERT_EQ(read->size(), 1U);
    const Clip& got = read->front().clip;
    EXPECT_NEAR(got.rate, kRate, 1e-3);
    ASSERT_EQ(got.frames(), clip_.frames());
    const WorldPoses theirs = forward_kinematics(got), ours = forward_kinematics(clip_);
    for (std::size_t j = 0; j < clip_.joints(); ++j) {
      const auto joint = got.skeleton->find(clip_.skeleton->joint(j).name);
      ASSERT_TRUE(joint) << clip_.skeleton->joint(j).name;
      for (std::size_t f = 0; f < clip_.frames(); ++f) {
        ASSERT_LT(distance(ours.position(f, j), theirs.position(f, static_cast<std::size_t>(*joint))), kMillimetre)
            << clip_.skeleton->joint(j).name << " in frame " << f;
      }
    }
  }

  testing::TemporaryFolder folder_;
  Clip clip_;
};

TEST_F(Blender, PutsTheJointsOfOurBvhWhereWeDo) {
  const std::string file = folder_.file("motion.bvh");
  BvhWriteOptions in_centimetres;
  in_centimetres.metres_per_unit = 0.01;
  ASSERT_TRUE(write_bvh(clip_, file, in_centimetres));
  expect_same_positions(file, 0.01f);
}

TEST_F(Blender, PutsTheJointsOfOurGlbWhereWeDo) {
  const std::string file = folder_.file("motion.glb");
  ASSERT_TRUE(write_gltf(std::vector{clip_}, "somebody", file));
  expect_same_positions(file, 1);
}

TEST_F(Blender, WritesFbxThatWeReadAlike) { expect_reads("motion.fbx", "mesh"); }
TEST_F(Blender, WritesFbxWithoutMeshThatWeReadAlike) { expect_reads("bare.fbx", "none"); }
TEST_F(Blender, WritesColladaThatWeReadAlike) { expect_reads("motion.dae", "mesh"); }
TEST_F(Blender, WritesGlbThatWeReadAlike) { expect_reads("motion.glb", "mesh"); }

}  // namespace
}  // namespace loom::io
