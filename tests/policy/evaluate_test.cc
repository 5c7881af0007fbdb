// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <loom/policy/comparison.h>
#include <loom/policy/inspect.h>
#include <loom/policy/simulated_player.h>
#include <loom/policy/stored_fragments.h>

#include "tests/policy/glide_library.h"
#include "tests/policy/random_problem.h"
#include "tests/temporary_folder.h"

namespace loom::policy {
namespace {

/// A few fragments that do anything, with random transitions between them.
Judge random_judge(std::uint64_t seed, std::size_t count) {
  Random random(seed);
  auto set = std::make_shared<FragmentSet>();
  for (std::size_t i = 0; i < count; ++i) {
    set->fragments.push_back({0, 0, {0, static_cast<float>(random.uniform(0, 3)), 0, random.index(2) ? 1u : 0u}});
  }
  return {set, testing::random_dense_problem(seed, count, 1).transitions, {}};
}

/// The best total of any path from `from` on, by trying all.
double best_of_all(const Judge& judge, const TransitionTable& allowed, std::span<const ControlSignal> controls,
                   std::size_t from) {
  if (controls.empty()) return 0;
  double best = -1;
  for (std::size_t to = 0; to < judge.fragments->size(); ++to) {
    const double motion = allowed.quality(from, to);
    if (motion < 0) continue;
    const double here = motion * control_quality(judge.weights, judge.fragments->fragments[to].evident, controls[0]);
    best = std::max(best, here + best_of_all(judge, allowed, controls.subspan(1), to));
  }
  return best;
}

TEST(OptimalPaths, AreTheBestOfAllPaths) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const Judge judge = random_judge(seed, 7);
    const DenseTransitions fewer = dynamic_cast<const DenseTransitions&>(*judge.transitions).thresholded(0.4);
    Random random(seed);
    std::vector<std::vector<ControlSignal>> traces(2);
    for (std::size_t i = 0; i < 5; ++i) traces[0].push_back({0, static_cast<float>(random.uniform(0, 3)), 0, 0});
    for (std::size_t i = 0; i < 3; ++i) traces[1].push_back({0, 1, 0, 1});
    for (const TransitionTable* allowed : {&*judge.transitions, static_cast<const TransitionTable*>(&fewer)}) {
      const auto paths = optimal_paths(judge, *allowed, traces);
      ASSERT_TRUE(paths);
      for (std::size_t t = 0; t < traces.size(); ++t) {
        double best = 0;
        for (std::size_t f = 0; f < 7; ++f) best = std::max(best, best_of_all(judge, *allowed, traces[t], f));
        EXPECT_NEAR((*paths)[t].total(), best, 1e-5);
        EXPECT_EQ((*paths)[t].steps.size(), traces[t].size() + 1);
      }
    }
  }
}

TEST(Score, IsMeanAndDeviationOverTraces) {
  FragmentPath best, half, all;
  best.motion_quality = best.control_quality = {1, 1};
  half.motion_quality = {1, 0.5f};
  half.control_quality = {0.5f, 0};
  const auto result = score("x", {half, best}, std::vector{best, best});
  EXPECT_EQ(result.percent, (std::vector<double>{25, 100}));
  EXPECT_NEAR(result.percent_of_optimal, 62.5, 1e-9);
  EXPECT_NEAR(result.std, 53.033, 1e-3);
}

TEST(Score, MeansAreOverAllChoices) {
  FragmentPath one, other;
  one.motion_quality = {1, 0.5f};
  one.control_quality = {0.5f, 0};
  other.motion_quality = {0.25f};
  other.control_quality = {1};
  const PathMeans means = means_of(std::vector{one, other});
  EXPECT_NEAR(means.quality, (0.5 + 0 + 0.25) / 3, 1e-9);
  EXPECT_NEAR(means.motion_quality, 1.75 / 3, 1e-9);
  EXPECT_NEAR(means.control_quality, 0.5, 1e-9);
  EXPECT_EQ(means_of({}).quality, 0);
}

/// The reward of `kind` by its own update, repeated until it stands (eq. 4 to 6), and the decisions of eq. 3.
std::vector<std::uint32_t> literal_decisions(const TrainingGround& ground, PolicyKind kind) {
  const std::size_t states = ground.transitions->states(), bins = ground.model.bins;
  const auto quality = [&](std::size_t f, std::size_t to, std::size_t c) {
    return static_cast<double>(ground.transitions->quality(f, to)) *
           static_cast<double>(ground.control_quality[c * states + to]);
  };
  std::vector<double> reward(states * bins);
  for (int sweep = 0; sweep < (kind == PolicyKind::kGreedy ? 1 : 400); ++sweep) {
    std::vector<double> spread(states);
    for (std::size_t f = 0; f < states; ++f) {
      for (std::size_t c = 0; c < bins; ++c) spread[f] += reward[c * states + f] / static_cast<double>(bins);
    }
    std::vector<double> updated(states * bins, -1);
    for (std::size_t c = 0; c < bins; ++c) {
      for (std::size_t f = 0; f < states; ++f) {
        for (std::size_t to = 0; to < states; ++to) {
          const double later = kind == PolicyKind::kGreedy   ? 0
                               : kind == PolicyKind::kSteady ? reward[c * states + to]
                                                             : spread[to];
          updated[c * states + f] = std::max(updated[c * states + f], quality(f, to, c) + ground.discount * later);
        }
      }
    }
    reward = updated;
  }
  std::vector<std::uint32_t> next(states * bins);
  for (std::size_t c = 0; c < bins; ++c) {
    for (std::size_t f = 0; f < states; ++f) {
      double best = -1;
      for (std::size_t to = 0; to < states; ++to) {
        double value = quality(f, to, c);
        for (std::size_t d = 0; d < bins; ++d)
          value += ground.discount * ground.model.next[c * bins + d] * reward[d * states + to];
        if (value > best) next[c * states + f] = static_cast<std::uint32_t>(to);
        best = std::max(best, value);
      }
    }
  }
  return next;
}

