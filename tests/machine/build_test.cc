// SPDX-License-Identifier: MIT
// Machines filled with motion: what is found, what is kept, what is refused.
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/machine/build.h>
#include <loom/machine/crossing_matrix.h>
#include <loom/machine/detail/cycle.h>
#include <loom/machine/detail/find_transitions.h>
#include <loom/machine/parametric.h>
#include <loom/machine/ways.h>
#include <loom/motion/ground_frame.h>

#include "tests/machine/walking_machine.h"
#include "tests/make_clip.h"

namespace loom::machine {
namespace {

using behavior::StateMachine;
using ::testing::HasSubstr;
using testing::kWalkingMachine;
using testing::walking_machine;

constexpr std::size_t kStand = 0, kWalk = 1, kRun = 2, kStop = 3, kJump = 4;

class BuildTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new testing::TemporaryFolder;
    library_ = new library::Library(testing::walking_library(folder_->file("w.loom")));
  }
  static void TearDownTestSuite() {
    delete library_;
    delete folder_;
  }
  static StateMachine parse(const std::string& text) {
    return *behavior::parse_machine(text, "m", {}, behavior::Connection::kAny);
  }
  static std::string error_of(const std::string& text, const BuildOptions& options = {}) {
    const auto built = build(*library_, parse(text), options);
    return built ? "no error" : built.error().to_string();
  }
  static testing::TemporaryFolder* folder_;
  static library::Library* library_;
};

testing::TemporaryFolder* BuildTest::folder_ = nullptr;
library::Library* BuildTest::library_ = nullptr;

/// The poses at both ends of each example of a state, as if they faced the same way.
float ends_apart(const BuiltState& state) {
  blend::Blender blender(state.space);
  float most = 0;
  std::vector<Quat> first(state.space->skeleton()->size()), last(first.size());
  for (std::size_t c = 0; c < state.space->size(); ++c) {
    std::vector<float> weights(state.space->size(), 0.0f);
    weights[c] = 1;
    blender.set_weights(weights);
    motion::StreamPose begin{{}, first, 0, {}}, end{{}, last, 0, {}};
    blender.pose_at(0, begin);
    blender.pose_at(1, end);
    first[0] = conjugate(blender.floor_at(0).rotation()) * first[0];
    last[0] = conjugate(blender.floor_at(1).rotation()) * last[0];
    most = std::max(most, std::abs(begin.root.y - end.root.y));
    for (std::size_t j = 0; j < first.size(); ++j) {
      most = std::max(most, length(log_vector(first[j] * conjugate(last[j]))));
    }
  }
  return most;
}

TEST(BuiltStates, AreOfAllFourKindsAndCyclesClose) {
  const auto& states = walking_machine()->states;
  EXPECT_TRUE(states[kStand].cyclic && states[kStand].space->size() == 1);
  EXPECT_TRUE(states[kWalk].cyclic && states[kWalk].space->size() > 3);
  EXPECT_TRUE(!states[kStop].cyclic && states[kStop].space->size() == 1);
  EXPECT_TRUE(!states[kJump].cyclic && states[kJump].space->size() == 4);
  EXPECT_EQ(states[kJump].after, kStand);
  EXPECT_TRUE(states[kWalk].parameters && states[kJump].parameters && !states[kRun].parameters);
  for (const std::size_t cyclic : {kStand, kWalk, kRun}) EXPECT_LT(ends_apart(states[cyclic]), 0.01f) << cyclic;
  EXPECT_GT(ends_apart(states[kStop]), 0.1f);
}

