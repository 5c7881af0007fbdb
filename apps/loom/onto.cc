// SPDX-License-Identifier: MIT
#include "loom/onto.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include <loom/base/file.h>
#include <loom/base/text.h>
#include <loom/character/map_file.h>
#include <loom/character/vrm_animation.h>
#include <loom/io/gltf_compress.h>
#include <loom/io/read.h>
#include <loom/io/write.h>
#include <loom/library/library.h>
#include <loom/picture/contact_sheet.h>
#include <loom/picture/mesh_sheet.h>
#include <loom/project/characters.h>

#include "loom/choice.h"
#include "loom/source.h"

namespace loom::app {
namespace {

constexpr std::size_t kPicturePoses = 8;

std::string ending_of(const std::string& path) { return lower_case(std::filesystem::path(path).extension().string()); }

Result<void> write_vrma(const character::HumanBody& body, std::span<const motion::Clip> clips, float floor,
                        const std::string& path) {
  if (clips.size() != 1) {
    return fail_as(ErrorKind::kBadInput, fmt::format("a .vrma holds one motion, not {}", clips.size()), path);
  }
  const Result<std::string> bytes = character::vrm_animation(body, clips[0], floor);
  if (!bytes) return fail_because(bytes.error(), bytes.error().message, path);
  return save_file(path, *bytes);
}

bool is_model(const std::string& path) {
  const std::string ending = ending_of(path);
  return ending == ".glb" || ending == ".gltf" || ending == ".vrm" || ending == ".fbx" || ending == ".dae";
}

/// A skeleton without a mesh: that of the first clip of its file.
Result<Onto> read_skeleton(const OntoOptions& options, const std::optional<character::MapFile>& map) {
  const auto clips = io::read_motion(options.file);
  if (!clips) return fail_from(clips);
  const motion::Clip& clip = clips->front().clip;
  Result<character::HumanBody> body = character::look_at_body(clip, map);
  if (!body) return fail_because(body.error(), body.error().message, options.file);
  return Onto(std::move(*body), std::filesystem::path(options.file).stem().string(), options.carry);
}

}  // namespace

void add_onto_options(Options& options, OntoOptions& onto) {
  options.add_option("--map", onto.map,
                     "which joint of the character is which, put right by hand (loom character map)");
  options.add_flag("--hands", onto.carry.hands,
                   "hands stay on what they touch: each other, the head, the trunk, the legs");
  add_off_flag(options, "--no-feet", onto.carry.feet, "carry rotations over and leave feet where that puts them");
  options.add_flag("--compress", onto.compress, "a smaller .glb: meshopt compression, nothing is lost");
}

Result<std::optional<character::MapFile>> read_map(const std::string& path) {
  if (path.empty()) return std::nullopt;
  const Result<FileBytes> bytes = load_file(path);
  if (!bytes) return fail_from(bytes);
  Result<character::MapFile> map = character::read_map(bytes->text(), path);
  if (!map) return fail_from(map);
  return std::optional(std::move(*map));
}

Result<void> write_motion(const std::string& path, std::span<const motion::Clip> clips, const std::string& name) {
  if (ending_of(path) != ".vrma") return io::write_motion(path, clips, name);
  if (clips.empty()) return fail("there is no motion to write", path);
  const auto body = character::look_at_body(clips[0]);
  if (!body) return fail_because(body.error(), body.error().message, path);
  return write_vrma(*body, clips, character::sole_floor(*body, clips[0]), path);
}

bool is_motion_output(const std::string& path) {
  return io::is_writable_motion_file(path) || ending_of(path) == ".vrma";
}

Result<Onto> find_onto(const std::string& library, const std::string& name) {
  if (is_library(library)) {
    const auto opened = library::Library::open(library);
    if (!opened) return fail_from(opened);
    const auto known = project::stored_characters(*opened);
    if (!known) return fail_from(known);
    const auto is_it = [&](const project::StoredCharacter& stored) { return stored.name == name; };
    if (std::any_of(known->begin(), known->end(), is_it)) {
      auto character = project::load_character(*opened, name);
      if (!character) return fail_from(character);
      return Onto(std::move(*character), {});
    }
  }
  std::error_code unknown;
  if (!std::filesystem::exists(name, unknown)) {
    return fail_as(ErrorKind::kNotFound, "there is no such file, and no character of that name in the library", name);
  }
  return read_onto({name, {}, {}});
}

Result<std::optional<Onto>> find_onto_if(const std::string& library, const std::string& name) {
  if (name.empty()) return std::nullopt;
  Result<Onto> onto = find_onto(library, name);
  if (!onto) return fail_from(onto);
  return std::optional(std::move(*onto));
}

Result<Onto> read_onto(const OntoOptions& options) {
  const auto map = read_map(options.map);
  if (!map) return fail_from(map);
  if (!is_model(options.file)) return read_skeleton(options, *map);
  Result<character::CharacterFile> file = character::read_character(options.file, *map);
  if (!file) return fail_from(file);
  return Onto(std::move(*file), options.carry, options.compress);
}

Result<motion::Clip> Onto::carry(const motion::Clip& clip, const Progress& progress) const {
  return character::carry(clip, body_, options_, progress);
}

Result<void> Onto::write(std::span<const motion::Clip> clips, const std::string& path) const {
  const std::string ending = ending_of(path);
  if (ending == ".vrma") return write_vrma(body_, clips, 0, path);
  if (!model_ || ending == ".bvh") return io::write_motion(path, clips, name_);
  if (ending != ".glb" && ending != ".vrm") {
    return fail_as(ErrorKind::kBadInput, "a character is written as .glb, .vrm, .vrma or .bvh; give one of these",
                   path);
  }
  return save(character::animated_file(*model_, clips), path);
}

Result<void> Onto::save(const Result<std::string>& bytes, const std::string& path) const {
  if (!bytes) return fail_because(bytes.error(), bytes.error().message, path);
  if (!compress_) return save_file(path, *bytes);
  const Result<std::string> smaller = io::compress_model(*bytes);
  if (!smaller) return fail_because(smaller.error(), smaller.error().message, path);
  return save_file(path, *smaller);
}

Result<std::vector<motion::Clip>> Onto::carry_all(std::span<const motion::Clip> clips) const {
  std::vector<motion::Clip> carried;
  for (const motion::Clip& clip : clips) {
    auto one = carry(clip);
    if (!one) return fail_from(one);
    carried.push_back(std::move(*one));
  }
  return carried;
}

Result<void> Onto::carry_and_write(std::span<const motion::Clip> clips, const std::string& path) const {
  const auto carried = carry_all(clips);
  if (!carried) return fail_from(carried);
  return write(*carried, path);
}

Result<void> Onto::write_scene(std::span<const motion::Clip> clips, std::span<const io::GltfProp> props,
                               const std::string& path) const {
  if (ending_of(path) != ".glb") {
    return fail_as(ErrorKind::kBadInput, "a scene of characters is written as .glb", path);
  }
  const auto all = carry_all(clips);
  if (!all) return fail_from(all);
  const std::vector<motion::Clip>& carried = *all;
  const auto from = character::look_at_body(clips[0]);
  if (!from) return fail_from(from);
  const float scale = character::Transfer::between(*from, body_).scale();
  std::vector<io::GltfProp> scaled(props.begin(), props.end());
  for (io::GltfProp& prop : scaled) {
    for (Vec3& p : prop.mesh.positions) p *= scale;
  }
  if (!model_) {
    std::vector<io::GltfCharacter> characters;
    for (std::size_t c = 0; c < carried.size(); ++c) {
      characters.push_back({fmt::format("{} {}", name_, c + 1), carried[c].skeleton, {carried[c]}});
    }
    return io::write_gltf(characters, path, scaled);
  }
  return save(character::staged_file(*model_, carried, scaled), path);
}

Result<void> Onto::draw(const motion::Clip& clip, const std::string& path) const {
  if (!model_ || model_->mesh.triangles.empty()) return picture::write_contact_sheet(clip, {}, path);
  const io::NodeAnimation animation = character::node_animation(model_->character, clip);
  picture::MeshSheet sheet;
  sheet.title = clip.name;
  sheet.triangles = model_->mesh.triangles;
  sheet.colours = model_->mesh.colours;
  const std::size_t frames = clip.frames(), poses = std::min(kPicturePoses, frames);
  for (std::size_t p = 0; p < poses; ++p) {
    const std::size_t f = poses > 1 ? p * (frames - 1) / (poses - 1) : 0;
    std::vector<Vec3> places = character::pose_mesh(model_->scene, model_->mesh, animation, f);
    for (Vec3& place : places) place *= model_->character.metres_per_unit;
    sheet.poses.push_back({std::move(places), fmt::format("{:.2f} s", static_cast<double>(f) / clip.rate)});
  }
  return picture::write_mesh_sheet(sheet, path);
}

}  // namespace loom::app
