// SPDX-License-Identifier: MIT
// Characters in the studio: dropped, mapped, put right, shown in place of plain bodies.
#include <gtest/gtest.h>

#include <loom/character/character_file.h>
#include <loom/io/gltf_write.h>
#include <loom/motion/kinematics.h>
#include <loom/project/characters.h>

#include "tests/studio/opened_studio.h"

namespace loom::studio {
namespace {

/// A performer whose bones are all longer by `scale`, as a model without motion.
std::string performer(float scale) {
  const motion::Clip walk = testing::make_gait({}).clip;
  std::vector<motion::Joint> joints;
  for (std::size_t j = 0; j < walk.skeleton->size(); ++j) {
    motion::Joint joint = walk.skeleton->joint(j);
    joint.offset *= scale;
    joints.push_back(joint);
  }
  std::vector<motion::EndSite> ends(walk.skeleton->end_sites().begin(), walk.skeleton->end_sites().end());
  for (motion::EndSite& end : ends) end.offset *= scale;
  const auto skeleton = std::make_shared<const motion::Skeleton>(*motion::Skeleton::create(joints, ends));
  const io::GltfCharacter character{"performer", skeleton, {}, {}};
  return *io::format_glb(std::span(&character, 1));
}

class CharacterRoutes : public StudioRoutes {
 protected:
  void add(const std::string& name, float scale) {
    drop("models", name + ".glb", performer(scale));
    ASSERT_TRUE(ask_json("POST", "/api/characters", {{"batch", "models"}}).contains("job"));
    ASSERT_EQ(finished_job()["state"], "done") << finished_job().dump();
  }
  static json role(const json& about, const std::string& name) {
    for (const json& entry : about["roles"]) {
      if (entry["role"] == name) return entry;
    }
    return {};
  }
};

TEST_F(CharacterRoutes, WhatIsDroppedIsKeptAndTold) {
  add("giant", 2);
  const json kept = finished_job()["result"]["characters"][0];
  EXPECT_EQ(kept["name"], "giant");
  EXPECT_GT(kept["vertices"], 100);
  const json list = ask_json("GET", "/api/characters")["characters"];
  ASSERT_EQ(list.size(), 1U);
  EXPECT_EQ(list[0]["file"], "giant.glb");
  const json about = ask_json("GET", "/api/characters/giant");
  for (const json& entry : about["roles"]) {
    if (entry["joint"] >= 0) {
      EXPECT_GT(entry["confidence"], 0.5) << entry;
    }
  }
  EXPECT_GE(role(about, "left_foot")["joint"], 0);
  const Response model = ask("GET", "/api/characters/giant/model");
  EXPECT_EQ(model.type, "model/gltf-binary");
  EXPECT_EQ(model.body.substr(0, 4), "glTF");
  EXPECT_NE(ask("GET", "/api/characters/giant/map").body.find("left_foot = "), std::string::npos);
  EXPECT_EQ(ask("DELETE", "/api/characters/giant").status, 200);
  EXPECT_TRUE(ask_json("GET", "/api/characters")["characters"].empty());
  EXPECT_EQ(ask("GET", "/api/characters/giant").status, 404);
}

TEST_F(CharacterRoutes, WhatIsNoCharacterIsRefusedWithItsReason) {
  drop("a", "nothing.glb", "glTF, or not");
  ASSERT_TRUE(ask_json("POST", "/api/characters", {{"batch", "a"}}).contains("job"));
  const json job = finished_job();
  EXPECT_EQ(job["state"], "failed");
  EXPECT_EQ(job["error"].get<std::string>().find("motion-loom-uploads"), std::string::npos) << "no folder of ours";
  drop("b", "walk.bvh", "HIERARCHY");
  EXPECT_EQ(ask("POST", "/api/characters", {{"batch", "b"}}).status, 400);
}

TEST_F(CharacterRoutes, AJointThatIsPutRightStaysSo) {
  add("hero", 1);
  const json before = ask_json("GET", "/api/characters/hero");
  const int spine = role(before, "spine")["joint"], chest = role(before, "chest")["joint"];
  ASSERT_GE(chest, 0);
  const json after = ask_json("POST", "/api/characters/hero/map", {{"role", "spine"}, {"joint", chest}});
  EXPECT_EQ(role(after, "spine")["joint"], chest);
  EXPECT_EQ(role(after, "spine")["confidence"], 1) << "somebody said so";
  EXPECT_EQ(role(after, "chest")["joint"], -1) << "no joint has two roles";
  EXPECT_EQ(role(after, "left_foot"), role(before, "left_foot")) << "others stay as sure as they were";
  EXPECT_EQ(ask_json("GET", "/api/characters/hero"), after);
  ask_json("POST", "/api/characters/hero/map", {{"role", "spine"}, {"joint", spine}});
  EXPECT_EQ(ask_json("POST", "/api/characters/hero/map", {{"role", "chest"}, {"joint", chest}})["roles"],
            before["roles"]);
  EXPECT_EQ(ask("POST", "/api/characters/hero/map", {{"role", "tail"}, {"joint", 1}}).status, 400);
  EXPECT_EQ(ask("POST", "/api/characters/hero/map", {{"role", "spine"}, {"joint", 9999}}).status, 400);
  EXPECT_EQ(ask("POST", "/api/characters/hero/map", {{"role", "hips"}, {"joint", nullptr}}).status, 400)
      << "without hips it would be no human";
  EXPECT_EQ(ask_json("GET", "/api/characters/hero")["roles"], before["roles"]) << "what is refused changes nothing";
}

TEST_F(CharacterRoutes, AClipIsCarriedWithTheWaysOfHandsAndFeet) {
  add("giant", 2);
  const Response packed = ask("GET", "/api/clips/walk/on/giant");
  ASSERT_EQ(packed.status, 200) << packed.body;
  const json header = header_of(packed.body);
  EXPECT_NEAR(header["scale"].get<double>(), 2, 0.02);
  std::size_t floats = 0;
  for (const json& track : header["tracks"]) {
    floats += 4 * track["rotations"].get<std::size_t>() + 3 * track["translations"].get<std::size_t>();
  }
  const std::size_t frames = header["frames"], ends = 12 * frames;
  std::uint32_t length = 0;
  std::memcpy(&length, packed.body.data(), 4);
  ASSERT_EQ(packed.body.size(), 4 + length + 4 * (floats + 2 * ends));
  // A body twice as large has hands and feet twice as far out.
  std::vector<float> both(2 * ends);
  std::memcpy(both.data(), packed.body.data() + 4 + length + 4 * floats, 8 * ends);
  for (std::size_t f = 0; f < frames; f += 10) {
    for (std::size_t end = 0; end < 4; ++end) {
      const float height = both[12 * f + 3 * end + 1] - header["floor"].get<float>();
      EXPECT_NEAR(both[ends + 12 * f + 3 * end + 1], 2 * height, 0.05) << f << " " << end;
    }
  }
  EXPECT_EQ(ask("GET", "/api/clips/walk/on/nobody").status, 404);
  EXPECT_EQ(ask("GET", "/api/clips/walk/file/glb?on=giant").body.substr(0, 4), "glTF");
}

TEST_F(CharacterRoutes, ALiveSceneIsCarriedPoseByPose) {
  add("giant", 2);
  ask_json("POST", "/api/graphs", {{"name", "g"}, {"labels", json::array()}, {"connect", 0.5}});
  ASSERT_EQ(finished_job()["state"], "done");
  const json scene = ask_json("POST", "/api/graphs/g/walk", {{"seed", 1}});
  ASSERT_TRUE(scene.contains("scene")) << scene;
  const std::string id = std::to_string(scene["scene"].get<int>());
  const json worn = ask_json("POST", "/api/scenes/" + id + "/wear", {{"character", "giant"}});
  ASSERT_EQ(worn["sizes"].size(), 1U) << worn;
  EXPECT_NEAR(worn["sizes"][0].get<double>(), 0.5, 0.01) << "drawn as large as the body it stands for";
  const auto page = std::make_shared<FakePage>();
  studio_->opened(page);
  studio_->received(page, json({{"do", "join"}, {"scene", scene["scene"]}}).dump());
  for (int i = 0; i < 3000 && page->frame_count() < 3; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  ASSERT_GE(page->frame_count(), 3U);
  const std::string frame = page->frames.back();
  std::array<std::uint32_t, 5> head{};
  std::memcpy(head.data(), frame.data(), sizeof head);
  const std::size_t plain = 4 * (4 + 7 + 4 * head[4] + head[3]), nodes = worn["nodes"].size();
  ASSERT_EQ(frame.size(), plain + 28 * nodes);
  // The hips, the first of the nodes, are twice as high as the body's.
  Vec3 root, hips;
  std::memcpy(&root, frame.data() + 20, 12);
  std::memcpy(&hips, frame.data() + plain, 12);
  EXPECT_NEAR(hips.y, 2 * root.y, 0.1);
  ask_json("POST", "/api/scenes/" + id + "/wear", {{"character", ""}});
  const std::size_t before = page->frame_count();
  for (int i = 0; i < 3000 && page->frame_count() < before + 3; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_EQ(page->frames.back().size(), plain);
  studio_->closed(page);
  EXPECT_EQ(ask("POST", "/api/scenes/777/wear", {{"character", "giant"}}).status, 404);
}

}  // namespace
}  // namespace loom::studio
