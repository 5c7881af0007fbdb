// SPDX-License-Identifier: MIT
// Poses between two clips: what stands still in both stands still, what falls in both falls, all else is a blend.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/motion/kinematics.h>
#include <loom/motion/stand_on_floor.h>
#include <loom/take/mix.h>

#include "tests/make_walk.h"

namespace loom::take {
namespace {

using ::testing::HasSubstr;

TakeSet two_walks() {
  TakeSet set;
  for (const double speed : {1.0, 1.5}) {
    testing::Gait gait;
    gait.speed = speed;
    set.clips.push_back(testing::make_gait(gait).clip);
    set.contacts.push_back(motion::stand_on_floor(set.clips.back()));
  }
  set.skeleton = set.clips[0].skeleton;
  set.clips[1].skeleton = set.skeleton;
  return set;
}

Mix random_mix(Random& random) {
  Mix mix{0, 1, static_cast<float>(random.uniform(0, 1)), {}, {}};
  mix.alignment = {static_cast<float>(random.uniform(-3, 3)), static_cast<float>(random.uniform(-3, 3)),
                   static_cast<float>(random.uniform(-3, 3))};
  FrameMatch knot{static_cast<float>(random.index(10)), static_cast<float>(random.index(10))};
  for (std::size_t k = 0; k < 2 + random.index(4); ++k) {
    mix.knots.push_back(knot);
    knot.a += static_cast<float>(random.uniform(1, 10));
    knot.b += static_cast<float>(random.uniform(1, 10));
  }
  return mix;
}

/// The frames that make up frame `frame`, by walking along the time map in tiny steps.
FrameMatch walked_to(const Mix& mix, std::uint32_t frame) {
  const double w = static_cast<double>(mix.weight);
  double gone = 0;
  for (std::size_t k = 1; k < mix.knots.size(); ++k) {
    const FrameMatch &low = mix.knots[k - 1], &high = mix.knots[k];
    const double of_a = static_cast<double>(high.a - low.a), of_b = static_cast<double>(high.b - low.b);
    constexpr int kSteps = 100000;
    for (int s = 0; s < kSteps; ++s) {
      if (gone >= frame) {
        const double share = static_cast<double>(s) / kSteps;
        return {static_cast<float>(static_cast<double>(low.a) + of_a * share),
                static_cast<float>(static_cast<double>(low.b) + of_b * share)};
      }
      gone += std::sqrt((1 - w) * of_a * of_a + w * of_b * of_b) / kSteps;
    }
  }
  return mix.knots.back();
}

/// A rotation on the great circle between two, from their angle alone.
Quat between(Quat p, Quat q, double t) {
  double cosine = static_cast<double>(dot(p, q));
  const double sign = cosine < 0 ? -1 : 1;
  cosine = std::min(1.0, std::abs(cosine));
  const double angle = std::acos(cosine);
  const double wp = angle < 1e-6 ? 1 - t : std::sin((1 - t) * angle) / std::sin(angle);
  const double wq = sign * (angle < 1e-6 ? t : std::sin(t * angle) / std::sin(angle));
  const auto sum = [&](float x, float y) {
    return static_cast<float>(wp * static_cast<double>(x) + wq * static_cast<double>(y));
  };
  return normalized(Quat{sum(p.w, q.w), sum(p.x, q.x), sum(p.y, q.y), sum(p.z, q.z)});
}

/// A clip at one moment, between its frames, carried by `by`.
motion::Clip moment(const motion::Clip& clip, float at, const motion::GroundFrame& by) {
  const auto whole = static_cast<std::size_t>(at);
  const std::size_t next = std::min(whole + 1, clip.frames() - 1);
  const double share = static_cast<double>(at) - static_cast<double>(whole);
  motion::Clip pose{"moment", clip.skeleton, clip.rate, {}, {}, {}};
  pose.roots = {clip.roots[whole] + (clip.roots[next] - clip.roots[whole]) * static_cast<float>(share)};
  for (std::size_t j = 0; j < clip.joints(); ++j) {
    pose.rotations.push_back(between(clip.pose(whole)[j], clip.pose(next)[j], share));
  }
  motion::move(pose, by);
  return pose;
}

/// Where all points of a pose are.
std::vector<Vec3> points_of(const motion::Clip& pose) {
  std::vector<Vec3> positions(pose.skeleton->point_count());
  std::vector<Quat> world(pose.joints());
  motion::forward_kinematics(*pose.skeleton, pose.roots[0], pose.pose(0), positions, world);
  return positions;
}

TEST(Mix, PlaysBothClipsAlongItsTimeMap) {
  Random random(5);
  for (int round = 0; round < 10; ++round) {
    const Mix mix = random_mix(random);
    for (std::uint32_t f = 0; f < mix.frames(); f += 3) {
      const FrameMatch match = walked_to(mix, f);
      EXPECT_NEAR(mix.at(f).a, match.a, 1e-2f);
      EXPECT_NEAR(mix.at(f).b, match.b, 1e-2f);
      EXPECT_NEAR(mix.frame_of_a(static_cast<double>(mix.at(f).a)), f, 1e-3);
    }
  }
}

/// The small person of the gaits stands and swings its legs and arms at random, so that nothing is out of reach.
TakeSet two_dances(std::uint64_t seed) {
  TakeSet set;
  Random random(seed);
  const auto skeleton = testing::make_gait({}).clip.skeleton;
  const motion::Body body = motion::find_body(*skeleton);
  for (int c = 0; c < 2; ++c) {
    motion::Clip clip{"dance", skeleton, 30, {}, {}, {}};
    std::vector<Vec3> swing(skeleton->size());
    for (Vec3& s : swing)
      s = {static_cast<float>(random.uniform(-0.3, 0.3)), static_cast<float>(random.uniform(-0.2, 0.2)), 0};
    for (int f = 0; f < 60; ++f) {
      const float phase = std::sin(static_cast<float>(f) * 0.12f);
      clip.roots.push_back({0.1f * phase, 0.8f + 0.02f * phase, 0.01f * static_cast<float>(f)});
      for (std::size_t j = 0; j < skeleton->size(); ++j) {
        Vec3 turn = swing[j] * phase;
        for (const motion::Limb& leg : {body.left_leg, body.right_leg}) {
          // Legs well bent: thighs forward, knees back.
          if (j == static_cast<std::size_t>(leg.upper)) turn.x = -0.5f + 0.2f * turn.x;
          if (j == static_cast<std::size_t>(leg.middle)) turn = {1.0f + 0.2f * turn.x, 0, 0};
        }
        clip.rotations.push_back(exp_vector(turn));
      }
    }
    set.clips.push_back(clip);
    motion::Contacts contacts;
    contacts.planted.assign(60, 0);
    contacts.points = *motion::find_foot_points(*skeleton);
    set.contacts.push_back(contacts);
  }
  set.skeleton = skeleton;
  return set;
}

TEST(Mix, HasFeetAndCentreOfMassBetweenThoseOfItsClips) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const TakeSet set = two_dances(seed);
    const motion::Body body = motion::find_body(*set.skeleton);
    const motion::MassCentre centre(body);
    auto mixer = Mixer::create(set);
    ASSERT_TRUE(mixer) << mixer.error().message;
    const Mix mix{0, 1, 0.3f, {0.2f, -0.1f, 0.1f}, {{5, 8}, {30, 40}, {50, 55}}};
    motion::Clip made;
    motion::Contacts contacts;
    mixer->make(mix, made, contacts);
    ASSERT_EQ(made.frames(), mix.frames());
    for (std::uint32_t f = 0; f < mix.frames(); f += 5) {
      const motion::Clip a = moment(set.clips[0], mix.at(f).a, {}),
                         b = moment(set.clips[1], mix.at(f).b, mix.alignment);
      motion::Clip pose{"pose", set.skeleton, 30, {made.roots[f]}, {made.pose(f).begin(), made.pose(f).end()}, {}};
      const auto of_a = points_of(a), of_b = points_of(b), of_mix = points_of(pose);
      for (const motion::Limb& leg : {body.left_leg, body.right_leg}) {
        const auto ankle = static_cast<std::size_t>(leg.end);
        EXPECT_LT(distance(of_mix[ankle], lerp(of_a[ankle], of_b[ankle], mix.weight)), 3e-3f) << seed << ' ' << f;
      }
      EXPECT_LT(distance(centre.find(of_mix), lerp(centre.find(of_a), centre.find(of_b), mix.weight)), 3e-3f);
      for (std::size_t j = 1; j < set.skeleton->size(); ++j) {
        bool leg = false;
        for (const motion::Limb& limb : {body.left_leg, body.right_leg}) {
          for (const int joint : {limb.upper, limb.middle, limb.end}) leg = leg || joint == static_cast<int>(j);
        }
        if (leg) continue;
        const Quat expected = between(a.pose(0)[j], b.pose(0)[j], static_cast<double>(mix.weight));
        EXPECT_LT(angle_between(made.pose(f)[j], expected), 5e-3f) << "joint " << j;
      }
    }
  }
}

