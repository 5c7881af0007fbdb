// SPDX-License-Identifier: MIT
// What a stored policy or set of fragments may not say.
#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <limits>

#include <gtest/gtest.h>

#include <loom/policy/graph_policy.h>
#include <loom/policy/policy.h>
#include <loom/policy/stored_fragments.h>
#include <loom/policy/train.h>

#include "tests/policy/glide_library.h"
#include "tests/temporary_folder.h"

namespace loom::policy {
namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

class DamagedArtefacts : public ::testing::Test {
 protected:
  Policy train() {
    ControlSpace space = usual_control_space();
    space.bins.resize(6);
    Trace trace;
    trace.times = {0, 1, 2};
    trace.signals = {space.bins[0], space.bins[1], space.bins[2]};
    auto model = count_player_model(space, std::vector<Trace>{trace}, fragments_.set->seconds());
    return *train_policy(*prepare_training(fragments_, space, *model, {}, 0.9), {});
  }

  testing::TemporaryFolder folder_;
  library::Library library_ = testing::make_glide_library(folder_.file("moves.loom"));
  FragmentMotion fragments_ = *cut_fragments(library_, {});
};

TEST_F(DamagedArtefacts, PoliciesWithNumbersThatAreNone) {
  const Policy sound = train();
  ASSERT_TRUE(policy_from_bytes(to_bytes(sound)));
  for (const auto& change : std::vector<std::function<void(Policy&)>>{
           [](Policy& p) { p.quality.stutter_seconds = kNoNumber; },
           [](Policy& p) { p.quality.stutter_seconds = 1e300; }, [](Policy& p) { p.quality.weights[1] = -1; },
           [](Policy& p) { p.quality.weights[2] = static_cast<float>(kNoNumber); },
           [](Policy& p) { p.quality.support_metres = -1; }, [](Policy& p) { p.model.seconds = kNoNumber; },
           [](Policy& p) { p.model.unused = 7; }, [](Policy& p) { p.solution.residual = kNoNumber; },
           [](Policy& p) { p.solution.reward[3] = kNoNumber; }, [](Policy& p) { p.discount = 1; }}) {
    Policy policy = sound;
    change(policy);
    EXPECT_FALSE(policy_from_bytes(to_bytes(policy)));
  }
}

TEST_F(DamagedArtefacts, APolicyOfTheVersionBeforeAllowedAllJoins) {
  Policy policy = train();
  policy.quality.support_metres = 0.1234;
  std::vector<std::byte> bytes = to_bytes(policy);
  EXPECT_EQ(policy_from_bytes(bytes)->quality.support_metres, 0.1234);
  // The version stands after four bytes that say what it is; there was no such number then.
  bytes[4] = std::byte{1};
  const auto number = std::bit_cast<std::array<std::byte, 8>>(0.1234);
  const auto at = std::search(bytes.begin(), bytes.end(), number.begin(), number.end());
  ASSERT_NE(at, bytes.end());
  bytes.erase(at, at + 8);
  const auto before = policy_from_bytes(bytes);
  ASSERT_TRUE(before) << before.error().to_string();
  EXPECT_EQ(before->quality.support_metres, 0);
  EXPECT_EQ(before->solution.next, policy.solution.next);
}

TEST_F(DamagedArtefacts, FragmentsOfMoreFramesThanThereCanBe) {
  ASSERT_TRUE(fragments_from_bytes(to_bytes(*fragments_.set)));
  for (const auto& change : std::vector<std::function<void(FragmentSet&)>>{
           [](FragmentSet& s) { s.clips[1].frames = ~std::uint32_t{0}; },
           [](FragmentSet& s) { s.clips[1].begin = ~std::uint32_t{0}; },
           [](FragmentSet& s) { s.step = ~std::uint32_t{0}; },
           [](FragmentSet& s) { s.fragments[0].evident.turn = 1e30f; },
           [](FragmentSet& s) { s.fragments[0].evident.left = static_cast<float>(kNoNumber); },
           [](FragmentSet& s) { s.fragments[0].frame = ~std::uint32_t{0}; },
           [](FragmentSet& s) { s.fragments[0].clip = 99; }}) {
    FragmentSet set = *fragments_.set;
    change(set);
    EXPECT_FALSE(fragments_from_bytes(to_bytes(set)));
  }
}

TEST_F(DamagedArtefacts, FragmentsOfClipsThatAreShorterInTheLibrary) {
  FragmentSet set = *fragments_.set;
  set.clips.back().frames += 1000;
  ASSERT_TRUE(store_fragments(library_, "f", set, "{}"));
  EXPECT_FALSE(load_fragments(library_, "f"));
}

TEST(GraphPolicyHash, DoesNotKnowLabels) {
  graph::MotionGraph graph = *testing::make_gliders().graph;
  const std::string before = hash_of(graph);
  graph.clips[0].labels.push_back({"new", 0, 10});
  EXPECT_EQ(hash_of(graph), before);
  graph.transitions[0].cost = 0.25f;
  EXPECT_NE(hash_of(graph), before);
}

TEST(GraphPolicyHash, PoliciesOfFormerVersionsKnowTheirGraphByItsBytes) {
  const graph::MotionGraph graph = *testing::make_gliders().graph;
  GraphPolicy policy;
  policy.headings = 4;
  policy.nodes = graph.nodes();
  policy.graph_hash = "as they were";
  for (std::size_t i = 0; i < 4 * graph.nodes(); ++i) {
    policy.choice.push_back(graph.goes_on(static_cast<graph::Node>(i % graph.nodes())) ? 0 : 1);
  }
  EXPECT_FALSE(graph_policy_from_bytes(to_bytes(policy), graph));
  EXPECT_TRUE(graph_policy_from_bytes(to_bytes(policy), graph, "as they were"));
}

}  // namespace
}  // namespace loom::policy
