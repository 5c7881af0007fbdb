// SPDX-License-Identifier: MIT
// Characters on state graphs of the sample fighting motions: directed by hand, and fighting each other.
#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/behavior/state_director.h>
#include <loom/fight/activity_settings.h>
#include <loom/fight/arena.h>
#include <loom/fight/fighting_machine.h>
#include <loom/measure/body_measures.h>
#include <loom/measure/measure.h>
#include <loom/motion/kinematics.h>
#include <loom/polish/polished_stream.h>

#include "tests/fight/fighting.h"
#include "tests/temporary_folder.h"

namespace loom::fight {
namespace {

using testing::fighting;
using ::testing::HasSubstr;

std::uint32_t state(const char* name) {
  return static_cast<std::uint32_t>(*fighting().states->machine.find_state(name));
}

Result<Arena> arena(const std::vector<std::vector<std::string>>& styles, std::uint64_t seed = 1) {
  ArenaOptions options;
  options.seed = seed;
  return Arena::create(fighting().states, fighting().motion, styles, options);
}

TEST(StateDirector, GoesAtOnceAndComesBack) {
  auto director = behavior::StateDirector::create(fighting().states, fighting().motion, 3);
  ASSERT_TRUE(director) << director.error().to_string();
  std::vector<Quat> rotations((*director)->skeleton()->size());
  motion::StreamPose pose{{}, rotations, 0, {}};
  motion::Control control;
  const auto play = [&](const char* name, int frames) {
    control.behavior = static_cast<int>(state(name));
    std::vector<std::uint32_t> seen;
    for (int f = 0; f < frames; ++f) {
      EXPECT_TRUE((*director)->next(control, pose));
      seen.push_back((*director)->state());
    }
    return seen;
  };
  EXPECT_THAT(play("locomotion", 300), ::testing::Each(state("locomotion"))) << "it stays for as long as one likes";
  for (const char* name : {"punch", "kick", "evade"}) {
    const auto seen = play(name, 90);
    const auto begin = std::find(seen.begin(), seen.end(), state(name));
    ASSERT_NE(begin, seen.end()) << name;
    EXPECT_LT(begin - seen.begin(), 12) << name << " takes too long to come";
    EXPECT_EQ(seen.back(), state("locomotion")) << "one action, and back";
    EXPECT_THAT(play("locomotion", 30), ::testing::Each(state("locomotion")));
  }
}

TEST(StateDirector, IsSmoothAndTheSameForASeed) {
  const auto played = [](std::uint64_t seed) {
    auto director = behavior::StateDirector::create(fighting().states, fighting().motion, seed);
    return *motion::record(**director, 20, [](double time) {
      motion::Control control;
      control.behavior = static_cast<int>(state(static_cast<int>(time) % 3 == 2 ? "punch" : "locomotion"));
      return control;
    });
  };
  const motion::Recording one = played(5);
  EXPECT_EQ(one.clip.rotations, played(5).clip.rotations);
  EXPECT_NE(one.clip.rotations, played(6).clip.rotations);
  EXPECT_LT(measure::measure(one.clip, one.contacts).largest_jump_m, 0.2);
}

TEST(StateBody, PunchesStrikeWithFistsAndKicksWithFeet) {
  const behavior::StateGraph& states = *fighting().states;
  const auto body = StateBody::create(states, *fighting().motion);
  ASSERT_TRUE(body) << body.error().to_string();
  std::size_t punches = 0, kicks = 0;
  for (std::uint32_t n = 0; n < states.nodes.size(); ++n) {
    const auto& strike = body->strike(n);
    const bool foot = strike && (strike->limb == BodyPoint::kLeftFoot || strike->limb == BodyPoint::kRightFoot);
    if (states.nodes[n].state == state("punch") && strike) {
      EXPECT_FALSE(foot);
      ++punches;
    }
    if (states.nodes[n].state == state("kick")) {
      ASSERT_TRUE(strike);
      EXPECT_TRUE(foot);
      ++kicks;
    }
    EXPECT_FALSE(states.nodes[n].state == state("evade") && strike) << "a dodge is no blow";
  }
  EXPECT_GE(punches, 8u);
  EXPECT_GE(kicks, 6u);
}

TEST(Arena, TheSameSeedIsTheSameBout) {
  auto one = arena({{"aggressive"}, {"defensive"}}), two = arena({{"aggressive"}, {"defensive"}});
  auto other = arena({{"aggressive"}, {"defensive"}}, 2);
  const auto a = record(*one, 10), b = record(*two, 10), c = record(*other, 10);
  ASSERT_TRUE(a && b && c);
  EXPECT_EQ((*a)[0].clip.rotations, (*b)[0].clip.rotations);
  EXPECT_EQ((*a)[1].clip.roots, (*b)[1].clip.roots);
  EXPECT_NE((*a)[0].clip.rotations, (*c)[0].clip.rotations);
}

TEST(Arena, StylesDoWhatTheySay) {
  Tally aggressive, defensive, puncher, kicker;
  const auto add = [](Tally& sum, const Tally& tally) {
    sum.attacks += tally.attacks;
    sum.punches += tally.punches;
    sum.kicks += tally.kicks;
    sum.evasions += tally.evasions;
    sum.hits += tally.hits;
  };
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    auto first = arena({{"aggressive"}, {"defensive"}}, seed), second = arena({{"puncher"}, {"kicker"}}, seed);
    ASSERT_TRUE(first && second);
    for (int f = 0; f < 30 * 30; ++f) {
      first->step();
      second->step();
    }
    add(aggressive, first->tally(0));
    add(defensive, first->tally(1));
    add(puncher, second->tally(0));
    add(kicker, second->tally(1));
    EXPECT_GT(first->nearest(), 0.4f) << "they walk through each other";
  }
  EXPECT_GT(aggressive.attacks, 2 * defensive.attacks);
  EXPECT_GT(defensive.evasions, 2 * aggressive.evasions);
  EXPECT_GT(puncher.punches, 4 * puncher.kicks);
  EXPECT_GT(kicker.kicks, 4 * kicker.punches);
  EXPECT_GT(aggressive.hits, 0u);
}

TEST(Arena, StylesOfPriorityAloneDoWhatTheySay) {
  const behavior::StateMachine& machine = fighting().states->machine;
  Tally attack_first, evade_first, punch_only, kick_only;
  const auto add = [](Tally& sum, const Tally& tally) {
    sum.attacks += tally.attacks;
    sum.punches += tally.punches;
    sum.kicks += tally.kicks;
    sum.evasions += tally.evasions;
  };
  for (const char* name : {"attack-first", "evade-first", "punch-only", "kick-only"}) {
    const auto style = std::find_if(machine.styles.begin(), machine.styles.end(),
                                    [&](const behavior::Style& s) { return s.name == name; });
    ASSERT_NE(style, machine.styles.end()) << name;
    for (const behavior::Style::Change& change : style->changes) EXPECT_EQ(change.setting.name, "priority") << name;
  }
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    auto first = arena({{"attack-first"}, {"evade-first"}}, seed),
         second = arena({{"punch-only"}, {"kick-only"}}, seed);
    ASSERT_TRUE(first && second);
    for (int f = 0; f < 30 * 30; ++f) {
      first->step();
      second->step();
    }
    add(attack_first, first->tally(0));
    add(evade_first, first->tally(1));
    add(punch_only, second->tally(0));
    add(kick_only, second->tally(1));
  }
  EXPECT_GT(attack_first.attacks, evade_first.attacks);
  EXPECT_LT(attack_first.evasions, evade_first.evasions);
  EXPECT_GT(punch_only.punches, 4 * punch_only.kicks);
  // A take of kicks may have a fist in it that comes first, and counts as a punch.
  EXPECT_GT(kick_only.kicks, 4 * kick_only.punches);
}

