// SPDX-License-Identifier: MIT
#include <cmath>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include <loom/blend/blend_stream.h>
#include <loom/blend/close_cycles.h>
#include <loom/motion/body.h>
#include <loom/motion/ground_frame.h>

#include "tests/blend/sample_set.h"
#include "tests/make_clip.h"

namespace loom::blend {
namespace {

constexpr std::size_t kFrames = 31;
constexpr float kDrift = 0.6f;  // radians

/// Somebody who stands, and whose left thigh comes forward meanwhile.
struct Drifting {
  motion::Clip clip;
  motion::Contacts contacts;
  std::size_t thigh = 0;

  Drifting() {
    clip.skeleton = testing::small_person();
    clip.rate = 30;
    thigh = static_cast<std::size_t>(motion::find_body(*clip.skeleton).left_leg.upper);
    for (std::size_t f = 0; f < kFrames; ++f) {
      clip.roots.push_back({0, 0.9f, 0});
      clip.rotations.resize(clip.rotations.size() + clip.skeleton->size());
      clip.pose(f)[thigh] = axis_angle({1, 0, 0}, -kDrift * static_cast<float>(f) / (kFrames - 1));
      contacts.planted.push_back(motion::kLeftFoot | motion::kRightFoot);
    }
    contacts.points = motion::find_foot_points(*clip.skeleton).value();
  }
};

Alignment whole(std::size_t clips, double seconds) {
  Alignment alignment;
  alignment.end = seconds;
  for (std::size_t c = 0; c < clips; ++c) {
    alignment.curves.push_back(RegistrationCurve::create({{0, 0}, {seconds, seconds}}).value());
  }
  alignment.costs.resize(clips);
  return alignment;
}

TEST(CloseCycles, TheEndIsTheBeginning) {
  testing::SampleSet set = testing::sample_set({"locomotion-02"});
  motion::Clip walk = motion::cut(set.clips[0], 3, set.clips[0].frames() / 3 + 8).value();
  std::vector<motion::Clip> clips = {walk};
  close_cycles(clips, whole(1, walk.duration()));
  const motion::GroundFrameFinder finder(*walk.skeleton);
  const auto facing = [&](std::size_t f) { return finder.find(clips[0].roots[f], clips[0].pose(f)[0]).rotation(); };
  const std::size_t last = walk.frames() - 1;
  float apart = 0;
  EXPECT_NEAR(clips[0].roots[0].y, clips[0].roots[last].y, 1e-5);
  EXPECT_LT(angle_between(conjugate(facing(0)) * clips[0].pose(0)[0], conjugate(facing(last)) * clips[0].pose(last)[0]),
            0.01f);
  for (std::size_t j = 1; j < walk.joints(); ++j) {
    EXPECT_LT(angle_between(clips[0].pose(0)[j], clips[0].pose(last)[j]), 1e-3f) << j;
    apart = std::max(apart, angle_between(walk.pose(0)[j], walk.pose(last)[j]));
  }
  EXPECT_GT(apart, 0.1f) << "they met before: the test says nothing";
}

TEST(CloseCycles, WhatTheEndsOfAPlayedCycleDifferByIsNotTakenAtOnce) {
  const Drifting drifting;
  const std::vector clips = {drifting.clip, drifting.clip};
  const std::vector contacts = {drifting.contacts, drifting.contacts};
  const auto space = BlendSpace::create(clips, contacts, whole(2, drifting.clip.duration())).value();
  const auto stream = BlendStream::create(space, std::vector{0.5f, 0.5f}, BlendPlay::kCycle).value();
  std::vector<Quat> rotations(drifting.clip.joints()), before;
  motion::StreamPose pose{{}, rotations, 0, {}};
  float fastest = 0;
  for (std::size_t f = 0; f < 3 * kFrames; ++f) {
    ASSERT_TRUE(stream->next({}, pose));
    if (f > 0) fastest = std::max(fastest, angle_between(before[drifting.thigh], rotations[drifting.thigh]));
    before = rotations;
  }
  EXPECT_LT(fastest, 0.05f) << "in a quarter of a second it would be 0.1 radians a frame";
}

}  // namespace
}  // namespace loom::blend
