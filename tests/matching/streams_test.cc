// SPDX-License-Identifier: MIT
// Characters that are steered: by motion matching, by fragments, by a policy on a graph.
#include <array>
#include <cmath>
#include <limits>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/matching/matching.h>
#include <loom/matching/matching_controller.h>
#include <loom/measure/body_measures.h>
#include <loom/measure/measure.h>
#include <loom/measure/reference_measures.h>
#include <loom/motion/body.h>
#include <loom/motion/kinematics.h>
#include <loom/policy/drive.h>
#include <loom/policy/evident_control.h>
#include <loom/policy/fragment_stream.h>
#include <loom/policy/response.h>
#include <loom/policy/simulated_player.h>
#include <loom/polish/polished_stream.h>
#include <loom/sample/sample.h>
#include <loom/take/take_set.h>

#include "tests/count_allocations.h"
#include "tests/make_clip.h"

namespace loom::matching {
namespace {

using ::testing::HasSubstr;

/// The sample motions of these names, ready to be played.
std::shared_ptr<const take::TakeSet> motion_of(const std::vector<std::string>& names) {
  auto motion = std::make_shared<take::TakeSet>();
  for (const std::string& name : names) {
    sample::SampleClip made = *sample::make_sample(name, {1, 30});
    motion->skeleton = made.clip.skeleton;
    motion->contacts.push_back(made.contacts);
    motion->clips.push_back(std::move(made.clip));
  }
  for (motion::Clip& clip : motion->clips) clip.skeleton = motion->skeleton;
  return motion;
}

/// Some of the sample motions: standing, walking about, running, jumping.
std::shared_ptr<const take::TakeSet> sample_motion() {
  static const auto kMotion = motion_of({"idle-1", "locomotion-01", "locomotion-02", "locomotion-03", "locomotion-04",
                                         "locomotion-05", "locomotion-06", "jog", "jump-up"});
  return kMotion;
}

std::shared_ptr<const MatchFeatures> sample_features() {
  static const auto kFeatures = *find_match_features(*sample_motion());
  return kFeatures;
}

/// Plays a stream under a signal seen from the body; `place` tells where the body is.
template <typename Stream>
motion::Recording play(Stream& stream, double seconds, const policy::ControlSignal& signal) {
  return *motion::record(stream, seconds, [&](double) { return policy::to_world(signal, stream.place().heading); });
}

TEST(MatchFeatures, HaveThirtyNineNumbersAFrame) {
  EXPECT_EQ(sample_features()->dims(), 39U);
  std::size_t frames = 0;
  for (const motion::Clip& clip : sample_motion()->clips) frames += clip.frames();
  EXPECT_EQ(sample_features()->index.rows(), frames);
}

TEST(MatchFeatures, EachGroupHasUnitVarianceTimesItsWeight) {
  const MatchFeatures& features = *sample_features();
  double variance = 0, mean = 0;
  for (std::uint32_t r = 0; r < features.index.rows(); ++r) {
    for (std::size_t k = 18; k < 24; ++k) {
      mean += static_cast<double>(features.index.row(r)[k]);
      variance += static_cast<double>(features.index.row(r)[k] * features.index.row(r)[k]);
    }
  }
  const auto count = static_cast<double>(6 * features.index.rows());
  EXPECT_NEAR(mean / count, 0, 1e-3);
  EXPECT_NEAR(variance / count, 1, 1e-3);
}

TEST(MatchFeatures, WhoHardlyTurnsIsNotMatchedByFacingAlone) {
  // A walk straight ahead faces nearly the same way all the time. A wish to turn by 60 degrees must not count as dozens
  // of deviations, beside which legs the wrong way round would weigh nothing.
  const auto walk = motion_of({"walk-normal-1"});
  const auto features = *find_match_features(*walk);
  const MatchWeights weights;
  for (std::size_t k = 6; k < 12; ++k) EXPECT_GE(features->scale[k] * weights.path_facing, 0.17f) << k;
  std::vector<float> query(features->dims());
  const motion::GroundFrame turned{0, 1, 60 * kDegree};
  features->write_query(40, {}, std::array{turned, turned, turned}, {0, 0, 1}, 0, nullptr, query);
  float facing = 0;
  for (std::size_t k = 6; k < 12; ++k) facing += std::pow(query[k] - features->index.row(40)[k], 2.0f);
  EXPECT_LT(facing, 400);
}

TEST(MatchFeatures, WhereHandsAndHeadAreCounts) {
  const MatchFeatures& features = *sample_features();
  const take::TakeSet& motion = *sample_motion();
  const motion::Body body = motion::find_body(*motion.skeleton);
  const motion::SourceFrame at{3, 40};
  const motion::Clip& clip = motion.clips[at.clip];
  const motion::GroundFrame here = take::track_at(motion.tracks()[at.clip], at.frame);
  std::size_t k = MatchFeatures::kUpper;
  for (const int joint : {body.left_arm.end, body.right_arm.end, body.head}) {
    const Vec3 place = motion::joint_frame(*clip.skeleton, joint, clip.roots[at.frame], clip.pose(at.frame)).position;
    const Vec3 seen = transform(inverse(here), place);
    for (const float x : {seen.x, seen.y, seen.z}) {
      EXPECT_NEAR(features.index.row(features.row_of(at))[k] * features.scale[k] + features.mean[k], x, 1e-4f) << k;
      ++k;
    }
  }
  EXPECT_EQ(k, MatchFeatures::kStands);
}

TEST(MatchFeatures, RefuseWhatTheyCannotUse) {
  const auto error_of = [](const MatchOptions& options) {
    return find_match_features(*sample_motion(), options).error().message;
  };
  MatchOptions options;
  options.flags = {"crouch"};
  EXPECT_THAT(error_of(options), HasSubstr("'crouch'"));
  options = {};
  options.behaviors = {"fly"};
  EXPECT_THAT(error_of(options), HasSubstr("'fly'"));
  options = {};
  options.weights.path_facing = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THAT(error_of(options), HasSubstr("weights"));
  options = {};
  options.leave_out_seconds = 1000;
  EXPECT_THAT(error_of(options), HasSubstr("too short"));
}

TEST(MatchFeatures, ASceneWithoutAFutureIsNotGoneTo) {
  // Two thirds of a second must be left in long clips, and nothing of what is beyond their ends is a candidate.
  const auto motion = motion_of({"walk-normal-1", "jog"});
  const auto features = *find_match_features(*motion);
  std::size_t expected = 0;
  for (const motion::Clip& clip : motion->clips) expected += clip.frames() - 20;
  EXPECT_EQ(features->index.size(), expected);
  // What is missing of the path counts, and more towards the end.
  const auto missing = [&](std::uint32_t f) { return features->index.row(f)[MatchFeatures::kFuture]; };
  const auto last = static_cast<std::uint32_t>(motion->clips[0].frames() - 1);
  EXPECT_EQ(missing(0), missing(last - 31));
  EXPECT_LT(missing(last - 20), missing(last - 10));
  EXPECT_NEAR(missing(last) - missing(0), MatchWeights{}.future, 1e-5f);
}

TEST(MatchFeatures, AFootThatIsHeldIsAskedForWhereItStands) {
  const MatchFeatures& features = *sample_features();
  std::vector<float> of_row(features.dims()), of_feet(features.dims());
  const std::array<motion::GroundFrame, kPathPlaces> places{};
  const std::uint32_t row = 100;
  features.write_query(row, {}, places, {}, 0, nullptr, of_row);
  FeetNow feet;
  feet.ankle = {Vec3{0.1f, 0.1f, -0.5f}, Vec3{-0.1f, 0.1f, 0.3f}};
  feet.held = {true, false};
  features.write_query(row, {}, places, {}, 0, &feet, of_feet);
  const auto value = [&](const std::vector<float>& query, std::size_t k) {
    return query[k] * features.scale[k] + features.mean[k];
  };
  EXPECT_NEAR(value(of_feet, MatchFeatures::kFeet + 2), -0.5f, 1e-4f);
  EXPECT_NEAR(value(of_feet, MatchFeatures::kFeet + 5), 0.3f, 1e-4f);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(value(of_feet, MatchFeatures::kSpeeds + k), 0, 1e-4f);
  EXPECT_EQ(of_feet[MatchFeatures::kSpeeds + 4], of_row[MatchFeatures::kSpeeds + 4]);
  EXPECT_NEAR(value(of_feet, MatchFeatures::kStands), 1, 1e-4f);
  EXPECT_NEAR(value(of_feet, MatchFeatures::kStands + 1), 0, 1e-4f);
}

TEST(MotionMatcher, DoesNotShowTheSameQuarterSecondOverAndOver) {
  // Asked for what nobody recorded: to go sideways and turn at once, at the speed of a run.
  const auto motion = motion_of({"walk-normal-1", "walk-fast", "jog", "run-1"});
  auto matcher = *MotionMatcher::create(motion, *find_match_features(*motion));
  const motion::Recording recording = play(*matcher, 20, {1.5f, 2.0f, 1.5f, 0});
  EXPECT_LT(measure::measure_stutter(recording.sources, recording.clip.rate), 0.02);
}

TEST(MotionMatcher, WalksOnWhereThereIsOnlyOneShortWalk) {
  // All there is was just played: it goes back rather than stand still.
  auto motion = std::make_shared<take::TakeSet>();
  sample::SampleClip made = *sample::make_sample("walk-normal-1", {1, 30});
  motion->skeleton = made.clip.skeleton;
  motion::Clip& walk = made.clip;
  const auto joints = static_cast<std::ptrdiff_t>(walk.joints());
  walk.roots = {walk.roots.begin() + 30, walk.roots.begin() + 75};
  walk.rotations = {walk.rotations.begin() + 30 * joints, walk.rotations.begin() + 75 * joints};
  walk.labels.clear();
  motion->contacts.push_back(*motion::find_contacts(made.clip));
  motion->clips.push_back(std::move(made.clip));
  auto matcher = *MotionMatcher::create(motion, *find_match_features(*motion));
  EXPECT_GT(measure::measure(play(*matcher, 8, {0, 1.3f, 0, 0}).clip).mean_speed_mps, 0.9);
}

TEST(MotionMatcher, PlantedFeetOfASteeredWalkHardlyGlide) {
  auto matcher = *MotionMatcher::create(sample_motion(), sample_features());
  const MotionMatcher* character = matcher.get();
  polish::FootPlanterOptions options;
  options.standing = sample_motion()->contacts.front().rest_height;
  options.max_wander = 0.25f;
  auto stream = *polish::PolishedStream::create(std::move(matcher), options);
  const motion::Recording recording = *motion::record(*stream, 30, [&](double time) {
    const float turn = std::fmod(time, 4.0) < 2 ? 0.8f : -0.5f;
    return policy::to_world({0, std::fmod(time, 7.0) < 5 ? 1.2f : 0.0f, turn, 0}, character->place().heading);
  });
  EXPECT_LT(measure::measure_body(recording.clip).glide_share, 0.05);
  EXPECT_LT(measure::measure(recording.clip).foot_slide_mean_mps, 0.032);
}

TEST(MotionMatcher, WalksTurnsAndStandsAsItIsTold) {
  auto matcher = *MotionMatcher::create(sample_motion(), sample_features());
  const motion::Recording walked = play(*matcher, 4, {0, 1.2f, 0, 0});
  EXPECT_NEAR(measure::measure(walked.clip).mean_speed_mps, 1.2, 0.3);
  const float before = matcher->place().heading;
  play(*matcher, 1.5, {0, 1.2f, 0.8f, 0});
  EXPECT_NEAR(wrap_angle(matcher->place().heading - before), 1.2f, 0.5f);
  play(*matcher, 1.5, {});
  EXPECT_LT(measure::measure(play(*matcher, 2, {}).clip).mean_speed_mps, 0.35);
  EXPECT_GT(matcher->effort().jumps, 0U);
}

TEST(MotionMatcher, ChoosesWhatThePlainScanChooses) {
  auto matcher = *MotionMatcher::create(sample_motion(), sample_features());
  const NearestFrames& index = sample_features()->index;
  NearestFrames::Room room(index);
  for (const policy::ControlSignal signal :
       {policy::ControlSignal{0, 1.5f, 0, 0}, {0.5f, 0.5f, 1, 0}, {}, {0, 2.5f, -0.5f, 0}}) {
    play(*matcher, 0.7, signal);
    NearestFrames::Found best = matcher->last_bound();
    for (std::uint32_t c = 0; c < sample_motion()->clips.size(); ++c) {
      const auto frames = static_cast<std::uint32_t>(sample_motion()->clips[c].frames());
      for (std::uint32_t f = 0; f + 10 < frames; ++f) {
        const std::uint32_t row = sample_features()->row_of({c, f});
        if (const float cost = index.cost(matcher->last_query(), row); cost < best.cost) best = {row, cost};
      }
    }
    EXPECT_EQ(index.find(matcher->last_query(), matcher->last_bound(), room).row, best.row);
  }
}

TEST(MotionMatcher, WhoStandsGoesToFramesThatStandOnTheSameFootNearBy) {
  // As a player does who walks, runs, turns and stops; but at the ends of clips, where one goes on as one can.
  const auto matcher = *MotionMatcher::create(sample_motion(), sample_features());
  const policy::Trace trace = policy::simulate_player(policy::habits_of(0), 40, 6);
  std::vector<Quat> rotations(matcher->skeleton()->size());
  motion::StreamPose pose{{}, rotations, 0, {}};
  FootHold hold(*matcher->skeleton());
  const MatchFeatures& features = *sample_features();
  std::size_t joins = 0, elsewhere = 0, blinks = 0;
  for (int i = 0; i < 40 * 60; ++i) {
    const FeetNow before = hold.feet();
    const std::size_t jumps = matcher->effort().jumps;
    const motion::SourceFrame left = pose.source;
    ASSERT_TRUE(matcher->next(policy::to_world(trace.at(i / 60.0), matcher->place().heading), pose));
    const bool ended = left.frame + 4 >= sample_motion()->clips[left.clip].frames();
    if (i > 0 && matcher->effort().jumps > jumps && !ended && (before.held[0] || before.held[1])) {
      const std::uint32_t row = features.row_of(pose.source);
      const bool flies = !features.stands(row, 0) && !features.stands(row, 1);
      bool near = false;
      for (std::size_t side = 0; side < 2; ++side) {
        const float off = features.foot_off(matcher->last_query(), row, side);
        near = near || (before.held[side] && (features.stands(row, side) || flies) && off < 0.25f);
      }
      ++joins;
      elsewhere += near ? 0 : 1;
      for (std::size_t side = 0; side < 2; ++side) {
        if (!before.held[side] || features.stands(row, side)) continue;
        bool again = false;
        for (std::uint32_t f = row; f < row + 6 && features.clip_of[f] == features.clip_of[row]; ++f) {
          again = again || features.stands(f, side);
        }
        blinks += again ? 1 : 0;
      }
    }
    hold.follow(*matcher->skeleton(), pose.root, pose.rotations, pose.planted);
  }
  EXPECT_GT(joins, 60u);
  EXPECT_EQ(elsewhere, 0u);
  EXPECT_EQ(blinks, 0u) << "a foot is let go of only to be put down again at once";
}

TEST(MotionMatcher, NobodyIsAskedForMoreThanTheMotionCanDo) {
  // A stick that asks for nine metres a second of who walks and jogs. Were the path to lie that far ahead, it would
  // outweigh where the feet are by so much that anything was gone to that gets ahead a little sooner.
  const auto matcher = *MotionMatcher::create(sample_motion(), sample_features());
  play(*matcher, 5, {0, 9, 0, 0});
  const MatchFeatures& features = *sample_features();
  const MatchingOptions options;
  const float most = static_cast<float>(options.fastest) * (1 + options.root.most);
  for (std::size_t i = 0; i < kPathPlaces; ++i) {
    const auto asked = [&](std::size_t k) { return matcher->last_query()[k] * features.scale[k] + features.mean[k]; };
    const float way = std::hypot(asked(2 * i), asked(2 * i + 1));
    EXPECT_NEAR(way, most * features.farthest[i], 0.01f) << i;
  }
  EXPECT_LT(features.farthest[2], 4.5f);
}

TEST(MotionMatcher, TellsWhyItJumpedAsThePlainScanWould) {
  const auto matcher = *MotionMatcher::create(sample_motion(), sample_features());
  EXPECT_FALSE(matcher->last_jump()) << "it has not jumped yet";
  const MatchFeatures& features = *sample_features();
  std::vector<Quat> rotations(sample_motion()->skeleton->size());
  std::size_t jumps = 0, told = 0;
  for (int p = 0; p < 1200; ++p) {
    motion::StreamPose pose{{}, rotations, 0, {}};
    const policy::ControlSignal stick{0, 1.4f, p % 300 < 150 ? 0.8f : -0.8f, 0};
    ASSERT_TRUE(matcher->next(policy::to_world(stick, matcher->place().heading), pose));
    if (matcher->effort().jumps == jumps) continue;
    jumps = matcher->effort().jumps;
    const auto why = matcher->last_jump(4);
    ASSERT_TRUE(why);
    ++told;
    std::vector<MatchChoice> all = why->others;
    all.push_back(why->taken);
    all.push_back(why->going_on);
    for (const MatchChoice& one : all) {
      // Every term by itself, from the numbers of the row.
      const auto row = features.index.row(features.row_of(one.at));
      const std::span<const float> query = matcher->last_query();
      double sum = 0, path = 0;
      for (std::size_t k = 0; k < row.size(); ++k) {
        const double lacks = static_cast<double>(query[k]) - static_cast<double>(row[k]);
        sum += lacks * lacks;
        if (k < MatchFeatures::kPath) path += lacks * lacks;
      }
      EXPECT_NEAR(static_cast<double>(one.cost), sum, 1e-3 * (1 + sum));
      EXPECT_NEAR(static_cast<double>(one.terms[0] + one.terms[1]), path, 1e-3 * (1 + path));
      float terms = 0;
      for (const float term : one.terms) terms += term;
      EXPECT_NEAR(terms, one.cost, 1e-3f * (1 + one.cost)) << "the terms are all of the cost";
    }
    if (!why->hurried) {
      for (const MatchChoice& one : why->others) EXPECT_GE(one.cost, why->taken.cost) << "the best was taken";
    }
    for (std::size_t i = 1; i < why->others.size(); ++i) EXPECT_LE(why->others[i - 1].cost, why->others[i].cost);
  }
  EXPECT_GT(told, 5U);
}

TEST(MotionMatcher, SameStickSameMotion) {
  const auto once = play(**MotionMatcher::create(sample_motion(), sample_features()), 3, {0.3f, 1, 0.5f, 0});
  const auto again = play(**MotionMatcher::create(sample_motion(), sample_features()), 3, {0.3f, 1, 0.5f, 0});
  EXPECT_EQ(once.clip.roots, again.clip.roots);
  EXPECT_EQ(once.clip.rotations, again.clip.rotations);
}

TEST(MotionMatcher, ABrokenStickBreaksNothing) {
  auto matcher = *MotionMatcher::create(sample_motion(), sample_features());
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto recording = play(*matcher, 2, {nan, 1e30f, nan, 0xffffffff});
  EXPECT_TRUE(motion::validate(recording.clip));
}

TEST(MotionMatcher, StaysWithTheBehaviorAskedFor) {
  MatchOptions options;
  options.behaviors = {"run"};
  const auto features = *find_match_features(*sample_motion(), options);
  auto matcher = *MotionMatcher::create(sample_motion(), features);
  motion::Control control;
  control.velocity = {0, 0, 1.2f};
  control.behavior = 0;
  const auto recording = *motion::record(*matcher, 2, [&](double) { return control; });
  for (const motion::SourceFrame& source : recording.sources) EXPECT_EQ(recording.source_names[source.clip], "jog");
}

/// A set as people have it: standing, walking and jumping, and nothing that starts or stops.
std::shared_ptr<const take::TakeSet> motion_without_starts() {
  return motion_of({"idle-1", "walk-normal-1", "walk-fast", "jump-forward", "jump-forward-far", "jump-up"});
}

double seconds_in_air(const motion::Recording& recording) {
  std::size_t frames = 0;
  for (const motion::SourceFrame& source : recording.sources) {
    const std::string& clip = recording.source_names[source.clip];
    frames += clip.starts_with("jump") && source.frame > 41 && source.frame < 57 ? 1 : 0;
  }
  return static_cast<double>(frames) / recording.clip.rate;
}

TEST(MotionMatcher, JumpsWhenAskedAndOnlyThen) {
  const auto motion = motion_without_starts();
  MatchOptions options;
  options.flags = {policy::kAirborne};
  const auto features = *find_match_features(*motion, options);
  for (const float speed : {0.0f, 1.4f}) {
    auto matcher = *MotionMatcher::create(motion, features);
    for (int i = 0; i < 4; ++i) {
      EXPECT_EQ(seconds_in_air(play(*matcher, 2, {0, speed, 0, 0})), 0) << speed;
      // A tap is enough: who has begun to jump, jumps.
      const double tapped = seconds_in_air(play(*matcher, 0.1, {0, speed, 0, 1}));
      EXPECT_GT(tapped + seconds_in_air(play(*matcher, 1.3, {0, speed, 0, 0})), 0.3) << speed;
    }
  }
}

TEST(MotionMatcher, GetsGoingThoughNothingRecordedStarts) {
  const auto motion = motion_without_starts();
  MatchOptions options;
  options.flags = {policy::kAirborne};
  auto matcher = *MotionMatcher::create(motion, *find_match_features(*motion, options));
  for (int i = 0; i < 3; ++i) {
    play(*matcher, 1.7, {});
    EXPECT_LT(measure::measure(play(*matcher, 1, {}).clip).mean_speed_mps, 0.3);
    play(*matcher, 1, {0, 1.3f, 0, 0});
    EXPECT_GT(measure::measure(play(*matcher, 2, {0, 1.3f, 0, 0}).clip).mean_speed_mps, 0.9);
  }
}

TEST(MotionMatcher, RefusesOptionsOutOfRange) {
  MatchingOptions options;
  options.rate = 0;
  EXPECT_FALSE(MotionMatcher::create(sample_motion(), sample_features(), options));
  options = {};
  options.ease_seconds = 0;
  EXPECT_FALSE(MotionMatcher::create(sample_motion(), sample_features(), options));
  options = {};
  options.search_seconds = -1;
  EXPECT_FALSE(MotionMatcher::create(sample_motion(), sample_features(), options));
}

/// The sample motions cut into fragments by hand.
policy::FragmentMotion sample_fragments() {
  auto set = std::make_shared<policy::FragmentSet>();
  const take::TakeSet& motion = *sample_motion();
  set->rate = 30;
  for (std::uint32_t c = 0; c < motion.clips.size(); ++c) {
    const auto frames = static_cast<std::uint32_t>(motion.clips[c].frames());
    set->clips.push_back({{motion.title(c), false, 0, frames}, ""});
    const auto evident = policy::evident_controls(motion.clips[c]);
    for (std::uint32_t f = 0; f + set->length < frames; f += set->step) {
      set->fragments.push_back({c, f, evident[f + set->length / 2]});
    }
  }
  return {set, sample_motion(), "by hand"};
}

/// Always goes on where it can, else starts anew: what a controller may be at its simplest.
class GoOn final : public policy::Controller {
 public:
  explicit GoOn(std::shared_ptr<const policy::FragmentSet> set) : set_(std::move(set)) {}
  std::uint32_t choose(std::uint32_t previous, const policy::ControlSignal&) override {
    return previous + 2 < set_->size() && set_->fragments[previous + 2].clip == set_->fragments[previous].clip
               ? previous + 2
               : 0;
  }
  [[nodiscard]] std::unique_ptr<policy::Controller> clone() const override { return std::make_unique<GoOn>(*this); }

