// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <loom/base/result.h>
#include <loom/blend/weights/weights.h>

namespace loom::blend {

/// The examples of a family tied into simplices that fill their convex hull: a Delaunay triangulation in any number of
/// dimensions (Huang 2012 §4.3.1), by Qhull.
///
/// Sets that do not fill their space are no error: points on a line or in a plane are triangulated there, and of points
/// in the same place one stands for all.
class Triangulation {
 public:
  /// Fails on fewer than two points, more than kMaxExamples, no dimensions or more than kMaxDimensions, numbers that
  /// are not finite, and when all points are one.
  static Result<Triangulation> create(ExamplePoints points);

  /// All of it as bytes, for programs that play and have no Qhull. Same points, same bytes.
  [[nodiscard]] std::vector<std::byte> to_bytes() const;
  /// Reads `to_bytes` back, believing nothing.
  static Result<Triangulation> from_bytes(std::span<const std::byte> bytes);

  [[nodiscard]] const ExamplePoints& points() const { return points_; }
  /// Dimensions of the set itself: 1 when all points lie on a line, 2 when in a plane.
  [[nodiscard]] std::size_t rank() const { return rank_; }
  [[nodiscard]] std::size_t simplices() const { return corners_.size() / (rank_ + 1); }
  /// The corners of a simplex, as indices of points.
  [[nodiscard]] std::span<const std::uint32_t> corners(std::size_t simplex) const {
    return {corners_.data() + simplex * (rank_ + 1), rank_ + 1};
  }

  /// The simplex that contains `at`, or of all simplices the one that least fails to, with the barycentric coordinates
  /// of `at` (seen from within the set's own plane) in it: rank() + 1 numbers that sum to one. O(simplices).
  std::size_t locate(std::span<const double> at, std::span<double> coordinates) const;

  /// The nearest point of the convex hull to `at`, as weights of the points that are not negative and sum to one.
  /// Returns the distance; inside the hull that is 0, and nothing is written.
  double project(std::span<const double> at, std::span<double> weights) const;

  /// The stretch of the line `from` + t `way` that lies in the hull, as the t it begins and ends with. Nothing where
  /// the line misses the hull, or where the points do not fill their space.
  [[nodiscard]] std::optional<std::array<double, 2>> cross(std::span<const double> from,
                                                           std::span<const double> way) const;

  /// Half the longest side of the box around the points: a measure of how large the space is.
  [[nodiscard]] double radius() const { return radius_; }

 private:
  Triangulation() = default;
  [[nodiscard]] bool is_sound() const;
  Result<void> find_span();
  Result<void> triangulate();
  void triangulate_line();
  void invert_simplices();
  /// `at` in the coordinates of the set's own line, plane or space.
  void reduce(std::span<const double> at, std::span<double> reduced) const;
  [[nodiscard]] double distance_outside_facets(std::span<const double> at) const;

  ExamplePoints points_;
  std::size_t rank_ = 0;
  double radius_ = 0;
  std::vector<double> origin_;          ///< the mean of the points
  std::vector<double> basis_;           ///< rank × dimensions, orthonormal
  std::vector<double> reduced_;         ///< points × rank
  std::vector<std::uint32_t> corners_;  ///< simplices × (rank + 1)
  std::vector<double> inverses_;        ///< simplices × (rank + 1)²: barycentric coordinates of (reduced, 1)
  std::vector<double> facets_;          ///< of the hull, facets × (rank + 1): outward normal and offset
};

}  // namespace loom::blend
