// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace loom::play {

/// The pieces of recordings that a character played and left a moment ago, and does not go back to: showing the same
/// quarter of a second again and again while the body travels is what gives made motion away. Does not allocate.
class RecentPieces {
 public:
  /// Frames [begin, end) of a clip.
  struct Piece {
    std::uint32_t clip = 0, begin = 0, end = 0;
    float left_ago = 0;  ///< seconds
  };

  /// Forgets what was left more than `memory_seconds` ago.
  explicit RecentPieces(float memory_seconds) : memory_seconds_(memory_seconds) {}

  /// The character enters a clip at `frame`; what it was in ends at the frame `left`.
  void enter(std::uint32_t clip, std::uint32_t frame, std::uint32_t left);
  /// Lets time pass.
  void step(float seconds);
  /// Whether `frame` lies in a piece left lately, or within `margin` frames of one.
  [[nodiscard]] bool has(std::uint32_t clip, std::uint32_t frame, std::uint32_t margin) const;
  /// Those left lately, the last first; at most kMost.
  [[nodiscard]] std::span<const Piece> left() const { return {pieces_.data(), count_}; }

  static constexpr std::size_t kMost = 8;

 private:
  float memory_seconds_;
  std::array<Piece, kMost> pieces_{};
  std::size_t count_ = 0;
  Piece playing_;
  bool started_ = false;
};

}  // namespace loom::play