 private:
  std::shared_ptr<const policy::FragmentSet> set_;
};

TEST(FragmentStream, FragmentsInTheirOrderAreTheRecording) {
  const policy::FragmentMotion fragments = sample_fragments();
  policy::FragmentStreamOptions options;
  options.rate = 30;
  options.slowest = options.fastest = 1;
  options.root.source = play::RootSource::kMotion;
  auto stream = *policy::FragmentStream::create(fragments, std::make_unique<GoOn>(fragments.set), options);
  const auto played = play(*stream, 1.2, {0, 1.2f, 0, 0});
  EXPECT_EQ(stream->effort().jumps, 0U);
  const motion::SourceFrame first = played.sources[0];
  const motion::Clip& recorded = fragments.motion->clips[first.clip];
  for (std::size_t f = 0; f < played.clip.frames(); ++f) {
    EXPECT_EQ(played.sources[f].frame, first.frame + f);
    EXPECT_LT(angle_between(played.clip.pose(f)[3], recorded.pose(first.frame + f)[3]), 2e-3f);
  }
}

TEST(FragmentStream, PlaysFasterWhereMoreIsWanted) {
  const policy::FragmentMotion fragments = sample_fragments();
  policy::FragmentStreamOptions options;
  options.rate = 30;
  auto stream = *policy::FragmentStream::create(fragments, std::make_unique<GoOn>(fragments.set), options);
  play(*stream, 0, {0, 1.2f, 0, 0});
  const auto played = play(*stream, 1, {0, 5, 0, 0});
  const double frames = played.sources.back().frame - played.sources.front().frame;
  EXPECT_GT(frames, 33);
  EXPECT_LE(frames, 38);
}

TEST(FragmentStream, WithTheRootFromTheControlItIsWhereTheStickSays) {
  const policy::FragmentMotion fragments = sample_fragments();
  policy::FragmentStreamOptions options;
  options.root.source = play::RootSource::kControl;
  auto stream = *policy::FragmentStream::create(fragments, std::make_unique<GoOn>(fragments.set), options);
  play(*stream, 3, {0, 2, 0, 0});
  EXPECT_NEAR(stream->place().z, 2 * (3 - options.guide.velocity_seconds), 0.1);
  EXPECT_NEAR(stream->place().x, 0, 0.01f);

  motion::Control ahead, aside;
  ahead.velocity = {0, 0, 2};
  aside.velocity = {0.9f, 0, 2};
  EXPECT_LE(policy::seconds_to_answer(*stream, ahead, aside), 0.051) << "three poses";
  EXPECT_EQ(policy::seconds_to_answer(*stream, ahead, ahead, 0.5), 0.5) << "nothing new was asked";
}

/// After how many frames at least something that was shown is shown again.
std::size_t least_frames_between(std::span<const motion::SourceFrame> sources) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> last;
  std::size_t least = sources.size();
  for (std::size_t f = 0; f < sources.size(); ++f) {
    const auto [shown, is_new] = last.try_emplace({sources[f].clip, sources[f].frame}, f);
    if (!is_new) least = std::min(least, f - shown->second);
    shown->second = f;
  }
  return least;
}

/// Goes to and fro between two fragments, whatever is wanted.
class ToAndFro final : public policy::Controller {
 public:
  ToAndFro(std::uint32_t one, std::uint32_t other) : one_(one), other_(other) {}
  std::uint32_t choose(std::uint32_t previous, const policy::ControlSignal&) override {
    return previous == one_ ? other_ : one_;
  }
  [[nodiscard]] std::unique_ptr<policy::Controller> clone() const override { return std::make_unique<ToAndFro>(*this); }

