// SPDX-License-Identifier: MIT
// A machine that was built, played by wishes.
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/machine/machine_player.h>
#include <loom/machine/meet.h>
#include <loom/machine/wish_script.h>
#include <loom/motion/kinematics.h>

#include "tests/count_allocations.h"
#include "tests/machine/walking_machine.h"

namespace loom::machine {
namespace {

using testing::walking_machine;

constexpr std::size_t kStandState = 0, kWalkState = 1, kRunState = 2, kStopState = 3, kJumpState = 4;

/// A player with room for its pose, that takes down how far joints go from pose to pose.
class Played {
 public:
  explicit Played(const PlayerOptions& options = {}, std::shared_ptr<const BuiltMachine> machine = walking_machine())
      : player(*MachinePlayer::create(std::move(machine), options)),
        rotations_(player->skeleton()->size()),
        points_(player->skeleton()->size() + player->skeleton()->end_sites().size()),
        before_(points_.size()),
        world_(rotations_.size()) {}

  void step(const motion::Control& control = {}) {
    motion::StreamPose pose{{}, rotations_, 0, {}};
    ASSERT_TRUE(player->next(control, pose));
    motion::forward_kinematics(*player->skeleton(), pose.root, rotations_, points_, world_);
    for (std::size_t p = 0; p < points_.size() && poses_ > 0; ++p) {
      fastest = std::max(fastest, distance(points_[p], before_[p]) * static_cast<float>(player->rate()));
    }
    before_ = points_;
    root = pose.root;
    planted = pose.planted;
    ++poses_;
  }
  void play(double seconds) {
    const int poses = static_cast<int>(std::round(seconds * player->rate()));
    for (int p = 0; p < poses; ++p) step();
  }
  /// Plays until a state is played alone; false where that takes longer than `seconds`.
  bool play_until(std::size_t state, double seconds = 20) {
    const int poses = static_cast<int>(seconds * player->rate());
    for (int p = 0; p < poses; ++p) {
      step();
      if (player->state() == state && player->mode() == Mode::kPlayback) return true;
    }
    return false;
  }
  [[nodiscard]] const std::vector<Quat>& rotations() const { return rotations_; }

  std::unique_ptr<MachinePlayer> player;
  [[nodiscard]] const std::vector<Vec3>& points() const { return points_; }

  Vec3 root;
  std::uint8_t planted = 0;
  float fastest = 0;  ///< of all joints, metres a second

