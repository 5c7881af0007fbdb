// SPDX-License-Identifier: MIT
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/live/orientation_filter.h>

namespace loom::live {
namespace {

constexpr double kRate = 100;
constexpr float kGravity = 9.81f;
const Vec3 kField{0, 18, -45};  // north and down

/// A sensor that turns as told: what its parts say, exactly.
struct Truth {
  Quat rotation;
  void turn(Vec3 rate) { rotation = normalized(rotation * exp_vector(rate / static_cast<float>(kRate))); }
  [[nodiscard]] Vec3 acceleration() const { return rotate(conjugate(rotation), {0, 0, kGravity}); }
  [[nodiscard]] Vec3 field() const { return rotate(conjugate(rotation), kField); }
};

Vec3 wander(int i) {
  const float t = static_cast<float>(i) / static_cast<float>(kRate);
  return {1.5f * std::sin(1.3f * t), 1.1f * std::sin(0.7f * t + 1), 0.9f * std::cos(1.9f * t)};
}

float degrees(Quat a, Quat b) { return angle_between(a, b) / kDegree; }

TEST(OrientationFilter, FindsNorthAndTheVerticalFromAnywhere) {
  Truth truth{axis_angle({1, 2, 3}, 2.1f)};
  OrientationFilter filter(kRate);
  for (int i = 0; i < 400; ++i) filter.update({0, 0, 0}, truth.acceleration(), truth.field());
  EXPECT_LT(degrees(filter.rotation(), truth.rotation), 0.2f);
  EXPECT_TRUE(filter.at_rest());
}

TEST(OrientationFilter, FollowsMotionExactlyWhereSensorsAreExact) {
  Truth truth{axis_angle({0, 0, 1}, 1)};
  OrientationFilter filter(kRate);
  for (int i = 0; i < 6000; ++i) {
    truth.turn(wander(i));
    filter.update(wander(i), truth.acceleration(), truth.field());
    if (i > 1000) {
      ASSERT_LT(degrees(filter.rotation(), truth.rotation), 1.0f) << i;
    }
  }
  EXPECT_FALSE(filter.at_rest());
  EXPECT_FALSE(filter.is_disturbed());
}

TEST(OrientationFilter, LearnsTheErrorOfTheGyroscopeAtRestAndInMotion) {
  const Vec3 bias{0.6f * kDegree, -0.8f * kDegree, 0.5f * kDegree};
  Truth still{axis_angle({1, 0, 0}, 0.4f)};
  OrientationFilter rests(kRate);
  for (int i = 0; i < 3000; ++i) rests.update(bias, still.acceleration(), still.field());
  EXPECT_LT(distance(rests.bias(), bias) / kDegree, 0.05f);

  Truth moves;
  OrientationFilter filter(kRate);
  for (int i = 0; i < 12000; ++i) {
    moves.turn(wander(i));
    filter.update(wander(i) + bias, moves.acceleration(), moves.field());
  }
  EXPECT_LT(distance(filter.bias(), bias) / kDegree, 0.3f);
  EXPECT_LT(degrees(filter.rotation(), moves.rotation), 2.5f);
}

TEST(OrientationFilter, AMagnetIsNotBelieved) {
  Truth truth;
  OrientationFilter filter(kRate);
  OrientationFilterOptions believing;
  believing.rejects_disturbance = false;
  OrientationFilter believer(kRate, believing);
  float worst = 0, believed = 0;
  for (int i = 0; i < 6000; ++i) {
    truth.turn(wander(i));
    // From the twentieth second on a magnet lies by for twenty.
    const bool magnet = i > 2000 && i < 4000;
    const Vec3 field = rotate(conjugate(truth.rotation), kField + (magnet ? Vec3{40, -10, 20} : Vec3{}));
    filter.update(wander(i), truth.acceleration(), field);
    believer.update(wander(i), truth.acceleration(), field);
    if (i == 3000) {
      EXPECT_TRUE(filter.is_disturbed());
    }
    if (i > 2000 && i < 4000) {
      worst = std::max(worst, degrees(filter.rotation(), truth.rotation));
      believed = std::max(believed, degrees(believer.rotation(), truth.rotation));
    }
  }
  EXPECT_LT(worst, 3);
  EXPECT_GT(believed, 30);
}

TEST(OrientationFilter, AFieldKnownFromTheTPoseIsHeldAgainstIronThatComesAtOnce) {
  Truth truth;
  OrientationFilter filter(kRate);
  for (int i = 0; i < 300; ++i) filter.update({0, 0, 0}, truth.acceleration(), truth.field());
  filter.know_field();
  EXPECT_FALSE(filter.is_disturbed());
  for (int i = 0; i < 2000; ++i) {
    truth.turn(wander(i));
    filter.update(wander(i), truth.acceleration(), rotate(conjugate(truth.rotation), kField + Vec3{30, 0, 10}));
    ASSERT_LT(degrees(filter.rotation(), truth.rotation), 3.0f) << i;
  }
  EXPECT_TRUE(filter.is_disturbed());
}

TEST(OrientationFilter, KnocksTiltItLessThanAPlainFilter) {
  Truth truth{axis_angle({1, 1, 0}, 0.5f)};
  OrientationFilter filter(kRate);
  ComplementaryFilter plain(kRate);
  Random random(4);
  float worst = 0, worst_plain = 0;
  for (int i = 0; i < 4000; ++i) {
    truth.turn(wander(i));
    const float t = static_cast<float>(i) / static_cast<float>(kRate);
    const Vec3 swing{6 * std::sin(9 * t), 5 * std::cos(7 * t), 4 * std::sin(11 * t)};
    const Vec3 felt = rotate(conjugate(truth.rotation), Vec3{0, 0, kGravity} + swing);
    filter.update(wander(i), felt, truth.field());
    plain.update(wander(i), felt, truth.field());
    if (i < 1000) continue;
    worst = std::max(worst, degrees(filter.rotation(), truth.rotation));
    worst_plain = std::max(worst_plain, degrees(plain.rotation(), truth.rotation));
  }
  EXPECT_LT(worst, 5);
  EXPECT_GT(worst_plain, 1.5f * worst);
}

TEST(OrientationFilter, WithoutAMagnetometerTheHeadingIsTheFirst) {
  Truth truth;
  OrientationFilter filter(kRate);
  for (int i = 0; i < 3000; ++i) {
    truth.turn(wander(i));
    filter.update(wander(i), truth.acceleration());
  }
  EXPECT_LT(degrees(filter.rotation(), truth.rotation), 2.0f);
}

TEST(OrientationFilter, WhatIsNotMeasuredIsSurvived) {
  Truth truth{axis_angle({1, 0, 0}, 0.3f)};
  OrientationFilter filter(kRate);
  const float nan = std::nanf("");
  for (int i = 0; i < 500; ++i) {
    filter.update({nan, 0, 0}, {nan, nan, nan}, Vec3{nan, 0, 0});
    filter.update({0, 0, 0}, {0, 0, 0}, Vec3{0, 0, 0}, 1e9);
    filter.update({0, 0, 0}, truth.acceleration(), truth.field());
  }
  EXPECT_LT(degrees(filter.rotation(), truth.rotation), 1.0f);
}

TEST(OrientationFilterRealCapture, TappingAndAMagnetOfBroad) {
  const std::filesystem::path folder = std::filesystem::path(LOOM_SOURCE_DIR) / ".." / "shared" / "sensors" / "broad";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "SKIPPED: real recordings are needed in " << folder;
  for (const auto& [name, most] :
       {std::pair{"24_disturbed_tapping_A.csv", 2.0}, {"31_disturbed_stationary_magnet_D.csv", 3.0}}) {
    std::ifstream in(folder / name);
    std::string line;
    std::getline(in, line);
    OrientationFilter filter(285.71428571);
    double square = 0, count = 0;
    while (std::getline(in, line)) {
      std::vector<float> v;
      std::stringstream fields(line);
      for (std::string field; std::getline(fields, field, ',');) v.push_back(std::strtof(field.c_str(), nullptr));
      ASSERT_EQ(v.size(), 15u);
      filter.update({v[1], v[2], v[3]}, {v[4], v[5], v[6]}, Vec3{v[7], v[8], v[9]});
      const Quat reference{v[10], v[11], v[12], v[13]};
      if (v[14] != 1 || !is_finite(reference)) continue;
      const double off = static_cast<double>(degrees(filter.rotation(), reference));
      square += off * off;
      ++count;
    }
    EXPECT_LT(std::sqrt(square / count), most) << name;
  }
}

}  // namespace
}  // namespace loom::live
