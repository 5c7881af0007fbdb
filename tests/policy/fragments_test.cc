// SPDX-License-Identifier: MIT
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/motion/contacts.h>
#include <loom/motion/ground_frame.h>
#include <loom/motion/kinematics.h>
#include <loom/policy/evident_control.h>
#include <loom/policy/fragments.h>
#include <loom/policy/motion_quality.h>
#include <loom/policy/policy.h>
#include <loom/policy/stored_fragments.h>
#include <loom/policy/stored_policy.h>
#include <loom/policy/train.h>
#include <loom/sample/sample.h>

#include "tests/make_walk.h"
#include "tests/policy/glide_library.h"
#include "tests/temporary_folder.h"

namespace loom::policy {
namespace {

using ::testing::HasSubstr;
using testing::named_glide;

class FragmentsTest : public ::testing::Test {
 protected:
  CutMotion cut(const CutOptions& options = {}) {
    auto made = cut_fragments(library_, options);
    EXPECT_TRUE(made) << made.error().to_string();
    return std::move(*made);
  }
  /// A policy trained on the fragments "f" and stored under that name.
  Policy train() {
    const CutMotion fragments = cut();
    EXPECT_TRUE(store_fragments(library_, "f", *fragments.set, "{}"));
    ControlSpace space = usual_control_space();
    space.bins.resize(12);
    Trace trace;
    trace.times = {0, 1, 2};
    trace.signals = {space.bins[0], space.bins[1], space.bins[2]};
    auto model = count_player_model(space, std::vector<Trace>{trace}, fragments.set->seconds());
    auto ground = prepare_training(fragments, space, *model, {}, 0.9);
    auto policy = train_policy(*ground, {});
    policy->fragments = "f";
    EXPECT_TRUE(store_policy(library_, "f", *policy, "{}"));
    return std::move(*policy);
  }

