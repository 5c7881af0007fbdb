// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <loom/motion/clip.h>
#include <loom/motion/stream.h>

namespace loom::motion {

/// The labels of a clip that `SourceFrame::clip` counts, its frames counted as `SourceFrame::frame` counts them.
using LabelsOfSource = std::function<std::span<const Label>(std::uint32_t clip)>;

/// A label that a motion only brushes, where one source is blended into the next, is not what is done in it: shorter
/// than this, in seconds, it is carried over only where the whole of it is there.
inline constexpr double kShortestCarried = 0.15;

/// The labels that made motion carries because the frames it was taken from carry them, in the order of their names and
/// then of their frames: a walk that was cut out of recordings and joined anew is known for what is done in it, as the
/// recordings are. O(frames × labels of a source).
std::vector<Label> carried_labels(const Recording& recording, const LabelsOfSource& labels_of);

}  // namespace loom::motion
