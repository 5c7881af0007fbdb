// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include <loom/base/progress.h>
#include <loom/base/result.h>

namespace loom::app {

/// The crowd of the demo: some who cross a hall with a few things in it.
struct DemoCrowd {
  std::size_t characters = 0, arrived = 0, collisions = 0;
  std::filesystem::path world, scene, picture;
};

/// Writes a small world, lets a crowd walk in it by the library's own walks, and writes what came of it, all below
/// `folder`.
Result<DemoCrowd> make_demo_crowd(const std::filesystem::path& folder, const std::string& library,
                                  const Progress& progress);

}  // namespace loom::app