TEST(BuiltTransitions, LieWhereTheWorkHasThem) {
  const BuiltMachine& built = *walking_machine();
  for (const BuiltTransition& t : built.transitions) {
    const BuiltState &from = built.states[t.from], &to = built.states[t.to];
    EXPECT_GE(t.begin(), from.cyclic ? 0 : 0.55) << from.name << " -> " << to.name;
    EXPECT_LE(t.knots.back().from, from.cyclic ? 2 : 1 + 1e-9);
    EXPECT_LE(t.knots.front().to, to.cyclic ? 1 : 0.36);
    EXPECT_LE(t.knots.back().to, to.cyclic ? 3 : 0.62);
    EXPECT_EQ(t.entries.empty(), !to.parameters && !from.parameters);
  }
  EXPECT_GT(built.between(kWalk, kRun).size(), 2u) << "a cycle is left at several points";
  EXPECT_EQ(built.between(kStop, kStand).size(), 1u);
  for (const std::size_t to : {kRun, kStop}) {
    const auto ways = built.between(kWalk, to);
    const double seconds = built.states[kWalk].end - built.states[kWalk].begin;
    for (std::size_t w = 0; w < ways.size(); ++w) {
      const double next = w + 1 < ways.size() ? ways[w + 1].begin() : 1 + ways[0].begin();
      EXPECT_LT((next - ways[w].begin()) * seconds, 1.6) << "no wait is long";
    }
  }
}

TEST(BuiltTransitions, AreWrittenAsWarpsOfTheReferenceMotions) {
  const BuiltMachine& built = *walking_machine();
  std::size_t between = 0;
  for (const behavior::MachineWarp& warp : built.machine.warps) {
    if (warp.from == warp.to) {
      EXPECT_EQ(built.machine.states[warp.from].takes[0][0].holding, behavior::Holding::kClip);
    } else {
      ++between;
    }
  }
  EXPECT_EQ(between, built.transitions.size());
  EXPECT_EQ(built.machine.states[kRun].reference.value().clip, "jog");
  EXPECT_FALSE(built.machine.states[kWalk].reference) << "a family has its own";
}

TEST_F(BuildTest, TheSameInputGivesTheSameBytesAndItsOwnMachineTheSameAgain) {
  const auto once = build(*library_, parse(kWalkingMachine));
  ASSERT_TRUE(once) << once.error().to_string();
  EXPECT_EQ(to_bytes(*once), to_bytes(*walking_machine()));
  const auto again = build(*library_, once->machine);
  ASSERT_TRUE(again) << again.error().to_string();
  EXPECT_EQ(to_bytes(*again), to_bytes(*once)) << "what was found before is found again";
}

TEST_F(BuildTest, WhatIsPinnedIsKeptAndWhatIsThrownOutStaysOut) {
  StateMachine machine = walking_machine()->machine;
  const auto of_pair = [](const StateMachine& m) {
    std::vector<std::size_t> found;
    for (std::size_t w = 0; w < m.warps.size(); ++w) {
      if (m.warps[w].from == kWalk && m.warps[w].to == kRun) found.push_back(w);
    }
    return found;
  };
  const auto found = of_pair(machine);
  ASSERT_GT(found.size(), 2u);
  // One is moved and made longer, another thrown out.
  behavior::MachineWarp& moved = machine.warps[found[0]];
  moved.pinned = true;
  moved.knots.back().from += 0.1;
  moved.knots.back().to += 0.15;
  behavior::MachineWarp& out = machine.warps[found[1]];
  out.out = true;
  const auto built = build(*library_, machine);
  ASSERT_TRUE(built) << built.error().to_string();
  bool kept = false;
  const BuiltState& walk = built->states[kWalk];
  const double length = walk.end - walk.begin, thrown = (out.knots[0].from - walk.begin) / length;
  for (const BuiltTransition& t : built->between(kWalk, kRun)) {
    kept = kept || (t.pinned && std::abs((t.knots.back().from - t.begin()) * length -
                                         (moved.knots.back().from - moved.knots.front().from)) < 1e-6);
    const double to = built->states[kRun].begin + t.knots[0].to * (built->states[kRun].end - built->states[kRun].begin);
    EXPECT_FALSE(std::abs(t.begin() - thrown) * length < 0.05 && std::abs(to - out.knots[0].to) < 0.05);
  }
  EXPECT_TRUE(kept);
  // It can be got back: the file says so.
  StateMachine again = built->machine;
  for (behavior::MachineWarp& warp : again.warps) warp.out = warp.pinned = false;
  const auto restored = build(*library_, again);
  ASSERT_TRUE(restored) << restored.error().to_string();
  EXPECT_EQ(to_bytes(*restored), to_bytes(*walking_machine()));
}

