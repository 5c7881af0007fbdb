// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace loom::picture {

/// An sRGB colour with straight alpha; 255 is opaque.
struct Color {
  std::uint8_t r = 0, g = 0, b = 0, a = 255;

  friend constexpr bool operator==(const Color&, const Color&) = default;
};

/// 0xRRGGBB as written in style sheets.
constexpr Color rgb(std::uint32_t hex, std::uint8_t alpha = 255) {
  return {static_cast<std::uint8_t>(hex >> 16), static_cast<std::uint8_t>(hex >> 8), static_cast<std::uint8_t>(hex),
          alpha};
}

/// The channel nearest to `value`, which is in [0, 255].
inline std::uint8_t channel(float value) { return static_cast<std::uint8_t>(std::lrint(value)); }

/// `color` with its opacity replaced by `alpha` in [0, 1].
inline Color with_alpha(Color color, float alpha) { return {color.r, color.g, color.b, channel(alpha * 255)}; }

/// From `a` at t = 0 to `b` at t = 1, t in [0, 1].
inline Color mix(Color a, Color b, float t) {
  const auto between = [t](std::uint8_t from, std::uint8_t to) {
    return channel(static_cast<float>(from) + (static_cast<float>(to) - static_cast<float>(from)) * t);
  };
  return {between(a.r, b.r), between(a.g, b.g), between(a.b, b.b), between(a.a, b.a)};
}

/// The colours every picture of the project shares. Left is warm, right is cool: the pair stays apart for readers who
/// confuse red and green, and in grey print (the warm one is lighter).
inline constexpr Color kPaper = rgb(0xffffff);
inline constexpr Color kInk = rgb(0x1f2933);
inline constexpr Color kFaintInk = rgb(0x6b7785);
inline constexpr Color kHairline = rgb(0xdde2e8);
inline constexpr Color kWarm = rgb(0xe8743b);
inline constexpr Color kCool = rgb(0x2b6cb0);
inline constexpr Color kGrey = rgb(0x8a94a0);

/// A series of colours that are easy to tell apart; wraps round after ten.
Color category_color(std::size_t index);

/// A perceptually even scale from dark blue through green to yellow; t in [0, 1], clamped. NaN gives grey.
Color scale_color(float t);

}  // namespace loom::picture
