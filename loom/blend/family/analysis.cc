// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <ctime>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include <loom/base/parallel.h>
#include <loom/base/random.h>
#include <loom/blend/family/analysis.h>

namespace loom::blend {
namespace {

constexpr std::size_t kGrain = 64;
constexpr float kUnknown = std::numeric_limits<float>::quiet_NaN();
constexpr int kTimedRounds = 3;  ///< the quickest counts: the others found cold caches

/// Time this thread has had on a core, in milliseconds: others on the machine do not count.
double core_milliseconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
}

/// The weights for all points within the hull, into `weights` (points × examples).
void weigh_grid(const Weighting& weighting, const ParameterGrid& grid, std::span<float> weights) {
  const std::size_t examples = weighting.examples();
  parallel_for(grid.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (grid.inside[i] == 0) continue;
      weighting.weigh(grid.at(i), Outside::kClamp, weights.subspan(i * examples, examples));
    }
  });
}

double distance(std::span<const double> a, std::span<const double> b) { return std::sqrt(squared_distance(a, b)); }

std::vector<float> errors_of(const BlendModel& model, const ParameterGrid& grid, std::span<const float> weights) {
  const std::size_t examples = model.examples();
  std::vector<float> errors(grid.size(), kUnknown);
  parallel_for(grid.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    std::array<double, kMaxDimensions> at{};
    for (std::size_t i = begin; i < end; ++i) {
      if (grid.inside[i] == 0) continue;
      model.evaluate(weights.subspan(i * examples, examples), {at.data(), grid.dimensions});
      errors[i] = static_cast<float>(distance({at.data(), grid.dimensions}, grid.at(i)));
    }
  });
  return errors;
}

/// The curvature over every layer of the grid.
std::vector<float> curvatures_of(const ParameterGrid& grid, std::span<const float> weights, std::size_t examples) {
  std::vector<float> all;
  const std::size_t surface = grid.rows * grid.columns;
  for (std::size_t l = 0; l < grid.layers; ++l) {
    const auto one = curvature(weights.subspan(l * surface * examples, surface * examples),
                               std::span(grid.inside).subspan(l * surface, surface), grid.columns, examples);
    all.insert(all.end(), one.begin(), one.end());
  }
  return all;
}

std::vector<float> known_of(std::span<const float> values) {
  std::vector<float> known;
  std::copy_if(values.begin(), values.end(), std::back_inserter(known), [](float v) { return !std::isnan(v); });
  return known;
}

double mean_of(std::span<const float> values) {
  double sum = 0;
  for (const float value : values) sum += static_cast<double>(value);
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

void summarise_errors(MethodAnalysis& result) {
  std::vector<float> known = known_of(result.errors);
  if (known.empty()) return;
  std::sort(known.begin(), known.end());
  result.error = mean_of(known);
  result.error_95 = static_cast<double>(known[(known.size() - 1) * 95 / 100]);
  result.error_worst = static_cast<double>(known.back());
  const auto met = std::upper_bound(known.begin(), known.end(), static_cast<float>(kMetWithin)) - known.begin();
  result.met = static_cast<double>(met) / static_cast<double>(known.size());
}

double extrapolation_of(const ParameterGrid& grid, std::span<const float> weights, std::size_t examples) {
  double sum = 0;
  std::size_t count = 0;
  for (std::size_t i = 0; i < grid.size(); ++i) {
    if (grid.inside[i] == 0) continue;
    ++count;
    for (const float w : weights.subspan(i * examples, examples)) sum -= std::min(0.0, static_cast<double>(w));
  }
  return count == 0 ? 0 : sum / static_cast<double>(count);
}

void measure_reachable(const Weighting& weighting, const Subject& subject, std::size_t count, MethodAnalysis& result) {
  const std::size_t dimensions = subject.points.dimensions;
  const std::vector<double> targets = reachable_targets(subject, count);
  std::vector<double> errors(count);
  parallel_for(count, kGrain, [&](std::size_t begin, std::size_t end) {
    std::vector<float> weights(weighting.examples());
    std::array<double, kMaxDimensions> at{};
    for (std::size_t i = begin; i < end; ++i) {
      const std::span target{targets.data() + i * dimensions, dimensions};
      weighting.weigh(target, Outside::kExtrapolate, weights);
      subject.model->evaluate(weights, {at.data(), dimensions});
      errors[i] = distance({at.data(), dimensions}, target);
    }
  });
  for (const double error : errors) {
    result.reachable_error += error / static_cast<double>(count);
    result.reachable_met += error <= kMetWithin ? 1 / static_cast<double>(count) : 0;
  }
}

/// The mean time of a query in milliseconds, over points spread evenly through the grid, asked one after the other.
double time_queries(const Weighting& weighting, const ParameterGrid& grid, std::size_t queries) {
  std::vector<std::size_t> inside;
  for (std::size_t i = 0; i < grid.size(); ++i) {
    if (grid.inside[i] != 0) inside.push_back(i);
  }
  queries = std::min(queries, inside.size());
  std::vector<float> weights(weighting.examples());
  double quickest = std::numeric_limits<double>::infinity();
  for (int round = 0; round < kTimedRounds; ++round) {
    const double start = core_milliseconds();
    for (std::size_t q = 0; q < queries; ++q) {
      weighting.weigh(grid.at(inside[q * inside.size() / queries]), Outside::kClamp, weights);
    }
    quickest = std::min(quickest, core_milliseconds() - start);
  }
  return quickest / static_cast<double>(queries);
}

}  // namespace