 private:
  std::vector<Quat> rotations_;
  std::vector<Vec3> points_, before_;
  std::vector<Quat> world_;
  int poses_ = 0;
};

TEST(MachinePlayer, StaysInACycleAsLongAsNothingIsWanted) {
  Played played;
  played.play(30);
  EXPECT_EQ(played.player->state(), kStandState);
  EXPECT_EQ(played.player->mode(), Mode::kPlayback);
  EXPECT_TRUE(played.player->queue().empty());
  EXPECT_LT(played.fastest, 1.0f) << "standing, also where the cycle closes";
}

TEST(MachinePlayer, TellsWhatItIsMixedOfAndWhatItWeighed) {
  Played played;
  played.play(1);
  ASSERT_TRUE(played.player->wish({kWalkState}));
  const auto names = played.player->source_names();
  std::vector<Considered> weighed;
  bool went = false;
  for (int p = 0; p < 600 && !went; ++p) {
    weighed = played.player->considered(kWalkState);
    played.step();
    went = played.player->mode() == Mode::kTransition;
  }
  ASSERT_TRUE(went);
  ASSERT_FALSE(weighed.empty());
  EXPECT_EQ(weighed.front().transition, played.player->transition()) << "the cheapest is taken";
  for (std::size_t i = 1; i < weighed.size(); ++i) EXPECT_LE(weighed[i - 1].price, weighed[i].price);
  for (const Considered& one : weighed) EXPECT_GE(one.waits, 0);
  for (int p = 0; p < 90; ++p) {
    played.step();
    float sum = 0;
    for (const blend::BlendPart& part : played.player->parts()) {
      ASSERT_LT(part.at.clip, names.size());
      sum += part.share;
    }
    EXPECT_NEAR(sum, 1, 0.02f) << "in a transition and after it";
  }
}

TEST(MachinePlayer, GoesTheWholeWayToWhatIsWished) {
  Played played;
  ASSERT_TRUE(played.player->wish({kRunState}));
  played.step();
  std::vector<std::size_t> way(8);
  ASSERT_EQ(played.player->way(way), 2u);
  EXPECT_EQ(way[0], kWalkState);
  EXPECT_EQ(way[1], kRunState);
  std::vector<std::size_t> seen;
  std::vector<Mode> modes;
  for (int p = 0; p < 600 && played.player->answers() == 0; ++p) {
    played.step();
    if (seen.empty() || seen.back() != played.player->state()) seen.push_back(played.player->state());
    if (modes.empty() || modes.back() != played.player->mode()) modes.push_back(played.player->mode());
  }
  EXPECT_EQ(seen, (std::vector<std::size_t>{kStandState, kWalkState, kRunState}));
  EXPECT_EQ(played.player->last_answer().state, kRunState);
  EXPECT_GE(played.player->last_answer().reached, played.player->last_answer().delay);
  EXPECT_TRUE(played.player->queue().empty());
  EXPECT_THAT(modes, ::testing::Contains(Mode::kTransition));
}

TEST(MachinePlayer, AMotionThatEndsGoesOnToWhatFollowsIt) {
  Played played;
  ASSERT_TRUE(played.player->wish({kJumpState}));
  ASSERT_TRUE(played.play_until(kJumpState));
  float highest = 0;
  bool told = false;
  for (int p = 0; p < 300 && played.player->state() == kJumpState; ++p) {
    played.step();
    highest = std::max(highest, played.root.y);
    for (const Event& event : played.player->queue()) told = told || event.kind == Event::Kind::kInternal;
  }
  EXPECT_TRUE(told) << "the end of a motion is an event like any other";
  EXPECT_EQ(played.player->state(), kStandState);
  EXPECT_GT(highest, 1.05f) << "it has jumped";
  EXPECT_EQ(played.player->answers(), 1u) << "what follows is no wish that was answered";
}

TEST(MachinePlayer, ADifferentWishReplacesAndAQueuedOneWaits) {
  Played played;
  ASSERT_TRUE(played.player->wish({kRunState}));
  ASSERT_TRUE(played.player->wish({kWalkState}));
  EXPECT_EQ(played.player->queue().size(), 1u);
  ASSERT_TRUE(played.player->wish({kStopState}, Wishing::kQueue));
  EXPECT_EQ(played.player->queue().size(), 2u);
  ASSERT_TRUE(played.play_until(kStopState));
  EXPECT_EQ(played.player->answers(), 2u);
  ASSERT_TRUE(played.player->wish({kRunState}));
  played.player->drop_wishes();
  ASSERT_TRUE(played.play_until(kStandState));
  played.play(5);
  EXPECT_EQ(played.player->state(), kStandState);
  EXPECT_EQ(played.player->answers(), 2u);
}

TEST(MachinePlayer, AWishThatWaitsTooLongIsDropped) {
  Played played;
  ASSERT_TRUE(played.player->wish({kJumpState}));
  ASSERT_TRUE(played.play_until(kJumpState));
  Wish wish{kWalkState};
  wish.give_up_after = 0.1;  // a jump takes longer
  ASSERT_TRUE(played.player->wish(wish));
  played.play(0.3);
  EXPECT_TRUE(played.player->queue().empty());
  EXPECT_EQ(played.player->given_up(), 1u);
  EXPECT_EQ(played.player->state(), kJumpState);
}

TEST(MachinePlayer, RefusesWhatCannotBe) {
  Played played;
  EXPECT_FALSE(played.player->wish({17}));
  Wish wish{kStandState};
  wish.parameter_count = 1;
  EXPECT_FALSE(played.player->wish(wish)) << "it has no parameters";
  wish.state = kWalkState;
  wish.parameters[0].value = std::nan("");
  EXPECT_FALSE(played.player->wish(wish));
  EXPECT_TRUE(played.player->queue().empty());
  EXPECT_FALSE(played.player->set_parameter(kWalkState, {9, 0}));
  for (std::size_t w = 0; w < MachinePlayer::kMostEvents; ++w)
    EXPECT_TRUE(played.player->wish({kWalkState}, Wishing::kQueue));
  EXPECT_FALSE(played.player->wish({kWalkState}, Wishing::kQueue));
  PlayerOptions options;
  options.start = 9;
  EXPECT_FALSE(MachinePlayer::create(walking_machine(), options));
}

TEST(MachinePlayer, ParametersTakeEffectAtOnce) {
  const StateParameters& parameters = *walking_machine()->states[kWalkState].parameters;
  std::size_t turn = 0;
  while (parameters.space.parameters[turn].name != "turn") ++turn;
  Played played;
  ASSERT_TRUE(played.player->wish({kWalkState}));
  ASSERT_TRUE(played.play_until(kWalkState));
  played.play(1);
  // The example that turns most.
  const blend::ExamplePoints& points = parameters.points->points();
  std::vector<double> wanted(points.dimensions, 0.0), values(points.dimensions);
  for (std::size_t i = 0; i < points.size(); ++i) {
    parameters.space.to_values(points[i], values);
    if (values[turn] > wanted[turn]) wanted = values;
  }
  const double before = played.player->parameters(kWalkState)[turn], most = wanted[turn];
  for (std::size_t p = 0; p < wanted.size(); ++p) ASSERT_TRUE(played.player->set_parameter(kWalkState, {p, wanted[p]}));
  played.step();
  EXPECT_GT(played.player->parameters(kWalkState)[turn], before + 0.03 * (most - before));
  played.play(1);
  EXPECT_NEAR(played.player->parameters(kWalkState)[turn], most, 0.02 * std::abs(most - before));
  const float heading = played.player->place().heading;
  const double cycle = walking_machine()->states[kWalkState].end - walking_machine()->states[kWalkState].begin;
  played.play(cycle);
  const double turned = static_cast<double>(wrap_angle(played.player->place().heading - heading)) * 180 / 3.14159265;
  EXPECT_NEAR(turned, cycle * most, 0.2 * cycle * most) << "it goes as the parameter says";
}

TEST(MachinePlayer, NothingJumpsWhateverIsWished) {
  for (const bool parametric : {true, false}) {
    PlayerOptions options;
    options.parametric = parametric;
    options.rate = 60;
    Played played(options);
    const std::size_t order[] = {kWalkState, kRunState,  kWalkState,  kStopState, kJumpState, kWalkState,
                                 kRunState,  kStopState, kStandState, kJumpState, kRunState};
    for (const std::size_t state : order) {
      ASSERT_TRUE(played.player->wish({state}));
      played.play(1.7);
    }
    EXPECT_GT(played.player->answers(), 7u);
    EXPECT_LT(played.fastest, 12.0f) << "a foot of who runs or jumps goes at 7 m/s or so";
  }
}

TEST(MachinePlayer, HearsTheBehaviorOfAControl) {
  Played played;
  motion::Control control;
  control.behavior = static_cast<int>(kWalkState);
  for (int p = 0; p < 300 && played.player->state() != kWalkState; ++p) played.step(control);
  EXPECT_EQ(played.player->state(), kWalkState);
  EXPECT_EQ(played.player->inputs().behaviors[kWalkState], "walk");
}

TEST(MachinePlayer, SinglePointsWaitLonger) {
  double waits[2] = {};
  for (const bool single : {false, true}) {
    PlayerOptions options;
    options.single_point = single;
    Played played(options);
    for (int w = 0; w < 24; ++w) {
      played.play(0.37 + 0.11 * (w % 7));
      ASSERT_TRUE(played.player->wish({w % 2 == 0 ? kWalkState : kRunState}));
      const std::size_t answers = played.player->answers();
      for (int p = 0; p < 600 && played.player->answers() == answers; ++p) played.step();
      ASSERT_EQ(played.player->answers(), answers + 1);
      waits[single ? 1 : 0] += played.player->last_answer().delay;
    }
  }
  EXPECT_LT(waits[0], waits[1]);
}

TEST(MachinePlayer, AllocatesNothingWhileItPlays) {
  Played played;
  played.play(1);
  const std::size_t before = testing::allocations;
  ASSERT_TRUE(played.player->wish({kRunState}));
  motion::StreamPose pose{{}, {}, 0, {}};
  std::vector<Quat> rotations(played.player->skeleton()->size());
  const std::size_t own = testing::allocations;
  pose.rotations = rotations;
  for (int p = 0; p < 900; ++p) {
    if (p == 300) played.player->wish({kJumpState});
    if (p == 500) played.player->wish({kWalkState});
    if (p == 700) played.player->set_parameter(kWalkState, {1, 20});
    played.player->next({}, pose);
  }
  EXPECT_EQ(testing::allocations, own);
  EXPECT_LE(own - before, 4u);
  EXPECT_GE(played.player->answers(), 3u);
}

TEST(MachinePlayer, ACopyGoesOnAsItWould) {
  Played one;
  ASSERT_TRUE(one.player->wish({kRunState}));
  one.play(1.5);
  const auto copy = one.player->clone();
  std::vector<Quat> rotations(copy->skeleton()->size());
  motion::StreamPose pose{{}, rotations, 0, {}};
  for (int p = 0; p < 200; ++p) {
    one.step();
    ASSERT_TRUE(copy->next({}, pose));
    ASSERT_EQ(pose.root, one.root);
    ASSERT_EQ(rotations, one.rotations());
  }
}

TEST(MachinePlayer, PlaysTheSameFromBytes) {
  const auto bytes = to_bytes(*walking_machine());
  auto read = built_machine_from_bytes(bytes);
  ASSERT_TRUE(read) << read.error().to_string();
  EXPECT_EQ(to_bytes(*read), bytes);
  Played one, other({}, std::make_shared<const BuiltMachine>(std::move(*read)));
  ASSERT_TRUE(one.player->wish({kRunState}));
  ASSERT_TRUE(other.player->wish({kRunState}));
  for (int p = 0; p < 200; ++p) {
    one.step();
    other.step();
    ASSERT_EQ(one.root, other.root) << "pose " << p;
    ASSERT_EQ(one.rotations(), other.rotations()) << "pose " << p;
  }
}

TEST(BuiltMachine, DamageIsRefusedOrCanBePlayed) {
  const auto bytes = to_bytes(*walking_machine());
  for (std::size_t size = 0; size < bytes.size(); size += 1 + bytes.size() / 60) {
    EXPECT_FALSE(built_machine_from_bytes(std::span(bytes).first(size))) << size;
  }
}

TEST(MachinePlayer, FeetThatAreToldToStandInATransitionAreNotSwung) {
  Played played;
  const auto feet = *motion::find_foot_points(*played.player->skeleton());
  Random random(5);
  float fastest = 0;
  int standing = 0;
  std::vector<Vec3> before = played.points();
  std::uint8_t stood = 0;
  for (int p = 0; p < 30 * 120; ++p) {
    if (p % 60 == 0) played.player->wish({random.index(5)});
    played.step();
    const std::uint8_t both = stood & played.planted;
    for (std::size_t part = 0; part < feet.size(); ++part) {
      if (played.player->mode() != Mode::kTransition || (both >> part & 1) == 0) continue;
      const auto point = static_cast<std::size_t>(feet[part]);
      const Vec3 gone = played.points()[point] - before[point];
      fastest = std::max(fastest, std::hypot(gone.x, gone.z) * static_cast<float>(played.player->rate()));
      ++standing;
    }
    before = played.points();
    stood = played.planted;
  }
  EXPECT_GT(standing, 50);
  // From one spot to another 15 cm away within 0.3 s is 0.75 m/s at its fastest; a foot that swings goes at 2 and more.
  EXPECT_LT(fastest, 1.2f);
}

TEST(MachinePlayer, NoBlendedFootThatGoesIsToldToStand) {
  Played played;
  const auto feet = *motion::find_foot_points(*played.player->skeleton());
  Random random(9);
  int standing = 0;
  std::vector<Vec3> before = played.points();
  bool was_blended = false;
  for (int p = 0; p < 30 * 120; ++p) {
    // Turns and speeds that change all the time, where examples agree least.
    if (p % 45 == 0) {
      Wish wish{kWalkState};
      const auto& parameters = *walking_machine()->states[kWalkState].parameters;
      for (std::size_t n = 0; n < parameters.space.size(); ++n) {
        wish.parameters[wish.parameter_count++] = {n, random.uniform(parameters.least[n], parameters.most[n])};
      }
      played.player->wish(wish);
    }
    played.step();
    const bool blended = played.player->mode() == Mode::kTransition || played.player->state() == kWalkState;
    for (std::size_t part = 0; part < feet.size(); ++part) {
      if (!blended || !was_blended || (played.planted >> part & 1) == 0) continue;
      const auto point = static_cast<std::size_t>(feet[part]);
      const Vec3 gone = played.points()[point] - before[point];
      EXPECT_LE(std::hypot(gone.x, gone.z) * static_cast<float>(played.player->rate()), 0.81f) << p;
      ++standing;
    }
    before = played.points();
    was_blended = blended;
  }
  EXPECT_GT(standing, 2000) << "who walks stands on one foot or the other nearly always";
}

TEST(LikestPhase, OfAPoseOfTheStateItselfIsItsOwn) {
  for (const std::size_t state : {kWalkState, kRunState}) {
    const BuiltState& built = walking_machine()->states[state];
    blend::Blender blender(built.space);
    std::vector<float> weights(built.space->size(), 0.0f);
    weights[built.space->alignment().reference] = 1;
    blender.set_weights(weights);
    const double frame = 1 / built.space->rate();
    for (const double phase : {0.2, 0.45, 0.7, 0.9}) {
      std::vector<Quat> before(built.space->skeleton()->size()), now(before.size());
      motion::StreamPose one{{}, before, 0, {}}, two{{}, now, 0, {}};
      blender.pose(blender.seconds_at(phase) - frame, one);
      blender.pose(blender.seconds_at(phase), two);
      const double found = likest_phase(built, {one.root, two.root, before, now, frame});
      // A cycle may be several strides, each as good as the other: it is the pose that counts.
      std::vector<Quat> there(now.size());
      motion::StreamPose met{{}, there, 0, {}};
      blender.pose_at(found, met);
      for (std::size_t j = 1; j < now.size(); ++j) {
        EXPECT_LT(length(log_vector(there[j] * conjugate(now[j]))), 0.3f) << built.name << " " << phase << " " << j;
      }
    }
  }
}

TEST(LikestPhase, OfAMotionThatEndsLiesInItsFirstThird) {
  const BuiltState& stop = walking_machine()->states[kStopState];
  std::vector<Quat> now(stop.space->skeleton()->size());
  motion::StreamPose pose{{}, now, 0, {}};
  blend::Blender blender(stop.space);
  blender.set_weights(std::vector<float>(1, 1.0f));
  blender.pose_at(0.9, pose);
  EXPECT_LE(likest_phase(stop, {pose.root, pose.root, now, now, 1.0 / 30}), 0.34);
}

TEST(MachinePlayer, BeginsAtThePhaseThatIsAskedFor) {
  PlayerOptions options;
  options.start = kWalkState;
  options.start_phase = 0.4;
  Played played(options);
  played.step();
  EXPECT_NEAR(played.player->phase(), 0.4, 1e-9);
  options.start_phase = 1;
  EXPECT_FALSE(MachinePlayer::create(walking_machine(), options));
}

TEST(WishScript, NamesBehaviorsOfOtherMachines) {
  const auto other = walking_machine();
  const auto find = [&](const std::string& name) -> Result<std::shared_ptr<const BuiltMachine>> {
    if (name == "second") return other;
    return fail("there is no machine '" + name + "'");
  };
  const auto wishes = parse_wish_script("1,walk\n2,second:run\n3,walk\n", "w.csv", *walking_machine(), find);
  ASSERT_TRUE(wishes) << wishes.error().to_string();
  EXPECT_EQ((*wishes)[0].machine, nullptr);
  EXPECT_EQ((*wishes)[1].machine, other);
  EXPECT_EQ((*wishes)[1].machine_name, "second");
  EXPECT_EQ((*wishes)[1].wish.state, kRunState);
  const auto error = [&](const std::string& text, const MachineFinder& others) {
    return parse_wish_script(text, "w.csv", *walking_machine(), others).error().to_string();
  };
  EXPECT_THAT(error("1,third:run\n", find), ::testing::HasSubstr("w.csv:1: there is no machine 'third'"));
  EXPECT_THAT(error("1,second:fly\n", find), ::testing::HasSubstr("w.csv:1: there is no state 'fly'"));
  EXPECT_THAT(error("1,second:run\n", {}), ::testing::HasSubstr("w.csv:1: there is no state 'second:run'"));
}

}  // namespace
}  // namespace loom::machine
