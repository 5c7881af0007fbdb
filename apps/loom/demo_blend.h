// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/motion/stream.h>

namespace loom::app {

/// What the part of the demo about blending made.
struct DemoBlend {
  std::size_t examples = 0;  ///< of the family of reaches
  double worst_error = 0;    ///< metres between the hand and the circle it was led along, at the worst
  motion::Clip circle;       ///< the hand led along the circle
  std::vector<std::filesystem::path> files;
};

/// Makes a family of the sample reaches, leads the hand along a circle and writes what comes of it into `folder`.
Result<DemoBlend> make_demo_blend(const std::filesystem::path& folder, const std::string& library,
                                  const Progress& progress = {});

}  // namespace loom::app
