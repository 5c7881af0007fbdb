// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/io/detail/meshopt_views.h>
#include <loom/io/gltf_compress.h>
#include <loom/io/gltf_model.h>
#include <loom/io/gltf_stage.h>
#include <loom/io/gltf_write.h>

#include "tests/make_clip.h"
#include "tests/make_skeleton.h"

namespace loom::io {
namespace {

std::string model() {
  const motion::Clip clip = testing::random_clip(testing::random_skeleton(12, 3), 40, 30, 3);
  const GltfCharacter character{"somebody", clip.skeleton, {clip}};
  auto glb = format_glb(std::span(&character, 1));
  EXPECT_TRUE(glb) << glb.error().to_string();
  return std::move(*glb);
}

std::string random_bytes(std::size_t count, Random& random) {
  std::string bytes(count, '\0');
  for (char& c : bytes) c = static_cast<char>(random.index(256));
  return bytes;
}

TEST(CompressModel, IsSmallerAndReadAgainTheSame) {
  const std::string whole = model();
  const auto packed = compress_model(whole);
  ASSERT_TRUE(packed) << packed.error().to_string();
  EXPECT_LT(packed->size(), whole.size());
  EXPECT_NE(packed->find("EXT_meshopt_compression"), std::string::npos);
  const auto again = pack_gltf(*packed, "packed.glb", {});
  ASSERT_TRUE(again) << again.error().to_string();
  EXPECT_EQ(again->glb.find("EXT_meshopt_compression"), std::string::npos) << "what is unpacked says so no more";
  const auto one = read_model_mesh(whole), two = read_model_mesh(again->glb);
  ASSERT_TRUE(one && two);
  EXPECT_EQ(one->positions, two->positions);
  EXPECT_EQ(one->weights, two->weights);
  ASSERT_EQ(one->triangles.size(), two->triangles.size());
  for (std::size_t t = 0; t + 2 < one->triangles.size(); t += 3) {
    // The same corners, turned round at most.
    const auto at = [&](const ModelMesh& mesh, std::size_t c) { return mesh.triangles[t + c % 3]; };
    std::size_t turn = 0;
    while (turn < 3 && at(*two, turn) != at(*one, 0)) ++turn;
    ASSERT_LT(turn, 3U);
    EXPECT_TRUE(at(*two, turn + 1) == at(*one, 1) && at(*two, turn + 2) == at(*one, 2));
  }
}

TEST(Meshopt, EveryModeComesBack) {
  Random random(4);
  for (const auto& [mode, stride] :
       {std::pair<std::string, std::size_t>{"ATTRIBUTES", 12}, {"ATTRIBUTES", 64}, {"INDICES", 2}, {"INDICES", 4}}) {
    std::string elements = random_bytes(30 * stride, random);
    if (mode == "INDICES" && stride == 4) {
      for (std::size_t i = 2; i < elements.size(); i += 4) elements[i] = elements[i + 1] = 0;
    }
    const auto packed = pack_meshopt(elements, stride, mode);
    ASSERT_TRUE(packed) << packed.error().to_string();
    const auto whole = unpack_meshopt({*packed, 30, stride, mode});
    ASSERT_TRUE(whole) << whole.error().to_string();
    EXPECT_EQ(*whole, elements) << mode;
  }
}

TEST(Meshopt, RefusesWhatIsNoStream) {
  Random random(5);
  EXPECT_FALSE(unpack_meshopt({"", 3, 4, "ATTRIBUTES"}));
  EXPECT_FALSE(unpack_meshopt({"abc", 3, 5, "ATTRIBUTES"})) << "a stride that is not allowed";
  EXPECT_FALSE(unpack_meshopt({"abc", 4, 2, "TRIANGLES"})) << "no whole triangles";
  EXPECT_FALSE(unpack_meshopt({"abc", 3, 4, "SOMETHING"}));
  EXPECT_FALSE(unpack_meshopt({"abc", 1'000'000'000, 4, "ATTRIBUTES"})) << "three bytes hold no billion";
  const std::string packed = *pack_meshopt(random_bytes(1200, random), 12, "ATTRIBUTES");
  for (std::size_t cut = 0; cut + 1 < packed.size(); cut += 7) {
    EXPECT_FALSE(unpack_meshopt({std::string_view(packed).substr(0, cut), 100, 12, "ATTRIBUTES"})) << cut;
  }
  for (int round = 0; round < 500; ++round) {
    std::string broken = packed;
    broken[random.index(broken.size())] = static_cast<char>(random.index(256));
    for (const char* mode : {"ATTRIBUTES", "TRIANGLES", "INDICES"}) {
      const std::size_t stride = mode[0] == 'A' ? 12 : 4;
      const auto whole = unpack_meshopt({broken, 99, stride, mode});
      EXPECT_TRUE(!whole || whole->size() == 99 * stride);
    }
  }
}

TEST(StageModel, HasEverybodyAndWhatStandsAround) {
  const std::string one = model();
  const GltfProp wall{"wall", {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {0, 1, 2}}, {1, 0, 0}};
  const auto three = stage_model(one, 3, std::span(&wall, 1), 2);
  ASSERT_TRUE(three) << three.error().to_string();
  const auto alone = read_model_mesh(one), all = read_model_mesh(*three);
  ASSERT_TRUE(alone && all) << all.error().to_string();
  ASSERT_EQ(all->positions.size(), 3 * alone->positions.size() + 3);
  EXPECT_EQ(all->positions[all->positions.size() - 2], (Vec3{2, 0, 0})) << "in the units of the model";
  EXPECT_FALSE(stage_model(one, 0));
  EXPECT_EQ(*stage_model(one, 1), one);
}

}  // namespace
}  // namespace loom::io
