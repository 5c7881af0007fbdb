// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <loom/blend/steps/step_walk.h>
#include <loom/io/read.h>
#include <loom/measure/measure.h>
#include <loom/motion/ground_frame.h>
#include <loom/motion/kinematics.h>
#include <loom/polish/foot.h>

#include "tests/blend/sample_set.h"
#include "tests/shared_data.h"

namespace loom::blend {
namespace {

using testing::sample_set;
using testing::SampleSet;

StepLibrary sample_steps() {
  const SampleSet set = sample_set({"locomotion-02", "locomotion-03", "locomotion-06", "locomotion-07", "walk-slow",
                                    "walk-turn-left-60", "wander-1", "wander-2"});
  return find_steps(set.clips, set.contacts).value();
}

/// Footprints of a walk that winds to both sides, steps of different length.
std::vector<Footprint> winding(std::size_t count, float stride) {
  std::vector<Footprint> prints;
  float heading = 0;
  Vec3 at;
  for (std::size_t k = 0; k < count; ++k) {
    const bool left = k % 2 == 0;
    const float side = left ? 0.1f : -0.1f;
    const Vec3 p = at + Vec3{std::cos(heading), 0, -std::sin(heading)} * side;
    prints.push_back({{p.x, p.z, heading + side}, left});
    heading += 0.25f * std::sin(0.7f * static_cast<float>(k));
    at += Vec3{std::sin(heading), 0, std::cos(heading)} * (stride + 0.05f * static_cast<float>(k % 3));
  }
  return prints;
}

TEST(FindSteps, StepsStandOnTheSupportingFootAndEndWhereTheySay) {
  const StepLibrary library = sample_steps();
  EXPECT_EQ(library.left.examples.size(), library.right.examples.size());
  ASSERT_GT(library.left.examples.size(), 20U);
  const auto feet = polish::find_feet(*library.skeleton).value();
  for (const StepSet* set : {&library.left, &library.right}) {
    const polish::Foot &stepping = feet[set->left ? 0 : 1], &support = feet[set->left ? 1 : 0];
    float outwards = 0;
    for (std::size_t i = 0; i < set->examples.size(); ++i) {
      const StepExample& step = set->examples[i];
      const auto poses = motion::forward_kinematics(step.clip);
      const std::size_t last = poses.frames - 1;
      EXPECT_LT(distance(poses.position(last, stepping.toe), step.to), 0.02f) << step.source;
      EXPECT_LT(distance(poses.position(0, stepping.toe), step.from), 0.02f) << step.source;
      for (std::size_t f = 0; f <= last; ++f) {
        const Vec3 ball = poses.position(f, support.toe);
        EXPECT_LT(std::hypot(ball.x, ball.z), 0.07f) << step.source;
      }
      outwards += set->left ? step.to.x : -step.to.x;
      EXPECT_NEAR(set->curves[i].at(1), step.clip.duration(), 1e-9);
    }
    // A left foot comes down to the left of a right one, some turning steps aside.
    EXPECT_GT(outwards / static_cast<float>(set->examples.size()), 0.03f);
  }
}

void expect_good_walk(const StepWalk& walk, const std::vector<Footprint>& prints, double liveliest) {
  ASSERT_EQ(walk.errors.size(), prints.size());
  EXPECT_EQ(walk.steps.size(), prints.size() - 2);
  EXPECT_LT(walk.largest_error, 0.01);
  const measure::Measures measures = measure::measure(walk.clip, walk.contacts);
  EXPECT_LT(measures.foot_slide_max_mps, 0.1);
  EXPECT_LT(measures.largest_jump_m, liveliest) << "frame " << measures.largest_jump_frame;
  EXPECT_LT(measures.penetration_max_m, 0.03);
}

/// How far the body is turned from where its first two footprints point, when it begins.
float turned_at_start(const StepWalk& walk, const std::vector<Footprint>& prints) {
  const float feet = prints[0].place.heading + wrap_angle(prints[1].place.heading - prints[0].place.heading) / 2;
  const motion::GroundFrameFinder finder(*walk.clip.skeleton);
  return std::abs(wrap_angle(finder.find(walk.clip.roots[0], walk.clip.pose(0)[0]).heading - feet));
}

TEST(WalkOnFootprints, MeetsEachWithinACentimetre) {
  const StepLibrary library = sample_steps();
  const std::vector<Footprint> prints = winding(12, 0.6f);
  const StepWalk walk = walk_on_footprints(library, prints).value();
  expect_good_walk(walk, prints, 0.08);
  for (const StepReport& step : walk.steps) EXPECT_LT(step.blend_error, 0.15);

  // The same, told by the made clip alone: heel and ball of each foot in the middle of its stand.
  const auto feet = polish::find_feet(*library.skeleton).value();
  const auto poses = motion::forward_kinematics(walk.clip);
  for (std::size_t k = 2; k + 2 < prints.size(); ++k) {
    const StepReport& next = walk.steps[k - 1];  // the step carried by footprint k
    const polish::Foot& foot = feet[prints[k].left ? 0 : 1];
    const std::size_t f = next.begin + (next.end - next.begin) / 3;
    const Vec3 middle = 0.5f * (poses.position(f, foot.heel) + poses.position(f, foot.toe));
    EXPECT_LT(std::hypot(middle.x - prints[k].place.x, middle.z - prints[k].place.z), 0.012f) << k;
  }
}

TEST(WalkOnFootprints, GivesTheSameWalkAgain) {
  const StepLibrary library = sample_steps();
  const auto once = walk_on_footprints(library, winding(6, 0.6f)).value();
  EXPECT_EQ(once.clip.roots, walk_on_footprints(library, winding(6, 0.6f)).value().clip.roots);
}

TEST(WalkOnFootprints, RefusesWhatCannotBeSteppedOn) {
  const StepLibrary library = sample_steps();
  std::vector<Footprint> far = winding(6, 0.6f);
  for (std::size_t k = 4; k < far.size(); ++k) far[k].place.z += 2;
  const auto refused = walk_on_footprints(library, far);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("footprint 5 cannot be stepped on"), std::string::npos)
      << refused.error().message;
  std::vector<Footprint> hopping = winding(5, 0.6f);
  hopping[2].left = !hopping[2].left;
  EXPECT_FALSE(walk_on_footprints(library, hopping));
  EXPECT_FALSE(walk_on_footprints(library, std::span(hopping).first(2)));
}

TEST(FindSteps, RefusesMotionWithoutSteps) {
  const SampleSet set = sample_set({"reach-01"});
  const auto refused = find_steps(set.clips, set.contacts);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("0 steps"), std::string::npos);
  EXPECT_FALSE(find_steps({}, {}));
}

