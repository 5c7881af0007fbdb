// SPDX-License-Identifier: MIT
#include <cmath>

#include <fmt/format.h>

#include <loom/blend/weights/detail/qhull.h>
#include <loom/blend/weights/triangulation.h>

namespace loom::blend {
namespace {

/// No coordinate is larger, so that squares and sums of them stay numbers.
constexpr double kLargest = 1e9;

}  // namespace

Result<Triangulation> Triangulation::create(ExamplePoints points) {
  if (points.dimensions == 0 || points.dimensions > kMaxDimensions) {
    return fail(fmt::format("a parameter space has 1 to {} dimensions, not {}", kMaxDimensions, points.dimensions));
  }
  if (points.size() < 2)
    return fail(fmt::format("a family needs two examples or more, and there is {}", points.size()));
  if (points.size() > kMaxExamples) {
    return fail(fmt::format("a family has at most {} examples, not {}", kMaxExamples, points.size()));
  }
  for (std::size_t i = 0; i < points.values.size(); ++i) {
    if (!(std::fabs(points.values[i]) <= kLargest)) {
      return fail(fmt::format("parameter {} of example {} is not a number, or beyond all bounds",
                              i % points.dimensions + 1, i / points.dimensions + 1));
    }
  }
  Triangulation made;
  made.points_ = std::move(points);
  if (auto found = made.find_span(); !found) return fail_from(found);
  if (made.rank_ == 1) {
    made.triangulate_line();
  } else if (auto done = made.triangulate(); !done) {
    return fail_from(done);
  }
  made.invert_simplices();
  return made;
}

Result<void> Triangulation::triangulate() {
  auto found = run_qhull(reduced_, rank_);
  if (!found) return fail_from(found);
  facets_ = std::move(found->facets);
  corners_ = std::move(found->corners);
  return {};
}

}  // namespace loom::blend
