// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

#include <loom/base/progress.h>
#include <loom/base/result.h>

namespace loom::app {

/// What the part of the demo about showing a thing made.
struct DemoShow {
  double seconds = 0;          ///< of motion
  std::size_t steps = 0;       ///< to where it is shown from
  double hand_error_m = 0;     ///< from the target to the hand at the stroke
  std::size_t collisions = 0;  ///< poses that touch something
  /// The room; who walks up to the table in it; their way from above.
  std::filesystem::path world, scene, picture;
};

/// Writes a room with a table, a lamp, a shelf and a plant, plans somebody of the family "reach" who walks up to the
/// table and shows a thing on it, and writes both into `folder`.
Result<DemoShow> make_demo_show(const std::filesystem::path& folder, const std::string& library,
                                const Progress& progress = {});

}  // namespace loom::app