 private:
  std::uint32_t one_, other_;
};

TEST(FragmentStream, DoesNotGoBackToWhatItJustLeft) {
  const policy::FragmentMotion fragments = sample_fragments();
  // Two fragments of one long clip, far from each other and from its end.
  std::uint32_t one = 0;
  while (fragments.motion->clips[fragments.set->fragments[one].clip].frames() < 120) ++one;
  const std::uint32_t other = one + 8;
  ASSERT_EQ(fragments.set->fragments[one].clip, fragments.set->fragments[other].clip);
  policy::FragmentStreamOptions options;
  options.rate = 30;
  options.slowest = options.fastest = 1;
  auto stream = *policy::FragmentStream::create(fragments, std::make_unique<ToAndFro>(one, other), options);
  const auto played = play(*stream, 6, {0, 1.2f, 0, 0});
  // Without a guard half a second of the recording would be all there is to see.
  EXPECT_EQ(measure::measure_stutter(played.sources, 30), 0);
  EXPECT_GT(least_frames_between(played.sources), 10U);
}

TEST(FragmentStream, DoesNotGoBackToWhatItJustLeftWhileTheStickIsOnItsWayEither) {
  const policy::FragmentMotion fragments = sample_fragments();
  std::uint32_t one = 0;
  while (fragments.motion->clips[fragments.set->fragments[one].clip].frames() < 120) ++one;
  policy::FragmentStreamOptions options;
  options.rate = 30;
  auto stream = *policy::FragmentStream::create(fragments, std::make_unique<ToAndFro>(one, one + 8), options);
  // Every tenth of a second something new is asked for, and the same controller goes to and fro.
  const auto played = *motion::record(*stream, 6, [&](double time) {
    const float speed = std::fmod(time, 0.2) < 0.1 ? 0.6f : 1.8f;
    return policy::to_world({0, speed, 0, 0}, stream->place().heading);
  });
  EXPECT_GT(stream->effort().decisions, 40U);
  EXPECT_EQ(measure::measure_stutter(played.sources, 30), 0);
  EXPECT_GT(least_frames_between(played.sources), 10U);
}

/// Plays on for a few fragments of the recording and then begins with the first of them again.
class RoundAndRound final : public policy::Controller {
 public:
  RoundAndRound(std::shared_ptr<const policy::FragmentSet> set, std::uint32_t first, std::uint32_t last)
      : simple_(std::move(set)), first_(first), last_(last) {}
  std::uint32_t choose(std::uint32_t previous, const policy::ControlSignal& control) override {
    return previous >= first_ && previous < last_ ? simple_.choose(previous, control) : first_;
  }
  [[nodiscard]] std::unique_ptr<policy::Controller> clone() const override {
    return std::make_unique<RoundAndRound>(*this);
  }

