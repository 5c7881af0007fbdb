// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include <loom/base/progress.h>

namespace loom {

/// The stretch from `from` to `to` of the work that `whole` is told of, for a pass that reports its own share in [0,
/// 1].
///
/// What is reported never goes back: work of several passes hands each its part, and what is called from there divides
/// that in its turn, so that 0 to 1 is the whole of what was started, and time left can be told from it. Where `what`
/// is given it is told instead of what the pass says.
[[nodiscard]] inline Progress part_of(const Progress& whole, double from, double to, std::string what = {}) {
  return Progress([whole, from, to, own = std::move(what)](double share, std::string_view told) {
    return whole.report(from + std::clamp(share, 0.0, 1.0) * (to - from), own.empty() ? told : std::string_view(own));
  });
}

}  // namespace loom
