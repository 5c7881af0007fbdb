// SPDX-License-Identifier: MIT
#include <cmath>
#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/base/file.h>
#include <loom/io/detail/gltf_document.h>
#include <loom/io/gltf_read.h>

#include "tests/io/gltf_builder.h"
#include "tests/temporary_folder.h"

namespace loom::io {
namespace {

using nlohmann::json;
using testing::GltfBuilder;
using ::testing::HasSubstr;
using testing::raw_positions;
using testing::xyzw;

/// Hips, a spine and a head one unit above each other, the spine turned about Z over four seconds.
GltfBuilder three_joints() {
  GltfBuilder gltf;
  gltf.root["nodes"] = {{{"name", "hips"}, {"children", {1}}, {"translation", {0, 1, 0}}},
                        {{"name", "spine"}, {"children", {2}}, {"translation", {0, 1, 0}}},
                        {{"name", "head"}, {"translation", {0, 1, 0}}}};
  const int times = gltf.accessor({0, 1, 2, 3, 4}, "SCALAR", 1);
  const Quat quarter = axis_angle({0, 0, 1}, kPi / 2);
  gltf.channel(1, "rotation", times, gltf.accessor(xyzw({{}, quarter, {}, quarter, {}}), "VEC4", 4));
  return gltf;
}

Result<std::vector<RawMotion>> read(const GltfBuilder& gltf) { return read_gltf(gltf.glb(), "test.glb", ""); }

std::string error_of(const GltfBuilder& gltf) {
  const auto motions = read(gltf);
  return motions ? "no error" : motions.error().to_string();
}

void expect_near(Vec3 a, Vec3 b, float tolerance = 1e-5f) {
  EXPECT_LT(distance(a, b), tolerance) << "(" << a.x << " " << a.y << " " << a.z << ") is not (" << b.x << " " << b.y
                                       << " " << b.z << ")";
}

TEST(GltfReader, SparseKeysBecomeFramesAtThirtyHertz) {
  const auto motions = read(three_joints());
  ASSERT_TRUE(motions) << motions.error().to_string();
  const RawMotion& raw = motions->front();
  EXPECT_EQ(raw.rate, 30);
  EXPECT_EQ(raw.frames, 121U);
  EXPECT_EQ(raw.metres_per_unit, 1.0);
  EXPECT_EQ(raw.up_axis, 1);
  const float half = std::sqrt(0.5f);
  expect_near(raw_positions(raw, 0).back(), {0, 3, 0});
  expect_near(raw_positions(raw, 15).back(), {-half, 2 + half, 0});
  expect_near(raw_positions(raw, 30).back(), {-1, 2, 0});
}

TEST(GltfReader, StepInterpolationHolds) {
  GltfBuilder gltf = three_joints();
  gltf.root["animations"][0]["samplers"][0]["interpolation"] = "STEP";
  const RawMotion raw = read(gltf).value().front();
  expect_near(raw_positions(raw, 29).back(), {0, 3, 0});
  expect_near(raw_positions(raw, 30).back(), {-1, 2, 0});
}

TEST(GltfReader, CubicSplineFollowsItsTangents) {
  GltfBuilder gltf = three_joints();
  const int times = gltf.accessor({0, 1}, "SCALAR", 1);
  // x(t) = t³ − t on [0, 1]: zero at both ends, slopes −1 and 2.
  const int values = gltf.accessor({0, 0, 0, 0, 1, 0, -1, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0}, "VEC3", 3);
  gltf.channel(0, "translation", times, values, "CUBICSPLINE");
  const RawMotion raw = read(gltf).value().front();
  for (const std::size_t f : {0UL, 6UL, 15UL, 24UL, 30UL}) {
    const float t = static_cast<float>(f) / 30;
    expect_near(raw_positions(raw, f)[0], {t * t * t - t, 1, 0});
  }
}

TEST(GltfReader, KeysOnEveryFrameGiveTheirRate) {
  for (const double rate : {24.0, 29.97, 30.0, 60.0, 120.0, 240.0}) {
    GltfBuilder gltf = three_joints();
    std::vector<float> times, values;
    for (int f = 0; f < 500; ++f) {
      times.push_back(static_cast<float>(f / rate));
      values.insert(values.end(), {0, static_cast<float>(f), 0});
    }
    gltf.root["animations"].clear();
    gltf.channel(0, "translation", gltf.accessor(times, "SCALAR", 1), gltf.accessor(values, "VEC3", 3));
    const RawMotion raw = read(gltf).value().front();
    EXPECT_NEAR(raw.rate, rate, 1e-4 * rate);
    ASSERT_EQ(raw.frames, 500U);
    for (std::size_t f = 0; f < 500; ++f) EXPECT_EQ(raw.translations[f].y, static_cast<float>(f));
  }
}

TEST(GltfReader, ThinnedKeysStillGiveTheFrameRate) {
  GltfBuilder gltf = three_joints();
  std::vector<float> times, values;
  for (const int f : {0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 18, 30, 31, 32, 40, 41, 50, 51, 52, 53}) {
    times.push_back(static_cast<float>(f) / 60);
    values.insert(values.end(), {0, static_cast<float>(f), 0});
  }
  gltf.channel(0, "translation", gltf.accessor(times, "SCALAR", 1), gltf.accessor(values, "VEC3", 3));
  EXPECT_EQ(read(gltf).value().front().rate, 60);
}

TEST(GltfReader, NormalisedShortsAreRotations) {
  GltfBuilder gltf = three_joints();
  const std::vector<std::int16_t> turned = {0, 0, 23170, 23170, 0, 0, 0, 32767};
  const int values = gltf.accessor_of(turned.data(), 16, 2, 5122, "VEC4");
  gltf.root["accessors"][static_cast<std::size_t>(values)]["normalized"] = true;
  gltf.root["animations"].clear();
  gltf.channel(0, "rotation", gltf.accessor({0, 1}, "SCALAR", 1), values);
  const RawMotion raw = read(gltf).value().front();
  expect_near(raw_positions(raw, 0)[1], {-1, 1, 0}, 1e-4f);
  expect_near(raw_positions(raw, 30)[1], {0, 2, 0}, 1e-4f);
}

TEST(GltfReader, SparseAccessorsReplaceTheirElements) {
  GltfBuilder gltf = three_joints();
  const int values = gltf.accessor({0, 0, 0, 0, 0, 0, 0, 0, 0}, "VEC3", 3);
  const std::uint16_t index = 2;
  gltf.accessor_of(&index, 2, 1, 5123, "SCALAR");
  const auto index_view = gltf.root["bufferViews"].size() - 1;
  gltf.accessor({5, 6, 7}, "VEC3", 3);
  gltf.root["accessors"][static_cast<std::size_t>(values)]["sparse"] = {
      {"count", 1},
      {"indices", {{"bufferView", index_view}, {"componentType", 5123}}},
      {"values", {{"bufferView", gltf.root["bufferViews"].size() - 1}}}};
  gltf.channel(0, "translation", gltf.accessor({0, 1, 2}, "SCALAR", 1), values);
  const RawMotion raw = read(gltf).value().front();
  expect_near(raw_positions(raw, 30)[0], {0, 0, 0});
  expect_near(raw_positions(raw, 60)[0], {5, 6, 7});
}

TEST(GltfReader, ArmatureInCentimetresAndTurnedUprightIsMultipliedThrough) {
  GltfBuilder gltf = three_joints();
  // As exported from programs with Z up: bones in centimetres along Z below a node that turns and scales them.
  const float half = std::sqrt(0.5f);
  for (json& node : gltf.root["nodes"]) node["translation"] = {0, 0, 100};
  gltf.root["nodes"].push_back({{"name", "Armature"},
                                {"children", {0}},
                                {"rotation", {-half, 0, 0, half}},
                                {"scale", {0.01, 0.01, 0.01}},
                                {"translation", {5, 0, 0}}});
  const RawMotion raw = read(gltf).value().front();
  ASSERT_EQ(raw.joints.size(), 2U) << "hips stand still and are no part of the animated tree";
  expect_near(raw_positions(raw, 0).back(), {5, 3, 0});
}

TEST(GltfReader, SkinSaysWhichNodesAreJoints) {
  GltfBuilder gltf = three_joints();
  gltf.root["nodes"][2]["children"] = {3};
  gltf.root["nodes"].push_back({{"name", "hat"}});
  gltf.root["skins"] = {{{"name", "body"}, {"joints", {0, 1, 2}}}};
  const RawMotion raw = read(gltf).value().front();
  ASSERT_EQ(raw.joints.size(), 3U);
  EXPECT_EQ(raw.joints[0].name, "hips");
  EXPECT_EQ(raw.joints[2].name, "head");
}

TEST(GltfReader, SkinListedChildrenFirstIsBroughtInOrder) {
  GltfBuilder gltf = three_joints();
  gltf.root["skins"] = {{{"joints", {2, 0, 1}}}};
  const RawMotion raw = read(gltf).value().front();
  ASSERT_EQ(raw.joints.size(), 3U);
  EXPECT_EQ(raw.joints[1].name, "spine");
  EXPECT_EQ(raw.joints[2].parent, 1);
}

TEST(GltfReader, AnimatedNodeAboveTheSkinCarriesTheBody) {
  GltfBuilder gltf = three_joints();
  gltf.root["nodes"].push_back({{"name", "mover"}, {"children", {0}}});
  gltf.root["skins"] = {{{"joints", {0, 1, 2}}}};
  gltf.channel(3, "translation", gltf.accessor({0, 4}, "SCALAR", 1), gltf.accessor({0, 0, 0, 8, 0, 0}, "VEC3", 3));
  const RawMotion raw = read(gltf).value().front();
  ASSERT_EQ(raw.joints.size(), 4U);
  EXPECT_EQ(raw.joints[0].name, "mover");
  expect_near(raw_positions(raw, 60).back(), {4, 3, 0});
}

TEST(GltfReader, RestIsTheSkinsBindPose) {
  GltfBuilder gltf = three_joints();
  gltf.root["nodes"][1]["rotation"] = xyzw({axis_angle({1, 0, 0}, 1.0f)});
  std::vector<float> matrices;
  for (int j = 0; j < 3; ++j) {
    matrices.insert(matrices.end(), {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, static_cast<float>(-1 - j), 0, 1});
  }
  gltf.root["skins"] = {{{"joints", {0, 1, 2}}, {"inverseBindMatrices", gltf.accessor(matrices, "MAT4", 16)}}};
  const RawMotion raw = read(gltf).value().front();
  EXPECT_LT(angle_between(raw.joints[1].rest, {}), 1e-3f);
}

TEST(GltfReader, UnmovedLeavesNamedEndAreEndSites) {
  GltfBuilder gltf = three_joints();
  gltf.root["nodes"][2]["name"] = "HeadTop_End";
  const RawMotion raw = read(gltf).value().front();
  ASSERT_EQ(raw.joints.size(), 1U);
  ASSERT_EQ(raw.end_sites.size(), 1U);
  expect_near(raw_positions(raw, 30).back(), {-1, 2, 0});
}

TEST(GltfReader, UnevenScaleIsTold) {
  GltfBuilder gltf = three_joints();
  gltf.root["nodes"][0]["scale"] = {1, 2, 1};
  const RawMotion raw = read(gltf).value().front();
  ASSERT_EQ(raw.warnings.size(), 1U);
  EXPECT_THAT(raw.warnings[0], HasSubstr("'hips' differs by axis"));
}

TEST(GltfReader, KeysOutOfOrderAreDroppedAndTold) {
  GltfBuilder gltf = three_joints();
  const int times = gltf.accessor({0, 2, 1, NAN, 3}, "SCALAR", 1);
  gltf.root["animations"][0]["samplers"][0]["input"] = times;
  const RawMotion raw = read(gltf).value().front();
  ASSERT_FALSE(raw.warnings.empty());
  EXPECT_THAT(raw.warnings[0], HasSubstr("2 keys were out of order"));
}

// What a hostile or broken file meets.

TEST(GltfReader, RefusesCyclicParents) {
  GltfBuilder gltf = three_joints();
  gltf.root["nodes"][2]["children"] = {0};
  EXPECT_THAT(error_of(gltf), HasSubstr("its own ancestor"));
}

TEST(GltfReader, RefusesTwoParents) {
  GltfBuilder gltf = three_joints();
  gltf.root["nodes"][0]["children"] = {1, 2};
  EXPECT_THAT(error_of(gltf), HasSubstr("hangs from two parents"));
}

TEST(GltfReader, RefusesIndicesThatLeadNowhere) {
  GltfBuilder child = three_joints();
  child.root["nodes"][2]["children"] = {77};
  EXPECT_THAT(error_of(child), HasSubstr("node 2 has a child that there is not"));
  GltfBuilder joint = three_joints();
  joint.root["skins"] = {{{"joints", {-1}}}};
  EXPECT_THAT(error_of(joint), HasSubstr("names a joint that there is not"));
  GltfBuilder sampler = three_joints();
  sampler.root["animations"][0]["channels"][0]["sampler"] = 9;
  EXPECT_THAT(error_of(sampler), HasSubstr("names a sampler there is not"));
  GltfBuilder accessor = three_joints();
  accessor.root["animations"][0]["samplers"][0]["input"] = 99;
  EXPECT_THAT(error_of(accessor), HasSubstr("there is no accessor 99"));
}

TEST(GltfReader, RefusesCountsBeyondTheBytes) {
  for (const json& count : {json(6), json(1000000), json(1ULL << 52), json(1e300), json(-1), json("five")}) {
    GltfBuilder gltf = three_joints();
    gltf.root["accessors"][0]["count"] = count;
    EXPECT_THAT(error_of(gltf), HasSubstr("accessor 0")) << count;
  }
  GltfBuilder without_bytes = three_joints();
  without_bytes.root["accessors"][0].erase("bufferView");
  without_bytes.root["accessors"][0]["count"] = 1000000000000;
  EXPECT_THAT(error_of(without_bytes), HasSubstr("more than a file of this size can"));
}

TEST(GltfReader, RefusesViewsBeyondTheirBuffer) {
  for (const auto& [key, value] : {std::pair{"byteOffset", 1e15}, {"byteLength", 1e15}, {"byteOffset", 120.0}}) {
    GltfBuilder gltf = three_joints();
    gltf.root["bufferViews"][1][key] = value;
    EXPECT_THAT(error_of(gltf), HasSubstr("reaches beyond its buffer"));
  }
}

TEST(GltfReader, RefusesABufferThatIsShorterThanItSays) {
  GltfBuilder gltf = three_joints();
  gltf.root["buffers"] = {{{"byteLength", 4000000000U}}};
  EXPECT_THAT(error_of(gltf), HasSubstr("buffer 0 announces 4000000000 bytes"));
}

TEST(GltfReader, RefusesAnAnimationThatLastsForAges) {
  GltfBuilder gltf = three_joints();
  gltf.root["animations"][0]["samplers"][0]["input"] = gltf.accessor({0, 1, 2, 3, 1e9f}, "SCALAR", 1);
  EXPECT_THAT(error_of(gltf), HasSubstr("lasts 1000000000 s"));
}

TEST(GltfReader, EveryTruncationIsAnErrorAndNoCrash) {
  const std::string whole = three_joints().glb();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_FALSE(read_gltf(std::string_view(whole).substr(0, size), "cut.glb", "")) << size;
  }
}

TEST(GltfReader, RefusesDeepNesting) {
  const std::string deep = "{\"asset\":" + std::string(100000, '[');
  const auto motions = read_gltf(deep, "deep.gltf", "");
  ASSERT_FALSE(motions);
  EXPECT_THAT(motions.error().to_string(), HasSubstr("nested more than 64 deep"));
}

TEST(GltfReader, RefusesAHierarchyWithoutBottom) {
  GltfBuilder gltf = three_joints();
  for (int n = 3; n < 5000; ++n) {
    gltf.root["nodes"][static_cast<std::size_t>(n - 1)]["children"] = {n};
    gltf.root["nodes"].push_back(json::object());
  }
  EXPECT_THAT(error_of(gltf), HasSubstr("nodes deep"));
}

TEST(GltfReader, SyntaxErrorsNameTheLine) {
  const auto motions = read_gltf("{\n\"asset\": {\"version\": \"2.0\"},\n\"nodes\": [}\n", "broken.gltf", "");
  ASSERT_FALSE(motions);
  EXPECT_EQ(motions.error().to_string(), "broken.gltf:3: this is not valid JSON");
}

TEST(GltfReader, SaysWhatIsMissing) {
  GltfBuilder gltf = three_joints();
  gltf.root.erase("animations");
  EXPECT_EQ(error_of(gltf), "test.glb: the file holds no animation");
  GltfBuilder other = three_joints();
  other.root["asset"]["version"] = "1.0";
  EXPECT_EQ(error_of(other), "test.glb: this is glTF version '1.0'; only version 2 can be read");
}

/// A folder with `inner/motion.gltf` whose numbers lie in a file beside it.
class GltfSideFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    const GltfBuilder gltf = three_joints();
    for (const char* name : {"inner/a b.bin", "inner/sub/c.bin", "outside.bin"})
      outside_ = files_.write(name, gltf.bytes);
  }

  std::string read_with(const std::string& uri) {
    GltfBuilder gltf = three_joints();
    gltf.root["buffers"] = {{{"byteLength", gltf.bytes.size()}, {"uri", uri}}};
    const auto motions = read_gltf(gltf.root.dump(), "motion.gltf", files_.file("inner"));
    return motions ? "read" : motions.error().to_string();
  }

  testing::TemporaryFolder files_;
  std::string outside_;  ///< a file above the folder
};

