// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <loom/library/motion_files.h>

namespace loom::library {

/// Notes of one kind: what they say differs in numbers and in names between quotes alone.
struct NoteGroup {
  FileNote example;                ///< the first of them
  std::size_t notes = 0;           ///< how many there are
  std::vector<std::string> files;  ///< whom they are about, each once, in the order they came
  bool alike = true;               ///< whether all say the same, word for word
};

/// Gathers what is said about many files by kind, those with the most files first: nobody reads hundreds of lines that
/// say the same of other frames.
std::vector<NoteGroup> group_notes(std::span<const FileNote> notes);

/// "16_11.bvh: ..." for one note; "12 files (16_11.bvh, 16_12.bvh, 16_13.bvh and 9 more): ..." for many.
std::string to_string(const NoteGroup& group);

}  // namespace loom::library
