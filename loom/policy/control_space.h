// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <loom/base/result.h>

namespace loom::policy {

/// What a player asks of the body at one instant, or what a piece of motion evidently does: seen from the body, so
/// that the same walk is the same control whichever way it goes (McCann & Pollard 2007 §4.1).
struct ControlSignal {
  float left = 0;           ///< velocity over the floor to the body's left, metres a second
  float forward = 0;        ///< velocity the way the body faces, metres a second
  float turn = 0;           ///< change of heading, radians a second, positive to the left
  std::uint32_t flags = 0;  ///< bit i: flag i of the control space; bit 0 is "airborne" in the usual spaces

  friend bool operator==(const ControlSignal&, const ControlSignal&) = default;
};

/// No control space has more flags.
inline constexpr std::size_t kMaxFlags = 16;
/// No control space has more bins.
inline constexpr std::size_t kMaxBins = 4096;
/// The flag every usual space starts with.
inline constexpr const char* kAirborne = "airborne";

/// How much each part of a control counts (McCann & Pollard 2007 §4.1: w_v, w_t, w_a).
struct ControlWeights {
  float velocity = 10;  ///< times the squared difference of log-projected velocities (eq. 12)
  float turn = 6;       ///< times the squared difference of turn rates
  float flag = 20;      ///< for each flag that differs

  friend bool operator==(const ControlWeights&, const ControlWeights&) = default;
};

/// The controls a policy distinguishes: points in the space of controls, each standing for what is nearest to it.
struct ControlSpace {
  std::vector<std::string> flags{kAirborne};  ///< names of the flags, bit 0 first; unique, at most kMaxFlags
  ControlWeights weights;
  std::vector<ControlSignal> bins;  ///< centres; at least one, at most kMaxBins

  /// Names a control for a table: "1.5 m/s ahead, turning left 1.0 rad/s, airborne".
  [[nodiscard]] std::string describe(const ControlSignal& signal) const;

  friend bool operator==(const ControlSpace&, const ControlSpace&) = default;
};

/// Squared and weighted difference of two controls (eq. 11, 12). Symmetric, not negative.
float control_distance(const ControlWeights& weights, const ControlSignal& a, const ControlSignal& b);

/// How well a piece of motion that evidently does `evident` answers `wanted`: 1 / (1 + distance), in (0, 1] (eq. 10).
float control_quality(const ControlWeights& weights, const ControlSignal& evident, const ControlSignal& wanted);

/// Finds the bins of signals: the centres projected once, in flat arrays. O(bins), a fraction of a microsecond for 150.
class BinFinder {
 public:
  explicit BinFinder(const ControlSpace& space);
  /// The bin a signal falls in: the nearest centre, the first among equals.
  [[nodiscard]] std::size_t find(const ControlSignal& signal) const;

 private:
  ControlWeights weights_;
  std::vector<float> x_, y_, turn_;
  std::vector<std::uint32_t> flags_;
};

/// The work's 150 bins: standing still and three circles of 8 velocities (0.7, 1.6 and 3.2 m/s, our choice of radii:
/// the work shows them only in figure 4), turning at -1, 0 and 1 rad/s, airborne or not. With further flags the set is
/// repeated on the floor once for each of them, so `n` of them give 150 + 75 n bins.
ControlSpace usual_control_space(const std::vector<std::string>& further_flags = {});

/// Bins chosen from signals by vector quantisation, as §3 suggests: k-means in the projected space of eq. 11, each
/// combination of flags that occurs getting at least one bin. Seeded and deterministic. Fails without signals.
Result<ControlSpace> quantised_control_space(const ControlSpace& like, const std::vector<ControlSignal>& signals,
                                             std::size_t bins, std::uint64_t seed = 1);

/// Checks what everything here relies on: bins, finite values, flags named once and used only where they exist.
Result<void> validate(const ControlSpace& space);

}  // namespace loom::policy