TEST(Mix, KneesBendInThePlanesOfTheClips) {
  // Knees that bend a quarter aside of what the skeleton says, as knees of captured bodies do.
  TakeSet set = two_dances(3);
  const motion::Body body = motion::find_body(*set.skeleton);
  for (std::size_t c = 0; c < set.clips.size(); ++c) {
    for (std::size_t f = 0; f < set.clips[c].frames(); ++f) {
      for (const motion::Limb& leg : {body.left_leg, body.right_leg}) {
        set.clips[c].pose(f)[static_cast<std::size_t>(leg.middle)] = exp_vector({1.0f, 0, 0.25f});
      }
    }
    set.contacts[c].planted.assign(set.clips[c].frames(), motion::kLeftFoot | motion::kRightFoot);
  }
  auto mixer = Mixer::create(set);
  ASSERT_TRUE(mixer);
  motion::Clip made;
  motion::Contacts contacts;
  mixer->make({0, 1, 0, {}, {{5, 5}, {50, 50}}}, made, contacts);
  for (std::uint32_t f = 0; f < made.frames(); ++f) {
    for (std::size_t j = 0; j < set.skeleton->size(); ++j) {
      EXPECT_LT(angle_between(made.pose(f)[j], set.clips[0].pose(f + 5)[j]), 5e-3f) << "joint " << j << ", frame " << f;
    }
  }
}