 private:
  GoOn simple_;
  std::uint32_t first_, last_;
};

TEST(FragmentStream, DoesNotBeginAnewWithWhatItJustPlayed) {
  const policy::FragmentMotion fragments = sample_fragments();
  std::uint32_t first = 0;
  while (fragments.motion->clips[fragments.set->fragments[first].clip].frames() < 120) ++first;
  const std::uint32_t last = first + fragments.set->length / fragments.set->step;  // 0.4 seconds of it
  policy::FragmentStreamOptions options;
  options.rate = 30;
  options.slowest = options.fastest = 1;
  auto stream =
      *policy::FragmentStream::create(fragments, std::make_unique<RoundAndRound>(fragments.set, first, last), options);
  const auto played = play(*stream, 6, {0, 1.2f, 0, 0});
  EXPECT_GE(least_frames_between(played.sources), 24U) << "0.8 seconds";
  EXPECT_GT(stream->effort().jumps, 2U) << "it goes round all the same, later";
}

TEST(FragmentStream, WhoComesToTheEndOfARecordingDoesNotStopThere) {
  // A body that is carried along at 1.5 m/s, and a controller that goes to the last fragment again and again.
  auto motion = std::make_shared<take::TakeSet>();
  motion::Clip clip = testing::random_clip(testing::small_person(), 40, 30, 1);
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    clip.roots[f] = {0, 0.9f, 0.05f * static_cast<float>(f)};
    std::fill_n(clip.pose(f).begin(), clip.skeleton->size(), Quat{});
  }
  motion->skeleton = clip.skeleton;
  motion->contacts.push_back({std::vector<std::uint8_t>(clip.frames())});
  motion->clips.push_back(std::move(clip));
  auto set = std::make_shared<policy::FragmentSet>();
  set->rate = 30;
  set->clips.push_back({{"ahead", false, 0, 40}, ""});
  for (std::uint32_t f = 0; f + set->length <= 40; f += set->step) set->fragments.push_back({0, f, {0, 1.5f, 0, 0}});
  set->fragments.push_back({0, 40 - set->length, {0, 1.5f, 0, 0}});
  const auto last = static_cast<std::uint32_t>(set->size() - 1);
  policy::FragmentStreamOptions options;
  options.slowest = options.fastest = 1;
  options.root.source = play::RootSource::kMotion;
  auto stream =
      *policy::FragmentStream::create({set, motion, "by hand"}, std::make_unique<ToAndFro>(last, last), options);
  const auto played = play(*stream, 3, {0, 1.5f, 0, 0});
  EXPECT_GT(stream->effort().jumps, 5U);
  for (std::size_t f = 1; f < played.clip.frames(); ++f) {
    EXPECT_NEAR(distance(played.clip.roots[f], played.clip.roots[f - 1]), 1.5f / 60, 5e-3f) << "pose " << f;
  }
}

