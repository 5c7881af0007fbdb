// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/behavior/state_machine.h>
#include <loom/character/body_bytes.h>
#include <loom/character/transfer.h>
#include <loom/graph/stored_graph.h>
#include <loom/graph/walk.h>
#include <loom/packed/pack.h>
#include <loom/packed/performer.h>
#include <loom/play/segment_player.h>
#include <loom/policy/graph_policy_stream.h>
#include <loom/policy/stored_graph_policy.h>
#include <loom/policy/train.h>

#include "tests/packed/sample_packages.h"
#include "tests/temporary_folder.h"

namespace loom::packed {
namespace {

using ::testing::HasSubstr;
using Bytes = std::vector<std::byte>;

class Packed : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new testing::TemporaryFolder();
    library_ = new library::Library(testing::walking_library(folder_->file("walks.loom")));
  }
  static void TearDownTestSuite() {
    delete library_;
    delete folder_;
  }

  static std::shared_ptr<const PackedCharacter> again(const PackedCharacter& packed) {
    auto read = packed_character_from_bytes(to_bytes(packed));
    EXPECT_TRUE(read) << read.error().to_string();
    return std::make_shared<const PackedCharacter>(std::move(*read));
  }

  static float apart(Quat p, Quat q) {
    return std::max({std::abs(p.w - q.w), std::abs(p.x - q.x), std::abs(p.y - q.y), std::abs(p.z - q.z)});
  }

  /// How far apart two streams are in the first seconds: the largest difference of a root or of a quaternion's part.
  static float largest_difference(motion::MotionStream& a, motion::MotionStream& b, const motion::Control& control) {
    std::vector<Quat> p(a.skeleton()->size()), q(p.size());
    float largest = 0;
    for (int f = 0; f < 400; ++f) {
      motion::StreamPose one{{}, p, 0, {}}, other{{}, q, 0, {}};
      EXPECT_TRUE(a.next(control, one));
      EXPECT_TRUE(b.next(control, other));
      EXPECT_EQ(one.planted, other.planted);
      largest = std::max(largest, distance(one.root, other.root));
      for (std::size_t j = 0; j < p.size(); ++j) largest = std::max(largest, apart(p[j], q[j]));
    }
    return largest;
  }

  static inline testing::TemporaryFolder* folder_ = nullptr;
  static inline library::Library* library_ = nullptr;
};

TEST_F(Packed, AGraphPlaysAsItDoesInItsLibrary) {
  const auto packed = pack_graph(*library_, "plain").value();
  EXPECT_EQ(packed.kind, Kind::kGraph);
  const auto stored = graph::load_graph(*library_, "plain").value();
  EXPECT_EQ(packed.graph->nodes(), stored.graph->nodes());
  play::SegmentPlayer there(stored.motion, graph::Walk::create(stored.graph, *stored.motion, {}).value());
  auto here = play(*again(packed)).value();
  EXPECT_EQ(largest_difference(there, *here.stream, {}), 0);
}

TEST_F(Packed, ASteeredGraphAnswersAsItDoesInItsLibrary) {
  const auto packed = pack_graph(*library_, "steered").value();
  EXPECT_EQ(packed.kind, Kind::kSteeredGraph);
  const auto loaded = policy::load_graph_policy(*library_, "steered").value();
  auto there = policy::GraphPolicyStream::create(loaded.stored.graph, loaded.stored.motion, loaded.policy, {}).value();
  auto here = play(*again(packed)).value();
  motion::Control left;
  left.velocity = {1, 0, 0.5f};
  EXPECT_LT(largest_difference(*there, *here.stream, left), 1e-4f);
}