TEST_F(GltfSideFiles, AreReadFromTheFilesFolder) {
  EXPECT_EQ(read_with("a%20b.bin"), "read");
  EXPECT_EQ(read_with("sub/c.bin"), "read");
  EXPECT_EQ(read_with("./sub/../a b.bin"), "read");
}

TEST(GltfBuffers, ThatNameOneFileShareIt) {
  json root = {{"asset", {{"version", "2.0"}}}};
  for (int i = 0; i < 30; ++i) {
    root["buffers"].push_back(
        {{"byteLength", 4}, {"uri", i % 3 == 0 ? "a.bin" : (i % 3 == 1 ? "./a.bin" : "%61.bin")}});
  }
  int fetched = 0;
  const auto fetch = [&](const std::string&) -> Result<std::string> { return ++fetched, std::string("1234"); };
  EXPECT_TRUE(GltfDocument::parse(root.dump(), fetch));
  EXPECT_EQ(fetched, 1);
}

TEST_F(GltfSideFiles, ThatAreLinksToOneFileAreReadOnce) {
  // Names of one file: as it stands, by detours, by links of both kinds. A second file is another.
  std::filesystem::create_symlink("a b.bin", files_.file("inner/soft.bin"));
  std::filesystem::create_hard_link(files_.file("inner/a b.bin"), files_.file("inner/hard.bin"));
  GltfBuilder gltf = three_joints();
  const std::size_t size = gltf.bytes.size();
  json& buffers = gltf.root["buffers"] = json::array();
  // Announced are as many bytes as a file may have: were every name counted, the second would be too many.
  const std::uint64_t half = kMaxFileBytes - size;
  for (const char* name : {"a%20b.bin", "./a%20b.bin", "sub/../a%20b.bin", "soft.bin", "hard.bin"}) {
    buffers.push_back({{"byteLength", size}, {"uri", name}});
  }
  EXPECT_TRUE(read_gltf(gltf.root.dump(), "motion.gltf", files_.file("inner")));
  buffers.back()["byteLength"] = half + 1;
  const auto longer = read_gltf(gltf.root.dump(), "motion.gltf", files_.file("inner"));
  ASSERT_FALSE(longer);
  EXPECT_THAT(longer.error().message, HasSubstr("announces"));  // known already, and shorter than that
  buffers.back()["uri"] = "sub/c.bin";
  const auto other = read_gltf(gltf.root.dump(), "motion.gltf", files_.file("inner"));
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().message, HasSubstr("the buffers have more than"));  // counted, since it is another file
}

