// SPDX-License-Identifier: MIT
#include <Eigen/Dense>
#include <cmath>

#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/sample/detail/balance.h>

namespace loom::sample {
namespace {

constexpr double kStep = 1.0 / 240;

TEST(CenterOfMassPath, SolvesItsEquationAsADenseSolverDoes) {
  Random random(1);
  const Eigen::Index n = 60;
  std::vector<Vec3> pressure(static_cast<std::size_t>(n));
  std::vector<double> height(pressure.size());
  for (std::size_t i = 0; i < pressure.size(); ++i) {
    pressure[i] = {static_cast<float>(random.uniform(-0.2, 0.2)), 0, static_cast<float>(random.uniform(-1, 1))};
    height[i] = 0.95 + 1e-5 * random.normal();
  }
  Eigen::MatrixXd system = Eigen::MatrixXd::Zero(n, n);
  Eigen::MatrixXd right = Eigen::MatrixXd::Zero(n, 2);
  for (Eigen::Index i = 0; i < n; ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (i == 0 || i == n - 1) {
      system(i, i) = 1;
      right.row(i) << pressure[at].x, pressure[at].z;
      continue;
    }
    const double lift = (height[at + 1] - 2 * height[at] + height[at - 1]) / (kStep * kStep);
    const double stiffness = (kGravity + lift) / height[at];
    // (c[i+1] - 2 c[i] + c[i-1]) / h² = stiffness (c[i] - z[i])
    system(i, i - 1) = system(i, i + 1) = 1 / (kStep * kStep);
    system(i, i) = -2 / (kStep * kStep) - stiffness;
    right.row(i) << -stiffness * pressure[at].x, -stiffness * pressure[at].z;
  }
  const Eigen::MatrixXd expected = system.fullPivLu().solve(right);
  const std::vector<Vec3> path = center_of_mass_path(pressure, height, kStep);
  for (Eigen::Index i = 0; i < n; ++i) {
    EXPECT_NEAR(path[static_cast<std::size_t>(i)].x, expected(i, 0), 1e-5);
    EXPECT_NEAR(path[static_cast<std::size_t>(i)].z, expected(i, 1), 1e-5);
  }
}

TEST(CenterOfMassPath, LeansBeforeTheStepComes) {
  // The pressure jumps a metre forward at half time: the mass is half-way there by then, having started before.
  std::vector<Vec3> pressure(960);
  const std::vector<double> height(960, 0.95);
  for (std::size_t i = 480; i < 960; ++i) pressure[i].z = 1;
  const std::vector<Vec3> path = center_of_mass_path(pressure, height, kStep);
  EXPECT_NEAR(path[480].z, 0.5f, 0.01f);
  EXPECT_GT(path[400].z, 0.05f);
  EXPECT_NEAR(path[60].z, 0, 0.02f);
  EXPECT_NEAR(path[900].z, 1, 0.02f);
}

TEST(CenterOfMassPath, FliesStraightWhenNothingPresses) {
  // Free fall between samples 200 and 320: whatever the pressure is said to be there, the speed does not change.
  std::vector<Vec3> pressure(520);
  std::vector<double> height(520, 1.0);
  for (std::size_t i = 0; i < 520; ++i) {
    pressure[i].z = i < 260 ? 0.0f : 1.0f;
    const double t = (static_cast<double>(i) - 260) * kStep;
    if (i >= 200 && i <= 320) height[i] = 1.0 + 0.5 * kGravity * (60 * kStep * 60 * kStep - t * t);
  }
  const std::vector<Vec3> path = center_of_mass_path(pressure, height, kStep);
  const float first = path[210].z - path[209].z, last = path[310].z - path[309].z;
  EXPECT_NEAR(first, last, 1e-6f);
  EXPECT_GT(first, 0);
}

std::vector<Plant> standing_then_step(double up, double down) {
  Plant before, after;
  before.up = up;
  after.down = down;
  return {before, after};
}

TEST(WeightShare, IsAllOnTheFootThatStands) {
  const FootTrack left({Plant{}}), right(standing_then_step(2.0, 2.5));
  const WeightShare share(left, right, Curve(0.5), 0, 5);
  EXPECT_NEAR(share(1.0), 0.5, 1e-9);
  for (double t = 2.01; t < 2.5; t += 0.05) EXPECT_NEAR(share(t), 1, 1e-6);
  EXPECT_NEAR(share(4.0), 0.5, 1e-9);
  EXPECT_GT(share(1.8), 0.6);  // the weight moves over before the foot leaves
}

TEST(WeightShare, FollowsWhatIsAskedWhileBothStand) {
  const FootTrack foot({Plant{}});
  const Curve lean({{1, 0.5}, {2, 0.8}, {3, 0.8}, {4, 0.5}});
  const WeightShare share(foot, foot, lean, 0, 5);
  EXPECT_NEAR(share(2.5), 0.8, 0.01);
  EXPECT_NEAR(share(0.5), 0.5, 0.01);
}

}  // namespace
}  // namespace loom::sample
