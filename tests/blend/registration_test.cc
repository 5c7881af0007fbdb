// SPDX-License-Identifier: MIT
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/blend/align/registration.h>

namespace loom::blend {
namespace {

std::vector<Mark> random_knots(Random& random, std::size_t count, double steepest) {
  std::vector<Mark> knots{{random.uniform(-1, 1), random.uniform(-1, 1)}};
  while (knots.size() < count) {
    const double span = random.uniform(0.05, 0.5), slope = std::exp(random.uniform(-1, 1) * std::log(steepest));
    knots.push_back({knots.back().from + span, knots.back().to + slope * span});
  }
  return knots;
}

TEST(RegistrationCurve, GoesThroughItsKnotsAndIncreasesStrictly) {
  Random random(1);
  for (int trial = 0; trial < 50; ++trial) {
    const auto knots = random_knots(random, 2 + random.index(10), 8);
    const auto curve = RegistrationCurve::create(knots).value();
    for (const Mark& knot : knots) EXPECT_NEAR(curve.at(knot.from), knot.to, 1e-12);
    double before = curve.at(knots.front().from - 0.1);
    for (double t = knots.front().from - 0.09; t < knots.back().from + 0.1; t += 0.001) {
      EXPECT_GT(curve.at(t), before);
      EXPECT_GT(curve.slope(t), 0);
      before = curve.at(t);
    }
  }
}

TEST(RegistrationCurve, InverseUndoesItBothWays) {
  Random random(2);
  for (int trial = 0; trial < 50; ++trial) {
    const auto knots = random_knots(random, 6, 8);
    const auto curve = RegistrationCurve::create(knots).value();
    for (int n = 0; n < 100; ++n) {
      const double t = random.uniform(knots.front().from - 0.2, knots.back().from + 0.2);
      EXPECT_NEAR(curve.inverse(curve.at(t)), t, 1e-12);
      const double s = random.uniform(knots.front().to - 0.2, knots.back().to + 0.2);
      EXPECT_NEAR(curve.at(curve.inverse(s)), s, 1e-12);
    }
  }
}

TEST(RegistrationCurve, SlopeIsTheDerivativeAndContinuous) {
  Random random(3);
  const auto knots = random_knots(random, 8, 4);
  const auto curve = RegistrationCurve::create(knots).value();
  for (double t = knots.front().from + 0.01; t < knots.back().from - 0.01; t += 0.0137) {
    EXPECT_NEAR(curve.slope(t), (curve.at(t + 1e-6) - curve.at(t - 1e-6)) / 2e-6, 1e-4);
  }
  for (const Mark& knot : knots) EXPECT_NEAR(curve.slope(knot.from - 1e-9), curve.slope(knot.from + 1e-9), 1e-5);
}

TEST(RegistrationCurve, RefusesKnotsThatGoBack) {
  EXPECT_FALSE(RegistrationCurve::create({{0, 0}}));
  EXPECT_FALSE(RegistrationCurve::create({{0, 0}, {1, 0}}));
  EXPECT_FALSE(RegistrationCurve::create({{0, 0}, {1, 1}, {0.5, 2}}));
  EXPECT_FALSE(RegistrationCurve::create({{0, 0}, {std::nan(""), 1}}));
}

TEST(FitRegistration, FollowsAKnownWarpAndMeetsItsMarks) {
  // A path in steps of whole frames, as a time warp gives it.
  const auto truth = [](double t) { return t + 0.15 * std::sin(2 * t); };
  std::vector<Mark> path;
  for (int i = 0; i <= 90; ++i) {
    const double t = i / 30.0, to = std::round(30 * truth(t)) / 30;
    if (path.empty() || to > path.back().to) path.push_back({t, to});
  }
  const auto curve = fit_registration(path, {});
  for (double t = 0.05; t < 2.95; t += 0.01) {
    EXPECT_NEAR(curve.at(t), truth(t), 0.02);
    EXPECT_NEAR(curve.slope(t), 1 + 0.3 * std::cos(2 * t), 0.15);
  }
  const std::vector<Mark> marks{{1.0, 1.2}, {2.0, 1.95}};
  const auto marked = fit_registration(path, marks);
  EXPECT_DOUBLE_EQ(marked.at(1.0), 1.2);
  EXPECT_DOUBLE_EQ(marked.at(2.0), 1.95);
}

TEST(ConsistentMarks, KeepsTheLongestChainThatRunsForward) {
  Random random(5);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<Mark> marks{{0, 0}};
    for (int n = 0; n < 7; ++n) marks.push_back({random.uniform(0, 3), random.uniform(0, 3)});
    marks.push_back({3.2, 3.2});
    const auto chain = consistent_marks(marks, 0.05, 3);
    // Brute force: every subset of the inner marks.
    std::sort(marks.begin() + 1, marks.end() - 1, [](const Mark& a, const Mark& b) { return a.from < b.from; });
    std::size_t longest = 2;
    for (unsigned subset = 0; subset < 128; ++subset) {
      std::vector<Mark> kept{marks.front()};
      for (unsigned n = 0; n < 7; ++n) {
        if (subset >> n & 1) kept.push_back(marks[n + 1]);
      }
      kept.push_back(marks.back());
      bool good = true;
      for (std::size_t k = 1; k < kept.size(); ++k) {
        const double from = kept[k].from - kept[k - 1].from, to = kept[k].to - kept[k - 1].to;
        good = good && from >= 0.05 && to >= 0.05 && to <= 3 * from && from <= 3 * to;
      }
      if (good) longest = std::max(longest, kept.size());
    }
    EXPECT_EQ(chain.size(), longest);
  }
}

TEST(MatchingContacts, PairsPlantsOfTheSameFoot) {
  // Left, right, left in both; the second clip takes longer over each.
  const auto contacts = [](std::size_t stride, std::size_t overlap) {
    motion::Contacts made;
    made.planted.assign(3 * stride, 0);
    for (std::size_t n = 0; n < 3; ++n) {
      const std::uint8_t bits = n % 2 ? motion::kRightHeel : motion::kLeftToe;
      for (std::size_t f = n * stride; f < std::min((n + 1) * stride + overlap, 3 * stride); ++f)
        made.planted[f] |= bits;
    }
    return made;
  };
  const auto rough = RegistrationCurve::create({{0, 0}, {2, 3}}).value();
  const auto marks = matching_contacts(contacts(20, 4), 30, contacts(60, 9), 60, rough);
  // Left lifts, right comes down, left comes down, right lifts; the first plant's begin and the last's end were cut
  // off.
  const std::vector<Mark> expected{
      {19.5 / 30, 59.5 / 60}, {23.5 / 30, 68.5 / 60}, {39.5 / 30, 119.5 / 60}, {43.5 / 30, 128.5 / 60}};
  ASSERT_EQ(marks.size(), expected.size());
  for (std::size_t k = 0; k < marks.size(); ++k) {
    EXPECT_NEAR(marks[k].from, expected[k].from, 1e-12);
    EXPECT_NEAR(marks[k].to, expected[k].to, 1e-12);
  }
}

}  // namespace
}  // namespace loom::blend
