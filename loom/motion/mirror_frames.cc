// SPDX-License-Identifier: MIT
#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include <loom/base/whole.h>
#include <loom/motion/body.h>
#include <loom/motion/kinematics.h>
#include <loom/motion/mirror_frames.h>

namespace loom::motion {
namespace {

using Eigen::Matrix3d;
using Eigen::Matrix4d;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using Eigen::Vector4d;

// A body whose sides are this near to an axis (as a cosine, 15 degrees) is meant to lie along it: the rest is noise of
// the measured bones.
constexpr float kAlongAxis = 0.966f;
// Bones that miss each other by less are taken as mirrored by every turn that does so: half a millimetre, squared.
constexpr double kLoose = 0.25e-6;
// A reference whose share in the open turns is smaller (as a cosine) does not tell which of them is meant.
constexpr double kTells = 0.3;
Vector3d to_eigen(Vec3 v) { return {v.x, v.y, v.z}; }
/// Quaternions as four-vectors, real part first.
Vector4d to_vector(const Quaterniond& q) { return {q.w(), q.x(), q.y(), q.z()}; }
Quaterniond to_quaternion(const Vector4d& v) { return Quaterniond(v[0], v[1], v[2], v[3]).normalized(); }
Vector4d across(const Vector3d& n) { return {0, n.x(), n.y(), n.z()}; }

/// The direction from one side of the body to the other at rest, from all pairs of joints.
Vec3 side_axis(const Skeleton& skeleton, const std::vector<int>& pairs) {
  const std::vector<Vec3> rest = rest_positions(skeleton);
  const auto apart = [&](std::size_t j) { return rest[j] - rest[index(pairs[j])]; };
  Vec3 widest;
  for (std::size_t j = 0; j < pairs.size(); ++j) {
    if (length(apart(j)) > length(widest)) widest = apart(j);
  }
  Vec3 sum;  // every pair comes twice, once each way: both point the same way here
  for (std::size_t j = 0; j < pairs.size(); ++j) sum += dot(apart(j), widest) < 0 ? -apart(j) : apart(j);
  const Vec3 axis = normalized(sum, {1, 0, 0});
  for (const Vec3 unit : {Vec3{1, 0, 0}, Vec3{0, 0, 1}, Vec3{0, 1, 0}}) {
    if (std::abs(dot(axis, unit)) > kAlongAxis) return unit;
  }
  return axis;
}

/// A bone of a joint and the same bone of its counterpart, each in the frame of its joint.
struct BonePair {
  int child;  ///< the joint the bone ends in; 0 at an end site
  Vector3d here, there;
};

/// Finds the turns of one body.
class FrameFinder {
 public:
  FrameFinder(const Skeleton& skeleton, std::vector<int> pairs)
      : skeleton_(skeleton), pairs_(std::move(pairs)), bones_(skeleton_.size()) {
    for (std::size_t j = 1; j < skeleton_.size(); ++j) {
      const Vec3 here = skeleton_.joint(j).offset, there = skeleton_.joint(index(pairs_[j])).offset;
      bones_[index(skeleton_.joint(j).parent)].push_back({static_cast<int>(j), to_eigen(here), to_eigen(there)});
    }
    pair_end_sites();
  }

  MirrorFrames find() {
    find_turns();
    MirrorFrames frames;
    frames.miss = largest_miss();
    for (const Quaterniond& turn : turns_) {
      frames.turns.push_back({static_cast<float>(turn.w()), static_cast<float>(turn.x()), static_cast<float>(turn.y()),
                              static_cast<float>(turn.z())});
    }
    frames.pairs = std::move(pairs_);
    return frames;
  }

 private:
  /// End sites have no names: those of a joint and of its counterpart go together in the order they stand.
  void pair_end_sites() {
    std::vector<std::vector<Vec3>> sites(skeleton_.size());
    for (const EndSite& site : skeleton_.end_sites()) sites[index(site.joint)].push_back(site.offset);
    for (std::size_t j = 0; j < skeleton_.size(); ++j) {
      const auto& there = sites[index(pairs_[j])];
      // Several on a joint in the middle may be each other's counterparts; which, only their places would tell.
      if (pairs_[j] == static_cast<int>(j) && there.size() > 1) continue;
      for (std::size_t i = 0; i < std::min(sites[j].size(), there.size()); ++i) {
        bones_[j].push_back({0, to_eigen(sites[j][i]), to_eigen(there[i])});
      }
    }
  }

  [[nodiscard]] bool in_middle(std::size_t j) const { return pairs_[j] == static_cast<int>(j); }

