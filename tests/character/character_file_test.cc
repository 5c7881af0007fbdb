// SPDX-License-Identifier: MIT
// Real models moved and written, and read again by a reader that knows nothing of characters.
#include <filesystem>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include <loom/character/character_file.h>
#include <loom/io/gltf_read.h>
#include <loom/io/gltf_write.h>
#include <loom/io/raw_motion.h>
#include <loom/motion/contacts.h>
#include <loom/motion/kinematics.h>

#include "tests/character_table.h"
#include "tests/make_walk.h"

namespace loom::character {
namespace {

using namespace loom::testing;

bool is_model(const std::string& file) {
  const std::string ending = std::filesystem::path(file).extension().string();
  return ending == ".glb" || ending == ".gltf" || ending == ".vrm" || ending == ".fbx" || ending == ".dae";
}

motion::Clip some_gait() { return make_gait({}).clip; }

/// Compares where parts are in `written`, read as any motion is, with where the transfer has them.
void expect_same_places(const CharacterFile& file, const motion::Clip& clip, const std::string& written,
                        const std::string& what) {
  const auto scene = io::read_gltf_scene(written, what, {});
  ASSERT_TRUE(scene) << scene.error().to_string();
  ASSERT_EQ(scene->animations.size(), 1U) << what;
  // The file's own transforms, frame by frame, by nothing but multiplication.
  std::map<int, const io::NodeTracks*> tracks;
  for (const io::NodeTracks& track : scene->animations[0].tracks) tracks[track.node] = &track;
  const motion::WorldPoses poses = motion::forward_kinematics(clip);
  const RiggedCharacter& character = file.character;
  for (const std::size_t frame : {std::size_t{0}, clip.frames() / 2, clip.frames() - 1}) {
    for (std::size_t r = 0; r < kRoles; ++r) {
      const int joint = character.body.joints[r];
      if (joint < 0) continue;
      Vec3 place;
      int node = character.rig.nodes[static_cast<std::size_t>(character.rig_joints[static_cast<std::size_t>(joint)])];
      for (; node >= 0; node = scene->nodes[static_cast<std::size_t>(node)].parent) {
        io::SceneNode own = scene->nodes[static_cast<std::size_t>(node)];
        if (const auto found = tracks.find(node); found != tracks.end()) {
          const auto& turns = found->second->rotation.values;
          const auto& places = found->second->translation.values;
          if (!turns.empty()) own.rotation = turns[std::min(frame, turns.size() - 1)];
          if (!places.empty()) own.translation = places[std::min(frame, places.size() - 1)];
        }
        const Vec3 scaled{place.x * own.scale.x, place.y * own.scale.y, place.z * own.scale.z};
        place = own.translation + rotate(own.rotation, scaled);
      }
      const Vec3 wanted = poses.position(frame, static_cast<std::size_t>(joint));
      EXPECT_LT(distance(place * character.metres_per_unit, wanted), 2e-3f)
          << what << ": " << kRoleNames[r] << " in frame " << frame;
    }
  }
}

TEST(CharacterFile, OurOwnFilesComeBackTheSame) {
  const motion::Clip walk = some_gait();
  const io::GltfCharacter performer{"performer", walk.skeleton, {}, {}};
  const auto bytes = io::format_glb(std::span(&performer, 1));
  ASSERT_TRUE(bytes) << bytes.error().to_string();
  const auto file = open_character({*bytes, {}});
  ASSERT_TRUE(file) << file.error().to_string();
  const auto carried = carry(walk, file->character.body);
  ASSERT_TRUE(carried) << carried.error().to_string();
  const auto written = animated_file(*file, std::span(&*carried, 1));
  ASSERT_TRUE(written) << written.error().to_string();
  expect_same_places(*file, *carried, *written, "performer");
}

TEST(CharacterFile, WhatIsNoHumanIsRefused) {
  const auto nothing = open_character({"glTF", {}});
  EXPECT_FALSE(nothing);
  const auto missing = read_character("/nowhere/hero.glb");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().kind, ErrorKind::kNotFound);
}

TEST(CharactersRealModels, MovedAndWrittenTheyAreWhereTheTransferHasThem) {
  if (!std::filesystem::exists(characters_folder())) {
    GTEST_SKIP() << "SKIPPED: characters are needed in " << characters_folder() << ", and they are not there";
  }
  const motion::Clip walk = some_gait();
  std::size_t models = 0;
  for (const auto& [name, right] : read_character_table()) {
    if (!is_model(name)) continue;
    const auto file = read_character((characters_folder() / name).string());
    if (right.empty()) {
      EXPECT_FALSE(file) << name << " is no human";
      continue;
    }
    ASSERT_TRUE(file) << file.error().to_string();
    const auto carried = carry(walk, file->character.body);
    ASSERT_TRUE(carried) << name << ": " << carried.error().to_string();
    EXPECT_TRUE(motion::validate(*carried)) << name;
    const auto written = animated_file(*file, std::span(&*carried, 1));
    ASSERT_TRUE(written) << name << ": " << written.error().to_string();
    expect_same_places(*file, *carried, *written, name);
    ++models;
  }
  EXPECT_GE(models, 18U);
}

}  // namespace
}  // namespace loom::character
