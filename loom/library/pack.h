// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include <loom/base/progress.h>
#include <loom/base/result.h>

namespace loom::library {

struct PackLibraryOptions {
  double error = 0.0005;  ///< metres: what no point of a body may be off by more than (`motion::packing_error`)
  bool unpack = false;    ///< the other way: frames as they lie in memory, which older programs read too
};

/// What packing a library did.
struct PackReport {
  std::size_t clips = 0, frames = 0;
  std::size_t bytes_before = 0, bytes = 0;                ///< of the two libraries
  std::size_t frames_bytes_before = 0, frames_bytes = 0;  ///< of their frames alone
  double largest_error = 0;                               ///< metres, measured on every frame
  std::size_t artefacts = 0;                              ///< that were taken along
};

/// Writes the library at `from` as another at `to`, with its frames packed (`motion::pack_frames`) or unpacked; `from`
/// is never changed, and a file at `to` is replaced only when the new one is whole. Killed or stopped at any instant,
/// both are what they were; what was begun lies beside `to` under its name and ".part", and the next run clears it
/// away.
///
/// Packed clips are read like any others. They keep their hash: whatever was built of them still is of them, and is
/// taken along as it is. What is packed already is not packed again unless its error is finer than asked for. Unpacked
/// clips have the hash of what they now are; what was built before says then that they changed.
///
/// Takes memory for a few clips at a time. Same library and options, same frames.
Result<PackReport> pack_library(const std::string& from, const std::string& to, const PackLibraryOptions& options,
                                const Progress& progress = {});

/// Makes an empty library for packed clips at `path`, where there is nothing yet: in smaller pages, since a packed clip
/// would fill large ones in part.
Result<void> create_for_packed(const std::string& path);

/// Packs the frames of some clips of a library where they are, in one transaction; those that are packed already stay
/// as they are. Older programs refuse the library from then on. What the frames took before is given back to the disk.
/// Killed or stopped at any instant, the clips are all as they were. `bytes` are those of the whole library.
Result<PackReport> pack_clips(const std::string& path, std::span<const std::string> names, double error,
                              const Progress& progress = {});

}  // namespace loom::library
