// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <loom/base/math.h>

namespace loom::io {

/// How a value goes from one key to the next (glTF 2.0 §3.11, appendix C).
enum class Interpolation { kStep, kLinear, kCubic };

/// A value that changes over time, as keys at times of the animator's choosing: what glTF and FBX hold per node, where
/// a clip holds one value a frame. `sample` makes the one into the other.
template <typename Value>
struct KeyTrack {
  std::vector<double> times;  ///< seconds, ascending, no two alike
  /// One value a key; where cubic three: the tangent on the way in, the value, the tangent on the way out.
  std::vector<Value> values;
  Interpolation interpolation = Interpolation::kLinear;

  [[nodiscard]] bool empty() const { return times.empty(); }
  /// The value at key `k`, without its tangents.
  [[nodiscard]] const Value& at_key(std::size_t k) const {
    return interpolation == Interpolation::kCubic ? values[3 * k + 1] : values[k];
  }
};

/// Takes out keys that cannot be used: a time that does not come after the one before it, a value that is not finite,
/// a rotation of no length. Makes rotations unit. Returns how many keys it took out. O(keys).
std::size_t drop_bad_keys(KeyTrack<Quat>& track);
std::size_t drop_bad_keys(KeyTrack<Vec3>& track);

/// The value of `track` at the times start, start + 1 / rate, ..., one for each element `stride` apart in `out`,
/// held before the first key and after the last. Rotations run the shorter way. The track must have keys that
/// `drop_bad_keys` leaves alone. A time within a ten-thousandth of a frame of a key gives that key's own value, so
/// that a track with a key on every frame comes through unchanged. O(keys + frames).
void sample(const KeyTrack<Quat>& track, double start, double rate, std::size_t frames, std::size_t stride, Quat* out);
void sample(const KeyTrack<Vec3>& track, double start, double rate, std::size_t frames, std::size_t stride, Vec3* out);

/// The frame rate at which keys with these times were most likely made: the one the most common spacing gives if
/// nearly all keys lie on its frames, else the first usual rate on whose frames they lie. Keys made by hand follow no
/// rate: then the common spacing's, or 30 where that is too sparse for a sample rate. In [1, 1000] Hz.
///
/// `times` holds the key times of one track after the other; the spacing is only taken between neighbours that
/// ascend. O(n log n).
double guess_rate(std::span<const double> times);

}  // namespace loom::io
