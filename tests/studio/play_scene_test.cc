// SPDX-License-Identifier: MIT
// The character in the player's hand, without a page.
#include "apps/studio/play_scene.h"

#include <array>
#include <cmath>
#include <optional>
#include <utility>

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

/// A character that is matched to sample motions.
std::unique_ptr<motion::MotionStream> character_of(const std::vector<std::string>& names) {
  auto motion = std::make_shared<take::TakeSet>();
  for (const std::string& name : names) {
    sample::SampleClip made = *sample::make_sample(name, {1, 30});
    if (!motion->skeleton) motion->skeleton = made.clip.skeleton;
    made.clip.skeleton = motion->skeleton;
    motion->contacts.push_back(made.contacts);
    motion->clips.push_back(std::move(made.clip));
  }
  matching::MatchOptions features;
  features.flags = {policy::kAirborne};
  matching::MatchingOptions options;
  options.rate = 240;
  auto matcher = *matching::MotionMatcher::create(motion, *matching::find_match_features(*motion, features), options);
  return *play::planted(std::move(matcher), *motion);
}

/// One that stands, walks, runs and jumps.
std::unique_ptr<motion::MotionStream> sample_character() {
  static const auto kCharacter =
      character_of({"idle-1", "locomotion-01", "locomotion-03", "jog", "jump-up", "jump-forward"});
  return kCharacter->clone();
}

PlayScene::Troupe troupe_of(std::unique_ptr<motion::MotionStream> character) {
  PlayScene::Troupe troupe;
  troupe.characters.push_back(std::move(character));
  return troupe;
}

/// A scene with such a character.
std::unique_ptr<PlayScene> sample_scene() { return *PlayScene::create(troupe_of(sample_character()), json::object()); }

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

/// A scene that begins with a character that stands and walks, and goes over once `ready` to one that runs, too.
std::unique_ptr<PlayScene> scene_of_a_part(const bool& ready) {
  return *PlayScene::create(troupe_of(character_of({"idle-1", "locomotion-01"})), json::object(),
                            [&ready]() -> std::optional<PlayScene::Troupe> {
                              if (!ready) return std::nullopt;
                              return troupe_of(sample_character());
                            });
}

/// What is shown and told of a scene, beat by beat.
struct Seen {
  std::vector<CharacterPose> poses;
  std::vector<std::array<float, 3>> values;
  std::vector<json> told;
  std::size_t whole = 0;  ///< poses before it was told that it had gone over
};

void watch(PlayScene& scene, double seconds, Seen& seen) {
  for (double t = 0; t < seconds; t += kStep) {
    SceneFrame frame;
    ASSERT_TRUE(scene.step(kStep, frame));
    seen.poses.push_back(frame.characters[0]);
    seen.values.push_back({frame.values[0], frame.values[1], frame.values[2]});
    for (json& news : scene.news()) {
      if (news["event"] == "whole") {
        seen.whole = seen.poses.size();
        seen.told.clear();
      }
      seen.told.push_back(std::move(news));
    }
  }
}

/// The fastest that anything turned, and the hips went, around a pose, radians and metres a second.
std::pair<float, float> fastest_around(const Seen& seen, std::size_t begin, std::size_t end) {
  float turned = 0, went = 0;
  for (std::size_t i = begin; i < end; ++i) {
    const CharacterPose &a = seen.poses[i - 1], &b = seen.poses[i];
    went = std::max(went, distance(a.root, b.root) * 60);
    for (std::size_t j = 0; j < b.rotations.size(); ++j) {
      turned = std::max(turned, angle_between(a.rotations[j], b.rotations[j]) * 60);
    }
  }
  return {turned, went};
}

TEST(PlayScene, GoesOverFromAPartOfTheMotionToAllWithoutAJump) {
  for (const double forward : {0.0, 1.4}) {
    bool ready = false;
    const auto scene = scene_of_a_part(ready);
    scene->hear(wish(forward, forward / 2, false));
    Seen seen;
    watch(*scene, 4, seen);
    EXPECT_EQ(seen.whole, 0U);
    ready = true;
    watch(*scene, 8, seen);
    ASSERT_GT(seen.whole, 240U);
    if (forward == 0) {
      EXPECT_LT(seen.whole, 260U) << "who stands is not kept waiting";
    }
    EXPECT_EQ(seen.told.front()["clips"].size(), 6U);
    const auto [turned, went] = fastest_around(seen, seen.whole - 60, seen.whole - 1);
    const auto [turned_then, went_then] = fastest_around(seen, seen.whole - 1, seen.whole + 20);
    EXPECT_LT(went_then, went + 0.7f) << "going " << forward;
    EXPECT_LT(turned_then, turned + 6) << "going " << forward;
    const auto [x, z, heading] = seen.values[seen.whole - 2];
    const auto [x_then, z_then, heading_then] = seen.values[seen.whole - 1];
    EXPECT_LT(std::hypot(x - x_then, z - z_then), 0.1f);
    EXPECT_LT(std::abs(std::remainder(heading - heading_then, 6.2831853f)), 0.3f);
  }
}

TEST(PlayScene, OfAllMotionTheTraceBeginsAnew) {
  bool ready = true;
  const auto scene = scene_of_a_part(ready);
  scene->hear(wish(1.4, 0.7, false));
  Seen seen;
  watch(*scene, 6, seen);
  scene->hear(wish(0, 0, false));
  watch(*scene, 2, seen);
  ASSERT_GT(seen.whole, 0U);
  const policy::Trace trace = trace_of(seen.told);
  EXPECT_EQ(trace.times.front(), 0) << "it is asked from its beginning on";

  const auto stream = sample_character();
  const auto stick = [&](double time) { return policy::to_world(trace.at(time), stream->place().heading); };
  const auto since = static_cast<double>(seen.poses.size() - seen.whole + 1) / 60;
  const auto recorded = motion::record(*stream, since + 1, stick).value();
  const motion::Clip& clip = recorded.clip;
  // What the join adds is gone by then. Steps of the scene are four poses of the stream, the first of which is its
  // second.
  for (std::size_t i = seen.whole + 90; i < seen.poses.size(); ++i) {
    const std::size_t pose = 4 * (i - seen.whole + 2);
    ASSERT_NEAR(clip.roots[pose].y, seen.poses[i].root.y, 2e-4f) << i - seen.whole;
    for (std::size_t j = 1; j < clip.joints(); ++j) {
      ASSERT_LT(angle_between(clip.pose(pose)[j], seen.poses[i].rotations[j]), 5e-3f)
          << i - seen.whole << ", joint " << j;
    }
  }
}

}  // namespace
}  // namespace loom::studio
