// SPDX-License-Identifier: MIT
// Toes that would go into the floor bend up.
#include <algorithm>
#include <array>
#include <vector>

#include <gtest/gtest.h>

#include <loom/motion/kinematics.h>
#include <loom/polish/toes.h>
#include <loom/sample/sample.h>

namespace loom::polish {
namespace {

/// A pose of standing with the toes of the left foot bent down by some degrees.
class Tiptoe {
 public:
  explicit Tiptoe(float down_deg) : clip_(sample::make_sample("idle-1").value().clip) {
    Quat& toes = pose()[static_cast<std::size_t>(foot().leg.tip)];
    toes = toes * axis_angle({1, 0, 0}, down_deg * kDegree);
  }

  [[nodiscard]] const motion::Skeleton& skeleton() const { return *clip_.skeleton; }
  [[nodiscard]] std::span<Quat> pose() { return clip_.pose(0); }
  [[nodiscard]] Foot foot() const { return find_feet(skeleton()).value()[0]; }
  [[nodiscard]] const std::vector<motion::SoleBall>& sole() const { return soles_.feet[0]; }
  [[nodiscard]] float lowest() { return sole_height(skeleton(), sole(), clip_.roots[0], pose()); }
  void raise(float floor) { raise_toes(skeleton(), foot(), sole(), floor, clip_.roots[0], pose()); }

 private:
  motion::Clip clip_;
  motion::Soles soles_ = motion::find_soles(*clip_.skeleton);
};

TEST(SoleHeight, IsThatOfTheLowestPointOfThePoses) {
  const motion::Clip clip = sample::make_sample("walk-normal-1").value().clip;
  const motion::Soles soles = motion::find_soles(*clip.skeleton);
  const motion::WorldPoses poses = motion::forward_kinematics(clip);
  for (std::size_t f = 0; f < clip.frames(); f += 7) {
    for (const auto& foot : soles.feet) {
      EXPECT_NEAR(sole_height(*clip.skeleton, foot, clip.roots[f], clip.pose(f)),
                  motion::lowest_sole_point(poses, f, foot).y, 1e-5f);
    }
  }
}

TEST(RaiseToes, BendsThemOutOfTheFloorAndNothingElse) {
  for (const float down : {10.0f, 20.0f, 30.0f}) {
    Tiptoe stands(down);
    const float deep = stands.lowest();
    ASSERT_LT(deep, -0.004f);
    const std::vector<Quat> before(stands.pose().begin(), stands.pose().end());
    stands.raise(0);
    EXPECT_GT(stands.lowest(), -0.003f) << down;
    EXPECT_LT(stands.lowest(), 0.001f) << "hardly further than it takes";
    for (std::size_t j = 0; j < before.size(); ++j) {
      if (static_cast<int>(j) == stands.foot().leg.tip) continue;
      EXPECT_EQ(before[j], stands.pose()[j]);
    }
  }
}

TEST(RaiseToes, LeavesToesAloneThatAreAboveAndThoseThatMayBeSoLow) {
  Tiptoe bare(0), deep(20);
  for (Tiptoe* stands : {&bare, &deep}) {
    const std::vector<Quat> before(stands->pose().begin(), stands->pose().end());
    stands->raise(stands->lowest() - 0.001f);
    EXPECT_TRUE(std::equal(before.begin(), before.end(), stands->pose().begin()));
  }
}

TEST(RaiseToes, BendsThemAboutOneAxisAndNeverLeapsHoweverTheFootIsTurned) {
  // The foot is tipped from lying flat to past upright, rolled a little, its toes always 2 cm too low.
  Tiptoe stands(0);
  const std::vector<Quat> rest(stands.pose().begin(), stands.pose().end());
  const auto ankle = static_cast<std::size_t>(stands.foot().leg.end);
  const auto toes = static_cast<std::size_t>(stands.foot().leg.tip);
  for (const float rolled : {-12.0f, -3.0f, 0.0f, 5.0f, 20.0f}) {
    Vec3 axis, before;
    float most = 0;
    for (int tipped = 0; tipped <= 120; tipped += 2) {
      std::copy(rest.begin(), rest.end(), stands.pose().begin());
      stands.pose()[ankle] = rest[ankle] * axis_angle({0, 0, 1}, rolled * kDegree) *
                             axis_angle({1, 0, 0}, static_cast<float>(tipped) * kDegree);
      stands.raise(stands.lowest() + 0.02f);
      const Vec3 bend = log_vector(stands.pose()[toes] * conjugate(rest[toes]));
      if (tipped == 0) axis = normalized(before = bend);
      EXPECT_LT(length(bend - axis * length(bend)), 1e-3f) << tipped << " degrees, rolled " << rolled;
      EXPECT_LT(length(bend - before), 8 * kDegree) << tipped << " degrees, rolled " << rolled;
      before = bend;
      most = std::max(most, length(bend));
    }
    EXPECT_GT(most, 10 * kDegree) << "else the test says nothing";
  }
}

TEST(RaiseToes, BendsThemNoFurtherThanToesBend) {
  Tiptoe stands(0);
  const auto toes = static_cast<std::size_t>(stands.foot().leg.tip);
  const Quat before = stands.pose()[toes];
  stands.raise(0.5f);
  EXPECT_NEAR(angle_between(before, stands.pose()[toes]), 40 * kDegree, 0.5f * kDegree);
}

}  // namespace
}  // namespace loom::polish