TEST(Arena, NoActionIsBegunThatLastsTooLong) {
  const auto longest = [](const char* activity, float seconds) {
    auto states = std::make_shared<behavior::StateGraph>(*fighting().states);
    for (behavior::Activity& written : states->machine.activities) {
      for (behavior::NamedNumber& setting : written.settings) {
        if (written.name == activity && setting.name == "longest") setting.value = seconds;
      }
    }
    return Arena::create(states, fighting().motion, {{"aggressive"}, {"aggressive"}}).value();
  };
  // The shortest kick of the samples sets the limit: shorter than that, and none is begun.
  double shortest = 1e9;
  for (const behavior::StateNode& node : fighting().states->nodes) {
    if (node.state == state("kick"))
      shortest = std::min(shortest, (node.end - node.begin) / fighting().states->graph.rate);
  }
  ASSERT_GT(shortest, 0.2);
  Arena with = longest("kick", static_cast<float>(shortest + 1)),
        without = longest("kick", static_cast<float>(shortest - 0.05));
  for (int f = 0; f < 30 * 60; ++f) {
    with.step();
    without.step();
  }
  EXPECT_GT(with.tally(0).kicks + with.tally(1).kicks, 0u);
  EXPECT_EQ(without.tally(0).kicks + without.tally(1).kicks, 0u);
  EXPECT_GT(without.tally(0).punches, 0u) << "punches are not kicks";
}

