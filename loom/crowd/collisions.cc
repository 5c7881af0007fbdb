// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include <loom/base/parallel.h>
#include <loom/crowd/collisions.h>
#include <loom/motion/body_capsules.h>
#include <loom/motion/kinematics.h>

namespace loom::crowd {
namespace {

constexpr float kArmsLength = 2.2f;    ///< metres between the roots of bodies that may touch at all
constexpr std::size_t kTogether = 30;  ///< frames looked at between two reports

/// The capsules of all bodies in one frame, with a box around each body.
struct Bodies {
  std::vector<motion::Capsule> capsules;
  std::vector<Vec3> low, high, roots;
};

/// What two bodies, or a body and the walls, come to in one frame.
struct Touch {
  std::size_t one = 0, other = 0;
  float depth = 0;
};

struct FrameTouches {
  std::vector<Touch> bodies, walls;
  float nearest = std::numeric_limits<float>::infinity();
  std::size_t one = 0, other = 0;
};

void place(const motion::BodyCapsules& shape, std::span<const motion::Recording> recordings, std::size_t frame,
           Bodies& bodies) {
  const motion::Skeleton& skeleton = *recordings[0].clip.skeleton;
  std::vector<Vec3> positions(skeleton.point_count());
  std::vector<Quat> world(skeleton.size());
  bodies.capsules.resize(recordings.size() * shape.size());
  for (std::size_t r = 0; r < recordings.size(); ++r) {
    const motion::Clip& clip = recordings[r].clip;
    motion::forward_kinematics(skeleton, clip.roots[frame], clip.pose(frame), positions, world);
    const std::span<motion::Capsule> own(bodies.capsules.data() + r * shape.size(), shape.size());
    shape.place(positions, world, own);
    Vec3 low{1e9f, 1e9f, 1e9f}, high{-1e9f, -1e9f, -1e9f};
    for (const motion::Capsule& capsule : own) {
      const float around = std::max(capsule.radius_a, capsule.radius_b);
      for (const Vec3 end : {capsule.a, capsule.b}) {
        low = {std::min(low.x, end.x - around), std::min(low.y, end.y - around), std::min(low.z, end.z - around)};
        high = {std::max(high.x, end.x + around), std::max(high.y, end.y + around), std::max(high.z, end.z + around)};
      }
    }
    bodies.low.push_back(low);
    bodies.high.push_back(high);
    bodies.roots.push_back(clip.roots[frame]);
  }
}

float gap_of(const Bodies& bodies, std::size_t parts, std::size_t a, std::size_t b) {
  float least = std::numeric_limits<float>::infinity();
  for (std::size_t i = 0; i < parts; ++i) {
    for (std::size_t j = 0; j < parts; ++j) {
      least = std::min(least, motion::gap_between(bodies.capsules[a * parts + i], bodies.capsules[b * parts + j]).gap);
    }
  }
  return least;
}

/// How deep a body is in walls: their lines on the floor are as high as it is.
float depth_in(const Walls& walls, const Bodies& bodies, std::size_t parts, std::size_t body) {
  const Vec3 low = bodies.low[body], high = bodies.high[body];
  const Flat middle{(low.x + high.x) / 2, (low.z + high.z) / 2};
  const float reach = length(Flat{high.x - low.x, high.z - low.z}) / 2;
  float deepest = 0;
  for (const Wall& wall : walls.standing()) {
    if (line_distance(middle, middle, wall.a, wall.b) > reach + wall.radius) continue;
    for (std::size_t i = 0; i < parts; ++i) {
      const motion::Capsule& capsule = bodies.capsules[body * parts + i];
      const float gap = line_distance({capsule.a.x, capsule.a.z}, {capsule.b.x, capsule.b.z}, wall.a, wall.b);
      deepest = std::max(deepest, wall.radius + std::max(capsule.radius_a, capsule.radius_b) - gap);
    }
  }
  return deepest;
}

FrameTouches look_at(const motion::BodyCapsules& shape, std::span<const motion::Recording> recordings,
                     const Walls& walls, std::size_t frame, float depth) {
  Bodies bodies;
  place(shape, recordings, frame, bodies);
  FrameTouches touches;
  for (std::size_t a = 0; a < recordings.size(); ++a) {
    for (std::size_t b = a + 1; b < recordings.size(); ++b) {
      const float dx = bodies.roots[a].x - bodies.roots[b].x, dz = bodies.roots[a].z - bodies.roots[b].z;
      if (dx * dx + dz * dz > kArmsLength * kArmsLength) continue;
      // How far the boxes are from each other is the least that the bodies can be.
      const Vec3 apart{std::max({0.0f, bodies.low[a].x - bodies.high[b].x, bodies.low[b].x - bodies.high[a].x}), 0,
                       std::max({0.0f, bodies.low[a].z - bodies.high[b].z, bodies.low[b].z - bodies.high[a].z})};
      const float least = length(apart);
      if (least > 0 && least >= touches.nearest) continue;
      const float gap = gap_of(bodies, shape.size(), a, b);
      if (gap < touches.nearest) {
        touches.nearest = gap;
        touches.one = a;
        touches.other = b;
      }
      if (gap < -depth) touches.bodies.push_back({a, b, -gap});
    }
    const float in_wall = depth_in(walls, bodies, shape.size(), a);
    if (in_wall > depth) touches.walls.push_back({a, Collision::kWall, in_wall});
  }
  return touches;
}

/// Joins what goes on from frame to frame.
void join(const std::vector<FrameTouches>& frames, std::vector<Touch> FrameTouches::*which, std::size_t gap,
          std::vector<Collision>& collisions) {
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> going_on;
  for (std::size_t f = 0; f < frames.size(); ++f) {
    for (const Touch& touch : frames[f].*which) {
      const auto key = std::pair{touch.one, touch.other};
      const auto last = going_on.find(key);
      if (last == going_on.end() || collisions[last->second].end + gap < f) {
        going_on[key] = collisions.size();
        collisions.push_back({touch.one, touch.other, f, f + 1, f, touch.depth});
        continue;
      }
      Collision& collision = collisions[last->second];
      collision.end = f + 1;
      if (touch.depth > collision.depth) {
        collision.depth = touch.depth;
        collision.worst = f;
      }
    }
  }
}

}  // namespace

Result<CollisionReport> find_collisions(std::span<const motion::Recording> recordings, const Walls& walls,
                                        const CollisionOptions& options, const Progress& progress) {
  CollisionReport report;
  if (recordings.empty()) return report;
  const auto shape = motion::BodyCapsules::of(*recordings[0].clip.skeleton);
  if (!shape) return fail("the skeleton is no human figure, so nobody knows what room it takes");
  std::size_t count = recordings[0].clip.frames();
  for (const motion::Recording& recording : recordings) count = std::min(count, recording.clip.frames());
  std::vector<FrameTouches> frames(count);
  for (std::size_t begin = 0; begin < count; begin += kTogether) {
    if (!progress.report(static_cast<double>(begin) / static_cast<double>(count), "looking for collisions")) {
      return fail_as(ErrorKind::kStopped, "stopped");
    }
    parallel_for(std::min(kTogether, count - begin), 1, [&](std::size_t from, std::size_t to) {
      for (std::size_t f = begin + from; f < begin + to; ++f) {
        frames[f] = look_at(*shape, recordings, walls, f, options.depth);
      }
    });
  }
  join(frames, &FrameTouches::bodies, options.gap, report.bodies);
  join(frames, &FrameTouches::walls, options.gap, report.walls);
  report.nearest = std::numeric_limits<float>::infinity();
  for (std::size_t f = 0; f < count; ++f) {
    if (frames[f].nearest >= report.nearest) continue;
    report.nearest = frames[f].nearest;
    report.nearest_one = frames[f].one;
    report.nearest_other = frames[f].other;
    report.nearest_frame = f;
  }
  return report;
}

}  // namespace loom::crowd
