// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <loom/base/math.h>
#include <loom/motion/clip.h>

namespace loom::motion {

/// Where every joint and end site of a clip is in the world, frame by frame, in flat arrays.
struct WorldPoses {
  std::size_t frames = 0;
  std::size_t joints = 0;
  std::size_t points = 0;       ///< joints, then end sites (Skeleton::point_count)
  std::vector<Vec3> positions;  ///< frames × points, metres
  std::vector<Quat> rotations;  ///< frames × joints, world orientation

  [[nodiscard]] const Vec3& position(std::size_t frame, std::size_t point) const {
    return positions[frame * points + point];
  }
  [[nodiscard]] const Quat& rotation(std::size_t frame, std::size_t joint) const {
    return rotations[frame * joints + joint];
  }
};

/// Forward kinematics of a whole clip, vectorised across frames. O(frames × joints); about 0.2 µs for a pose of 31
/// joints. The same to the bit as the version for one pose, on every machine.
WorldPoses forward_kinematics(const Clip& clip);
/// The same into poses the caller keeps: fresh memory costs more than the arithmetic.
void forward_kinematics(const Clip& clip, WorldPoses& poses);

/// Only the positions, of frames [begin, end), frames × points: less to write, and threads can share a clip.
std::vector<Vec3> point_positions(const Clip& clip, std::size_t begin, std::size_t end);

/// Forward kinematics of one pose into the caller's arrays, without allocating: for run time and solvers.
/// `positions` has room for all points, `world` for all joints.
void forward_kinematics(const Skeleton& skeleton, Vec3 root, std::span<const Quat> rotations, std::span<Vec3> positions,
                        std::span<Quat> world);

/// Where one joint is and how it is turned in the world.
struct JointFrame {
  Vec3 position;
  Quat rotation;
};

/// The frame of one joint without those of all others. O(depth of the joint), no allocation.
JointFrame joint_frame(const Skeleton& skeleton, int joint, Vec3 root, std::span<const Quat> rotations);

/// Where every point is at rest, with the root at the origin.
std::vector<Vec3> rest_positions(const Skeleton& skeleton);

/// Velocity of every point in metres a second, frames × points, by central differences (one-sided at the ends).
/// A clip of one frame has zero velocity.
std::vector<Vec3> point_velocities(const WorldPoses& poses, double rate);

}  // namespace loom::motion
