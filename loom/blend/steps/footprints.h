// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <loom/base/result.h>
#include <loom/motion/ground_frame.h>

namespace loom::blend {

/// Where a foot is to stand: the middle of the foot on the floor, and the way the toes point.
struct Footprint {
  motion::GroundFrame place;
  bool left = true;

  [[nodiscard]] const char* foot() const { return left ? "left" : "right"; }
};

/// Reads footprints from a CSV file with the columns x, z (metres), heading (degrees, 0 towards +Z, positive to the
/// left) and foot (left or right, or l or r), in any order, one footprint a line in the order they are stepped on.
///
/// The column heading may be left out: then each points from the last footprint of the other foot to the next one. So
/// may foot: then feet alternate, and the first is the one that suits the sides the prints lie on. Fails with the line
/// and what is wrong: a column missing, not a number, the same foot twice, fewer than three footprints.
Result<std::vector<Footprint>> read_footprints(const std::string& path);
Result<std::vector<Footprint>> parse_footprints(std::string_view text, const std::string& path);

}  // namespace loom::blend
