// SPDX-License-Identifier: MIT
#include <Eigen/Cholesky>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>
#include <array>
#include <cmath>

#include <loom/polish/detail/smooth_curve.h>

namespace loom::polish {
namespace {

// A pin weighs so much against the curve's own wishes that it holds to a hundredth of a millimetre.
constexpr double kPinWeight = 1e9;

using Matrix = Eigen::SparseMatrix<double>;
using Triplet = Eigen::Triplet<double>;
// The unknowns are numbered frame after frame, which makes the matrix banded: no reordering can do better.
using Solver = Eigen::SimplicialLDLT<Matrix, Eigen::Lower, Eigen::NaturalOrdering<int>>;

/// Adds weight · |Δ²c|² for `width` interleaved curves of `frames` values.
void add_bending(std::vector<Triplet>& entries, std::size_t frames, int width, double weight) {
  constexpr std::array<double, 3> kDifference = {1, -2, 1};
  for (std::size_t f = 0; f + 2 < frames; ++f) {
    for (int c = 0; c < width; ++c) {
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j <= i; ++j) {
          const int row = (static_cast<int>(f) + i) * width + c, column = (static_cast<int>(f) + j) * width + c;
          entries.emplace_back(
              row, column,
              weight * kDifference[static_cast<std::size_t>(i)] * kDifference[static_cast<std::size_t>(j)]);
        }
      }
    }
  }
}

Eigen::VectorXd solve(const std::vector<Triplet>& entries, const Eigen::VectorXd& right) {
  Matrix matrix(right.size(), right.size());
  matrix.setFromTriplets(entries.begin(), entries.end());
  return Solver(matrix).solve(right);
}

double fourth_power(double x) { return x * x * x * x; }

}  // namespace

CurvePair smoothest_curves(const Pins& first, const Pins& second, double ease_frames, double tie) {
  const std::size_t frames = first.held.size();
  const double bending = fourth_power(ease_frames);
  // Pins stand out against the stiffness of the curve, whatever the frame rate.
  const double pin_weight = kPinWeight * (1 + bending);
  Eigen::VectorXd right = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(2 * frames));
  std::vector<Triplet> entries;
  entries.reserve(frames * 15);
  add_bending(entries, frames, 2, bending);
  for (std::size_t f = 0; f < frames; ++f) {
    const int row = static_cast<int>(2 * f);
    const double hold_first = first.held[f] ? pin_weight : 0, hold_second = second.held[f] ? pin_weight : 0;
    entries.emplace_back(row, row, 1 + tie + hold_first);
    entries.emplace_back(row + 1, row + 1, 1 + tie + hold_second);
    entries.emplace_back(row + 1, row, -tie);
    if (first.held[f]) right[row] = hold_first * first.value[f];
    if (second.held[f]) right[row + 1] = hold_second * second.value[f];
  }
  const Eigen::VectorXd solution = solve(entries, right);
  CurvePair curves{std::vector<double>(frames), std::vector<double>(frames)};
  for (std::size_t f = 0; f < frames; ++f) {
    curves.first[f] = solution[static_cast<Eigen::Index>(2 * f)];
    curves.second[f] = solution[static_cast<Eigen::Index>(2 * f + 1)];
  }
  return curves;
}

std::vector<Vec3> smoothest_compromise(std::size_t frames, std::span<const AxisWish> wishes, double ease_frames) {
  Eigen::VectorXd right = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(3 * frames));
  std::vector<Triplet> entries;
  entries.reserve(frames * 21 + wishes.size() * 6);
  add_bending(entries, frames, 3, fourth_power(ease_frames));
  for (std::size_t i = 0; i < 3 * frames; ++i) entries.emplace_back(static_cast<int>(i), static_cast<int>(i), 1.0);
  for (const AxisWish& wish : wishes) {
    const std::array<double, 3> u = {wish.direction.x, wish.direction.y, wish.direction.z};
    const int row = static_cast<int>(3 * wish.frame);
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        entries.emplace_back(row + static_cast<int>(i), row + static_cast<int>(j), wish.weight * u[i] * u[j]);
      }
      right[row + static_cast<int>(i)] += wish.weight * u[i] * wish.amount;
    }
  }
  const Eigen::VectorXd solution = solve(entries, right);
  std::vector<Vec3> curve(frames);
  for (std::size_t f = 0; f < frames; ++f) {
    const auto row = static_cast<Eigen::Index>(3 * f);
    curve[f] = {static_cast<float>(solution[row]), static_cast<float>(solution[row + 1]),
                static_cast<float>(solution[row + 2])};
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
