// SPDX-License-Identifier: MIT
#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>

#include <loom/blend/weights/corrected_basis.h>

namespace loom::blend {
namespace {

using Small = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kMaxDimensions, kMaxDimensions>;
using SmallVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMaxDimensions, 1>;
using Derivative = Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

/// Adds to `weights` the shortest change of sum zero that brings the linearised blend nearer to the wanted point.
void correct(const Derivative& jacobian, const SmallVector& missing, double damping, std::span<float> weights) {
  const SmallVector mean = jacobian.rowwise().mean();
  Small gram = Small::Zero(jacobian.rows(), jacobian.rows());
  for (Eigen::Index i = 0; i < jacobian.cols(); ++i) {
    const SmallVector column = jacobian.col(i) - mean;
    gram += column * column.transpose();
  }
  const double scale = gram.trace() / static_cast<double>(gram.rows());
  gram.diagonal().array() += damping * scale + 1e-300;
  const SmallVector pull = gram.ldlt().solve(missing);
  for (Eigen::Index i = 0; i < jacobian.cols(); ++i) {
    weights[static_cast<std::size_t>(i)] += static_cast<float>((jacobian.col(i) - mean).dot(pull));
  }
}

/// Shortens the change from `start` to `weights` smoothly so that it stays within `most`: by nothing that counts while
/// it is half as long.
void ease_off(std::span<const float> start, double most, std::span<float> weights) {
  double squared = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    squared += std::pow(static_cast<double>(weights[i]) - static_cast<double>(start[i]), 2);
  }
  const auto share = static_cast<float>(std::pow(1 + std::pow(squared / (most * most), 4), -0.125));
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = start[i] + share * (weights[i] - start[i]);
}

}  // namespace

CorrectedBasis::CorrectedBasis(std::shared_ptr<const Triangulation> space, std::shared_ptr<const BlendModel> model,
                               const CorrectedBasisOptions& options)
    : Weighting(space), basis_(std::move(space), options.basis), model_(std::move(model)), options_(options) {}

std::optional<double> CorrectedBasis::weigh_at(std::span<const double> at, std::span<float> weights) const {
  const std::size_t d = at.size(), n = weights.size();
  std::array<double, kMaxDimensions> here{};
  std::array<double, kMaxDimensions * kMaxExamples> jacobian;
  std::array<float, kMaxExamples> start;
  const Eigen::Map<const SmallVector> wanted(at.data(), static_cast<Eigen::Index>(d));
  const Eigen::Map<const SmallVector> reached(here.data(), static_cast<Eigen::Index>(d));
  basis_.evaluate(at, weights);
  std::copy(weights.begin(), weights.end(), start.begin());
  for (std::size_t step = 0; step < options_.steps; ++step) {
    model_->differentiate(weights, {here.data(), d}, {jacobian.data(), d * n});
    const SmallVector missing = wanted - reached;
    if (missing.norm() <= options_.good_enough) break;
    correct({jacobian.data(), static_cast<Eigen::Index>(d), static_cast<Eigen::Index>(n)}, missing, options_.damping,
            weights);
  }
  ease_off({start.data(), n}, options_.most_change, weights);
  model_->evaluate(weights, {here.data(), d});
  return (wanted - reached).norm();
}

}  // namespace loom::blend
