// SPDX-License-Identifier: MIT
// Poses between two clips against an explicit blend of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/base/random.h>
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
      gone += ((1 - w) * of_a + w * of_b) / kSteps;
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

TEST(Mix, IsTheExplicitBlendOfItsClips) {
  const TakeSet set = two_walks();
  Random random(5);
  std::vector<Quat> rotations(set.skeleton->size());
  for (int round = 0; round < 10; ++round) {
    const Mix mix = random_mix(random);
    ASSERT_EQ(find_fault(mix, std::vector<std::uint32_t>(2, static_cast<std::uint32_t>(set.clips[0].frames()))), "");
    for (std::uint32_t f = 0; f < mix.frames(); f += 3) {
      const FrameMatch match = walked_to(mix, f);
      EXPECT_NEAR(mix.at(f).a, match.a, 1e-2f);
      EXPECT_NEAR(mix.at(f).b, match.b, 1e-2f);
      const motion::Clip a = moment(set.clips[0], mix.at(f).a, {}),
                         b = moment(set.clips[1], mix.at(f).b, mix.alignment);
      const MixedPose pose = mix_pose(set, mix, f, rotations);
      EXPECT_LT(distance(pose.root, a.roots[0] * (1 - mix.weight) + b.roots[0] * mix.weight), 1e-4f);
      for (std::size_t j = 0; j < rotations.size(); ++j) {
        const Quat expected = between(a.pose(0)[j], b.pose(0)[j], static_cast<double>(mix.weight));
        EXPECT_LT(angle_between(rotations[j], expected), 2e-3f) << "joint " << j;
      }
    }
  }
}

TEST(Mix, AtItsEndsIsOneClipOrTheOther) {
  const TakeSet set = two_walks();
  Mix mix{0, 1, 0, {1, 2, 0.5f}, {{10, 20}, {30, 30}, {40, 60}}};
  std::vector<Quat> rotations(set.skeleton->size());
  ASSERT_EQ(mix.frames(), 31u) << "as long as its stretch of the first";
  for (std::uint32_t f = 0; f < mix.frames(); ++f) {
    const MixedPose pose = mix_pose(set, mix, f, rotations);
    EXPECT_LT(distance(pose.root, set.clips[0].roots[10 + f]), 1e-5f);
    EXPECT_LT(angle_between(rotations[3], set.clips[0].pose(10 + f)[3]), 1e-3f);
    EXPECT_EQ(pose.planted, set.contacts[0].planted[10 + f]);
  }
  mix.weight = 1;
  ASSERT_EQ(mix.frames(), 41u) << "as long as its stretch of the second";
  for (std::uint32_t f = 0; f < mix.frames(); ++f) {
    const MixedPose pose = mix_pose(set, mix, f, rotations);
    EXPECT_LT(distance(pose.root, transform(mix.alignment, set.clips[1].roots[20 + f])), 1e-4f);
    EXPECT_EQ(pose.planted, set.contacts[1].planted[20 + f]);
  }
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
