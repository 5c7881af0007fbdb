// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <loom/base/result.h>
#include <loom/motion/clip.h>
#include <loom/motion/stream.h>

namespace loom::measure {

/// How fast each joint of a body turns against its parent in recordings: all but a thousandth of the frames are slower.
struct TurnLimits {
  std::vector<double> speeds;  ///< one a joint, radians a second
};

/// Learns the limits of recordings on one hierarchy; the rates may differ. Fails on none, and on clips with other
/// joints than the first. O(frames × joints).
Result<TurnLimits> learn_turn_limits(std::span<const motion::Clip> recordings);

/// How far a motion goes beyond the limits: a thigh that rolls half round moves no joint's place, and shows here.
struct TurnRatio {
  double ratio = 0;  ///< the largest turn of a joint from frame to frame against what recordings have
  std::size_t frame = 0, joint = 0;
  std::size_t frames = 0;  ///< with a joint that turns more than kFlipRatio times as fast
};
inline constexpr double kFlipRatio = 4;  ///< fast kicks in recordings go up to nearly that

/// Compares a clip with limits learned on its hierarchy. O(frames × joints).
TurnRatio measure_turns(const motion::Clip& clip, const TurnLimits& limits);

/// How much less the knees of made motion open than those of the recorded frames it was taken from, degrees: means over
/// the straightest quarter of both, so that it does not matter how frames were blended. Negative: they open more.
/// `sources` has one entry a frame, SourceFrame::clip counts `recordings`; frames beyond a recording's end count as its
/// last. Recordings that were used at another rate are to be resampled before. Fails when sources and clip differ in
/// length, when one names a recording that is not there, and on a body without legs.
Result<double> measure_straightness_lost(const motion::Clip& made, std::span<const motion::SourceFrame> sources,
                                         std::span<const motion::Clip> recordings);

/// Frames of the sources that are played in a second, from the longest piece that was played in one go; `rate` is that
/// of the made motion. Where pieces are played slower or faster than recorded it is that much off.
double measure_source_rate(std::span<const motion::SourceFrame> sources, double rate);

/// Share of frames at which the last second played less than half a second of different source frames: the same piece
/// over and over, or one frame held. `rate` in frames a second of the made motion.
/// O(frames × log rate).
double measure_stutter(std::span<const motion::SourceFrame> sources, double rate);

}  // namespace loom::measure
