// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/blend/blend.h>
#include <loom/blend/example_limits.h>
#include <loom/blend/family/family_build.h>
#include <loom/blend/family/family_cut.h>
#include <loom/blend/family/family_model.h>
#include <loom/blend/family/motion_maker.h>
#include <loom/blend/family/stored_family.h>
#include <loom/blend/family/triangulate.h>
#include <loom/library/import.h>
#include <loom/sample/sample.h>

#include "tests/blend/toy_model.h"
#include "tests/shared_data.h"
#include "tests/temporary_folder.h"

namespace loom::blend {
namespace {

using ::testing::HasSubstr;
using testing::uniform_weights;

/// The sample families and a few other motions in one library at 30 Hz, made once.
class FamilyTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = std::make_unique<testing::TemporaryFolder>();
    const std::vector<std::string> only = {"reach", "jump-family", "locomotion", "punch", "run", "pick-up"};
    auto made = sample::make_samples({1, 30}, only);
    ASSERT_TRUE(made);
    auto library = library::Library::open_or_create(folder_->file("samples.loom"));
    for (const sample::SampleClip& s : *made) {
      ASSERT_TRUE(library->add_clip(s.clip));
      for (const sample::Parameter& p : s.parameters) asked_[s.clip.name][p.name] = p.value;
    }
  }
  static void TearDownTestSuite() { folder_.reset(); }

  static library::Library open(library::Access access = library::Access::kRead) {
    return std::move(*library::Library::open(folder_->file("samples.loom"), access));
  }
  static Result<BuiltFamily> build(const std::string& label, const std::vector<std::string>& clips = {}) {
    FamilyOptions options;
    options.label = label;
    options.clips = clips;
    return build_family(open(), options);
  }
  static std::shared_ptr<const BlendSpace> space_of(const BuiltFamily& built) {
    return BlendSpace::create(built.motion.clips, built.motion.contacts, built.family.alignment).value();
  }

  static inline std::unique_ptr<testing::TemporaryFolder> folder_;
  static inline std::map<std::string, std::map<std::string, double>> asked_;
};

TEST_F(FamilyTest, MeasuresWhatThePerformerWasAskedFor) {
  const auto reach = build("reach");
  ASSERT_TRUE(reach) << reach.error().message;
  EXPECT_EQ(reach->family.members.size(), 24U);
  EXPECT_EQ(reach->motion.skeleton->joint(static_cast<std::size_t>(reach->family.joint)).name, "RightHand");
  for (std::size_t i = 0; i < reach->family.members.size(); ++i) {
    auto& asked = asked_[reach->family.members[i].name];
    const auto got = reach->family.values_of(i);
    EXPECT_LT(std::hypot(got[0] - asked["x_m"], got[1] - asked["y_m"], got[2] - asked["z_m"]), 0.035);
  }
  const auto jump = build("jump", {"jump-family-*"});
  ASSERT_TRUE(jump) << jump.error().message;
  for (std::size_t i = 0; i < jump->family.members.size(); ++i) {
    auto& asked = asked_[jump->family.members[i].name];
    EXPECT_NEAR(jump->family.values_of(i)[0], asked["distance_m"], 0.06);
    EXPECT_NEAR(jump->family.values_of(i)[2], asked["height_m"], 0.02);
    if (asked["distance_m"] < 0.1) continue;
    const double turn = std::remainder(jump->family.values_of(i)[1] - asked["direction_deg"], 360);
    EXPECT_NEAR(turn, 0, 7);
  }
  const auto walk = build("locomotion");
  ASSERT_TRUE(walk) << walk.error().message;
  for (std::size_t i = 0; i < walk->family.members.size(); ++i) {
    auto& asked = asked_[walk->family.members[i].name];
    EXPECT_NEAR(walk->family.values_of(i)[0], asked["forward_mps"], 0.05);
    EXPECT_NEAR(walk->family.values_of(i)[1], asked["turn_rate_dps"], 3);
    EXPECT_NEAR(walk->family.values_of(i)[2], asked["side_mps"], 0.05);
  }
}

