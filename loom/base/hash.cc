// SPDX-License-Identifier: MIT
#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

#include <loom/base/hash.h>

namespace loom {

std::string content_hash(std::span<const std::byte> bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

}  // namespace loom
