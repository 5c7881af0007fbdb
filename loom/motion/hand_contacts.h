// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <loom/base/result.h>
#include <loom/motion/clip.h>

namespace loom::motion {

/// The hands, as bits.
enum HandBit : std::uint8_t { kLeftHand = 1, kRightHand = 2 };

/// How it is known that a hand touches something. Unlike the floor under the feet, what hands touch is not in the
/// capture: a person says where it is, or when (Zhao 2009 §4.1.1, where contacts were looked over by eye).
struct HandContactOptions {
  std::string label;            ///< frames so labelled touch, with both hands since it does not say which; empty: none
  std::optional<float> height;  ///< metres above the floor of a surface: a hand that rests there touches it
  float reach = 0.05f;          ///< metres above or below that height
  float slow = 0.35f;           ///< metres a second; a faster hand passes by

  /// Whether anything is asked for.
  [[nodiscard]] bool any() const { return !label.empty() || height.has_value(); }
};

/// The HandBits of every frame of a clip that stands on the floor y = 0. O(frames). Speeds are taken over 1/15 s. Fails
/// where a height is given and the skeleton has no arms.
Result<std::vector<std::uint8_t>> find_hand_contacts(const Clip& clip, const HandContactOptions& options);

}  // namespace loom::motion
