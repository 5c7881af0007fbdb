// SPDX-License-Identifier: MIT
// What every sample motion must be, whatever it shows.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <map>
#include <set>
#include <span>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/base/parallel.h>
#include <loom/measure/measure.h>
#include <loom/motion/body.h>
#include <loom/motion/body_volume.h>
#include <loom/motion/kinematics.h>
#include <loom/motion/mass_centre.h>
#include <loom/sample/sample.h>

namespace loom::sample {
namespace {

using motion::WorldPoses;

const std::vector<SampleClip>& samples() {
  static const std::vector<SampleClip> all = make_samples().value();
  return all;
}

/// World positions of a sample, kept because most tests here need them.
const WorldPoses& world(const SampleClip& sample) {
  static std::map<const SampleClip*, WorldPoses> known;
  auto [at, is_new] = known.try_emplace(&sample);
  if (is_new) at->second = motion::forward_kinematics(sample.clip);
  return at->second;
}

TEST(Samples, AreValidClipsWithNamesOfTheirOwn) {
  std::set<std::string> names;
  for (const SampleClip& s : samples()) {
    const auto valid = motion::validate(s.clip);
    EXPECT_TRUE(valid) << valid.error().to_string();
    EXPECT_TRUE(names.insert(s.clip.name).second) << s.clip.name;
    EXPECT_EQ(s.contacts.planted.size(), s.clip.frames());
    EXPECT_FALSE(s.clip.labels.empty()) << s.clip.name;
  }
  EXPECT_EQ(sample_names().size(), samples().size());
}

TEST(Samples, PlantedFeetStayWithinFiveMillimetres) {
  for (const SampleClip& s : samples()) {
    const WorldPoses& poses = world(s);
    for (std::size_t part = 0; part < motion::kFootParts; ++part) {
      const auto point = static_cast<std::size_t>(s.contacts.points[part]);
      Vec3 anchor;
      bool before = false;
      for (std::size_t f = 0; f < s.clip.frames(); ++f) {
        const bool planted = (s.contacts.planted[f] >> part & 1) != 0;
        if (planted && !before) anchor = poses.position(f, point);
        if (planted) {
          ASSERT_LT(distance(anchor, poses.position(f, point)), 0.005f) << s.clip.name << " frame " << f;
        }
        before = planted;
      }
    }
  }
}

TEST(Samples, FeetDoNotSink) {
  for (const SampleClip& s : samples()) {
    const WorldPoses& poses = world(s);
    for (std::size_t f = 0; f < s.clip.frames(); ++f) {
      for (const std::size_t foot : {kLeftFoot, kRightFoot}) {
        const std::size_t tip = foot == kLeftFoot ? kLeftToeTip : kRightToeTip;
        const Vec3 heel = poses.position(f, foot) + rotate(poses.rotation(f, foot), {0, -kAnkleHeight, -kHeelBack});
        const float lowest =
            std::min({heel.y, poses.position(f, foot + 1).y - kBallHeight, poses.position(f, tip).y - kToeTipHeight});
        ASSERT_GT(lowest, -0.002f) << s.clip.name << " frame " << f;
      }
    }
  }
}

TEST(Samples, HandsStayAboveTheFloor) {
  for (const SampleClip& s : samples()) {
    const WorldPoses& poses = world(s);
    for (std::size_t f = 0; f < s.clip.frames(); ++f) {
      for (const std::size_t tip : {kLeftFingertips, kRightFingertips}) {
        ASSERT_GT(poses.position(f, tip).y, 0.0f) << s.clip.name << " frame " << f;
      }
    }
  }
}

/// Motions with steps and strikes of a fight are held to account in the tests of fights.
bool of_a_fight(const SampleClip& s) {
  return std::any_of(s.clip.labels.begin(), s.clip.labels.end(),
                     [](const motion::Label& label) { return label.name.find("fight") != std::string::npos; });
}

TEST(Samples, NoLimbIsInsideTheBody) {
  // Flesh gives way a little; recordings of people show up to 6 cm by the same measure (docs/results/quality.md).
  constexpr float kMost = 0.06f, kOften = 0.03f;
  const auto volume = motion::BodyVolume::of(*sample_skeleton());
  ASSERT_TRUE(volume);
  for (const SampleClip& s : samples()) {
    if (of_a_fight(s)) continue;
    std::size_t deep = 0;
    for (std::size_t f = 0; f < s.clip.frames(); ++f) {
      const float inside = volume->inside_itself(world(s), f);
      ASSERT_LT(inside, kMost) << s.clip.name << " frame " << f;
      deep += inside > kOften ? 1 : 0;
    }
    EXPECT_LE(deep, s.clip.frames() / 15) << s.clip.name;
  }
}

TEST(Samples, HandsGoAroundTheBellyAsTheGuardIsTakenUpAndLeft) {
  constexpr float kMost = 0.02f;
  const auto volume = motion::BodyVolume::of(*sample_skeleton());
  ASSERT_TRUE(volume);
  for (const SampleClip& s : samples()) {
    if (s.clip.name != "fight-enter" && s.clip.name != "fight-leave") continue;
    for (std::size_t f = 0; f < s.clip.frames(); ++f) {
      ASSERT_LT(volume->inside_itself(world(s), f), kMost) << s.clip.name << " frame " << f;
    }
  }
}

/// The least distance between two segments, tried at points of both.
float apart(Vec3 a, Vec3 b, Vec3 c, Vec3 d) {
  constexpr int kPoints = 12;
  float least = 1e9f;
  for (int i = 0; i <= kPoints; ++i) {
    for (int k = 0; k <= kPoints; ++k) {
      least = std::min(
          least, distance(lerp(a, b, static_cast<float>(i) / kPoints), lerp(c, d, static_cast<float>(k) / kPoints)));
    }
  }
  return least;
}

TEST(Samples, ShinsDoNotPassThroughEachOther) {
  constexpr float kShin = 0.035f;  // metres: a shin's radius where it is thin, at the ankle
  for (const SampleClip& s : samples()) {
    if (of_a_fight(s)) continue;
    const WorldPoses& poses = world(s);
    for (std::size_t f = 0; f < s.clip.frames(); ++f) {
      ASSERT_GT(apart(poses.position(f, kLeftLeg), poses.position(f, kLeftFoot), poses.position(f, kRightLeg),
                      poses.position(f, kRightFoot)),
                2 * kShin)
          << s.clip.name << " frame " << f;
    }
  }
}

TEST(Samples, NothingPops) {
  // Largest change of velocity of any point from frame to frame. A sprinter's knee reaches 200 m/s².
  constexpr float kMost = 260.0f;  // metres a second squared
  for (const SampleClip& s : samples()) {
    const WorldPoses& poses = world(s);
    const auto rate2 = static_cast<float>(s.clip.rate * s.clip.rate);
    for (std::size_t f = 1; f + 1 < s.clip.frames(); ++f) {
      for (std::size_t p = 0; p < poses.points; ++p) {
        const Vec3 bend = poses.position(f + 1, p) - 2.0f * poses.position(f, p) + poses.position(f - 1, p);
        ASSERT_LT(length(bend) * rate2, kMost) << s.clip.name << " frame " << f << " point " << p;
      }
    }
  }
}

/// The angle of a hinge and how far the rotation is from being one about `axis`.
std::pair<float, float> hinge_angle(Quat q, Vec3 axis) {
  const Vec3 turn = log_vector(q);
  const float angle = dot(turn, axis);
  return {angle, length(turn - angle * axis)};
}

TEST(Samples, KneesBendBackwardAndNoOtherWay) {
  for (const SampleClip& s : samples()) {
    for (std::size_t f = 0; f < s.clip.frames(); ++f) {
      for (const std::size_t knee : {kLeftLeg, kRightLeg}) {
        const auto [angle, off] = hinge_angle(s.clip.pose(f)[knee], {1, 0, 0});
        ASSERT_GE(angle, 0.0f) << s.clip.name << " frame " << f;
        ASSERT_LE(angle, 150 * kDegree) << s.clip.name << " frame " << f;
        ASSERT_LT(off, 0.01f) << s.clip.name << " frame " << f;
      }
    }
  }
}

TEST(Samples, ElbowsBendForwardAndNoOtherWay) {
  for (const SampleClip& s : samples()) {
    for (std::size_t f = 0; f < s.clip.frames(); ++f) {
      for (const auto& [elbow, axis, along] : {std::tuple{kLeftForeArm, Vec3{0, -1, 0}, Vec3{1, 0, 0}},
                                               std::tuple{kRightForeArm, Vec3{0, 1, 0}, Vec3{1, 0, 0}}}) {
        // The forearm also turns about its own length; taking that away leaves the hinge.
        const Quat q = s.clip.pose(f)[elbow];
        const auto [angle, off] = hinge_angle(q * conjugate(twist_about(q, along)), axis);
        ASSERT_GE(angle, -0.01f) << s.clip.name << " frame " << f;
        ASSERT_LE(angle, 150 * kDegree) << s.clip.name << " frame " << f;
        ASSERT_LT(off, 0.02f) << s.clip.name << " frame " << f;
      }
    }
  }
}

TEST(Samples, SpineNeckHipsAnklesStayWithinHumanLimits) {
  // Largest turn away from rest, degrees, each joint in any direction (after Kapandji 1974, taken together).
  const std::map<std::size_t, float> limits = {
      {kSpine, 40},         {kSpine1, 40},      {kSpine2, 40},      {kNeck, 45},         {kHead, 50},
      {kLeftUpLeg, 135},    {kRightUpLeg, 135}, {kLeftToeBase, 75}, {kRightToeBase, 75}, {kLeftShoulder, 35},
      {kRightShoulder, 35}, {kLeftHand, 70},    {kRightHand, 70}};
  for (const SampleClip& s : samples()) {
    for (std::size_t f = 0; f < s.clip.frames(); ++f) {
      for (const auto& [joint, limit] : limits) {
        ASSERT_LT(length(log_vector(s.clip.pose(f)[joint])), limit * kDegree)
            << s.clip.name << " frame " << f << " " << s.clip.skeleton->joint(joint).name;
      }
    }
  }
}

TEST(Samples, AnklesBendNoFurtherThanPeoplesDo) {
  // In deep knee bends and at the end of a running step an ankle is loaded far beyond its free range.
  constexpr float kUp = 52 * kDegree, kDown = 65 * kDegree;
  for (const SampleClip& s : samples()) {
    for (std::size_t f = 0; f < s.clip.frames(); ++f) {
      for (const std::size_t ankle : {kLeftFoot, kRightFoot}) {
        const float down = log_vector(s.clip.pose(f)[ankle]).x;
        ASSERT_TRUE(down > -kUp && down < kDown) << s.clip.name << " frame " << f << ": " << down / kDegree;
      }
    }
  }
}

/// Twice the signed area of the triangle a, b, c seen from above; positive when c is to the left of the way from a to
/// b.
float turn_of(Vec3 a, Vec3 b, Vec3 c) { return (b.z - a.z) * (c.x - a.x) - (b.x - a.x) * (c.z - a.z); }

/// How far `p` is outside the convex hull of `points` on the floor, metres; 0 inside. Tries all edges: a hull edge has
/// all points on its left.
float outside_hull(std::span<const Vec3> points, Vec3 p) {
  float out = 0;
  for (const Vec3& a : points) {
    for (const Vec3& b : points) {
      const float along = std::hypot(b.x - a.x, b.z - a.z);
      if (along < 1e-6f) continue;
      const bool edge = std::all_of(points.begin(), points.end(), [&](Vec3 c) { return turn_of(a, b, c) >= -1e-6f; });
      if (edge) out = std::max(out, -turn_of(a, b, p) / along);
    }
  }
  return out;
}

TEST(Samples, StandingBodiesKeepTheirWeightOverTheirFeet) {
  const std::set<std::string> standing = {"idle",  "duck",         "pick-up",      "wave", "reach",
                                          "point", "fight-stance", "punch-family", "punch"};
  for (const SampleClip& s : samples()) {
    if (!standing.contains(s.group)) continue;
    const WorldPoses& poses = world(s);
    for (std::size_t f = 0; f < s.clip.frames(); ++f) {
      std::vector<Vec3> soles;
      for (const std::size_t foot : {kLeftFoot, kRightFoot}) {
        const std::size_t tip = foot == kLeftFoot ? kLeftToeTip : kRightToeTip;
        soles.push_back(poses.position(f, foot) + rotate(poses.rotation(f, foot), {0, -kAnkleHeight, -kHeelBack}));
        soles.push_back(poses.position(f, tip));
      }
      const Vec3 center = center_of_mass({&poses.position(f, 0), poses.points});
      ASSERT_LT(outside_hull(soles, center), 0.001f) << s.clip.name << " frame " << f;
    }
  }
}

TEST(Samples, AgreeWithTheLibraryOnWhereTheMassIs) {
  // The library weighs any body with a rigid trunk, the sample body one with three parts: a few centimetres apart.
  const motion::Body body = motion::find_body(*sample_skeleton());
  for (const SampleClip& s : samples()) {
    const WorldPoses& poses = world(s);
    const std::vector<Vec3> theirs = motion::mass_centre(poses, body);
    for (std::size_t f = 0; f < s.clip.frames(); f += 10) {
      ASSERT_LT(distance(center_of_mass({&poses.position(f, 0), poses.points}), theirs[f]), 0.06f) << s.clip.name;
    }
  }
}

TEST(Samples, ContactsAreThoseTheLibraryFinds) {
  // The library counts rolling on and off as planted, the samples only what keeps still: they may differ by that much.
  for (const SampleClip& s : samples()) {
    const motion::Contacts found = motion::find_contacts(s.clip).value();
    std::size_t differ = 0, planted = 0;
    for (std::size_t f = 0; f < s.clip.frames(); ++f) {
      const auto ours = s.contacts.planted[f];
      planted += static_cast<std::size_t>(std::popcount(ours));
      // What the samples call planted the library must, too.
      differ += static_cast<std::size_t>(std::popcount(static_cast<unsigned>(ours & ~found.planted[f])));
    }
    EXPECT_LE(differ, planted / 10) << s.clip.name << " " << differ << " of " << planted;
    EXPECT_NEAR(found.floor, 0, 0.004f) << s.clip.name;
  }
}

/// The bytes that make a clip.
std::vector<char> bytes_of(const SampleClip& s) {
  std::vector<char> bytes(s.clip.roots.size() * sizeof(Vec3) + s.clip.rotations.size() * sizeof(Quat));
  std::memcpy(bytes.data(), s.clip.roots.data(), s.clip.roots.size() * sizeof(Vec3));
  std::memcpy(bytes.data() + s.clip.roots.size() * sizeof(Vec3), s.clip.rotations.data(),
              s.clip.rotations.size() * sizeof(Quat));
  return bytes;
}

TEST(Samples, SameSeedSameBytesWhateverTheThreads) {
  const ThreadLimit one(1);
  const std::vector<SampleClip> again = make_samples().value();
  ASSERT_EQ(again.size(), samples().size());
  for (std::size_t i = 0; i < again.size(); ++i) {
    EXPECT_EQ(bytes_of(again[i]), bytes_of(samples()[i])) << again[i].clip.name;
    EXPECT_EQ(again[i].contacts.planted, samples()[i].contacts.planted);
    EXPECT_EQ(again[i].clip.labels, samples()[i].clip.labels);
  }
}

TEST(Samples, MadeAloneIsTheSameAsAmongAll) {
  const SampleClip alone = make_sample("walk-normal-1").value();
  const auto among = std::find_if(samples().begin(), samples().end(),
                                  [](const SampleClip& s) { return s.clip.name == "walk-normal-1"; });
  EXPECT_EQ(bytes_of(alone), bytes_of(*among));
}

TEST(Samples, AnotherSeedIsAnotherTakeOfTheSameMotion) {
  const SampleClip first = make_sample("walk-normal-1").value();
  const SampleClip second = make_sample("walk-normal-1", {.seed = 2}).value();
  // Takes differ in tempo; whole cycles are compared at the same share of the way.
  float largest = 0;
  for (std::size_t f = 0; f < first.clip.frames(); ++f) {
    const std::size_t g = f * (second.clip.frames() - 1) / (first.clip.frames() - 1);
    for (std::size_t j = 0; j < kJointCount; ++j) {
      largest = std::max(largest, angle_between(first.clip.pose(f)[j], second.clip.pose(g)[j]));
    }
  }
  EXPECT_GT(largest, 2 * kDegree);
  EXPECT_LT(largest, 40 * kDegree);
}

TEST(Samples, HalfTheRateIsEveryOtherFrame) {
  const SampleClip fast = make_sample("run-1").value();
  const SampleClip slow = make_sample("run-1", {.rate = 30}).value();
  for (std::size_t f = 0; f < slow.clip.frames(); ++f) {
    ASSERT_LT(distance(slow.clip.roots[f], fast.clip.roots[2 * f]), 1e-4f);
  }
}

TEST(Samples, CanBeMadeByNameAndByGroup) {
  const std::vector<std::string> only = {"jog", "wave"};
  const std::vector<SampleClip> some = make_samples({}, only).value();
  ASSERT_EQ(some.size(), 3u);
  EXPECT_EQ(some[0].group, "wave");
  EXPECT_EQ(some[2].clip.name, "jog");
  const std::vector<std::string> wrong = {"jog", "moonwalk"};
  EXPECT_THAT(make_samples({}, wrong).error().message, ::testing::HasSubstr("'moonwalk'"));
}

TEST(Samples, RefuseARateNobodyRecordsAt) {
  EXPECT_FALSE(make_samples({.rate = 5}));
  EXPECT_FALSE(make_sample("walk-normal-1", {.rate = 1e9}));
  EXPECT_THAT(make_sample("moonwalk").error().message, ::testing::HasSubstr("'moonwalk'"));
}

TEST(SampleSkeleton, IsAPersonTheLibraryRecognises) {
  const motion::Body body = motion::find_body(*sample_skeleton());
  EXPECT_TRUE(body.has_legs());
  EXPECT_EQ(body.left_leg.end, static_cast<int>(kLeftFoot));
  EXPECT_EQ(body.right_arm.end, static_cast<int>(kRightHand));
  EXPECT_EQ(body.head, static_cast<int>(kHead));
  EXPECT_EQ(sample_skeleton()->point_count(), static_cast<std::size_t>(kPointCount));
}

TEST(Samples, SomeAreMadeOnRequestAlone) {
  const std::vector<std::string> all = sample_names();
  SampleOptions options;
  options.rate = 30;
  for (const std::string group : {"approach", "pour", "grasp", "press"}) {
    const auto clips = make_samples(options, {&group, 1});
    ASSERT_TRUE(clips) << clips.error().to_string();
    EXPECT_FALSE(clips->empty()) << group;
    for (const SampleClip& one : *clips) {
      EXPECT_EQ(std::count(all.begin(), all.end(), one.clip.name), 0) << one.clip.name;
      EXPECT_EQ(one.group, group);
      // Whoever does something with a thing says when, and stands when they begin.
      EXPECT_EQ(one.stroke.has_value(), group != "approach") << one.clip.name;
      const measure::Measures measures = measure::measure(one.clip, one.contacts);
      EXPECT_LT(measures.foot_slide_max_mps, 0.1) << one.clip.name;
      EXPECT_LT(measures.largest_jump_m, 0.1) << one.clip.name;
    }
  }
}

}  // namespace
}  // namespace loom::sample