  testing::TemporaryFolder folder_;
  library::Library library_ = testing::make_glide_library(folder_.file("moves.loom"));
};

TEST(EvidentControl, IsWhatTheBodyDoes) {
  const motion::Clip clip = testing::glide(testing::small_person(), 1.5f, 0.8f, 90);
  const std::vector<ControlSignal> controls = evident_controls(clip);
  ASSERT_EQ(controls.size(), 90u);
  for (std::size_t f = 20; f < 70; ++f) {
    EXPECT_NEAR(controls[f].forward, 1.5, 0.05);
    EXPECT_NEAR(controls[f].left, 0, 0.05);
    EXPECT_NEAR(controls[f].turn, 0.8, 0.05);
    EXPECT_EQ(controls[f].flags, 0u);
  }
}

TEST(EvidentControl, JumpsAreInTheAirAndRunsAreNot) {
  motion::Clip jump = named_glide("jump", 1, 0, 60);
  for (std::size_t f = 20; f <= 35; ++f) {
    const float t = static_cast<float>(f - 20) / 30;
    jump.roots[f].y += 0.5f * 9.81f * t * (0.5f - t);
  }
  const auto in_air = [](const motion::Clip& clip, std::size_t frame) {
    return (evident_controls(clip)[frame].flags & kAirborneBit) != 0;
  };
  EXPECT_TRUE(in_air(jump, 27));
  EXPECT_FALSE(in_air(jump, 10));
  EXPECT_FALSE(in_air(jump, 50));
  testing::Gait run;
  run.duty = 0.35;
  run.cycle = 0.7;
  run.speed = 3;
  for (const ControlSignal& s : evident_controls(testing::make_gait(run).clip)) EXPECT_EQ(s.flags, 0u);
}

TEST_F(FragmentsTest, AreCutAllAlongEveryClip) {
  const FragmentMotion made = cut();
  const FragmentSet& set = *made.set;
  EXPECT_EQ(set.length, 6u);
  EXPECT_EQ(set.step, 3u);
  EXPECT_EQ(set.clips.size(), 4u);
  // 46 frames at 30 Hz are 91 at 60 Hz: starts at 0, 3, ... 84.
  EXPECT_EQ(set.size(), 4u * 29u);
  for (const Fragment& f : set.fragments) {
    const std::string& name = set.clips[f.clip].name;
    EXPECT_NEAR(f.evident.forward, name == "stand" ? 0 : 1.5, 0.4) << name;
    EXPECT_NEAR(f.evident.turn, name == "left" ? 0.8 : (name == "right" ? -0.8 : 0), 0.12) << name;
  }
  EXPECT_THAT(set.describe(1), HasSubstr("ahead at 0.05 s"));
  EXPECT_EQ(cut({.mirror = true}).set->size(), 2 * set.size());
}

TEST_F(FragmentsTest, LabelsCanBeFlags) {
  ASSERT_TRUE(library_.add_label("stand", {"crouch", 0, 46}));
  const FragmentMotion made = cut({.flag_names = {"crouch"}});
  for (const Fragment& f : made.set->fragments) {
    EXPECT_EQ(f.evident.flags, made.set->clips[f.clip].name == "stand" ? 2u : 0u);
  }
}

TEST_F(FragmentsTest, RefusesWhatGivesNoFragments) {
  EXPECT_THAT(cut_fragments(library_, {.length_seconds = 0.05}).error().message, HasSubstr("needs at least 4"));
  EXPECT_THAT(cut_fragments(library_, {.length_seconds = 30}).error().message, HasSubstr("no fragments"));
  EXPECT_THAT(cut_fragments(library_, {.labels = {"swim"}}).error().message, HasSubstr("swim"));
  const auto empty = library::Library::open_or_create(folder_.file("empty.loom"));
  EXPECT_THAT(cut_fragments(*empty, {}).error().message, HasSubstr("no clips"));
  motion::Clip tall = named_glide("tall", 1, 0, 40);
  tall.skeleton = std::make_shared<motion::Skeleton>(tall.skeleton->scaled(1.2f));
  ASSERT_TRUE(library_.add_clip(tall));
  EXPECT_THAT(cut_fragments(library_, {}).error().message, HasSubstr("do not move the same body"));
}

TEST_F(FragmentsTest, ComeBackFromTheLibraryAsTheyWere) {
  const FragmentMotion made = cut({.mirror = true});
  ASSERT_TRUE(store_fragments(library_, "f", *made.set, "{}"));
  const auto loaded = load_fragments(library_, "f");
  ASSERT_TRUE(loaded) << loaded.error().to_string();
  EXPECT_EQ(*loaded->set, *made.set);
  EXPECT_EQ(loaded->hash, made.hash);
  for (std::size_t c = 0; c < made.motion->clips.size(); ++c) {
    EXPECT_EQ(loaded->motion->clips[c].rotations, made.motion->clips[c].rotations);
  }
  EXPECT_FALSE(load_fragments(library_, "g"));
}

TEST_F(FragmentsTest, SayWhatChangedInTheLibrary) {
  ASSERT_TRUE(store_fragments(library_, "f", *cut().set, "{}"));
  ASSERT_TRUE(library_.add_clip(named_glide("more", 1, 0, 40)));
  EXPECT_TRUE(load_fragments(library_, "f")) << "what was added does not matter";
  ASSERT_TRUE(library_.remove_clip("left"));
  EXPECT_THAT(load_fragments(library_, "f").error().message, HasSubstr("'left' is gone"));
  ASSERT_TRUE(library_.add_clip(named_glide("left", 1.4f, 0.8f, 46)));
  EXPECT_THAT(load_fragments(library_, "f").error().message, HasSubstr("'left' has changed"));
}

TEST_F(FragmentsTest, DamagedBytesAreRefused) {
  const auto fragments = to_bytes(*cut().set);
  for (std::size_t size = 0; size < fragments.size(); size += 7) {
    EXPECT_FALSE(fragments_from_bytes(std::span(fragments).first(size)));
  }
  const auto policy = to_bytes(train());
  for (std::size_t size = 0; size < policy.size(); size += 101) {
    EXPECT_FALSE(policy_from_bytes(std::span(policy).first(size)));
  }
}

TEST_F(FragmentsTest, PoliciesComeBackAndAreRefusedAfterChanges) {
  const Policy made = train();
  ASSERT_TRUE(made.solution.converged);
  const auto loaded = load_policy(library_, "f");
  ASSERT_TRUE(loaded) << loaded.error().to_string();
  EXPECT_EQ(loaded->policy->solution.next, made.solution.next);
  EXPECT_EQ(loaded->policy->space, made.space);
  EXPECT_EQ(loaded->policy->model, made.model);
  for (std::size_t i = 0; i < made.solution.reward.size(); ++i) {
    ASSERT_NEAR(loaded->policy->solution.reward[i], made.solution.reward[i], 1e-6);
  }
  ASSERT_TRUE(store_fragments(library_, "f", *cut({.mirror = true}).set, "{}"));
  EXPECT_THAT(load_policy(library_, "f").error().message, HasSubstr("cut anew since"));
  ASSERT_TRUE(library_.remove_clip("stand"));
  EXPECT_THAT(load_policy(library_, "f").error().message, HasSubstr("'stand' is gone"));
}

/// Where the points of a pose are once its place and heading on the floor are taken out.
std::vector<Vec3> tips_of(const motion::Skeleton& skeleton, Vec3 root, std::vector<Quat> pose) {
  const motion::GroundFrame ground = motion::GroundFrameFinder(skeleton).find(root, pose[0]);
  pose[0] = axis_angle({0, 1, 0}, -ground.heading) * pose[0];
  std::vector<Vec3> points(skeleton.point_count());
  std::vector<Quat> world(skeleton.size());
  motion::forward_kinematics(skeleton, {0, root.y, 0}, pose, points, world);
  std::vector<Vec3> tips;
  for (std::size_t j = 1; j < skeleton.size(); ++j) {
    if (length(skeleton.joint(j).offset) > 1e-4f) tips.push_back(points[j]);
  }
  for (std::size_t e = 0; e < skeleton.end_sites().size(); ++e) tips.push_back(points[skeleton.size() + e]);
  return tips;
}

/// Eq. 9 written out for one pair, with rotation vectors in place of quaternion products.
double quality_by_the_formula(const FragmentMotion& made, std::size_t from, std::size_t to) {
  const FragmentSet& set = *made.set;
  const Fragment &f = set.fragments[from], &g = set.fragments[to];
  const motion::Clip &a = made.motion->clips[f.clip], &b = made.motion->clips[g.clip];
  const motion::GroundFrameFinder finder(*a.skeleton);
  const std::size_t m = f.frame + set.length - 1;
  const double weights[] = {0.8, 0.5, 0.3};
  double sum = 1;
  for (std::size_t delta = 1; delta <= 3; ++delta) {
    const auto local = [&](std::size_t frame) {
      std::vector<Quat> pose(a.pose(frame).begin(), a.pose(frame).end());
      const float heading = finder.find(a.roots[frame], pose[0]).heading;
      pose[0] = axis_angle({0, 1, 0}, -heading) * pose[0];
      return pose;
    };
    const std::vector<Quat> before = local(m - delta), last = local(m);
    std::vector<Quat> predicted;
    for (std::size_t j = 0; j < last.size(); ++j) {
      predicted.push_back(last[j] * exp_vector(log_vector(conjugate(before[j]) * last[j])));
    }
    std::vector<Vec3> expected(a.skeleton->point_count());
    std::vector<Quat> world(a.skeleton->size());
    const Vec3 root{0, 2 * a.roots[m].y - a.roots[m - delta].y, 0};
    motion::forward_kinematics(*a.skeleton, root, predicted, expected, world);
    const std::size_t frame = g.frame + delta - 1;
    const auto actual = tips_of(*b.skeleton, b.roots[frame], {b.pose(frame).begin(), b.pose(frame).end()});
    std::vector<Vec3> tips;
    for (std::size_t j = 1; j < a.skeleton->size(); ++j) {
      if (length(a.skeleton->joint(j).offset) > 1e-4f) tips.push_back(expected[j]);
    }
    for (std::size_t e = 0; e < a.skeleton->end_sites().size(); ++e) tips.push_back(expected[a.skeleton->size() + e]);
    for (std::size_t i = 0; i < tips.size(); ++i) {
      sum += weights[delta - 1] * static_cast<double>(distance(tips[i], actual[i]));
    }
  }
  return 1 / sum;
}

TEST_F(FragmentsTest, MotionQualityIsThatOfTheFormula) {
  const FragmentMotion made = cut();
  const auto qualities = motion_qualities(made);
  ASSERT_TRUE(qualities);
  for (std::size_t from = 0; from < made.set->size(); from += 13) {
    for (std::size_t to = 0; to < made.set->size(); to += 11) {
      if (qualities->quality(from, to) < 0) continue;
      EXPECT_NEAR(qualities->quality(from, to), quality_by_the_formula(made, from, to), 2e-4) << from << " " << to;
    }
  }
}

TEST(Fragments, QualityDoesNotDependOnTheParityOfTheStart) {
  // Recorded at 30 Hz and cut at 60, every other fragment ends on a frame that was recorded, the others between two.
  testing::TemporaryFolder folder;
  auto library = library::Library::open_or_create(folder.file("walks.loom"));
  ASSERT_TRUE(library);
  for (const char* name : {"walk-normal-1", "walk-fast", "run-1"}) {
    auto made = sample::make_sample(name);
    ASSERT_TRUE(made) << made.error().to_string();
    ASSERT_TRUE(library->add_clip(motion::resample(made->clip, 30).value()));
  }
  const CutMotion fragments = cut_fragments(*library, {}).value();
  ASSERT_EQ(fragments.set->rate, 60);
  ASSERT_EQ(fragments.sources.size(), 1u);
  EXPECT_EQ(fragments.sources[0].rate, 30);
  const DenseTransitions qualities = motion_qualities(fragments).value();
  std::array<double, 2> breaks{};  // what eq. 9 finds wrong with going on as recorded
  std::array<double, 2> count{};
  for (std::size_t f = 0; f + 2 < fragments.set->size(); ++f) {
    const Fragment &from = fragments.set->fragments[f], &to = fragments.set->fragments[f + 2];
    if (from.clip != to.clip) continue;
    const std::size_t parity = from.frame % 2;
    breaks[parity] += 1 / static_cast<double>(qualities.quality(f, f + 2)) - 1;
    count[parity] += 1;
  }
  ASSERT_GT(count[0], 50);
  ASSERT_GT(count[1], 50);
  EXPECT_NEAR((breaks[0] / count[0]) / (breaks[1] / count[1]), 1, 0.1);
}

TEST_F(FragmentsTest, TheRateIsThatOfTheRecordingsWhereItIsHigher) {
  EXPECT_EQ(cut().set->rate, 60);
  motion::Clip quick = named_glide("quick", 1.5f, 0, 46 * 20);
  quick.rate = 120;
  ASSERT_TRUE(library_.add_clip(quick));
  const CutMotion made = cut();
  EXPECT_EQ(made.set->rate, 120);
  EXPECT_EQ(made.set->length, 12u);
  ASSERT_EQ(made.sources.size(), 2u);
  EXPECT_EQ(made.sources[0].rate, 120);
  EXPECT_EQ(made.sources[1].rate, 30);
  CutOptions asked;
  asked.rate = 60;
  EXPECT_EQ(cut(asked).set->rate, 60);
}

TEST_F(FragmentsTest, MotionQualityIsTheSameAtTwiceTheRate) {
  CutOptions twice;
  twice.rate = 120;
  const FragmentMotion usual = cut(), quick = cut(twice);
  ASSERT_EQ(usual.set->size(), quick.set->size());
  const auto at_60 = motion_qualities(usual), at_120 = motion_qualities(quick);
  for (std::size_t from = 0; from < usual.set->size(); from += 7) {
    for (std::size_t to = 0; to < usual.set->size(); to += 5) {
      // The last frame of a fragment lies half a frame of the lower rate later.
      EXPECT_NEAR(at_60->quality(from, to), at_120->quality(from, to), 0.1f) << from << " " << to;
    }
  }
}

/// Whether there is a foot to stand on, found from whole clips in the world.
bool foot_to_stand_on(const FragmentMotion& made, std::size_t from, std::size_t to, float metres) {
  const motion::GroundFrameFinder finder(*made.motion->skeleton);
  std::array<std::array<Vec3, 2>, 2> toes;
  std::array<std::array<bool, 2>, 2> stands;
  for (std::size_t i = 0; i < 2; ++i) {
    const Fragment& f = made.set->fragments[i == 0 ? from : to];
    const motion::Clip& clip = made.motion->clips[f.clip];
    const std::size_t frame = i == 0 ? f.frame + made.set->length - 1 : f.frame;
    const motion::WorldPoses poses = motion::forward_kinematics(clip);
    const motion::GroundFrame place = finder.find(clip.roots[frame], clip.pose(frame)[0]);
    for (std::size_t side = 0; side < 2; ++side) {
      const auto toe = static_cast<std::size_t>((*motion::find_foot_points(*clip.skeleton))[2 * side + 1]);
      Vec3 root = transform(inverse(place), clip.roots[frame]);
      root.y = 0;  // the body stands over the origin
      toes[i][side] = transform(inverse(place), poses.position(frame, toe)) - root;
      stands[i][side] = (made.motion->contacts[f.clip].planted[frame] >> (2 * side) & 3) != 0;
    }
  }
  const bool lands = !stands[0][0] && !stands[0][1], flies = !stands[1][0] && !stands[1][1];
  for (std::size_t side = 0; side < 2; ++side) {
    const bool counts = flies ? lands || stands[0][side] : stands[1][side];
    if (counts && distance(toes[0][side], toes[1][side]) <= (lands || flies ? 2 : 1) * metres) return true;
  }
  return false;
}

TEST(Fragments, NoneFollowsThatHasNoFootToStandOn) {
  testing::TemporaryFolder folder;
  auto library = library::Library::open_or_create(folder.file("walks.loom"));
  ASSERT_TRUE(library);
  for (const char* name : {"walk-normal-1", "run-1"}) {
    ASSERT_TRUE(library->add_clip(motion::resample(sample::make_sample(name)->clip, 30).value()));
  }
  const CutMotion made = cut_fragments(*library, {}).value();
  MotionQualityOptions options;
  const DenseTransitions all = motion_qualities(made, options).value();
  options.support_metres = 0.2;
  const DenseTransitions supported = motion_qualities(made, options).value();
  std::size_t kept = 0, forbidden = 0;
  for (std::size_t from = 0; from < made.set->size(); from += 7) {
    for (std::size_t to = 0; to < made.set->size(); to += 5) {
      if (all.quality(from, to) < 0) continue;
      const bool stands = foot_to_stand_on(made, from, to, 0.2f);
      EXPECT_EQ(supported.quality(from, to), stands ? all.quality(from, to) : supported.quality(from, to));
      EXPECT_EQ(supported.quality(from, to) > 0, stands) << from << " " << to;
      ++(stands ? kept : forbidden);
    }
  }
  EXPECT_GT(kept, 100u);
  EXPECT_GT(forbidden, 100u);
  options.support_metres = -1;
  EXPECT_FALSE(motion_qualities(made, options));
}

TEST_F(FragmentsTest, GoingOnIsSmoothAndStutteringIsNotAllowed) {
  const FragmentMotion made = cut();
  const auto qualities = motion_qualities(made);
  ASSERT_TRUE(qualities);
  // Within the first clip: two fragments on is what was recorded next.
  EXPECT_GT(qualities->quality(10, 12), 0.8f);
  for (std::size_t to = 4; to <= 10; ++to) EXPECT_LT(qualities->quality(10, to), 0) << to;
  EXPECT_GE(qualities->quality(10, 3), 0) << "0.35 s before is no stutter";
  MotionQualityOptions wrong;
  wrong.offsets = {1, 2, 6};
  EXPECT_FALSE(motion_qualities(made, wrong));
}

}  // namespace
}  // namespace loom::policy
