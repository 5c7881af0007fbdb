// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

#include <loom/base/progress.h>
#include <loom/base/result.h>

#include "loom/bout.h"

namespace loom::app {

/// The bout of the demo: an aggressive fighter against a defensive one.
struct DemoBout {
  fight::Bout bout;
  std::filesystem::path scene;    ///< both in one .glb
  std::filesystem::path picture;  ///< its moments, from the side and from above
};

/// Builds a state graph called "fight" in the library by the built-in machine, and lets two characters fight on it for
/// a short bout, written below `folder`.
Result<DemoBout> make_demo_bout(const std::filesystem::path& folder, const std::string& library,
                                const Progress& progress);

}  // namespace loom::app
