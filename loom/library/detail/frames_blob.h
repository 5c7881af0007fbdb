// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <loom/base/result.h>
#include <loom/library/detail/database.h>
#include <loom/motion/clip.h>

// How the frames of a clip lie in the file: all roots, then all rotations, as in memory; or packed, and then the table
// `packing` says so.

namespace loom::library {

/// Frames as they are stored.
struct StoredFrames {
  std::vector<std::byte> bytes;
  std::optional<double> error;  ///< metres: of packed frames
  double largest_error = 0;     ///< metres: measured when they were packed
};

/// The frames as they lie in memory.
std::vector<std::byte> frames_blob(const motion::Clip& clip);

/// Stores the frames of the clip in row `clip`, which must have none.
Result<void> store_frames(const Database& database, std::int64_t clip, const StoredFrames& frames);

/// The error a clip's frames were packed with, metres; nothing where they lie as in memory.
Result<std::optional<double>> packed_error(const Database& database, std::int64_t clip);

/// Reads frames into the clip, whose skeleton is set, `frames` of them. Fails where what is stored is not that.
Result<void> read_frames(const Database& database, std::int64_t row, std::size_t frames, motion::Clip& clip);

/// Whether packed frames are the bytes that were stored. True for others, which the clip's own hash speaks for.
Result<bool> packed_as_stored(const Database& database, std::int64_t clip);

}  // namespace loom::library
