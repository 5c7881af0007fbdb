// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <loom/compare/joint_angles.h>

#include "tests/compare/make_set.h"

namespace loom::compare {
namespace {

using testing::frame_set;
using testing::random_clip;
using testing::random_frame_set;
using testing::small_person;

/// Eq. 3.1 from the clips themselves, the logarithm through its vector, the root without its heading.
double eq_3_1(const FrameSet& set, const JointAngleOptions& options, std::size_t i, std::size_t j) {
  const JointWeights weights =
      options.joint_weights.empty() ? wang_bodenheimer_weights(*set.skeleton) : options.joint_weights;
  const auto rotation = [&](std::size_t f, std::size_t k) {
    const Quat q = set.rotation(f, k);
    return k == 0 ? conjugate(set.ground[f].rotation()) * q : q;
  };
  const auto velocity = [&](std::size_t f) {
    const auto at = set.address(f);
    const std::size_t begin = f - at.frame, end = set.starts[at.clip + 1];
    const std::size_t before = f == begin ? f : f - 1, after = f + 1 == end ? f : f + 1;
    const Vec3 step = set.position(after, 0) - set.position(before, 0);
    return rotate(conjugate(set.ground[f].rotation()), step) * static_cast<float>(set.rate / double(after - before));
  };
  // Half the angular velocity, from the turn between the frames around: 0 where the weight is.
  const auto spin = [&](std::size_t f, std::size_t k) {
    const auto at = set.address(f);
    const std::size_t begin = f - at.frame, end = set.starts[at.clip + 1];
    const std::size_t before = f == begin ? f : f - 1, after = f + 1 == end ? f : f + 1;
    return log_vector(conjugate(rotation(before, k)) * rotation(after, k)) *
           static_cast<float>(0.5 * set.rate / double(after - before));
  };
  double sum = options.velocity_weight * length(velocity(i) - velocity(j));
  for (std::size_t k = 0; k < set.joints(); ++k) {
    sum += weights[k] * 0.5 * length(log_vector(conjugate(rotation(j, k)) * rotation(i, k)));
    sum += options.joint_velocity_weight * weights[k] * length(spin(i, k) - spin(j, k));
  }
  return sum;
}

TEST(JointAngles, AgreesWithTheFormulasOfTheWork) {
  const auto set = random_frame_set({30, 30}, 1);
  for (const JointAngleOptions& options :
       {JointAngleOptions{}, JointAngleOptions{0.5, uniform_weights(*set->skeleton)}, JointAngleOptions{0.1, {}, 0.3},
        JointAngleOptions{0, uniform_weights(*set->skeleton), 0.05}}) {
    const auto metric = JointAngles::create(set, options).value();
    for (std::size_t i = 0; i < 29; i += 3) {
      for (std::size_t j = 30; j < 59; j += 2) {
        EXPECT_NEAR(metric.frame_distance(i, j), eq_3_1(*set, options, i, j), 2e-4);
        // Eq. 3.2 for the transition from i to j + 1.
        const double transition = 0.5 * eq_3_1(*set, options, i + 1, j + 1) + 0.5 * eq_3_1(*set, options, i, j);
        EXPECT_NEAR(metric.distance(i, j), transition, 2e-4);
        EXPECT_EQ(metric.distance(i, j), metric.distance(j, i));
      }
    }
  }
}

TEST(JointAngles, MovingAClipOnTheFloorChangesNothing) {
  const motion::Clip clip = random_clip(small_person(), 20, 30, 2);
  motion::Clip moved = clip;
  motion::move(moved, {3, -7, 2});
  const JointAngleOptions every{1, uniform_weights(*clip.skeleton)};
  const auto metric = JointAngles::create(frame_set({clip, moved}), every).value();
  for (std::size_t f = 0; f < 19; ++f) {
    EXPECT_NEAR(metric.distance(f, 20 + f), 0, 1e-3);
    const motion::GroundFrame back = metric.alignment(f, 20 + f), expected = motion::inverse({3, -7, 2});
    EXPECT_NEAR(back.x, expected.x, 1e-3);
    EXPECT_NEAR(back.heading, expected.heading, 1e-4);
  }
}

TEST(JointAngles, SignOfAQuaternionDoesNotMatter) {
  const motion::Clip clip = random_clip(small_person(), 10, 30, 3);
  motion::Clip other = clip;
  for (std::size_t n = 0; n < other.rotations.size(); n += 2) other.rotations[n] = -other.rotations[n];
  const auto metric = JointAngles::create(frame_set({clip, other})).value();
  for (std::size_t f = 0; f < 9; ++f) EXPECT_NEAR(metric.distance(f, 10 + f), 0, 1e-6);
}

TEST(JointAngles, TheLastFrameOfAClipHasNoNextToCompare) {
  const auto metric = JointAngles::create(random_frame_set({5, 1, 4}, 4)).value();
  for (std::size_t f = 0; f < 10; ++f) EXPECT_EQ(metric.comparable(f), f < 4 || (f >= 6 && f < 9)) << f;
}

TEST(JointAngles, TheSamePoseTurningOtherwiseIsApartByTheJointsVelocities) {
  // One joint passes through the same angle at the same moment, at 1 and at -3 radians a second.
  motion::Clip clip = random_clip(small_person(), 9, 30, 8);
  for (std::size_t f = 0; f < clip.frames(); ++f)
    std::copy_n(clip.pose(0).begin(), clip.joints(), clip.pose(f).begin());
  std::fill(clip.roots.begin(), clip.roots.end(), clip.roots[0]);
  motion::Clip other = clip;
  const std::size_t joint = 3;
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    const float seconds = (static_cast<float>(f) - 4) / 30;
    clip.pose(f)[joint] = clip.pose(f)[joint] * axis_angle({1, 0, 0}, 1 * seconds);
    other.pose(f)[joint] = other.pose(f)[joint] * axis_angle({1, 0, 0}, -3 * seconds);
  }
  const auto set = frame_set({clip, other});
  JointWeights weights(clip.joints(), 0.0f);
  weights[joint] = 2;
  const auto without = JointAngles::create(set, {0, weights, 0}).value();
  const auto with = JointAngles::create(set, {0, weights, 0.25}).value();
  EXPECT_NEAR(without.frame_distance(4, 13), 0, 1e-5);
  // Weight 2, a quarter of a radian a radian a second, half of the 4 radians a second between them.
  EXPECT_NEAR(with.frame_distance(4, 13), 2 * 0.25 * 2, 1e-3);
  EXPECT_EQ(with.frame_distance(4, 13), with.frame_distance(13, 4));
}

TEST(JointAngles, RefusesWhatMakesNoSense) {
  const auto set = random_frame_set({20}, 5);
  EXPECT_FALSE(JointAngles::create(set, {-1, {}}));
  EXPECT_FALSE(JointAngles::create(set, {0.1, {}, -1}));
  EXPECT_FALSE(JointAngles::create(set, {0.1, {}, std::numeric_limits<double>::quiet_NaN()}));
  EXPECT_FALSE(JointAngles::create(set, {0.1, JointWeights(2, 1.0f)}));
  EXPECT_FALSE(JointAngles::create(random_frame_set({1, 1}, 6)));
}

}  // namespace
}  // namespace loom::compare
