// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <loom/motion/clip.h>
#include <loom/motion/contacts.h>

namespace loom::take {

/// Motion ready to be used: stretches of clips of one body, at one rate, mirrored where that was asked for, standing on
/// the floor y = 0, each with its contacts. Immutable once gathered; whoever plays it shares it.
struct TakeSet {
  std::shared_ptr<const motion::Skeleton> skeleton;
  std::vector<motion::Clip> clips;
  std::vector<motion::Contacts> contacts;
  std::vector<std::string> titles;  ///< of each clip, for people; none: the names of the clips

  /// Frames a second of all clips. There must be one.
  [[nodiscard]] double rate() const { return clips.front().rate; }
  /// What people call a clip: "walk_01", or "walk_01 (mirrored)".
  [[nodiscard]] const std::string& title(std::size_t clip) const {
    return clip < titles.size() ? titles[clip] : clips[clip].name;
  }
};

}  // namespace loom::take