TEST(CrossingMatrix, HoldsAllTransitionsWhichCostWhatItHasAlongThem) {
  const BuiltMachine& built = *walking_machine();
  for (const BuiltTransition& t : built.transitions) {
    const auto matrix = crossing_matrix(built, t.from, t.to);
    ASSERT_TRUE(matrix) << matrix.error().to_string();
    const auto seconds = [](const BuiltState& state, double phase) {
      return state.begin + phase * (state.end - state.begin);
    };
    const auto place = [](double at, double begin, double end, std::size_t count) {
      EXPECT_GE(at, begin - 1e-6);
      EXPECT_LE(at, end + 1e-6);
      return static_cast<std::size_t>(std::lround((at - begin) / (end - begin) * static_cast<double>(count - 1)));
    };
    double sum = 0;
    constexpr int kSteps = 9;
    for (int k = 0; k <= kSteps; ++k) {
      const double share = static_cast<double>(k) / kSteps;
      const double from = t.knots.front().from + share * (t.knots.back().from - t.knots.front().from);
      const double to = t.knots.front().to + share * (t.knots.back().to - t.knots.front().to);
      const auto& values = matrix->distances;
      sum += static_cast<double>(
          values.at(place(seconds(built.states[t.from], from), matrix->from_begin, matrix->from_end, values.rows),
                    place(seconds(built.states[t.to], to), matrix->to_begin, matrix->to_end, values.columns)));
    }
    EXPECT_NEAR(sum / (kSteps + 1), t.cost, 0.15 * t.cost + 1e-4);
  }
}

TEST_F(BuildTest, WarpsChangedAtOnceAreThoseOfBuildingAnew) {
  StateMachine machine = walking_machine()->machine;
  std::vector<behavior::MachineWarp> warps;
  for (behavior::MachineWarp& warp : machine.warps) {
    if (warp.from != kWalk || warp.to != kRun) continue;
    if (warps.empty()) {
      warp.pinned = true;
      for (behavior::WarpKnot& knot : warp.knots) knot.from += 0.02;
    } else if (warps.size() == 1) {
      warp.out = true;
    }
    warps.push_back(warp);
  }
  ASSERT_GT(warps.size(), 2u);
  const auto anew = build(*library_, machine);
  ASSERT_TRUE(anew) << anew.error().to_string();
  const auto changed = change_warps(*walking_machine(), kWalk, kRun, warps);
  ASSERT_TRUE(changed) << changed.error().to_string();
  ASSERT_EQ(changed->transitions.size(), anew->transitions.size());
  for (std::size_t t = 0; t < anew->transitions.size(); ++t) {
    const BuiltTransition &a = anew->transitions[t], &b = changed->transitions[t];
    EXPECT_TRUE(a.from == b.from && a.to == b.to && a.pinned == b.pinned) << t;
    ASSERT_EQ(a.knots.size(), b.knots.size());
    // Who stands can leave at nearly any moment alike: built anew, beside references that are held now, it may be one
    // frame sooner or later. What was changed is the same.
    const bool is_changed = a.from == kWalk && a.to == kRun;
    const BuiltState &from = anew->states[a.from], &to = anew->states[a.to];
    const double frame_of_from = 1 / (from.end - from.begin) / 30, frame_of_to = 1 / (to.end - to.begin) / 30;
    for (std::size_t k = 0; k < a.knots.size(); ++k) {
      EXPECT_NEAR(a.knots[k].from, b.knots[k].from, is_changed ? 1e-9 : 1.01 * frame_of_from) << t;
      EXPECT_NEAR(a.knots[k].to, b.knots[k].to, is_changed ? 1e-9 : 1.01 * frame_of_to) << t;
    }
    EXPECT_NEAR(a.cost, b.cost, is_changed ? 1e-6 : 0.05 * a.cost) << t;
    EXPECT_EQ(a.entries.size(), b.entries.size()) << t;
  }
  EXPECT_EQ(changed->machine.warps.size(), anew->machine.warps.size());
  EXPECT_FALSE(change_warps(*walking_machine(), kStop, kRun, {})) << "there is no such transition";
  EXPECT_FALSE(change_warps(*walking_machine(), kWalk, kWalk, {})) << "that fills the state anew";
}

