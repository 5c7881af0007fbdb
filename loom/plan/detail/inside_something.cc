// SPDX-License-Identifier: MIT
#include <cmath>

#include <fmt/format.h>

#include <loom/base/text.h>
#include <loom/plan/detail/inside_something.h>

namespace loom::plan {
namespace {

constexpr float kPoint = 0.001f;                        ///< metres: a place on a surface is not inside
constexpr float kProbeEvery = 0.01f, kFarthest = 2.0f;  ///< metres from the target that are looked at

bool is_free(world::Collision& collision, Vec3 at) {
  const motion::Capsule point{at, at, kPoint, kPoint};
  return !collision.touch({&point, 1});
}

/// The free place nearest to one that is not, along the axes and their diagonals.
std::optional<Vec3> nearest_free(world::Collision& collision, Vec3 from) {
  for (float away = kProbeEvery; away <= kFarthest; away += kProbeEvery) {
    for (int dx = -1; dx <= 1; ++dx) {
      for (int dy = -1; dy <= 1; ++dy) {
        for (int dz = -1; dz <= 1; ++dz) {
          if (dx == 0 && dy == 0 && dz == 0) continue;
          const Vec3 way{static_cast<float>(dx), static_cast<float>(dy), static_cast<float>(dz)};
          const Vec3 at = from + normalized(way) * away;
          if (at.y > 0 && is_free(collision, at)) return at;
        }
      }
    }
  }
  return {};
}

}  // namespace

std::optional<Error> inside_something(const world::World& world, world::Collision& collision, Vec3 target) {
  const motion::Capsule point{target, target, 0.0001f, 0.0001f};
  const auto touch = collision.touch({&point, 1});
  if (!touch) return {};
  const auto out = nearest_free(collision, target);
  // What touches the surface alone is not inside.
  if (out && distance(*out, target) < 1.5f * kProbeEvery) return {};
  std::string text = fmt::format("the target ({:.2f}, {:.2f}, {:.2f}) is inside {}", target.x, target.y, target.z,
                                 in_quotes(world.obstacles[touch->obstacle].name));
  if (out) text += fmt::format("; the nearest place outside is {:.2f},{:.2f},{:.2f}", out->x, out->y, out->z);
  return Error{std::move(text), {}, 0, ErrorKind::kBadInput};
}

}  // namespace loom::plan
