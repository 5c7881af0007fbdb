// SPDX-License-Identifier: MIT
// The character in the player's hand, without a page.
#include "apps/studio/play_scene.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <loom/matching/matching.h>
#include <loom/play/planting.h>
#include <loom/sample/sample.h>
#include <loom/take/take_set.h>

namespace loom::studio {
namespace {

using nlohmann::json;

constexpr double kStep = 1 / 60.0;  ///< seconds

/// A scene with a character that is matched to motions that stand, walk, run and jump.
std::unique_ptr<PlayScene> sample_scene() {
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
  std::vector<std::unique_ptr<motion::MotionStream>> characters;
  characters.push_back(*play::planted(std::move(matcher), *kMotion));
  return *PlayScene::create(std::move(characters), json::array());
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

}  // namespace
}  // namespace loom::studio
