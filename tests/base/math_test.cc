// SPDX-License-Identifier: MIT
// Rotations against slow references in double precision that share no formula with them.
#include <algorithm>
#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include <loom/base/math.h>
#include <loom/base/random.h>

namespace loom {
namespace {

using Matrix = std::array<std::array<double, 3>, 3>;
using Quat4 = std::array<double, 4>;  ///< w, x, y, z

constexpr Matrix kIdentity{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

Matrix product(const Matrix& a, const Matrix& b) {
  Matrix c{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t k = 0; k < 3; ++k) c[i][j] += a[i][k] * b[k][j];
    }
  }
  return c;
}

/// The matrix exponential of the cross product with `v`, by its power series.
Matrix exp_series(Vec3 v) {
  const auto x = static_cast<double>(v.x), y = static_cast<double>(v.y), z = static_cast<double>(v.z);
  const Matrix turn{{{0, -z, y}, {z, 0, -x}, {-y, x, 0}}};
  Matrix sum = kIdentity, term = kIdentity;
  for (int n = 1; n < 60; ++n) {
    term = product(term, turn);
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) sum[i][j] += (term[i][j] /= n);
    }
  }
  return sum;
}

/// Column by column, what `q` makes of the axes.
Matrix matrix_of(Quat q) {
  Matrix m{};
  const Vec3 columns[] = {rotate(q, {1, 0, 0}), rotate(q, {0, 1, 0}), rotate(q, {0, 0, 1})};
  for (std::size_t j = 0; j < 3; ++j) {
    m[0][j] = static_cast<double>(columns[j].x);
    m[1][j] = static_cast<double>(columns[j].y);
    m[2][j] = static_cast<double>(columns[j].z);
  }
  return m;
}

double farthest_apart(const Matrix& a, const Matrix& b) {
  double most = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) most = std::max(most, std::abs(a[i][j] - b[i][j]));
  }
  return most;
}

Quat random_turn(Random& random) {
  return normalized(Quat{static_cast<float>(random.normal()), static_cast<float>(random.normal()),
                         static_cast<float>(random.normal()), static_cast<float>(random.normal())});
}

Vec3 random_direction(Random& random) {
  return normalized(Vec3{static_cast<float>(random.normal()), static_cast<float>(random.normal()),
                         static_cast<float>(random.normal())});
}

TEST(QuaternionExponential, IsTheExponentialOfTheCrossProduct) {
  Random random(1);
  for (int i = 0; i < 500; ++i) {
    // Angles from far below what a float tells from the identity to several times round.
    const auto angle = static_cast<float>(std::pow(10.0, random.uniform(-9, 1)));
    const Vec3 v = random_direction(random) * angle;
    EXPECT_LT(farthest_apart(matrix_of(exp_vector(v)), exp_series(v)), 4e-6) << angle;
  }
  EXPECT_EQ(exp_vector({0, 0, 0}), Quat{});
}

TEST(QuaternionLogarithm, IsUndoneByTheExponentialAndTakesTheShorterWay) {
  Random random(2);
  for (int i = 0; i < 500; ++i) {
    const Quat q = random_turn(random);
    const Vec3 v = log_vector(q);
    EXPECT_LE(length(v), kPi + 1e-5f);
    EXPECT_LT(farthest_apart(exp_series(v), matrix_of(q)), 4e-6);
    EXPECT_LT(distance(log_vector(-q), v), 1e-5f) << "both signs are one rotation";
  }
}

TEST(QuaternionLogarithm, KeepsSmallTurns) {
  Random random(3);
  for (double magnitude = -8; magnitude < 0; magnitude += 0.25) {
    const Vec3 v = random_direction(random) * static_cast<float>(std::pow(10.0, magnitude));
    EXPECT_LT(distance(log_vector(exp_vector(v)), v), 1e-5f * length(v)) << length(v);
  }
}

TEST(AngleBetween, IsThatOfTheTrace) {
  Random random(4);
  for (int i = 0; i < 500; ++i) {
    const Quat a = random_turn(random), b = random_turn(random);
    const Matrix back = matrix_of(conjugate(a) * b);
    const double cosine = (back[0][0] + back[1][1] + back[2][2] - 1) / 2;
    // The arc cosine loses half of the digits at its ends.
    EXPECT_NEAR(static_cast<double>(angle_between(a, b)), std::acos(std::clamp(cosine, -1.0, 1.0)), 2e-3);
  }
}

Quat4 in_double(Quat q) {
  return {static_cast<double>(q.w), static_cast<double>(q.x), static_cast<double>(q.y), static_cast<double>(q.z)};
}