TEST(WalkOnFootprints, WorksOnRealCapture) {
  LOOM_REQUIRE_MOCAP();
  const auto folder = testing::mocap_folder() / "cmu30";
  std::vector<motion::Clip> clips;
  std::vector<motion::Contacts> contacts;
  for (const char* name : {"11", "12", "13", "16", "17", "18", "19", "21", "24", "27", "31"}) {
    clips.push_back(io::read_motion((folder / ("16_" + std::string(name) + ".bvh")).string()).value().front().clip);
    contacts.push_back(motion::find_contacts(clips.back()).value());
  }
  const StepLibrary library = find_steps(clips, contacts).value();
  const std::vector<Footprint> prints = winding(10, 0.6f);
  expect_good_walk(walk_on_footprints(library, prints).value(), prints, 0.1);
}

TEST(WalkOnFootprints, BeginsFacingAsTheFeetPoint) {
  LOOM_REQUIRE_MOCAP();
  // Performer 69 turns in most takes: without a wish for its facing a walk begins turned by 8 to 12 degrees.
  std::vector<motion::Clip> clips;
  std::vector<motion::Contacts> contacts;
  for (const auto& file : std::filesystem::directory_iterator(testing::mocap_folder() / "cmu30")) {
    if (!file.path().filename().string().starts_with("69_")) continue;
    clips.push_back(io::read_motion(file.path().string()).value().front().clip);
  }
  std::sort(clips.begin(), clips.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  for (motion::Clip& clip : clips) {
    clip.skeleton = clips.front().skeleton;
    contacts.push_back(motion::find_contacts(clip).value());
  }
  const StepLibrary library = find_steps(clips, contacts).value();
  for (const float stride : {0.3f, 0.45f}) {
    const std::vector<Footprint> prints = winding(6, stride);
    EXPECT_LT(turned_at_start(walk_on_footprints(library, prints).value(), prints), 4 * kDegree) << stride;
  }
}

}  // namespace
}  // namespace loom::blend
