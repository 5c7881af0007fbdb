// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/crowd/walls.h>
#include <loom/motion/stream.h>

namespace loom::crowd {

/// A stretch of frames in which a body is in another, or in a wall.
struct Collision {
  std::size_t one = 0, other = 0;  ///< characters; `other` is kWall for walls
  std::size_t begin = 0, end = 0;  ///< frames
  std::size_t worst = 0;           ///< the frame in which it is deepest
  float depth = 0;                 ///< metres, there

  static constexpr std::size_t kWall = ~std::size_t{0};
};

struct CollisionOptions {
  float depth = 0.01f;  ///< metres: less is no collision, for the capsules are a centimetre or two off the skin
  std::size_t gap = 5;  ///< frames: what is interrupted for no longer is one collision
};

/// What an independent look at played poses finds.
struct CollisionReport {
  std::vector<Collision> bodies, walls;
  float nearest = 0;  ///< metres (infinity where nobody is near anybody) between the two bodies that come nearest;
                      ///< negative where they overlap
  std::size_t nearest_one = 0, nearest_other = 0, nearest_frame = 0;
};

/// Looks for bodies in bodies and in walls, in all frames of recordings of one skeleton and one rate. It knows nothing
/// of how they were made: it takes the capsules of every pose and compares all that are near, pair by pair, frame by
/// frame. Walls are taken to be as high as anybody. Fails on a skeleton that is no human figure, and when `progress`
/// asks.
Result<CollisionReport> find_collisions(std::span<const motion::Recording> recordings, const Walls& walls,
                                        const CollisionOptions& options = {}, const Progress& progress = {});

}  // namespace loom::crowd
