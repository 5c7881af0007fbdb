// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <string>

#include <fmt/format.h>

#include <loom/base/parallel.h>
#include <loom/base/whole.h>
#include <loom/blend/family/coverage.h>
#include <loom/blend/family/detail/reach_targets.h>
#include <loom/blend/weights/inverse_weighting.h>

namespace loom::blend {
namespace {

constexpr double kCubesAlong = 11;       ///< the longest side of a box, where no spacing is given
constexpr double kUsualCubes = 1400;     ///< and no more than about so many in all
constexpr double kMissed = 0.02;         ///< errors above this share of the tolerance are worth an example
constexpr std::size_t kCandidates = 80;  ///< places an example is tried at; more would only tell near ones apart

double apart(std::span<const double> a, std::span<const double> b) { return std::sqrt(squared_distance(a, b)); }

WorkspaceBox box_around(const ExamplePoints& points) {
  WorkspaceBox box;
  for (std::size_t d = 0; d < points.dimensions; ++d) {
    box.low.push_back(points[0][d]);
    box.high.push_back(points[0][d]);
    for (std::size_t i = 1; i < points.size(); ++i) {
      box.low[d] = std::min(box.low[d], points[i][d]);
      box.high[d] = std::max(box.high[d], points[i][d]);
    }
  }
  return box;
}

std::string fault_of(const WorkspaceBox& box, std::size_t dimensions) {
  if (box.low.size() != dimensions || box.high.size() != dimensions) {
    return fmt::format("the box of this workspace has two corners of {} numbers", dimensions);
  }
  for (std::size_t d = 0; d < dimensions; ++d) {
    if (!std::isfinite(box.low[d]) || !std::isfinite(box.high[d]) || box.low[d] > box.high[d]) {
      return fmt::format("a box from {} to {} is none", box.low[d], box.high[d]);
    }
  }
  return {};
}

/// How many cubes of an edge fill a side. Half a cube may stand out on either end.
std::size_t cubes_along(double low, double high, double spacing) {
  return to_whole<std::size_t>(std::max(1.0, std::ceil((high - low) / spacing - 1e-9)));
}

/// The middles of cubes that fill a box.
Result<std::vector<double>> cube_middles(const WorkspaceBox& box, double spacing) {
  const std::size_t dimensions = box.low.size();
  std::array<std::size_t, kMaxDimensions> counts{};
  double total = 1;
  for (std::size_t d = 0; d < dimensions; ++d) {
    total *= std::max(1.0, (box.high[d] - box.low[d]) / spacing);
    if (total > static_cast<double>(kMaxCoverageSamples)) {
      return fail(fmt::format("cubes of {:g} would be more than {} in this box; take larger ones", spacing,
                              kMaxCoverageSamples));
    }
    counts[d] = cubes_along(box.low[d], box.high[d], spacing);
  }
  std::vector<double> middles;
  std::array<std::size_t, kMaxDimensions> at{};
  for (std::size_t d = 0; d < dimensions;) {
    for (d = 0; d < dimensions; ++d) {
      const double from_middle = static_cast<double>(at[d]) - 0.5 * static_cast<double>(counts[d] - 1);
      middles.push_back((box.low[d] + box.high[d]) / 2 + from_middle * spacing);
    }
    for (d = 0; d < dimensions && ++at[d] == counts[d]; ++d) at[d] = 0;
  }
  return middles;
}

/// Leaves out what this family is not about: under the floor, nearer or farther than any example, and in directions
/// beyond all examples. `slack` is half a cube, in metres.
std::vector<double> within_reach(const std::vector<double>& middles, const ExamplePoints& points, double slack) {
  const SphericalRange range = spherical_range(points);
  std::vector<double> kept;
  for (std::size_t i = 0; i + 2 < middles.size(); i += 3) {
    const double x = middles[i], y = middles[i + 1], z = middles[i + 2];
    const double distance_out = std::hypot(x, y - range.height, z), angle = slack / std::max(slack, distance_out);
    const double azimuth = std::atan2(x, z), elevation = std::atan2(y - range.height, std::hypot(x, z));
    if (y < 0 || distance_out < range.distance_low - slack || distance_out > range.distance_high + slack) continue;
    if (azimuth < range.azimuth_low - angle || azimuth > range.azimuth_high + angle) continue;
    if (elevation < range.elevation_low - angle || elevation > range.elevation_high + angle) continue;
    kept.insert(kept.end(), {x, y, z});
  }
  return kept;
}

/// What is known about the samples that are not met, for reckoning what another example would change.
struct Uncovered {
  std::vector<std::size_t> samples;
  std::vector<double> bend;  ///< of each: what the blend misses beyond the distance to the hull of the examples
};

Uncovered find_uncovered(const Coverage& coverage, const Triangulation& space) {
  Uncovered found;
  std::array<double, kMaxExamples> shares;
  for (std::size_t i = 0; i < coverage.size(); ++i) {
    const double error = static_cast<double>(coverage.errors[i]);
    if (error <= kMissed * coverage.tolerance) continue;
    const double outside = space.project(coverage.target(i), {shares.data(), space.points().size()});
    found.samples.push_back(i);
    found.bend.push_back(std::max(0.0, error - outside));
  }
  return found;
}

/// The mean distance from an example to its nearest neighbour: how far an example's influence goes.
double spacing_of(const ExamplePoints& points) {
  double sum = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t j = 0; j < points.size(); ++j) {
      if (j != i) nearest = std::min(nearest, apart(points[i], points[j]));
    }
    sum += nearest;
  }
  return sum / static_cast<double>(points.size());
}

