// SPDX-License-Identifier: MIT
#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include <loom/motion/kinematics.h>

#include "tests/make_clip.h"

namespace loom::motion {
namespace {

using testing::random_clip;
using testing::random_skeleton;
using testing::small_person;

using Matrix = std::array<std::array<double, 4>, 4>;

Matrix multiply(const Matrix& a, const Matrix& b) {
  Matrix c{};
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      for (std::size_t k = 0; k < 4; ++k) c[i][j] += a[i][k] * b[k][j];
    }
  }
  return c;
}

Matrix to_matrix(Quat q, Vec3 t) {
  const double w = q.w, x = q.x, y = q.y, z = q.z;
  return {{{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), t.x},
           {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x), t.y},
           {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y), t.z},
           {0, 0, 0, 1}}};
}

/// The frame of a joint by multiplying 4 × 4 matrices from the root down, in double precision.
Matrix naive_frame(const Clip& clip, std::size_t frame, int joint) {
  const auto j = static_cast<std::size_t>(joint);
  if (joint == 0) return to_matrix(clip.pose(frame)[0], clip.roots[frame]);
  const Joint& bone = clip.skeleton->joint(j);
  return multiply(naive_frame(clip, frame, bone.parent), to_matrix(clip.pose(frame)[j], bone.offset));
}

Vec3 origin(const Matrix& m) {
  return {static_cast<float>(m[0][3]), static_cast<float>(m[1][3]), static_cast<float>(m[2][3])};
}

TEST(ForwardKinematics, AgreesWithMatricesFromTheRootDown) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const Clip clip = random_clip(random_skeleton(5 * seed, seed), 7, 30, seed);
    const WorldPoses poses = forward_kinematics(clip);
    for (std::size_t f = 0; f < clip.frames(); ++f) {
      for (std::size_t j = 0; j < clip.joints(); ++j) {
        const Matrix frame = naive_frame(clip, f, static_cast<int>(j));
        EXPECT_LT(distance(poses.position(f, j), origin(frame)), 1e-5f);
        const Matrix turned = to_matrix(poses.rotation(f, j), {});
        for (std::size_t r = 0; r < 3; ++r) {
          for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(turned[r][c], frame[r][c], 1e-5);
        }
      }
      for (std::size_t s = 0; s < clip.skeleton->end_sites().size(); ++s) {
        const EndSite& site = clip.skeleton->end_sites()[s];
        const Matrix end = multiply(naive_frame(clip, f, site.joint), to_matrix({}, site.offset));
        EXPECT_LT(distance(poses.position(f, clip.joints() + s), origin(end)), 1e-5f);
      }
    }
  }
}

TEST(ForwardKinematics, InBulkIsTheSameToTheBitAsOnePoseAtATime) {
  for (const std::size_t joints : {1u, 2u, 3u, 31u, 200u}) {
    for (const std::size_t frames : {0u, 1u, 3u, 4u, 15u, 16u, 17u, 50u}) {
      const Clip clip = random_clip(random_skeleton(joints, joints), frames, 30, frames);
      const WorldPoses poses = forward_kinematics(clip);
      ASSERT_EQ(poses.positions.size(), frames * clip.skeleton->point_count());
      std::vector<Vec3> positions(poses.points);
      std::vector<Quat> world(poses.joints);
      for (std::size_t f = 0; f < frames; ++f) {
        forward_kinematics(*clip.skeleton, clip.roots[f], clip.pose(f), positions, world);
        for (std::size_t p = 0; p < poses.points; ++p) ASSERT_EQ(poses.position(f, p), positions[p]) << f << " " << p;
        for (std::size_t j = 0; j < poses.joints; ++j) ASSERT_EQ(poses.rotation(f, j), world[j]) << f << " " << j;
      }
    }
  }
}

TEST(PointPositions, AreThoseOfForwardKinematicsForAnyRange) {
  const Clip clip = random_clip(small_person(), 40, 30, 9);
  const WorldPoses poses = forward_kinematics(clip);
  const std::vector<Vec3> some = point_positions(clip, 7, 31);
  ASSERT_EQ(some.size(), 24 * poses.points);
  for (std::size_t i = 0; i < some.size(); ++i) EXPECT_EQ(some[i], poses.positions[7 * poses.points + i]);
  EXPECT_TRUE(point_positions(clip, 5, 5).empty());
}

TEST(PointVelocities, AreConstantForConstantMotion) {
  const auto person = small_person();
  Clip clip{"glide", person, 60, std::vector<Vec3>(10), std::vector<Quat>(10 * person->size()), {}};
  for (std::size_t f = 0; f < 10; ++f) clip.roots[f] = Vec3{1, 0.5f, -2} * (static_cast<float>(f) / 60);
  for (const Vec3& v : point_velocities(forward_kinematics(clip), clip.rate)) {
    EXPECT_LT(distance(v, {1, 0.5f, -2}), 1e-3f);
  }
  clip.roots.resize(1);
  clip.rotations.resize(person->size());
  for (const Vec3& v : point_velocities(forward_kinematics(clip), clip.rate)) EXPECT_EQ(v, Vec3{});
}

}  // namespace
}  // namespace loom::motion
