// SPDX-License-Identifier: MIT
#include "studio/play_scene.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <nlohmann/json.hpp>

#include <loom/policy/drive.h>

#include "studio/fields.h"

namespace loom::studio {
namespace {

using nlohmann::json;

constexpr double kTapSeconds = 0.2;   ///< that a button counts as held at least, however soon it is let go
constexpr double kAnswerSeconds = 1;  ///< after which a wish is taken to be answered by going on

/// Where a character's stage begins, metres: every stream starts at the origin.
Vec3 stand_of(std::size_t p) {
  if (p == 0) return {};
  const auto i = static_cast<float>(p - 1);
  return {2.2f * (std::fmod(i, 5.0f) - 2), 0, 2.5f + 2.2f * std::floor(i / 5)};
}

}  // namespace

PlayScene::PlayScene(std::vector<Played> players, json command)
    : players_(std::move(players)), command_(std::make_unique<const json>(std::move(command))) {}

PlayScene::~PlayScene() = default;

std::vector<std::shared_ptr<const motion::Skeleton>> PlayScene::bodies() const {
  std::vector<std::shared_ptr<const motion::Skeleton>> bodies;
  for (const Played& player : players_) bodies.push_back(player.character.stream().skeleton());
  return bodies;
}

json PlayScene::describe() const { return {{"kind", "play"}, {"command", *command_}}; }

std::vector<json> PlayScene::news() { return {}; }

void PlayScene::hear(const json& message) {
  const Fields said(message);
  const auto number = [&](const char* name, double most) {
    return static_cast<float>(std::clamp(said.number(name, 0), -most, most));
  };
  const policy::ControlSignal wish = {number("left", 4), number("forward", 4), number("turn", 4),
                                      said.flag("jump") ? 1U : 0U};
  Played& player = players_[0];
  if (wish.flags != 0) {
    tapped_ = wish.flags;
    tapped_seconds_ = 0;
  }
  if (wish == player.wanted) return;
  if (!unaware_) {
    unaware_ = player.character.clone();
    unaware_wanted_ = player.wanted;
    unaware_seconds_ = 0;
  }
  player.wanted = wish;
}

bool PlayScene::step(double seconds, SceneFrame& frame) {
  time_ += seconds;
  tapped_seconds_ += seconds;
  frame.characters.resize(players_.size());
  for (std::size_t p = 0; p < players_.size(); ++p) {
    Played& player = players_[p];
    if (p > 0) player.wanted = stroll(p);
    const float heading = player.place().heading;
    motion::Control control = policy::to_world(player.wanted, heading);
    if (p == 0 && tapped_seconds_ < kTapSeconds) control.flags |= tapped_;
    if (!player.character.step(seconds, control, frame.characters[p])) return false;
    if (p == 0) frame.unanswered = is_unanswered(seconds, heading, frame.characters[0]);
    const motion::GroundFrame place = player.place();
    const Vec3 shift = stand_of(p);
    frame.characters[p].root += shift;
    frame.values.insert(frame.values.end(), {place.x + shift.x, place.z + shift.z, place.heading});
  }
  return true;
}

/// Whether the player's character still does exactly what it would have done without the last wish.
bool PlayScene::is_unanswered(double seconds, float heading, const CharacterPose& shown) {
  if (!unaware_) return false;
  unaware_seconds_ += seconds;
  const bool goes_on = unaware_->step(seconds, policy::to_world(unaware_wanted_, heading), unaware_pose_);
  if (goes_on && unaware_seconds_ < kAnswerSeconds && !differ(unaware_pose_, shown)) return true;
  unaware_.reset();
  return false;
}

/// Walking in slow curves, each in its own.
policy::ControlSignal PlayScene::stroll(std::size_t p) const {
  const double phase = time_ * 0.3 + 1.7 * static_cast<double>(p);
  return {0, 1.3f + 0.4f * static_cast<float>(std::sin(phase * 0.7)), 0.7f * static_cast<float>(std::sin(phase)), 0};
}

}  // namespace loom::studio