TEST_F(BuildTest, ASelfTransitionMadeByHandIsTheCycleThatIsPlayed) {
  std::string text = kWalkingMachine;
  text += "reference run pinned: jog 1 3.5\nwarp run -> run pinned: 1.7 0.1, 2 0.4\n";
  const auto built = build(*library_, parse(text));
  ASSERT_TRUE(built) << built.error().to_string();
  EXPECT_NEAR(built->states[kRun].begin, 0.4, 1e-9);
  EXPECT_NEAR(built->states[kRun].end, 2, 1e-9);
  EXPECT_LT(ends_apart(built->states[kRun]), 0.01f);
  EXPECT_EQ(built->machine.states[kRun].reference.value().begin, 1);
}

TEST_F(BuildTest, BadInputIsToldByItsLine) {
  const std::string two = "state b: clip jog\ntransition a -> b\ntransition b -> a\ntransition b -> b self\n";
  EXPECT_THAT(error_of("machine m\nstate a: dance\n" + two),
              HasSubstr("m:2: nothing in the library is labelled 'dance'"));
  EXPECT_THAT(error_of("machine m\nstate a: clip dance\n" + two), HasSubstr("m:2: the library has no clip 'dance'"));
  EXPECT_THAT(error_of("machine m\nstate a: family dance\n" + two),
              HasSubstr("m:2: the library has no family 'dance'"));
  EXPECT_THAT(error_of("machine m\nstate a: family walks, clip jog\n" + two),
              HasSubstr("m:2: state 'a' is made of a family"));
  EXPECT_THAT(error_of("machine m\nstate a: clip idle-1\nstate b: clip jog\ntransition a -> b\n"),
              HasSubstr("m:3: the machine is not connected"));
  BuildOptions strict;
  strict.most_cycle_cost = 1e-9;
  EXPECT_THAT(error_of("machine m\nstate a: clip idle-1\n" + two, strict),
              HasSubstr("m:3: state 'b' is cyclic, but its motion has no usable self-transition"));
  EXPECT_THAT(error_of("machine m\nstate a: clip idle-1\n" + two + "warp a -> b: 90 0, 91 1\n"), HasSubstr("no error"))
      << "nobody holds it";
  EXPECT_THAT(error_of("machine m\nstate a: clip idle-1\n" + two + "warp a -> b pinned: 90 0, 91 1\n"),
              HasSubstr("m:7: a warp lies outside the motion of 'a'"));
  EXPECT_THAT(error_of("machine m\nstate a: clip idle-1\n" + two + "reference a pinned: jog 50 60\n"),
              HasSubstr("m:7: the library has no clip 'jog' with motion from 50"));
  BuildOptions wrong;
  wrong.transition_seconds = 9;
  EXPECT_THAT(error_of(kWalkingMachine, wrong), HasSubstr("0.05 to 2 seconds"));
}

TEST_F(BuildTest, StatesOfTwoBodiesAreRefused) {
  testing::TemporaryFolder folder;
  library::Library library = testing::walking_library(folder.file("two.loom"));
  motion::Clip other = testing::sample_set({"jog"}).clips[0];
  std::vector<motion::Joint> joints = other.skeleton->joints();
  for (motion::Joint& joint : joints) joint.offset *= 1.5f;
  other.name = "giant";
  other.skeleton =
      std::make_shared<const motion::Skeleton>(*motion::Skeleton::create(joints, other.skeleton->end_sites()));
  ASSERT_TRUE(library.add_clip(other));
  const auto built = build(library, parse("machine m\nstate a: clip idle-1\nstate b: clip giant\ntransition a -> b\n"
                                          "transition b -> a\n"));
  ASSERT_FALSE(built);
  EXPECT_THAT(built.error().to_string(), HasSubstr("m:3: state 'b' moves another body than state 'a'"));
}

