// SPDX-License-Identifier: MIT
// What is claimed of every kind of stream there is: it tells where it stands and what it hears, and a copy of it goes
// on as it would.
#include <cmath>
#include <functional>
#include <map>

#include <gtest/gtest.h>

#include <loom/behavior/state_director.h>
#include <loom/blend/align/pair_alignment.h>
#include <loom/blend/blend_stream.h>
#include <loom/blend/steps/step_walk.h>
#include <loom/fight/arena.h>
#include <loom/graph/walk.h>
#include <loom/machine/machine_player.h>
#include <loom/matching/matching.h>
#include <loom/play/hand_over.h>
#include <loom/play/layered_stream.h>
#include <loom/play/planting.h>
#include <loom/play/segment_player.h>
#include <loom/policy/fragment_stream.h>
#include <loom/policy/graph_policy_stream.h>
#include <loom/policy/stored_fragments.h>
#include <loom/sample/sample.h>

#include "tests/blend/sample_set.h"
#include "tests/fight/fighting.h"
#include "tests/graph/gliders.h"
#include "tests/machine/walking_machine.h"
#include "tests/policy/glide_library.h"
#include "tests/temporary_folder.h"

namespace loom {
namespace {

using testing::family_names;
using testing::sample_set;
using testing::SampleSet;
using Stream = std::unique_ptr<motion::MotionStream>;

std::shared_ptr<const take::TakeSet> sample_motion() {
  static const auto kMotion = []() -> std::shared_ptr<const take::TakeSet> {
    const std::vector<std::string> names = {"idle-1", "locomotion-01", "locomotion-03", "jog", "jump-up"};
    SampleSet set = sample_set(names);
    auto motion = std::make_shared<take::TakeSet>();
    motion->skeleton = set.clips.front().skeleton;
    motion->clips = std::move(set.clips);
    for (motion::Clip& clip : motion->clips) clip.skeleton = motion->skeleton;
    motion->contacts = std::move(set.contacts);
    return motion;
  }();
  return kMotion;
}

Stream matcher() {
  matching::MatchOptions options;
  options.flags = {policy::kAirborne};
  static const auto kFeatures = *matching::find_match_features(*sample_motion(), options);
  return *matching::MotionMatcher::create(sample_motion(), kFeatures);
}

/// Plays fragments in their order.
class InOrder final : public policy::Controller {
 public:
  explicit InOrder(std::size_t count) : count_(static_cast<std::uint32_t>(count)) {}
  std::uint32_t choose(std::uint32_t previous, const policy::ControlSignal& /*control*/) override {
    return (previous + 1) % count_;
  }
  [[nodiscard]] std::unique_ptr<policy::Controller> clone() const override { return std::make_unique<InOrder>(*this); }