TEST(GltfBuffers, MayNotBeLargerTogetherThanAFileMayBe) {
  json root = {{"asset", {{"version", "2.0"}}}};
  root["buffers"] = {{{"byteLength", 4}, {"uri", "a.bin"}}, {{"byteLength", kMaxFileBytes}, {"uri", "b.bin"}}};
  int fetched = 0;
  const auto fetch = [&](const std::string&) -> Result<std::string> { return ++fetched, std::string("1234"); };
  const auto document = GltfDocument::parse(root.dump(), fetch);
  ASSERT_FALSE(document);
  EXPECT_THAT(document.error().message, HasSubstr("the buffers have more than"));
  EXPECT_EQ(fetched, 1);
}

TEST_F(GltfSideFiles, AreNotReadFromElsewhere) {
  for (const std::string& uri : {std::string("../outside.bin"), outside_, std::string("sub/../../outside.bin"),
                                 std::string("%2e%2e/outside.bin"), "file://" + outside_, std::string()}) {
    EXPECT_THAT(read_with(uri), HasSubstr("leads out of the file's folder")) << uri;
  }
}

TEST_F(GltfSideFiles, AreNotReadThroughALinkThatLeadsElsewhere) {
  std::filesystem::create_symlink(outside_, files_.file("inner/link.bin"));
  EXPECT_THAT(read_with("link.bin"), HasSubstr("leads out of the file's folder"));
}

TEST_F(GltfSideFiles, MissingOnesAreNamed) { EXPECT_THAT(read_with("nowhere.bin"), HasSubstr("nowhere.bin")); }

}  // namespace
}  // namespace loom::io