/// How much `covered` is reckoned to rise, summed over samples, with another example at `at`: the hull grows to it, and
/// what blends miss within fades towards it.
double reckon_gain(const Coverage& coverage, const Uncovered& uncovered, ExamplePoints points,
                   std::span<const double> at) {
  const double influence = spacing_of(points);
  points.values.insert(points.values.end(), at.begin(), at.end());
  const auto space = Triangulation::create(std::move(points));
  if (!space) return 0;
  std::array<double, kMaxExamples> shares;
  double gain = 0;
  for (std::size_t u = 0; u < uncovered.samples.size(); ++u) {
    const std::size_t i = uncovered.samples[u];
    const double before = static_cast<double>(coverage.errors[i]);
    const double outside = space->project(coverage.target(i), {shares.data(), space->points().size()});
    const double bend = uncovered.bend[u] * std::min(1.0, apart(coverage.target(i), at) / influence);
    const double after = std::min(before, outside + bend);
    gain += share_covered(after, coverage.tolerance) - share_covered(before, coverage.tolerance);
  }
  return gain;
}

std::optional<CoverageSuggestion> suggest(const Coverage& coverage, const Triangulation& space) {
  const Uncovered uncovered = find_uncovered(coverage, space);
  if (uncovered.samples.empty() || space.points().size() >= kMaxExamples) return std::nullopt;
  const std::size_t candidates = std::min(kCandidates, uncovered.samples.size());
  std::vector<double> gains(candidates);
  const auto candidate = [&](std::size_t c) {
    return coverage.target(uncovered.samples[c * uncovered.samples.size() / candidates]);
  };
  parallel_for(candidates, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t c = begin; c < end; ++c) {
      gains[c] = reckon_gain(coverage, uncovered, space.points(), candidate(c));
    }
  });
  const auto best = std::max_element(gains.begin(), gains.end());
  if (!(*best > 0)) return std::nullopt;
  const auto at = candidate(static_cast<std::size_t>(best - gains.begin()));
  return CoverageSuggestion{{at.begin(), at.end()}, coverage.covered + *best / static_cast<double>(coverage.size())};
}

Result<Coverage> cover(const Subject& subject, Coverage coverage, Triangulation space) {
  if (!(std::isfinite(coverage.tolerance) && coverage.tolerance > 0)) {
    return fail("the tolerance of coverage is a length above zero");
  }
  if (coverage.targets.empty()) return fail("there is nothing to reach for: no sample lies in the workspace");
  const auto shared = std::make_shared<const Triangulation>(std::move(space));
  reach_targets(InverseWeighting(shared, subject.model), *subject.model, coverage);
  coverage.suggestion = suggest(coverage, *shared);
  return coverage;
}

}  // namespace

