// SPDX-License-Identifier: MIT
#pragma once

// The second look at what cloud_tile.h proposes. Its rounding grows with how far a body is from the middle of a tile,
// and where distances hardly differ, in valleys along diagonals, it proposes several times as many minima as there are.
// The card has half as many lanes in double precision as in single; telling these apart is a quarter of all its work.

#include <loom/compare/cuda/cloud_table.h>

namespace loom::card {

/// Of the candidates, which may be: the distances of each and of its neighbours in double precision, as `PointCloud`
/// has them, so that those that only rounding hides need not be looked at by the processor. A thread a pair.
struct CloudRefineKernel {
  static constexpr int kPhases = 1;
  static constexpr std::uint32_t kThreads = 128;

  CloudOnCard table;
  double threshold;
  const PairFound* from;
  std::uint32_t number;
  PairFound* to;
  std::uint32_t* count;

  template <int>
  LOOM_ON_CARD void run(std::uint32_t block, std::uint32_t thread, float*) const {
    const std::uint32_t n = block * kThreads + thread;
    if (n >= number || !may_be_least(from[n])) return;
    to[count_up(count)] = from[n];
  }

 private:
  /// The likeliest to be nearer come first: along the diagonal the distance changes least.
  LOOM_ON_CARD bool may_be_least(const PairFound& pair) const {
    const double tiny = rounding(pair);
    const double mine = distance(pair.i, pair.j);
    if (!(mine <= threshold + tiny)) return false;
    constexpr int kSteps[8][2] = {{1, 1}, {-1, -1}, {0, 1}, {0, -1}, {1, 0}, {-1, 0}, {-1, 1}, {1, -1}};
    for (int k = 0; k < 8; ++k) {
      const std::int64_t i = static_cast<std::int64_t>(pair.i) + kSteps[k][0];
      const std::int64_t j = static_cast<std::int64_t>(pair.j) + kSteps[k][1];
      if (i < 0 || i >= j || j >= static_cast<std::int64_t>(table.frames)) continue;
      if (distance(static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j)) < mine - tiny) return false;
    }
    return true;
  }

  /// What two distances may differ by here and on the processor, which takes the means out at the end: sums of as many
  /// products as a cloud has points, seen from the middles of the clips.
  LOOM_ON_CARD double rounding(const PairFound& pair) const {
    const double reach_i = fabs(table.mean_x[pair.i]) + fabs(table.mean_z[pair.i]) + 1;
    const double reach_j = fabs(table.mean_x[pair.j]) + fabs(table.mean_z[pair.j]) + 1;
    const double products = static_cast<double>(table.points) * (2 * table.half_window + 1) + 8;
    return 0x1.0p-48 * products * (reach_i * reach_j + table.largest_energy + threshold);
  }

  LOOM_ON_CARD double distance(std::uint32_t i, std::uint32_t j) const {
    const double energy = table.energy[i] + table.energy[j];
    if (!(energy < INFINITY)) return INFINITY;
    const std::uint32_t half = table.half_window, floor = (table.points + 1) / 2;
    Sums sums;
    for (std::uint32_t t = 0; t <= 2 * half; ++t) {
      const double tap = table.exact_taps[t < half ? half - t : t - half];
      Sums of_frame;
      for (std::uint32_t k = 0; k < table.points; k += 2) {
        const Four a = four(k / 2, i + t - half), b = four(k / 2, j + t - half);
        add_floor(k, a.a - table.mean_x[i], a.b - table.mean_z[i], b.a - table.mean_x[j], b.b - table.mean_z[j],
                  of_frame);
        if (k + 1 == table.points) break;
        add_floor(k + 1, a.c - table.mean_x[i], a.d - table.mean_z[i], b.c - table.mean_x[j], b.d - table.mean_z[j],
                  of_frame);
      }
      for (std::uint32_t k = 0; k < table.points; ++k) {
        of_frame.h += table.exact_weights[k] * height(floor, k, i + t - half) * height(floor, k, j + t - half);
      }
      sums.c += tap * of_frame.c;
      sums.s += tap * of_frame.s;
      sums.h += tap * of_frame.h;
    }
    return energy - 2 * sums.h - 2 * sqrt(sums.c * sums.c + sums.s * sums.s);
  }

  struct Sums {
    double c = 0, s = 0, h = 0;
  };
  LOOM_ON_CARD void add_floor(std::uint32_t k, double ax, double az, double bx, double bz, Sums& sums) const {
    const double weight = table.exact_weights[k];
    sums.c += weight * (ax * bx + az * bz);
    sums.s += weight * (ax * bz - az * bx);
  }
  LOOM_ON_CARD Four four(std::uint32_t n, std::uint32_t frame) const {
    return read_four(table.fours + 4 * (static_cast<std::size_t>(n) * table.frames + frame));
  }
  LOOM_ON_CARD double height(std::uint32_t floor, std::uint32_t k, std::uint32_t frame) const {
    return table.fours[4 * (static_cast<std::size_t>(floor + k / 4) * table.frames + frame) + k % 4];
  }
};

}  // namespace loom::card