/// The true parameters of blends, told in microseconds, are those of the motion that is made.
TEST_F(FamilyTest, ModelTellsWhatTheMadeMotionMeasures) {
  Random random(1);
  for (const auto& [label, tolerance] :
       {std::pair<const char*, double>{"reach", 1e-3}, {"jump", 3e-3}, {"locomotion", 0.02}}) {
    const auto built = build(label);
    ASSERT_TRUE(built) << built.error().message;
    const auto space = space_of(*built);
    const FamilyModel model(built->family, *space);
    for (int trial = 0; trial < 8; ++trial) {
      std::vector<float> weights(model.examples());
      for (int pick = 0; pick < 4; ++pick) weights[random.index(weights.size())] += 0.25f;
      std::array<double, 3> told{};
      model.evaluate(weights, told);
      const auto made = loom::blend::blend(space, weights, {false});
      ASSERT_TRUE(made) << made.error().message;
      Moments moments{0, std::nullopt, made->clip.duration()};
      if (!made->strokes.empty()) moments.stroke = static_cast<double>(made->strokes[0]) / made->clip.rate;
      const auto measured = measure_coordinates(built->family.space.kind, made->clip, moments, built->family.joint);
      ASSERT_TRUE(measured) << measured.error().message;
      for (std::size_t d = 0; d < 3; ++d) EXPECT_NEAR(told[d], (*measured)[d], tolerance) << label << " " << d;
    }
  }
}

TEST_F(FamilyTest, ModelDerivativesAreThoseOfFiniteDifferences) {
  Random random(2);
  for (const char* label : {"reach", "jump", "locomotion"}) {
    const auto built = build(label);
    ASSERT_TRUE(built);
    const FamilyModel model(built->family, *space_of(*built));
    const std::size_t n = model.examples();
    const auto weights = uniform_weights(random, n);
    std::vector<double> at(3), jacobian(3 * n), less(3), more(3);
    model.differentiate(weights, at, jacobian);
    constexpr float kStep = 4e-3f;
    for (std::size_t i = 0; i + 1 < n; ++i) {  // shifts of weight from one example to the next keep the sum
      auto to = weights, from = weights;
      to[i] += kStep, to[i + 1] -= kStep;
      from[i] -= kStep, from[i + 1] += kStep;
      model.evaluate(to, more);
      model.evaluate(from, less);
      for (std::size_t d = 0; d < 3; ++d) {
        const double slope = jacobian[d * n + i] - jacobian[d * n + i + 1];
        EXPECT_NEAR((more[d] - less[d]) / (2 * static_cast<double>(kStep)), slope, 3e-3) << label << " " << d;
      }
    }
  }
}

TEST_F(FamilyTest, BytesComeBackAsTheyWereAndDamageIsRefused) {
  const auto built = build("jump");
  ASSERT_TRUE(built);
  const auto bytes = to_bytes(built->family);
  const auto again = family_from_bytes(bytes);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(to_bytes(*again), bytes);
  for (std::size_t length = 0; length < bytes.size(); length += 61) {
    EXPECT_FALSE(family_from_bytes(std::span(bytes).first(length))) << length;
  }
  Random random(3);
  for (int trial = 0; trial < 300; ++trial) {  // whatever is flipped, what is accepted holds together
    auto damaged = bytes;
    damaged[random.index(damaged.size())] ^= static_cast<std::byte>(1 + random.index(255));
    const auto read = family_from_bytes(damaged);
    if (!read) continue;
    EXPECT_EQ(read->alignment.curves.size(), read->members.size());
    EXPECT_EQ(read->values.size(), read->members.size() * read->space.size());
  }
}

