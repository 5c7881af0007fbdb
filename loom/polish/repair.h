// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <loom/base/result.h>
#include <loom/motion/clip.h>

namespace loom::polish {

/// What is to be mended of a clip, done in the order of the members.
struct Repairs {
  std::optional<std::size_t> from{}, to{};  ///< frames to keep, the second one past the last
  std::optional<double> rate{};             ///< frames a second
  std::optional<double> smooth_hz{};        ///< what shakes faster goes (`smooth`)
  bool floor = false;                       ///< the floor its feet know becomes y = 0, level (`stand_on_floor`)
  bool loop = false;        ///< the stretch of it that goes round best, closed (`find_loop`, `close_loop`)
  bool plant_feet = false;  ///< planted feet stay where they stand (`plant_feet`), round a loop as well
  bool in_place = false;    ///< no way along the floor (`in_place`)

  [[nodiscard]] bool any() const { return from || to || rate || smooth_hz || floor || loop || plant_feet || in_place; }
};

/// A clip that was mended, and in words what was done to it, one sentence a step.
struct Repaired {
  motion::Clip clip;
  std::vector<std::string> done;
};

/// Mends a copy of `clip`; its labels come along. Fails where a step does, saying which, and where nothing is asked
/// for. Without recognisable feet there is no floor to be found and nothing to be planted: asked for either, it fails.
Result<Repaired> repair(const motion::Clip& clip, const Repairs& repairs);

}  // namespace loom::polish
