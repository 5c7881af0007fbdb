// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cassert>

#include <loom/blend/joint_chain.h>
#include <loom/blend/weights/detail/weighted_sum.h>

namespace loom::blend {
namespace {

/// A linear map from a quaternion's four components to a vector.
struct QuatMap {
  std::array<Vec3, 4> columns;
};

/// The world's angular velocity for a change of a rotation blended to `blended`, |s| long, below a parent turned by
/// `parent`: `rotation_derivative` as a linear map of the example, turned into the world.
QuatMap spin_map(Quat parent, Quat blended, float length) {
  QuatMap map;
  constexpr std::array<Quat, 4> units = {Quat{1, 0, 0, 0}, Quat{0, 1, 0, 0}, Quat{0, 0, 1, 0}, Quat{0, 0, 0, 1}};
  for (std::size_t c = 0; c < 4; ++c) map.columns[c] = rotate(parent, rotation_derivative(units[c], blended, length));
  return map;
}

QuatMap lever(const QuatMap& spin, Vec3 arm) {
  QuatMap map;
  for (std::size_t c = 0; c < 4; ++c) map.columns[c] = cross(spin.columns[c], arm);
  return map;
}

void add_mapped(const QuatMap& map, const float* rotations, std::size_t n, std::span<float> into) {
  const float *w = rotations, *x = w + n, *y = x + n, *z = y + n;
  const auto add = [&](float* row, float mw, float mx, float my, float mz) {
    for (std::size_t i = 0; i < n; ++i) row[i] += mw * w[i] + mx * x[i] + my * y[i] + mz * z[i];
  };
  const auto& m = map.columns;
  add(into.data(), m[0].x, m[1].x, m[2].x, m[3].x);
  add(into.data() + n, m[0].y, m[1].y, m[2].y, m[3].y);
  add(into.data() + 2 * n, m[0].z, m[1].z, m[2].z, m[3].z);
}

}  // namespace

/// The blend joint by joint along the chain.
struct JointChain::Links {
  std::array<Quat, kMaxChain> parents;   ///< world rotation of the frame each joint turns in
  std::array<Quat, kMaxChain> blended;   ///< its own rotation
  std::array<float, kMaxChain> lengths;  ///< |s| of its blend
  std::array<Vec3, kMaxChain> places;    ///< in the world
};

bool JointChain::fits(const motion::Skeleton& skeleton, int joint) {
  std::size_t depth = 0;
  for (int j = joint; j != motion::kNoParent; j = skeleton.joint(static_cast<std::size_t>(j)).parent) ++depth;
  return depth <= kMaxChain;
}

JointChain::JointChain(const motion::Skeleton& skeleton, const PoseSet& poses, int joint, Vec3 offset)
    : examples_(poses.size()) {
  std::vector<int> chain;
  for (int j = joint; j != motion::kNoParent; j = skeleton.joint(static_cast<std::size_t>(j)).parent)
    chain.push_back(j);
  std::reverse(chain.begin(), chain.end());
  assert(chain.size() <= kMaxChain);
  for (std::size_t l = 1; l < chain.size(); ++l) {
    offsets_.push_back(skeleton.joint(static_cast<std::size_t>(chain[l])).offset);
  }
  offsets_.push_back(offset);
  rotations_.resize(chain.size() * 4 * examples_);
  roots_.resize(3 * examples_);
  headings_ = poses.headings;
  for (std::size_t i = 0; i < examples_; ++i) {
    const Vec3 root = poses.roots[i];
    roots_[i] = root.x;
    roots_[examples_ + i] = root.y;
    roots_[2 * examples_ + i] = root.z;
    for (std::size_t l = 0; l < chain.size(); ++l) {
      const Quat q = poses.pose(i)[static_cast<std::size_t>(chain[l])];
      float* row = rotations_.data() + 4 * l * examples_ + i;
      row[0] = q.w;
      row[examples_] = q.x;
      row[2 * examples_] = q.y;
      row[3 * examples_] = q.z;
    }
  }
  std::vector<float> alone(examples_);
  for (std::size_t i = 0; i < examples_; ++i) {
    alone[i] = 1;
    own_.push_back(evaluate(alone));
    alone[i] = 0;
  }
}

motion::JointFrame JointChain::walk(std::span<const float> weights, Links& links) const {
  const float* roots = roots_.data();
  Vec3 place{weighted_sum(weights, roots), weighted_sum(weights, roots + examples_),
             weighted_sum(weights, roots + 2 * examples_)};
  Quat world = axis_angle({0, 1, 0}, weighted_sum(weights, headings_.data()));
  for (std::size_t l = 0; l < offsets_.size(); ++l) {
    const Quat sum{weighted_sum(weights, rotation_row(l, 0)), weighted_sum(weights, rotation_row(l, 1)),
                   weighted_sum(weights, rotation_row(l, 2)), weighted_sum(weights, rotation_row(l, 3))};
    links.parents[l] = world;
    links.lengths[l] = std::max(std::sqrt(dot(sum, sum)), 1e-4f);
    links.blended[l] = normalized(sum);
    links.places[l] = place;
    world = world * links.blended[l];
    place += rotate(world, offsets_[l]);
  }
  return {place, normalized(world)};
}

motion::JointFrame JointChain::evaluate(std::span<const float> weights) const {
  Links links;
  return walk(weights, links);
}

motion::JointFrame JointChain::differentiate(std::span<const float> weights, const Derivatives& into) const {
  assert(into.position.size() == 3 * examples_);
  Links links;
  const motion::JointFrame end = walk(weights, links);
  const std::size_t n = examples_;
  // The root carries everything along, and its heading turns everything about the vertical through it.
  const Vec3 swing = cross({0, 1, 0}, end.position - links.places[0]);
  for (std::size_t i = 0; i < n; ++i) {
    into.position[i] = roots_[i] + swing.x * headings_[i];
    into.position[n + i] = roots_[n + i];
    into.position[2 * n + i] = roots_[2 * n + i] + swing.z * headings_[i];
  }
  if (!into.spin.empty()) {
    std::fill(into.spin.begin(), into.spin.end(), 0.0f);
    std::copy(headings_.begin(), headings_.end(), into.spin.begin() + static_cast<std::ptrdiff_t>(n));
  }
  for (std::size_t l = 0; l < offsets_.size(); ++l) {
    const QuatMap spin = spin_map(links.parents[l], links.blended[l], links.lengths[l]);
    add_mapped(lever(spin, end.position - links.places[l]), rotation_row(l, 0), n, into.position);
    if (!into.spin.empty()) add_mapped(spin, rotation_row(l, 0), n, into.spin);
  }
  return end;
}

}  // namespace loom::blend
