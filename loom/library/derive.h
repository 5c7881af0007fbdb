// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include <loom/library/library.h>

namespace loom::library {

/// How a new clip is made of another one.
struct Derivation {
  std::string as;                 ///< what it is called
  std::size_t from = 0;           ///< first frame
  std::optional<std::size_t> to;  ///< one past the last frame; nothing: the end
  bool mirror = false;            ///< left and right exchanged, after cutting
};

/// Adds a clip made of `clip`, with the labels of what it has of it; its provenance tells how it was made. Fails where
/// Library::read_clip, motion::cut, motion::mirror or Library::add_clip do, and changes nothing then.
Result<void> derive_clip(Library& library, const std::string& clip, const Derivation& derivation);

}  // namespace loom::library
