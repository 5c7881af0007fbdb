// SPDX-License-Identifier: MIT
#include <bit>
#include <cstring>

#include <loom/live/pose_feed.h>

namespace loom::live {

void PoseFeed::push(const PartFrame& frame) {
  const std::uint64_t n = count_.load(std::memory_order_relaxed);
  Slot& slot = slots_[n % kFrames];
  std::array<std::uint32_t, kWords> words{};
  std::memcpy(words.data(), &frame, sizeof frame);
  slot.version.store(2 * n + 1, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);
  for (std::size_t w = 0; w < kWords; ++w) slot.words[w].store(words[w], std::memory_order_relaxed);
  slot.version.store(2 * n + 2, std::memory_order_release);
  count_.store(n + 1, std::memory_order_release);
}

bool PoseFeed::read(std::uint64_t n, PartFrame& frame) const {
  if (n >= count()) return false;
  const Slot& slot = slots_[n % kFrames];
  if (slot.version.load(std::memory_order_acquire) != 2 * n + 2) return false;
  std::array<std::uint32_t, kWords> words{};
  for (std::size_t w = 0; w < kWords; ++w) words[w] = slot.words[w].load(std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_acquire);
  if (slot.version.load(std::memory_order_relaxed) != 2 * n + 2) return false;
  std::memcpy(static_cast<void*>(&frame), words.data(), sizeof frame);
  return true;
}

}  // namespace loom::live
