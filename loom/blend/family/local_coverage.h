// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <loom/base/result.h>
#include <loom/blend/family/coverage.h>
#include <loom/blend/weights/triangulation.h>
#include <loom/blend/weights/weights.h>

namespace loom::blend {

/// The shape of a small mesh to look at closely.
enum class PatchShape : std::uint8_t {
  kTable,  ///< level, like the top of a table
  kWall,   ///< upright, facing the body, like a panel of buttons
  kBall,   ///< the skin of a ball
};

inline constexpr PatchShape kPatchShapes[] = {PatchShape::kTable, PatchShape::kWall, PatchShape::kBall};

/// "table", "wall" or "ball".
const char* to_string(PatchShape shape);
/// The shape of that name; nothing when there is none.
std::optional<PatchShape> patch_shape_named(std::string_view name);

/// A small mesh around a place that moves (Huang 2012 §5.3.4.2): large and coarse to sweep over a table, small and fine
/// to check a button.
struct Patch {
  PatchShape shape = PatchShape::kTable;
  double size = 0.3;       ///< metres across, above 0
  std::size_t points = 9;  ///< along each side, 2 to kMaxPatchPoints; of a ball, from pole to pole and once around
};

inline constexpr std::size_t kMaxPatchPoints = 41;

/// Whether the mesh is one, and why not.
Result<void> validate(const Patch& patch);

/// The points of the mesh around `centre` (x, y, z in metres, seen from the body, which faces +Z), row after row of
/// `patch.points`; a ball closes on itself: its last column lies on its first.
std::vector<double> patch_around(std::span<const double> centre, const Patch& patch);

/// How precisely the surroundings of a place can be reached: local coverage (Huang 2012 §5.3.4.2), which follows a hand
/// that is led. What takes time is done once, so that a mesh of the usual size is looked at between two frames.
class LocalCoverage {
 public:
  /// Of a family that places a joint. `tolerance` is the error, in metres, that is no reach at all.
  LocalCoverage(const std::shared_ptr<const Triangulation>& space, std::shared_ptr<const BlendModel> model,
                double tolerance = CoverageOptions{}.tolerance);

  /// What is reached around `centre`, a valid patch; `columns` are `patch.points`, and nothing is suggested.
  [[nodiscard]] Coverage at(std::span<const double> centre, const Patch& patch) const;

 private:
  std::shared_ptr<const BlendModel> model_;
  std::unique_ptr<const Weighting> weighting_;
  double tolerance_;
};

}  // namespace loom::blend
