// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/character/character_file.h>
#include <loom/motion/clip.h>

#include "loom/options.h"

namespace loom::app {

/// Whom motion is to be carried to, and how.
struct OntoOptions {
  std::string file;  ///< of the character
  std::string map;   ///< of its joints, put right by hand; empty: they are found
  character::CarryOptions carry;
};

/// Adds --map and --no-feet.
void add_onto_options(Options& options, OntoOptions& onto);

/// Whom motion is carried to: a model with its mesh, or a bare skeleton.
class Onto {
 public:
  Onto(character::CharacterFile model, character::CarryOptions options)
      : model_(std::move(model)), body_(model_->character.body), options_(options) {}
  Onto(character::HumanBody body, std::string name, character::CarryOptions options)
      : body_(std::move(body)), name_(std::move(name)), options_(options) {}

  [[nodiscard]] std::vector<std::string> warnings() const { return model_ ? model_->warnings : body_.unclear; }
  [[nodiscard]] Result<motion::Clip> carry(const motion::Clip& clip, const Progress& progress = {}) const;
  /// Writes clips that were carried here: a model with its mesh as .glb or .vrm, a skeleton as .bvh, .glb or .gltf.
  [[nodiscard]] Result<void> write(std::span<const motion::Clip> clips, const std::string& path) const;
  /// A contact sheet of a clip that was carried here, of the model's own surface where it has one.
  [[nodiscard]] Result<void> draw(const motion::Clip& clip, const std::string& path) const;

 private:
  std::optional<character::CharacterFile> model_;
  character::HumanBody body_;
  std::string name_;
  character::CarryOptions options_;
};

/// Reads it.
Result<Onto> read_onto(const OntoOptions& options);

/// The character called `name` in the library, or where it has none of that name the file called so.
Result<Onto> find_onto(const std::string& library, const std::string& name);

/// The map of joints in the file `path`; nothing where that is empty.
Result<std::optional<character::MapFile>> read_map(const std::string& path);

}  // namespace loom::app
