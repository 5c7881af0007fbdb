// SPDX-License-Identifier: MIT
#include <array>
#include <cassert>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include <loom/blend/family/detail/reach_targets.h>
#include <loom/blend/family/local_coverage.h>
#include <loom/blend/weights/inverse_weighting.h>

namespace loom::blend {
namespace {

using Place = std::array<double, 3>;

/// From -1 to 1.
double across(std::size_t i, std::size_t count) {
  return 2 * static_cast<double>(i) / static_cast<double>(count - 1) - 1;
}

/// A point of the mesh, seen from its middle, in half sizes.
Place point_of(PatchShape shape, double column, double row, std::span<const double> centre) {
  constexpr double kPi = std::numbers::pi;
  switch (shape) {
    case PatchShape::kTable:
      return {column, 0, row};
    case PatchShape::kWall: {
      // Level and square to the way from the body to the centre; straight ahead where that is overhead.
      const double out = std::hypot(centre[0], centre[2]);
      const double x = out > 1e-6 ? centre[0] / out : 0, z = out > 1e-6 ? centre[2] / out : 1;
      return {column * z, row, -column * x};
    }
    case PatchShape::kBall: {
      const double around = kPi * column, up = kPi / 2 * row;
      return {std::cos(up) * std::sin(around), std::sin(up), std::cos(up) * std::cos(around)};
    }
  }
  return {};
}

}  // namespace

const char* to_string(PatchShape shape) {
  switch (shape) {
    case PatchShape::kTable:
      return "table";
    case PatchShape::kWall:
      return "wall";
    case PatchShape::kBall:
      return "ball";
  }
  return "";
}

std::optional<PatchShape> patch_shape_named(std::string_view name) {
  for (const PatchShape shape : kPatchShapes) {
    if (name == to_string(shape)) return shape;
  }
  return std::nullopt;
}

Result<void> validate(const Patch& patch) {
  if (!(std::isfinite(patch.size) && patch.size > 0)) return fail("a mesh has a size above zero");
  if (patch.points < 2 || patch.points > kMaxPatchPoints) {
    return fail(fmt::format("a mesh has 2 to {} points along a side, not {}", kMaxPatchPoints, patch.points));
  }
  return {};
}

std::vector<double> patch_around(std::span<const double> centre, const Patch& patch) {
  assert(centre.size() == 3 && validate(patch));
  std::vector<double> points;
  points.reserve(3 * patch.points * patch.points);
  for (std::size_t row = 0; row < patch.points; ++row) {
    for (std::size_t column = 0; column < patch.points; ++column) {
      const Place p = point_of(patch.shape, across(column, patch.points), across(row, patch.points), centre);
      for (std::size_t d = 0; d < 3; ++d) points.push_back(centre[d] + patch.size / 2 * p[d]);
    }
  }
  return points;
}

LocalCoverage::LocalCoverage(const std::shared_ptr<const Triangulation>& space, std::shared_ptr<const BlendModel> model,
                             double tolerance)
    : model_(std::move(model)), weighting_(std::make_unique<InverseWeighting>(space, model_)), tolerance_(tolerance) {}

Coverage LocalCoverage::at(std::span<const double> centre, const Patch& patch) const {
  Coverage coverage;
  coverage.dimensions = 3;
  coverage.columns = patch.points;
  coverage.tolerance = tolerance_;
  coverage.targets = patch_around(centre, patch);
  reach_targets(*weighting_, *model_, coverage);
  return coverage;
}

}  // namespace loom::blend
