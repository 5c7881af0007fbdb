// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/base/whole.h>
#include <loom/blend/joint_chain.h>
#include <loom/motion/body.h>
#include <loom/plan/detail/push_out.h>
#include <loom/world/world_mesh.h>

namespace loom::plan {
namespace {

constexpr double kReach = 1.5;     ///< metres around somebody within which obstacles are filled
constexpr double kSpacing = 0.12;  ///< metres between the middles of spheres
constexpr double kTall = 2.3;      ///< metres up to which they are
constexpr std::size_t kMostSpheres = 1200;
constexpr float kWide = 0.12f;                           ///< metres: the standard deviation of the Gaussian
constexpr float kFelt = 0.8f;                            ///< metres from a body within which spheres are looked at
constexpr int kMostPushes = 60;                          ///< Huang 2012 §7.7 needs 25 to 60
constexpr float kFirstStep = 0.15f, kLeastStep = 0.01f;  ///< of the weight that changes hands in a step
constexpr std::size_t kNodes = 10;                       ///< of one stretch that is not free, at first

bool inside(const std::vector<world::Point>& outline, world::Point p) {
  bool in = false;
  for (std::size_t i = 0, j = outline.size() - 1; i < outline.size(); j = i++) {
    const world::Point a = outline[i], b = outline[j];
    if ((a.z > p.z) != (b.z > p.z) && p.x < (b.x - a.x) * (p.z - a.z) / (b.z - a.z) + a.x) in = !in;
  }
  return in;
}

void fill(const world::Obstacle& obstacle, const motion::GroundFrame& stand, double seconds, std::vector<Vec3>& into) {
  const auto near = [&](double x, double z) {
    return std::hypot(x - static_cast<double>(stand.x), z - static_cast<double>(stand.z)) < kReach;
  };
  if (obstacle.shape == world::Shape::kMesh) {
    if (!obstacle.mesh) return;
    const world::Placement at = obstacle.place(seconds);
    for (const Vec3& corner : obstacle.mesh->positions) {
      const world::Point p = at({static_cast<double>(corner.x), static_cast<double>(corner.z)});
      if (near(p.x, p.z)) into.push_back({static_cast<float>(p.x), corner.y, static_cast<float>(p.z)});
    }
    return;
  }
  const std::vector<world::Point> outline = world::outline_of(obstacle, seconds);
  const double top = std::min(obstacle.top, kTall);
  const auto cells = to_whole<int>(std::ceil(kReach / kSpacing));
  for (int i = -cells; i <= cells; ++i) {
    for (int k = -cells; k <= cells; ++k) {
      const double x = static_cast<double>(stand.x) + i * kSpacing, z = static_cast<double>(stand.z) + k * kSpacing;
      if (!near(x, z) || !inside(outline, {x, z})) continue;
      for (double y = obstacle.bottom; y <= top; y += kSpacing) {
        into.push_back({static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)});
      }
    }
  }
  for (std::size_t i = 0, j = outline.size() - 1; i < outline.size(); j = i++) {  // thin things have walls at least
    const double length = std::hypot(outline[i].x - outline[j].x, outline[i].z - outline[j].z);
    const auto steps = std::max(1, to_whole<int>(std::ceil(length / kSpacing)));
    for (int s = 0; s < steps; ++s) {
      const double share = static_cast<double>(s) / steps;
      const double x = std::lerp(outline[j].x, outline[i].x, share), z = std::lerp(outline[j].z, outline[i].z, share);
      if (!near(x, z)) continue;
      for (double y = obstacle.bottom; y <= top; y += kSpacing) {
        into.push_back({static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)});
      }
      into.push_back({static_cast<float>(x), static_cast<float>(top), static_cast<float>(z)});
    }
  }
}

/// Weights that sum to one and are not lower than `least`, near to these.
void put_in_bounds(std::span<const float> least, std::vector<float>& weights) {
  float above = 0, below = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    weights[i] = std::max(weights[i], least[i]);
    (weights[i] > 0 ? above : below) += weights[i];
  }
  if (!(above > 0)) return;
  for (float& weight : weights) {
    if (weight > 0) weight *= (1 - below) / above;
  }
}

}  // namespace

std::vector<Vec3> sphere_middles(const world::World& world, const motion::GroundFrame& stand, double seconds) {
  std::vector<Vec3> middles;
  for (const world::Obstacle& obstacle : world.obstacles) fill(obstacle, stand, seconds, middles);
  if (middles.size() <= kMostSpheres) return middles;
  std::vector<Vec3> fewer;  // evenly from all of them
  for (std::size_t i = 0; i < kMostSpheres; ++i) fewer.push_back(middles[i * middles.size() / kMostSpheres]);
  return fewer;
}

CollisionPotential::CollisionPotential(const ActionSpace& space, std::vector<Vec3> spheres,
                                       const motion::GroundFrame& stand)
    : space_(space), spheres_(std::move(spheres)) {
  const motion::GroundFrame back = inverse(stand);
  for (Vec3& middle : spheres_) middle = transform(back, middle);
  const motion::Skeleton& skeleton = *space.space().skeleton();
  const motion::Body body = motion::find_body(skeleton);
  const auto add = [&](int joint, Vec3 offset) {
    if (joint >= 0 && blend::JointChain::fits(skeleton, joint)) points_.push_back({joint, offset});
  };
  for (const motion::Limb* arm : {&body.left_arm, &body.right_arm}) {
    if (!arm->complete()) continue;
    const Vec3 forearm = skeleton.joint(static_cast<std::size_t>(arm->end)).offset;
    add(arm->middle, {});
    add(arm->middle, forearm * 0.5f);
    add(arm->middle, forearm);
    add(arm->end, forearm * 0.4f);  // about as far as the knuckles
  }
  add(body.head, {});
  if (!body.spine.empty()) add(body.spine.back(), {});
}

