// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/live/calibration.h>
#include <loom/live/calibration_file.h>

namespace loom::live {
namespace {

using character::Role;

Quat some_turn(Random& random) {
  Quat q{static_cast<float>(random.normal()), static_cast<float>(random.normal()), static_cast<float>(random.normal()),
         static_cast<float>(random.normal())};
  make_unit(q);
  return q;
}

/// Sensors worn crooked: what each says of the turn of its part.
struct Worn {
  std::vector<std::pair<std::string, Role>> parts = {{"a", Role::kChest},
                                                     {"b", Role::kHead},
                                                     {"c", Role::kRightUpperArm},
                                                     {"d", Role::kRightForearm},
                                                     {"e", Role::kRightHand}};
  std::vector<Quat> mounts;
  std::vector<float> north;  ///< of each sensor's own world

  explicit Worn(Random& random) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
      mounts.push_back(some_turn(random));
      north.push_back(static_cast<float>(random.uniform(-3, 3)));
    }
  }
  [[nodiscard]] LiveFrame say(const std::array<Quat, 5>& turns) const {
    LiveFrame frame;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      frame.parts.push_back({parts[i].first, {}, axis_angle({0, 1, 0}, north[i]) * turns[i] * mounts[i]});
    }
    return frame;
  }
};

Calibration calibrated(const Worn& worn) {
  TPoseCalibrator calibrator;
  for (int i = 0; i < 10; ++i) calibrator.take(worn.say({}));
  auto calibration = calibrator.finish();
  EXPECT_TRUE(calibration);
  for (std::size_t i = 0; i < worn.parts.size(); ++i) calibration->mounts[i].role = worn.parts[i].second;
  return *calibration;
}

TEST(Calibration, CrookedSensorsWithOneNorthTellTheTurnsFromTheTPose) {
  Random random(1);
  Worn worn(random);
  worn.north.assign(worn.north.size(), 0);
  const Calibration calibration = calibrated(worn);
  for (int i = 0; i < 20; ++i) {
    const std::array<Quat, 5> turns = {some_turn(random), some_turn(random), some_turn(random), some_turn(random),
                                       some_turn(random)};
    const RoleTurns found = calibration.turns(worn.say(turns));
    for (std::size_t s = 0; s < 5; ++s) {
      ASSERT_TRUE(found[static_cast<std::size_t>(worn.parts[s].second)]);
      EXPECT_LT(angle_between(*found[static_cast<std::size_t>(worn.parts[s].second)], turns[s]), 1e-3f);
    }
  }
}

TEST(Calibration, ArmsDownAndABowTellWhereEachSensorThinksNorthIs) {
  Random random(2);
  const Worn worn(random);
  Calibration calibration = calibrated(worn);
  const Quat down = axis_angle({0, 0, 1}, 90 * kDegree), bow = axis_angle({1, 0, 0}, 50 * kDegree);
  EXPECT_EQ(*correct_headings(calibration, worn.say({Quat{}, Quat{}, down, down, down}), KnownPose::kArmsDown), 3u);
  EXPECT_EQ(*correct_headings(calibration, worn.say({bow, bow, bow, bow, bow}), KnownPose::kBow), 2u);
  const std::array<Quat, 5> turns = {some_turn(random), some_turn(random), some_turn(random), some_turn(random),
                                     some_turn(random)};
  const RoleTurns found = calibration.turns(worn.say(turns));
  for (std::size_t s = 0; s < 5; ++s) {
    EXPECT_LT(angle_between(*found[static_cast<std::size_t>(worn.parts[s].second)], turns[s]), 2e-3f) << s;
  }
  EXPECT_FALSE(correct_headings(calibration, LiveFrame{}, KnownPose::kBow));
}

TEST(Calibration, DriftOfHeadingIsSeenAndTakenOffInTheTPose) {
  Random random(3);
  Worn worn(random);
  worn.north.assign(worn.north.size(), 0);
  Calibration calibration = calibrated(worn);
  worn.north = {0, 0.1f, -0.3f, 0.5f, 0};
  const auto drifts = heading_drift(calibration, worn.say({}));
  for (std::size_t s = 0; s < 5; ++s) EXPECT_NEAR(*drifts[s], worn.north[s], 1e-3f);
  ASSERT_TRUE(correct_headings(calibration, worn.say({}), KnownPose::kTPose));
  const std::array<Quat, 5> turns = {some_turn(random), some_turn(random), some_turn(random), some_turn(random),
                                     some_turn(random)};
  const RoleTurns found = calibration.turns(worn.say(turns));
  for (std::size_t s = 0; s < 5; ++s) {
    EXPECT_LT(angle_between(*found[static_cast<std::size_t>(worn.parts[s].second)], turns[s]), 2e-3f) << s;
  }
}