 private:
  std::uint32_t count_;
};

Stream fragments() {
  const testing::TemporaryFolder folder;
  const library::Library library = testing::make_glide_library(folder.file("moves.loom"));
  const auto cut = *policy::cut_fragments(library, {});
  return *policy::FragmentStream::create(cut, std::make_unique<InOrder>(cut.set->size()));
}

Stream walk() {
  const testing::Gliders gliders = testing::make_gliders();
  return std::make_unique<play::SegmentPlayer>(gliders.motion,
                                               *graph::Walk::create(gliders.graph, *gliders.motion, {}));
}

Stream path() {
  std::vector<play::Segment> segments{{1, 10, 40, {}}, {2, 5, 60, {1, 2, 0.5f}}};
  return std::make_unique<play::SegmentPlayer>(sample_motion(),
                                               std::make_unique<play::SegmentList>(std::move(segments)));
}

Stream graph_policy() {
  const testing::Gliders gliders = testing::make_gliders();
  const auto& motion = gliders.motion;
  policy::GraphPolicyOptions options;
  options.headings = 8;
  const auto policy =
      std::make_shared<policy::GraphPolicy>(*policy::train_graph_policy(*gliders.graph, motion->tracks(), options));
  return *policy::GraphPolicyStream::create(gliders.graph, motion, policy);
}

Stream director() {
  return *behavior::StateDirector::create(testing::fighting().states, testing::fighting().motion, 3);
}

Stream fighter() {
  auto arena = fight::Arena::create(testing::fighting().states, testing::fighting().motion, {{"aggressive"}, {}});
  auto fighters = motion::split(std::make_shared<fight::Arena>(std::move(*arena)));
  return std::move(fighters.front());
}

Stream blended(const std::string& family, blend::BlendPlay play) {
  const SampleSet set = sample_set(family_names(family, 3));
  blend::AlignOptions options;
  for (const double stroke : set.strokes) options.strokes.push_back({stroke});
  auto alignment = *blend::align(set.clips, set.contacts, options);
  const auto space = *blend::BlendSpace::create(set.clips, set.contacts, std::move(alignment));
  return *blend::BlendStream::create(space, std::vector{0.5f, 0.2f, 0.3f}, play);
}

Stream retimed() {
  const SampleSet set = sample_set(family_names("locomotion", 2));
  const auto pair = *blend::PairAlignment::create(set.clips[0], set.clips[1], 30);
  return pair.retimed_stream(*pair.warp());
}

Stream footsteps() {
  const SampleSet set = sample_set({"locomotion-02", "locomotion-03", "locomotion-06", "locomotion-07", "walk-slow"});
  std::vector<blend::Footprint> prints;
  for (std::size_t k = 0; k < 5; ++k) {
    const bool left = k % 2 == 0;
    prints.push_back({{left ? 0.1f : -0.1f, 0.55f * static_cast<float>(k), 0}, left});
  }
  const auto steps = *blend::find_steps(set.clips, set.contacts);
  auto walk = *blend::walk_on_footprints(steps, prints);
  return std::make_unique<motion::RecordedStream>(std::move(walk.clip), std::move(walk.contacts));
}

Stream machine_of_behaviors() { return *machine::MachinePlayer::create(testing::walking_machine()); }

Stream layers() {
  const std::string chest = sample_motion()->skeleton->joints()[1].name;
  auto upper = matcher();
  std::vector<Quat> room(upper->skeleton()->size());
  motion::StreamPose pose{{}, room, 0, {}};
  for (int i = 0; i < 40; ++i) upper->next({{0, 0, 2}, 0, -1, 0}, pose);  // other moments than the legs'
  return *play::LayeredStream::create(matcher(), std::move(upper), chest);
}

Stream handed_over() {
  auto stream = std::make_unique<play::HandOverStream>(machine_of_behaviors());
  std::vector<Quat> room(stream->skeleton()->size());
  motion::StreamPose pose{{}, room, 0, {}};
  for (int i = 0; i < 20; ++i) stream->next({}, pose);
  EXPECT_TRUE(stream->hand_over(machine_of_behaviors()).has_value());
  return stream;
}

Stream recording() {
  return std::make_unique<motion::RecordedStream>(sample_motion()->clips[1], sample_motion()->contacts[1]);
}

/// A kind of stream and what it should say it hears.
struct Kind {
  std::function<Stream()> make;
  bool velocity = false, turn = false;
  std::string behavior{}, flag{};  ///< one of each that it should know; empty: none at all
};

const std::map<std::string, Kind>& kinds() {
  using blend::BlendPlay;
  static const std::map<std::string, Kind> kKinds = {
      {"walk", {walk}},
      {"path", {path}},
      {"fragments", {fragments, true, true, "", policy::kAirborne}},
      {"matching", {matcher, true, true, "", policy::kAirborne}},
      {"graph_policy", {graph_policy, true, true, "run", ""}},
      {"states", {director, false, false, "punch", ""}},
      {"fighter", {fighter, false, false, "kick", "forward"}},
      {"blend_once", {[] { return blended("reach", BlendPlay::kOnce); }}},
      {"blend_again", {[] { return blended("reach", BlendPlay::kAgain); }}},
      {"blend_hold", {[] { return blended("reach", BlendPlay::kHold); }}},
      {"blend_cycle", {[] { return blended("locomotion", BlendPlay::kCycle); }}},
      {"retimed", {retimed}},
      {"footsteps", {footsteps}},
      {"recording", {recording}},
      {"machine", {machine_of_behaviors, false, false, "walk", ""}},
      {"handed_over", {handed_over, false, false, "walk", ""}},
      {"layers", {layers, true, true, "", policy::kAirborne}},
      {"planted", {[] { return *play::planted(matcher(), *sample_motion()); }, true, true, "", policy::kAirborne}},
  };
  return kKinds;
}

class EveryStream : public ::testing::TestWithParam<std::string> {
 protected:
  [[nodiscard]] const Kind& kind() const { return kinds().at(GetParam()); }
};

/// Something to do for whoever listens.
motion::Control control_at(int pose) {
  motion::Control control;
  control.velocity = {0.3f, 0, pose < 30 ? 1.2f : 2.0f};
  control.turn_rate = pose % 40 < 20 ? 0.4f : -0.3f;
  control.behavior = pose / 25 % 3 - 1;
  return control;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

TEST_P(EveryStream, TellsWhatItHears) {
  const motion::Inputs inputs = kind().make()->inputs();
  EXPECT_EQ(inputs.velocity, kind().velocity);
  EXPECT_EQ(inputs.turn, kind().turn);
  EXPECT_EQ(inputs.behaviors.empty(), kind().behavior.empty());
  EXPECT_EQ(inputs.flags.empty(), kind().flag.empty());
  EXPECT_TRUE(kind().behavior.empty() || contains(inputs.behaviors, kind().behavior));
  EXPECT_TRUE(kind().flag.empty() || contains(inputs.flags, kind().flag));
}

TEST_P(EveryStream, TellsWhereItStands) {
  const Stream stream = kind().make();
  const motion::GroundFrameFinder finder(*stream->skeleton());
  std::vector<Quat> rotations(stream->skeleton()->size());
  motion::StreamPose pose{{}, rotations, 0, {}};
  int poses = 0;
  for (; poses < 80 && stream->next(control_at(poses), pose); ++poses) {
    const motion::GroundFrame shown = finder.find(pose.root, rotations[0]), told = stream->place();
    ASSERT_LT(distance(shown.position(), told.position()), 0.25f) << "pose " << poses;
    ASSERT_LT(std::abs(wrap_angle(shown.heading - told.heading)), 0.8f) << "pose " << poses;
    ASSERT_LT(pose.source.clip, stream->source_names().size());
  }
  EXPECT_GT(poses, 20);
}

TEST_P(EveryStream, ACopyGoesOnAsItWouldAndTakesNothingFromIt) {
  const Stream stream = kind().make(), alike = kind().make();
  std::vector<Quat> one(stream->skeleton()->size()), other(one.size());
  motion::StreamPose pose{{}, one, 0, {}}, same{{}, other, 0, {}};
  int at = 0;
  for (; at < 15; ++at) {
    ASSERT_TRUE(stream->next(control_at(at), pose));
    ASSERT_TRUE(alike->next(control_at(at), same));
  }
  const Stream copy = stream->clone();
  for (int p = at; p < at + 50; ++p) {  // the copy first, all of it
    if (!copy->next(control_at(p), same)) break;
  }
  const Stream second = stream->clone();
  for (int p = at; p < at + 50; ++p) {
    const bool goes_on = stream->next(control_at(p), pose);
    ASSERT_EQ(second->next(control_at(p), same), goes_on);
    if (!goes_on) break;
    ASSERT_EQ(pose.root, same.root) << "pose " << p;
    ASSERT_EQ(one, other) << "pose " << p;
    ASSERT_EQ(stream->place().heading, second->place().heading);
    ASSERT_TRUE(alike->next(control_at(p), same));
    ASSERT_EQ(pose.root, same.root) << "the first copy has moved it, pose " << p;
  }
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const auto& [name, kind] : kinds()) all.push_back(name);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Kinds, EveryStream, ::testing::ValuesIn(names()), [](const auto& made) { return made.param; });

}  // namespace
}  // namespace loom
