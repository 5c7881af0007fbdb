// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

#include <loom/base/progress.h>
#include <loom/base/result.h>

namespace loom::app {

/// What the part of the demo about worlds made.
struct DemoPlan {
  double seconds = 0;          ///< of motion
  double length_m = 0;         ///< that it goes
  double bound = 0;            ///< it takes at most this many times the least time
  std::size_t collisions = 0;  ///< poses that touch something
  /// The world; the walk in it; the way from above.
  std::filesystem::path world, scene, picture;
};

/// Writes a hall with walls, a table and pillars, plans a walk through it on the graph "main", and writes both into
/// `folder`.
Result<DemoPlan> make_demo_plan(const std::filesystem::path& folder, const std::string& library,
                                const Progress& progress = {});

}  // namespace loom::app