TEST(FragmentStream, ANewControlIsAnsweredWithinAStepOfTheFragments) {
  /// Remembers what it was asked, and after which fragment.
  struct Told {
    std::vector<std::pair<std::uint32_t, float>> asked;
  };
  class Listening final : public policy::Controller {
   public:
    Listening(std::shared_ptr<const policy::FragmentSet> set, std::shared_ptr<Told> told)
        : simple_(std::move(set)), told_(std::move(told)) {}
    std::uint32_t choose(std::uint32_t previous, const policy::ControlSignal& control) override {
      told_->asked.emplace_back(previous, control.forward);
      return simple_.choose(previous, control);
    }
    [[nodiscard]] std::unique_ptr<policy::Controller> clone() const override {
      return std::make_unique<Listening>(*this);
    }

   private:
    GoOn simple_;
    std::shared_ptr<Told> told_;
  };
  const policy::FragmentMotion fragments = sample_fragments();
  policy::FragmentStreamOptions options;
  options.rate = 30;
  options.slowest = options.fastest = 1;
  const auto told = std::make_shared<Told>();
  auto stream = *policy::FragmentStream::create(fragments, std::make_unique<Listening>(fragments.set, told), options);
  const auto steps = static_cast<double>(fragments.set->step) / 30;
  play(*stream, 1, {0, 1.2f, 0, 0});
  for (int i = 0; i < 6; ++i) {
    const float wanted = i % 2 == 0 ? 2.4f : 1.2f;
    const std::size_t before = told->asked.size();
    const auto played = play(*stream, steps + 1.0 / 30, {0, wanted, 0, 0});
    ASSERT_GT(told->asked.size(), before) << "change " << i;
    EXPECT_NEAR(told->asked[before].second, wanted, 1e-4) << "change " << i;
    // Deciding early loses and repeats nothing of the recording.
    for (std::size_t f = 1; f < played.sources.size(); ++f) {
      if (played.sources[f].clip != played.sources[f - 1].clip || played.sources[f].frame == 0) continue;
      EXPECT_EQ(played.sources[f].frame, played.sources[f - 1].frame + 1);
    }
    play(*stream, 0.1 * i + 1.0 / 30, {0, wanted, 0, 0});  // so that changes come anywhere in a fragment
  }
}

