// SPDX-License-Identifier: MIT
#include <cstddef>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/json_text.h>
#include <loom/character/map_file.h>
#include <loom/io/gltf_model.h>
#include <loom/project/characters.h>

namespace loom::project {
namespace {

std::size_t count_in(const nlohmann::json& about, const char* key) {
  const auto found = about.is_object() ? about.find(key) : about.end();
  return found != about.end() && found->is_number_unsigned() ? found->get<std::size_t>() : 0;
}

std::string text_in(const nlohmann::json& about, const char* key) {
  const auto found = about.is_object() ? about.find(key) : about.end();
  return found != about.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// A kept map says every role, so that all of them are certain; those that are found alike are as sure as that.
void be_as_sure_as_found(character::RiggedCharacter& character) {
  const auto found = character::map_joints(character.rig);
  if (!found) return;
  for (std::size_t r = 0; r < character::kRoles; ++r) {
    const character::MappedJoint& same = found->joints[r];
    if (same.joint == character.map.joints[r].joint) character.map.joints[r].confidence = same.confidence;
  }
}

}  // namespace

Result<void> store_character(library::Library& library, const std::string& name,
                             const character::CharacterFile& character, const std::string& file) {
  library::ArtefactInfo info;
  info.kind = kCharacterKind;
  info.name = name;
  info.parameters = json_text({{"file", file},
                               {"joints", character.character.body.skeleton->size()},
                               {"vertices", character.mesh.positions.size()},
                               {"map", character::map_text(character.character.map, character.character.rig)}});
  return library.put_artefact(info, std::as_bytes(std::span(character.model.glb)));
}

Result<character::CharacterFile> load_character(const library::Library& library, const std::string& name) {
  const auto artefact = library.get_artefact(kCharacterKind, name);
  if (!artefact) return fail_from(artefact);
  const std::string where = fmt::format("character '{}' of {}", name, library.path());
  io::PackedModel model{{reinterpret_cast<const char*>(artefact->data.data()), artefact->data.size()}, {}};
  std::optional<character::MapFile> by_hand;
  if (const std::string map = text_in(parse_json(artefact->info.parameters), "map"); !map.empty()) {
    auto read = character::read_map(map, where);
    if (!read) return fail_as(ErrorKind::kDamaged, read.error().message, where, read.error().line);
    by_hand = std::move(*read);
  }
  auto character = character::open_character(std::move(model), by_hand);
  if (!character) return fail_as(ErrorKind::kDamaged, character.error().message, where);
  be_as_sure_as_found(character->character);
  return character;
}

Result<character::CharacterFile> put_character_right(library::Library& library, const std::string& name,
                                                     const character::MapFile& by_hand) {
  auto kept = load_character(library, name);
  if (!kept) return fail_from(kept);
  const auto known = stored_characters(library);
  if (!known) return fail_from(known);
  std::string file;
  for (const StoredCharacter& stored : *known) {
    if (stored.name == name) file = stored.file;
  }
  const auto map = character::put_right(kept->character.map, kept->character.rig, by_hand);
  if (!map) return fail_from(map);
  const auto whole = character::read_map(character::map_text(*map, kept->character.rig), by_hand.file);
  if (!whole) return fail_from(whole);
  auto right = character::open_character(std::move(kept->model), *whole);
  if (!right) return fail_from(right);
  if (const auto stored = store_character(library, name, *right, file); !stored) return fail_from(stored);
  be_as_sure_as_found(right->character);
  return right;
}

Result<std::vector<StoredCharacter>> stored_characters(const library::Library& library) {
  const auto known = library.artefacts(kCharacterKind);
  if (!known) return fail_from(known);
  std::vector<StoredCharacter> characters;
  for (const library::ArtefactInfo& info : *known) {
    const nlohmann::json about = parse_json(info.parameters);
    characters.push_back({info.name, info.created, text_in(about, "file"), info.bytes, count_in(about, "joints"),
                          count_in(about, "vertices")});
  }
  return characters;
}

}  // namespace loom::project
