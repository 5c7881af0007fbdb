// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>

#include <loom/blend/family_model.h>
#include <loom/blend/weighted_sum.h>

namespace loom::blend {

FamilyMoment moment_of(const Family& family, const FamilyMotion& motion, double seconds) {
  FamilyMoment moment{{}, RootPath(motion.clips, family.alignment, family.alignment.begin, seconds)};
  const motion::GroundFrameFinder finder(*motion.skeleton);
  motion::Pose pose;
  for (std::size_t i = 0; i < motion.clips.size(); ++i) {
    motion::sample_pose(motion.clips[i], family.alignment.curves[i].at(seconds), pose);
    const motion::GroundFrame own = finder.find(pose.root, pose.rotations[0]);
    add_pose(moment.poses, finder, own, pose.root, pose.rotations);
  }
  align_hemispheres(moment.poses, family.alignment.reference);
  return moment;
}

FamilyModel::FamilyModel(const Family& family, const FamilyMotion& motion)
    : kind_(family.space.kind), examples_(family.members.size()), dimensions_(family.space.size()) {
  switch (kind_) {
    case FamilyKind::kReach:
    case FamilyKind::kPunch:
    case FamilyKind::kKick:
      prepare_place(family, motion);
      break;
    case FamilyKind::kJump:
      prepare_jump(family, motion);
      break;
    case FamilyKind::kLocomotion:
      prepare_locomotion(family, motion);
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
  seconds_.assign(examples_, 1.0f);
}

void FamilyModel::prepare_place(const Family& family, const FamilyMotion& motion) {
  FamilyMoment stroke = moment_of(family, motion, family.alignment.strokes.front());
  chain_.emplace(*motion.skeleton, stroke.poses, family.joint);
  path_ = std::move(stroke.path);
}

void FamilyModel::prepare_jump(const Family& family, const FamilyMotion& motion) {
  const Alignment& alignment = family.alignment;
  path_.emplace(motion.clips, alignment, alignment.begin, alignment.end);
  motion::Pose pose;
  for (std::size_t i = 0; i < examples_; ++i) {
    motion::sample_pose(motion.clips[i], alignment.curves[i].at(alignment.begin), pose);
    const float standing = pose.root.y;
    motion::sample_pose(motion.clips[i], alignment.curves[i].at(alignment.strokes.front()), pose);
    totals_.push_back(pose.root.y - standing);
  }
}

void FamilyModel::prepare_locomotion(const Family& family, const FamilyMotion& motion) {
  const Alignment& alignment = family.alignment;
  const RootPath path(motion.clips, alignment, alignment.begin, alignment.end);
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

void FamilyModel::evaluate(std::span<const float> weights, std::span<double> at) const {
  if (chain_) {
    const motion::GroundFrame reached = path_->evaluate(weights);
    const Vec3 place = transform(reached, chain_->evaluate(weights).position);
    at[0] = static_cast<double>(place.x);
    at[1] = static_cast<double>(place.y);
    at[2] = static_cast<double>(place.z);
  } else if (path_) {
    const motion::GroundFrame reached = path_->evaluate(weights);
    at[0] = static_cast<double>(reached.z);
    at[1] = static_cast<double>(reached.x);
    at[2] = static_cast<double>(weighted_sum(weights, totals_.data()));
  } else {
    const double seconds = static_cast<double>(weighted_sum(weights, seconds_.data()));
    for (std::size_t d = 0; d < dimensions_; ++d) {
      at[d] = static_cast<double>(weighted_sum(weights, totals_.data() + d * examples_)) / seconds;
    }
  }
}

void FamilyModel::differentiate(std::span<const float> weights, std::span<double> at,
                                std::span<double> jacobian) const {
  if (chain_) return differentiate_place(weights, at, jacobian);
  if (path_) return differentiate_jump(weights, at, jacobian);
  differentiate_ratio(weights, at, jacobian);
}

void FamilyModel::differentiate_place(std::span<const float> weights, std::span<double> at,
                                      std::span<double> jacobian) const {
  const std::size_t n = examples_;
  std::array<float, kMaxExamples> dx, dz, dheading;
  std::array<float, 3 * kMaxExamples> local;
  const motion::GroundFrame reached =
      path_->differentiate(weights, {dx.data(), n}, {dz.data(), n}, {dheading.data(), n});
  const Vec3 seen = chain_->differentiate(weights, {{local.data(), 3 * n}, {}}).position;
  const float sine = std::sin(reached.heading), cosine = std::cos(reached.heading);
  const float x = cosine * seen.x + sine * seen.z, z = cosine * seen.z - sine * seen.x;
  at[0] = static_cast<double>(reached.x + x);
  at[1] = static_cast<double>(seen.y);
  at[2] = static_cast<double>(reached.z + z);
  for (std::size_t i = 0; i < n; ++i) {
    const float lx = local[i], lz = local[2 * n + i];
    jacobian[i] = static_cast<double>(dx[i] + cosine * lx + sine * lz + z * dheading[i]);
    jacobian[n + i] = static_cast<double>(local[n + i]);
    jacobian[2 * n + i] = static_cast<double>(dz[i] + cosine * lz - sine * lx - x * dheading[i]);
  }
}

void FamilyModel::differentiate_jump(std::span<const float> weights, std::span<double> at,
                                     std::span<double> jacobian) const {
  const std::size_t n = examples_;
  std::array<float, kMaxExamples> dx, dz, dheading;
  const motion::GroundFrame reached =
      path_->differentiate(weights, {dx.data(), n}, {dz.data(), n}, {dheading.data(), n});
  at[0] = static_cast<double>(reached.z);
  at[1] = static_cast<double>(reached.x);
  at[2] = static_cast<double>(weighted_sum(weights, totals_.data()));
  for (std::size_t i = 0; i < n; ++i) {
    jacobian[i] = static_cast<double>(dz[i]);
    jacobian[n + i] = static_cast<double>(dx[i]);
    jacobian[2 * n + i] = static_cast<double>(totals_[i]);
  }
}

void FamilyModel::differentiate_ratio(std::span<const float> weights, std::span<double> at,
                                      std::span<double> jacobian) const {
  evaluate(weights, at);
  const double seconds = static_cast<double>(weighted_sum(weights, seconds_.data()));
  for (std::size_t d = 0; d < dimensions_; ++d) {
    for (std::size_t i = 0; i < examples_; ++i) {
      jacobian[d * examples_ + i] =
          (static_cast<double>(totals_[d * examples_ + i]) - at[d] * static_cast<double>(seconds_[i])) / seconds;
    }
  }
}

Result<std::shared_ptr<const Triangulation>> triangulate(const Family& family) {
  auto made = Triangulation::create(family.points());
  if (!made) return fail_from(made);
  return std::make_shared<const Triangulation>(std::move(*made));
}

}  // namespace loom::blend
