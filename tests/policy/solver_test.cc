// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <loom/base/parallel.h>
#include <loom/policy/solver.h>

#include "tests/policy/random_problem.h"

namespace loom::policy {
namespace {

using testing::random_dense_problem;
using testing::random_sparse_problem;

/// What is expected after arriving in `state` under `control`, written out as the formula stands.
double expected_after(const DecisionProblem& p, const std::vector<double>& reward, std::size_t state,
                      std::size_t control) {
  double sum = 0;
  for (std::size_t d = 0; d < p.controls; ++d) {
    // With headings that turn, the control first moves along its circle, to one of two neighbours by chance.
    double before = p.next_control[control * p.controls + d];
    if (p.ring > 0) {
      const std::size_t base = control / p.ring * p.ring;
      const double ring = static_cast<double>(p.ring);
      const double place = std::fmod(static_cast<double>(control - base + 4 * p.ring) + p.drift[state], ring);
      const auto low = static_cast<std::size_t>(place) % p.ring;
      const double share = place - std::floor(place);
      before = (1 - share) * p.next_control[(base + low) * p.controls + d] +
               share * p.next_control[(base + (low + 1) % p.ring) * p.controls + d];
    }
    sum += before * reward[d * p.states + state];
  }
  return p.discount * sum;
}

/// What follows on arriving in every state under every control.
std::vector<double> expected_everywhere(const DecisionProblem& p, const std::vector<double>& reward) {
  std::vector<double> expected(reward.size());
  for (std::size_t c = 0; c < p.controls; ++c) {
    for (std::size_t s = 0; s < p.states; ++s) expected[c * p.states + s] = expected_after(p, reward, s, c);
  }
  return expected;
}

double worth(const DecisionProblem& p, const std::vector<double>& expected, std::size_t from, std::size_t to,
             std::size_t c) {
  const double motion = p.transitions->quality(from, to);
  if (motion < 0) return -std::numeric_limits<double>::infinity();
  return motion * p.control_quality[c * p.states + to] + expected[c * p.states + to];
}

/// Plain value iteration (eq. 2) to the end.
std::vector<double> value_iteration(const DecisionProblem& p) {
  std::vector<double> reward(p.states * p.controls);
  for (double change = 1; change > 1e-10;) {
    const std::vector<double> expected = expected_everywhere(p, reward);
    change = 0;
    for (std::size_t i = 0; i < reward.size(); ++i) {
      double best = -1;
      for (std::size_t t = 0; t < p.states; ++t)
        best = std::max(best, worth(p, expected, i % p.states, t, i / p.states));
      change = std::max(change, std::abs(best - reward[i]));
      reward[i] = best;
    }
  }
  return reward;
}

/// Every reward is that of plain value iteration, and every decision is the best, or as good as the best.
void expect_solved(const DecisionProblem& p, const Solution& solution) {
  const std::vector<double> reward = value_iteration(p);
  const std::vector<double> expected = expected_everywhere(p, reward);
  for (std::size_t i = 0; i < reward.size(); ++i) {
    const std::size_t c = i / p.states, s = i % p.states;
    ASSERT_NEAR(solution.reward[i], reward[i], 1e-6) << "state " << s << " control " << c;
    std::size_t best = 0;
    for (std::size_t t = 1; t < p.states; ++t) {
      if (worth(p, expected, s, t, c) > worth(p, expected, s, best, c)) best = t;
    }
    if (solution.next[i] == best) continue;
    EXPECT_NEAR(worth(p, expected, s, solution.next[i], c), worth(p, expected, s, best, c), 1e-8) << "not even a tie";
  }
}

const SolveOptions kExactly{1e-9, 1000};

TEST(Solver, EqualsPlainValueIterationOnDenseProblems) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const DecisionProblem p = random_dense_problem(seed, 20 + 17 * seed, 1 + seed);
    const auto solution = solve(p, kExactly);
    ASSERT_TRUE(solution && solution->converged);
    expect_solved(p, *solution);
  }
}

TEST(Solver, EqualsPlainValueIterationOnSparseProblems) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const DecisionProblem p = random_sparse_problem(seed, 50, 5);
    const auto solution = solve(p, kExactly);
    ASSERT_TRUE(solution && solution->converged);
    expect_solved(p, *solution);
  }
}

