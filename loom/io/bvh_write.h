// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include <loom/base/result.h>
#include <loom/motion/clip.h>

namespace loom::io {

struct BvhWriteOptions {
  /// BVH files do not say their unit. By default centimetres, which most programs expect; but metres for a body so
  /// small, and millimetres for one so large, that the guess of `read_bvh` and `normalise` would take centimetres for
  /// something else. Whoever sets this to another value must tell the reader, too.
  std::optional<double> metres_per_unit;
};

/// The clip as the text of a BVH file, Y up.
///
/// The root has position and rotation channels, every other joint rotations alone, in the order Z Y X; angles are
/// continuous in time, beyond 180° where a joint turns on. Read back, every point is within 0.1 mm. Joints come depth
/// first, so a skeleton in another order returns with the same joints in a new order; a joint at the end of a limb
/// without end site returns with one at the joint itself, since the format wants one there. Braces and what would read
/// as a comment are replaced in names.
///
/// Fails on a clip that `validate` refuses, one without frames, and rates outside 0.001 to 100000 Hz.
Result<std::string> format_bvh(const motion::Clip& clip, const BvhWriteOptions& options = {});

/// Writes `format_bvh` to a file, whole or not at all.
Result<void> write_bvh(const motion::Clip& clip, const std::string& path, const BvhWriteOptions& options = {});

}  // namespace loom::io