const char* error_unit(const ParameterSpace& space) {
  switch (space.kind) {
    case FamilyKind::kLocomotion:
      return "m/s";
    case FamilyKind::kTable:
      return "spreads";
    default:
      return "m";
  }
}

std::vector<float> curvature(std::span<const float> weights, std::span<const std::uint8_t> known, std::size_t columns,
                             std::size_t examples) {
  const std::size_t rows = known.size() / columns;
  assert(weights.size() == known.size() * examples);
  std::vector<float> curvatures(known.size(), kUnknown);
  std::vector<double> sum(examples);
  // A line has no rows above and below: there the two neighbours along it are all there are.
  const std::size_t down = rows > 1 ? 1 : 0;
  for (std::size_t r = down; r + down < rows; ++r) {
    for (std::size_t c = 1; c + 1 < columns; ++c) {
      const std::size_t here = r * columns + c;
      std::fill(sum.begin(), sum.end(), 0.0);
      bool complete = true;
      for (std::size_t row = r - down; row <= r + down && complete; ++row) {
        for (std::size_t column = c - 1; column <= c + 1 && complete; ++column) {
          const std::size_t there = row * columns + column;
          complete = known[there] != 0;
          for (std::size_t e = 0; e < examples && complete; ++e) {
            sum[e] +=
                static_cast<double>(weights[here * examples + e]) - static_cast<double>(weights[there * examples + e]);
          }
        }
      }
      if (!complete) continue;
      double square = 0;
      for (const double s : sum) square += s * s;
      curvatures[here] = static_cast<float>(std::sqrt(square) / (rows > 1 ? 8 : 2));
    }
  }
  return curvatures;
}

std::vector<double> reachable_targets(const Subject& subject, std::size_t count, std::uint64_t seed) {
  const ExamplePoints& points = subject.points;
  const std::size_t k = std::min(points.size(), points.dimensions + 1);
  Random random(seed);
  std::vector<double> targets(count * points.dimensions);
  std::vector<std::size_t> order(points.size());
  std::vector<float> weights(points.size());
  for (std::size_t t = 0; t < count; ++t) {
    const auto from = points[random.index(points.size())];
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      const double to_a = distance(points[a], from), to_b = distance(points[b], from);
      return to_a != to_b ? to_a < to_b : a < b;
    });
    // Exponential variates, scaled to sum to one, are spread evenly over the simplex.
    std::fill(weights.begin(), weights.end(), 0.0f);
    double sum = 0;
    for (std::size_t n = 0; n < k; ++n) sum += weights[order[n]] = static_cast<float>(-std::log(1 - random.uniform()));
    for (float& w : weights) w = static_cast<float>(static_cast<double>(w) / sum);
    subject.model->evaluate(weights, std::span(targets).subspan(t * points.dimensions, points.dimensions));
  }
  return targets;
}

namespace {

/// Measures one method over a grid. Fails where the examples cannot be triangulated.
Result<MethodAnalysis> analyse_method(Method method, const Subject& subject, const ParameterGrid& grid,
                                      const AnalysisOptions& options) {
  MethodAnalysis result;
  result.method = method;
  const double start = core_milliseconds();
  auto space = Triangulation::create(subject.points);
  if (!space) return fail_from(space);
  const auto weighting =
      make_weighting(method, std::make_shared<const Triangulation>(std::move(*space)), subject.model);
  result.precompute_ms = core_milliseconds() - start;
  result.query_ms = time_queries(*weighting, grid, options.timed_queries);

  const std::size_t examples = subject.points.size();
  std::vector<float> weights(grid.size() * examples);
  weigh_grid(*weighting, grid, weights);
  result.errors = errors_of(*subject.model, grid, weights);
  result.curvatures = curvatures_of(grid, weights, examples);
  summarise_errors(result);
  result.extrapolation = extrapolation_of(grid, weights, examples);
  measure_reachable(*weighting, subject, options.reachable_targets, result);
  result.smoothness = mean_of(known_of(result.curvatures));
  return result;
}

}  // namespace

Result<Analysis> analyse(const Subject& subject, const AnalysisOptions& options, const Progress& progress) {
  assert(subject.model && subject.model->examples() == subject.points.size() &&
         subject.model->dimensions() == subject.points.dimensions);
  if (options.timed_queries == 0 || options.reachable_targets == 0) {
    return fail("of no queries neither time nor error can be told");
  }
  const auto space = Triangulation::create(subject.points);
  if (!space) return fail_because(space.error(), fmt::format("'{}': {}", subject.family, space.error().message));
  auto grid = make_grid(subject.space, *space, options.grid);
  if (!grid) return fail_because(grid.error(), fmt::format("'{}': {}", subject.family, grid.error().message));

  Analysis analysis{subject.family, subject.space, subject.points, std::move(*grid), {}};
  for (const Method method : kMethods) {
    const double share = static_cast<double>(analysis.methods.size()) / static_cast<double>(kMethods.size());
    if (!progress.report(share, fmt::format("{}: {}", subject.family, to_string(method)))) {
      return fail_as(ErrorKind::kStopped, "stopped while comparing methods");
    }
    auto measured = analyse_method(method, subject, analysis.grid, options);
    if (!measured) return fail_from(measured);
    analysis.methods.push_back(std::move(*measured));
  }
  return analysis;
}

}  // namespace loom::blend
