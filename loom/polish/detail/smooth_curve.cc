// SPDX-License-Identifier: MIT
#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cmath>

#include <loom/polish/detail/smooth_curve.h>

namespace loom::polish {
namespace {

// A pin weighs so much against the curve's own wishes that it holds to a hundredth of a millimetre.
constexpr double kPinWeight = 1e9;

/// A symmetric, positive definite matrix of which only the diagonals near the middle one are not zero, of unknowns that
/// are numbered frame after frame: no reordering could do better, and nothing has to be looked for.
class Banded {
 public:
  Banded(std::size_t size, std::size_t band) : size_(size), band_(band), lower_(size * (band + 1)) {}

  /// The entry at a column that is not right of the diagonal.
  double& at(std::size_t row, std::size_t column) { return lower_[row * (band_ + 1) + band_ - (row - column)]; }

  /// Solves for one right side, in its place; the matrix is used up. L D Lᵀ, O(size · band²).
  void solve(std::vector<double>& right) {
    for (std::size_t i = 0; i < size_; ++i) {
      const std::size_t first = i > band_ ? i - band_ : 0;
      for (std::size_t j = first + 1; j < i; ++j) {  // the row becomes that of L D
        double sum = at(i, j);
        for (std::size_t k = std::max(first, j > band_ ? j - band_ : 0); k < j; ++k) sum -= at(i, k) * at(j, k);
        at(i, j) = sum;
      }
      // Now L, whose D stands on the diagonal.
      for (std::size_t k = first; k < i; ++k) {
        const double scaled = at(i, k) / at(k, k);
        at(i, i) -= scaled * at(i, k);
        at(i, k) = scaled;
      }
    }
    for (std::size_t i = 0; i < size_; ++i) {
      for (std::size_t k = i > band_ ? i - band_ : 0; k < i; ++k) right[i] -= at(i, k) * right[k];
    }
    for (std::size_t i = 0; i < size_; ++i) right[i] /= at(i, i);
    for (std::size_t i = size_; i-- > 0;) {
      for (std::size_t k = i > band_ ? i - band_ : 0; k < i; ++k) right[k] -= at(i, k) * right[i];
    }
  }

 private:
  std::size_t size_, band_;
  std::vector<double> lower_;  ///< row by row, the diagonal last
};

/// Adds weight · |Δ²c|² for `width` interleaved curves of `frames` values.
void add_bending(Banded& matrix, std::size_t frames, std::size_t width, double weight) {
  constexpr std::array<double, 3> kDifference = {1, -2, 1};
  for (std::size_t f = 0; f + 2 < frames; ++f) {
    for (std::size_t c = 0; c < width; ++c) {
      for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
          matrix.at((f + i) * width + c, (f + j) * width + c) += weight * kDifference[i] * kDifference[j];
        }
      }
    }
  }
}

double fourth_power(double x) { return x * x * x * x; }

}  // namespace

CurvePair smoothest_curves(const Pins& first, const Pins& second, double ease_frames, double tie) {
  const std::size_t frames = first.held.size();
  const double bending = fourth_power(ease_frames);
  // Pins stand out against the stiffness of the curve, whatever the frame rate.
  const double pin_weight = kPinWeight * (1 + bending);
  std::vector<double> right(2 * frames);
  Banded matrix(2 * frames, 4);
  add_bending(matrix, frames, 2, bending);
  for (std::size_t f = 0; f < frames; ++f) {
    const std::size_t row = 2 * f;
    const double hold_first = first.held[f] ? pin_weight : 0, hold_second = second.held[f] ? pin_weight : 0;
    matrix.at(row, row) += 1 + tie + hold_first;
    matrix.at(row + 1, row + 1) += 1 + tie + hold_second;
    matrix.at(row + 1, row) -= tie;
    if (first.held[f]) right[row] = hold_first * first.value[f];
    if (second.held[f]) right[row + 1] = hold_second * second.value[f];
  }
  matrix.solve(right);
  CurvePair curves{std::vector<double>(frames), std::vector<double>(frames)};
  for (std::size_t f = 0; f < frames; ++f) {
    curves.first[f] = right[2 * f];
    curves.second[f] = right[2 * f + 1];
  }
  return curves;
}

std::vector<Vec3> smoothest_compromise(std::size_t frames, std::span<const AxisWish> wishes, double ease_frames) {
  std::vector<double> right(3 * frames);
  Banded matrix(3 * frames, 6);
  add_bending(matrix, frames, 3, fourth_power(ease_frames));
  for (std::size_t i = 0; i < 3 * frames; ++i) matrix.at(i, i) += 1;
  for (const AxisWish& wish : wishes) {
    const std::array<double, 3> u = {wish.direction.x, wish.direction.y, wish.direction.z};
    const std::size_t row = 3 * wish.frame;
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j <= i; ++j) matrix.at(row + i, row + j) += wish.weight * u[i] * u[j];
      right[row + i] += wish.weight * u[i] * wish.amount;
    }
  }
  matrix.solve(right);
  std::vector<Vec3> curve(frames);
  for (std::size_t f = 0; f < frames; ++f) {
    curve[f] = {static_cast<float>(right[3 * f]), static_cast<float>(right[3 * f + 1]),
                static_cast<float>(right[3 * f + 2])};
  }
  return curve;
}

Vec3 compromise(std::span<const AxisWish> wishes) {
  Eigen::Matrix3d matrix = Eigen::Matrix3d::Identity();
  Eigen::Vector3d right = Eigen::Vector3d::Zero();
  for (const AxisWish& wish : wishes) {
    const Eigen::Vector3d u(wish.direction.x, wish.direction.y, wish.direction.z);
    matrix += wish.weight * u * u.transpose();
    right += wish.weight * wish.amount * u;
  }
  const Eigen::Vector3d solution = matrix.llt().solve(right);
  return {static_cast<float>(solution.x()), static_cast<float>(solution.y()), static_cast<float>(solution.z())};
}

}  // namespace loom::polish
