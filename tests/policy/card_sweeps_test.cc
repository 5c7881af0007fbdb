// SPDX-License-Identifier: MIT
// Sweeps on a card, by the same source on the processor; and on a card, where there is one.
#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/policy/cuda/card_sweeps.h>
#include <loom/policy/cuda/sweep_on_card.h>
#include <loom/policy/dense_transitions.h>

namespace loom::policy {
namespace {

constexpr card::Api host_api() {
  card::Api api;
  api.load_sweep = card::load_sweep;
  api.drop_sweep = card::drop_sweep;
  api.sweep = card::sweep_on_card;
  return api;
}
constexpr card::Api kHost = host_api();

/// Qualities of which many are equal and some are nothing, so that ties and what is not allowed come up.
DecisionProblem random_problem(std::size_t states, std::size_t controls, double share, std::uint64_t seed) {
  Random random(seed);
  std::vector<float> qualities(states * states);
  for (float& quality : qualities) quality = static_cast<float>(random.index(12)) / 11.0f;
  auto dense = DenseTransitions::create(states, [&](std::size_t from, std::span<float> row) {
                 std::copy_n(qualities.begin() + static_cast<std::ptrdiff_t>(from * states), states, row.begin());
               }).value();
  DecisionProblem problem;
  problem.states = states;
  problem.controls = controls;
  problem.transitions = std::make_shared<DenseTransitions>(share < 1 ? dense.thresholded(share) : std::move(dense));
  for (std::size_t n = 0; n < states * controls; ++n) {
    problem.control_quality.push_back(static_cast<float>(random.index(9)) / 8.0f);
  }
  for (std::size_t c = 0; c < controls; ++c) {
    double sum = 0;
    std::vector<double> row(controls);
    for (double& chance : row) sum += chance = random.uniform();
    for (const double chance : row) problem.next_control.push_back(chance / sum);
  }
  problem.discount = 0.95;
  return problem;
}

void expect_the_same_solutions(SweepEngine& engine) {
  std::uint64_t seed = 1;
  for (const std::size_t states : {1, 31, 97, 260}) {
    for (const std::size_t controls : {1, 33}) {
      for (const double share : {0.1, 1.0}) {
        const DecisionProblem problem = random_problem(states, controls, share, seed++);
        SolveOptions options;
        const Solution expected = solve(problem, options).value();
        options.engine = &engine;
        const Solution found = solve(problem, options).value();
        EXPECT_EQ(found.next, expected.next) << states << " states, " << controls << " controls";
        EXPECT_EQ(found.reward, expected.reward);
        EXPECT_EQ(found.sweeps, expected.sweeps);
      }
    }
  }
}

TEST(CardSweepCode, DecidesAsTheProcessorDoesToTheBit) {
  CardSweeps sweeps(kHost);
  expect_the_same_solutions(sweeps);
  EXPECT_STREQ(sweeps.on(), "cuda");
}

TEST(CardSweepCode, IsTheBestOneByOneAndOfEqualsTheFirst) {
  const DecisionProblem problem = random_problem(70, 5, 1.0, 9);
  Random random(4);
  std::vector<double> future(350), value(350);
  for (double& worth : future) worth = static_cast<double>(random.index(6)) / 5;
  std::vector<std::uint32_t> next(350);
  for (std::size_t n = 0; n < next.size(); ++n) next[n] = problem.transitions->any_successor(n % 70);
  CardSweeps sweeps(kHost);
  ASSERT_TRUE(sweeps.sweep(problem, future, next, value));
  for (std::size_t c = 0; c < 5; ++c) {
    for (std::size_t s = 0; s < 70; ++s) {
      double most = -1;
      std::uint32_t best = 0;
      for (std::uint32_t t = 0; t < 70; ++t) {
        const float quality = problem.transitions->quality(s, t);
        if (quality < 0) continue;
        const double worth = static_cast<double>(quality) * static_cast<double>(problem.control_quality[c * 70 + t]) +
                             future[c * 70 + t];
        if (worth > most + 1e-12) most = worth, best = t;
      }
      EXPECT_NEAR(value[c * 70 + s], most, 1e-9);
      EXPECT_EQ(next[c * 70 + s], best) << s << " " << c;
    }
  }
}

TEST(SweepControls, SomeControlsAtATimeAreTheSameAsAll) {
  const DecisionProblem problem = random_problem(120, 11, 0.5, 3);
  Random random(8);
  std::vector<double> future(120 * 11), whole(future.size()), parts(future.size());
  for (double& worth : future) worth = 5 * random.uniform();
  std::vector<std::uint32_t> start(future.size());
  for (std::size_t n = 0; n < start.size(); ++n) start[n] = problem.transitions->any_successor(n % 120);
  auto all = start, some = start;
  sweep_controls(problem, 0, 11, future, all, whole);
  for (std::size_t first = 0; first < 11; first += 4) {
    const std::size_t count = std::min<std::size_t>(4, 11 - first), from = first * 120, size = count * 120;
    sweep_controls(problem, first, count, std::span(future).subspan(from, size), std::span(some).subspan(from, size),
                   std::span(parts).subspan(from, size));
  }
  EXPECT_EQ(some, all);
  EXPECT_EQ(parts, whole);
}

TEST(CardSweeps, SaysWhyThereIsNoCard) {
  EXPECT_STREQ(CardSweeps::create(compare::On::kCpu).value()->on(), "cpu");
  const auto wanted = CardSweeps::create(compare::On::kCuda);
  if (wanted) GTEST_SKIP() << "there is a card";
  EXPECT_NE(wanted.error().message.find("no graphics card can be used"), std::string::npos);
  const auto maybe = CardSweeps::create(compare::On::kAuto).value();
  EXPECT_FALSE(maybe->why_not_the_card().empty());
  expect_the_same_solutions(*maybe);
  EXPECT_STREQ(maybe->on(), "cpu");
}

TEST(CardSweeps, DecideOnACardAsTheProcessorDoes) {
  const auto sweeps = CardSweeps::create(compare::On::kCuda);
  if (!sweeps) GTEST_SKIP() << "NOT TESTED ON A CARD: " << sweeps.error().message;
  expect_the_same_solutions(**sweeps);
}

}  // namespace
}  // namespace loom::policy