TEST(Arena, AHitIsWhereTheLimbMeetsTheBodyAndBendsIt) {
  auto bout = arena({{"aggressive"}, {"aggressive"}}, 3);
  ASSERT_TRUE(bout);
  const auto recordings = record(*bout, 30);
  const auto events = bout->events();
  const auto hit =
      std::find_if(events.begin(), events.end(), [](const BoutEvent& e) { return e.kind == BoutEvent::Kind::kHit; });
  ASSERT_NE(hit, events.end());
  const auto finder = BodyFinder::create(*bout->skeleton());
  const auto places = [&](std::size_t fighter, std::size_t frame) {
    const auto points = motion::point_positions((*recordings)[fighter].clip, frame, frame + 1);
    return finder->find(points);
  };
  const auto frame = static_cast<std::size_t>(std::llround(hit->seconds * bout->rate()));
  const Vec3 limb = places(hit->fighter, frame)[static_cast<std::size_t>(hit->limb)];
  const Vec3 part = places(hit->other, frame)[static_cast<std::size_t>(hit->part)];
  // The limb may have passed the place of contact within the frame.
  EXPECT_LT(distance(limb, part), thickness(hit->limb) + thickness(hit->part) + hit->speed / 30);
  EXPECT_EQ(bout->tally(0).hits + bout->tally(1).hits,
            static_cast<std::size_t>(std::count_if(
                events.begin(), events.end(), [](const BoutEvent& e) { return e.kind == BoutEvent::Kind::kHit; })));
}

TEST(HitReaction, BendsAwayAndComesBack) {
  const motion::Skeleton& skeleton = *fighting().motion->skeleton;
  HitReaction reaction(fighting().motion->skeleton);
  std::vector<Quat> pose(skeleton.size()), world(skeleton.size());
  std::vector<Vec3> positions(skeleton.point_count());
  const auto head = [&] {
    std::vector<Quat> bent = pose;
    Vec3 root;
    reaction.apply(root, bent);
    motion::forward_kinematics(skeleton, root, bent, positions, world);
    return positions[static_cast<std::size_t>(motion::find_body(skeleton).head)];
  };
  const Vec3 before = head();
  reaction.take({BodyPoint::kHead, {0, 0, -6}, before, before}, world);
  reaction.step(0.12f);
  EXPECT_LT(head().z, before.z - 0.05f) << "a blow from the front throws the head back";
  for (int i = 0; i < 60; ++i) reaction.step(0.033f);
  EXPECT_LT(distance(head(), before), 1e-3f);
}

TEST(HitReaction, FeetStayWhereTheyAreWhileTheHipsSink) {
  const auto stance = sample::make_sample("fight-stance-1")->clip;
  const motion::Skeleton& skeleton = *stance.skeleton;
  HitReaction reaction(stance.skeleton);
  std::vector<Quat> world(skeleton.size());
  std::vector<Vec3> positions(skeleton.point_count());
  motion::forward_kinematics(skeleton, stance.roots[0], stance.pose(0), positions, world);
  const motion::Body body = motion::find_body(skeleton);
  const auto at = [&](int joint) { return positions[static_cast<std::size_t>(joint)]; };
  const std::array<Vec3, 2> before = {at(body.left_leg.end), at(body.right_leg.end)};
  reaction.take({BodyPoint::kChest, {0, 0, -9}, {}, {}}, world);
  float sunk = 0, moved = 0;
  for (int i = 0; i < 12; ++i) {
    reaction.step(1 / 30.0f);
    Vec3 root = stance.roots[0];
    std::vector<Quat> pose(stance.pose(0).begin(), stance.pose(0).end());
    reaction.apply(root, pose);
    motion::forward_kinematics(skeleton, root, pose, positions, world);
    sunk = std::max(sunk, stance.roots[0].y - root.y);
    moved = std::max({moved, distance(at(body.left_leg.end), before[0]), distance(at(body.right_leg.end), before[1])});
  }
  EXPECT_GT(sunk, 0.03f);
  EXPECT_LT(moved, 0.01f);
}

/// A fighter of the sample motions that stands at `stand`, in the first frame of the fighting stance that moves on.
Fighter fighter_at(const std::shared_ptr<const StateBody>& body, const motion::GroundFrame& stand, std::uint64_t seed) {
  const behavior::StateGraph& states = *fighting().states;
  const graph::Node start = states.nodes[states.nodes_of_state(state("locomotion"))[0]].begin;
  return {fighting().states,
          fighting().motion,
          body,
          *activities_in(states.machine, {}),
          {start, stand * inverse(body->ground(start))},
          seed};
}

std::shared_ptr<const StateBody> fighting_body() {
  static const auto body =
      std::make_shared<const StateBody>(*StateBody::create(*fighting().states, *fighting().motion));
  return body;
}

float turned_away(const Fighter& one, const Fighter& other) {
  const motion::GroundFrame own = one.stand();
  return std::abs(wrap_angle(bearing(own, other.stand()) - own.heading - fighting_body()->aim()));
}

