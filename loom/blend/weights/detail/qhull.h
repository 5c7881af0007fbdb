// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <loom/base/result.h>

namespace loom::blend {

/// What Qhull finds of a set of points in two or more dimensions that fills them.
struct HullOfPoints {
  std::vector<double> facets;          ///< of the convex hull, each dimensions + 1 numbers: outward normal and offset
  std::vector<std::uint32_t> corners;  ///< of the Delaunay simplices, dimensions + 1 indices each
};

/// Runs Qhull on `points`, count × dimensions. Where it gives up on points in bad position it is run again with the
/// points joggled by a trifle. Fails with Qhull's number when that does not help either.
Result<HullOfPoints> run_qhull(const std::vector<double>& points, std::size_t dimensions);

}  // namespace loom::blend
