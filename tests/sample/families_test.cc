// SPDX-License-Identifier: MIT
// The numbers a family member is made for are what forward kinematics finds.
#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include <loom/motion/ground_frame.h>
#include <loom/motion/kinematics.h>
#include <loom/sample/detail/balance.h>
#include <loom/sample/sample.h>

namespace loom::sample {
namespace {

using motion::WorldPoses;

const std::vector<SampleClip>& family_samples() {
  static const std::vector<SampleClip> all = make_samples().value();
  return all;
}

std::vector<const SampleClip*> family(const std::string& group) {
  std::vector<const SampleClip*> members;
  for (const SampleClip& s : family_samples()) {
    if (s.group == group) members.push_back(&s);
  }
  return members;
}

float parameter(const SampleClip& s, const std::string& name) {
  for (const Parameter& p : s.parameters) {
    if (p.name == name) return static_cast<float>(p.value);
  }
  ADD_FAILURE() << s.clip.name << " has no " << name;
  return 0;
}

Vec3 target_of(const SampleClip& s) { return {parameter(s, "x_m"), parameter(s, "y_m"), parameter(s, "z_m")}; }

TEST(Families, HaveTheirNumberOfMembersWithTheSameParameters) {
  const std::map<std::string, std::size_t> sizes = {{"reach", 24},       {"point", 24},       {"punch-family", 20},
                                                    {"kick-family", 20}, {"jump-family", 20}, {"locomotion", 20}};
  for (const auto& [group, size] : sizes) {
    const auto members = family(group);
    ASSERT_EQ(members.size(), size) << group;
    for (const SampleClip* s : members) {
      ASSERT_EQ(s->parameters.size(), members[0]->parameters.size());
      for (std::size_t i = 0; i < s->parameters.size(); ++i) {
        EXPECT_EQ(s->parameters[i].name, members[0]->parameters[i].name);
      }
    }
  }
}

TEST(Families, StrokesReachTheirTargetsWithinAMillimetre) {
  for (const auto& [group, point] : {std::pair{"reach", kRightHand},
                                     {"point", kRightHand},
                                     {"punch-family", kRightHand},
                                     {"kick-family", kRightFoot},
                                     {"pick-up", kRightHand}}) {
    for (const SampleClip* s : family(group)) {
      if (s->clip.name.find("left") != std::string::npos) continue;
      ASSERT_TRUE(s->stroke) << s->clip.name;
      const WorldPoses poses = motion::forward_kinematics(s->clip);
      EXPECT_LT(distance(poses.position(*s->stroke, point), target_of(*s)), 0.001f) << s->clip.name;
    }
  }
}

TEST(Families, PointingArmsPointWhereTheySay) {
  for (const SampleClip* s : family("point")) {
    const WorldPoses poses = motion::forward_kinematics(s->clip);
    const Vec3 arm = normalized(poses.position(*s->stroke, kRightHand) - poses.position(*s->stroke, kRightArm));
    EXPECT_NEAR(std::atan2(arm.x, arm.z) / kDegree, parameter(*s, "azimuth_deg"), 1.0f) << s->clip.name;
    EXPECT_NEAR(std::asin(arm.y) / kDegree, parameter(*s, "elevation_deg"), 1.0f) << s->clip.name;
  }
}

TEST(Families, JumpsGoAsFarAndAsHighAsTheySay) {
  for (const SampleClip* s : family("jump-family")) {
    const WorldPoses poses = motion::forward_kinematics(s->clip);
    const std::size_t last = s->clip.frames() - 1;
    const Vec3 way = poses.position(last, kLeftFoot) - poses.position(0, kLeftFoot);
    EXPECT_NEAR(std::hypot(way.x, way.z), parameter(*s, "distance_m"), 0.001f) << s->clip.name;
    if (parameter(*s, "distance_m") > 0) {
      const float off = wrap_angle(std::atan2(way.x, way.z) - parameter(*s, "direction_deg") * kDegree);
      EXPECT_NEAR(off, 0, 0.01f) << s->clip.name;
    }
    EXPECT_NEAR(s->clip.roots[*s->stroke].y - s->clip.roots[0].y, parameter(*s, "height_m"), 0.01f) << s->clip.name;
  }
}

/// The frames of the label `name`.
std::pair<std::size_t, std::size_t> labelled(const SampleClip& s, const std::string& name) {
  for (const motion::Label& label : s.clip.labels) {
    if (label.name == name) return {label.begin, label.end};
  }
  ADD_FAILURE() << s.clip.name << " has no label " << name;
  return {0, 0};
}

TEST(Families, BodiesInFlightFallFreely) {
  for (const SampleClip* s : family("jump-family")) {
    const WorldPoses poses = motion::forward_kinematics(s->clip);
    const auto center = [&](std::size_t f) { return center_of_mass({&poses.position(f, 0), poses.points}); };
    const auto [begin, end] = labelled(*s, "flight");
    const auto rate = static_cast<float>(s->clip.rate);
    ASSERT_GT(end, begin + 8);
    // The mean over all of the flight, because a frame's second difference is small against rounding.
    const std::size_t first = begin + 2, last = end - 3, half = (last - first) / 2;
    const float time = static_cast<float>(half) / rate;
    const Vec3 bend = center(first + 2 * half) - 2.0f * center(first + half) + center(first);
    EXPECT_NEAR(bend.y / (time * time), -9.81f, 0.1f) << s->clip.name;
    EXPECT_NEAR(std::hypot(bend.x, bend.z) / (time * time), 0, 0.3f) << s->clip.name;
  }
}

TEST(Families, LocomotionMovesAsFastAsItSays) {
  const motion::GroundFrameFinder finder(*sample_skeleton());
  for (const SampleClip* s : family("locomotion")) {
    const auto seconds = static_cast<float>(s->clip.duration());
    const float forward = parameter(*s, "forward_mps"), side = parameter(*s, "side_mps");
    const float turn = parameter(*s, "turn_rate_dps") * kDegree;
    const std::vector<motion::GroundFrame> frames = finder.find(s->clip);
    // The pelvis swings about the heading with every step; the heading itself turns steadily.
    const auto rate = static_cast<float>(s->clip.rate);
    float turned = 0, swung = 0;
    for (std::size_t f = 1; f < frames.size(); ++f) {
      turned += wrap_angle(frames[f].heading - frames[f - 1].heading);
      swung += wrap_angle(frames[f].heading - turn * static_cast<float>(f) / rate);
    }
    const float start = swung / static_cast<float>(frames.size() - 1);
    float ahead = 0, aside = 0;
    for (std::size_t f = 1; f < frames.size(); ++f) {
      const Vec3 way = frames[f].position() - frames[f - 1].position();
      const Vec3 facing = motion::GroundFrame{0, 0, start + turn * (static_cast<float>(f) - 0.5f) / rate}.forward();
      ahead += dot(way, facing);
      aside += dot(way, cross({0, 1, 0}, facing));
    }
    EXPECT_NEAR(turned / seconds, turn, 0.02f * std::fabs(turn) + 0.02f) << s->clip.name;
    EXPECT_NEAR(ahead / seconds, forward, 0.02f * forward) << s->clip.name;
    EXPECT_NEAR(aside / seconds, side, 0.02f * forward + 0.01f) << s->clip.name;
  }
}

}  // namespace
}  // namespace loom::sample