bool CollisionPotential::push_out(std::size_t slice, const IsFree& is_free, std::vector<float>& weights) const {
  const std::size_t n = weights.size();
  std::vector<blend::JointChain> chains;
  for (const BodyPoint& point : points_) {
    chains.emplace_back(*space_.space().skeleton(), space_.poses(slice), point.joint, point.offset);
  }
  std::vector<float> slopes(3 * n), gradient(n), tried(n);
  const float narrow = 1 / (2 * kWide * kWide);
  // What is far from all of them is not felt, nor after the few steps there are.
  std::vector<Vec3> near;
  std::vector<Vec3> points;
  for (const blend::JointChain& chain : chains) points.push_back(chain.evaluate(weights).position);
  for (const Vec3& middle : spheres_) {
    const auto felt = [&](Vec3 point) { return dot(point - middle, point - middle) < kFelt * kFelt; };
    if (std::any_of(points.begin(), points.end(), felt)) near.push_back(middle);
  }
  const auto potential = [&](std::span<const float> w, bool with_gradient) {
    double sum = 0;
    if (with_gradient) std::fill(gradient.begin(), gradient.end(), 0.0f);
    for (const blend::JointChain& chain : chains) {
      const Vec3 p = with_gradient ? chain.differentiate(w, {slopes, {}}).position : chain.evaluate(w).position;
      Vec3 pull;
      for (const Vec3& middle : near) {
        const Vec3 away = p - middle;
        const float square = dot(away, away) * narrow;
        if (square > 12) continue;
        const float strength = std::exp(-square);
        sum += static_cast<double>(strength);
        pull += away * (-2 * narrow * strength);
      }
      if (!with_gradient) continue;
      for (std::size_t i = 0; i < n; ++i) {
        gradient[i] += pull.x * slopes[i] + pull.y * slopes[n + i] + pull.z * slopes[2 * n + i];
      }
    }
    return sum;
  };
  // What extrapolates already may go on to, no further.
  std::vector<float> least(n);
  for (std::size_t i = 0; i < n; ++i) least[i] = std::min(weights[i], 0.0f);
  float step = kFirstStep;
  for (int round = 0; round < kMostPushes; ++round) {
    if (is_free(slice, weights)) return true;
    const double now = potential(weights, true);
    float mean = 0;
    for (const float slope : gradient) mean += slope / static_cast<float>(n);
    float size = 0;
    for (float& slope : gradient) size += std::fabs(slope -= mean);
    if (!(size > 0)) return false;
    const std::vector<float> downhill = gradient;
    for (;; step /= 2) {
      if (step < kLeastStep) return false;
      for (std::size_t i = 0; i < n; ++i) tried[i] = weights[i] - step * downhill[i] / size;
      put_in_bounds(least, tried);
      if (potential(tried, false) < now) break;
    }
    weights = tried;
    step = std::min(kFirstStep, step * 1.5f);
  }
  return is_free(slice, weights);
}

std::vector<WeightNode> push_way_out(const CollisionPotential& potential, std::size_t first, std::size_t last,
                                     std::span<const float> wanted, const IsFree& is_free) {
  const std::vector<float> goal(wanted.begin(), wanted.end());
  std::size_t begin = first, end = last;
  while (begin <= last && is_free(begin, goal)) ++begin;
  if (begin > last) return {{first, goal}, {last, goal}};
  while (end > begin && is_free(end, goal)) --end;
  if (begin == first || end == last) return {};
  std::vector<WeightNode> way = {{first, goal}};
  if (begin - 1 > first) way.push_back({begin - 1, goal});
  const std::size_t count = std::min(kNodes, end - begin + 1);
  for (std::size_t i = 0; i < count; ++i) {
    WeightNode node{count == 1 ? (begin + end) / 2 : begin + i * (end - begin) / (count - 1), goal};
    std::vector<float> before = way.back().weights;  // where the one before went, this one may go as well
    if (is_free(node.slice, before)) {
      node.weights = std::move(before);
    } else if (!potential.push_out(node.slice, is_free, node.weights)) {
      return {};
    }
    way.push_back(std::move(node));
  }
  if (end + 1 < last) way.push_back({end + 1, goal});
  way.push_back({last, goal});
  // Between two nodes that are not free all the way another is put.
  std::vector<float> weights(goal.size());
  for (std::size_t i = 0; i + 1 < way.size();) {
    std::size_t touching = 0;
    for (std::size_t s = way[i].slice + 1; s < way[i + 1].slice && touching == 0; ++s) {
      weights_between(way[i], way[i + 1], static_cast<double>(s), weights);
      if (!is_free(s, weights)) touching = s;
    }
    if (touching == 0) {
      ++i;
      continue;
    }
    WeightNode node{touching, weights};
    if (!potential.push_out(touching, is_free, node.weights)) return {};
    way.insert(way.begin() + static_cast<std::ptrdiff_t>(i) + 1, std::move(node));
  }
  return way;
}

}  // namespace loom::plan