TEST(Mix, FeetThatPointAwayFromEachOtherTurnHardlyBeyondTheirOwn) {
  // One has turned its left foot in as far as feet turn, the other out, and it lies turned the other way.
  TakeSet set = two_dances(5);
  const motion::Body body = motion::find_body(*set.skeleton);
  const auto ankle = static_cast<std::size_t>(body.left_leg.end);
  for (std::size_t f = 0; f < 60; ++f) {
    set.clips[0].pose(f)[ankle] = exp_vector({0, 1.05f, 0});
    set.clips[1].pose(f)[ankle] = exp_vector({0, -1.05f, 0});
  }
  auto mixer = Mixer::create(set);
  ASSERT_TRUE(mixer);
  motion::Clip made;
  motion::Contacts contacts;
  mixer->make({0, 1, 0.4f, {0, 0, -1.5f}, {{5, 5}, {50, 50}}}, made, contacts);
  for (std::uint32_t f = 0; f < made.frames(); ++f) {
    EXPECT_LT(angle_between(made.pose(f)[ankle], Quat{}), 65 * kDegree) << f;
  }
}

TEST(Mix, KneesThatAreNearlyStraightDoNotTurnOver) {
  // Captured legs that stand straight are bent backwards now and then, by a few degrees.
  TakeSet set = two_dances(4);
  const motion::Body body = motion::find_body(*set.skeleton);
  Random random(4);
  for (motion::Clip& clip : set.clips) {
    for (std::size_t f = 0; f < clip.frames(); ++f) {
      for (const motion::Limb& leg : {body.left_leg, body.right_leg}) {
        const auto some = [&] { return static_cast<float>(random.uniform(-0.12, 0.12)); };
        clip.pose(f)[static_cast<std::size_t>(leg.upper)] = exp_vector({some(), 0, some()});
        clip.pose(f)[static_cast<std::size_t>(leg.middle)] = exp_vector({some(), 0, some()});
      }
    }
  }
  auto mixer = Mixer::create(set);
  ASSERT_TRUE(mixer);
  motion::Clip made;
  motion::Contacts contacts;
  mixer->make({0, 1, 0.5f, {}, {{5, 5}, {50, 50}}}, made, contacts);
  for (std::uint32_t f = 0; f < made.frames(); ++f) {
    for (const motion::Limb& leg : {body.left_leg, body.right_leg}) {
      for (const int joint : {leg.upper, leg.end}) {
        EXPECT_LT(angle_between(made.pose(f)[static_cast<std::size_t>(joint)], Quat{}), 45 * kDegree) << f;
      }
    }
  }
}

