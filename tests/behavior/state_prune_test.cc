// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/behavior/state_prune.h>

namespace loom::behavior {
namespace {

struct RandomStates {
  std::vector<std::uint32_t> first{0}, targets, state_of;
  std::vector<bool> self;
};

RandomStates random_states(std::uint64_t seed) {
  Random random(seed);
  RandomStates made;
  const std::size_t nodes = 2 + random.index(24), states = 1 + random.index(4);
  const double density = random.uniform(0.02, 0.2);
  for (std::size_t s = 0; s < states; ++s) made.self.push_back(random.uniform() < 0.5);
  for (std::size_t n = 0; n < nodes; ++n) {
    made.state_of.push_back(random.uniform() < 0.1 ? kNoState : static_cast<std::uint32_t>(random.index(states)));
    for (std::size_t t = 0; t < nodes; ++t) {
      if (t == n + 1 ? random.uniform() < 0.8 : random.uniform() < density) {
        made.targets.push_back(static_cast<std::uint32_t>(t));
      }
    }
    made.first.push_back(static_cast<std::uint32_t>(made.targets.size()));
  }
  return made;
}

/// Keeps, of the nodes marked, the largest set that all reach each other within the set: by transitive closure.
std::vector<bool> largest_by_closure(const RandomStates& states, const std::vector<bool>& inside) {
  const std::size_t count = inside.size();
  std::vector<std::vector<bool>> reach(count, std::vector<bool>(count));
  for (std::size_t n = 0; n < count; ++n) {
    for (std::uint32_t e = states.first[n]; e < states.first[n + 1]; ++e) {
      if (inside[n] && inside[states.targets[e]]) reach[n][states.targets[e]] = true;
    }
  }
  for (std::size_t k = 0; k < count; ++k) {
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = 0; j < count; ++j) {
        if (reach[i][k] && reach[k][j]) reach[i][j] = true;
      }
    }
  }
  std::vector<bool> best(count);
  std::size_t most = 0;
  for (std::size_t n = 0; n < count; ++n) {
    if (!reach[n][n]) continue;
    std::vector<bool> with(count);
    std::size_t size = 0;
    for (std::size_t m = 0; m < count; ++m) {
      with[m] = reach[n][m] && reach[m][n];
      size += with[m] ? 1 : 0;
    }
    if (size > most) {
      most = size;
      best = with;
    }
  }
  return best;
}

/// The definition, word by word (Chiu 2007 §4).
std::vector<bool> prune_by_definition(const RandomStates& states) {
  const std::size_t count = states.state_of.size();
  std::vector<bool> kept(count);
  for (std::size_t n = 0; n < count; ++n) kept[n] = states.state_of[n] != kNoState;
  for (std::vector<bool> before; before != kept;) {
    before = kept;
    kept = largest_by_closure(states, kept);
    for (std::uint32_t s = 0; s < states.self.size(); ++s) {
      if (!states.self[s]) continue;
      std::vector<bool> of_state(count);
      for (std::size_t n = 0; n < count; ++n) of_state[n] = kept[n] && states.state_of[n] == s;
      const std::vector<bool> staying = largest_by_closure(states, of_state);
      for (std::size_t n = 0; n < count; ++n) kept[n] = kept[n] && (states.state_of[n] != s || staying[n]);
    }
  }
  return kept;
}

TEST(PruneStates, AgreesWithTheDefinitionOnRandomGraphs) {
  std::size_t something_left = 0, several_rounds = 0;
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    const RandomStates states = random_states(seed);
    const StatePruning pruned = prune_states({states.first, states.targets}, states.state_of, states.self);
    const std::vector<bool> expected = prune_by_definition(states);
    for (std::size_t n = 0; n < expected.size(); ++n) {
      ASSERT_EQ(pruned.fate[n] == Fate::kKept, expected[n]) << "seed " << seed << " node " << n;
      something_left += expected[n] ? 1 : 0;
    }
    several_rounds += pruned.rounds > 2 ? 1 : 0;
  }
  EXPECT_GT(something_left, 1000u);
  EXPECT_GT(several_rounds, 5u) << "the random graphs are too easy to need a second look";
}

TEST(PruneStates, SaysWhyANodeWasLost) {
  // 0 <-> 1 of a self state, 2 of the same state only by way of 3, which is of another; 4 has no state.
  const std::vector<std::uint32_t> first{0, 2, 3, 4, 6, 6}, targets{1, 3, 0, 3, 2, 0}, states{0, 0, 0, 1, kNoState};
  const StatePruning pruned = prune_states({first, targets}, states, {true, false});
  EXPECT_EQ(pruned.fate[0], Fate::kKept);
  EXPECT_EQ(pruned.fate[1], Fate::kKept);
  EXPECT_EQ(pruned.fate[2], Fate::kOutsideSelf);
  EXPECT_EQ(pruned.fate[3], Fate::kKept);
  EXPECT_EQ(pruned.fate[4], Fate::kStateless);
}

}  // namespace
}  // namespace loom::behavior
