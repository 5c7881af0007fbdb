// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <loom/library/detail/body_choice.h>
#include <loom/library/import.h>
#include <loom/library/library.h>
#include <loom/motion/clip.h>

namespace loom::library {

/// One clip on its way in.
struct IncomingClip {
  motion::Clip clip;
  Provenance provenance;
  BodyChoice::Choice choice;
};

/// One file on its way in. It goes from stage to stage; an error or a reason to skip makes it pass through the rest.
struct ImportJob {
  std::size_t index = 0;
  std::string file;    ///< as the user named it
  std::string source;  ///< as the library remembers it
  std::string hash;
  std::vector<std::string> replaced;  ///< clips this file's will take the place of
  std::vector<IncomingClip> clips;
  std::string error, skipped;
  bool copy = false;               ///< skipped for another file of this import
  std::vector<std::string> notes;  ///< for the report
  std::optional<ImportGuess> guess;
  std::vector<ImportFault> faults;

  [[nodiscard]] bool live() const { return error.empty() && skipped.empty(); }
};

}  // namespace loom::library
