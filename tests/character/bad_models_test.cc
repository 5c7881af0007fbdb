// SPDX-License-Identifier: MIT
// Models as people have them: what can be read is read, and what could not is told.
#include <cstring>
#include <functional>
#include <map>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <loom/character/character_file.h>
#include <loom/io/gltf_read.h>
#include <loom/io/gltf_stage.h>
#include <loom/io/gltf_write.h>
#include <loom/io/read_rig.h>
#include <loom/motion/kinematics.h>

#include "tests/make_walk.h"
#include "tests/temporary_folder.h"

namespace loom::character {
namespace {

using nlohmann::json;

motion::Clip some_walk() { return loom::testing::make_gait({}).clip; }

std::uint32_t word(const std::string& bytes, std::size_t at) {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes.data() + at, 4);
  return value;
}

/// The bytes of a performer with changes to the document and its numbers.
std::string model(const std::function<void(json& root, std::string& binary)>& change) {
  const motion::Clip walk = some_walk();
  const io::GltfCharacter performer{"performer", walk.skeleton, {}, {}};
  const std::string glb = *io::format_glb(std::span(&performer, 1));
  const std::size_t length = word(glb, 12);
  json root = json::parse(glb.substr(20, length));
  std::string binary = glb.substr(28 + length);
  change(root, binary);
  std::string text = root.dump();
  text.resize((text.size() + 3) & ~std::size_t{3}, ' ');
  std::string out = "glTF";
  const auto add = [&](std::size_t value) {
    const auto small = static_cast<std::uint32_t>(value);
    out.append(reinterpret_cast<const char*>(&small), 4);
  };
  add(2), add(28 + text.size() + binary.size()), add(text.size());
  out += "JSON" + text;
  add(binary.size());
  out.append("BIN\0", 4);
  return out + binary;
}

void expect_walks(const std::string& bytes, const std::string& what) {
  const auto packed = io::pack_gltf(bytes, what, ".");
  ASSERT_TRUE(packed) << what << ": " << packed.error().to_string();
  const auto file = open_character(*packed);
  ASSERT_TRUE(file) << what << ": " << file.error().to_string();
  const auto carried = carry(some_walk(), file->character.body);
  ASSERT_TRUE(carried) << what << ": " << carried.error().to_string();
  EXPECT_TRUE(motion::validate(*carried)) << what;
  EXPECT_TRUE(animated_file(*file, std::span(&*carried, 1))) << what;
}

TEST(BadModels, ATextureThatIsMissingIsTold) {
  const std::string bytes = model([](json& root, std::string&) { root["images"] = {{{"uri", "not_there.png"}}}; });
  expect_walks(bytes, "texture");
  const auto packed = io::pack_gltf(bytes, "texture", ".");
  ASSERT_EQ(packed->warnings.size(), 1U);
  EXPECT_NE(packed->warnings[0].find("not_there.png"), std::string::npos);
}

/// What is written must open everywhere: it names no file that is not there, and nothing shows a picture that is not.
TEST(BadModels, WhatIsWrittenLacksNoTexture) {
  const std::string bytes = model([](json& root, std::string&) {
    root["images"] = {{{"uri", "not_there.png"}}};
    root["textures"] = {{{"source", 0}}};
    root["materials"][0]["normalTexture"] = {{"index", 0}};
    root["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"] = {{"index", 0}};
  });
  const auto packed = io::pack_gltf(bytes, "texture", ".");
  ASSERT_TRUE(packed) << packed.error().to_string();
  const json root = json::parse(packed->glb.substr(20, word(packed->glb, 12)));
  EXPECT_FALSE(root["images"][0].contains("uri"));
  EXPECT_EQ(root["images"][0]["name"], "not_there.png");
  EXPECT_EQ(root["images"][0]["mimeType"], "image/png");
  EXPECT_FALSE(root["materials"][0].contains("normalTexture"));
  EXPECT_FALSE(root["materials"][0]["pbrMetallicRoughness"].contains("baseColorTexture"));
}

TEST(BadModels, BindMatricesHaveNoStride) {
  const std::string bytes = model([](json& root, std::string&) {
    const json& accessor = root["accessors"][root["skins"][0]["inverseBindMatrices"].get<int>()];
    root["bufferViews"][accessor["bufferView"].get<int>()]["byteStride"] = 64;
  });
  const auto packed = io::pack_gltf(bytes, "stride", ".");
  ASSERT_TRUE(packed) << packed.error().to_string();
  const json root = json::parse(packed->glb.substr(20, word(packed->glb, 12)));
  const json& accessor = root["accessors"][root["skins"][0]["inverseBindMatrices"].get<int>()];
  EXPECT_FALSE(root["bufferViews"][accessor["bufferView"].get<int>()].contains("byteStride"));
  expect_walks(bytes, "stride");
}

/// Below an armature scaled by a hundred, as Blender writes FBX, a bone of half a metre is a twohundredth long.
TEST(BadModels, SmallOffsetsBelowALargeScaleStay) {
  const loom::testing::TemporaryFolder folder;
  const std::string file = folder.write(
      "small.dae",
      "<?xml version=\"1.0\"?><COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" version=\"1.4.1\">"
      "<asset><unit name=\"meter\" meter=\"1\"/><up_axis>Y_UP</up_axis></asset><library_visual_scenes>"
      "<visual_scene id=\"scene\"><node id=\"rig\" name=\"rig\" type=\"JOINT\"><matrix>100 0 0 0 0 100 0 0 0 0 100 0 0 "
      "0 0 "
      "1</matrix><node id=\"hip\" name=\"hip\" type=\"JOINT\"><matrix>1 0 0 0 0 1 0 0.009 0 0 1 0 0 0 0 1</matrix>"
      "<node id=\"knee\" name=\"knee\" type=\"JOINT\"><matrix>1 0 0 0 0 1 0 -0.005 0 0 1 0 0 0 0 "
      "1</matrix></node></node>"
      "</node></visual_scene></library_visual_scenes><scene><instance_visual_scene url=\"#scene\"/></scene></COLLADA>");
  const auto packed = io::read_model(file);
  if (!packed && packed.error().to_string().find("worker") != std::string::npos)
    GTEST_SKIP() << packed.error().to_string();
  ASSERT_TRUE(packed) << packed.error().to_string();
  const auto scene = io::read_gltf_scene(packed->glb, {}, {});
  ASSERT_TRUE(scene) << scene.error().to_string();
  const auto rigs = io::rigs_of(*scene);
  ASSERT_TRUE(rigs) << rigs.error().to_string();
  std::map<std::string, Vec3> places;
  for (std::size_t j = 0; j < rigs->front().joints.size(); ++j)
    places[rigs->front().joints[j].name] = rigs->front().poses[0][j];
  EXPECT_LT(distance(places["hip"], Vec3{0, 0.9f, 0}), 1e-4f);
  EXPECT_LT(distance(places["knee"], Vec3{0, 0.4f, 0}), 1e-4f);
}

TEST(BadModels, OfTwoSkeletonsOneIsMovedAndThatIsTold) {
  const auto two = io::stage_model(model([](json&, std::string&) {}), 2);
  ASSERT_TRUE(two);
  expect_walks(*two, "two skeletons");
  const auto file = open_character({*two, {}});
  ASSERT_TRUE(file);
  ASSERT_FALSE(file->warnings.empty());
  EXPECT_NE(file->warnings[0].find("2 trees"), std::string::npos) << file->warnings[0];
}

TEST(BadModels, WeightsAreMadeToSumToOne) {
  const std::string bytes = model([](json& root, std::string& binary) {
    const json& accessor = root["accessors"][root["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"].get<int>()];
    const json& view = root["bufferViews"][accessor["bufferView"].get<int>()];
    const std::size_t begin = view["byteOffset"].get<std::size_t>(), count = accessor["count"].get<std::size_t>();
    ASSERT_EQ(accessor["componentType"], 5126);
    for (std::size_t i = 0; i < 4 * count; ++i) {
      float weight = 0;
      std::memcpy(&weight, binary.data() + begin + 4 * i, 4);
      weight *= 0.3f;
      std::memcpy(binary.data() + begin + 4 * i, &weight, 4);
    }
  });
  expect_walks(bytes, "weights");
  const auto mesh = io::read_model_mesh(bytes);
  ASSERT_TRUE(mesh);
  ASSERT_EQ(mesh->warnings.size(), 1U);
  EXPECT_NE(mesh->warnings[0].find("do not sum to one"), std::string::npos) << mesh->warnings[0];
  for (const auto& weights : mesh->weights) EXPECT_NEAR(weights[0] + weights[1] + weights[2] + weights[3], 1, 1e-5);
  // And what is written has them so, which validators ask for.
  const auto packed = io::pack_gltf(bytes, "weights", ".");
  ASSERT_TRUE(packed);
  ASSERT_EQ(packed->warnings.size(), 1U);
  EXPECT_EQ(packed->warnings[0], mesh->warnings[0]);
  const auto made = io::read_model_mesh(packed->glb);
  ASSERT_TRUE(made);
  EXPECT_TRUE(made->warnings.empty()) << made->warnings[0];
}

TEST(BadModels, ScaledAndMirroredNodesBonesWithoutLengthAndNoSkin) {
  expect_walks(model([](json& root, std::string&) {
                 for (json& node : root["nodes"]) {
                   if (node.value("name", "").find("Hips") != std::string::npos) node["scale"] = {-1, 1, 1};
                 }
               }),
               "mirrored");
  expect_walks(model([](json& root, std::string&) {
                 for (json& node : root["nodes"]) {
                   if (node.value("name", "").find("Toe") != std::string::npos) node["translation"] = {0, 0, 0};
                 }
               }),
               "toes without length");
  expect_walks(model([](json& root, std::string&) {
                 root.erase("skins");
                 for (json& node : root["nodes"]) node.erase("skin");
               }),
               "no skin");
}

/// What is said of a model, in one text.
std::string told_of(const std::string& bytes) {
  const auto packed = io::pack_gltf(bytes, "model", ".");
  if (!packed) return packed.error().message;
  const auto file = open_character(*packed);
  if (!file) return file.error().message;
  std::string told;
  for (const std::string& warning : file->warnings) told += warning + "\n";
  return told;
}

TEST(BadModels, WhatIsWrongIsTold) {
  const auto has = [](const std::string& told, const char* words) {
    return ::testing::AssertionResult(told.find(words) != std::string::npos)
           << "'" << told << "' lacks '" << words << "'";
  };
  EXPECT_EQ(told_of(model([](json&, std::string&) {})), "");
  EXPECT_TRUE(has(told_of(model([](json& root, std::string&) {
                    root.erase("skins");
                    for (json& node : root["nodes"]) node.erase("skin");
                  })),
                  "No skin binds"));
  EXPECT_TRUE(has(told_of(model([](json& root, std::string&) {
                    root.erase("meshes");
                    for (json& node : root["nodes"]) node.erase("mesh");
                  })),
                  "no surface"));
  EXPECT_TRUE(has(told_of(model([](json& root, std::string&) {
                    root["images"] = {{{"bufferView", 9999}}};
                  })),
                  "texture lies in no part"));
  EXPECT_TRUE(has(told_of(model([](json& root, std::string&) {
                    for (json& node : root["nodes"]) {
                      if (node.value("name", "").find("LeftArm") != std::string::npos) node["translation"] = {0, 0, 0};
                    }
                    for (json& skin : root["skins"]) skin.erase("inverseBindMatrices");
                  })),
                  "has no length"));
  EXPECT_TRUE(has(
      told_of(model([](json& root, std::string&) {
        const std::size_t top = root["nodes"].size();
        root["nodes"].push_back({{"name", "Mirror"}, {"scale", {-1, 1, 1}}, {"children", root["scenes"][0]["nodes"]}});
        root["scenes"][0]["nodes"] = {top};
      })),
      "'Mirror' mirrors"));
}

/// Takes the nodes of that name out of the tree: they become roots of their own.
void uproot(json& root, const std::string& name) {
  for (std::size_t n = 0; n < root["nodes"].size(); ++n) {
    if (root["nodes"][n].value("name", "").find(name) == std::string::npos) continue;
    for (json& node : root["nodes"]) {
      if (!node.contains("children")) continue;
      json left = json::array();
      for (const json& child : node["children"]) {
        if (child != n) left.push_back(child);
      }
      node["children"] = left;
      if (left.empty()) node.erase("children");
    }
    root["scenes"][0]["nodes"].push_back(n);
  }
}

TEST(BadModels, JointsWithoutACommonRootAreReadOrRefusedInWords) {
  const std::string bytes = model([](json& root, std::string&) { uproot(root, "Shoulder"); });
  const auto packed = io::pack_gltf(bytes, "roots", ".");
  ASSERT_TRUE(packed) << packed.error().to_string();
  const auto file = open_character(*packed);
  if (file) {
    expect_walks(bytes, "roots");
  } else {
    EXPECT_NE(file.error().message.find("lacks"), std::string::npos) << file.error().message;
  }
}

/// Scales within a skeleton: some exporters leave them on the hips, and take them back further out.
TEST(BadModels, ScalesWithinASkeletonAreRead) {
  expect_walks(model([](json& root, std::string&) {
                 for (json& node : root["nodes"]) {
                   const std::string name = node.value("name", "");
                   if (name.find("Hips") != std::string::npos) node["scale"] = {0.01, 0.01, 0.01};
                   if (name.find("LeftArm") != std::string::npos) node["scale"] = {1, 2, 0.5};
                 }
               }),
               "scales within");
}

/// The surface of a performer many times over, each with numbers of its own.
TEST(BadModels, AHundredMegabytesAreReadAndWritten) {
  constexpr std::size_t kBytes = 100'000'000;
  const std::string bytes = model([](json& root, std::string& binary) {
    const std::string surface = binary;
    json& primitives = root["meshes"][0]["primitives"];
    const json first = primitives[0];
    const auto copy = [&](int index) {
      json accessor = root["accessors"][static_cast<std::size_t>(index)];
      json view = root["bufferViews"][accessor["bufferView"].get<std::size_t>()];
      const std::size_t begin = view.value("byteOffset", std::size_t{0}), size = view["byteLength"].get<std::size_t>();
      view["byteOffset"] = binary.size();
      binary.append(surface, begin, size);
      binary.resize((binary.size() + 3) & ~std::size_t{3});
      accessor["bufferView"] = root["bufferViews"].size();
      root["bufferViews"].push_back(std::move(view));
      root["accessors"].push_back(std::move(accessor));
      return root["accessors"].size() - 1;
    };
    while (binary.size() < kBytes) {
      json more = first;
      for (auto& [name, index] : more["attributes"].items()) index = copy(index.get<int>());
      more["indices"] = copy(more["indices"].get<int>());
      primitives.push_back(std::move(more));
    }
    root["buffers"][0]["byteLength"] = binary.size();
  });
  ASSERT_GT(bytes.size(), kBytes);
  const auto file = open_character({bytes, {}});
  ASSERT_TRUE(file) << file.error().to_string();
  const auto carried = carry(some_walk(), file->character.body);
  ASSERT_TRUE(carried) << carried.error().to_string();
  const auto written = animated_file(*file, std::span(&*carried, 1));
  ASSERT_TRUE(written) << written.error().to_string();
  EXPECT_GT(written->size(), kBytes);
}

TEST(BadModels, ScaledArmaturesKeepTheirSizeInTheWorld) {
  const auto height = [](double scale) {
    const std::string bytes = model([&](json& root, std::string&) {
      const std::size_t top = root["nodes"].size();
      root["nodes"].push_back(
          {{"name", "Armature"}, {"scale", {scale, scale, scale}}, {"children", root["scenes"][0]["nodes"]}});
      root["scenes"][0]["nodes"] = {top};
    });
    expect_walks(bytes, "scaled");
    const auto file = open_character({bytes, {}});
    return file ? file->character.body.leg[0] / file->character.metres_per_unit : 0.0f;
  };
  const float plain = height(1);
  EXPECT_NEAR(height(0.5), 0.5f * plain, 1e-3f * plain);
  EXPECT_NEAR(height(100), 100 * plain, 0.1f * plain);
}

}  // namespace
}  // namespace loom::character
