// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include <gtest/gtest.h>

#include <loom/blend/family/lead.h>
#include <loom/measure/measure.h>

#include "tests/blend/sample_set.h"

namespace loom::blend {
namespace {

/// Two walks, cut where the cycle is not over: end and beginning do not meet.
std::shared_ptr<const BlendSpace> cut_off_walks() {
  testing::SampleSet set = testing::sample_set({"locomotion-02", "locomotion-03"});
  for (std::size_t c = 0; c < set.clips.size(); ++c) {
    const std::size_t frames = set.clips[c].frames() / 3 + 8;
    set.clips[c] = motion::cut(set.clips[c], 0, frames).value();
    set.contacts[c].planted.resize(frames);
  }
  auto alignment = align(set.clips, set.contacts).value();
  return BlendSpace::create(set.clips, set.contacts, std::move(alignment)).value();
}

TEST(Lead, CyclesThatDoNotMeetGoOnWithoutAJump) {
  const auto space = cut_off_walks();
  const auto points = std::make_shared<const Triangulation>(Triangulation::create({1, {0, 1}}).value());
  const auto weighting = make_weighting(Method::kBarycentric, points, nullptr);
  ParameterPath path{1, std::vector<double>(300, 0.5), true};
  const motion::Clip led = lead(space, *weighting, path).value().clip;
  double recorded = 0, apart = 0;
  for (const motion::Clip& clip : space->clips()) {
    recorded = std::max(recorded, measure::measure(clip).largest_jump_m);
    motion::Clip torn = clip;  // as it would be without a join
    torn.rotations.insert(torn.rotations.end(), clip.rotations.begin(), clip.rotations.end());
    for (const Vec3& root : clip.roots) torn.roots.push_back(root + (clip.roots.back() - clip.roots.front()));
    apart = std::max(apart, measure::measure(torn).largest_jump_m);
  }
  ASSERT_GT(apart, 3 * recorded) << "they meet: the test says nothing";
  EXPECT_LT(measure::measure(led).largest_jump_m, std::max(2 * recorded, 0.4 * apart));
}

TEST(Lead, TellsWhereTheFeetOfTheExamplesStand) {
  const auto space = cut_off_walks();
  const auto points = std::make_shared<const Triangulation>(Triangulation::create({1, {0, 1}}).value());
  const auto weighting = make_weighting(Method::kBarycentric, points, nullptr);
  const auto [led, contacts, sources, names] =
      lead(space, *weighting, ParameterPath{1, std::vector<double>(300, 0.5), true}).value();
  ASSERT_EQ(contacts.planted.size(), led.frames());
  EXPECT_EQ(contacts.points, space->contacts().front().points);
  std::size_t standing = 0, alone = 0;
  for (const std::uint8_t planted : contacts.planted) {
    const bool left = (planted & motion::kLeftFoot) != 0, right = (planted & motion::kRightFoot) != 0;
    standing += left || right ? 1 : 0;
    alone += left != right ? 1 : 0;
  }
  EXPECT_GT(standing, 260u) << "who walks has a foot on the floor";
  EXPECT_GT(alone, 150u) << "and mostly one alone";
  for (std::size_t part = 0; part < motion::kFootParts; ++part) {
    const float one = space->contacts()[0].rest_height[part], other = space->contacts()[1].rest_height[part];
    EXPECT_NEAR(contacts.rest_height[part], (one + other) / 2, 1e-3f);
  }
}

/// Weights far outside the examples, as bodies do not bend.
class Beyond final : public Weighting {
 public:
  explicit Beyond(std::shared_ptr<const Triangulation> space) : Weighting(std::move(space)) {}

 private:
  std::optional<double> weigh_at(std::span<const double> /*at*/, std::span<float> weights) const override {
    weights[0] = -3;
    weights[1] = 4;
    return {};
  }
};

/// One example on this side of the middle, the other beyond it.
class Leaping final : public Weighting {
 public:
  explicit Leaping(std::shared_ptr<const Triangulation> space) : Weighting(std::move(space)) {}

 private:
  std::optional<double> weigh_at(std::span<const double> at, std::span<float> weights) const override {
    weights[0] = at[0] < 0.5 ? 1.0f : 0.0f;
    weights[1] = 1 - weights[0];
    return {};
  }
};

TEST(Lead, AWayBackToBodiesDoesNotLeapWhereConvexWeightsDo) {
  testing::SampleSet set = testing::sample_set({"reach-01", "reach-08"});
  auto alignment = align(set.clips, set.contacts).value();
  const auto space = BlendSpace::create(set.clips, set.contacts, std::move(alignment)).value();
  const auto points = std::make_shared<const Triangulation>(Triangulation::create({1, {0, 1}}).value());
  ParameterPath path{1, {}, false};
  for (int f = 0; f < 120; ++f) path.points.push_back(f / 119.0);
  const Leaping leaping(points);
  const double leap = measure::measure(lead(space, leaping, path).value().clip).largest_jump_m;
  ASSERT_GT(leap, 0.1) << "the two are alike: the test says nothing";
  const motion::Clip led = lead(space, Beyond(points), path, &leaping).value().clip;
  EXPECT_LT(measure::measure(led).largest_jump_m, 0.2 * leap);
}

}  // namespace
}  // namespace loom::blend
