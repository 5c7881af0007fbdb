// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>

#include <loom/base/whole.h>
#include <loom/picture/color.h>

namespace loom::picture {

Color category_color(std::size_t index) {
  static constexpr std::array kColors = {rgb(0x4c78a8), rgb(0xf2a541), rgb(0x5b9e6b), rgb(0xb85c8e), rgb(0x58a6b8),
                                         rgb(0xd0603f), rgb(0x8677b8), rgb(0x9a8347), rgb(0x6f7d8c), rgb(0xa3b34a)};
  return kColors[index % kColors.size()];
}

Color scale_color(float t) {
  if (std::isnan(t)) return rgb(0xc8c8c8);
  // Lightness rises evenly from stop to stop, so that equal steps in value look like equal steps in tone.
  static constexpr std::array kStops = {rgb(0x1b1147), rgb(0x2b3f83), rgb(0x1f6a8c), rgb(0x1d9081),
                                        rgb(0x4fb35f), rgb(0xa9ce45), rgb(0xfae65a)};
  const float at = std::clamp(t, 0.0f, 1.0f) * static_cast<float>(kStops.size() - 1);
  const auto stop = std::min(to_whole<std::size_t>(at), kStops.size() - 2);
  return mix(kStops[stop], kStops[stop + 1], at - static_cast<float>(stop));
}

}  // namespace loom::picture
