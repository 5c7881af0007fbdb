// SPDX-License-Identifier: MIT
// The sample performer walks and runs as the people of the capture do, by the same figures.
#include <cmath>
#include <map>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include <loom/io/read.h>
#include <loom/motion/mirror.h>
#include <loom/sample/sample.h>

#include "tests/gait_figures.h"
#include "tests/make_walk.h"
#include "tests/shared_data.h"

namespace loom::sample {
namespace {

using testing::gait_figures;
using testing::GaitFigure;
using testing::GaitFigures;
using testing::GaitKind;

constexpr double kRate = 30;  ///< of the capture

std::vector<motion::Clip> samples(std::uint64_t seed, const std::vector<std::string>& names) {
  std::vector<motion::Clip> clips;
  const std::vector<SampleClip> all = make_samples({.seed = seed, .rate = kRate}, names).value();
  for (const SampleClip& made : all) clips.push_back(made.clip);
  return clips;
}

GaitFigures sample_walk(std::uint64_t seed) {
  return gait_figures(samples(seed, {"walk-normal-1", "walk-normal-2"}), testing::kWalking);
}
GaitFigures sample_run(std::uint64_t seed) {
  return gait_figures(samples(seed, {"jog", "run-1", "run-2"}), testing::kRunning);
}

/// How far apart two phases are, hundredths of a stride.
double apart(double a, double b) { return std::fabs(std::remainder(a - b, 100)); }

TEST(GaitFigures, AreThoseAGaitWasMadeWith) {
  const testing::Gait wanted{.rate = kRate, .seconds = 6, .cycle = 1.1, .duty = 0.62, .speed = 1.3};
  const testing::GaitClip made = testing::make_gait(wanted);
  const GaitFigures found = gait_figures({&made.clip, 1}, testing::kWalking);
  ASSERT_GT(found.strides, 4u);
  EXPECT_NEAR(found[GaitFigure::kSpeed], 1.3, 0.03);
  EXPECT_NEAR(found[GaitFigure::kCadence], 2 / 1.1, 0.05);
  EXPECT_NEAR(found[GaitFigure::kDuty], 0.62, 0.06);
  EXPECT_EQ(gait_figures({&made.clip, 1}, testing::kRunning).strides, 0u);
}

TEST(GaitFigures, ChangeSidesWithoutChangingValue) {
  const motion::Clip walk = samples(1, {"walk-normal-1"}).front();
  const motion::Clip mirrored = motion::mirror(walk).value();
  const GaitFigures a = gait_figures({&walk, 1}, testing::kWalking),
                    b = gait_figures({&mirrored, 1}, testing::kWalking);
  ASSERT_EQ(a.strides, b.strides);
  for (std::size_t i = 0; i < testing::kGaitFigures; ++i) {
    EXPECT_NEAR(a.values[i], b.values[i], 0.02 + 0.01 * std::fabs(a.values[i]))
        << testing::name_of(static_cast<GaitFigure>(i)).name;
  }
}

TEST(GaitFigures, SeeAPelvisThatTurnsTheWrongWay) {
  motion::Clip wrong = samples(1, {"run-1"}).front();
  const GaitFigures right = gait_figures({&wrong, 1}, testing::kRunning);
  // All joints that hang from the hips are turned with them; a pelvis that turns the other way takes the legs along,
  // but by less than they swing.
  for (std::size_t f = 0; f < wrong.frames(); ++f) {
    Quat& hips = wrong.pose(f)[kHips];
    const Vec3 ahead = rotate(hips, {0, 0, 1});
    const float yaw = std::atan2(ahead.x, ahead.z);
    hips = axis_angle({0, 1, 0}, -2 * yaw) * hips;
  }
  const GaitFigures found = gait_figures({&wrong, 1}, testing::kRunning);
  ASSERT_GT(found.strides, 4u);
  EXPECT_NEAR(apart(found[GaitFigure::kPelvisYawPhase], right[GaitFigure::kPelvisYawPhase]), 50, 6);
  EXPECT_NEAR(found[GaitFigure::kPelvisYawRange], right[GaitFigure::kPelvisYawRange], 1.5);
}

TEST(GaitFigures, SeeLegsThatDiffer) {
  motion::Clip lame = samples(1, {"walk-normal-1"}).front();
  const double before = gait_figures({&lame, 1}, testing::kWalking)[GaitFigure::kAsymmetry];
  for (std::size_t f = 0; f < lame.frames(); ++f) {
    Quat& elbow = lame.pose(f)[kLeftForeArm];
    elbow = Quat{};  // a stiff arm
  }
  EXPECT_GT(gait_figures({&lame, 1}, testing::kWalking)[GaitFigure::kAsymmetry], before + 0.3);
}

TEST(GaitFigures, PhasesAreHeldAgainstTheShortestArc) {
  std::vector<GaitFigures> others(2);
  others[0][GaitFigure::kArmPhase] = 95;
  others[1][GaitFigure::kArmPhase] = 10;
  EXPECT_EQ(testing::outside(GaitFigure::kArmPhase, 2, others), 0);
  EXPECT_NEAR(testing::outside(GaitFigure::kArmPhase, 15, others), 5, 1e-9);
  EXPECT_NEAR(testing::outside(GaitFigure::kArmPhase, 90, others), 5, 1e-9);
  others[0][GaitFigure::kBobRange] = 1;
  others[1][GaitFigure::kBobRange] = 3;
  EXPECT_NEAR(testing::outside(GaitFigure::kBobRange, 3.5, others), 0.5, 1e-9);
}

/// The performers of the capture of whom there are enough strides.
const std::map<std::string, GaitFigures>& performers(const GaitKind& kind) {
  static std::map<bool, std::map<std::string, GaitFigures>> known;
  auto [at, is_new] = known.try_emplace(kind.flight);
  if (!is_new) return at->second;
  std::map<std::string, std::vector<motion::Clip>> takes;
  for (const auto& entry : std::filesystem::directory_iterator(testing::mocap_folder() / "cmu30")) {
    const std::string name = entry.path().stem().string(), performer = name.substr(0, name.find('_'));
    const std::set<std::string> wanted = {"02", "07", "08", "09", "16", "35", "69", "91", "127"};
    if (!wanted.contains(performer)) continue;
    takes[performer].push_back(io::read_motion(entry.path().string()).value().front().clip);
  }
  for (const auto& [performer, clips] : takes) {
    const GaitFigures figures = gait_figures(clips, kind);
    if (figures.strides >= 5) at->second[performer] = figures;
  }
  return at->second;
}

/// Figures that say more of a skeleton than of its motion: where the shoulder joints lie above the hips.
bool of_the_skeleton(GaitFigure figure) { return figure == GaitFigure::kTrunkLean; }

/// Every figure lies among those of real people, or outside by no more than a twentieth of its size (phases: two
/// hundredths of a stride), which is less than takes of one person differ by.
void expect_among(const GaitFigures& made, const std::map<std::string, GaitFigures>& people, std::uint64_t seed) {
  std::vector<GaitFigures> others;
  for (const auto& [name, figures] : people) others.push_back(figures);
  ASSERT_GE(others.size(), 4u);
  ASSERT_GE(made.strides, 10u);
  for (std::size_t i = 0; i < testing::kGaitFigures; ++i) {
    const auto figure = static_cast<GaitFigure>(i);
    if (of_the_skeleton(figure)) continue;
    const auto& [name, period] = testing::name_of(figure);
    const double room = period > 0 ? 2 : 0.05 * std::fabs(made[figure]);
    EXPECT_LE(testing::outside(figure, made[figure], others), room) << name << " " << made[figure] << ", seed " << seed;
  }
}

TEST(SampleLikeness, WalksAsPeopleDo) {
  LOOM_REQUIRE_MOCAP();
  for (const std::uint64_t seed : {1, 2, 3}) expect_among(sample_walk(seed), performers(testing::kWalking), seed);
}

TEST(SampleLikeness, RunsAsPeopleDo) {
  LOOM_REQUIRE_MOCAP();
  for (const std::uint64_t seed : {1, 2, 3}) expect_among(sample_run(seed), performers(testing::kRunning), seed);
}

TEST(SampleLikeness, LeansIntoARunAsPeopleDo) {
  LOOM_REQUIRE_MOCAP();
  double least = 90, most = 0;
  for (const auto& [name, run] : performers(testing::kRunning)) {
    const auto walk = performers(testing::kWalking).find(name);
    if (walk == performers(testing::kWalking).end()) continue;
    const double more = run[GaitFigure::kTrunkLean] - walk->second[GaitFigure::kTrunkLean];
    least = std::min(least, more);
    most = std::max(most, more);
  }
  ASSERT_LT(least, most);
  for (const std::uint64_t seed : {1, 2, 3}) {
    const double more = sample_run(seed)[GaitFigure::kTrunkLean] - sample_walk(seed)[GaitFigure::kTrunkLean];
    EXPECT_GE(more, least - 1) << "seed " << seed;
    EXPECT_LE(more, most + 1) << "seed " << seed;
  }
}

TEST(SampleLikeness, LeansMoreTheFasterItRuns) {
  const auto lean = [](const char* name) {
    return gait_figures(samples(1, {name}), testing::kRunning)[GaitFigure::kTrunkLean];
  };
  EXPECT_GT(lean("run-1"), lean("jog") + 0.5);
  EXPECT_GT(lean("run-fast"), lean("run-1") + 1);
}

}  // namespace
}  // namespace loom::sample
