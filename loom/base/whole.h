// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <limits>

namespace loom {

/// `value` as a whole number of type `T`, towards zero, held to what `T` can hold; 0 for what is no number.
///
/// Turning a floating-point number into an integer that cannot hold it is undefined behaviour, and numbers from files,
/// from the command line and from the network may be any: whatever comes from outside goes through here.
template <std::integral T>
constexpr T to_whole(double value) {
  constexpr T kLeast = std::numeric_limits<T>::min(), kMost = std::numeric_limits<T>::max();
  if (!(value == value)) return 0;
  // As doubles the limits may be rounded up by one, which `kMost` does not hold: hence not less, but less or equal.
  if (value <= static_cast<double>(kLeast)) return kLeast;
  if (value >= static_cast<double>(kMost)) return kMost;
  return static_cast<T>(value);
}

/// A joint, or whatever else is numbered by `int` and may be none, as an index into an array.
constexpr std::size_t index(int number) { return static_cast<std::size_t>(number); }

}  // namespace loom