TEST(Fighter, WithItsBackTurnedStepsRoundToFaceTheOther) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const auto body = fighting_body();
    // The other stands still, far enough away that nothing but turning makes sense.
    Fighter one = fighter_at(body, {0, 0, seed % 2 == 0 ? kPi : 2.5f}, seed);
    const Fighter other = fighter_at(body, {0, 3, kPi}, 100 + seed);
    ASSERT_GT(turned_away(one, other), 2.0f);
    int frames = 0, standing = 0;
    behavior::StatePlace before = one.place();
    for (; frames < 150 && turned_away(one, other) > 0.5f; ++frames) {
      if (one.must_decide(frames / 30.0)) one.decide(other, frames / 30.0);
      one.advance();
      one.face(other.stand());
      const graph::Node now = one.place().frame;
      standing = body->stands_on(now, true) && body->stands_on(now, false) ? standing + 1 : 0;
      // Once both feet have stood for a moment nothing spins on the spot.
      if (standing > 5 && now == before.frame + 1) {
        EXPECT_NEAR(one.place().world.heading, before.world.heading, 1e-4f) << "seed " << seed << ", frame " << frames;
      }
      before = one.place();
    }
    EXPECT_LT(frames, 120) << "seed " << seed << " takes more than 4 s";
  }
}

TEST(Arena, NeverPausesForLong) {
  const behavior::StateGraph& states = *fighting().states;
  for (std::uint64_t seed = 1; seed <= 16; ++seed) {
    auto bout = arena({{"aggressive"}, {"defensive"}}, seed), shy = arena({{"defensive"}, {"defensive"}}, seed);
    ASSERT_TRUE(bout && shy);
    for (Arena* one : {&*bout, &*shy}) {
      double still = 0, longest = 0;
      for (int f = 0; f < 120 * 30; ++f) {
        one->step();
        const auto busy = [&](std::size_t who) {
          return states.state_of[one->fighter(who).place().frame] != states.machine.default_state;
        };
        still = busy(0) || busy(1) ? 0 : still + 1 / one->rate();
        longest = std::max(longest, still);
      }
      EXPECT_LT(longest, 5) << "seed " << seed;
    }
  }
}

TEST(Arena, NobodyIsSeenInsideAnybody) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    auto bout = arena({{"aggressive"}, {"puncher"}}, seed);
    const auto recordings = record(*bout, 30);
    ASSERT_TRUE(recordings);
    const auto collision = measure::measure_collision((*recordings)[0].clip, (*recordings)[1].clip);
    ASSERT_TRUE(collision);
    EXPECT_LT(collision->share, 0.015) << "seed " << seed << ": " << collision->inside_m << " m, frame "
                                       << collision->frame;
    EXPECT_LT(collision->inside_m, 0.08) << "seed " << seed << ", frame " << collision->frame;
  }
}

TEST(Fighter, AnswersAHitByWhereAndHowHardItIs) {
  const auto body = fighting_body();
  const behavior::StateGraph& states = *fighting().states;
  ASSERT_FALSE(states.nodes_of_state(state("reaction")).empty());
  const std::vector<Quat> world(fighting().motion->skeleton->size());
  const Fighter other = fighter_at(body, {0, 1, kPi}, 9);
  const auto clip_after = [&](BodyPoint part, Vec3 blow, float feet = 0.05f) {
    Fighter one = fighter_at(body, {0, 0, -body->aim()}, 1);
    one.take({part, blow, {0, 1.5f, 0}, {0, 1.5f, 0}}, world, feet, other);
    return states.graph.clips[states.graph.clip_of(one.place().frame)].title();
  };
  // The one at the origin stands against +Z, and so is hit towards -Z from the front; +X is its left.
  EXPECT_EQ(clip_after(BodyPoint::kHead, {0, 0, -9}), "hit-head-hard");
  EXPECT_THAT(clip_after(BodyPoint::kHead, {0, 0, -2}), HasSubstr("light"));
  EXPECT_THAT(clip_after(BodyPoint::kAbdomen, {0, 0, -7}), ::testing::StartsWith("hit-body"));
  EXPECT_THAT(clip_after(BodyPoint::kHead, {6, 0, 0}), "hit-head-left");
  EXPECT_THAT(clip_after(BodyPoint::kHead, {-6, 0, 0}), "hit-head-right");
  EXPECT_THAT(clip_after(BodyPoint::kHead, {0, 0, -0.5f}), ::testing::Not(::testing::StartsWith("hit"))) << "a tap";
  EXPECT_THAT(clip_after(BodyPoint::kHead, {0, 0, -9}, 0.8f), ::testing::Not(::testing::StartsWith("hit")))
      << "whoever stands on one leg goes on";
}

TEST(Fighter, ReactsWithItsFeetWhereTheyStandThoughItsHipsAreElsewhere) {
  // In the midst of a punch both feet stand, and the hips are far from where a reaction begins.
  const auto body = fighting_body();
  const behavior::StateGraph& states = *fighting().states;
  const std::vector<Quat> world(fighting().motion->skeleton->size());
  const Fighter other = fighter_at(body, {0, 1, kPi}, 9);
  int punches = 0, reacted = 0;
  float slid = 0;
  for (const std::uint32_t node : states.nodes_of_state(state("punch"))) {
    const auto& strike = body->strike(node);
    if (!strike || !body->stands_on(strike->contact, true) || !body->stands_on(strike->contact, false)) continue;
    ++punches;
    Fighter one(fighting().states, fighting().motion, body, *activities_in(states.machine, {}),
                {strike->contact, motion::GroundFrame{0, 0, -body->aim()} * inverse(body->ground(strike->contact))}, 1);
    const auto foot = [&](BodyPoint which) {
      return transform(one.place().world, body->point(one.place().frame, which));
    };
    const Vec3 left = foot(BodyPoint::kLeftFoot), right = foot(BodyPoint::kRightFoot);
    one.take({BodyPoint::kHead, {0, 0, -5}, {0, 1.5f, 0}, {0, 1.5f, 0}}, world, 0.05f, other);
    if (states.state_of[one.place().frame] != state("reaction")) continue;
    ++reacted;
    slid = std::max({slid, distance(left, foot(BodyPoint::kLeftFoot)), distance(right, foot(BodyPoint::kRightFoot))});
  }
  ASSERT_GT(punches, 5);
  EXPECT_EQ(reacted, punches);
  EXPECT_LT(slid, 0.12f);
}