TEST(Mix, WhatStandsInBothWalksStandsBetweenThem) {
  const TakeSet set = two_walks();
  auto mixer = Mixer::create(set);
  ASSERT_TRUE(mixer);
  for (const float weight : {0.2f, 0.5f, 0.8f}) {
    // The gaits have one rhythm and differ in speed alone: frame by frame they belong together.
    const Mix mix{0, 1, weight, {}, {{5, 5}, {100, 100}}};
    motion::Clip made;
    motion::Contacts contacts;
    mixer->make(mix, made, contacts);
    const motion::WorldPoses poses = motion::forward_kinematics(made);
    const motion::WorldPoses of_a = motion::forward_kinematics(set.clips[0]),
                             of_b = motion::forward_kinematics(set.clips[1]);
    int stood = 0;
    for (std::size_t f = 0; f + 1 < made.frames(); ++f) {
      for (std::size_t part = 0; part < motion::kFootParts; ++part) {
        if ((contacts.planted[f] >> part & 1) == 0 || (contacts.planted[f + 1] >> part & 1) == 0) continue;
        const auto point = static_cast<std::size_t>(contacts.points[part]);
        const auto moves = [&](const motion::WorldPoses& p, std::size_t frame) {
          return p.position(frame + 1, point) - p.position(frame, point);
        };
        // In the frame in which it comes down a foot still moves, in the clips too.
        const Vec3 expected = lerp(moves(of_a, f + 5), moves(of_b, f + 5), weight);
        EXPECT_LT(distance(moves(poses, f), expected), 1.5e-3f) << part << " at " << f;
        stood += length(expected) < 1e-3f ? 1 : 0;
      }
    }
    EXPECT_GT(stood, 100);
  }
}