TEST_F(BuildTest, IsKeptInALibraryAndLoadedAgain) {
  testing::TemporaryFolder folder;
  auto library = *library::Library::open_or_create(folder.file("m.loom"));
  EXPECT_THAT(load_built_machine(library, "m").error().to_string(), HasSubstr("m"));
  ASSERT_TRUE(store_built_machine(library, "m", *walking_machine(), "{}"));
  const auto loaded = load_built_machine(library, "m");
  ASSERT_TRUE(loaded) << loaded.error().to_string();
  EXPECT_EQ(to_bytes(**loaded), to_bytes(*walking_machine()));
}

TEST(FirstSteps, AreThoseOfTheCheapestWays) {
  Random random(11);
  for (int round = 0; round < 30; ++round) {
    StateMachine machine;
    const std::size_t states = 2 + random.index(8);
    machine.states.resize(states);
    for (std::size_t a = 0; a < states; ++a) {
      for (std::size_t b = 0; b < states; ++b) {
        if (a == b || random.index(3) != 0) continue;
        machine.transitions.push_back({a, b, behavior::Link::kPlain, static_cast<float>(random.uniform(0.1, 1)), {}});
      }
    }
    const std::vector<Edge> edges = edges_of(machine);
    const Ways ways(states, edges);
    std::vector<double> costs;
    for (const Edge& edge : edges) costs.push_back(edge.cost);
    const auto steps = first_steps(machine);
    for (std::size_t a = 0; a < states; ++a) {
      for (std::size_t b = 0; b < states; ++b) {
        const auto way = ways.cheapest(a, b, costs);
        if (a == b) continue;
        ASSERT_EQ(steps[a * states + b] == kNoWay, !way.has_value());
        if (!way) continue;
        EXPECT_EQ(steps[a * states + b], edges[way->front()].to) << round << ": " << a << " to " << b;
      }
    }
  }
}

TEST(ParametricEntries, IntoItselfAStateIsEnteredWithTheParametersItHas) {
  const BuiltState& walk = walking_machine()->states[kWalk];
  const std::vector<behavior::WarpKnot> same = {{0.2, 0.2}, {0.5, 0.5}};
  const auto entries = find_entries(walk, walk, same);
  ASSERT_TRUE(entries) << entries.error().to_string();
  ASSERT_GE(entries->size(), walk.space->size());
  for (const ParametricEntry& entry : *entries) {
    EXPECT_EQ(entry.best, entry.from);
    EXPECT_NEAR(entry.cost, 0, 1e-6);
    for (std::size_t d = 0; d < entry.best.size(); ++d) {
      EXPECT_LE(entry.least[d], entry.best[d]);
      EXPECT_GE(entry.most[d], entry.best[d]);
    }
  }
  // At a sample its own answer, between samples one between theirs; what is wanted inside the box stays.
  std::vector<double> at(entries->front().from.begin(), entries->front().from.end()), to(at.size());
  enter_at(*entries, at, to);
  for (std::size_t d = 0; d < at.size(); ++d) EXPECT_NEAR(to[d], at[d], 0.02);
  std::vector<double> far(at.size(), 1e3);
  bring_in(*entries, at, far);
  for (std::size_t d = 0; d < at.size(); ++d) EXPECT_LT(far[d], 10);
}

TEST(CloseCycle, LeavesWhatIsFarFromTheEndAsItWas) {
  const motion::Clip jog = testing::sample_set({"jog"}).clips[0];
  motion::Contacts contacts;
  contacts.planted.assign(jog.frames(), 0);
  const std::vector<behavior::WarpKnot> knots = {{2.0, 0.2}, {2.3, 0.5}};
  const ClosedMotion closed = close_cycle(jog, contacts, knots);
  EXPECT_EQ(closed.clip.frames(), 55u);
  EXPECT_EQ(closed.contacts.planted.size(), 55u);
  motion::Pose pose;
  for (std::size_t f = 0; f < 40; ++f) {
    motion::sample_pose(jog, 0.5 + static_cast<double>(f) / 30, pose);
    for (std::size_t j = 0; j < pose.rotations.size(); ++j) {
      EXPECT_LT(length(log_vector(pose.rotations[j] * conjugate(closed.clip.pose(f)[j]))), 0.01f);
    }
    EXPECT_LT(distance(pose.root, closed.clip.roots[f]), 1e-3f);
  }
}

}  // namespace
}  // namespace loom::machine
