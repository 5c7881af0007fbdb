// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <loom/base/result.h>
#include <loom/character/character_file.h>
#include <loom/library/library.h>

namespace loom::project {

/// Artefacts of a library that are characters: models kept as they came, in one file each, with the map of their
/// joints. Motions stay on the library's body and are carried over when they are played or written.
inline constexpr const char* kCharacterKind = "character";

/// What is told of a kept character without reading it.
struct StoredCharacter {
  std::string name, created, file;  ///< `file` is what it was read from
  std::size_t bytes = 0, joints = 0, vertices = 0;
};

/// Keeps a character under `name`, in place of one of that name. `file` says where it came from.
Result<void> store_character(library::Library& library, const std::string& name,
                             const character::CharacterFile& character, const std::string& file);

/// The character kept under `name`, with the map it was kept with; roles that would be found alike are as sure as they
/// were found. Fails when there is none, naming those there are.
Result<character::CharacterFile> load_character(const library::Library& library, const std::string& name);

/// Puts joints of a kept character right, for good, and gives it as it is now: what `by_hand` says of them holds, a
/// joint that had another role gives that up. Fails, and changes nothing, on a joint that there is not, and where it
/// would be no human any more.
Result<character::CharacterFile> put_character_right(library::Library& library, const std::string& name,
                                                     const character::MapFile& by_hand);

/// All kept characters, by name.
Result<std::vector<StoredCharacter>> stored_characters(const library::Library& library);

}  // namespace loom::project
