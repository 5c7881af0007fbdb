// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

#include <loom/base/math.h>
#include <loom/motion/clip.h>
#include <loom/motion/ground_frame.h>

namespace loom::play {

/// The pose of one frame of `clip`, clamped to those it has, carried into the world by `world`: fills in one rotation a
/// joint and returns the root's place. What every player reads recordings with.
Vec3 read_frame(const motion::Clip& clip, std::int64_t frame, const motion::GroundFrame& world,
                std::span<Quat> rotations);

/// The same at a moment between two frames (`motion::pose_at`).
Vec3 read_moment(const motion::Clip& clip, double frame, const motion::GroundFrame& world, std::span<Quat> rotations);

}  // namespace loom::play
