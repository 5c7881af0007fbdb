// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>

#include <loom/base/result.h>
#include <loom/motion/clip.h>

#include "loom/options.h"

namespace loom::app {

/// What `convert` and `export` can do to a clip on its way out, in the order of the members.
struct Adjustments {
  std::optional<std::size_t> from, to;  ///< frames to keep, the second one past the last
  std::optional<double> rate;           ///< Hz
  bool mirror = false;
};

/// Adds --from, --to, --rate and --mirror.
void add_adjustments(Options& options, Adjustments& adjustments);

/// Applies them. `from` and `to` count from the clip's first frame.
Result<motion::Clip> adjust(motion::Clip clip, const Adjustments& adjustments);

}  // namespace loom::app
