// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>

#include <loom/blend/family/family_model.h>
#include <loom/blend/weights/detail/weighted_sum.h>

namespace loom::blend {

FamilyModel::FamilyModel(const Family& family, const BlendSpace& space)
    : kind_(family.space.kind), examples_(family.members.size()), dimensions_(family.space.size()) {
  switch (kind_) {
    case FamilyKind::kReach:
    case FamilyKind::kPunch:
    case FamilyKind::kKick:
      prepare_place(family, space);
      break;
    case FamilyKind::kJump:
      prepare_jump(family, space);
      break;
    case FamilyKind::kLocomotion:
      prepare_locomotion(family, space);
      break;
    case FamilyKind::kTable:
      prepare_table(family);
      break;
  }
}

void FamilyModel::prepare_table(const Family& family) {
  const ExamplePoints points = family.points();
  totals_.resize(dimensions_ * examples_);
  for (std::size_t i = 0; i < examples_; ++i) {
    for (std::size_t d = 0; d < dimensions_; ++d) totals_[d * examples_ + i] = static_cast<float>(points[i][d]);
  }
}

void FamilyModel::prepare_place(const Family& family, const BlendSpace& space) {
  chain_.emplace(*space.skeleton(), space.poses_at(space.strokes().front()), family.joint);
}

void FamilyModel::prepare_jump(const Family& /*family*/, const BlendSpace& space) {
  const Alignment& alignment = space.alignment();
  const PoseSet start = space.poses_at(0), stroke = space.poses_at(space.strokes().front());
  path_.emplace(space.clips(), alignment, alignment.begin, alignment.strokes.front(), alignment.end);
  totals_.resize(3 * examples_);
  for (std::size_t i = 0; i < examples_; ++i) {
    totals_[i] = stroke.roots[i].z;
    totals_[examples_ + i] = stroke.roots[i].x;
    totals_[2 * examples_ + i] = stroke.roots[i].y - start.roots[i].y;
  }
}

void FamilyModel::prepare_locomotion(const Family& family, const BlendSpace& space) {
  const Alignment& alignment = space.alignment();
  const RootPath path(space.clips(), alignment, alignment.begin, alignment.begin, alignment.end, 1 / family.rate);
  totals_.resize(3 * examples_);
  for (std::size_t i = 0; i < examples_; ++i) {
    const RootPath::Way way = path.way(i);
    totals_[i] = static_cast<float>(way.ahead);
    totals_[examples_ + i] = static_cast<float>(way.turn);
    totals_[2 * examples_ + i] = static_cast<float>(way.left);
    seconds_.push_back(
        static_cast<float>(alignment.curves[i].at(alignment.end) - alignment.curves[i].at(alignment.begin)));
  }
}

/// How long the blend takes. Negative weights do not count for time (`Blender`).
double FamilyModel::seconds_of(std::span<const float> weights) const {
  if (seconds_.empty()) return 1;
  float sum = 0, votes = 0;
  for (std::size_t i = 0; i < examples_; ++i) {
    const float vote = std::max(weights[i], 0.0f);
    votes += vote;
    sum += vote * seconds_[i];
  }
  return static_cast<double>(sum / votes);
}

void FamilyModel::evaluate(std::span<const float> weights, std::span<double> at) const {
  if (chain_) {
    const Vec3 place = chain_->evaluate(weights).position;
    at[0] = static_cast<double>(place.x);
    at[1] = static_cast<double>(place.y);
    at[2] = static_cast<double>(place.z);
    return;
  }
  const double seconds = seconds_of(weights);
  for (std::size_t d = 0; d < dimensions_; ++d) {
    at[d] = static_cast<double>(weighted_sum(weights, totals_.data() + d * examples_)) / seconds;
  }
  if (!path_) return;
  const motion::GroundFrame flown = path_->evaluate(weights);
  at[0] += static_cast<double>(flown.z);
  at[1] += static_cast<double>(flown.x);
}

void FamilyModel::differentiate(std::span<const float> weights, std::span<double> at,
                                std::span<double> jacobian) const {
  if (chain_) {
    differentiate_place(weights, at, jacobian);
  } else if (path_) {
    differentiate_jump(weights, at, jacobian);
  } else {
    differentiate_sums(weights, at, jacobian);
  }
}

void FamilyModel::differentiate_place(std::span<const float> weights, std::span<double> at,
                                      std::span<double> jacobian) const {
  std::array<float, 3 * kMaxExamples> rows;
  const Vec3 place = chain_->differentiate(weights, {{rows.data(), 3 * examples_}, {}}).position;
  at[0] = static_cast<double>(place.x);
  at[1] = static_cast<double>(place.y);
  at[2] = static_cast<double>(place.z);
  for (std::size_t i = 0; i < 3 * examples_; ++i) jacobian[i] = static_cast<double>(rows[i]);
}

void FamilyModel::differentiate_jump(std::span<const float> weights, std::span<double> at,
                                     std::span<double> jacobian) const {
  const std::size_t n = examples_;
  std::array<float, kMaxExamples> dx, dz, dheading;
  const motion::GroundFrame flown = path_->differentiate(weights, {dx.data(), n}, {dz.data(), n}, {dheading.data(), n});
  for (std::size_t d = 0; d < 3; ++d) at[d] = static_cast<double>(weighted_sum(weights, totals_.data() + d * n));
  at[0] += static_cast<double>(flown.z);
  at[1] += static_cast<double>(flown.x);
  for (std::size_t i = 0; i < n; ++i) {
    jacobian[i] = static_cast<double>(totals_[i] + dz[i]);
    jacobian[n + i] = static_cast<double>(totals_[n + i] + dx[i]);
    jacobian[2 * n + i] = static_cast<double>(totals_[2 * n + i]);
  }
}

void FamilyModel::differentiate_sums(std::span<const float> weights, std::span<double> at,
                                     std::span<double> jacobian) const {
  evaluate(weights, at);
  const double seconds = seconds_of(weights);
  double votes = 0;
  for (const float w : weights) votes += std::max(static_cast<double>(w), 0.0);
  for (std::size_t d = 0; d < dimensions_; ++d) {
    for (std::size_t i = 0; i < examples_; ++i) {
      double& slope = jacobian[d * examples_ + i];
      slope = static_cast<double>(totals_[d * examples_ + i]) / seconds;
      if (seconds_.empty() || weights[i] <= 0) continue;
      slope -= at[d] * (static_cast<double>(seconds_[i]) - seconds) / (votes * seconds);
    }
  }
}

}  // namespace loom::blend