TEST(Arena, AtLeastAThirdOfHitsAreAnsweredByRecordedReactions) {
  const behavior::StateGraph& states = *fighting().states;
  std::size_t hits = 0, recorded = 0;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    auto bout = arena({{"aggressive"}, {"aggressive"}}, seed);
    ASSERT_TRUE(bout);
    while (bout->seconds() < 60) {
      const std::size_t before = bout->events().size();
      bout->step();
      for (const BoutEvent& event : bout->events().subspan(before)) {
        if (event.kind != BoutEvent::Kind::kHit) continue;
        ++hits;
        if (states.state_of[bout->fighter(event.other).place().frame] == state("reaction")) ++recorded;
      }
    }
  }
  EXPECT_GT(hits, 40u);
  EXPECT_GE(3 * recorded, hits);
}

TEST(Arena, AFootThatAJoinStillCarriesIsNotToldToStand) {
  auto bout = arena({{"aggressive"}, {"defensive"}}, 5);
  ASSERT_TRUE(bout);
  const auto body = fighting_body();
  const auto finder = BodyFinder::create(*bout->skeleton());
  motion::StreamPose pose;
  std::vector<Quat> rotations(bout->skeleton()->size()), world(rotations.size());
  std::vector<Vec3> positions(bout->skeleton()->point_count());
  for (int f = 0; f < 60 * 30; ++f) {
    bout->step();
    for (std::size_t who = 0; who < 2; ++who) {
      pose.rotations = rotations;
      bout->show(who, pose);
      motion::forward_kinematics(*bout->skeleton(), pose.root, rotations, positions, world);
      const BodyPlaces places = finder->find(positions);
      for (const auto& [foot, bits] : {std::pair{BodyPoint::kLeftFoot, 3}, std::pair{BodyPoint::kRightFoot, 12}}) {
        if ((pose.planted & bits) == 0) continue;
        const float own = body->point(bout->fighter(who).place().frame, foot).y;
        ASSERT_LT(places[static_cast<std::size_t>(foot)].y, own + 0.08f) << "fighter " << who << ", frame " << f;
      }
    }
  }
}

TEST(HitReaction, BeginsNoHarderThanBodiesDo) {
  const motion::Skeleton& skeleton = *fighting().motion->skeleton;
  const motion::Body body = motion::find_body(skeleton);
  HitReaction reaction(fighting().motion->skeleton);
  std::vector<Quat> world(skeleton.size());
  std::vector<Vec3> positions(skeleton.point_count());
  std::vector<float> way;
  const auto look = [&] {
    std::vector<Quat> pose(skeleton.size());
    Vec3 root;
    reaction.apply(root, pose);
    motion::forward_kinematics(skeleton, root, pose, positions, world);
    way.push_back(positions[static_cast<std::size_t>(body.head)].z);
  };
  look(), look();
  reaction.take({BodyPoint::kChest, {0, 0, -5}, {}, {}}, world);
  for (int f = 0; f < 30; ++f) reaction.step(1 / 30.0f), look();
  float farthest = 0, hardest = 0;
  for (std::size_t f = 1; f + 1 < way.size(); ++f) {
    farthest = std::max(farthest, std::abs(way[f] - way[0]));
    hardest = std::max(hardest, std::abs(way[f + 1] - 2 * way[f] + way[f - 1]) * 900);
  }
  EXPECT_GT(farthest, 0.08f);
  EXPECT_LT(hardest, 300 * farthest) << "metres a second squared";
}

