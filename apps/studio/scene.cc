// SPDX-License-Identifier: MIT
#include "studio/scene.h"

#include <loom/policy/response.h>

namespace loom::studio {
namespace {

constexpr std::uint32_t kGoesOnFrames = 4;  ///< of a clip from one pose to the next: more is a jump

}  // namespace

bool differ(const CharacterPose& a, const CharacterPose& b) {
  return policy::looks_different(a.root, a.rotations, b.root, b.rotations);
}

EnsemblePlayer::EnsemblePlayer(std::unique_ptr<motion::Ensemble> ensemble) : ensemble_(std::move(ensemble)) {
  after_.resize(ensemble_->size());
  for (std::size_t c = 0; c < after_.size(); ++c) after_[c].rotations.resize(ensemble_->skeleton(c)->size());
  before_ = after_;
  look();
  for (std::size_t c = 0; c < after_.size(); ++c) changes_.push_back({c, std::nullopt, after_[c].source});
}

Result<EnsemblePlayer> EnsemblePlayer::of(std::unique_ptr<motion::MotionStream> stream) {
  std::vector<std::unique_ptr<motion::MotionStream>> streams;
  streams.push_back(std::move(stream));
  auto ensemble = motion::StreamEnsemble::create(std::move(streams));
  if (!ensemble) return fail_from(ensemble);
  return EnsemblePlayer(std::move(*ensemble));
}

std::vector<std::shared_ptr<const motion::Skeleton>> EnsemblePlayer::bodies() const {
  std::vector<std::shared_ptr<const motion::Skeleton>> bodies;
  for (std::size_t c = 0; c < ensemble_->size(); ++c) bodies.push_back(ensemble_->skeleton(c));
  return bodies;
}

EnsemblePlayer EnsemblePlayer::with(std::unique_ptr<motion::Ensemble> copy, std::size_t character) const {
  EnsemblePlayer player(std::move(copy));
  player.before_ = {before_[character]};
  player.after_ = {after_[character]};
  player.steps_ = steps_;
  player.phase_ = phase_;
  player.changes_.clear();
  return player;
}

void EnsemblePlayer::look() {
  for (std::size_t c = 0; c < after_.size(); ++c) {
    CharacterPose& shown = after_[c];
    motion::StreamPose pose{{}, shown.rotations, 0, {}};
    ensemble_->show(c, pose);
    shown.root = pose.root;
    shown.planted = pose.planted;
    shown.source = pose.source;
  }
}

void EnsemblePlayer::note_changes() {
  constexpr std::size_t kMost = 1000;  // nobody asks for them
  for (std::size_t c = 0; c < after_.size(); ++c) {
    const motion::SourceFrame was = before_[c].source, now = after_[c].source;
    const bool goes_on = now.clip == was.clip && now.frame >= was.frame && now.frame - was.frame <= kGoesOnFrames;
    if (!goes_on && changes_.size() < kMost) changes_.push_back({c, was, now});
  }
}

bool EnsemblePlayer::step(double seconds, const std::function<void(std::span<motion::Control> controls)>& ask,
                          std::vector<CharacterPose>& poses) {
  for (phase_ += seconds * ensemble_->rate(); phase_ >= 1; phase_ -= 1) {
    std::swap(before_, after_);
    controls_.resize(ask ? after_.size() : 0);
    if (ask) ask(controls_);
    if (!ensemble_->step(controls_)) return false;
    look();
    note_changes();
    ++steps_;
  }
  const auto t = static_cast<float>(phase_);
  poses.resize(after_.size());
  for (std::size_t c = 0; c < after_.size(); ++c) {
    const CharacterPose &before = before_[c], &after = after_[c];
    CharacterPose& pose = poses[c];
    pose.root = lerp(before.root, after.root, t);
    pose.rotations.resize(after.rotations.size());
    for (std::size_t j = 0; j < pose.rotations.size(); ++j) {
      pose.rotations[j] = slerp(before.rotations[j], after.rotations[j], t);
    }
    pose.planted = t < 0.5f ? before.planted : after.planted;
    pose.source = after.source;
  }
  return true;
}

}  // namespace loom::studio
