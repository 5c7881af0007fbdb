// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <loom/take/take_set.h>

namespace loom::graph {

/// What of a body touches something, as bits of `ContactSegment::contacts`.
enum TouchBit : std::uint8_t { kTouchLeftFoot = 1, kTouchRightFoot = 2, kTouchLeftHand = 4, kTouchRightHand = 8 };

/// Frames [begin, end) of a clip in which the same feet, and hands where those are told, touch what they stand on or
/// hold (Zhao 2009 §4.1.1).
struct ContactSegment {
  std::uint32_t clip = 0;
  std::uint32_t begin = 0, end = 0;
  std::uint8_t contacts = 0;  ///< TouchBits
  /// A piece of a longer stretch of the same contacts, cut where the body was slowest: its ends are no events that two
  /// motions share, so what belongs together in it is found by comparing frames.
  bool cut = false;

  [[nodiscard]] std::uint32_t frames() const { return end - begin; }
  friend bool operator==(const ContactSegment&, const ContactSegment&) = default;
};

struct SegmentOptions {
  double shortest_seconds = 0.1;  ///< what is shorter belongs to what goes before it
  double longest_seconds = 1.2;   ///< what is longer is cut where the body is slowest
};

/// Cuts all clips where contacts change: together the segments of a clip cover it, in order. `hands` holds HandBits of
/// all frames, clip after clip; empty where hands do not count.
std::vector<ContactSegment> find_segments(const take::TakeSet& motion, std::span<const std::uint8_t> hands = {},
                                          const SegmentOptions& options = {});

}  // namespace loom::graph