/// Between `a` and `b` by halving: half-way is the sum at length one, and every bit of `t` chooses a half.
Quat4 slow_slerp(Quat4 a, Quat4 b, double t) {
  double cosine = 0;
  for (std::size_t k = 0; k < 4; ++k) cosine += a[k] * b[k];
  for (std::size_t k = 0; k < 4 && cosine < 0; ++k) b[k] = -b[k];
  for (int bit = 0; bit < 45; ++bit) {
    Quat4 middle{};
    double norm = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      middle[k] = a[k] + b[k];
      norm += middle[k] * middle[k];
    }
    for (double& m : middle) m /= std::sqrt(norm);
    t *= 2;
    (t >= 1 ? a : b) = middle;
    if (t >= 1) t -= 1;
  }
  return a;
}

TEST(Slerp, IsWhatHalvingAgainAndAgainGives) {
  Random random(5);
  for (int i = 0; i < 1000; ++i) {
    const Quat a = random_turn(random);
    // Every other pair lies near together, where the formula changes.
    const Quat b = i % 2 == 0 ? random_turn(random)
                              : a * exp_vector(random_direction(random) * static_cast<float>(random.uniform(0, 0.2)));
    const auto t = static_cast<float>(random.uniform());
    const Quat made = slerp(a, b, t);
    const Quat4 slow = slow_slerp(in_double(a), in_double(b), static_cast<double>(t));
    const Quat expected{static_cast<float>(slow[0]), static_cast<float>(slow[1]), static_cast<float>(slow[2]),
                        static_cast<float>(slow[3])};
    EXPECT_LT(angle_between(made, expected), 2e-5f + 2e-4f * angle_between(a, b)) << t;
    EXPECT_NEAR(dot(made, made), 1, 1e-5f);
  }
}

TEST(Slerp, BeginsAndEndsWhereItShould) {
  Random random(6);
  for (int i = 0; i < 200; ++i) {
    const Quat a = random_turn(random), b = random_turn(random);
    EXPECT_LT(angle_between(slerp(a, b, 0), a), 1e-3f);
    EXPECT_LT(angle_between(slerp(a, b, 1), b), 1e-3f);
    EXPECT_LT(angle_between(slerp(a, -b, 0.3f), slerp(a, b, 0.3f)), 1e-3f);
  }
}

TEST(TwistAbout, IsTheTurnAboutTheAxisThatLeavesTheLeast) {
  Random random(7);
  for (int i = 0; i < 60; ++i) {
    const Quat q = random_turn(random);
    const Vec3 axis = random_direction(random);
    const Quat twist = twist_about(q, axis), swing = q * conjugate(twist);
    // The best of all turns about the axis, a tenth of a degree apart.
    float least = 10;
    for (int step = 0; step < 3600; ++step) {
      const Quat about = axis_angle(axis, static_cast<float>(step) * 0.1f * kDegree);
      least = std::min(least, angle_between(about, q));
    }
    EXPECT_LT(angle_between(twist, q), least + 1e-3f);
    EXPECT_LT(length(cross(axis, Vec3{twist.x, twist.y, twist.z})), 1e-5f) << "it turns about the axis alone";
    EXPECT_LT(std::fabs(dot(axis, Vec3{swing.x, swing.y, swing.z})), 1e-5f) << "and the rest not about it at all";
  }
}

TEST(RotationBetween, TurnsOneIntoTheOtherByTheAngleBetweenThem) {
  Random random(8);
  for (int i = 0; i < 300; ++i) {
    const Vec3 a = random_direction(random), b = i % 10 == 0 ? -a : random_direction(random);
    const Quat q = rotation_between(a * 3, b * 0.5f);
    EXPECT_LT(distance(rotate(q, a), b), 2e-3f);
    EXPECT_NEAR(angle_between(q, Quat{}), std::atan2(length(cross(a, b)), dot(a, b)), 2e-3f);
  }
}

TEST(FromAxes, IsTheRotationThatHasThem) {
  Random random(9);
  for (int i = 0; i < 500; ++i) {
    // Half turns too, where the real part is nothing.
    const Quat q = i % 4 == 0 ? axis_angle(random_direction(random), kPi) : random_turn(random);
    const Quat found = from_axes(rotate(q, {1, 0, 0}), rotate(q, {0, 1, 0}), rotate(q, {0, 0, 1}));
    EXPECT_LT(farthest_apart(matrix_of(found), matrix_of(q)), 4e-6);
  }
}

TEST(WrapAngle, IsTheSameDirectionWithinOneTurn) {
  for (float angle = -40; angle < 40; angle += 0.37f) {
    const float wrapped = wrap_angle(angle);
    EXPECT_GT(wrapped, -kPi);
    EXPECT_LE(wrapped, kPi);
    EXPECT_NEAR(std::sin(wrapped), std::sin(angle), 1e-5f);
    EXPECT_NEAR(std::cos(wrapped), std::cos(angle), 1e-5f);
  }
}

}  // namespace
}  // namespace loom