TEST(Mix, WhatFallsInBothFallsBetweenThem) {
  // Two leaps of different height, stiff, whose centre of mass falls at g.
  const auto skeleton = testing::make_gait({}).clip.skeleton;
  constexpr float kGravity = 9.81f, kRate = 120;
  TakeSet set;
  set.skeleton = skeleton;
  std::vector<float> flight;
  for (const float up : {1.5f, 3.0f}) {
    motion::Clip clip{"leap", skeleton, kRate, {}, {}, {}};
    const auto frames = static_cast<std::size_t>(2 * up / kGravity * kRate);
    for (std::size_t f = 0; f <= frames + 1; ++f) {
      const float t = static_cast<float>(f) / kRate;
      clip.roots.push_back({0, 1 + up * t - 0.5f * kGravity * t * t, t});
      clip.rotations.insert(clip.rotations.end(), skeleton->size(), Quat{});
    }
    flight.push_back(2 * up / kGravity * kRate);
    motion::Contacts contacts;
    contacts.planted.assign(clip.frames(), 0);
    contacts.points = *motion::find_foot_points(*skeleton);
    set.clips.push_back(clip);
    set.contacts.push_back(contacts);
  }
  auto mixer = Mixer::create(set);
  ASSERT_TRUE(mixer);
  const motion::MassCentre centre(motion::find_body(*skeleton));
  for (const float weight : {0.1f, 0.5f, 0.9f}) {
    const Mix mix{0, 1, weight, {}, {{0, 0}, {flight[0], flight[1]}}};
    EXPECT_NEAR(static_cast<float>(mix.frames()),
                std::sqrt((1 - weight) * flight[0] * flight[0] + weight * flight[1] * flight[1]), 1.0f);
    motion::Clip made;
    motion::Contacts contacts;
    mixer->make(mix, made, contacts);
    const motion::WorldPoses poses = motion::forward_kinematics(made);
    const auto height = [&](std::size_t f) {
      return static_cast<double>(centre.find(std::span(poses.positions).subspan(f * poses.points, poses.points)).y);
    };
    const std::size_t last = made.frames() - 2, middle = last / 2;
    const double seconds = static_cast<double>(middle) / static_cast<double>(kRate);
    const double falls = (height(2 * middle) - 2 * height(middle) + height(0)) / (seconds * seconds);
    EXPECT_NEAR(falls, -static_cast<double>(kGravity), 0.02 * static_cast<double>(kGravity)) << weight;
  }
}

TEST(Mix, SwingingLegsTurnNoFurtherThanInTheirClips) {
  // A knee drawn up, the shin folded under it, and the same leg kicked out: halfway on the line between its two places
  // the foot is so near to the hip that the thigh would have to go far beyond both.
  const auto skeleton = testing::make_gait({}).clip.skeleton;
  const motion::Limb leg = motion::find_body(*skeleton).right_leg;
  const auto thigh = static_cast<std::size_t>(leg.upper), shin = static_cast<std::size_t>(leg.middle);
  TakeSet set;
  set.skeleton = skeleton;
  for (const auto& [raised, bent] : {std::pair{60.0f, 125.0f}, std::pair{95.0f, 10.0f}}) {
    motion::Clip clip{"kick", skeleton, 30, {}, {}, {}};
    for (std::size_t f = 0; f < 10; ++f) {
      clip.roots.push_back({0, 1, 0});
      clip.rotations.insert(clip.rotations.end(), skeleton->size(), Quat{});
      clip.pose(f)[thigh] = axis_angle({1, 0, 0}, -raised * kDegree);
      clip.pose(f)[shin] = axis_angle({1, 0, 0}, bent * kDegree);
    }
    motion::Contacts contacts;
    contacts.planted.assign(clip.frames(), motion::kLeftFoot);
    contacts.points = *motion::find_foot_points(*skeleton);
    set.clips.push_back(clip);
    set.contacts.push_back(contacts);
  }
  auto mixer = Mixer::create(set);
  ASSERT_TRUE(mixer);
  for (const float weight : {0.1f, 0.2f, 0.3f, 0.4f, 0.5f, 0.6f, 0.7f, 0.8f, 0.9f}) {
    motion::Clip made;
    motion::Contacts contacts;
    mixer->make({0, 1, weight, {}, {{1, 1}, {8, 8}}}, made, contacts);
    for (const std::size_t joint : {thigh, shin}) {
      const auto turned = [&](const motion::Clip& clip) { return angle_between(clip.pose(3)[joint], Quat{}); };
      EXPECT_LT(turned(made), std::max(turned(set.clips[0]), turned(set.clips[1])) + 2.5f * kDegree)
          << weight << ", joint " << joint;
    }
  }
}

