// SPDX-License-Identifier: MIT
#include <cstdlib>
#include <filesystem>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/io/assimp_read.h>
#include <loom/io/scene_stream.h>

#include "tests/io/gltf_builder.h"
#include "tests/temporary_folder.h"

namespace loom::io {
namespace {

using ::testing::HasSubstr;
using testing::raw_positions;

/// Two joints in inches with Z up: "hip" slides along X by 10 inches in a second, "knee" hangs 20 inches below it.
std::string small_collada() {
  const auto source = [](const char* id, const char* numbers, int count, int stride, const char* type) {
    return fmt::format(
        "<source id=\"{0}\"><float_array id=\"{0}a\" count=\"{2}\">{1}</float_array><technique_common><accessor "
        "source=\"#{0}a\" count=\"{3}\" stride=\"{4}\"><param name=\"P\" type=\"{5}\"/></accessor></technique_common>"
        "</source>",
        id, numbers, count, count / stride, stride, type);
  };
  return "<?xml version=\"1.0\"?><COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" version=\"1.4.1\">"
         "<asset><unit name=\"inch\" meter=\"0.0254\"/><up_axis>Z_UP</up_axis></asset>"
         "<library_animations><animation id=\"slide\">" +
         source("in", "0 0.5 1", 3, 1, "float") +
         source("out",
                "1 0 0 0 0 1 0 0 0 0 1 40 0 0 0 1 1 0 0 5 0 1 0 0 0 0 1 40 0 0 0 1 1 0 0 10 0 1 0 0 0 0 1 40 0 0 0 1",
                48, 16, "float4x4") +
         "<source id=\"how\"><Name_array id=\"howa\" count=\"3\">LINEAR LINEAR LINEAR</Name_array><technique_common>"
         "<accessor source=\"#howa\" count=\"3\" stride=\"1\"><param name=\"I\" type=\"name\"/></accessor>"
         "</technique_common></source><sampler id=\"s\"><input semantic=\"INPUT\" source=\"#in\"/><input "
         "semantic=\"OUTPUT\" source=\"#out\"/><input semantic=\"INTERPOLATION\" source=\"#how\"/></sampler><channel "
         "source=\"#s\" target=\"hip/transform\"/></animation></library_animations><library_visual_scenes>"
         "<visual_scene id=\"scene\"><node id=\"hip\" name=\"hip\" type=\"JOINT\"><matrix sid=\"transform\">1 0 0 0 0 "
         "1 "
         "0 0 0 0 1 40 0 0 0 1</matrix><node id=\"knee\" name=\"knee\" type=\"JOINT\"><matrix sid=\"transform\">1 0 0 "
         "0 "
         "0 1 0 0 0 0 1 -20 0 0 0 1</matrix></node></node></visual_scene></library_visual_scenes><scene>"
         "<instance_visual_scene url=\"#scene\"/></scene></COLLADA>";
}

TEST(AssimpReader, ColladaInInchesWithZUp) {
  const testing::TemporaryFolder folder;
  const auto motions = read_with_assimp(folder.write("slide.dae", small_collada()));
  ASSERT_TRUE(motions) << motions.error().to_string();
  ASSERT_EQ(motions->size(), 1U);
  const RawMotion& raw = motions->front();
  ASSERT_EQ(raw.joints.size(), 2U);
  EXPECT_EQ(raw.joints[0].name, "hip");
  EXPECT_EQ(raw.joints[1].name, "knee");
  EXPECT_EQ(raw.metres_per_unit, 1.0);
  EXPECT_EQ(raw.up_axis, 1);
  ASSERT_EQ(raw.frames, 31U);
  const std::vector<Vec3> last = raw_positions(raw, 30);
  EXPECT_LT(distance(last[0], Vec3{10 * 0.0254f, 40 * 0.0254f, 0}), 1e-4f);
  EXPECT_LT(distance(last[1], Vec3{10 * 0.0254f, 20 * 0.0254f, 0}), 1e-4f);
}

TEST(AssimpReader, RubbishIsAnErrorThatNamesTheFile) {
  const testing::TemporaryFolder folder;
  Random random(1);
  for (const char* name : {"noise.fbx", "noise.dae"}) {
    std::string noise = "Kaydara FBX Binary  ";
    for (int i = 0; i < 4000; ++i) noise.push_back(static_cast<char>(random.index(256)));
    const auto motions = read_with_assimp(folder.write(name, noise));
    ASSERT_FALSE(motions);
    EXPECT_THAT(motions.error().to_string(), HasSubstr(name));
  }
}

TEST(AssimpReader, EveryTruncationIsAnErrorOrAMotion) {
  const testing::TemporaryFolder folder;
  const std::string whole = small_collada();
  for (std::size_t size = 0; size < whole.size(); size += 150) {
    const auto motions = read_with_assimp(folder.write("cut.dae", whole.substr(0, size)));
    if (motions) continue;
    EXPECT_THAT(motions.error().to_string(), HasSubstr("cut.dae"));
  }
}

TEST(AssimpReader, MissingFileIsAnError) {
  const auto motions = read_with_assimp("/nowhere/walk.fbx");
  ASSERT_FALSE(motions);
  EXPECT_THAT(motions.error().to_string(), HasSubstr("/nowhere/walk.fbx: cannot be opened"));
}

/// Tests with a worker that is not what it should be: a shell script in its place.
class BadWorker : public ::testing::Test {
 protected:
  std::string error_with(const std::string& script) {
    const std::string worker = folder_.write("worker", "#!/bin/sh\n" + script);
    std::filesystem::permissions(worker, std::filesystem::perms::owner_all);
    return error_at(worker);
  }

