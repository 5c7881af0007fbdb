// SPDX-License-Identifier: MIT
#include "studio/play_scene.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <nlohmann/json.hpp>

#include <loom/base/whole.h>
#include <loom/policy/drive.h>

#include "studio/fields.h"

namespace loom::studio {
namespace {

using nlohmann::json;

constexpr double kTapSeconds = 0.2;   ///< that a button counts as held at least, however soon it is let go
constexpr double kParts = 1000;       ///< of a metre a second that are told apart, in traces too
constexpr double kAnswerSeconds = 1;  ///< after which a wish is taken to be answered by going on

/// Where a character's stage begins, metres: every stream starts at the origin.
Vec3 stand_of(std::size_t p) {
  if (p == 0) return {};
  const auto i = static_cast<float>(p - 1);
  return {2.2f * (std::fmod(i, 5.0f) - 2), 0, 2.5f + 2.2f * std::floor(i / 5)};
}

/// What those want who wander about: walking in slow curves, each in its own.
policy::ControlSignal stroll(std::size_t p, double time) {
  const double phase = time * 0.3 + 1.7 * static_cast<double>(p);
  return {0, 1.3f + 0.4f * static_cast<float>(std::sin(phase * 0.7)), 0.7f * static_cast<float>(std::sin(phase)), 0};
}

}  // namespace

Result<std::unique_ptr<PlayScene>> PlayScene::create(std::vector<std::unique_ptr<motion::MotionStream>> characters,
                                                     json command, PieceTeller::Explain explain) {
  std::vector<motion::Control> first(characters.size());
  for (std::size_t p = 1; p < first.size(); ++p) {
    first[p] = policy::to_world(stroll(p, 0), characters[p]->place().heading);
  }
  auto ensemble = motion::StreamEnsemble::create(std::move(characters), first);
  if (!ensemble) return fail_from(ensemble);
  return std::unique_ptr<PlayScene>(new PlayScene(std::move(*ensemble), std::move(command), std::move(explain)));
}

PlayScene::PlayScene(std::unique_ptr<motion::StreamEnsemble> characters, json command, PieceTeller::Explain explain)
    : characters_(characters.get()),
      player_(std::move(characters)),
      teller_(characters_->source_names(0), std::move(explain)),
      wanted_(characters_->size()),
      command_(std::make_unique<const json>(std::move(command))) {
  tell_asked({});
}

PlayScene::~PlayScene() = default;

std::vector<std::shared_ptr<const motion::Skeleton>> PlayScene::bodies() const { return player_.bodies(); }

json PlayScene::describe() const { return {{"kind", "play"}, {"command", *command_}}; }

std::vector<json> PlayScene::news() { return std::exchange(news_, {}); }

void PlayScene::hear(const json& message) {
  const Fields said(message);
  const auto number = [&](const char* name, double most) {
    return static_cast<float>(std::round(std::clamp(said.number(name, 0), -most, most) * kParts) / kParts);
  };
  const policy::ControlSignal wish = {number("left", 4), number("forward", 4), number("turn", 4),
                                      said.flag("jump") ? 1U : 0U};
  if (wish.flags != 0) {
    tapped_ = wish.flags;
    tapped_poses_ = to_whole<std::uint64_t>(std::ceil(kTapSeconds * characters_->rate()));
  }
  if (wish == wanted_[0]) return;
  if (!unaware_) {
    unaware_ = player_.with(characters_->alone(0), 0);
    unaware_wanted_ = wanted_[0];
    unaware_seconds_ = 0;
  }
  wanted_[0] = wish;
}

void PlayScene::tell_asked(const policy::ControlSignal& signal) {
  const double time = std::max(0.0, static_cast<double>(pose_) - 0.5) / characters_->rate();
  news_.push_back({{"event", "asked"},
                   {"time", time},
                   {"left", signal.left},
                   {"forward", signal.forward},
                   {"turn", signal.turn},
                   {"jump", signal.flags != 0}});
  asked_ = signal;
}

void PlayScene::ask(std::span<motion::Control> controls) {
  ++pose_;
  for (std::size_t p = 0; p < wanted_.size(); ++p) {
    if (p > 0) wanted_[p] = stroll(p, static_cast<double>(pose_) / characters_->rate());
    policy::ControlSignal signal = wanted_[p];
    if (p == 0) {
      if (tapped_poses_ > 0) signal.flags |= tapped_;
      tapped_poses_ -= tapped_poses_ > 0 ? 1 : 0;
      if (signal != asked_) tell_asked(signal);
    }
    controls[p] = policy::to_world(signal, characters_->place(p).heading);
  }
}

bool PlayScene::step(double seconds, SceneFrame& frame) {
  const auto asking = [this](std::span<motion::Control> controls) { ask(controls); };
  if (!player_.step(seconds, asking, frame.characters)) return false;
  frame.unanswered = is_unanswered(seconds, frame.characters[0]);
  teller_.look(player_, 1, news_);
  for (std::size_t p = 0; p < wanted_.size(); ++p) {
    const motion::GroundFrame place = characters_->place(p);
    const Vec3 shift = stand_of(p);
    frame.characters[p].root += shift;
    frame.values.insert(frame.values.end(), {place.x + shift.x, place.z + shift.z, place.heading});
  }
  return true;
}

/// Whether the player's character still does exactly what it would have done without the last wish.
bool PlayScene::is_unanswered(double seconds, const CharacterPose& shown) {
  if (!unaware_) return false;
  unaware_seconds_ += seconds;
  const auto asking = [this](std::span<motion::Control> controls) {
    controls[0] = policy::to_world(unaware_wanted_, unaware_->ensemble().place(0).heading);
  };
  const bool goes_on = unaware_->step(seconds, asking, unaware_pose_);
  if (goes_on && unaware_seconds_ < kAnswerSeconds && !differ(unaware_pose_[0], shown)) return true;
  unaware_.reset();
  return false;
}

}  // namespace loom::studio
