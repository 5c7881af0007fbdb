// SPDX-License-Identifier: MIT
#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <loom/blend/radial_basis.h>

namespace loom::blend {
namespace {

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

double squared_distance(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t d = 0; d < a.size(); ++d) sum += (a[d] - b[d]) * (a[d] - b[d]);
  return sum;
}

/// The mean distance from an example to the nearest other that is not in the same place.
double mean_spacing(const ExamplePoints& points) {
  double sum = 0;
  std::size_t count = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t j = 0; j < points.size(); ++j) {
      const double squared = squared_distance(points[i], points[j]);
      if (squared > 0) nearest = std::min(nearest, squared);
    }
    if (!std::isfinite(nearest)) continue;
    sum += std::sqrt(nearest);
    ++count;
  }
  return sum / static_cast<double>(std::max<std::size_t>(count, 1));
}

}  // namespace

RadialBasis::RadialBasis(std::shared_ptr<const Triangulation> space, const RadialBasisOptions& options)
    : Weighting(std::move(space)) {
  const ExamplePoints& points = this->space().points();
  const auto n = static_cast<Eigen::Index>(points.size()), d = static_cast<Eigen::Index>(points.dimensions);
  const double width = options.width * mean_spacing(points);
  inverse_square_width_ = 1 / (width * width);

  Eigen::MatrixXd design(n, d + 1);
  design.leftCols(d) = Eigen::Map<const RowMatrix>(points.values.data(), n, d);
  design.col(d).setOnes();
  // Flat sets leave hyperplanes undetermined; the least of them is taken.
  const Eigen::MatrixXd linear = design.completeOrthogonalDecomposition().pseudoInverse();
  const Eigen::MatrixXd residue = Eigen::MatrixXd::Identity(n, n) - design * linear;

  Eigen::MatrixXd kernel(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j < n; ++j) {
      kernel(i, j) = std::exp(-inverse_square_width_ * squared_distance(points[static_cast<std::size_t>(i)],
                                                                        points[static_cast<std::size_t>(j)]));
    }
  }
  kernel.diagonal().array() += options.ridge;
  const RowMatrix bases = kernel.ldlt().solve(residue);
  const RowMatrix rows = linear;
  linear_.assign(rows.data(), rows.data() + rows.size());
  bases_.assign(bases.data(), bases.data() + bases.size());
}

void RadialBasis::evaluate(std::span<const double> at, std::span<float> weights) const {
  const ExamplePoints& points = space().points();
  const std::size_t n = points.size(), d = points.dimensions;
  std::array<double, kMaxExamples> sums;
  std::copy_n(linear_.data() + d * n, n, sums.begin());
  const auto add = [&](double factor, const double* row) {
    for (std::size_t i = 0; i < n; ++i) sums[i] += factor * row[i];
  };
  for (std::size_t c = 0; c < d; ++c) add(at[c], linear_.data() + c * n);
  for (std::size_t j = 0; j < n; ++j) {
    add(std::exp(-inverse_square_width_ * squared_distance(at, points[j])), bases_.data() + j * n);
  }
  for (std::size_t i = 0; i < n; ++i) weights[i] = static_cast<float>(sums[i]);
}

std::optional<double> RadialBasis::weigh_at(std::span<const double> at, std::span<float> weights) const {
  evaluate(at, weights);
  return std::nullopt;
}

}  // namespace loom::blend
