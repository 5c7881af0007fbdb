// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <loom/base/result.h>
#include <loom/character/character_file.h>
#include <loom/motion/skeleton.h>

#include "studio/project.h"
#include "studio/scene.h"

namespace loom::studio {

/// A character that the bodies of a scene are shown as: every pose of theirs is carried over and told as what the nodes
/// of the character's file do. For one thread at a time.
class Costume {
 public:
  /// For characters on these bodies, which stand on the floor 0.
  Costume(std::shared_ptr<const character::CharacterFile> character, std::span<const character::HumanBody> bodies);

  /// The nodes that are moved, by number in the file.
  [[nodiscard]] const std::vector<int>& nodes() const { return poser_.nodes(); }
  /// One a body: metres a unit of the file, where the character is drawn with legs as long as the body's, so that it
  /// stands and touches where the body does.
  [[nodiscard]] std::vector<double> sizes() const;
  /// Appends seven numbers a pose and node: translation, then rotation (w, x, y, z).
  void carry(std::span<const CharacterPose> poses, std::vector<float>& to);

 private:
  std::shared_ptr<const character::CharacterFile> character_;
  std::vector<character::Transfer> transfers_;  ///< one a kind of body
  std::vector<std::size_t> transfer_of_;        ///< one a body
  character::NodePoser poser_;
  std::vector<Quat> rotations_;
  std::vector<character::NodePose> pose_;
};

/// The characters of the library, ready to be shown. May be used from several threads at once.
class Wardrobe {
 public:
  explicit Wardrobe(Project& project) : project_(project) {}

  /// A character, read once and again when it was changed.
  Result<std::shared_ptr<const character::CharacterFile>> character(const std::string& name);
  /// The same for bodies of a scene. Fails where one is no human.
  Result<std::shared_ptr<Costume>> costume(const std::string& name,
                                           std::span<const std::shared_ptr<const motion::Skeleton>> bodies);

  /// The human whose skeleton it is, looked at in a clip of the library where one moves it.
  Result<character::HumanBody> human(const std::shared_ptr<const motion::Skeleton>& skeleton);

 private:
  struct Known {
    std::string name, stamp;
    std::shared_ptr<const character::CharacterFile> character;
  };
  Project& project_;
  std::mutex mutex_;
  std::vector<Known> known_;  ///< used last comes last
};

}  // namespace loom::studio