TEST(Streams, ACloneGoesOnAsTheFirstWould) {
  const policy::FragmentMotion fragments = sample_fragments();
  auto matching = MatchingController::create(fragments);
  ASSERT_TRUE(matching);
  std::vector<std::unique_ptr<motion::MotionStream>> streams;
  streams.push_back(*policy::FragmentStream::create(fragments, std::move(*matching)));
  streams.push_back(*MotionMatcher::create(sample_motion(), sample_features()));
  for (auto& inner : streams) {
    auto stream = *polish::PolishedStream::create(std::move(inner));
    const auto walk = [](double) { return motion::Control{{0, 0, 1.2f}, 0.4f}; };
    const auto run = [](double time) { return motion::Control{{0.3f, 0, 2}, time < 1 ? 0.0f : -0.5f}; };
    ASSERT_TRUE(motion::record(*stream, 1.3, walk));
    const auto copy = stream->clone();
    ASSERT_NE(copy, nullptr);
    const auto own = *motion::record(*stream, 2, run), same = *motion::record(*copy, 2, run);
    EXPECT_EQ(own.clip.roots, same.clip.roots);
    EXPECT_EQ(own.clip.rotations, same.clip.rotations);
  }
}

TEST(MatchingController, AnswersTheStickOverFragments) {
  const policy::FragmentMotion fragments = sample_fragments();
  auto controller = MatchingController::create(fragments);
  ASSERT_TRUE(controller) << controller.error().message;
  std::uint32_t fragment = 0;
  for (int i = 0; i < 12; ++i) fragment = (*controller)->choose(fragment, {0, 2.6f, 0, 0});
  EXPECT_GT(fragments.set->fragments[fragment].evident.forward, 1.7f);
  const auto copy = (*controller)->clone();
  for (int i = 0; i < 20; ++i) fragment = copy->choose(fragment, {});
  EXPECT_LT(std::abs(fragments.set->fragments[fragment].evident.forward), 0.4f);
}

