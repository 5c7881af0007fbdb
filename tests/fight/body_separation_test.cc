// SPDX-License-Identifier: MIT
// Bodies made to run, punch and kick into each other on purpose, and kept apart.
#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/fight/body_separation.h>
#include <loom/measure/body_measures.h>
#include <loom/motion/body_volume.h>
#include <loom/motion/ground_frame.h>
#include <loom/motion/kinematics.h>
#include <loom/sample/sample.h>

namespace loom::fight {
namespace {

motion::Clip sample_clip(const char* name) { return sample::make_sample(name)->clip; }

/// Two clips of one skeleton, side by side on one stage, separated frame by frame.
class Stage {
 public:
  Stage(motion::Clip one, motion::Clip other, std::size_t ahead = 0)
      : clips_{std::move(one), std::move(other)},
        ahead_(ahead),
        separation_(skeleton(), *motion::BodyCapsules::of(skeleton()),
                    motion::find_hinges(skeleton(), motion::forward_kinematics(clips_[0])), 2, foreseeing(ahead)) {
    for (std::size_t b = 0; b < 2; ++b) {
      rotations_[b].resize(skeleton().size());
      world_[b].resize(skeleton().size());
      positions_[b].resize(skeleton().point_count());
    }
  }

  static SeparationOptions foreseeing(std::size_t steps) {
    SeparationOptions options;
    options.ahead = steps;
    return options;
  }
  [[nodiscard]] const motion::Skeleton& skeleton() const { return *clips_[0].skeleton; }
  [[nodiscard]] std::size_t frames() const { return std::min(clips_[0].frames(), clips_[1].frames()); }

  /// Shows frame `frame` of both, each shifted by what it was pushed so far and by `by` on top.
  void step(std::size_t frame, Vec3 by_one = {}, Vec3 by_other = {}) {
    const auto seconds = static_cast<float>(1 / clips_[0].rate);
    shift_[0] += by_one;
    shift_[1] += by_other;
    for (std::size_t ahead = 0; ahead_ > 0 && ahead <= ahead_; ++ahead) {
      auto coming = bodies_at(frame + ahead);
      separation_.foresee(coming, seconds);
    }
    std::vector<SolidBody> bodies = bodies_at(frame);
    separation_.step(bodies, seconds);
    for (std::size_t b = 0; b < 2; ++b) {
      shift_[b] += bodies[b].pushed;
      made_[b].skeleton = clips_[b].skeleton;
      made_[b].rate = clips_[b].rate;
      made_[b].roots.push_back(bodies[b].root);
      made_[b].rotations.insert(made_[b].rotations.end(), rotations_[b].begin(), rotations_[b].end());
    }
  }

  std::vector<SolidBody> bodies_at(std::size_t frame) {
    std::vector<SolidBody> bodies(2);
    for (std::size_t b = 0; b < 2; ++b) {
      const motion::Clip& clip = clips_[b];
      const std::size_t f = std::min(frame, clip.frames() - 1);
      std::copy(clip.pose(f).begin(), clip.pose(f).end(), rotations_[b].begin());
      const Vec3 root = clip.roots[f] + shift_[b];
      motion::forward_kinematics(skeleton(), root, rotations_[b], positions_[b], world_[b]);
      bodies[b] = {root, rotations_[b], positions_[b], world_[b], 0, {}};
    }
    return bodies;
  }

  std::array<motion::Clip, 2> clips_, made_;
  std::size_t ahead_ = 0;
  std::array<Vec3, 2> shift_{};
  BodySeparation separation_;

