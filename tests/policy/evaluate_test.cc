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
                                             "opt-t"}));
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