TEST(SteeredStreams, NeverAllocateInNext) {
  const policy::FragmentMotion fragments = sample_fragments();
  auto matcher = *MotionMatcher::create(sample_motion(), sample_features());
  auto stream = *policy::FragmentStream::create(fragments, std::move(*MatchingController::create(fragments)));
  std::vector<Quat> rotations(matcher->skeleton()->size());
  motion::StreamPose pose{{}, rotations, 0, {}};
  motion::Control control;
  const std::size_t before = testing::allocations;
  for (int i = 0; i < 200; ++i) {
    control.velocity = {0, 0, i % 60 < 30 ? 2.5f : 0.2f};
    control.turn_rate = i < 100 ? 0.5f : -1;
    matcher->next(control, pose);
    stream->next(control, pose);
  }
  EXPECT_EQ(testing::allocations, before);
  EXPECT_GT(matcher->effort().jumps + stream->effort().jumps, 4U);
}

TEST(Drive, SeeingAndAskingAreInverse) {
  const policy::ControlSignal signal{0.4f, -1.3f, 0.7f, 5};
  const policy::ControlSignal back = policy::seen_from(policy::to_world(signal, 2.1f), 2.1f);
  EXPECT_NEAR(back.left, signal.left, 1e-5f);
  EXPECT_NEAR(back.forward, signal.forward, 1e-5f);
  EXPECT_EQ(back.turn, signal.turn);
  EXPECT_EQ(back.flags, signal.flags);
  EXPECT_GT(policy::to_world({0, 1, 0, 0}, kPi / 2).velocity.x, 0.99f) << "facing left of +Z is facing +X";
}

