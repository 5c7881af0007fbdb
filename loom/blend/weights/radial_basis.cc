// SPDX-License-Identifier: MIT
#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <loom/blend/weights/radial_basis.h>

namespace loom::blend {
namespace {

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

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
  constexpr double kLeastRidge = 1e-6, kMostRidge = 1;
  const double width = options.width * mean_spacing(this->space().points());
  inverse_square_width_ = 1 / (width * width);
  double ridge = options.ridge > 0 ? options.ridge : kLeastRidge;
  solve(ridge);
  while (options.ridge == 0 && ridge < kMostRidge && mean_weight() > options.most_weight) solve(ridge *= 10);
}

void RadialBasis::solve(double ridge) {
  const ExamplePoints& points = space().points();
  const auto n = static_cast<Eigen::Index>(points.size()), d = static_cast<Eigen::Index>(points.dimensions);
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
  kernel.diagonal().array() += ridge;
  const RowMatrix bases = kernel.ldlt().solve(residue);
  const RowMatrix rows = linear;
  linear_.assign(rows.data(), rows.data() + rows.size());
  bases_.assign(bases.data(), bases.data() + bases.size());
}

/// The weight of blends in all, positive and negative taken alike, averaged over the middles of all simplices.
double RadialBasis::mean_weight() const {
  const ExamplePoints& points = space().points();
  std::array<double, kMaxDimensions> middle{};
  std::array<float, kMaxExamples> weights;
  double sum = 0;
  for (std::size_t s = 0; s < space().simplices(); ++s) {
    const auto corners = space().corners(s);
    for (std::size_t d = 0; d < points.dimensions; ++d) {
      middle[d] = 0;
      for (const std::uint32_t corner : corners) middle[d] += points[corner][d] / static_cast<double>(corners.size());
    }
    evaluate({middle.data(), points.dimensions}, {weights.data(), points.size()});
    for (std::size_t i = 0; i < points.size(); ++i) sum += std::fabs(static_cast<double>(weights[i]));
  }
  return sum / static_cast<double>(std::max<std::size_t>(space().simplices(), 1));
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