TEST(Mix, AtItsEndsIsOneClipOrTheOther) {
  const TakeSet set = two_walks();
  auto mixer = Mixer::create(set);
  ASSERT_TRUE(mixer);
  Mix mix{0, 1, 0, {1, 2, 0.5f}, {{10, 20}, {30, 30}, {40, 60}}};
  std::vector<Quat> rotations(set.skeleton->size());
  ASSERT_EQ(mix.frames(), 31u) << "as long as its stretch of the first";
  for (std::uint32_t f = 0; f < mix.frames(); ++f) {
    const MixedPose pose = mixer->pose(mix, f, rotations);
    EXPECT_LT(distance(pose.root, set.clips[0].roots[10 + f]), 2e-3f);
    EXPECT_LT(angle_between(rotations[3], set.clips[0].pose(10 + f)[3]), 1e-2f);
  }
  mix.weight = 1;
  ASSERT_EQ(mix.frames(), 41u) << "as long as its stretch of the second";
  for (std::uint32_t f = 0; f < mix.frames(); ++f) {
    const MixedPose pose = mixer->pose(mix, f, rotations);
    EXPECT_LT(distance(pose.root, transform(mix.alignment, set.clips[1].roots[20 + f])), 2e-3f);
  }
}

TEST(Mix, AppendedToASetIsAClipLikeOthers) {
  TakeSet set = two_walks();
  set.clips[0].labels = {{"walk", 0, 50}, {"slow", 0, 100}};
  set.clips[1].labels = {{"walk", 20, 100}, {"fast", 0, 100}};
  const Mix mix{0, 1, 0.5f, {}, {{10, 10}, {80, 80}}};
  ASSERT_TRUE(append_mixes(set, std::span(&mix, 1)));
  ASSERT_EQ(set.clips.size(), 3u);
  ASSERT_EQ(set.contacts.size(), 3u);
  EXPECT_EQ(set.clips[2].frames(), 71u);
  EXPECT_EQ(set.contacts[2].planted.size(), 71u);
  ASSERT_TRUE(motion::validate(set.clips[2]));
  ASSERT_EQ(set.clips[2].labels.size(), 1u) << "what both are doing";
  EXPECT_EQ(set.clips[2].labels[0], (motion::Label{"walk", 10, 40}));
}

TEST(Mix, NeedsLegs) {
  TakeSet set;
  set.skeleton = std::make_shared<const motion::Skeleton>(
      *motion::Skeleton::create({{"door", motion::kNoParent, {}}, {"handle", 0, {1, 0, 0}}}, {}));
  EXPECT_FALSE(Mixer::create(set));
}

TEST(Mix, OfWhatIsNotThereIsAFault) {
  const std::vector<std::uint32_t> frames = {50, 50};
  const Mix sound{0, 1, 0.5f, {}, {{0, 0}, {49, 49}}};
  EXPECT_EQ(find_fault(sound, frames), "");
  const auto fault = [&](const auto& change) {
    Mix mix = sound;
    change(mix);
    return find_fault(mix, frames);
  };
  EXPECT_THAT(fault([](Mix& m) { m.b = 2; }), HasSubstr("no clip"));
  EXPECT_THAT(fault([](Mix& m) { m.weight = 1.5f; }), HasSubstr("weight"));
  EXPECT_THAT(fault([](Mix& m) { m.alignment.x = std::nanf(""); }), HasSubstr("world"));
  EXPECT_THAT(fault([](Mix& m) { m.knots.pop_back(); }), HasSubstr("no time map"));
  EXPECT_THAT(fault([](Mix& m) { m.knots[1].b = 50; }), HasSubstr("leaves its clips"));
  EXPECT_THAT(fault([](Mix& m) { m.knots[1].b = std::nanf(""); }), HasSubstr("leaves its clips"));
  EXPECT_THAT(fault([](Mix& m) { m.knots[0].a = 49; }), HasSubstr("back in time"));
}

}  // namespace
}  // namespace loom::take
