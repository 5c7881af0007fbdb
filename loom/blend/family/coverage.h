// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <loom/base/result.h>
#include <loom/blend/family/analysis.h>

namespace loom::blend {

/// A box of a workspace, in coordinates.
struct WorkspaceBox {
  std::vector<double> low, high;
};

struct CoverageOptions {
  /// Edge of a cube in coordinates; 0: an eleventh of the longest side of the box, more in many dimensions.
  double spacing = 0;
  /// The part of the workspace that matters; by default the box around the examples, and of that, where a family
  /// places a joint, what is above the floor and about as far from the body and in the directions the examples are.
  std::optional<WorkspaceBox> box;
  double tolerance = 0.1;  ///< e_max of Huang 2012 §5.3.4: an error this large, in coordinates, is no reach at all
};

/// Where one more example would help most.
struct CoverageSuggestion {
  std::vector<double> at;    ///< in coordinates
  double covered_after = 0;  ///< what `Coverage::covered` is reckoned to become
};

/// How precisely each place of a workspace can be reached (Huang 2012 §5.3.4).
struct Coverage {
  std::size_t dimensions = 0;
  double spacing = 0;           ///< edge of a cube; 0 for a surface
  std::size_t columns = 0;      ///< points along a surface; 0 for cubes
  double tolerance = 0;         ///< as in the options
  std::vector<double> targets;  ///< samples × dimensions: what was asked for
  std::vector<double> reached;  ///< samples × dimensions: where the blend came out
  std::vector<float> errors;    ///< one a sample: how far apart the two are, in coordinates
  double covered = 0;           ///< one less the mean of error / tolerance, each at most one: 1 is all, exactly
  double error = 0;             ///< mean
  std::optional<CoverageSuggestion> suggestion;  ///< none where nothing would help

  [[nodiscard]] std::size_t size() const { return errors.size(); }
  [[nodiscard]] std::span<const double> target(std::size_t i) const {
    return {targets.data() + i * dimensions, dimensions};
  }
};

inline constexpr std::size_t kMaxCoverageSamples = 200000;

/// Samples the workspace in cubes (workspace volume visualisation, §5.3.4.1), tries to reach the middle of each by
/// inverse blending, and suggests where one more example would help most.
///
/// The suggestion is the sample whose example is reckoned to raise `covered` most: the hull of the examples grows to
/// it, and what blends miss although examples surround it fades towards it. Nothing is captured, so it is an estimate.
///
/// Fails on examples that cannot be triangulated, on a tolerance or spacing that is no length, a box that is none, and
/// on more than kMaxCoverageSamples cubes.
Result<Coverage> cover_volume(const Subject& subject, const CoverageOptions& options = {});

/// The same over the points of a surface (local coverage visualisation, §5.3.4.2): `targets` are samples × dimensions
/// in rows of `columns`.
Result<Coverage> cover_surface(const Subject& subject, std::vector<double> targets, std::size_t columns,
                               const CoverageOptions& options = {});

/// The points of a surface to look at closely, side × side of them, where a family places a joint: a table of this
/// height under the examples, or a sphere of this radius around the body in the directions of the examples.
std::vector<double> table_surface(const ExamplePoints& points, double height, std::size_t side);
std::vector<double> sphere_surface(const ExamplePoints& points, double radius, std::size_t side);

/// What the coverage comes to, in full sentences: where one more example would help, in the family's parameters.
std::string describe_suggestion(const Coverage& coverage, const ParameterSpace& space);

}  // namespace loom::blend