TEST_F(Packed, OnlyTheFramesThatAGraphNeedsAreKept) {
  auto stored = graph::load_graph(*library_, "plain").value();
  graph::MotionGraph graph = *stored.graph;
  take::TakeSet motion = *stored.motion;
  // As if pruning had left little of the first clip and nothing of the last.
  graph::MotionGraph small;
  small.rate = graph.rate;
  small.clips = graph.clips;
  small.add_run(0, 40, 50);
  for (std::uint32_t c = 1; c < graph.clips.size(); ++c) small.add_run(c, 0, c + 1 < graph.clips.size() ? 20 : 0);
  const std::uint32_t long_clip = graph.clips[0].frames;
  ASSERT_GT(long_clip, 90U);
  trim(small, motion);
  EXPECT_EQ(motion.clips[0].frames(), 70U) << "ten frames and a second to both sides";
  EXPECT_EQ(small.clips[0].begin, stored.graph->clips[0].begin + 10);
  EXPECT_EQ(small.runs[0].begin, 30U);
  EXPECT_EQ(motion.clips.back().frames(), 1U);
  for (std::size_t c = 0; c < motion.clips.size(); ++c) {
    EXPECT_EQ(motion.clips[c].frames(), small.clips[c].frames);
    EXPECT_TRUE(motion::validate(motion.clips[c]));
    EXPECT_EQ(motion.contacts[c].planted.size(), motion.clips[c].frames());
  }
  EXPECT_EQ(motion.clips[0].pose(30)[3], stored.motion->clips[0].pose(40)[3]) << "the same frames under new numbers";
}

TEST_F(Packed, MatchingPoliciesAndMachinesPlay) {
  std::vector<PackedCharacter> all;
  take::GatherOptions source;
  source.labels = {"walk", "idle"};
  all.push_back(pack_matching(*library_, source).value());
  policy::CutOptions sparse;
  sparse.step_seconds = 0.2;
  ASSERT_TRUE(project::cut_fragments(*library_, "pieces", sparse));
  project::PolicyOptions train;
  train.fragments = "pieces";
  train.bins = 8;
  train.discount = 0.9;
  policy::Trace trace;
  policy::ControlSpace usual = policy::usual_control_space();
  trace.flags = usual.flags;
  for (int i = 0; i < 20; ++i) {
    trace.times.push_back(0.3 * i);
    trace.signals.push_back(usual.bins[static_cast<std::size_t>(i) % usual.bins.size()]);
  }
  const auto trained = project::train_policy(*library_, "policy", train, {trace});
  ASSERT_TRUE(trained) << trained.error().to_string();
  all.push_back(pack_policy(*library_, "policy").value());
  const auto machine = behavior::parse_machine(testing::kMachineText, "small").value();
  ASSERT_TRUE(project::put_machine(*library_, "small", machine, "{}"));
  const auto built = project::build_machine(*library_, "small");
  ASSERT_TRUE(built) << built.error().to_string();
  all.push_back(pack_machine(*library_, "small").value());
  for (const PackedCharacter& packed : all) {
    const Bytes bytes = to_bytes(packed);
    const auto read = again(packed);
    EXPECT_EQ(to_bytes(*read), bytes) << "same character, same bytes";
    EXPECT_TRUE(read->body) << "the samples are people";
    auto here = play(*read).value(), there = play(packed).value();
    motion::Control ahead;
    ahead.velocity = {0, 0, 1.2f};
    ahead.behavior = packed.machine ? 1 : -1;
    EXPECT_EQ(largest_difference(*here.stream, *there.stream, ahead), 0) << to_string(packed.kind);
  }
}

TEST_F(Packed, WhatIsWrongWithAFileIsToldByItsKind) {
  const Bytes bytes = to_bytes(pack_graph(*library_, "steered").value());
  for (std::size_t size = 0; size < bytes.size(); size += 1 + bytes.size() / 53) {
    const auto read = packed_character_from_bytes(std::span(bytes).first(size));
    ASSERT_FALSE(read) << size;
    EXPECT_EQ(read.error().kind, size < 8 ? ErrorKind::kBadInput : ErrorKind::kDamaged) << size;
  }
  Bytes wrong = bytes;
  wrong[4] = std::byte{7};
  EXPECT_EQ(packed_character_from_bytes(wrong).error().kind, ErrorKind::kNewer);
  wrong = bytes;
  wrong[bytes.size() / 2] ^= std::byte{1};
  EXPECT_THAT(packed_character_from_bytes(wrong).error().message, HasSubstr("checksum"));
  EXPECT_EQ(packed_character_from_bytes(std::as_bytes(std::span("HIERARCHY"))).error().kind, ErrorKind::kBadInput);
}