TEST_F(FamilyTest, StoredFamiliesAreRefusedOnceTheirClipsChange) {
  const testing::TemporaryFolder folder;
  std::filesystem::copy_file(folder_->file("samples.loom"), folder.file("copy.loom"));
  auto library = std::move(*library::Library::open(folder.file("copy.loom"), library::Access::kWrite));
  FamilyOptions options;
  options.label = "reach";
  const auto built = build_family(library, options);
  ASSERT_TRUE(built);
  ASSERT_TRUE(store_family(library, "r", built->family, built->input_hash, "{}"));
  const auto loaded = load_family(library, "r");
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(to_bytes(*loaded->family), to_bytes(built->family));
  EXPECT_EQ(loaded->space->size(), built->family.members.size());
  EXPECT_THAT(load_family(library, "q").error().message, HasSubstr("r"));
  auto changed = *library.read_clip("reach-05");
  for (Vec3& root : changed.roots) root.x += 0.1f;
  ASSERT_TRUE(library.remove_clip("reach-05"));
  EXPECT_THAT(load_family(library, "r").error().message, HasSubstr("changed"));
  ASSERT_TRUE(library.add_clip(changed));
  EXPECT_THAT(load_family(library, "r").error().message, HasSubstr("changed"));
}

TEST_F(FamilyTest, StrikesOfTheOtherHandAreLeftOutOrMirrored) {
  FamilyOptions options;
  options.label = "punch";
  options.clips = {"punch-*"};
  const auto one_hand = build_family(open(), options);
  ASSERT_TRUE(one_hand) << one_hand.error().message;
  EXPECT_EQ(one_hand->family.members.size(), 3U);
  EXPECT_FALSE(one_hand->notes.empty());
  options.mirror = true;
  const auto both = build_family(open(), options);
  ASSERT_TRUE(both) << both.error().message;
  EXPECT_GT(both->family.members.size(), 3U);
}

TEST_F(FamilyTest, OneTakeOfSeveralReachesIsCutIntoThem) {
  std::vector<motion::Clip> parts;
  for (const char* name : {"reach-09", "reach-16", "reach-22"}) parts.push_back(*open().read_clip(name));
  const auto take = motion::join(parts);
  ASSERT_TRUE(take);
  const int hand = *take->skeleton->find("RightHand");
  const auto pieces = cut_strokes(*take, {0, take->frames(), {}}, hand);
  ASSERT_EQ(pieces.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t begins = i * parts[0].frames();
    EXPECT_NEAR(static_cast<double>(*pieces[i].stroke), static_cast<double>(begins) + 1.3 * 30, 6);
    EXPECT_GT(*pieces[i].stroke, pieces[i].begin);
    EXPECT_LT(*pieces[i].stroke, pieces[i].end);
    EXPECT_GE(pieces[i].begin + 12, begins);
  }
}

TEST_F(FamilyTest, TablesOfTheUsersAreTakenAsTheyAre) {
  FamilyOptions options;
  options.label = "reach";
  auto table = parse_parameter_table("clip;mood;age\nreach-09;1;10\nreach-10;2;30\nreach-16;3;20\n", "t.csv");
  ASSERT_TRUE(table) << table.error().message;
  options.table = *table;
  const auto built = build_family(open(), options);
  ASSERT_TRUE(built) << built.error().message;
  EXPECT_EQ(built->family.members.size(), 3U);
  EXPECT_EQ(built->family.space.parameters[1].name, "age");
  EXPECT_EQ(built->family.values_of(1)[1], 30);
  for (const char* bad : {"clip,a\nx,nan\n", "clip,a\nx,\n", "clip,a\nx,1,2\n", "clip\nx\n", "clip,a\nx,1\nx,2\n"}) {
    EXPECT_FALSE(parse_parameter_table(bad, "t.csv")) << bad;
  }
}

