// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace loom::testing {

/// A BVH file evaluated the slow and obvious way: the oracle for the real reader. Understands well-formed files only.
struct NaiveBvh {
  using Point = std::array<double, 3>;
  std::vector<std::string> names;          ///< of the joints
  std::vector<std::vector<Point>> points;  ///< a frame: joints, then end sites, in file units, in the world
  double frame_time = 0;
};

NaiveBvh evaluate_naively(const std::string& text);

/// What a random BVH file is like.
struct RandomBvh {
  std::size_t joints = 12;
  std::size_t frames = 5;
  bool inner_positions = true;        ///< position channels on joints below the root
  bool inner_positions_vary = false;  ///< over time
  bool odd_layout = true;             ///< tabs, line ends, exponents, case and blanks at random
};

/// A well-formed file with random channels in random orders.
std::string random_bvh(const RandomBvh& options, std::uint64_t seed);

}  // namespace loom::testing
