// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>

#include <loom/character/character_file.h>
#include <loom/io/gltf_read.h>
#include <loom/io/gltf_stage.h>
#include <loom/io/read_rig.h>

namespace loom::character {
namespace {

/// A tree of joints and which of them is which.
struct Chosen {
  motion::Rig rig;
  JointMap map;
};

std::size_t seats(const JointMap& map) {
  return static_cast<std::size_t>(
      std::count_if(map.joints.begin(), map.joints.end(), [](const MappedJoint& mapped) { return mapped.joint >= 0; }));
}

/// The tree with the most roles; with a map by hand the first that it fits.
Result<Chosen> choose(std::vector<motion::Rig> rigs, const std::optional<MapFile>& by_hand) {
  std::optional<Chosen> chosen;
  std::optional<Error> misfit;
  for (motion::Rig& rig : rigs) {
    Result<JointMap> map = map_joints(rig);
    if (map && by_hand) map = put_right(std::move(*map), rig, *by_hand);
    if (!map) {
      if (!misfit) misfit = map.error();
      continue;
    }
    if (!chosen || seats(*map) > seats(chosen->map)) chosen = Chosen{std::move(rig), std::move(*map)};
  }
  if (!chosen) return fail_because(*misfit, misfit->message, misfit->file, misfit->line);
  return std::move(*chosen);
}

void add(std::vector<std::string>& all, const std::vector<std::string>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

}  // namespace

Result<CharacterFile> open_character(io::PackedModel model, const std::optional<MapFile>& by_hand) {
  CharacterFile file;
  file.model = std::move(model);
  file.warnings = file.model.warnings;
  Result<io::AnimatedScene> scene = io::read_gltf_scene(file.model.glb, {}, {});
  if (!scene) return fail_from(scene);
  file.scene = std::move(*scene);
  Result<std::vector<motion::Rig>> rigs = io::rigs_of(file.scene);
  if (!rigs) return fail_from(rigs);
  const std::size_t trees = rigs->size();
  Result<Chosen> chosen = choose(std::move(*rigs), by_hand);
  if (!chosen) return fail_from(chosen);
  if (trees > 1) {
    file.warnings.push_back(fmt::format("The file has {} trees of joints; the one of {} is moved, the others stay.",
                                        trees, chosen->rig.name));
  }
  add(file.warnings, chosen->map.unclear);
  Result<RiggedCharacter> character = rig_character(file.scene, std::move(chosen->rig), std::move(chosen->map));
  if (!character) return fail_from(character);
  file.character = std::move(*character);
  if (Result<io::ModelMesh> mesh = io::read_model_mesh(file.model.glb)) {
    file.mesh = std::move(*mesh);
    fit_feet(file.character, file.scene, file.mesh);
    add(file.warnings, file.mesh.warnings);
  } else {
    file.warnings.push_back(fmt::format("Its surface cannot be read: {}.", mesh.error().message));
  }
  add(file.warnings, file.character.warnings);
  return file;
}

Result<CharacterFile> read_character(const std::string& path, const std::optional<MapFile>& by_hand) {
  Result<io::PackedModel> model = io::read_model(path);
  if (!model) return fail_from(model);
  Result<CharacterFile> file = open_character(std::move(*model), by_hand);
  if (!file && file.error().file.empty()) return fail_because(file.error(), file.error().message, path);
  return file;
}

Result<motion::Clip> carry(const motion::Clip& clip, const HumanBody& to, const CarryOptions& options,
                           const Progress& progress) {
  const Result<HumanBody> from = look_at_body(clip);
  if (!from) return fail_from(from);
  Transfer transfer = Transfer::between(*from, to, {options.feet, options.hands, sole_floor(*from, clip)});
  return transfer_clip(transfer, clip, progress);
}

Result<std::string> animated_file(const CharacterFile& file, std::span<const motion::Clip> clips) {
  std::vector<io::NodeAnimation> animations;
  for (const motion::Clip& clip : clips) {
    if (clip.joints() != file.character.body.skeleton->size()) {
      return fail(fmt::format("clip '{}' is on another body than the character", clip.name));
    }
    animations.push_back(node_animation(file.character, clip));
  }
  return io::animate_model(file.model.glb, animations);
}

Result<std::string> staged_file(const CharacterFile& file, std::span<const motion::Clip> clips,
                                std::span<const io::GltfProp> props) {
  if (clips.empty()) return fail("there is no motion to write");
  Result<std::string> stage = io::stage_model(file.model.glb, clips.size(), props, 1 / file.character.metres_per_unit);
  if (!stage) return fail_from(stage);
  io::NodeAnimation together{clips[0].name, clips[0].rate, {}, clips[0].labels};
  for (std::size_t c = 0; c < clips.size(); ++c) {
    if (clips[c].joints() != file.character.body.skeleton->size()) {
      return fail(fmt::format("clip '{}' is on another body than the character", clips[c].name));
    }
    if (clips[c].frames() != clips[0].frames()) return fail("the characters of a scene move for different times");
    io::NodeAnimation one = node_animation(file.character, clips[c]);
    for (io::NodeMotion& motion : one.nodes) {
      motion.node += static_cast<int>(c * file.scene.nodes.size());
      together.nodes.push_back(std::move(motion));
    }
  }
  return io::animate_model(*stage, std::span(&together, 1));
}

}  // namespace loom::character