  std::string error_at(const std::string& worker) {
    ::setenv("LOOM_ASSIMP_WORKER", worker.c_str(), 1);
    const auto motions = read_with_assimp(folder_.write("walk.fbx", "something"));
    ::unsetenv("LOOM_ASSIMP_WORKER");
    return motions ? "no error" : motions.error().to_string();
  }

  testing::TemporaryFolder folder_;
};

TEST_F(BadWorker, ThatIsMissing) {
  EXPECT_THAT(error_at("/nowhere/worker"), HasSubstr("is not there (looked for /nowhere/worker)"));
}
TEST_F(BadWorker, ThatCrashes) { EXPECT_THAT(error_with("kill -SEGV $$"), HasSubstr("Assimp crashed on it")); }
TEST_F(BadWorker, ThatRunsOutOfTime) { EXPECT_THAT(error_with("kill -XCPU $$"), HasSubstr("takes too long")); }
TEST_F(BadWorker, ThatSaysNothing) { EXPECT_THAT(error_with("exit 0"), HasSubstr("gave no answer")); }
TEST_F(BadWorker, ThatStopsHalfWay) {
  EXPECT_THAT(error_with("printf 'LOOMSCNE\\001\\002'"), HasSubstr("answer is damaged"));
}
TEST_F(BadWorker, ThatNeverStopsTalking) {
  EXPECT_THAT(error_with("exec cat /dev/zero"), HasSubstr("more motion than a file of its size can"));
}
TEST_F(BadWorker, ThatTellsOfAFailure) {
  EXPECT_THAT(error_with("printf 'LOOMFAILno such format'"), HasSubstr("walk.fbx: no such format"));
}

AnimatedScene small_scene() {
  AnimatedScene scene;
  scene.nodes.resize(2);
  scene.nodes[0].name = "hips";
  scene.nodes[1] = {"knee", 0, {1, 2, 3}, {0.5f, 0.5f, 0.5f, 0.5f}, {2, 2, 2}, Quat{}, false, true, false};
  scene.skins = {{"body", {0, 1}}};
  NodeTracks tracks;
  tracks.node = 1;
  tracks.rotation.times = {0, 1};
  tracks.rotation.values = {{}, {0, 1, 0, 0}};
  scene.animations.push_back({"turn", {tracks}, 25.0, {}});
  scene.metres_per_unit = 0.01;
  scene.warnings = {"careful"};
  return scene;
}

TEST(SceneStream, ComesOutAsItWentIn) {
  const AnimatedScene scene = scene_from_stream(scene_to_stream(small_scene())).value();
  ASSERT_EQ(scene.nodes.size(), 2U);
  EXPECT_EQ(scene.nodes[1].name, "knee");
  EXPECT_EQ(scene.nodes[1].translation, (Vec3{1, 2, 3}));
  EXPECT_EQ(scene.nodes[1].bind, Quat{});
  EXPECT_TRUE(scene.nodes[1].ornament);
  EXPECT_EQ(scene.skins[0].joints, (std::vector{0, 1}));
  EXPECT_EQ(scene.animations[0].tracks[0].rotation.values[1], (Quat{0, 1, 0, 0}));
  EXPECT_EQ(scene.animations[0].rate, 25.0);
  EXPECT_EQ(scene.metres_per_unit, 0.01);
  EXPECT_FALSE(scene.up_axis);
  EXPECT_EQ(scene.warnings, std::vector<std::string>{"careful"});
}

TEST(SceneStream, NoTruncationAndNoFlippedByteGetsThroughUnharmed) {
  const std::string whole = scene_to_stream(small_scene());
  for (std::size_t size = 0; size < whole.size(); ++size) EXPECT_FALSE(scene_from_stream(whole.substr(0, size)));
  for (std::size_t i = 0; i < whole.size(); ++i) {
    for (const char flip : {'\x01', '\x80', '\xFF'}) {
      std::string damaged = whole;
      damaged[i] = static_cast<char>(damaged[i] ^ flip);
      if (Result<AnimatedScene> scene = scene_from_stream(damaged)) (void)motions_of(std::move(*scene));
    }
  }
}

}  // namespace
}  // namespace loom::io