TEST(HitReaction, IsTheLargerTheHarderAndTurnsWhereItIsHitBesideTheMiddle) {
  const motion::Skeleton& skeleton = *fighting().motion->skeleton;
  const motion::Body body = motion::find_body(skeleton);
  const auto pose_after = [&](const Hit& hit) {
    HitReaction reaction(fighting().motion->skeleton);
    std::vector<Quat> pose(skeleton.size()), world(skeleton.size());
    reaction.take(hit, world);
    reaction.step(0.13f);
    Vec3 root;
    reaction.apply(root, pose);
    std::vector<Vec3> positions(skeleton.point_count());
    motion::forward_kinematics(skeleton, root, pose, positions, world);
    return positions;
  };
  const auto at = [](const std::vector<Vec3>& positions, int joint) {
    return positions[static_cast<std::size_t>(joint)];
  };
  const auto none = pose_after({BodyPoint::kHead, {}, {}, {}});
  const auto gone = [&](BodyPoint part, float speed) {
    return at(none, body.head).z - at(pose_after({part, {0, 0, -speed}, {}, {}}), body.head).z;
  };
  EXPECT_GT(gone(BodyPoint::kHead, 8), 1.5f * gone(BodyPoint::kHead, 4));
  EXPECT_GT(gone(BodyPoint::kHead, 8), 0.2f) << "a hard blow is more than a lean";
  EXPECT_GT(gone(BodyPoint::kHead, 8), gone(BodyPoint::kChest, 8));
  EXPECT_LT(gone(BodyPoint::kAbdomen, 8), 0) << "folds over the fist";
  // Hit on its left from the front, the left shoulder goes back.
  const auto turned = pose_after({BodyPoint::kChest, {0, 0, -8}, {0.1f, 0, 0}, {}});
  EXPECT_LT(at(turned, body.left_arm.upper).z, at(turned, body.right_arm.upper).z - 0.02f);
}

TEST(Arena, AStreamThatIsPulledTwiceTakesNothingFromTheOthers) {
  const auto made = arena({{"aggressive"}, {"defensive"}});
  ASSERT_TRUE(made) << made.error().to_string();
  Arena whole = *made;
  const auto expected = *record(whole, 2);
  const auto fighters = motion::split(std::make_shared<Arena>(*made));
  std::vector<Quat> rotations(made->skeleton()->size());
  motion::StreamPose pose{{}, rotations, 0, {}};
  std::vector<std::size_t> shown(2);
  const auto pull = [&](std::size_t f) {
    ASSERT_TRUE(fighters[f]->next({}, pose));
    EXPECT_EQ(pose.root, expected[f].clip.roots[shown[f]]) << "fighter " << f << ", frame " << shown[f];
    ++shown[f];
  };
  for (int round = 0; round < 15; ++round) {
    for (const std::size_t f : {0, 0, 1, 0, 1, 1, 1, 0}) pull(f);
  }
  EXPECT_EQ(shown, (std::vector<std::size_t>{60, 60}));
}

TEST(Arena, FightersDoWhatTheirControlsAsk) {
  const auto made = arena({{}, {}});
  ASSERT_TRUE(made) << made.error().to_string();
  for (const Act act : {Act::kPunch, Act::kKick, Act::kEvade}) {
    Arena told = *made, steered = *made;
    std::vector<motion::Control> controls(2, control_of(FighterWish{}));
    for (const std::size_t f : {0, 1}) steered.steer(f, FighterWish{});
    for (int i = 0; i < 20; ++i) {
      told.step(controls);
      steered.step();
    }
    const FighterWish wish{Move::kForward, act};
    controls[0] = control_of(wish);
    steered.steer(0, wish);
    for (int i = 0; i < 60; ++i) {
      told.step(controls);  // the button stays down: that is one act
      steered.step();
    }
    EXPECT_EQ(told.place(0).x, steered.place(0).x);
    EXPECT_EQ(told.tally(0).attacks, steered.tally(0).attacks);
    EXPECT_EQ(told.tally(0).evasions, steered.tally(0).evasions);
  }
}

TEST(FighterWish, GoesThroughAControlUnchanged) {
  EXPECT_EQ(wish_of({}), std::nullopt);
  EXPECT_EQ(wish_of(control_of(std::nullopt)), std::nullopt);
  for (const Move move : {Move::kStay, Move::kForward, Move::kBack, Move::kLeft, Move::kRight}) {
    for (const Act act : {Act::kNothing, Act::kPunch, Act::kKick, Act::kEvade}) {
      EXPECT_EQ(wish_of(control_of(FighterWish{move, act})), (FighterWish{move, act}));
    }
  }
}

TEST(Arena, AFighterIsAStreamAndCanBePolished) {
  auto made = arena({{"aggressive"}, {"defensive"}, {}});
  ASSERT_TRUE(made) << made.error().to_string();
  const auto shared = std::make_shared<Arena>(std::move(*made));
  auto fighters = motion::split(shared);
  auto polished = polish::PolishedStream::create(std::move(fighters[2]));
  ASSERT_TRUE(polished);
  const auto recording = motion::record(**polished, 5);
  ASSERT_TRUE(recording);
  EXPECT_EQ(recording->clip.frames(), 151u);
  EXPECT_EQ(shared->frames(), 150u);
}

/// What one fighter of a bout does, with both in a player's hand and the other standing still.
class SteeredBout {
 public:
  explicit SteeredBout(std::uint64_t seed) : arena_(*arena({{}, {}}, seed)) {
    arena_.steer(1, FighterWish{});
    hold(Move::kStay, 20);
  }