 private:
  std::array<std::vector<Quat>, 2> rotations_, world_;
  std::array<std::vector<Vec3>, 2> positions_;
};

/// The clip turned round and moved, so that it stands `away` metres before one at the origin and faces it.
motion::Clip facing(motion::Clip clip, float away) {
  motion::move(clip, {0, away, kPi});
  return clip;
}

TEST(GapBetween, IsThatOfTheNearestPointsOfTheAxes) {
  Random random(7);
  const auto point = [&] {
    return Vec3{static_cast<float>(random.uniform()), static_cast<float>(random.uniform()),
                static_cast<float>(random.uniform())};
  };
  for (int trial = 0; trial < 200; ++trial) {
    motion::Capsule one{point(), point(), 0.1f, 0.1f}, other{point(), point(), 0.05f, 0.05f};
    if (trial % 10 == 0) one.b = one.a;  // a ball
    if (trial % 15 == 0) other.b = other.a;
    float least = 1e9f;
    constexpr int kSteps = 100;
    for (int i = 0; i <= kSteps; ++i) {
      for (int j = 0; j <= kSteps; ++j) {
        least = std::min(least, distance(lerp(one.a, one.b, static_cast<float>(i) / kSteps),
                                         lerp(other.a, other.b, static_cast<float>(j) / kSteps)));
      }
    }
    const motion::CapsuleGap gap = motion::gap_between(one, other);
    EXPECT_NEAR(gap.gap, least - 0.15f, 0.012f);
    EXPECT_LE(gap.gap, least - 0.15f + 1e-4f);
    EXPECT_NEAR(distance(lerp(one.a, one.b, gap.on_one), lerp(other.a, other.b, gap.on_other)) - 0.15f, gap.gap, 1e-5f);
  }
}

TEST(BodyCapsules, TakeTheRoomOfTheFigureToACentimetreOrTwo) {
  const motion::Clip clip = sample_clip("punch-right-1");
  const auto capsules = motion::BodyCapsules::of(*clip.skeleton);
  const auto volume = motion::BodyVolume::of(*clip.skeleton);
  ASSERT_TRUE(capsules && volume);
  EXPECT_LT(capsules->size(), 60u);
  std::vector<motion::Capsule> one(capsules->size()), other(capsules->size());
  const auto place = [&](const motion::WorldPoses& poses, std::size_t frame, std::vector<motion::Capsule>& into) {
    capsules->place(std::span(poses.positions).subspan(frame * poses.points, poses.points),
                    std::span(poses.rotations).subspan(frame * poses.joints, poses.joints), into);
  };
  const motion::WorldPoses here = motion::forward_kinematics(clip);
  std::size_t touching = 0;
  for (const float away : {0.5f, 0.7f, 0.9f}) {
    const motion::WorldPoses there = motion::forward_kinematics(facing(clip, away));
    for (std::size_t f = 0; f < here.frames; f += 5) {
      place(here, f, one);
      place(there, f, other);
      float gap = 1;
      for (const motion::Capsule& a : one) {
        for (const motion::Capsule& b : other) gap = std::min(gap, motion::gap_between(a, b).gap);
      }
      const float inside =
          std::max(volume->inside(here, f, *volume, there, f), volume->inside(there, f, *volume, here, f));
      if (inside < 0.02f) continue;
      ++touching;
      EXPECT_NEAR(-gap, inside, 0.03f) << away << " m apart, frame " << f;
    }
  }
  EXPECT_GT(touching, 10u);
}

TEST(BodySeparation, BodiesDrivenIntoEachOtherStayOutside) {
  const motion::Clip stance = sample_clip("fight-stance-1");
  Stage stage(stance, facing(stance, 2.0f));
  const float a_frame = 1.0f / static_cast<float>(stance.rate);
  for (std::size_t f = 0; f < stage.frames(); ++f) stage.step(f, {0, 0, 0.6f * a_frame}, {0, 0, -0.6f * a_frame});
  ASSERT_GT(0.6 * 2 * stance.duration(), 2.5) << "they would have gone right through each other";
  const auto apart = measure::measure_collision(stage.made_[0], stage.made_[1]);
  ASSERT_TRUE(apart);
  EXPECT_LT(apart->share, 0.02) << "deepest " << apart->inside_m << " m at frame " << apart->frame;
  EXPECT_LT(apart->inside_m, 0.06);
  const auto through = measure::measure_collision(stance, facing(stance, 0.2f));
  EXPECT_GT(through->share, 0.9) << "as they would be without it";
}

TEST(BodySeparation, ALimbIsStoppedAtTheSurfaceAndGoesBackToItsMotion) {
  for (const char* name : {"punch-right-1", "kick-right-middle"}) {
    const motion::Clip blow = sample_clip(name), stance = sample_clip("fight-stance-1");
    Stage stage(blow, facing(stance, name[0] == 'p' ? 0.80f : 1.10f));
    for (std::size_t f = 0; f < stage.frames(); ++f) stage.step(f);
    const auto raw = measure::measure_collision(stage.clips_[0], stage.clips_[1]),
               kept = measure::measure_collision(stage.made_[0], stage.made_[1]);
    ASSERT_TRUE(raw && kept);
    EXPECT_GT(raw->inside_m, 0.06) << name << " goes through the other";
    EXPECT_LT(kept->inside_m, 0.6 * raw->inside_m) << name;
    EXPECT_LT(kept->share, 0.03) << name;
    // It reaches the other: the two touch.
    const auto capsules = motion::BodyCapsules::of(stage.skeleton());
    std::vector<motion::Capsule> ones(capsules->size()), others(capsules->size());
    const motion::WorldPoses one = motion::forward_kinematics(stage.made_[0]),
                             other = motion::forward_kinematics(stage.made_[1]);
    float nearest = 1;
    for (std::size_t f = 0; f < one.frames; ++f) {
      for (const auto& [poses, into] : {std::pair{&one, &ones}, {&other, &others}}) {
        capsules->place(std::span(poses->positions).subspan(f * poses->points, poses->points),
                        std::span(poses->rotations).subspan(f * poses->joints, poses->joints), *into);
      }
      for (const motion::Capsule& a : ones) {
        for (const motion::Capsule& b : others) nearest = std::min(nearest, motion::gap_between(a, b).gap);
      }
    }
    EXPECT_LT(nearest, 0.01f) << name;
    const motion::BodyPart limb = name[0] == 'p' ? motion::BodyPart::kRightArm : motion::BodyPart::kRightLeg;
    EXPECT_LT(stage.separation_.held_back(0, limb), 0.01f) << name;
    for (std::size_t b = 0; b < 2; ++b) {
      const motion::WorldPoses poses = motion::forward_kinematics(stage.made_[b]);
      for (std::size_t f = 0; f < poses.frames; ++f) {
        for (std::size_t j = 0; j < poses.joints; ++j) ASSERT_TRUE(is_finite(poses.position(f, j)));
      }
    }
  }
}

TEST(BodySeparation, ALimbThatSeesWhatStopsItSlowsDownBeforeIt) {
  for (const char* blow : {"punch-right-1", "jab-cross", "kick-right-high", "kick-right-middle"}) {
    // The hardest that any joint of the one who strikes is accelerated, metres a second squared; 0.17 s at 60 Hz.
    std::array<float, 2> hardest{};
    for (const std::size_t ahead : {0u, 10u}) {
      Stage stage(sample_clip(blow), facing(sample_clip("fight-stance-1"), 0.7f), ahead);
      for (std::size_t f = 0; f < stage.frames(); ++f) stage.step(f);
      const motion::WorldPoses made = motion::forward_kinematics(stage.made_[0]);
      float& worst = hardest[ahead > 0 ? 1 : 0];
      for (std::size_t f = 1; f + 1 < made.frames; ++f) {
        for (std::size_t j = 0; j < made.joints; ++j) {
          const Vec3 change = made.position(f + 1, j) - 2.0f * made.position(f, j) + made.position(f - 1, j);
          worst = std::max(worst, length(change) * 3600);
        }
      }
      if (ahead > 0) {
        EXPECT_LT(measure::measure_collision(stage.made_[0], stage.made_[1])->inside_m, 0.02) << blow;
      }
    }
    EXPECT_LT(hardest[1], 0.5f * hardest[0]) << blow;
  }
}

TEST(BodySeparation, AnArmThatIsPressedDoesNotFoldThroughItself) {
  // Whoever punches is carried right into the other, so that the fist is driven back to its own shoulder.
  const motion::Clip blow = sample_clip("punch-right-1"), stance = sample_clip("fight-stance-1");
  const motion::WorldPoses own = motion::forward_kinematics(blow);
  const motion::Hinges hinges = motion::find_hinges(*blow.skeleton, own);
  for (const float away : {0.6f, 0.4f, 0.25f}) {
    Stage stage(blow, facing(stance, away));
    for (std::size_t f = 0; f < stage.frames(); ++f) {
      stage.shift_ = {};  // nobody gives way
      stage.step(f);
    }
    const motion::WorldPoses poses = motion::forward_kinematics(stage.made_[0]);
    for (std::size_t h = motion::kKnees; h < motion::kHinges; ++h) {
      ASSERT_TRUE(hinges[h]);
      for (std::size_t f = 0; f < poses.frames; ++f) {
        const float bend = motion::signed_bend(poses, f, *hinges[h]),
                    recorded = motion::signed_bend(own, f, *hinges[h]);
        EXPECT_LT(bend, std::max(152 * kDegree, recorded + 2 * kDegree)) << away << " m, frame " << f;
        EXPECT_GT(bend, -8 * kDegree) << away << " m, frame " << f;
      }
    }
  }
}

TEST(BodySeparation, LeavesWhatDoesNotTouchAlone) {
  const motion::Clip blow = sample_clip("kick-left-high"), stance = sample_clip("fight-stance-1");
  Stage stage(blow, facing(stance, 2.5f));
  for (std::size_t f = 0; f < stage.frames(); ++f) stage.step(f);
  for (std::size_t f = 0; f < stage.frames(); ++f) {
    EXPECT_EQ(stage.made_[0].roots[f], blow.roots[f]);
    EXPECT_TRUE(std::equal(blow.pose(f).begin(), blow.pose(f).end(), stage.made_[0].pose(f).begin()));
  }
}

}  // namespace
}  // namespace loom::fight
