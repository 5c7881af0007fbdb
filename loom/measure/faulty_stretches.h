// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <vector>

#include <loom/measure/faults.h>

namespace loom::measure {

/// A stretch of a clip that no motion should be made of.
struct FaultyStretch {
  motion::FrameRange frames;  ///< with 0.1 s on either side of what is wrong, as far as the clip goes
  std::string why;            ///< the worst fault in it, a full sentence
};

/// What import labels artificial poses by that it could not cut off; they count as faulty.
inline constexpr const char* kTPoseLabel = "t-pose";

/// The stretches `faults`, found in `clip`, spoil for whoever sees them, in order and apart from each other: the whole
/// body thrown, joints flipped or bent wrongly, feet turned round, artificial poses. A joint that flips and flips back
/// later is wrong in between, unless that is most of the clip: then nobody can tell which of the two is. What concerns
/// all of a clip (its rate, its floor) and what one may not see (a thumb) spoils none of it.
std::vector<FaultyStretch> faulty_stretches(const motion::Clip& clip, std::span<const Fault> faults);

/// The same with the faults looked for: a clip in a library has those that import could not mend. O(frames × joints).
std::vector<FaultyStretch> find_faulty_stretches(const motion::Clip& clip);

/// The stretches of [begin, end) that no faulty stretch touches, in order.
std::vector<motion::FrameRange> without(motion::FrameRange range, std::span<const FaultyStretch> faulty);

/// The stretches as frames of the same motion at another rate: none becomes shorter in time.
std::vector<FaultyStretch> at_rate(std::vector<FaultyStretch> stretches, double from, double to, std::size_t frames);

}  // namespace loom::measure