  void hold(Move move, int frames) {
    arena_.steer(0, FighterWish{move, Act::kNothing});
    for (int f = 0; f < frames; ++f) arena_.step();
  }
  /// Steps until the fighter is in the state; how many that took, at most 60.
  int steps_until(const char* name) {
    int steps = 0;
    while (steps < 60 && now() != state(name)) {
      arena_.step();
      ++steps;
    }
    return steps;
  }
  std::uint32_t now() const { return fighting().states->state_of[arena_.fighter(0).place().frame]; }
  motion::GroundFrame stand() const { return arena_.fighter(0).stand(); }
  /// How far it went from `before`, towards the other and to its left.
  Vec3 gone(const motion::GroundFrame& before) const {
    const float ahead = bearing(before, arena_.fighter(1).stand());
    const float x = stand().x - before.x, z = stand().z - before.z;
    return {std::cos(ahead) * x - std::sin(ahead) * z, 0, std::sin(ahead) * x + std::cos(ahead) * z};
  }

  Arena arena_;
};

TEST(SteeredFighter, DoesAtOnceWhatItIsAsked) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    SteeredBout bout(seed);
    for (const auto& [act, name] : {std::pair{Act::kPunch, "punch"}, {Act::kKick, "kick"}, {Act::kEvade, "evade"}}) {
      bout.hold(seed % 2 == 0 ? Move::kStay : Move::kBack, 5);
      bout.arena_.steer(0, FighterWish{Move::kStay, act});
      EXPECT_LE(bout.steps_until(name), 4) << name << " takes too long to come";
      EXPECT_LT(bout.steps_until("locomotion"), 60) << "one action, and back";
    }
    const Tally& tally = bout.arena_.tally(0);
    EXPECT_EQ(tally.punches, 1u);
    EXPECT_EQ(tally.kicks, 1u);
    EXPECT_EQ(tally.evasions, 1u);
    EXPECT_EQ(bout.arena_.tally(1).attacks + bout.arena_.tally(1).evasions, 0u);
  }
}

TEST(SteeredFighter, StepsTheWayItIsAskedAndStands) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    SteeredBout bout(seed);
    const auto step = [&](Move move) {
      const motion::GroundFrame before = bout.stand();
      bout.hold(move, 40);
      return bout.gone(before);
    };
    EXPECT_LT(length(step(Move::kStay)), 0.15f);
    EXPECT_GT(step(Move::kForward).z, 0.25f);
    EXPECT_LT(step(Move::kBack).z, -0.25f);
    EXPECT_GT(step(Move::kLeft).x, 0.15f);
    EXPECT_LT(step(Move::kRight).x, -0.15f);
  }
}

TEST(SteeredFighter, KeepsGuardWhenNothingIsAsked) {
  auto bout = arena({{"aggressive"}, {"aggressive"}}, 4);
  bout->steer(0, FighterWish{});
  double turned = 0;
  for (int f = 0; f < 600; ++f) {
    bout->step();
    const motion::GroundFrame own = bout->fighter(0).stand();
    turned += std::abs(wrap_angle(bearing(own, bout->fighter(1).stand()) - own.heading));
  }
  EXPECT_EQ(bout->tally(0).attacks + bout->tally(0).evasions, 0u);
  EXPECT_GT(bout->tally(1).hits, 0u);
  EXPECT_LT(turned / 600, 0.9) << "it turns its back";
}

TEST(SteeredFighter, RemembersAKeyPressedInMidMoveForAMoment) {
  for (const int early : {6, 20}) {
    SteeredBout bout(2);
    bout.arena_.steer(0, FighterWish{Move::kStay, Act::kPunch});
    bout.steps_until("punch");
    const behavior::StateNode& node = fighting().states->nodes[bout.arena_.fighter(0).action()];
    const int frames = static_cast<int>(node.end - node.begin) - early;
    ASSERT_GT(frames, 0);
    for (int f = 0; f < frames; ++f) bout.arena_.step();
    bout.arena_.steer(0, FighterWish{Move::kLeft, Act::kKick});
    bout.arena_.steer(0, FighterWish{});  // another key let go does not take it back
    for (int f = 0; f < 40; ++f) bout.arena_.step();
    EXPECT_EQ(bout.arena_.tally(0).kicks, early == 6 ? 1u : 0u) << early << " frames before the end";
  }
}

TEST(SteeredFighter, IsAsItWasOnceItIsLetGo) {
  auto one = arena({{"aggressive"}, {"puncher", "kick=0.2"}}), two = arena({{"aggressive"}, {"puncher"}});
  one->steer(0, FighterWish{Move::kLeft, Act::kKick});
  one->steer(0, std::nullopt);
  ASSERT_TRUE(one->restyle(1, {"puncher"}));
  EXPECT_FALSE(one->restyle(1, {"shy"}));
  EXPECT_EQ((*record(*one, 10))[0].clip.rotations, (*record(*two, 10))[0].clip.rotations);
}