TEST(Solver, EqualsPlainValueIterationWhereControlsNeverChange) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    DecisionProblem p = seed % 2 ? random_dense_problem(seed, 60, 4) : random_sparse_problem(seed, 60, 4);
    std::fill(p.next_control.begin(), p.next_control.end(), 0.0);
    for (std::size_t c = 0; c < p.controls; ++c) p.next_control[c * p.controls + c] = 1;
    const auto solution = solve(p, kExactly);
    ASSERT_TRUE(solution && solution->converged);
    EXPECT_LT(solution->sweeps, 40u) << "a policy followed exactly needs few";
    expect_solved(p, *solution);
  }
}

TEST(Solver, EqualsPlainValueIterationWhereHeadingsTurnWithTheBody) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    DecisionProblem p = random_sparse_problem(seed, 40, 12);
    p.ring = 6;
    Random random(seed);
    for (std::size_t s = 0; s < p.states; ++s) p.drift.push_back(static_cast<float>(random.uniform(-2, 2)));
    const auto solution = solve(p, kExactly);
    ASSERT_TRUE(solution && solution->converged);
    expect_solved(p, *solution);
  }
}

TEST(Solver, EqualsPlainValueIterationOnTheBestTransitionsOnly) {
  DecisionProblem p = random_dense_problem(11, 80, 3);
  const auto& all = dynamic_cast<const DenseTransitions&>(*p.transitions);
  p.transitions = std::make_shared<DenseTransitions>(all.thresholded(0.08));
  std::size_t allowed = 0;
  for (std::size_t s = 0; s < p.states; ++s) {
    std::size_t here = 0;
    for (std::size_t t = 0; t < p.states; ++t) here += p.transitions->quality(s, t) >= 0;
    EXPECT_GE(here, 1u) << "a state without successor";
    allowed += here;
  }
  EXPECT_NEAR(static_cast<double>(allowed), 0.08 * 80 * 80, 10);
  const auto solution = solve(p, kExactly);
  ASSERT_TRUE(solution && solution->converged);
  expect_solved(p, *solution);
}

/// One sweep from the rewards of another problem decides by those rewards: how a choice alone is restricted to few
/// transitions while the future is expected to have all (docs/results/fragments.md). Such a policy counts on ways that
/// are closed to it, and is never worth more than the one that was solved for the few.
TEST(Solver, OneSweepDecidesByTheRewardsItStartsFrom) {
  int worse = 0;
  for (int trial = 0; trial < 8; ++trial) {
    const DecisionProblem all = random_dense_problem(static_cast<std::uint64_t>(21 + trial), 30, 4);
    const auto solution = solve(all, kExactly);
    ASSERT_TRUE(solution);
    DecisionProblem few = all;
    few.transitions =
        std::make_shared<DenseTransitions>(dynamic_cast<const DenseTransitions&>(*all.transitions).thresholded(0.1));
    const auto decided = solve(few, {0, 1}, &*solution);
    ASSERT_TRUE(decided);
    const std::vector<double> expected = expected_everywhere(all, solution->reward);
    for (std::size_t i = 0; i < decided->next.size(); ++i) {
      const std::size_t c = i / few.states, s = i % few.states;
      double best = -1;
      for (std::size_t t = 0; t < few.states; ++t) best = std::max(best, worth(few, expected, s, t, c));
      EXPECT_NEAR(worth(few, expected, s, decided->next[i], c), best, 1e-7) << "state " << s << " control " << c;
    }
    // What the policy is really worth, by following it for long.
    std::vector<double> reward(decided->next.size());
    for (int round = 0; round < 300; ++round) {
      const std::vector<double> after = expected_everywhere(few, reward);
      for (std::size_t i = 0; i < reward.size(); ++i) {
        reward[i] = worth(few, after, i % few.states, decided->next[i], i / few.states);
      }
    }
    const std::vector<double> most = value_iteration(few);
    for (std::size_t i = 0; i < reward.size(); ++i) {
      EXPECT_LT(reward[i], most[i] + 1e-6);
      worse += reward[i] < most[i] - 1e-3 ? 1 : 0;
    }
  }
  EXPECT_GT(worse, 0);
}

TEST(Solver, LongViewsConvergeInFewSweeps) {
  const DecisionProblem p = random_dense_problem(3, 300, 8, 0.999);
  const auto solution = solve(p);
  ASSERT_TRUE(solution && solution->converged);
  EXPECT_LT(solution->sweeps, 40u) << "plain value iteration would take thousands";
}

