// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <loom/base/math.h>

namespace loom::polish {

/// A value a curve must take in some of the frames.
struct Pins {
  std::vector<std::uint8_t> held;  ///< one a frame: 1 where the curve is held
  std::vector<double> value;       ///< one a frame; read only where `held`
};

/// Two curves, one value a frame each.
struct CurvePair {
  std::vector<double> first, second;
};

/// The two smoothest curves that keep their pins.
///
/// They minimise Σ ease⁴ |Δ²c|² + |c|² over both curves plus tie · |first − second|²: held exactly where pinned, they
/// go from pin to pin with as little acceleration as can be, leave and reach a pinned stretch without a corner, and
/// fall back to zero within about three times `ease_frames` where no pin is near. The tie makes one curve go along
/// where only the other is pinned, as the two ends of a foot do. One banded linear system: O(frames).
CurvePair smoothest_curves(const Pins& first, const Pins& second, double ease_frames, double tie);

/// A wish that a vector curve has the value `amount` along `direction` in one frame.
struct AxisWish {
  std::size_t frame = 0;
  Vec3 direction;     ///< unit length
  double amount = 0;  ///< metres
  double weight = 1;  ///< against the wish of the curve to be zero, which weighs 1
};

/// The smooth vector curve that balances the wishes: minimises Σ ease⁴ |Δ²c|² + |c|² + Σ weight (direction · c −
/// amount)². One banded linear system: O(frames + wishes).
std::vector<Vec3> smoothest_compromise(std::size_t frames, std::span<const AxisWish> wishes, double ease_frames);

/// The same for one frame alone, whatever frame the wishes name: no smoothness, no allocation, for run time.
Vec3 compromise(std::span<const AxisWish> wishes);

}  // namespace loom::polish
