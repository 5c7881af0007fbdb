// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/motion/kinematics.h>
#include <loom/skin/detail/skin_rods.h>

namespace loom::skin {
namespace {

constexpr int kSides = 8;                               ///< vertices of a ring
constexpr int kCapRings = 3;                            ///< rings of each half ball, the equator included
constexpr float kThickness = 0.13f;                     ///< of a rod, as a share of its length
constexpr float kThinnest = 0.008f, kThickest = 0.05f;  ///< the same, as shares of the body's size

/// The longest side of the box around the skeleton at rest, about its height; never zero.
float body_size(const std::vector<Vec3>& rest) {
  Vec3 low{}, high{};
  for (const Vec3 p : rest) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  const Vec3 size = high - low;
  const float largest = std::max({size.x, size.y, size.z});
  return largest > 1e-6f ? largest : 1.0f;
}

}  // namespace

void add_rod(const motion::Rod& rod, SkinMesh& mesh) {
  const Vec3 along = normalized(rod.b - rod.a);
  const Quat turn = rotation_between({0, 1, 0}, along);
  const Vec3 side = rotate(turn, {1, 0, 0}), front = rotate(turn, {0, 0, 1});
  const auto first = static_cast<std::uint32_t>(mesh.positions.size());
  SkinInfluence influence;
  influence.joints[0] = rod.joint;
  influence.weights[0] = 1;
  const auto add = [&](Vec3 centre, float radius, Vec3 normal) {
    mesh.positions.push_back(centre + normal * radius);
    mesh.normals.push_back(normal);
    mesh.influences.push_back(influence);
  };
  // From the pole behind `a` over its rings and those of `b` to the pole beyond `b`.
  add(rod.a, rod.radius_a, -along);
  for (int ring = 1; ring <= 2 * kCapRings; ++ring) {
    const bool at_a = ring <= kCapRings;
    const int step = at_a ? ring - kCapRings : ring - kCapRings - 1;
    const float tilt = kPi / 2 * static_cast<float>(step) / static_cast<float>(kCapRings);
    for (int s = 0; s < kSides; ++s) {
      const float angle = 2 * kPi * static_cast<float>(s) / kSides;
      const Vec3 outward = side * std::cos(angle) + front * std::sin(angle);
      add(at_a ? rod.a : rod.b, at_a ? rod.radius_a : rod.radius_b,
          normalized(outward * std::cos(tilt) + along * std::sin(tilt)));
    }
  }
  add(rod.b, rod.radius_b, along);

  const auto at = [&](int ring, int s) { return first + 1 + static_cast<std::uint32_t>(ring * kSides + s % kSides); };
  const auto triangle = [&](std::uint32_t p, std::uint32_t q, std::uint32_t r) {
    mesh.triangles.insert(mesh.triangles.end(), {p, q, r});
  };
  const std::uint32_t last = first + 1 + 2 * kCapRings * kSides;
  for (int s = 0; s < kSides; ++s) {
    triangle(first, at(0, s), at(0, s + 1));
    for (int ring = 0; ring + 1 < 2 * kCapRings; ++ring) {
      triangle(at(ring, s), at(ring + 1, s), at(ring + 1, s + 1));
      triangle(at(ring, s), at(ring + 1, s + 1), at(ring, s + 1));
    }
    triangle(last, at(2 * kCapRings - 1, s + 1), at(2 * kCapRings - 1, s));
  }
}

void add_bone_rods(const motion::Skeleton& skeleton, const std::vector<bool>& wanted, SkinMesh& mesh) {
  const std::vector<Vec3> rest = motion::rest_positions(skeleton);
  const float size = body_size(rest);
  std::vector<bool> has_bone(skeleton.size());
  const auto add = [&](std::size_t joint, Vec3 end) {
    const float length = distance(rest[joint], end);
    if (length < 1e-4f * size) return;
    has_bone[joint] = true;
    if (!wanted[joint]) return;
    const float thick = std::clamp(kThickness * length, kThinnest * size, kThickest * size);
    // Thinner towards the tip, so that one sees which way a bone points; short enough to stay within the bone.
    const float near = std::min(thick, length / 2), far = near * 0.6f;
    const Vec3 along = (end - rest[joint]) / length;
    add_rod({rest[joint] + along * near * 0.5f, end - along * far, near, far, static_cast<std::uint16_t>(joint)}, mesh);
  };
  for (std::size_t j = 1; j < skeleton.size(); ++j) {
    add(static_cast<std::size_t>(skeleton.joint(j).parent), rest[j]);
  }
  for (const motion::EndSite& site : skeleton.end_sites()) {
    const auto joint = static_cast<std::size_t>(site.joint);
    add(joint, rest[joint] + site.offset);
  }
  for (std::size_t j = 0; j < skeleton.size(); ++j) {
    if (!wanted[j] || has_bone[j]) continue;
    const float radius = skeleton.size() == 1 ? size * 0.1f : size * 1.5f * kThinnest;
    add_rod({rest[j], rest[j], radius, radius, static_cast<std::uint16_t>(j)}, mesh);
  }
}

}  // namespace loom::skin
