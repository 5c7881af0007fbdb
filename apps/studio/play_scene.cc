// SPDX-License-Identifier: MIT
#include "studio/play_scene.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <nlohmann/json.hpp>

#include <loom/base/whole.h>
#include <loom/play/hand_over.h>
#include <loom/policy/drive.h>

#include "studio/fields.h"

namespace loom::studio {
namespace {

using nlohmann::json;

constexpr double kTapSeconds = 0.2;   ///< that a button counts as held at least, however soon it is let go
constexpr double kParts = 1000;       ///< of a metre a second that are told apart, in traces too
constexpr double kAnswerSeconds = 1;  ///< after which a wish is taken to be answered by going on
constexpr double kPatience = 4;       ///< seconds for which those that play on wait for the player to stand
constexpr double kStanding = 0.15;    ///< metres a second of the hips, over the floor: slower is standing
constexpr double kShortest = 1e-3;    ///< seconds between two poses of which speeds are read

/// Where a character's stage begins: every stream starts at the origin.
motion::GroundFrame stand_of(std::size_t p) {
  if (p == 0) return {};
  const auto i = static_cast<float>(p - 1);
  return {2.2f * (std::fmod(i, 5.0f) - 2), 2.5f + 2.2f * std::floor(i / 5), 0};
}

/// What those want who wander about: walking in slow curves, each in its own.
policy::ControlSignal stroll(std::size_t p, double time) {
  const double phase = time * 0.3 + 1.7 * static_cast<double>(p);
  return {0, 1.3f + 0.4f * static_cast<float>(std::sin(phase * 0.7)), 0.7f * static_cast<float>(std::sin(phase)), 0};
}

}  // namespace

Result<std::unique_ptr<PlayScene>> PlayScene::create(Troupe troupe, json about, Later later) {
  std::vector<motion::Control> first(troupe.characters.size());
  for (std::size_t p = 1; p < first.size(); ++p) {
    first[p] = policy::to_world(stroll(p, 0), troupe.characters[p]->place().heading);
  }
  auto ensemble = motion::StreamEnsemble::create(std::move(troupe.characters), first);
  if (!ensemble) return fail_from(ensemble);
  return std::unique_ptr<PlayScene>(
      new PlayScene(std::move(*ensemble), std::move(troupe.explain), std::move(about), std::move(later)));
}

PlayScene::PlayScene(std::unique_ptr<motion::StreamEnsemble> characters, PieceTeller::Explain explain, json about,
                     Later later)
    : characters_(characters.get()),
      player_(std::move(characters)),
      teller_(characters_->source_names(0), std::move(explain)),
      wanted_(characters_->size()),
      about_(std::make_unique<const json>(std::move(about))),
      later_(std::move(later)) {
  for (std::size_t p = 0; p < wanted_.size(); ++p) stands_.push_back(stand_of(p));
  tell_asked({});
}

PlayScene::~PlayScene() = default;

std::vector<std::shared_ptr<const motion::Skeleton>> PlayScene::bodies() const { return player_.bodies(); }

json PlayScene::describe() const {
  json described = *about_;
  described["kind"] = "play";
  return described;
}

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

/// Since the scene began, by its poses.
double PlayScene::seconds() const { return played_ + static_cast<double>(pose_) / characters_->rate(); }

void PlayScene::ask(std::span<motion::Control> controls) {
  ++pose_;
  for (std::size_t p = 0; p < wanted_.size(); ++p) {
    if (p > 0) wanted_[p] = stroll(p, seconds());
    policy::ControlSignal signal = wanted_[p];
    if (p == 0) {
      if (tapped_poses_ > 0) signal.flags |= tapped_;
      tapped_poses_ -= tapped_poses_ > 0 ? 1 : 0;
      if (signal != asked_) tell_asked(signal);
    }
    controls[p] = policy::to_world(signal, characters_->place(p).heading);
  }
}

void PlayScene::place(std::vector<CharacterPose>& poses) const {
  for (std::size_t p = 0; p < poses.size(); ++p) {
    poses[p].root = transform(stands_[p], poses[p].root);
    poses[p].rotations[0] = normalized(stands_[p].rotation() * poses[p].rotations[0]);
  }
}

void PlayScene::ease(double seconds, std::vector<CharacterPose>& poses) {
  for (std::size_t p = 0; p < joins_.size(); ++p) {
    joins_[p].step(static_cast<float>(seconds));
    joins_[p].apply(poses[p].root, poses[p].rotations);
  }
}

/// While the player stands hardly anything changes; who never does is not kept waiting for ever.
bool PlayScene::may_go_over(double seconds, const std::vector<CharacterPose>& poses) {
  waited_ += seconds;
  if (seconds < kShortest || before_.empty() || poses[0].planted == 0 || tapped_poses_ > 0) return false;
  Vec3 way = poses[0].root - before_[0].root;
  way.y = 0;
  const bool stands = wanted_[0] == policy::ControlSignal{} && length(way) < kStanding * seconds;
  return stands || waited_ >= kPatience;
}

/// From here on `next_` plays. `poses` are those of this instant, as they are shown but for joins; `before_` those of
/// `seconds` ago.
void PlayScene::go_over(double seconds, std::vector<CharacterPose>& poses) {
  Troupe next = std::move(*next_);
  next_.reset();
  std::vector<motion::Control> first(next.characters.size());
  for (std::size_t p = 0; p < first.size(); ++p) {
    first[p] = policy::to_world(wanted_[p], next.characters[p]->place().heading);
  }
  auto made = motion::StreamEnsemble::create(std::move(next.characters), first);
  if (!made || (*made)->size() != wanted_.size()) return;  // then it goes on as it did
  for (std::size_t p = 0; p < poses.size(); ++p) {
    if (!(*(*made)->skeleton(p) == *characters_->skeleton(p))) return;
  }
  played_ = this->seconds();
  pose_ = 0;
  characters_ = made->get();
  player_ = EnsemblePlayer(std::move(*made));
  teller_ = PieceTeller(characters_->source_names(0), std::move(next.explain));
  unaware_.reset();
  news_.push_back({{"event", "whole"}, {"clips", teller_.names()}});
  tell_asked(wanted_[0]);
  const auto asking = [this](std::span<motion::Control> controls) { ask(controls); };
  std::vector<CharacterPose> begin, now;
  if (!player_.step(0, asking, begin) || !player_.step(seconds, asking, now)) return;
  const motion::GroundFrameFinder finder(*characters_->skeleton(0));
  for (std::size_t p = 0; p < poses.size(); ++p) {
    stands_[p] =
        finder.find(poses[p].root, poses[p].rotations[0]) * inverse(finder.find(now[p].root, now[p].rotations[0]));
  }
  place(begin);
  place(now);
  joins_.assign(poses.size(), play::Inertializer(characters_->skeleton(0)->size(), play::HandOverStream::kEaseSeconds));
  for (std::size_t p = 0; p < poses.size(); ++p) {
    joins_[p].join({before_[p].root, poses[p].root, before_[p].rotations, poses[p].rotations},
                   {begin[p].root, now[p].root, begin[p].rotations, now[p].rotations}, static_cast<float>(seconds));
  }
  poses = std::move(now);
}

bool PlayScene::step(double seconds, SceneFrame& frame) {
  if (later_ && (next_ = later_())) later_ = nullptr;
  const auto asking = [this](std::span<motion::Control> controls) { ask(controls); };
  if (!player_.step(seconds, asking, frame.characters)) return false;
  frame.unanswered = is_unanswered(seconds, frame.characters[0]);
  place(frame.characters);
  const bool goes_over = next_ && may_go_over(seconds, frame.characters);
  if (goes_over) go_over(seconds, frame.characters);
  teller_.look(player_, 1, news_);
  before_ = frame.characters;
  ease(goes_over ? 0 : seconds, frame.characters);
  for (std::size_t p = 0; p < wanted_.size(); ++p) {
    const motion::GroundFrame at = stands_[p] * characters_->place(p);
    frame.values.insert(frame.values.end(), {at.x, at.z, at.heading});
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