/// A body that slides along, facing its way: still for a second, then ahead, then also turning.
TEST(MeasureResponse, FindsTheDelayThatWasPutIn) {
  motion::Clip clip = testing::random_clip(testing::small_person(), 300, 60, 1);
  std::vector<policy::ControlSignal> wanted(clip.frames());
  motion::GroundFrame at;
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    wanted[f] = f < 60 ? policy::ControlSignal{} : policy::ControlSignal{0, 1.5f, f < 150 ? 0.0f : 1.0f, 0};
    const policy::ControlSignal done = f < 18 ? policy::ControlSignal{} : wanted[f - 18];
    clip.roots[f] = {at.x, 1, at.z};
    for (Quat& q : clip.pose(f)) q = {};
    clip.pose(f)[0] = at.rotation();
    at = at * motion::GroundFrame{0, done.forward / 60, done.turn / 60};
  }
  const policy::Response response = policy::measure_response(clip, wanted);
  EXPECT_NEAR(response.delay_seconds, 0.3, 0.04);
  EXPECT_LT(response.velocity_error_mps, 0.2);
}

TEST(MeasureHeadings, TellTimeAndWayOfATurn) {
  motion::Clip clip = testing::random_clip(testing::small_person(), 240, 60, 1);
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    // Turns by 90 degrees at 1 rad/s from the first second on, at a metre a second.
    const float heading = std::clamp((static_cast<float>(f) - 60) / 60, 0.0f, kPi / 2);
    clip.roots[f] = {0, 1, static_cast<float>(f) / 60};
    for (Quat& q : clip.pose(f)) q = {};
    clip.pose(f)[0] = axis_angle({0, 1, 0}, heading);
  }
  const policy::HeadingWish wishes[] = {{1, kPi / 2}, {3, -kPi / 2}};
  const auto answers = policy::measure_headings(clip, wishes);
  ASSERT_EQ(answers.size(), 2U);
  EXPECT_TRUE(answers[0].reached);
  EXPECT_NEAR(answers[0].seconds, 90 * kDegree - 15 * kDegree, 0.05);
  EXPECT_NEAR(answers[0].metres, answers[0].seconds, 0.05);
  EXPECT_FALSE(answers[1].reached);
}

}  // namespace
}  // namespace loom::matching
