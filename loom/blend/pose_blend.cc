// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cassert>
#include <cmath>

#include <loom/blend/pose_blend.h>

namespace loom::blend {
namespace {

/// Below this the examples cancel each other and their sum has no direction.
constexpr float kVanishing = 1e-4f;

void add_scaled(std::span<const Quat> example, float weight, std::span<Quat> sum) {
  for (std::size_t j = 0; j < sum.size(); ++j) {
    sum[j] = {sum[j].w + weight * example[j].w, sum[j].x + weight * example[j].x, sum[j].y + weight * example[j].y,
              sum[j].z + weight * example[j].z};
  }
}

std::size_t heaviest(std::span<const float> weights) {
  return static_cast<std::size_t>(std::max_element(weights.begin(), weights.end()) - weights.begin());
}

/// Brings sums to length one; a sum that vanished becomes the rotation of the heaviest example.
void normalise(std::span<const Quat> fallback, std::span<Quat> sums) {
  for (std::size_t j = 0; j < sums.size(); ++j) {
    const float square = dot(sums[j], sums[j]);
    sums[j] = square > kVanishing * kVanishing ? normalized(sums[j]) : fallback[j];
  }
}

}  // namespace

void add_pose(PoseSet& set, const motion::GroundFrameFinder& finder, const motion::GroundFrame& origin, Vec3 root,
              std::span<const Quat> rotations, float near_heading) {
  assert(set.size() == 0 || set.joints == rotations.size());
  const motion::GroundFrame seen = inverse(origin) * finder.find(root, rotations[0]);
  set.joints = rotations.size();
  set.roots.push_back({seen.x, root.y, seen.z});
  set.headings.push_back(near_heading + wrap_angle(seen.heading - near_heading));
  set.rotations.insert(set.rotations.end(), rotations.begin(), rotations.end());
  Quat& turned = set.pose(set.size() - 1)[0];
  turned = normalized(conjugate((origin * seen).rotation()) * turned);
}

void align_hemispheres(PoseSet& set, std::size_t reference) {
  for (std::size_t i = 0; i < set.size(); ++i) {
    for (std::size_t j = 0; j < set.joints; ++j) {
      Quat& q = set.pose(i)[j];
      if (dot(q, set.pose(reference)[j]) < 0) q = -q;
    }
  }
}

void blend_rotations(std::span<const Quat> examples, std::span<const float> weights, std::span<Quat> blended) {
  const std::size_t joints = blended.size();
  assert(examples.size() == weights.size() * joints);
  std::fill(blended.begin(), blended.end(), Quat{0, 0, 0, 0});
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] != 0) add_scaled(examples.subspan(i * joints, joints), weights[i], blended);
  }
  normalise(examples.subspan(heaviest(weights) * joints, joints), blended);
}

void blend_rotations(std::span<const std::span<const Quat>> examples, std::span<const float> weights,
                     std::span<Quat> blended) {
  assert(examples.size() == weights.size());
  std::fill(blended.begin(), blended.end(), Quat{0, 0, 0, 0});
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] != 0) add_scaled(examples[i], weights[i], blended);
  }
  normalise(examples[heaviest(weights)], blended);
}

void blend_pose(const PoseSet& set, std::span<const float> weights, Vec3& root, std::span<Quat> rotations) {
  assert(weights.size() == set.size());
  blend_rotations(set.rotations, weights, rotations);
  root = {};
  float heading = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    root += weights[i] * set.roots[i];
    heading += weights[i] * set.headings[i];
  }
  rotations[0] = normalized(axis_angle({0, 1, 0}, heading) * rotations[0]);
}

}  // namespace loom::blend