TEST_F(FamilyTest, RefusesWhatMakesNoFamily) {
  EXPECT_THAT(build("fly").error().message, HasSubstr("labelled 'fly'"));
  EXPECT_THAT(build("reach", {"reach-01"}).error().message, HasSubstr("two examples"));
  EXPECT_THAT(build("reach", {"nobody"}).error().message, HasSubstr("nobody"));
  EXPECT_EQ(build("idle").error().settings, std::vector<std::string>{"kind"});
  FamilyOptions options;
  options.label = "reach";
  options.joint = "Tail";
  EXPECT_THAT(build_family(open(), options).error().message, HasSubstr("Tail"));
  options.joint.clear();
  options.strokes["reach-03"] = 100000;
  EXPECT_THAT(build_family(open(), options).error().message, HasSubstr("outside"));
  options.strokes = {{"reach-03", 1}};  // before the reach begins
  EXPECT_THAT(build_family(open(), options).error().message, HasSubstr("does not lie within"));
  options.strokes = {{"nobody", 1}};
  EXPECT_THAT(build_family(open(), options).error().message, HasSubstr("nobody"));
  // One runs, one picks something up.
  FamilyOptions mixed;
  mixed.table = *parse_parameter_table("clip,a\nrun-1,1\npick-up-right-floor,2\n", "t.csv");
  mixed.clips = {"run-1", "pick-up-right-floor"};
  EXPECT_THAT(build_family(open(), mixed).error().message, HasSubstr("do not belong together"));
}

TEST(ParameterSpace, CoordinatesGoThereAndBack) {
  const ParameterSpace jump = space_of(FamilyKind::kJump);
  std::array<double, 3> at{}, back{};
  jump.to_coordinates(std::array{0.5, 90.0, 0.3}, at);
  EXPECT_NEAR(at[0], 0, 1e-12);
  EXPECT_NEAR(at[1], 0.5, 1e-12);
  jump.to_values(at, back);
  EXPECT_NEAR(back[1], 90, 1e-9);
  EXPECT_EQ(guess_kind("kick-right"), FamilyKind::kKick);
  EXPECT_EQ(guess_kind("walk"), FamilyKind::kLocomotion);
  EXPECT_FALSE(guess_kind("idle"));
}

TEST(RealCapture, ReachesOfLongTakesBecomeAFamilyThatReachesExactly) {
  LOOM_REQUIRE_MOCAP();
  const testing::TemporaryFolder folder;
  auto library = std::move(*library::Library::open_or_create(folder.file("real.loom")));
  const auto mocap = testing::mocap_folder();
  library::ImportOptions import;
  import.labels = *library::read_label_table((mocap / "labels.csv").string());
  const std::vector<std::string> files = {(mocap / "cmu30/144_24.bvh").string(), (mocap / "cmu30/144_25.bvh").string()};
  ASSERT_TRUE(library::import_motions(library, files, import));
  FamilyOptions options;
  options.label = "reach";
  const auto built = build_family(library, options);
  ASSERT_TRUE(built) << built.error().message;
  EXPECT_GE(built->family.members.size(), 20U);
  const auto motion = BlendSpace::create(built->motion.clips, built->motion.contacts, built->family.alignment);
  const auto space = triangulate(built->family);
  ASSERT_TRUE(motion && space);
  const auto model = std::make_shared<const FamilyModel>(built->family, **motion);
  const auto weighting = make_weighting(Method::kCorrected, *space, model);
  Random random(4);
  std::vector<float> weights(model->examples());
  std::size_t met = 0;
  for (int trial = 0; trial < 100; ++trial) {
    std::array<double, 3> at{}, reached{};
    model->evaluate(uniform_weights(random, model->examples()), at);
    weighting->weigh(at, Outside::kClamp, weights);
    model->evaluate(weights, reached);
    if (std::hypot(reached[0] - at[0], reached[1] - at[1], reached[2] - at[2]) < 0.005) ++met;
  }
  EXPECT_GE(met, 95U);
}

