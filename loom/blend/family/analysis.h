// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/blend/family/parameter_grid.h>
#include <loom/blend/family/parameters.h>
#include <loom/blend/weights/triangulation.h>
#include <loom/blend/weights/weights.h>

namespace loom::blend {

/// What is analysed: the examples of a family in their parameter space, and what blends of them really come out as.
struct Subject {
  std::string family;  ///< its name
  ParameterSpace space;
  ExamplePoints points;
  std::shared_ptr<const BlendModel> model;
};

/// The unit errors of this space are told in: "m" of places and jumps; "m/s" of locomotion, where a radian a second
/// counts as a metre a second; "spreads" (standard deviations of the examples) of a table.
const char* error_unit(const ParameterSpace& space);

struct AnalysisOptions {
  GridOptions grid;
  std::size_t reachable_targets = 1000;  ///< drawn at random, the same for all methods
  std::size_t timed_queries = 1000;      ///< over which the time of a query is averaged, at least 1
};

/// How good one method is on one family: a row of Huang 2012 figure 4.6, and the maps of figures 4.3 and 4.4.
struct MethodAnalysis {
  Method method = Method::kBarycentric;
  /// Parametric error: the distance between the point asked for and where the blend really comes out, in coordinates
  /// (metres for a placed joint); mean over all points of the grid within the hull, the 95th percentile and the worst.
  double error = 0, error_95 = 0, error_worst = 0;
  double smoothness = 0;  ///< mean curvature of the weights over the grid (§4.4.2); less is smoother
  /// The share of the points within the hull that are met within 5 mm (0.005 in coordinates).
  double met = 0;
  /// The same for places that some blend of neighbouring examples is known to reach (also outside the hull, where arms
  /// swing wider than the straight line between two places): mean error, and the share met within 5 mm.
  double reachable_error = 0, reachable_met = 0;
  /// How much of the blends is extrapolation: the mean over the grid of the sum of negative weights, as a positive
  /// number.
  double extrapolation = 0;
  double query_ms = 0;  ///< one query on one core: weights for a point
  /// From the examples' points to a weighting ready to be asked. The triangulation is part of it for all methods: they
  /// need it to tell inside from outside, and barycentric weights need nothing else.
  double precompute_ms = 0;
  std::vector<float> errors;      ///< one a point of the grid; NaN outside the hull
  std::vector<float> curvatures;  ///< one a point; NaN where a neighbour lies outside the hull or the grid ends
};

/// All methods on one family.
struct Analysis {
  std::string family;
  ParameterSpace space;
  ExamplePoints points;
  ParameterGrid grid;
  std::vector<MethodAnalysis> methods;  ///< in the order of kMethods
};

/// The error up to which a point counts as met: 5 mm where coordinates are metres.
inline constexpr double kMetWithin = 0.005;

/// The curvature of weights over a surface of a grid (Huang 2012 §4.4.2), at each point whose eight neighbours are
/// known: an eighth of the length of the sum of differences to all of them. `weights` is rows × columns × examples;
/// `known` says for which points there are weights. NaN elsewhere. O(points × examples).
std::vector<float> curvature(std::span<const float> weights, std::span<const std::uint8_t> known, std::size_t columns,
                             std::size_t examples);

/// Places that blends reach: where random convex blends of an example and its nearest neighbours (one more than there
/// are dimensions) come out. `count` × dimensions. Same seed, same places.
std::vector<double> reachable_targets(const Subject& subject, std::size_t count, std::uint64_t seed = 1);

/// Measures all five methods on a family, over one grid. Queries are evaluated on all cores, and timed on one. Fails
/// where no grid or triangulation can be made of the examples, and when told to stop.
Result<Analysis> analyse(const Subject& subject, const AnalysisOptions& options = {}, const Progress& progress = {});

}  // namespace loom::blend
