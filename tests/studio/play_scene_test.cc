// SPDX-License-Identifier: MIT
// The character in the player's hand, without a page.
#include "apps/studio/play_scene.h"

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <loom/base/random.h>
#include <loom/matching/matching.h>
#include <loom/play/planting.h>
#include <loom/policy/drive.h>
#include <loom/policy/trace_file.h>
#include <loom/sample/sample.h>
#include <loom/take/take_set.h>

namespace loom::studio {
namespace {

using nlohmann::json;

constexpr double kStep = 1 / 60.0;  ///< seconds

/// A character that is matched to motions that stand, walk, run and jump.
std::unique_ptr<motion::MotionStream> sample_character() {
  static const auto kMotion = [] {
    const std::vector<std::string> names = {"idle-1", "locomotion-01", "locomotion-03",
                                            "jog",    "jump-up",       "jump-forward"};
    auto motion = std::make_shared<take::TakeSet>();
    for (const std::string& name : names) {
      sample::SampleClip made = *sample::make_sample(name, {1, 30});
      if (!motion->skeleton) motion->skeleton = made.clip.skeleton;
      made.clip.skeleton = motion->skeleton;
      motion->contacts.push_back(made.contacts);
      motion->clips.push_back(std::move(made.clip));
    }
    return motion;
  }();
  matching::MatchOptions features;
  features.flags = {policy::kAirborne};
  static const auto kFeatures = *matching::find_match_features(*kMotion, features);
  matching::MatchingOptions options;
  options.rate = 240;
  auto matcher = *matching::MotionMatcher::create(kMotion, kFeatures, options);
  return *play::planted(std::move(matcher), *kMotion);
}

/// A scene with such a character.
std::unique_ptr<PlayScene> sample_scene() {
  std::vector<std::unique_ptr<motion::MotionStream>> characters;
  characters.push_back(sample_character());
  return *PlayScene::create(std::move(characters), json::array(), {});
}

json wish(double forward, double turn, bool jump) {
  return {{"left", 0}, {"forward", forward}, {"turn", turn}, {"jump", jump}};
}

/// Whether the body leaves the floor within `seconds`.
bool flies_within(PlayScene& scene, double seconds) {
  SceneFrame frame;
  for (double t = 0; t < seconds; t += kStep) {
    frame.values.clear();
    if (!scene.step(kStep, frame)) return false;
    if (frame.characters[0].planted == 0) return true;
  }
  return false;
}

TEST(PlayScene, ATapIsAJumpWheneverItComes) {
  int moments = 0, jumps = 0;
  for (const auto& [forward, turn] : {std::pair{0.0, 0.0}, {1.4, 0.0}, {1.4, 1.4}}) {
    for (int later = 0; later < 12; ++later, ++moments) {
      const auto scene = sample_scene();
      SceneFrame frame;
      scene->hear(wish(forward, turn, false));
      for (int i = 0; i < 90 + 7 * later; ++i) {
        frame.values.clear();
        ASSERT_TRUE(scene->step(kStep, frame));
      }
      scene->hear(wish(0, 0, true));  // the key is down, and up again before the scene has made a step
      scene->hear(wish(0, 0, false));
      frame.values.clear();
      ASSERT_TRUE(scene->step(0.001, frame)) << "a step so short that no pose is asked for";
      const bool jumped = flies_within(*scene, 2);
      jumps += jumped ? 1 : 0;
      EXPECT_TRUE(jumped) << "going " << forward << " m/s, turning " << turn << ", tapped after " << 90 + 7 * later;
    }
  }
  EXPECT_EQ(jumps, moments);
}

/// The trace of what a scene told, through the file a page saves.
policy::Trace trace_of(const std::vector<json>& told) {
  std::string csv = "time,left,forward,turn,airborne\n";
  for (const json& line : told) {
    if (line.at("event") != "asked") continue;
    csv += fmt::format("{:.4f},{:.3f},{:.3f},{:.3f},{}\n", line.at("time").get<double>(), line.at("left").get<double>(),
                       line.at("forward").get<double>(), line.at("turn").get<double>(), line.at("jump") ? 1 : 0);
  }
  return policy::parse_trace(csv, "trace.csv").value();
}

TEST(PlayScene, ACommandThatPlaysTheTraceMakesTheMotionThatWasSeen) {
  // Beats as a busy machine makes them, wishes at any moment, several between two poses, and a tap.
  const auto scene = sample_scene();
  Random random(3);
  std::vector<json> told;
  struct Seen {
    double position = 0;  ///< in poses of the stream
    CharacterPose pose;
  };
  std::vector<Seen> seen;
  double position = 1;
  for (int beat = 0; beat < 600; ++beat) {
    for (std::size_t said = random.index(3); said > 0 && beat % 7 == 0; --said) {
      scene->hear(wish(random.uniform(0, 3), random.uniform(-1.4, 1.4), random.index(8) == 0));
    }
    const double seconds = random.uniform(0.001, 0.04);
    SceneFrame frame;
    ASSERT_TRUE(scene->step(seconds, frame));
    for (json& news : scene->news()) told.push_back(std::move(news));
    position += seconds * 240;
    seen.push_back({position, frame.characters[0]});
  }
  const policy::Trace trace = trace_of(told);
  EXPECT_GT(trace.times.size(), 50u);

  // As `loom match play --trace` does.
  const auto stream = sample_character();
  const auto stick = [&](double time) { return policy::to_world(trace.at(time), stream->place().heading); };
  const auto recorded = motion::record(*stream, position / 240, stick).value();
  for (const Seen& s : seen) {
    const auto after = static_cast<std::size_t>(s.position);
    const auto share = static_cast<float>(s.position - std::floor(s.position));
    const motion::Clip& clip = recorded.clip;
    ASSERT_LT(distance(lerp(clip.roots[after - 1], clip.roots[after], share), s.pose.root), 1e-5f) << s.position;
    for (std::size_t j = 0; j < clip.joints(); ++j) {
      const Quat expected = slerp(clip.pose(after - 1)[j], clip.pose(after)[j], share);
      ASSERT_LT(angle_between(expected, s.pose.rotations[j]), 1e-3f) << s.position << ", joint " << j;
    }
  }
}

}  // namespace
}  // namespace loom::studio