TEST_F(FamilyTest, MadeMotionsDoWhatBodiesDoInTheExamples) {
  const BuiltFamily built = build("reach").value();
  const auto space = space_of(built);
  const ExampleLimits limits = ExampleLimits::of(*space);
  const auto maker =
      MotionMaker::create(std::make_shared<const Family>(built.family), space, Method::kBarycentric).value();
  Random random(5);
  std::size_t restrained = 0;
  for (int i = 0; i < 40; ++i) {
    const std::array<double, 3> at{random.uniform(-0.8, 0.8), random.uniform(0.2, 2.0), random.uniform(-0.4, 1.0)};
    const MadeMotion wild = maker.at(at, Outside::kExtrapolate).value(), made = maker.at(at, Outside::kClamp).value();
    EXPECT_TRUE(limits.allow(made.blended.clip)) << at[0] << " " << at[1] << " " << at[2];
    if (!limits.allow(wild.blended.clip)) ++restrained;
  }
  EXPECT_GT(restrained, 5u) << "nothing to restrain: the test says nothing";
}

/// Where a joint of a made motion is at its stroke, looked up in the clip itself.
motion::JointFrame at_stroke(const MadeMotion& made, int joint) {
  const std::size_t frame = made.blended.strokes.at(0);
  const motion::Clip& clip = made.blended.clip;
  return motion::joint_frame(*clip.skeleton, joint, clip.roots[frame], clip.pose(frame));
}

TEST_F(FamilyTest, PointsPoursAndGrasps) {
  const BuiltFamily built = build("reach").value();
  const auto maker =
      MotionMaker::create(std::make_shared<const Family>(built.family), space_of(built), Method::kInverse).value();
  const int hand = built.family.joint;

  // Pouring: anywhere on a plumb line. The distance is worked out here, on the floor.
  JointTarget line;
  line.joint = hand;
  line.kind = Constraint::Kind::kLine;
  line.point = {-0.2f, 0, 0.5f};
  line.direction = {0, 1, 0};
  const MadeMotion poured = maker.reach(std::span(&line, 1)).value();
  const Vec3 above = at_stroke(poured, hand).position;
  EXPECT_LT(std::hypot(above.x + 0.2f, above.z - 0.5f), 0.005f);
  EXPECT_NEAR(poured.errors[0], std::hypot(above.x + 0.2f, above.z - 0.5f), 1e-4);

  // Pin-pointing: the hand where one blend has it, turned as that blend has it.
  std::vector<float> weights(built.family.members.size());
  weights[0] = 0.5f, weights[1] = 0.3f, weights[2] = 0.2f;
  MadeMotion known;
  known.blended = blend::blend(space_of(built), weights).value();
  const motion::JointFrame wanted = at_stroke(known, hand);
  JointTarget place, turn;
  place.joint = turn.joint = hand;
  place.point = wanted.position;
  turn.kind = Constraint::Kind::kOrientation;
  turn.orientation = wanted.rotation;
  for (const Objective objective : {Objective::kSquares, Objective::kSum}) {
    const MadeMotion made = maker.reach(std::array{place, turn}, {}, objective).value();
    EXPECT_LT(distance(at_stroke(made, hand).position, wanted.position), 0.01f) << to_string(objective);
    EXPECT_LT(angle_between(at_stroke(made, hand).rotation, wanted.rotation), 3 * kDegree) << to_string(objective);
    EXPECT_NEAR(made.errors[1], angle_between(at_stroke(made, hand).rotation, wanted.rotation), 1e-3);
  }

  // A contradiction: the sum leaves the error to what counts less.
  JointTarget other = place;
  other.point += Vec3{0.1f, 0.05f, 0};
  place.priority = 0.6, other.priority = 0.4;
  const MadeMotion sum = maker.reach(std::array{place, other}, {}, Objective::kSum).value();
  const MadeMotion squares = maker.reach(std::array{place, other}).value();
  EXPECT_LT(sum.errors[0], 0.008);
  EXPECT_GT(squares.errors[0], 0.012);
  EXPECT_LT(0.6 * sum.errors[0] + 0.4 * sum.errors[1], 0.6 * squares.errors[0] + 0.4 * squares.errors[1]);

  place.priority = 2;
  EXPECT_THAT(maker.reach(std::span(&place, 1)).error().message, HasSubstr("priority"));
  line.direction = {};
  EXPECT_THAT(maker.reach(std::span(&line, 1)).error().message, HasSubstr("line without direction"));
}

}  // namespace
}  // namespace loom::blend
