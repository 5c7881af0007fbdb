// SPDX-License-Identifier: MIT
// `loom character add`, `list` and `remove`: characters of a library.
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/library/library.h>
#include <loom/project/characters.h>
#include <loom/project/dependents.h>

#include "loom/command.h"
#include "loom/onto.h"
#include "loom/subcommands.h"
#include "loom/table.h"

namespace loom::app {
namespace {

constexpr const char* kAbout = "characters: which joint of a body is which";

struct CharacterKeepArguments {
  std::string library, name, map, file;
};

nlohmann::json character_json(const project::StoredCharacter& stored) {
  return {{"name", stored.name},   {"file", stored.file},     {"created", stored.created},
          {"bytes", stored.bytes}, {"joints", stored.joints}, {"vertices", stored.vertices}};
}

int add(const Command& command, CharacterKeepArguments arguments) {
  const auto map = read_map(arguments.map);
  if (!map) return report(map.error());
  const auto character = character::read_character(arguments.file, *map);
  if (!character) return report(character.error());
  for (const std::string& warning : character->warnings) notice(arguments.file + ": " + warning);
  if (arguments.name.empty()) arguments.name = std::filesystem::path(arguments.file).stem().string();
  auto library = library::Library::open(arguments.library, library::Access::kWrite);
  if (!library) return report(library.error());
  const std::string file = std::filesystem::path(arguments.file).filename().string();
  if (const auto kept = project::store_character(*library, arguments.name, *character, file); !kept) {
    return report(kept.error());
  }
  if (command.json) {
    print_json({{"character", arguments.name},
                {"library", arguments.library},
                {"joints", character->character.body.skeleton->size()},
                {"vertices", character->mesh.positions.size()},
                {"warnings", character->warnings}});
  } else {
    say("added character '{}' to {}: {} joints, {} vertices\n", arguments.name, arguments.library,
        character->character.body.skeleton->size(), character->mesh.positions.size());
  }
  return kDone;
}

int list(const Command& command, const CharacterKeepArguments& arguments) {
  const auto library = library::Library::open(arguments.library);
  if (!library) return report(library.error());
  const auto characters = project::stored_characters(*library);
  if (!characters) return report(characters.error());
  if (command.json) {
    auto told = nlohmann::json::array();
    for (const project::StoredCharacter& stored : *characters) told.push_back(character_json(stored));
    print_json({{"characters", std::move(told)}});
    return kDone;
  }
  Table table({"character", "from", "joints", "vertices", "MB"});
  for (const project::StoredCharacter& stored : *characters) {
    table.add({stored.name, stored.file, std::to_string(stored.joints), std::to_string(stored.vertices),
               fmt::format("{:.1f}", static_cast<double>(stored.bytes) / 1e6)});
  }
  table.print();
  return kDone;
}

int remove(const Command& command, const CharacterKeepArguments& arguments) {
  auto library = library::Library::open(arguments.library, library::Access::kWrite);
  if (!library) return report(library.error());
  if (const auto gone = project::remove_artefact(*library, project::kCharacterKind, arguments.name); !gone) {
    return report(gone.error());
  }
  if (command.json) {
    print_json({{"removed", arguments.name}});
  } else {
    say("removed character '{}'\n", arguments.name);
  }
  return kDone;
}

}  // namespace

void add_character_keep(Commands& commands) {
  auto arguments = std::make_shared<CharacterKeepArguments>();
  Command& adding = commands.add("character", kAbout, "add", "keep a character in a library, mesh and all",
                                 "loom character add moves.loom hero.glb --name hero");
  adding.options->add_option("library", arguments->library, "the library")->required();
  adding.options->add_option("file", arguments->file, "the character: .glb, .gltf, .vrm, .fbx or .dae")->required();
  adding.options->add_option("--name", arguments->name, "what it is called there (the file's name)");
  adding.options->add_option("--map", arguments->map, "a map put right by hand: what it says holds");
  adding.run = [arguments](const Command& self) { return add(self, *arguments); };

  Command& listing = commands.add("character", kAbout, "list", "tell which characters a library has",
                                  "loom character list moves.loom");
  listing.options->add_option("library", arguments->library, "the library")->required();
  listing.run = [arguments](const Command& self) { return list(self, *arguments); };

  Command& removing = commands.add("character", kAbout, "remove", "take a character out of a library",
                                   "loom character remove moves.loom hero");
  removing.options->add_option("library", arguments->library, "the library")->required();
  removing.options->add_option("name", arguments->name, "the character")->required();
  removing.run = [arguments](const Command& self) { return remove(self, *arguments); };
}

}  // namespace loom::app
