// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace loom::take {

/// A stretch of a clip of a library: what everything that is built of clips remembers of each of them. Frames are
/// counted at the rate of what was built.
struct Stretch {
  std::string name;          ///< of the clip in the library; the same for a stretch and its mirrored copy
  bool mirrored = false;     ///< as seen in a mirror
  std::uint32_t begin = 0;   ///< the first frame, of the library's clip
  std::uint32_t frames = 0;  ///< how many

  /// One past the last frame, of the library's clip.
  [[nodiscard]] std::uint32_t end() const { return begin + frames; }
  /// What people call it: "walk_01", or "walk_01 (mirrored)".
  [[nodiscard]] std::string title() const { return mirrored ? name + " (mirrored)" : name; }
  /// The same with its frames, where a clip has several: "walk_01 [120-210) (mirrored)".
  [[nodiscard]] std::string describe() const;

  friend bool operator==(const Stretch&, const Stretch&) = default;
};

}  // namespace loom::take
