// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/character/map_file.h>
#include <loom/character/rigged_character.h>
#include <loom/character/transfer.h>
#include <loom/io/animated_scene.h>
#include <loom/io/gltf_model.h>
#include <loom/io/gltf_write.h>
#include <loom/motion/clip.h>

namespace loom::character {

/// A character ready to be moved and written: its file with everything in it, and what is known of it.
struct CharacterFile {
  io::PackedModel model;
  io::AnimatedScene scene;
  io::ModelMesh mesh;
  RiggedCharacter character;
  std::vector<std::string> warnings;  ///< what could not be read or was guessed, in full sentences
};

/// Looks at a packed model: finds the human in it, of several trees of joints the one with the most roles, and the
/// shape of its feet. What `by_hand` says of its joints holds. Fails where there is no human, saying what is missing.
Result<CharacterFile> open_character(io::PackedModel model, const std::optional<MapFile>& by_hand = {});

/// The same from the file at `path` (see `io::read_model`).
Result<CharacterFile> read_character(const std::string& path, const std::optional<MapFile>& by_hand = {});

/// How a clip is carried to a character.
struct CarryOptions {
  bool feet = true;    ///< as in TransferOptions
  bool hands = false;  ///< likewise
};

/// `clip` on the skeleton of `to`: the body it is on is looked at, the floor it stands on found.
Result<motion::Clip> carry(const motion::Clip& clip, const HumanBody& to, const CarryOptions& options = {},
                           const Progress& progress = {});

/// The character's file with these clips, which are on its skeleton, as its animations: the bytes of a .glb.
Result<std::string> animated_file(const CharacterFile& file, std::span<const motion::Clip> clips);

/// As many of the character as there are clips, which are on its skeleton, in one scene and one animation called after
/// the first clip, among `props` in metres (see `io::stage_model`).
Result<std::string> staged_file(const CharacterFile& file, std::span<const motion::Clip> clips,
                                std::span<const io::GltfProp> props = {});

}  // namespace loom::character