TEST(Solver, GreedyIsOneSweep) {
  const DecisionProblem p = random_dense_problem(4, 70, 3, 0);
  const auto solution = solve(p, kExactly);
  ASSERT_TRUE(solution && solution->converged);
  EXPECT_EQ(solution->sweeps, 1u);
  expect_solved(p, *solution);
}

TEST(Solver, InterruptedWorkGoesOnWhereItStopped) {
  const DecisionProblem p = random_dense_problem(5, 150, 6, 0.99);
  const auto whole = solve(p);
  ASSERT_TRUE(whole && whole->converged);
  int calls = 0;
  const auto part = solve(p, {}, nullptr, Progress([&](double, std::string_view) { return ++calls < 30; }));
  ASSERT_TRUE(part);
  EXPECT_FALSE(part->converged);
  const auto rest = solve(p, {}, &*part);
  ASSERT_TRUE(rest && rest->converged);
  EXPECT_EQ(rest->next, whole->next);
  EXPECT_LE(rest->sweeps, whole->sweeps);
  const auto again = solve(p, {}, &*whole);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->sweeps, 1u) << "a finished policy has nothing left to do";
}

TEST(Solver, SameDecisionsWhateverTheNumberOfThreads) {
  const DecisionProblem p = random_dense_problem(6, 200, 7);
  const auto many = solve(p);
  const ThreadLimit one(1);
  const auto single = solve(p);
  ASSERT_TRUE(many && single);
  EXPECT_EQ(many->next, single->next);
  EXPECT_EQ(many->reward, single->reward);
}

TEST(Solver, RefusesProblemsThatMakeNoSense) {
  const DecisionProblem good = random_dense_problem(7, 10, 2);
  const auto refused = [&](auto change) {
    DecisionProblem p = good;
    change(p);
    return !solve(p);
  };
  EXPECT_TRUE(refused([](DecisionProblem& p) { p.states = 0; }));
  EXPECT_TRUE(refused([](DecisionProblem& p) { p.controls = 0; }));
  EXPECT_TRUE(refused([](DecisionProblem& p) { p.discount = 1; }));
  EXPECT_TRUE(refused([](DecisionProblem& p) { p.next_control[0] += 0.1; }));
  EXPECT_TRUE(refused([](DecisionProblem& p) { p.next_control[0] = std::nan(""); }));
  EXPECT_TRUE(refused([](DecisionProblem& p) { p.control_quality[3] = std::nanf(""); }));
  EXPECT_TRUE(refused([](DecisionProblem& p) { p.ring = 3; }));
  Solution other;
  other.states = 5;
  other.controls = 2;
  EXPECT_FALSE(solve(good, {}, &other));
}

TEST(DenseTransitions, KeepsQualitiesToSixteenBits) {
  const auto table = DenseTransitions::create(50, [](std::size_t from, std::span<float> row) {
    for (std::size_t to = 0; to < row.size(); ++to) row[to] = static_cast<float>(from * 50 + to) / 2500;
  });
  ASSERT_TRUE(table);
  for (std::size_t from = 0; from < 50; ++from) {
    for (std::size_t to = 0; to < 50; ++to) {
      if (from + to == 0) continue;
      EXPECT_NEAR(table->quality(from, to), static_cast<float>(from * 50 + to) / 2500, 8e-6f);
    }
  }
  EXPECT_LT(table->quality(0, 0), 0) << "what is worth nothing is not allowed";
  EXPECT_FALSE(DenseTransitions::create(0, [](std::size_t, std::span<float>) {}));
}

TEST(SparseTransitions, RefusesDeadEndsAndLostStates) {
  EXPECT_TRUE(SparseTransitions::create({0, 1, 2}, {1, 0}, {1, 1}));
  EXPECT_FALSE(SparseTransitions::create({0, 1, 1}, {1}, {1})) << "a dead end";
  EXPECT_FALSE(SparseTransitions::create({0, 1, 2}, {1, 2}, {1, 1})) << "a state that is not there";
  EXPECT_FALSE(SparseTransitions::create({0, 1, 2}, {1, 0}, {1, 1.5f}));
  EXPECT_FALSE(SparseTransitions::create({0}, {}, {}));
}

}  // namespace
}  // namespace loom::policy
