// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include <loom/crowd/limbs.h>
#include <loom/motion/kinematics.h>

namespace loom::crowd {
namespace {

/// Whether a capsule may reach into a box.
bool meets(const motion::Capsule& capsule, Vec3 low, Vec3 high) {
  const float around = std::max(capsule.radius_a, capsule.radius_b);
  const auto apart = [&](float a, float b, float from, float to) {
    return std::min(a, b) - around > to || std::max(a, b) + around < from;
  };
  return !apart(capsule.a.x, capsule.b.x, low.x, high.x) && !apart(capsule.a.z, capsule.b.z, low.z, high.z) &&
         !apart(capsule.a.y, capsule.b.y, low.y, high.y);
}

Flat on_floor(Vec3 p) { return {p.x, p.z}; }

}  // namespace

std::optional<Limbs> Limbs::create(const motion::Skeleton& skeleton, std::size_t bodies) {
  auto figure = motion::BodyCapsules::of(skeleton);
  if (!figure) return std::nullopt;
  Limbs limbs(std::move(*figure));
  for (Boxes* boxes : {&limbs.now_, &limbs.next_}) {
    boxes->capsules.resize(bodies * limbs.figure_.size());
    boxes->low.resize(bodies);
    boxes->high.resize(bodies);
  }
  limbs.positions_.resize(bodies * skeleton.point_count());
  limbs.turns_.resize(bodies * skeleton.size());
  return limbs;
}

void Limbs::place_next(std::size_t body, const motion::Skeleton& skeleton, Vec3 root, std::span<const Quat> rotations) {
  const std::span<Vec3> positions(positions_.data() + body * skeleton.point_count(), skeleton.point_count());
  const std::span<Quat> turns(turns_.data() + body * skeleton.size(), skeleton.size());
  motion::forward_kinematics(skeleton, root, rotations, positions, turns);
  const std::span<motion::Capsule> capsules(next_.capsules.data() + body * figure_.size(), figure_.size());
  figure_.place(positions, turns, capsules);
  Vec3 low{1e9f, 1e9f, 1e9f}, high{-1e9f, -1e9f, -1e9f};
  for (const motion::Capsule& capsule : capsules) {
    const float around = std::max(capsule.radius_a, capsule.radius_b);
    for (const Vec3 end : {capsule.a, capsule.b}) {
      low = {std::min(low.x, end.x - around), std::min(low.y, end.y - around), std::min(low.z, end.z - around)};
      high = {std::max(high.x, end.x + around), std::max(high.y, end.y + around), std::max(high.z, end.z + around)};
    }
  }
  next_.low[body] = low;
  next_.high[body] = high;
}

void Limbs::take(std::size_t body) {
  const auto first = static_cast<std::ptrdiff_t>(body * figure_.size()),
             count = static_cast<std::ptrdiff_t>(figure_.size());
  std::copy_n(next_.capsules.begin() + first, count, now_.capsules.begin() + first);
  now_.low[body] = next_.low[body];
  now_.high[body] = next_.high[body];
}

Limbs::Shape Limbs::shape(const Boxes& boxes, std::size_t body) const {
  return {{boxes.capsules.data() + body * figure_.size(), figure_.size()}, boxes.low[body], boxes.high[body]};
}

Overlap Limbs::between(const Shape& one, const Shape& other) {
  Overlap deepest;
  if (one.low.x > other.high.x || other.low.x > one.high.x || one.low.z > other.high.z || other.low.z > one.high.z) {
    return deepest;
  }
  for (const motion::Capsule& mine : one.capsules) {
    if (!meets(mine, other.low, other.high)) continue;
    for (const motion::Capsule& theirs : other.capsules) {
      const float around = std::max(theirs.radius_a, theirs.radius_b);
      const Vec3 low{std::min(theirs.a.x, theirs.b.x) - around, std::min(theirs.a.y, theirs.b.y) - around,
                     std::min(theirs.a.z, theirs.b.z) - around};
      const Vec3 high{std::max(theirs.a.x, theirs.b.x) + around, std::max(theirs.a.y, theirs.b.y) + around,
                      std::max(theirs.a.z, theirs.b.z) + around};
      if (!meets(mine, low, high)) continue;
      const motion::CapsuleGap gap = motion::gap_between(mine, theirs);
      if (-gap.gap <= deepest.depth) continue;
      const Flat between =
          on_floor(lerp(mine.a, mine.b, gap.on_one)) - on_floor(lerp(theirs.a, theirs.b, gap.on_other));
      deepest = {-gap.gap, normalized(between)};
    }
  }
  return deepest;
}

Overlap Limbs::between(const Shape& one, const Wall& wall) {
  Overlap deepest;
  for (const motion::Capsule& capsule : one.capsules) {
    const Flat a = on_floor(capsule.a), b = on_floor(capsule.b);
    const float depth =
        wall.radius + std::max(capsule.radius_a, capsule.radius_b) - line_distance(a, b, wall.a, wall.b);
    if (depth <= deepest.depth) continue;
    deepest.depth = depth;
  }
  if (deepest.depth <= 0) return deepest;
  // Out of a wall one goes to the side where the body is.
  const Flat middle{(one.low.x + one.high.x) / 2, (one.low.z + one.high.z) / 2}, along = wall.b - wall.a;
  const float square = dot(along, along),
              share = square > 0 ? std::clamp(dot(middle - wall.a, along) / square, 0.0f, 1.0f) : 0;
  deepest.out = normalized(middle - (wall.a + along * share));
  return deepest;
}

Overlap Limbs::next_in(std::size_t one, std::size_t other) const {
  return between(shape(next_, one), shape(now_, other));
}
Overlap Limbs::now_in(std::size_t one, std::size_t other) const {
  return between(shape(now_, one), shape(now_, other));
}
Overlap Limbs::next_in(std::size_t one, const Wall& wall) const { return between(shape(next_, one), wall); }
Overlap Limbs::now_in(std::size_t one, const Wall& wall) const { return between(shape(now_, one), wall); }

}  // namespace loom::crowd
