// SPDX-License-Identifier: MIT
// Mending clips: each step against what it promises, and against slow versions of itself.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/io/read.h>
#include <loom/measure/measure.h>
#include <loom/motion/contacts.h>
#include <loom/motion/ground_frame.h>
#include <loom/motion/kinematics.h>
#include <loom/polish/loop.h>
#include <loom/polish/repair.h>
#include <loom/polish/smooth.h>

#include "tests/make_clip.h"
#include "tests/make_walk.h"
#include "tests/shared_data.h"

namespace loom::polish {
namespace {

using motion::Clip;

Clip read_clip(const std::string& name) {
  const auto path = testing::mocap_folder() / "cmu30" / name;
  return io::read_motion(path.string()).value().front().clip;
}

/// A root that swings along X at `hz`, one metre to both sides.
Clip swinging(double hz, std::size_t frames, double rate) {
  Clip clip;
  clip.name = "swing";
  clip.skeleton = testing::small_person();
  clip.rate = rate;
  for (std::size_t f = 0; f < frames; ++f) {
    const double t = static_cast<double>(f) / rate;
    clip.roots.push_back({static_cast<float>(std::sin(2 * std::numbers::pi * hz * t)), 1, static_cast<float>(t)});
  }
  clip.rotations.assign(frames * clip.joints(), Quat{});
  return clip;
}

double widest(const Clip& clip) {  // in the middle half
  double most = 0;
  for (std::size_t f = clip.frames() / 4; f < 3 * clip.frames() / 4; ++f) {
    most = std::max(most, std::abs(static_cast<double>(clip.roots[f].x)));
  }
  return most;
}

TEST(Smooth, LeavesAsMuchAtTheCutoffAsItSays) {
  for (const double cutoff : {3.0, 6.0}) {
    EXPECT_NEAR(widest(smooth(swinging(cutoff, 961, 240), cutoff).value()), std::sqrt(0.5), 0.01);
    EXPECT_LT(widest(smooth(swinging(3 * cutoff, 961, 240), cutoff).value()), 0.06);
    EXPECT_GT(widest(smooth(swinging(cutoff / 5, 961, 240), cutoff).value()), 0.98);
  }
}

TEST(Smooth, KeepsTheEndsAndWhatMovesEvenly) {
  const Clip clip = testing::random_clip(testing::small_person(), 90, 30, 5);
  const Clip after = smooth(clip, 4).value();
  EXPECT_NEAR(distance(after.roots.front(), clip.roots.front()), 0, 1e-6);
  EXPECT_NEAR(distance(after.roots.back(), clip.roots.back()), 0, 1e-6);
  for (std::size_t j = 0; j < clip.joints(); ++j) {
    EXPECT_LT(angle_between(after.pose(0)[j], clip.pose(0)[j]), 1e-3);
    EXPECT_LT(angle_between(after.pose(89)[j], clip.pose(89)[j]), 1e-3);
  }
  Clip even = swinging(0, 50, 30);
  const Clip kept = smooth(even, 2).value();
  for (std::size_t f = 0; f < even.frames(); ++f) EXPECT_NEAR(distance(kept.roots[f], even.roots[f]), 0, 1e-5);
  EXPECT_FALSE(smooth(clip, 0));
  EXPECT_FALSE(smooth(clip, std::nan("")));
}

TEST(Smooth, AgreesWithSumsWrittenOut) {
  Random random(8);
  std::vector<Vec3> values(40);
  for (Vec3& v : values) v = {static_cast<float>(random.uniform()), static_cast<float>(random.uniform()), 0};
  const double sigma = 2.3;
  const auto result = smoothed(values, sigma);
  for (int f = 0; f < 40; ++f) {
    const int reach = std::min({f, 39 - f, static_cast<int>(std::ceil(3.5 * sigma))});
    double sum = 0, total = 0;
    for (int k = -reach; k <= reach; ++k) {
      const double w = std::exp(-0.5 * k * k / (sigma * sigma));
      sum += w * values[static_cast<std::size_t>(f + k)].x;
      total += w;
    }
    EXPECT_NEAR(result[static_cast<std::size_t>(f)].x, sum / total, 1e-6);
  }
}

TEST(InPlace, AnEvenWalkStaysWhereItIs) {
  const Clip walk = testing::make_gait({}).clip, still = in_place(walk);
  for (std::size_t f = 0; f < walk.frames(); ++f) {
    EXPECT_LT(std::hypot(still.roots[f].x, still.roots[f].z), 0.1);
    EXPECT_EQ(still.roots[f].y, walk.roots[f].y);
  }
  EXPECT_GT(distance(walk.roots.back(), walk.roots.front()), 4);
}

/// What find_loop compares, written out: places and velocities of joints as seen from where the body stands.
double unlike(const Clip& clip, std::size_t a, std::size_t b) {
  const motion::WorldPoses world = motion::forward_kinematics(clip);
  const auto grounds = motion::GroundFrameFinder(*clip.skeleton).find(clip);
  const auto seen = [&](std::size_t f, std::size_t j) {
    return motion::transform(motion::inverse(grounds[f]), world.position(f, j));
  };
  const auto speed = [&](std::size_t f, std::size_t j) {
    const std::size_t low = f > 0 ? f - 1 : 0, high = std::min(f + 1, clip.frames() - 1);
    return (seen(high, j) - seen(low, j)) * static_cast<float>(clip.rate / static_cast<double>(high - low));
  };
  double sum = 0;
  for (std::size_t j = 0; j < clip.joints(); ++j) {
    const Vec3 d = seen(a, j) - seen(b, j), v = (speed(a, j) - speed(b, j)) * 0.15f;
    sum += dot(d, d) + dot(v, v);
  }
  return sum / static_cast<double>(clip.joints());
}

TEST(Loop, NoPairOfEndsIsMuchBetterThanTheOneThatIsFound) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Clip clip = testing::random_clip(testing::small_person(), 40, 30, seed);
    const LoopEnds ends = find_loop(clip).value();
    EXPECT_GE(ends.end - ends.begin, 20U);
    double best = 1e9;
    for (std::size_t a = 0; a < 40; ++a) {
      for (std::size_t b = a + 20; b < 40; ++b) best = std::min(best, unlike(clip, a, b));
    }
    EXPECT_LE(unlike(clip, ends.begin, ends.end), best * 1.2 * 1.2 * 1.0001);
    EXPECT_GE(unlike(clip, ends.begin, ends.end), best * 0.9999);
  }
}