TEST(Calibration, WhoMovesIsToldToStandStill) {
  Random random(4);
  const Worn worn(random);
  TPoseCalibrator calibrator;
  EXPECT_FALSE(calibrator.finish());
  for (int i = 0; i < 30; ++i) {
    calibrator.take(worn.say({Quat{}, Quat{}, Quat{}, axis_angle({0, 0, 1}, 0.01f * static_cast<float>(i)), Quat{}}));
  }
  const auto moved = calibrator.finish();
  ASSERT_FALSE(moved);
  EXPECT_NE(moved.error().message.find("'d'"), std::string::npos) << moved.error().message;
}

TEST(Calibration, MovingOneLimbAtATimeSaysWhichSensorIsWhich) {
  Random random(5);
  const Worn worn(random);
  Calibration calibration = calibrated(worn);
  for (SensorMount& mount : calibration.mounts) mount.role.reset();
  std::vector<LimbMotion> motions;
  // Who moves a part moves what hangs from it, and shakes the rest a little.
  for (int first = 4; first >= 0; --first) {
    LimbMotion motion{worn.parts[static_cast<std::size_t>(first)].second, {}};
    LiveFrame before = worn.say({});
    for (int i = 0; i < 100; ++i) {
      std::array<Quat, 5> turns{};
      const float angle = std::sin(0.2f * static_cast<float>(i));
      for (int s = 0; s < 5; ++s) {
        const bool carried = s == first || (s > first && first >= 2) || (first == 0 && s != 0);
        turns[static_cast<std::size_t>(s)] = axis_angle({1, 0.3f, 0}, carried ? angle : 0.05f * angle);
      }
      const LiveFrame now = worn.say(turns);
      add_travel(calibration, before, now, motion);
      before = now;
    }
    motions.push_back(std::move(motion));
  }
  const auto mapped = map_by_motion(calibration, motions);
  ASSERT_TRUE(mapped) << mapped.error().message;
  for (std::size_t s = 0; s < 5; ++s) EXPECT_EQ(calibration.mounts[s].role, worn.parts[s].second);
  // Inner parts first: nobody can tell.
  std::reverse(motions.begin(), motions.end());
  EXPECT_FALSE(map_by_motion(calibration, motions));
}

TEST(Calibration, AFileComesBackAndWrongOnesAreRefused) {
  Random random(6);
  const Worn worn(random);
  Calibration calibration = calibrated(worn);
  calibration.mounts[1].facing = 0.5f;
  calibration.mounts[2].drift = -0.25f;
  calibration.mounts[3].role.reset();
  calibration.hip_height = 0.93f;
  const auto read = read_calibration(calibration_text(calibration), "c.json");
  ASSERT_TRUE(read) << read.error().to_string();
  ASSERT_EQ(read->mounts.size(), 5u);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(read->mounts[i].name, calibration.mounts[i].name);
    EXPECT_EQ(read->mounts[i].role, calibration.mounts[i].role);
    EXPECT_LT(angle_between(read->mounts[i].in_t_pose, calibration.mounts[i].in_t_pose), 1e-4f);
    EXPECT_NEAR(read->mounts[i].facing, calibration.mounts[i].facing, 1e-5f);
    EXPECT_NEAR(read->mounts[i].drift, calibration.mounts[i].drift, 1e-5f);
  }
  EXPECT_FLOAT_EQ(read->hip_height, 0.93f);
  for (const char* bad : {"", "{}", R"({"loom_calibration":1,"sensors":[{}]})",
                          R"({"loom_calibration":1,"sensors":[{"name":"a","role":"tail","t_pose":[1,0,0,0]}]})",
                          R"({"loom_calibration":1,"sensors":[{"name":"a","t_pose":[0,0,0,0]}]})"}) {
    EXPECT_FALSE(read_calibration(bad, "c.json")) << bad;
  }
}

}  // namespace
}  // namespace loom::live
