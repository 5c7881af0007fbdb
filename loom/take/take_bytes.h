// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <loom/base/result.h>
#include <loom/take/take_set.h>

namespace loom::take {

/// Motion ready to be used as bytes: what goes with an artefact to a program that plays it and has no library. Same
/// set, same bytes. `(3 + 4 × joints) × 4` of them a frame, and a little a clip.
///
/// With an `error` in metres frames are packed, so that no point is off by more (motion/pack_frames.h): about a tenth
/// of the bytes, which programs that do not know of it refuse as newer.
std::vector<std::byte> to_bytes(const TakeSet& set, double error = 0);

/// Reads `to_bytes` back, believing nothing: sizes, numbers and labels are checked.
Result<TakeSet> take_set_from_bytes(std::span<const std::byte> bytes);

}  // namespace loom::take
