// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include <loom/base/progress.h>
#include <loom/base/result.h>

namespace loom::app {

/// What the part of the demo about machines of behaviors made.
struct DemoMachine {
  std::size_t states = 0, edges = 0;
  double chi = 0, rho = 0;      ///< of the mined machine against the drawn one
  std::size_t transitions = 0;  ///< found between the motions of the drawn one
  std::size_t wishes = 0;       ///< it answered
  double delay = 0;             ///< seconds until it did, in the mean
  /// The drawn machine as a file; the mined one on a page; the drawn one played by wishes.
  std::filesystem::path file, page, scene;
};

/// Puts a machine of everyday behaviors drawn by hand into the library as "everyday", mines the same states from the
/// graph "main" as "mined", builds the drawn one, plays it by wishes, and writes all of it into `folder`.
Result<DemoMachine> make_demo_machine(const std::filesystem::path& folder, const std::string& library,
                                      const Progress& progress = {});

}  // namespace loom::app