TEST(TrainPolicy, LiteralDecisionsAreThoseOfEquationThree) {
  constexpr std::size_t kStates = 30, kBins = 4;
  const DecisionProblem random = testing::random_dense_problem(5, kStates, kBins, 0.9);
  TrainingGround ground;
  ground.transitions = std::dynamic_pointer_cast<const DenseTransitions>(random.transitions);
  ground.control_quality = random.control_quality;
  ground.model.bins = kBins;
  ground.model.next = random.next_control;
  ground.discount = 0.9;
  for (const PolicyKind kind : {PolicyKind::kGreedy, PolicyKind::kSteady, PolicyKind::kSpread}) {
    TrainOptions options;
    options.kind = kind;
    options.solve.tolerance = 1e-9;
    const auto own = train_policy(ground, options);
    options.literal = true;
    const auto literal = train_policy(ground, options);
    ASSERT_TRUE(own && literal);
    EXPECT_EQ(literal->solution.next, literal_decisions(ground, kind)) << name_of(kind);
    EXPECT_NE(literal->solution.next, own->solution.next) << name_of(kind);
    EXPECT_EQ(literal->solution.reward, own->solution.reward) << name_of(kind);
  }
}

class ComparisonTest : public ::testing::Test {
 protected:
  TrainingGround ground() {
    auto fragments = cut_fragments(library_, {});
    ControlSpace space = usual_control_space();
    space.bins.resize(40);
    const auto model = count_player_model(space, simulate_players({2, 30, 0, 1, {kAirborne}}), 0.1);
    return *prepare_training(std::move(*fragments), space, *model, {}, 0.99);
  }

  testing::TemporaryFolder folder_;
  library::Library library_ = testing::make_glide_library(folder_.file("moves.loom"));
};

TEST_F(ComparisonTest, NobodyBeatsTheOptimum) {
  const TrainingGround ground = this->ground();
  const auto traces = simulate_players({3, 8, 0, 50, {kAirborne}});
  const auto result = compare_controllers(ground, traces, nullptr, {}, {});
  ASSERT_TRUE(result) << result.error().to_string();
  std::vector<std::string> names;
  for (const ControllerScore& row : result->controllers) {
    names.push_back(row.controller);
    for (const double percent : row.percent) EXPECT_LE(percent, 100 + 1e-4) << row.controller;
  }
  EXPECT_EQ(names, (std::vector<std::string>{"model", "steady", "spread", "greedy", "model-t", "steady-t", "spread-t",
                                             "greedy-t", "opt-t"}));
  EXPECT_EQ(result->training, "simulated: 2 traces, 60 s");
  EXPECT_EQ(result->evaluation, "simulated: 3 traces, 24 s");
  EXPECT_FALSE(compare_controllers(ground, {}, nullptr, {}, {}));
}

TEST_F(ComparisonTest, InspectionFindsWhatAPolicyDoes) {
  const TrainingGround ground = this->ground();
  const auto policy = train_policy(ground, {});
  ASSERT_TRUE(policy);
  const Inspection found = inspect(*policy, *ground.fragments.set, *ground.transitions, 5);
  EXPECT_GT(found.reached, 0u);
  EXPECT_LT(found.reached, found.decisions);
  ASSERT_EQ(found.worst.size(), 5u);
  for (const PolicyDecision& d : found.worst) {
    EXPECT_EQ(policy->next(d.from, d.bin), d.to);
    EXPECT_EQ(ground.transitions->quality(d.from, d.to), d.motion_quality);
    EXPECT_GE(d.motion_quality, found.worst.front().motion_quality);
  }
  // A long run under the player's model earns what the inspection says.
  Random random(3);
  const std::size_t bins = ground.space.bins.size();
  std::size_t bin = 0;
  std::uint32_t at = 0;
  double sum = 0;
  constexpr int kSteps = 200000;
  for (int i = 0; i < kSteps; ++i) {
    const std::uint32_t to = policy->next(at, bin);
    sum += static_cast<double>(ground.transitions->quality(at, to)) *
           static_cast<double>(ground.control_quality[bin * ground.fragments.set->size() + to]);
    at = to;
    double x = random.uniform();
    std::size_t next = 0;
    while (next + 1 < bins && x >= ground.model.next[bin * bins + next]) x -= ground.model.next[bin * bins + next++];
    bin = next;
  }
  EXPECT_NEAR(found.mean_quality, sum / kSteps, 0.02);
}

}  // namespace
}  // namespace loom::policy
