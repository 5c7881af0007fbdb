// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <loom/motion/clip.h>

// What becomes of a clip's labels when the clip is resampled, cut or mirrored: for those who need the labels of a clip
// at another rate, of a part of it, or of its mirrored copy, without its frames.

namespace loom::motion {

/// How many frames a clip of `frames` frames at `from` Hz has at `to` Hz.
std::size_t resampled_frames(std::size_t frames, double from, double to);

/// The labels of a clip of `frames` frames at `from` Hz, as `resample` to `to` Hz leaves them. None is lost.
std::vector<Label> resample_labels(std::span<const Label> labels, std::size_t frames, double from, double to);

/// The labels of frames [begin, end), counted from `begin`, as `cut` leaves them.
std::vector<Label> cut_labels(std::span<const Label> labels, std::size_t begin, std::size_t end);

/// The labels of the mirrored clip: names that say left or right change sides ("kick-left" becomes "kick-right").
std::vector<Label> mirror_labels(std::span<const Label> labels);

}  // namespace loom::motion