TEST(Loop, AWalkClosesOnWholeCycles) {
  const testing::Gait gait;  // 1.1 s a cycle, 4 s
  const Clip walk = testing::make_gait(gait).clip;
  const LoopEnds ends = find_loop(walk).value();
  const double cycles = static_cast<double>(ends.end - ends.begin) / gait.rate / gait.cycle;
  EXPECT_NEAR(cycles, std::round(cycles), 0.04);
  const Clip closed = close_loop(walk, ends).value();
  EXPECT_LT(loop_gap_m(closed), 1e-4);
  EXPECT_EQ(closed.frames(), ends.end - ends.begin + 1);
}

TEST(Loop, EndsThatDifferMeetAndTheMiddleStays) {
  const Clip clip = testing::random_clip(testing::small_person(), 80, 30, 9);
  const Clip closed = close_loop(clip, {0, 79, 0}).value();
  EXPECT_GT(loop_gap_m(clip), 0.02);
  EXPECT_LT(loop_gap_m(closed), 2e-3);
  for (std::size_t j = 0; j < clip.joints(); ++j) EXPECT_LT(angle_between(closed.pose(40)[j], clip.pose(40)[j]), 1e-3);
  EXPECT_FALSE(close_loop(clip, {5, 5, 0}));
  EXPECT_FALSE(close_loop(clip, {5, 80, 0}));
  EXPECT_FALSE(find_loop(testing::random_clip(testing::small_person(), 8, 30, 1)));
}

TEST(Repair, DoesWhatIsAskedAndSaysSo) {
  Clip walk = testing::make_gait({.floor = 0.2f, .slide = 0.1f}).clip;
  walk.labels = {{"walk", 0, walk.frames()}};
  const auto repaired = repair(walk, {.from = 10, .to = 100, .rate = 60.0, .floor = true, .plant_feet = true}).value();
  EXPECT_EQ(repaired.done.size(), 4U);
  EXPECT_NEAR(repaired.clip.duration(), 89.0 / 30, 0.02);
  EXPECT_EQ(repaired.clip.rate, 60);
  EXPECT_NEAR(motion::find_contacts(repaired.clip)->floor, 0, 0.01);
  EXPECT_LT(measure::measure(repaired.clip).foot_slide_mean_mps, 0.03);
  ASSERT_EQ(repaired.clip.labels.size(), 1U);
  EXPECT_EQ(repaired.clip.labels[0].end, repaired.clip.frames());
  EXPECT_TRUE(motion::validate(repaired.clip));
  EXPECT_FALSE(repair(walk, {}));
  EXPECT_FALSE(repair(walk, {.from = 50, .to = 40}));
  EXPECT_FALSE(repair(walk, {.rate = 0.0}));
  EXPECT_FALSE(repair(testing::random_clip(testing::random_skeleton(4, 1), 30, 30, 1), {.plant_feet = true}));
}

// Walks and a run as they were captured: the loop is closed, and feet that cross its seam stay where they stand.
TEST(Repair, LoopsOfRealWalksGoRoundWithFeetPlanted) {
  LOOM_REQUIRE_MOCAP();
  for (const char* name : {"02_01.bvh", "07_01.bvh", "08_02.bvh", "16_35.bvh"}) {
    const Clip clip = read_clip(name);
    const auto repaired = repair(clip, {.floor = true, .loop = true, .plant_feet = true});
    ASSERT_TRUE(repaired) << name;
    EXPECT_LT(loop_gap_m(repaired->clip), 0.01) << name;
    EXPECT_LT(measure::measure(repaired->clip).foot_slide_mean_mps,
              0.5 * measure::measure(clip).foot_slide_mean_mps + 0.01)
        << name;
    EXPECT_LT(measure::measure(repaired->clip).largest_jump_m, 2 * measure::measure(clip).largest_jump_m) << name;
  }
}

}  // namespace
}  // namespace loom::polish