TEST(Wishes, AreAFileThatPlaysTheSameBout) {
  const std::vector<TimedWish> wishes = {
      {0, 0, {}, {}}, {6, 0, {Move::kForward, Act::kNothing}, {}}, {15, 0, {Move::kStay, Act::kPunch}, {}}};
  const auto read = parse_wishes(to_csv(wishes), "w.csv");
  ASSERT_TRUE(read) << read.error().to_string();
  EXPECT_EQ(*read, wishes);
  auto one = arena({{}, {}}), two = arena({{}, {}});
  for (std::uint64_t f = 0; f < 90; ++f) {
    for (const TimedWish& timed : wishes) {
      if (timed.frame == f) one->steer(0, timed.wish);
    }
    one->step();
  }
  const auto played = record(*two, 3, *read);
  ASSERT_TRUE(played);
  EXPECT_EQ(two->tally(0).punches, 1u);
  motion::StreamPose pose;
  std::vector<Quat> rotations(one->skeleton()->size());
  pose.rotations = rotations;
  one->show(0, pose);
  EXPECT_EQ(pose.root, (*played)[0].clip.roots.back());
  EXPECT_THAT(record(*two, 1, std::vector<TimedWish>{{0, 2, {}, {}}}).error().message, HasSubstr("fighter 3"));
  const auto error = [](const char* line) {
    return parse_wishes(std::string("frame,fighter,move,act\n7,1,stay,nothing\n") + line, "w.csv").error().to_string();
  };
  EXPECT_THAT(error("8,1,up,nothing"), HasSubstr("w.csv:3: 'up' is no move: stay, forward"));
  EXPECT_THAT(error("8,1,stay,bite"), HasSubstr("'bite' is no act"));
  EXPECT_THAT(error("8,0,stay,kick"), HasSubstr("the first is 1"));
  EXPECT_THAT(error("1.5,1,stay,kick"), HasSubstr("'1.5' is no frame"));
  EXPECT_THAT(error("6,1,stay,kick"), HasSubstr("ascend"));
  EXPECT_THAT(error("8,1,stay"), HasSubstr("expected 4 fields"));
  EXPECT_THAT(error("8,1,,,kick=1"), HasSubstr("expected 4 fields"));
  EXPECT_FALSE(parse_wishes("", "w.csv"));
}

TEST(Wishes, ChangeStylesWhileTheyFight) {
  const std::vector<TimedWish> wishes = {{0, 1, {Move::kBack, Act::kNothing}, {}},
                                         {45, 0, {}, "aggressive+kick=1"},
                                         {45, 1, {Move::kLeft, Act::kKick}, {}}};
  const auto read = parse_wishes(to_csv(wishes), "w.csv");
  ASSERT_TRUE(read) << read.error().to_string();
  EXPECT_EQ(*read, wishes);
  auto told = arena({{"defensive"}, {}}), played = arena({{"defensive"}, {}}), plain = arena({{"defensive"}, {}});
  told->steer(1, wishes[0].wish);
  for (int f = 0; f < 240; ++f) {
    if (f == 45) {
      ASSERT_TRUE(told->restyle(0, {"aggressive", "kick=1"}));
      told->steer(1, wishes[2].wish);
    }
    told->step();
  }
  const auto motion = record(*played, 8, *read),
             other = record(*plain, 8, std::vector<TimedWish>{wishes[0], wishes[2]});
  ASSERT_TRUE(motion && other);
  std::vector<Quat> rotations(told->skeleton()->size());
  motion::StreamPose pose{{}, rotations, 0, {}};
  told->show(0, pose);
  EXPECT_EQ(pose.root, (*motion)[0].clip.roots.back());
  EXPECT_NE(pose.root, (*other)[0].clip.roots.back()) << "the style makes a difference";

  EXPECT_THAT(record(*plain, 1, std::vector<TimedWish>{{900, 0, {}, "plain+shy"}}).error().message,
              HasSubstr("fighter 1 at frame 900: machine 'fighting' has no style 'shy'"));
  const auto error = [](const char* line) {
    return parse_wishes(std::string("frame,fighter,move,act,style\n7,1,stay,nothing,\n") + line, "w.csv")
        .error()
        .to_string();
  };
  EXPECT_THAT(error("8,1,stay,nothing,kick=1"), HasSubstr("w.csv:3: a line has a move and an act, or a style"));
  EXPECT_THAT(error("8,1,,,\"plain,kick=1\""), HasSubstr("'plain,kick=1' is no style of one fighter"));
  EXPECT_THAT(error("8,1,,,"), HasSubstr("'' is no move"));
  EXPECT_THAT(error("8,1,stay,nothing"), HasSubstr("expected 5 fields"));
}

TEST(Arena, RefusesWhatCannotFight) {
  EXPECT_THAT(arena({{"aggressive"}}).error().message, HasSubstr("two fighters"));
  EXPECT_THAT(arena({{"brave"}, {}}).error().message, HasSubstr("has no style 'brave'; it has: aggressive"));
}

}  // namespace
}  // namespace loom::fight
