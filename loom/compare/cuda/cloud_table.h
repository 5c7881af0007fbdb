// SPDX-License-Identifier: MIT
#pragma once

// Clouds in the card's memory and in that of a block of threads: what the kernels of cloud_tile.h and cloud_refine.h
// read, and the one that lays it out.

#include <loom/compare/cuda/shim.h>

namespace loom::card {

inline constexpr std::uint32_t kCloudThreads = 128;
inline constexpr std::uint32_t kCloudAllLanes = 2 * kCloudThreads;  ///< diagonals that a block computes
inline constexpr std::uint32_t kCloudEdge = 2;                      ///< of these, on each side, for others' minima
inline constexpr std::uint32_t kCloudLanes = kCloudAllLanes - 2 * kCloudEdge;  ///< that it answers for
inline constexpr std::uint32_t kMostHalfWindow = 32;                           ///< L; a second at 60 frames a second
inline constexpr std::uint32_t kUsualPoints = 8;                               ///< have kernels of their own
/// Pairs that may be under the threshold, of a round, that all threads share out between them.
inline constexpr std::uint32_t kCloudList = 400;

/// How many rows a block has, by the half of a window.
struct CloudShape {
  std::uint32_t half;
  std::uint32_t round;  ///< rows between two looks
  std::uint32_t steps;  ///< frames read for rows: 2L more than rows computed, which are two more than it answers for

  /// Some 88 frames, in whole rounds where the products of a window lie in registers: a ring of 2L + 1 that goes round
  /// once or some times in a round, and has its places known when compiled. `any`: it lies elsewhere.
  LOOM_HERE_AND_ON_CARD static constexpr CloudShape of(std::uint32_t half, bool any) {
    if (any) return {half, 11, 78 + 2 * half};
    const std::uint32_t ring = 2 * half + 1, round = ring > 12 ? ring : 12 / ring * ring;
    return {half, round, 88 / round * round};
  }
  [[nodiscard]] LOOM_HERE_AND_ON_CARD constexpr std::uint32_t rows() const { return steps - 2 * half - 2; }
  [[nodiscard]] LOOM_HERE_AND_ON_CARD constexpr std::uint32_t rounds() const { return (steps + round - 1) / round; }
};
inline constexpr std::uint32_t kMostCloudRows = 88;

/// A table in the card's memory, as `CloudInput` says.
struct CloudOnCard {
  std::uint32_t frames, points, half_window;
  const float* fours;    ///< [four][frame]: see `CloudPlaces`
  const float* weights;  ///< [four]: what rows are multiplied by
  const std::uint32_t* clip_begin;
  const std::uint32_t* clip_end;
  const double* mean_x;
  const double* mean_z;
  const double* energy;
  const float* centroid_x;
  const float* centroid_z;
  const float* spread;
  const double* exact_weights;  ///< points
  const double* exact_taps;     ///< half_window + 1
  double largest_energy;
};

/// Where things lie in the shared memory of a block, in floats.
struct CloudPlaces {
  /// A frame is so many times four numbers: x and z of two points each, then the heights of four, then the window that
  /// has ended by it (energy, mean x, mean z).
  std::uint32_t floor, fours;
  std::uint32_t steps, columns;  ///< frames read
  std::uint32_t left;            ///< [row][four]: times 2, -2 (heights) and the points' weights; means times 2
  std::uint32_t right;           ///< [even or odd][four][half of the column]
  std::uint32_t halves;          ///< columns of one kind
  std::uint32_t distances;       ///< [row of the round, two of the one before][lane]: two numbers, see `Distance`
  std::uint32_t origins;         ///< x, z of rows and columns; lies where distances come later
  std::uint32_t sizes;           ///< squares of floor coordinates, at most: of rows, of columns
  std::uint32_t limits;          ///< what may be under the threshold; how much rounding may hide between neighbours
  std::uint32_t begin;           ///< whole numbers: the first row and the first diagonal that are answered for
  std::uint32_t counts;          ///< whole numbers: of the list, in even and in odd rounds
  std::uint32_t list;            ///< whole numbers: row of the round and lane
  std::uint32_t end;

  LOOM_HERE_AND_ON_CARD static constexpr CloudPlaces of(std::uint32_t points, const CloudShape& shape) {
    CloudPlaces at{};
    at.floor = (points + 1) / 2;
    at.fours = at.floor + (points + 3) / 4 + 1;
    at.steps = shape.steps;
    at.columns = at.steps + kCloudAllLanes;
    at.halves = (at.columns + 1) / 2;
    at.right = 4 * at.fours * at.steps;
    at.distances = at.right + 2 * 4 * at.fours * at.halves;
    at.origins = at.distances;
    at.sizes = at.distances + 2 * (shape.round + 2) * kCloudAllLanes;
    at.limits = at.sizes + 2;
    at.begin = at.limits + 2;
    at.counts = at.begin + 2;
    at.list = at.counts + 2;
    at.end = at.list + kCloudList;
    return at;
  }
};
static_assert(2 * (2 * CloudShape::of(kMostHalfWindow, true).steps + kCloudAllLanes) <=
                  2 * (CloudShape::of(3, false).round + 2) * kCloudAllLanes,
              "origins have room where distances lie");

/// Puts coordinates into fours, for all frames.
struct CloudPackKernel {
  static constexpr int kPhases = 1;
  static constexpr std::uint32_t kThreads = 256;

  std::uint32_t frames, points;
  const float* by_coordinate;
  float* fours;

  [[nodiscard]] std::uint64_t items() const {
    return static_cast<std::uint64_t>(CloudPlaces::of(points, CloudShape::of(0, true)).fours - 1) * frames;
  }

  template <int phase>
  LOOM_ON_CARD void run(std::uint32_t block, std::uint32_t thread, float*) const {
    const std::uint64_t item = static_cast<std::uint64_t>(block) * kThreads + thread;
    const CloudPlaces at = CloudPlaces::of(points, CloudShape::of(0, true));
    if (item >= static_cast<std::uint64_t>(at.fours - 1) * frames) return;
    const auto four = static_cast<std::uint32_t>(item / frames), frame = static_cast<std::uint32_t>(item % frames);
    Four out;
    if (four < at.floor) {
      const std::uint32_t k = 2 * four;
      out = {value(k, 0, frame), value(k, 2, frame), value(k + 1, 0, frame), value(k + 1, 2, frame)};
    } else {
      const std::uint32_t k = 4 * (four - at.floor);
      out = {value(k, 1, frame), value(k + 1, 1, frame), value(k + 2, 1, frame), value(k + 3, 1, frame)};
    }
    write_four(fours + 4 * item, out);
  }

 private:
  LOOM_ON_CARD float value(std::uint32_t point, std::uint32_t axis, std::uint32_t frame) const {
    return point < points ? by_coordinate[(std::size_t{3} * point + axis) * frames + frame] : 0;
  }
};

}  // namespace loom::card