Result<Coverage> cover_volume(const Subject& subject, const CoverageOptions& options) {
  auto space = Triangulation::create(subject.points);
  if (!space) return fail_because(space.error(), fmt::format("'{}': {}", subject.family, space.error().message));
  const WorkspaceBox box = options.box.value_or(box_around(subject.points));
  if (const std::string fault = fault_of(box, subject.points.dimensions); !fault.empty()) return fail(fault);
  Coverage coverage;
  coverage.dimensions = subject.points.dimensions;
  coverage.tolerance = options.tolerance;
  coverage.spacing = options.spacing;
  if (options.spacing == 0) {
    const auto dimensions = static_cast<double>(box.low.size());
    const double along = std::min(kCubesAlong, std::pow(kUsualCubes, 1 / dimensions));
    for (std::size_t d = 0; d < box.low.size(); ++d) {
      coverage.spacing = std::max(coverage.spacing, (box.high[d] - box.low[d]) / along);
    }
  }
  if (!(std::isfinite(coverage.spacing) && coverage.spacing > 0)) return fail("cubes have an edge above zero");
  auto middles = cube_middles(box, coverage.spacing);
  if (!middles) return fail_from(middles);
  coverage.targets = !options.box && places_a_joint(subject.space.kind)
                         ? within_reach(*middles, subject.points, coverage.spacing / 2)
                         : std::move(*middles);
  return cover(subject, std::move(coverage), std::move(*space));
}

Result<Coverage> cover_surface(const Subject& subject, std::vector<double> targets, std::size_t columns,
                               const CoverageOptions& options) {
  auto space = Triangulation::create(subject.points);
  if (!space) return fail_because(space.error(), fmt::format("'{}': {}", subject.family, space.error().message));
  const std::size_t row = columns * subject.points.dimensions;
  if (row == 0 || targets.size() % row != 0) return fail("the points of a surface come in whole rows");
  if (targets.size() / subject.points.dimensions > kMaxCoverageSamples) {
    return fail(fmt::format("a surface has at most {} points", kMaxCoverageSamples));
  }
  if (!std::all_of(targets.begin(), targets.end(), [](double t) { return std::isfinite(t); })) {
    return fail("a point of the surface is not a number");
  }
  Coverage coverage;
  coverage.dimensions = subject.points.dimensions;
  coverage.tolerance = options.tolerance;
  coverage.columns = columns;
  coverage.targets = std::move(targets);
  return cover(subject, std::move(coverage), std::move(*space));
}

std::vector<double> table_surface(const ExamplePoints& points, double height, std::size_t side) {
  const WorkspaceBox box = box_around(points);
  std::vector<double> surface;
  for (std::size_t row = 0; row < side; ++row) {
    for (std::size_t column = 0; column < side; ++column) {
      surface.insert(surface.end(), {grid_value(box.low[0], box.high[0], column, side), height,
                                     grid_value(box.low[2], box.high[2], row, side)});
    }
  }
  return surface;
}

std::vector<double> sphere_surface(const ExamplePoints& points, double radius, std::size_t side) {
  const SphericalRange range = spherical_range(points);
  std::vector<double> surface;
  for (std::size_t row = 0; row < side; ++row) {
    for (std::size_t column = 0; column < side; ++column) {
      const auto way = direction_of(grid_value(range.azimuth_low, range.azimuth_high, column, side),
                                    grid_value(range.elevation_low, range.elevation_high, row, side));
      surface.insert(surface.end(), {radius * way[0], range.height + radius * way[1], radius * way[2]});
    }
  }
  return surface;
}

std::string describe_suggestion(const Coverage& coverage, const ParameterSpace& space) {
  if (!coverage.suggestion) return "No single example would help.";
  std::vector<double> values(coverage.dimensions);
  space.to_values(coverage.suggestion->at, values);
  std::string place;
  for (std::size_t d = 0; d < values.size(); ++d) {
    const FamilyParameter& parameter = space.parameters[d];
    place += fmt::format("{}{} {:.2f}{}{}", d == 0 ? "" : ", ", parameter.name, values[d],
                         parameter.unit.empty() ? "" : " ", parameter.unit);
  }
  return fmt::format("One more example would help most at {}: coverage would rise from {:.0f} to about {:.0f} %.",
                     place, 100 * coverage.covered, 100 * coverage.suggestion->covered_after);
}

}  // namespace loom::blend
