// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include <loom/base/math.h>
#include <loom/base/whole.h>

// What the packer of clips and their reader have to agree on.
//
//     u8 version, u8 how (0 as in memory, 1 curves), u8 frames in a segment at most, u8 bytes of a segment's size
//     u32 frames, u32 joints, f32 error in metres
//     how 0: roots and rotations as in memory
//     how 1: f32 centre[3], u32 bytes of the header, the header's numbers, the sizes of the segments, the segments
//
// The header says of the root and of every joint whether it moves; of those that move, what their turns are relative
// to, the axis of the bone, the steps of the curves, from version 2 on how the curves lie to these, and the classes of
// their numbers. A segment holds, group after
// group, how much finer than at the coarsest it is, how lively, and the numbers of three curves.

namespace loom::motion::detail {

inline constexpr std::uint8_t kPackedVersion = 2;
inline constexpr std::uint8_t kAsInMemory = 0, kCurves = 1;
inline constexpr std::size_t kFixedBytes = 16;
inline constexpr std::size_t kLongestSegment = 16;

/// What the header says of a joint, two bits.
enum class JointKind : std::uint32_t { kAtRest, kStill, kTurns, kTurnsFar };

inline constexpr int kReferenceBits = 8;  ///< of each of three numbers
inline constexpr int kAxisBits = 8;       ///< of each of two numbers
inline constexpr int kStepBits = 8;
inline constexpr int kFinenessBits = 6;
inline constexpr int kFinest = (1 << kFinenessBits) - 1;

// Classes of the numbers that say how others are kept.
inline constexpr int kHeaderClass = 9, kFinenessClass = 9, kLivelinessClass = 6;
inline constexpr int kMostLively = 6;

/// Where along a curve its classes are told; those between are found in between.
inline constexpr std::array<std::size_t, 6> kAnchors = {0, 1, 2, 4, 8, 15};

/// The classes of all numbers of a curve.
inline void classes_between(const std::array<int, kAnchors.size()>& told, std::uint8_t* classes) {
  for (std::size_t a = 0; a + 1 < kAnchors.size(); ++a) {
    const int from = static_cast<int>(kAnchors[a]), to = static_cast<int>(kAnchors[a + 1]);
    for (int k = from; k <= to; ++k) {
      const int whole = told[a] * (to - k) + told[a + 1] * (k - from);
      classes[k] = static_cast<std::uint8_t>((2 * whole + (to - from)) / (2 * (to - from)));
    }
  }
}

/// A step of a curve: eighths of octaves.
inline float step_of(std::uint32_t code) { return std::exp2((static_cast<float>(code) - 200.0f) / 8.0f); }
/// The code of the largest step that is no larger.
inline std::uint32_t code_of_step(double step) {
  return to_whole<std::uint32_t>(std::clamp(std::floor(std::log2(step) * 8.0 + 200.0), 0.0, 255.0));
}
/// What a fineness makes of a step: quarters of octaves.
inline float share_of(int fineness) { return std::exp2(-static_cast<float>(fineness) / 4.0f); }

/// A turn as three numbers: its axis times four tangents of a quarter of its angle (modified Rodrigues parameters),
/// which is nearly the rotation vector, smooth up to a whole turn, and read again without a root or a sine.
inline Quat turn_of(float x, float y, float z) {
  const float n = (x * x + y * y + z * z) * (1.0f / 16.0f), s = 1.0f / (1.0f + n);
  return {(1.0f - n) * s, 0.5f * x * s, 0.5f * y * s, 0.5f * z * s};
}

/// The turn that three numbers of `kReferenceBits` stand for.
inline Quat coarse_turn(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  const auto part = [](std::uint32_t v) { return (static_cast<float>(v) - 128.0f) * (4.0f / 127.0f); };
  return turn_of(part(x), part(y), part(z));
}
inline std::array<std::uint32_t, 3> coarse_code(Quat q) {
  if (q.w < 0) q = -q;
  const auto code = [&](float v) {
    return to_whole<std::uint32_t>(std::clamp(std::round(double{v / (1.0f + q.w) * 127.0f}) + 128.0, 1.0, 255.0));
  };
  return {code(q.x), code(q.y), code(q.z)};
}

/// The direction that two numbers of `kAxisBits` stand for: the sphere folded out of an octahedron.
inline Vec3 axis_of(std::uint32_t u, std::uint32_t v) {
  float x = (static_cast<float>(u) - 128.0f) / 127.0f, y = (static_cast<float>(v) - 128.0f) / 127.0f;
  const float z = 1.0f - std::fabs(x) - std::fabs(y);
  if (z < 0) {
    const float folded = (1.0f - std::fabs(y)) * (x < 0 ? -1.0f : 1.0f);
    y = (1.0f - std::fabs(x)) * (y < 0 ? -1.0f : 1.0f);
    x = folded;
  }
  return normalized(Vec3{x, y, z});
}
inline std::array<std::uint32_t, 2> axis_code(Vec3 a) {
  const float sum = std::fabs(a.x) + std::fabs(a.y) + std::fabs(a.z);
  float x = a.x / sum, y = a.y / sum;
  if (a.z < 0) {
    const float folded = (1.0f - std::fabs(y)) * (x < 0 ? -1.0f : 1.0f);
    y = (1.0f - std::fabs(x)) * (y < 0 ? -1.0f : 1.0f);
    x = folded;
  }
  const auto code = [](float v) {
    return to_whole<std::uint32_t>(std::clamp(std::round(double{v * 127.0f}) + 128.0, 1.0, 255.0));
  };
  return {code(x), code(y)};
}

/// Three columns of a linear map: what three curves turn about.
using Columns = std::array<Vec3, 3>;

/// The map of curves, in steps, to the three numbers of a turn: the curves are turned by `mixed` where turns about the
/// bone and across it cost the same, then scaled by the steps and turned to the axis of the bone.
inline Columns columns_of(Quat axes, float across, float about, Quat mixed) {
  Columns columns;
  for (std::size_t d = 0; d < 3; ++d) {
    const Vec3 m = rotate(mixed, {d == 0 ? 1.0f : 0.0f, d == 1 ? 1.0f : 0.0f, d == 2 ? 1.0f : 0.0f});
    columns[d] = rotate(axes, {m.x * across, m.y * across, m.z * about});
  }
  return columns;
}

/// The cosines of a segment of each length: cosines[n - 1][k][t] = c_k cos(pi (t + 1/2) k / n), orthonormal.
using Cosines = std::array<std::array<std::array<float, kLongestSegment>, kLongestSegment>, kLongestSegment>;
inline const Cosines& cosines() {
  static const Cosines made = [] {
    Cosines all{};
    for (std::size_t n = 1; n <= kLongestSegment; ++n) {
      for (std::size_t k = 0; k < n; ++k) {
        const double scale = std::sqrt((k == 0 ? 1.0 : 2.0) / static_cast<double>(n));
        for (std::size_t t = 0; t < n; ++t) {
          const double angle = 3.14159265358979323846 * (static_cast<double>(t) + 0.5) * static_cast<double>(k);
          all[n - 1][k][t] = static_cast<float>(scale * std::cos(angle / static_cast<double>(n)));
        }
      }
    }
    return all;
  }();
  return made;
}

}  // namespace loom::motion::detail
