// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <loom/live/part_frame.h>

namespace loom::live {

/// The newest frames of a source, written by the one thread that listens and read by any number of streams, none of
/// which ever waits for another: the oldest frames are written over, and who reads one meanwhile reads it again (a
/// sequence lock around every frame, Boehm 2012). A reader that falls behind by more than it holds misses frames.
class PoseFeed {
 public:
  static constexpr std::size_t kFrames = 256;

  /// Adds a frame. One thread alone.
  void push(const PartFrame& frame);
  /// Frames that were ever added.
  [[nodiscard]] std::uint64_t count() const { return count_.load(std::memory_order_acquire); }
  /// Frame number `n`, counted from 0; false when it was written over or is not there yet.
  bool read(std::uint64_t n, PartFrame& frame) const;

 private:
  static_assert(std::is_trivially_copyable_v<PartFrame> && sizeof(PartFrame) % 4 == 0);
  static constexpr std::size_t kWords = sizeof(PartFrame) / 4;
  struct Slot {
    std::atomic<std::uint64_t> version{0};  ///< twice the number of the frame and two; odd while it is written
    std::array<std::atomic<std::uint32_t>, kWords> words{};
  };

  std::array<Slot, kFrames> slots_{};
  std::atomic<std::uint64_t> count_{0};
};

}  // namespace loom::live
