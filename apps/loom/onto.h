// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/character/character_file.h>
#include <loom/io/gltf_write.h>
#include <loom/motion/clip.h>

#include "loom/options.h"

namespace loom::app {

/// Whom motion is to be carried to, and how.
struct OntoOptions {
  std::string file;  ///< of the character
  std::string map;   ///< of its joints, put right by hand; empty: they are found
  character::CarryOptions carry;
  bool compress = false;  ///< what is written, with meshopt
};

/// Adds --map, --hands, --no-feet and --compress.
void add_onto_options(Options& options, OntoOptions& onto);

/// Whom motion is carried to: a model with its mesh, or a bare skeleton.
class Onto {
 public:
  Onto(character::CharacterFile model, character::CarryOptions options, bool compress = false)
      : model_(std::move(model)), body_(model_->character.body), options_(options), compress_(compress) {}
  Onto(character::HumanBody body, std::string name, character::CarryOptions options)
      : body_(std::move(body)), name_(std::move(name)), options_(options) {}

  [[nodiscard]] std::vector<std::string> warnings() const { return model_ ? model_->warnings : body_.unclear; }
  [[nodiscard]] Result<motion::Clip> carry(const motion::Clip& clip, const Progress& progress = {}) const;
  /// Writes clips that were carried here: a model with its mesh as .glb or .vrm, a skeleton as .bvh, .glb or .gltf,
  /// either as .vrma.
  [[nodiscard]] Result<void> write(std::span<const motion::Clip> clips, const std::string& path) const;
  /// Carries clips here and writes them.
  [[nodiscard]] Result<void> carry_and_write(std::span<const motion::Clip> clips, const std::string& path) const;
  /// Carries clips here, each for one character of a scene, and writes them together, among `props`, which are scaled
  /// as the ways are. A .glb.
  [[nodiscard]] Result<void> write_scene(std::span<const motion::Clip> clips, std::span<const io::GltfProp> props,
                                         const std::string& path) const;
  /// A contact sheet of a clip that was carried here, of the model's own surface where it has one.
  [[nodiscard]] Result<void> draw(const motion::Clip& clip, const std::string& path) const;

 private:
  [[nodiscard]] Result<void> save(const Result<std::string>& bytes, const std::string& path) const;
  [[nodiscard]] Result<std::vector<motion::Clip>> carry_all(std::span<const motion::Clip> clips) const;

  std::optional<character::CharacterFile> model_;
  character::HumanBody body_;
  std::string name_;
  character::CarryOptions options_;
  bool compress_ = false;
};

/// Reads it.
Result<Onto> read_onto(const OntoOptions& options);

/// The character called `name` in the library, or where it has none of that name the file called so.
Result<Onto> find_onto(const std::string& library, const std::string& name);

/// The same where somebody is named; nothing where `name` is empty.
Result<std::optional<Onto>> find_onto_if(const std::string& library, const std::string& name);

/// Writes clips as `io::write_motion` does, and one clip of a human as .vrma too.
Result<void> write_motion(const std::string& path, std::span<const motion::Clip> clips, const std::string& name);

/// Whether `write_motion` knows this ending.
bool is_motion_output(const std::string& path);

/// What commands say of `--on`.
inline constexpr const char* kOnHelp = "the character it is written on: one of the library, or a model's file";

/// The map of joints in the file `path`; nothing where that is empty.
Result<std::optional<character::MapFile>> read_map(const std::string& path);

}  // namespace loom::app