TEST_F(Packed, WhateverLiesBehindTheChecksumIsPlayedOrRefused) {
  const Bytes bytes = to_bytes(pack_graph(*library_, "steered").value());
  Random random(5);
  std::size_t played = 0;
  for (int i = 0; i < 60; ++i) {
    Bytes wrong = bytes;
    const std::size_t near = i % 2 == 0 ? 400 : bytes.size();
    wrong[40 + random.index(near - 40)] ^= std::byte{1} << random.index(8);
    auto read = packed_character_from_bytes(wrong, false);
    if (!read) continue;
    ++played;
    const auto performer = Performer::create(std::make_shared<const PackedCharacter>(std::move(*read)));
    if (performer) {
      EXPECT_TRUE((*performer)->advance(0.5));
    }
  }
  EXPECT_GT(played, 0U) << "a bit of a pose does no harm";
}

TEST_F(Packed, ABodyComesBackOrIsRefused) {
  const auto packed = pack_graph(*library_, "plain").value();
  const Bytes bytes = character::to_bytes(*packed.body);
  const auto back = character::human_body_from_bytes(bytes);
  ASSERT_TRUE(back) << back.error().to_string();
  EXPECT_EQ(character::to_bytes(*back), bytes);
  for (std::size_t size = 0; size < bytes.size(); size += 7) {
    EXPECT_FALSE(character::human_body_from_bytes(std::span(bytes).first(size))) << size;
  }
  Random random(3);
  for (int i = 0; i < 500; ++i) {
    Bytes wrong = bytes;
    wrong[random.index(wrong.size())] = static_cast<std::byte>(random.index(256));
    if (const auto read = character::human_body_from_bytes(wrong)) {
      character::Transfer transfer = character::Transfer::between(*read, *packed.body);
      Vec3 root;
      std::vector<Quat> to(packed.body->skeleton->size());
      transfer.apply({0, 1, 0}, std::vector<Quat>(read->skeleton->size()), root, to);
    }
  }
}

class OnStage : public Packed {
 protected:
  static std::shared_ptr<const PackedCharacter> steered() {
    static const auto packed = again(pack_graph(*library_, "steered").value());
    return packed;
  }
};

TEST_F(OnStage, AtItsOwnRateItShowsThePosesOfItsStream) {
  PerformerOptions loose;
  loose.hold_feet = false;
  const auto performer = Performer::create(steered(), loose).value();
  auto player = play(*steered()).value();
  std::vector<Quat> rotations(player.stream->skeleton()->size());
  for (int f = 0; f < 200; ++f) {
    motion::StreamPose pose{{}, rotations, 0, {}};
    ASSERT_TRUE(player.stream->next({}, pose));
    EXPECT_EQ(performer->root(), pose.root) << f;
    EXPECT_EQ(performer->planted(), pose.planted);
    for (std::size_t j = 0; j < rotations.size(); ++j)
      ASSERT_LT(apart(performer->rotations()[j], rotations[j]), 1e-6f) << f;
    ASSERT_TRUE(performer->advance(1 / performer->rate()));
  }
}

TEST_F(OnStage, ManySmallStepsComeWhereFewLargeOnesDo) {
  const auto a = Performer::create(steered()).value(), b = Performer::create(steered()).value();
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(a->advance(0.1));
  for (int i = 0; i < 2000; ++i) ASSERT_TRUE(b->advance(0.001));
  EXPECT_LT(distance(a->root(), b->root()), 2e-3f);
  EXPECT_LT(angle_between(a->rotations()[5], b->rotations()[5]), 0.02f);
}

