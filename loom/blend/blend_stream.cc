// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <utility>

#include <loom/base/whole.h>
#include <loom/blend/blend_stream.h>
#include <loom/motion/carry.h>

namespace loom::blend {
namespace {

constexpr double kJoinSeconds = 0.25;  ///< in which the difference between the end of a cycle and its beginning goes
constexpr double kPauseSeconds = 0.5;  ///< between two rounds of a motion that ends

}  // namespace

Result<std::unique_ptr<BlendStream>> BlendStream::create(std::shared_ptr<const BlendSpace> space,
                                                         std::span<const float> weights, BlendPlay play,
                                                         std::optional<double> rate) {
  const auto usable = space->usable_weights(weights);
  if (!usable) return fail_from(usable);
  if (rate && !(*rate >= 1 && *rate <= 1000)) return fail("the rate of poses must be in [1, 1000] a second");
  std::unique_ptr<BlendStream> made(new BlendStream(std::move(space), play, rate));
  made->blender_.set_weights(*usable);
  if (play == BlendPlay::kOnce) made->lay_out_frames();
  return made;
}

BlendStream::BlendStream(std::shared_ptr<const BlendSpace> space, BlendPlay play, std::optional<double> rate)
    : blender_(std::move(space)),
      play_(play),
      rate_(rate.value_or(blender_.space().rate())),
      finder_(*blender_.space().skeleton()),
      room_(skeleton()->size()),
      begin_(skeleton()->size()),
      turned_(skeleton()->size()),
      since_join_(kJoinSeconds * rate_) {
  const std::vector<double>& strokes = blender_.space().strokes();
  if (!strokes.empty()) stroke_ = strokes.front();
}

/// Whole numbers of poses between strokes, at least one.
void BlendStream::lay_out_frames() {
  std::vector<double> marks{0};
  for (std::size_t n = 0; n < blender_.space().strokes().size(); ++n) marks.push_back(blender_.stroke_seconds(n));
  marks.push_back(blender_.duration());
  seconds_ = {0};
  for (std::size_t k = 1; k < marks.size(); ++k) {
    const double span = marks[k] - marks[k - 1];
    const auto count = to_whole<std::size_t>(std::max(1.0, std::round(span * rate_)));
    for (std::size_t n = 1; n <= count; ++n) {
      seconds_.push_back(marks[k - 1] + span * static_cast<double>(n) / static_cast<double>(count));
    }
    // Rounding must not put a stroke into the cell before it.
    seconds_.back() = marks[k];
    if (k + 1 < marks.size()) stroke_frames_.push_back(seconds_.size() - 1);
  }
}

std::vector<std::string> BlendStream::source_names() const {
  std::vector<std::string> names;
  for (const motion::Clip& clip : blender_.space().clips()) names.push_back(clip.name);
  return names;
}

void BlendStream::set_weights(std::span<const float> weights) { blender_.set_weights(weights); }

motion::GroundFrame BlendStream::ground_at(double u) {
  motion::StreamPose pose{{}, room_, 0, {}};
  blender_.pose_at(u, pose);
  return finder_.find(pose.root, room_[0]);
}

/// The pose at `u`, its root turned as if it faced +Z; returns how high the root is.
float BlendStream::fronted(double u, std::span<Quat> rotations) {
  motion::StreamPose pose{{}, rotations, 0, {}};
  blender_.pose_at(u, pose);
  rotations[0] = conjugate(finder_.find(pose.root, rotations[0]).rotation()) * rotations[0];
  return pose.root.y;
}

/// Takes down by what the end of the cycle differs from its beginning: the new one starts with that, and loses it.
void BlendStream::begin_anew() {
  const float end = fronted(1, room_), begin = fronted(0, begin_);
  higher_ = end - begin;
  for (std::size_t j = 0; j < room_.size(); ++j) turned_[j] = log_vector(room_[j] * conjugate(begin_[j]));
  since_join_ = 0;
}

/// Adds what is left of that to a pose.
void BlendStream::join(motion::StreamPose& pose) {
  const double span = kJoinSeconds * rate_;
  if (since_join_ >= span) return;
  const auto left = static_cast<float>(1 - ++since_join_ / span);
  const float share = smoothstep(left);
  const Quat facing = finder_.find(pose.root, pose.rotations[0]).rotation();
  pose.root.y += share * higher_;
  for (std::size_t j = 0; j < pose.rotations.size(); ++j) {
    const Quat turn = exp_vector(turned_[j] * share);
    Quat& q = pose.rotations[j];
    q = normalized(j == 0 ? facing * turn * conjugate(facing) * q : turn * q);
  }
}

/// One pose of a cycle on, from the phase reached.
void BlendStream::go_on() {
  const double seconds = blender_.seconds_at(phase_) + (held_ ? 0 : 1 / rate_);
  // Before this pose the character stood where it would in the blend at the old phase: carry it over from there.
  motion::GroundFrame step = inverse(ground_at(phase_));
  if (held_ || seconds <= blender_.duration()) {
    phase_ = held_ ? phase_ : blender_.normalised_at(seconds);
  } else {
    step = step * ground_at(1) * inverse(ground_at(0));
    begin_anew();
    phase_ = blender_.normalised_at(std::fmod(seconds, blender_.duration()));
  }
  stands_ = stands_ * step * ground_at(phase_);
  world_ = stands_ * inverse(ground_at(phase_));
}

/// Shows the pose at `u`, where the motion has come to.
void BlendStream::show(double u, motion::StreamPose& pose) {
  phase_ = u;
  blender_.pose_at(u, pose);
  join(pose);
  if (play_ == BlendPlay::kCycle) carry(world_, pose.root, pose.rotations[0]);
  place_ = finder_.find(pose.root, pose.rotations[0]);
}

bool BlendStream::next(const motion::Control& /*control*/, motion::StreamPose& pose) {
  switch (play_) {
    case BlendPlay::kOnce:
      if (poses_ == seconds_.size()) return false;
      show(blender_.normalised_at(seconds_[poses_]), pose);
      break;
    case BlendPlay::kHold:
      show(stroke_, pose);
      break;
    case BlendPlay::kAgain:
      if (held_) {
        late_ = 0;
        show(stroke_, pose);
        break;
      }
      if (poses_ > 0) {
        const double seconds = blender_.seconds_at(phase_) + late_ + 1 / rate_, end = blender_.duration();
        const bool again = seconds >= end + kPauseSeconds;
        late_ = again ? 0 : std::max(0.0, seconds - end);
        phase_ = again ? 0 : blender_.normalised_at(std::min(seconds, end));
      }
      show(phase_, pose);
      break;
    case BlendPlay::kCycle:
      if (poses_ > 0) go_on();
      show(phase_, pose);
      if (poses_ == 0) stands_ = place_;
      break;
  }
  ++poses_;
  return true;
}

}  // namespace loom::blend