  /// Parents come before children and the first of a pair before the second.
  void find_turns() {
    turns_.assign(skeleton_.size(), Quaterniond::Identity());
    for (std::size_t j = 0; j < skeleton_.size(); ++j) {
      if (pairs_[j] < static_cast<int>(j)) continue;
      const Vector4d parent = reference(j);
      Quaterniond turn = in_middle(j) ? turn_in_middle(j, parent) : turn_across(j, parent);
      if (to_vector(turn).dot(parent) < 0) turn.coeffs() *= -1;
      turns_[j] = turn;
      // Minus, so that for every joint the product of both is -1, and twice mirrored has the sign it had.
      if (!in_middle(j)) turns_[index(pairs_[j])] = Quaterniond(-turn.w(), turn.x(), turn.y(), turn.z());
    }
  }

  /// The turn of the parent; for the root that of the plane between the sides at rest.
  [[nodiscard]] Vector4d reference(std::size_t j) const {
    if (j == 0) return across(to_eigen(side_axis(skeleton_, pairs_)));
    return to_vector(turns_[index(skeleton_.joint(j).parent)]);
  }

  /// Whose quadratic form tells, for a unit quaternion, how well its turn carries the bones there onto the reflected
  /// bones here (Horn 1987): the sum of the products of carried and wanted.
  [[nodiscard]] Matrix4d carried_bones(std::size_t j) const {
    Matrix4d sum = Matrix4d::Zero();
    for (const BonePair& bone : bones_[j]) {
      const Vector3d &a = bone.there, b = -bone.here;
      const Matrix3d outer = a * b.transpose();
      sum(0, 0) += outer.trace();
      sum.block<1, 3>(0, 1) += a.cross(b).transpose();
      sum.block<3, 1>(1, 0) += a.cross(b);
      sum.block<3, 3>(1, 1) += outer + outer.transpose() - outer.trace() * Matrix3d::Identity();
    }
    return sum;
  }

  /// The part of the best turns nearest to the first reference that tells, the parent's before any other.
  template <int kSize>
  static Eigen::Matrix<double, kSize, 1> nearest_best(const Eigen::Matrix<double, kSize, kSize>& form,
                                                      const std::vector<Eigen::Matrix<double, kSize, 1>>& references) {
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, kSize, kSize>> solver(form);
    int equally_good = 1;
    while (equally_good < kSize &&
           solver.eigenvalues()[kSize - 1 - equally_good] > solver.eigenvalues()[kSize - 1] - kLoose) {
      ++equally_good;
    }
    const auto best = solver.eigenvectors().rightCols(equally_good);
    for (const auto& reference : references) {
      const Eigen::Matrix<double, kSize, 1> part = best * (best.transpose() * reference);
      if (part.norm() > kTells) return part.normalized();
    }
    return solver.eigenvectors().col(kSize - 1);
  }

  [[nodiscard]] Quaterniond turn_across(std::size_t j, const Vector4d& parent) const {
    return to_quaternion(
        nearest_best<4>(carried_bones(j), {parent, across(Vector3d::UnitZ()), across(Vector3d::UnitY()),
                                           across(Vector3d::UnitX()), to_vector(Quaterniond::Identity())}));
  }

  /// A joint that is its own counterpart is reflected in a plane, whose normal is the turn's axis.
  [[nodiscard]] Quaterniond turn_in_middle(std::size_t j, const Vector4d& parent) const {
    return to_quaternion(
        across(nearest_best<3>(carried_bones(j).block<3, 3>(1, 1),
                               {parent.tail<3>(), Vector3d::UnitZ(), Vector3d::UnitY(), Vector3d::UnitX()})));
  }

  /// What the bones miss each other by, added up from the root outwards.
  [[nodiscard]] float largest_miss() const {
    std::vector<double> at(skeleton_.size(), 0.0);  // of each joint
    double largest = 0;
    for (std::size_t j = 0; j < skeleton_.size(); ++j) {
      for (const BonePair& bone : bones_[j]) {
        const double miss = at[j] + (bone.here + turns_[j] * bone.there).norm();
        largest = std::max(largest, miss);
        if (bone.child > 0) at[index(bone.child)] = miss;
      }
    }
    return static_cast<float>(largest);
  }

  const Skeleton& skeleton_;
  std::vector<int> pairs_;
  std::vector<std::vector<BonePair>> bones_;  ///< of each joint: to its children and end sites
  std::vector<Quaterniond> turns_;
};

}  // namespace

Result<MirrorFrames> find_mirror_frames(const Skeleton& skeleton) {
  Result<std::vector<int>> pairs = mirror_pairs(skeleton);
  if (!pairs) return fail_from(pairs);
  return FrameFinder(skeleton, std::move(*pairs)).find();
}

}  // namespace loom::motion
