// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace loom::compare {

/// Two frames and how far apart they are. Which frames are counted is said by whoever finds them: those of a set of
/// clips, one after the other, or those of one clip and of another.
struct SimilarPair {
  std::uint32_t a = 0, b = 0;
  float distance = 0;

  friend bool operator==(const SimilarPair&, const SimilarPair&) = default;
};

}  // namespace loom::compare
