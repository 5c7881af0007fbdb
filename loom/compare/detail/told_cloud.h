// SPDX-License-Identifier: MIT
#pragma once

// Clouds told in a few numbers (see cpu/cpu_near.h): shared by what looks for near pairs, and not part of the library's
// surface.

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <span>

#include <loom/compare/cpu/cpu_near.h>

namespace loom::compare {

inline constexpr float kTinyLength = 1e-6f;  ///< metres: far more than rounding makes of lengths of metres

/// A cloud as vectors of weighted coordinates about its mean on the floor and the usual heights of its points.
struct CloudVector {
  Eigen::VectorXd heights;
  Eigen::VectorXcd floor;
};

/// A cloud by some of its axes: what `NearTable` holds of it.
template <std::size_t kHeights, std::size_t kFloor>
struct Told {
  std::array<double, kHeights> heights{};
  std::array<std::complex<double>, kFloor> floor{};
  double heights_left = 0, floor_left = 0;  ///< the lengths of the rest
  double energy = 0;

  Told() = default;
  Told(const CloudVector& cloud, const Eigen::VectorXd& along, const Eigen::VectorXcd& along_floor)
      : energy(cloud.heights.squaredNorm() + cloud.floor.squaredNorm()) {
    double left = cloud.heights.squaredNorm();
    for (std::size_t k = 0; k < kHeights && k < static_cast<std::size_t>(along.size()); ++k) {
      heights[k] = along[static_cast<Eigen::Index>(k)];
      left -= heights[k] * heights[k];
    }
    heights_left = std::sqrt(std::max(0.0, left));
    left = cloud.floor.squaredNorm();
    for (std::size_t k = 0; k < kFloor && k < static_cast<std::size_t>(along_floor.size()); ++k) {
      floor[k] = along_floor[static_cast<Eigen::Index>(k)];
      left -= std::norm(floor[k]);
    }
    floor_left = std::sqrt(std::max(0.0, left));
  }

  /// What lies in the middle of `clouds`, each turned towards the first: told as they are, though no cloud is there.
  explicit Told(std::span<const Told> clouds) {
    const double share = 1 / static_cast<double>(clouds.size());
    for (const Told& cloud : clouds) {
      const std::complex<double> product = cloud.product(clouds.front());
      const std::complex<double> turn = std::abs(product) > 0 ? product / std::abs(product) : 1;
      for (std::size_t k = 0; k < kHeights; ++k) heights[k] += share * cloud.heights[k];
      for (std::size_t k = 0; k < kFloor; ++k) floor[k] += share * turn * cloud.floor[k];
      heights_left += share * cloud.heights_left;
      floor_left += share * cloud.floor_left;
    }
    energy = heights_left * heights_left + floor_left * floor_left;
    for (const double height : heights) energy += height * height;
    for (const std::complex<double>& at : floor) energy += std::norm(at);
  }

  /// Calls `put(number, value)` for the numbers of axes `height` and `on_floor` and what follows, from number `n` on,
  /// in the order the kernels read them.
  template <typename Put>
  void write(const Put& put, std::size_t n = 0, std::size_t height = 0, std::size_t on_floor = 0) const {
    for (; height < kHeights; ++height) put(n++, heights[height]);
    put(n++, heights_left);
    for (; on_floor < kFloor; ++on_floor) {
      put(n++, floor[on_floor].real());
      put(n++, floor[on_floor].imag());
    }
    put(n, floor_left);
  }

  /// Of the floor coordinates: its direction is how far this is to be turned to lie as `other` does.
  [[nodiscard]] std::complex<double> product(const Told& other) const {
    std::complex<double> sum = 0;
    for (std::size_t k = 0; k < kFloor; ++k) sum += std::conj(floor[k]) * other.floor[k];
    return sum;
  }

  /// How far another cloud is at least, in metres.
  [[nodiscard]] double from(const Told& other) const {
    double squares = (heights_left - other.heights_left) * (heights_left - other.heights_left) +
                     (floor_left - other.floor_left) * (floor_left - other.floor_left);
    for (std::size_t k = 0; k < kHeights; ++k) {
      squares += (heights[k] - other.heights[k]) * (heights[k] - other.heights[k]);
    }
    for (std::size_t k = 0; k < kFloor; ++k) squares += std::norm(floor[k]) + std::norm(other.floor[k]);
    return std::sqrt(std::max(0.0, squares - 2 * std::abs(product(other))));
  }
};

using Coarse = Told<cpu::kCoarseHeights, cpu::kCoarseFloor>;
using Fine = Told<cpu::kFineHeights, cpu::kFineFloor>;

}  // namespace loom::compare
