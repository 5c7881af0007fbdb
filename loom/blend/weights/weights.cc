// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cassert>

#include <loom/blend/weights/barycentric.h>
#include <loom/blend/weights/corrected_basis.h>
#include <loom/blend/weights/inverse_weighting.h>
#include <loom/blend/weights/neighbours.h>
#include <loom/blend/weights/radial_basis.h>
#include <loom/blend/weights/triangulation.h>
#include <loom/blend/weights/weights.h>

namespace loom::blend {
namespace {

constexpr std::array<const char*, kMethods.size()> kNames = {"barycentric", "radial-basis", "neighbours", "inverse",
                                                             "corrected-basis"};

}  // namespace

std::size_t Weighting::examples() const { return space_->points().size(); }
std::size_t Weighting::dimensions() const { return space_->points().dimensions; }

Weighed Weighting::weigh(std::span<const double> at, Outside outside, std::span<float> weights) const {
  assert(at.size() == dimensions() && weights.size() == examples());
  std::array<double, kMaxExamples> shares;
  std::array<double, kMaxDimensions> nearest{};
  Weighed result;
  result.distance = space_->project(at, {shares.data(), examples()});
  result.outside = result.distance > 0;
  const double margin = kHullMargin * space_->radius();
  if (result.distance > margin && outside == Outside::kClamp) {
    for (std::size_t i = 0; i < examples(); ++i) {
      for (std::size_t d = 0; d < dimensions(); ++d) nearest[d] += shares[i] * space_->points()[i][d];
    }
    for (std::size_t d = 0; d < dimensions(); ++d) nearest[d] += (at[d] - nearest[d]) * margin / result.distance;
    at = {nearest.data(), dimensions()};
    result.clamped = true;
  }
  result.error = weigh_at(at, weights);
  return result;
}

const char* to_string(Method method) { return kNames[static_cast<std::size_t>(method)]; }

std::optional<Method> method_named(std::string_view name) {
  for (const Method method : kMethods) {
    if (name == to_string(method)) return method;
  }
  return std::nullopt;
}

std::unique_ptr<Weighting> make_weighting(Method method, std::shared_ptr<const Triangulation> space,
                                          std::shared_ptr<const BlendModel> model) {
  switch (method) {
    case Method::kBarycentric:
      return std::make_unique<Barycentric>(std::move(space));
    case Method::kRadialBasis:
      return std::make_unique<RadialBasis>(std::move(space));
    case Method::kNeighbours:
      return std::make_unique<Neighbours>(std::move(space), *model);
    case Method::kInverse:
      return std::make_unique<InverseWeighting>(std::move(space), std::move(model));
    case Method::kCorrected:
      return std::make_unique<CorrectedBasis>(std::move(space), std::move(model));
  }
  return nullptr;
}

}  // namespace loom::blend
