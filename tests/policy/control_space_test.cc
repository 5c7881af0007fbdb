// SPDX-License-Identifier: MIT
#include <cmath>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/policy/control_space.h>
#include <loom/policy/covered_controls.h>

namespace loom::policy {
namespace {

using ::testing::HasSubstr;

ControlSignal random_signal(Random& random) {
  return {static_cast<float>(random.uniform(-4, 4)), static_cast<float>(random.uniform(-4, 4)),
          static_cast<float>(random.uniform(-2, 2)), static_cast<std::uint32_t>(random.index(2))};
}

TEST(ControlSpace, UsualOneHasTheWorksBins) {
  const ControlSpace space = usual_control_space();
  EXPECT_EQ(space.bins.size(), 150u);
  EXPECT_TRUE(validate(space));
  EXPECT_EQ(usual_control_space({"crouch"}).bins.size(), 225u);
  EXPECT_TRUE(validate(usual_control_space({"crouch", "carry"})));
}

TEST(ControlSpace, DistanceIsThatOfTheWork) {
  // P(3, 0) = log 4 along the first axis, P(0) = 0: 10 (log 4)² + 6 · 0.5² + 20.
  const ControlSignal a{3, 0, 0.5f, 1}, b{0, 0, 0, 0};
  EXPECT_NEAR(control_distance({}, a, b), 10 * std::log(4.0) * std::log(4.0) + 1.5 + 20, 1e-4);
  EXPECT_NEAR(control_quality({}, a, b), 1 / (1 + 10 * std::log(4.0) * std::log(4.0) + 21.5), 1e-6);
  EXPECT_EQ(control_quality({}, a, a), 1);
}

TEST(BinFinder, FindsTheNearestCentre) {
  const ControlSpace space = usual_control_space();
  const BinFinder finder(space);
  Random random(5);
  for (int i = 0; i < 500; ++i) {
    const ControlSignal signal = random_signal(random);
    std::size_t nearest = 0;
    for (std::size_t b = 1; b < space.bins.size(); ++b) {
      if (control_distance(space.weights, space.bins[b], signal) <
          control_distance(space.weights, space.bins[nearest], signal)) {
        nearest = b;
      }
    }
    EXPECT_EQ(finder.find(signal), nearest);
  }
}

TEST(ControlSpace, QuantisedBinsLieWherePlayersAre) {
  Random random(9);
  std::vector<ControlSignal> signals;
  const ControlSignal habits[] = {{0, 0, 0, 0}, {0, 3, 0, 0}, {1, 1, 1, 0}, {0, 2, 0, 1}};
  for (int i = 0; i < 400; ++i) {
    ControlSignal s = habits[random.index(4)];
    s.forward += static_cast<float>(0.05 * random.normal());
    signals.push_back(s);
  }
  const auto space = quantised_control_space(usual_control_space(), signals, 4);
  ASSERT_TRUE(space);
  EXPECT_TRUE(validate(*space));
  ASSERT_EQ(space->bins.size(), 4u);
  for (const ControlSignal& habit : habits) {
    EXPECT_LT(control_distance(space->weights, space->bins[BinFinder(*space).find(habit)], habit), 0.05f);
  }
  EXPECT_FALSE(quantised_control_space(usual_control_space(), {}, 4));
  EXPECT_FALSE(quantised_control_space(usual_control_space(), signals, 1)) << "two combinations of flags occur";
}

TEST(CoveredSpace, HasTheBinsThatFragmentsAnswer) {
  const ControlSpace space = usual_control_space();
  FragmentSet set;
  set.fragments = {{0, 0, space.bins[3]}, {0, 0, space.bins[40]}};
  const ControlSpace covered = covered_space(space, set, 0.9f);
  EXPECT_EQ(covered.bins, (std::vector<ControlSignal>{space.bins[3], space.bins[40]}));
  EXPECT_EQ(covered.weights, space.weights);
  Trace trace;
  trace.times = {0, 1};
  trace.signals = {space.bins[2], space.bins[40]};
  const Trace kept = keep_to(covered, trace);
  for (const ControlSignal& signal : kept.signals) {
    EXPECT_TRUE(signal == space.bins[3] || signal == space.bins[40]);
  }
  EXPECT_EQ(kept.signals[1], space.bins[40]);
  EXPECT_EQ(kept.times, trace.times);
  set.fragments = {{0, 0, {50, 50, 0, 0}}};
  EXPECT_EQ(covered_space(space, set, 0.9f).bins.size(), space.bins.size()) << "nothing answers anything";
}

TEST(ControlSpace, RefusesBinsNobodyCanReach) {
  ControlSpace space = usual_control_space();
  space.bins.push_back(space.bins[7]);
  const auto refused = validate(space);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("nobody can reach bin 150"));
}

TEST(ControlSpace, RefusesWhatIsNoControl) {
  ControlSpace space = usual_control_space();
  space.bins[3].turn = std::nanf("");
  EXPECT_FALSE(validate(space));
  space = usual_control_space();
  space.bins[3].flags = 2;
  EXPECT_FALSE(validate(space)) << "a flag without a name";
  EXPECT_FALSE(validate(usual_control_space({"airborne"}))) << "a flag named twice";
  space.bins.clear();
  EXPECT_FALSE(validate(space));
}

}  // namespace
}  // namespace loom::policy
