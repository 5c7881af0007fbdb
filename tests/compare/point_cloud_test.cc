// SPDX-License-Identifier: MIT
#include <cmath>

#include <gtest/gtest.h>

#include <loom/compare/point_cloud.h>

#include "tests/compare/make_set.h"
#include "tests/make_walk.h"

namespace loom::compare {
namespace {

using testing::frame_set;
using testing::random_clip;
using testing::random_frame_set;
using testing::small_person;

/// The sum of eq. 3.2 for one given motion of the floor, from the skeleton's own positions.
double cloud_distance_at(const FrameSet& set, const PointCloudOptions& options, std::size_t i, std::size_t j,
                         double heading, double x, double z) {
  const JointWeights weights = options.joint_weights.empty() ? marker_weights(*set.skeleton) : options.joint_weights;
  const int half = static_cast<int>(options.half_window);
  double sum = 0, total = 0;
  for (int t = -half; t <= half; ++t) {
    const double sigma = options.sigma > 0 ? options.sigma : half / 2.0;
    const double tap = std::exp(-t * t / (2 * sigma * sigma));
    for (std::size_t k = 0; k < set.joints(); ++k) {
      const Vec3 a = set.position(i + static_cast<std::size_t>(t), k),
                 b = set.position(j + static_cast<std::size_t>(t), k);
      const double bx = std::cos(heading) * b.x + std::sin(heading) * b.z + x;
      const double bz = -std::sin(heading) * b.x + std::cos(heading) * b.z + z;
      const double w = tap * weights[k];
      sum += w * (std::pow(a.x - bx, 2) + std::pow(a.y - b.y, 2) + std::pow(a.z - bz, 2));
      total += w;
    }
  }
  return sum / total;
}

/// The least of it over x and z for one heading: the means laid on each other, by a few Newton steps on a quadratic.
double best_shift(const FrameSet& set, const PointCloudOptions& options, std::size_t i, std::size_t j, double heading,
                  double& x, double& z) {
  constexpr double kStep = 1.0;
  const auto at = [&](double u, double v) { return cloud_distance_at(set, options, i, j, heading, u, v); };
  for (int n = 0; n < 2; ++n) {
    x -= (at(x + kStep, z) - at(x - kStep, z)) / (4 * kStep);  // the second derivative is 2
    z -= (at(x, z + kStep) - at(x, z - kStep)) / (4 * kStep);
  }
  return at(x, z);
}

/// Golden-section search for the heading about the best of a coarse sweep.
double brute_force_distance(const FrameSet& set, const PointCloudOptions& options, std::size_t i, std::size_t j) {
  double x = 0, z = 0, best = 1e30, around = 0;
  for (int n = 0; n < 72; ++n) {
    const double heading = n * 2 * M_PI / 72;
    const double value = best_shift(set, options, i, j, heading, x, z);
    if (value < best) best = value, around = heading;
  }
  double low = around - 0.1, high = around + 0.1;
  constexpr double kGolden = 0.6180339887498949;
  for (int n = 0; n < 60; ++n) {
    const double a = high - kGolden * (high - low), b = low + kGolden * (high - low);
    if (best_shift(set, options, i, j, a, x, z) < best_shift(set, options, i, j, b, x, z)) {
      high = b;
    } else {
      low = a;
    }
  }
  return best_shift(set, options, i, j, (low + high) / 2, x, z);
}

TEST(PointCloud, ClosedFormIsTheLeastOverAllAlignments) {
  const auto skeleton = small_person();
  const auto set = frame_set({random_clip(skeleton, 40, 30, 1), random_clip(skeleton, 40, 30, 2)});
  for (const PointCloudOptions& options :
       {PointCloudOptions{}, PointCloudOptions{2, 1.5, uniform_weights(*skeleton)}}) {
    const auto metric = PointCloud::create(set, options).value();
    Random random(3);
    for (int n = 0; n < 12; ++n) {
      const std::size_t i = 5 + random.index(29), j = 45 + random.index(29);
      EXPECT_NEAR(metric.distance(i, j), brute_force_distance(*set, options, i, j), 1e-6) << i << " " << j;
    }
  }
}

TEST(PointCloud, AlignmentAttainsTheDistance) {
  const auto skeleton = small_person();
  const auto set = frame_set({random_clip(skeleton, 30, 30, 4), random_clip(skeleton, 30, 30, 5)});
  const auto metric = PointCloud::create(set).value();
  for (std::size_t i = 5; i < 25; i += 4) {
    for (std::size_t j = 35; j < 55; j += 3) {
      const motion::GroundFrame by = metric.alignment(i, j);
      EXPECT_NEAR(cloud_distance_at(*set, {}, i, j, by.heading, by.x, by.z), metric.distance(i, j), 1e-6);
    }
  }
}

TEST(PointCloud, MovingAClipOnTheFloorChangesNothing) {
  const auto skeleton = small_person();
  const motion::Clip clip = random_clip(skeleton, 30, 30, 6);
  motion::Clip moved = clip;
  motion::move(moved, {3, -7, 2});
  const auto metric = PointCloud::create(frame_set({clip, moved})).value();
  for (std::size_t f = 5; f < 25; ++f) {
    EXPECT_NEAR(metric.distance(f, 30 + f), 0, 1e-9);
    const motion::GroundFrame back = metric.alignment(f, 30 + f), expected = motion::inverse({3, -7, 2});
    EXPECT_NEAR(back.x, expected.x, 1e-4);
    EXPECT_NEAR(back.z, expected.z, 1e-4);
    EXPECT_NEAR(back.heading, expected.heading, 1e-5);
  }
}

TEST(PointCloud, IsSymmetricToTheLastBit) {
  const auto metric = PointCloud::create(random_frame_set({40, 40}, 7)).value();
  for (std::size_t i = 5; i < 35; ++i) EXPECT_EQ(metric.distance(i, 79 - i), metric.distance(79 - i, i));
}

TEST(PointCloud, FramesWithoutAFullWindowAreNotComparable) {
  const auto metric = PointCloud::create(random_frame_set({20, 10, 11}, 8)).value();
  for (std::size_t f = 0; f < 41; ++f) EXPECT_EQ(metric.comparable(f), (f >= 5 && f < 15) || f == 35) << f;
}

TEST(PointCloud, AWindowInSecondsIsTheSameMetricAtAnotherRate) {
  EXPECT_EQ(cloud_window(30).half_window, 5U);
  EXPECT_EQ(cloud_window(60).half_window, 10U);
  EXPECT_EQ(cloud_window(120, 0.5, 0.1).half_window, 30U);
  EXPECT_EQ(cloud_window(120, 0.5, 0.1).sigma, 12.0);
  const auto at_rate = [](double rate) {
    testing::Gait walk, run;
    walk.rate = run.rate = rate;
    run.cycle = 0.7, run.duty = 0.4, run.speed = 3;
    return frame_set({testing::make_gait(walk).clip, testing::make_gait(run).clip});
  };
  const auto at_30 = at_rate(30), at_60 = at_rate(60);
  const auto once = PointCloud::create(at_30, cloud_window(30)).value();
  const auto twice = PointCloud::create(at_60, cloud_window(60)).value();
  const auto frames = PointCloud::create(at_60).value();  // as many frames are half as many seconds there
  double seconds_off = 0, frames_off = 0;
  for (std::size_t i = 10; i < 30; ++i) {
    for (std::size_t j = 10; j < 30; ++j) {
      const double here = once.distance(at_30->frame_at({0, i}), at_30->frame_at({1, j}));
      const std::size_t a = at_60->frame_at({0, 2 * i}), b = at_60->frame_at({1, 2 * j});
      seconds_off += std::fabs(twice.distance(a, b) / here - 1) / 400;
      frames_off += std::fabs(frames.distance(a, b) / here - 1) / 400;
    }
  }
  EXPECT_LT(seconds_off, 0.03);
  EXPECT_GT(frames_off, 2 * seconds_off);
}

TEST(PointCloud, RefusesWeightsAndWindowsWithoutSense) {
  const auto set = random_frame_set({20}, 9);
  EXPECT_FALSE(PointCloud::create(set, {10, 0, {}}));
  EXPECT_FALSE(PointCloud::create(set, {5, -1, {}}));
  EXPECT_FALSE(PointCloud::create(set, {5, 0, JointWeights(3, 1.0f)}));
  EXPECT_FALSE(PointCloud::create(set, {5, 0, JointWeights(set->joints(), 0.0f)}));
  JointWeights weights = uniform_weights(*set->skeleton);
  weights[2] = -1;
  const auto refused = PointCloud::create(set, {5, 0, weights});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find(set->skeleton->joint(2).name), std::string::npos);
}

TEST(GaussianTaps, SumToOneAndFallOffAsAGaussian) {
  const auto taps = gaussian_taps(5, 2.5);
  ASSERT_EQ(taps.size(), 11u);
  double sum = 0;
  for (const double tap : taps) sum += tap;
  EXPECT_NEAR(sum, 1, 1e-12);
  EXPECT_NEAR(taps[0] / taps[5], std::exp(-2.0), 1e-12);
  EXPECT_EQ(gaussian_taps(0, 0), std::vector<double>{1.0});
}

}  // namespace
}  // namespace loom::compare
