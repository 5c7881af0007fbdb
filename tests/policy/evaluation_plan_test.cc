// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/policy/evaluation_plan.h>

namespace loom::policy {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr PolicyKind kModel = PolicyKind::kModel, kSteady = PolicyKind::kSteady, kSpread = PolicyKind::kSpread,
                     kGreedy = PolicyKind::kGreedy;

/// As `loom fragments eval` asks: twelve traces of ten seconds.
EvaluationWork usual(std::size_t fragments) {
  return {fragments, 150, std::vector<std::size_t>(12, 100), {kModel, kSteady, kSpread, kGreedy}, kModel, true, true};
}

TEST(EvaluationPlan, LooksAreThoseOfEveryPathAndPolicy) {
  EvaluationWork work{10, 7, {3, 4}, {kModel, kGreedy}, kModel, true, false};
  EXPECT_EQ(work.looks(), 100 * (3 + 4 + 7)) << "two paths and one sweep; the model is solved already";
  work.solved = false;
  const double solving = work.looks() - 100 * (3 + 4 + 7);
  EXPECT_GT(solving, 100 * 7) << "more than one sweep";
  work.solved = true;
  work.thresholded = true;
  EXPECT_EQ(work.looks(), 100 * (2 * (3 + 4) + 7) + solving) << "all again, but for greedy";
}

TEST(EvaluationPlan, FewFragmentsAreJudgedWhollyAndManyWithinTheBound) {
  const auto few = plan_evaluation(usual(6900));
  ASSERT_TRUE(few);
  EXPECT_EQ(left_out(usual(6900), *few), "");
  for (const std::size_t many : {20'000u, 29'308u, 88'939u}) {
    const auto plan = plan_evaluation(usual(many));
    ASSERT_TRUE(plan) << plan.error().message;
    EXPECT_LE(plan->looks(), kMostLooks) << many;
    EXPECT_NE(left_out(usual(many), *plan), "") << many;
  }
  const auto plan = plan_evaluation(usual(29'308));
  EXPECT_FALSE(plan->thresholded);
  EXPECT_THAT(plan->kinds, ElementsAre(kModel, kSteady, kSpread, kGreedy)) << "policies are given up after traces";
  EXPECT_GE(plan->steps.size(), 4u);
  EXPECT_THAT(left_out(usual(29'308), *plan), HasSubstr("the variants of few transitions; "));
  EXPECT_THAT(left_out(usual(29'308), *plan), HasSubstr("of 12 traces"));
}

TEST(EvaluationPlan, WhatIsJudgedStaysAndWhatCannotBeIsRefused) {
  EvaluationWork work = usual(29'308);
  work.given = kSpread;
  const auto plan = plan_evaluation(work, 100.0 * 29'308 * 29'308);
  ASSERT_TRUE(plan);
  EXPECT_THAT(plan->kinds, ElementsAre(kSpread));
  EXPECT_EQ(plan->steps.size(), 1u);
  EXPECT_EQ(left_out(work, *plan),
            "the variants of few transitions; 11 of 12 traces; the policies model, steady, greedy");
  const auto refused = plan_evaluation(work, 99.0 * 29'308 * 29'308);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("give shorter traces"));
}

TEST(EvaluationPlan, KeepsTheBoundAndGivesUpNoMoreThanItMust) {
  Random random(5);
  for (int round = 0; round < 2000; ++round) {
    EvaluationWork work = usual(1 + random.index(1000));
    work.steps.clear();
    for (std::size_t t = 1 + random.index(8); t > 0; --t) work.steps.push_back(1 + random.index(50));
    work.bins = 1 + random.index(100);
    work.given = work.kinds[random.index(4)];
    work.solved = random.index(2) == 0;
    work.thresholded = random.index(2) == 0;
    const double most = work.looks() * random.uniform(0.001, 1.5);
    const auto plan = plan_evaluation(work, most);
    if (!plan) continue;
    EXPECT_LE(plan->looks(), most);
    if (work.looks() <= most) {
      EXPECT_EQ(left_out(work, *plan), "");
    }
    if (plan->steps.size() == work.steps.size() || plan->kinds.size() < work.kinds.size()) continue;
    EvaluationWork more =
        *plan;  // the trace given up last does not fit; policies, which go after traces, are all there
    more.steps.push_back(work.steps[plan->steps.size()]);
    EXPECT_GT(more.looks(), most);
  }
}

}  // namespace
}  // namespace loom::policy