TEST_F(OnStage, ItIsPutAnywhereAndSteeredInTheWorld) {
  const auto here = Performer::create(steered()).value(), there = Performer::create(steered()).value();
  const motion::GroundFrame start = here->place();
  const motion::GroundFrame far{30, -20, 2};
  there->put(far * start);
  EXPECT_NEAR(there->place().x, (far * start).x, 1e-4f);
  motion::Control control, turned;
  control.velocity = {0.8f, 0, 1};
  turned.velocity = rotate(far.rotation(), control.velocity);
  here->control(control);
  there->control(turned);
  for (int f = 0; f < 240; ++f) {
    here->advance(1.0 / 60);
    there->advance(1.0 / 60);
  }
  const motion::GroundFrame expected = far * here->place();
  EXPECT_NEAR(there->place().x, expected.x, 0.02f);
  EXPECT_NEAR(there->place().z, expected.z, 0.02f);
  EXPECT_GT(distance(here->place().position(), start.position()), 0.5f) << "it has gone somewhere";
  // In its own space it stands over the origin.
  EXPECT_LT(std::hypot(there->model_root().x, there->model_root().z), 0.3f);
}

TEST_F(OnStage, FeetThatComeDownAndLabelsThatBeginAreTold) {
  const auto performer = Performer::create(again(pack_matching(*library_, {}).value())).value();
  motion::Control ahead;
  ahead.velocity = {0, 0, 1.2f};
  performer->control(ahead);
  int downs = 0, ups = 0, labels = 0, sources = 0;
  double last = 0;
  for (int f = 0; f < 600; ++f) {
    performer->advance(1.0 / 60);
    std::array<Event, 8> events;
    const std::size_t count = performer->take_events(events);
    for (const Event& event : std::span(events).first(count)) {
      downs += event.kind == Event::Kind::kFootDown ? 1 : 0;
      ups += event.kind == Event::Kind::kFootUp ? 1 : 0;
      labels += event.kind == Event::Kind::kLabelBegin ? 1 : 0;
      sources += event.kind == Event::Kind::kSource ? 1 : 0;
      EXPECT_GE(event.seconds, last);
      last = event.seconds;
    }
  }
  EXPECT_GT(downs, 10);
  EXPECT_LE(std::abs(downs - ups), 4);
  EXPECT_GT(labels, 0);
  EXPECT_GT(sources, 0);
}

TEST_F(OnStage, AReloadGoesOnFromWhereItStands) {
  const auto performer = Performer::create(steered()).value();
  motion::Control ahead;
  ahead.velocity = {0, 0, 1.2f};
  performer->control(ahead);
  performer->put({5, 7, 1});
  for (int f = 0; f < 100; ++f) performer->advance(1.0 / 60);
  take::GatherOptions source;
  source.labels = {"walk"};
  const auto other = again(pack_matching(*library_, source).value());
  const Vec3 before = performer->root();
  ASSERT_TRUE(performer->reload(other));
  performer->advance(1.0 / 60);
  EXPECT_LT(distance(performer->root(), before), 0.06f) << "it does not jump";
  for (int f = 0; f < 100; ++f) ASSERT_TRUE(performer->advance(1.0 / 60));
  EXPECT_EQ(performer->packed().kind, Kind::kMatching);
  // To a graph, which has another rate: begins there, where it stands.
  const motion::GroundFrame place = performer->place();
  ASSERT_TRUE(performer->reload(again(pack_graph(*library_, "plain").value())));
  EXPECT_NEAR(performer->place().x, place.x, 1e-3f);
  EXPECT_NEAR(performer->place().z, place.z, 1e-3f);
}

TEST_F(OnStage, TimeThatDoesNotPassOrPassesTooFastIsRefused) {
  const auto performer = Performer::create(steered()).value();
  const Vec3 root = performer->root();
  for (const double seconds : {-0.1, 10.5, std::nan(""), HUGE_VAL}) EXPECT_FALSE(performer->advance(seconds));
  EXPECT_TRUE(performer->advance(0));
  EXPECT_EQ(performer->root(), root);
  EXPECT_FALSE(performer->set_parameter(0, 0, 1)) << "it is no machine";
}

}  // namespace
}  // namespace loom::packed
