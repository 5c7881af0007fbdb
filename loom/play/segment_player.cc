// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/base/whole.h>
#include <loom/play/read_pose.h>
#include <loom/play/segment_player.h>
#include <loom/take/take_set.h>

namespace loom::play {
namespace {

constexpr std::int64_t kMostAtOnce = 1024;  ///< segments in a window, however long somebody asks it to be

}  // namespace

bool SegmentList::next(const motion::Control& /*control*/, Segment& segment) {
  if (at_ == segments_.size()) return false;
  segment = segments_[at_++];
  return true;
}

SegmentPlayer::SegmentPlayer(std::shared_ptr<const take::TakeSet> motion, std::unique_ptr<SegmentFeed> feed,
                             double blend_seconds)
    : motion_(std::move(motion)),
      feed_(std::move(feed)),
      half_(to_whole<std::uint32_t>(std::round(std::max(0.0, blend_seconds) * motion_->rate() / 2))),
      finder_(*motion_->skeleton),
      room_(motion_->skeleton->size()) {
  const bool has_mixes = !motion_->stretches.empty() && motion_->stretches.size() < motion_->clips.size();
  if (has_mixes) {
    feet_ = StandingFeet::create(motion_->skeleton, motion_->rate());
    before_.resize(room_.size());
  }
  // Of segments that are not over for longer than half a window, and do not begin later than that, there are at most
  // as many as frames, and one that goes before.
  placed_.reserve(static_cast<std::size_t>(std::min<std::int64_t>(2 * half_ + 3, kMostAtOnce)));
}

SegmentPlayer::SegmentPlayer(const SegmentPlayer& other)
    : motion_(other.motion_),
      feed_(other.feed_->clone()),
      half_(other.half_),
      ended_(other.ended_),
      frame_(other.frame_),
      finder_(other.finder_),
      place_(other.place_),
      room_(other.room_),
      before_(other.before_),
      feet_(other.feet_) {
  placed_.reserve(other.placed_.capacity());
  placed_.assign(other.placed_.begin(), other.placed_.end());
}

std::unique_ptr<motion::MotionStream> SegmentPlayer::clone() const {
  return std::unique_ptr<SegmentPlayer>(new SegmentPlayer(*this));
}

std::vector<std::string> SegmentPlayer::source_names() const {
  std::vector<std::string> names;
  for (std::size_t c = 0; c < motion_->clips.size(); ++c) names.push_back(motion_->title(c));
  return names;
}

bool SegmentPlayer::pull(const motion::Control& control) {
  if (ended_ || placed_.size() == placed_.capacity()) return false;
  Segment next;
  ended_ = !feed_->next(control, next) || next.begin >= next.end;
  if (!ended_) placed_.push_back({next, placed_.empty() ? frame_ : placed_.back().end()});
  return !ended_;
}

float SegmentPlayer::let_in(std::int64_t join) const {
  // d counts frames from the transition: ..., -1, 0 before it, 1, 2, ... after it (see the class's comment).
  const std::int64_t d = frame_ - join + 1;
  if (d <= -half_ || d > half_) return d > half_ ? 1 : 0;
  return smoothstep(static_cast<float>((static_cast<double>(d + half_) - 0.5) / (2.0 * static_cast<double>(half_))));
}

void SegmentPlayer::blend_in(const Segment& other, std::int64_t frame, float share, motion::StreamPose& pose) {
  const Vec3 root = read_frame(motion_->clips[other.clip], frame, other.world, room_);
  pose.root = lerp(pose.root, root, share);
  for (std::size_t j = 0; j < room_.size(); ++j) pose.rotations[j] = slerp(pose.rotations[j], room_[j], share);
}

void SegmentPlayer::tell_feet(const Segment& segment, std::int64_t frame, float weight) {
  const motion::Clip& clip = motion_->clips[segment.clip];
  const auto at =
      static_cast<std::size_t>(std::clamp<std::int64_t>(frame, 0, static_cast<std::int64_t>(clip.frames()) - 1));
  const Vec3 root = read_frame(clip, frame, segment.world, room_);
  const Vec3 before = read_frame(clip, frame - 1, segment.world, before_);
  feet_->tell({weight, motion_->contacts[segment.clip].planted[at], root, before, room_, before_});
}

bool SegmentPlayer::next(const motion::Control& control, motion::StreamPose& pose) {
  std::erase_if(placed_, [&](const Placed& p) { return p.end() + half_ <= frame_; });
  while (placed_.empty() || placed_.back().end() - half_ <= frame_) {
    if (!pull(control)) break;
  }
  const auto now = std::find_if(placed_.begin(), placed_.end(),
                                [&](const Placed& p) { return p.begin <= frame_ && frame_ < p.end(); });
  if (now == placed_.end()) return false;
  // The oldest first, each with its share of those so far.
  float sum = 0;
  for (std::size_t i = 0; i < placed_.size(); ++i) {
    const Placed& p = placed_[i];
    const float in = i == 0 ? 1 : let_in(p.begin), out = i + 1 == placed_.size() ? 0 : let_in(placed_[i + 1].begin);
    const float weight = in - out;
    if (!(weight > 0)) continue;
    const std::int64_t frame = p.segment.begin + (frame_ - p.begin);
    if (feet_) tell_feet(p.segment, frame, weight);
    sum += weight;
    if (sum == weight) {
      pose.root = read_frame(motion_->clips[p.segment.clip], frame, p.segment.world, pose.rotations);
    } else {
      blend_in(p.segment, frame, weight / sum, pose);
    }
  }
  const auto f = now->segment.begin + static_cast<std::uint32_t>(frame_ - now->begin);
  pose.planted = motion_->contacts[now->segment.clip].planted[f];
  pose.source = {now->segment.clip, f};
  if (feet_) feet_->hold(pose);
  place_ = finder_.find(pose.root, pose.rotations[0]);
  ++frame_;
  return true;
}

}  // namespace loom::play
