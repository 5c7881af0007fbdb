// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/base/whole.h>
#include <loom/graph/player.h>

namespace loom::graph {

bool SegmentList::next(const motion::Control& /*control*/, Segment& segment) {
  if (at_ == segments_.size()) return false;
  segment = segments_[at_++];
  return true;
}

SegmentPlayer::SegmentPlayer(std::shared_ptr<const MotionGraph> graph, std::shared_ptr<const GraphMotion> motion,
                             std::unique_ptr<SegmentFeed> feed, double blend_seconds)
    : graph_(std::move(graph)),
      motion_(std::move(motion)),
      feed_(std::move(feed)),
      half_(to_whole<std::uint32_t>(std::round(std::max(0.0, blend_seconds) * graph_->rate / 2))) {}

std::vector<std::string> SegmentPlayer::source_names() const {
  std::vector<std::string> names;
  for (const GraphClip& clip : graph_->clips) names.push_back(clip.title());
  return names;
}

std::uint32_t SegmentPlayer::half_window(const Segment& before, const Segment& after) const {
  return std::min({half_, (before.end - before.begin) / 2, (after.end - after.begin) / 2});
}

void SegmentPlayer::pull(const motion::Control& control) {
  if (has_after_ || ended_) return;
  has_after_ = feed_->next(control, after_) && after_.begin < after_.end;
  ended_ = !has_after_;
}

void SegmentPlayer::read(const Segment& segment, std::int64_t frame, motion::StreamPose& pose) const {
  const motion::Clip& clip = motion_->clips[segment.clip];
  const auto f =
      static_cast<std::size_t>(std::clamp<std::int64_t>(frame, 0, static_cast<std::int64_t>(clip.frames()) - 1));
  const auto rotations = clip.pose(f);
  std::copy(rotations.begin(), rotations.end(), pose.rotations.begin());
  pose.rotations[0] = normalized(segment.world.rotation() * rotations[0]);
  pose.root = transform(segment.world, clip.roots[f]);
  pose.planted = motion_->contacts[segment.clip].planted[f];
  pose.source = {segment.clip, static_cast<std::uint32_t>(f)};
}

void SegmentPlayer::blend_in(const Segment& other, std::int64_t frame, float share, motion::StreamPose& pose) const {
  const motion::Clip& clip = motion_->clips[other.clip];
  const auto f =
      static_cast<std::size_t>(std::clamp<std::int64_t>(frame, 0, static_cast<std::int64_t>(clip.frames()) - 1));
  const auto rotations = clip.pose(f);
  pose.root = lerp(pose.root, transform(other.world, clip.roots[f]), share);
  pose.rotations[0] = slerp(pose.rotations[0], normalized(other.world.rotation() * rotations[0]), share);
  for (std::size_t j = 1; j < rotations.size(); ++j) pose.rotations[j] = slerp(pose.rotations[j], rotations[j], share);
}

bool SegmentPlayer::next(const motion::Control& control, motion::StreamPose& pose) {
  if (!has_now_) {
    pull(control);
    if (!has_after_) return false;
    now_ = after_;
    has_now_ = true;
    has_after_ = false;
    frame_ = now_.begin;
  }
  if (frame_ == now_.end) {
    pull(control);
    if (!has_after_) return false;
    before_ = now_;
    has_before_ = true;
    now_ = after_;
    has_after_ = false;
    frame_ = now_.begin;
  }
  const std::uint32_t to_end = now_.end - 1 - frame_;
  if (to_end < half_) pull(control);
  read(now_, frame_, pose);

  // d counts frames from the transition: ..., -1, 0 before it, 1, 2, ... after it (see the class's comment).
  const auto weight = [](double d, std::uint32_t half) {
    return smoothstep(static_cast<float>((d + half - 0.5) / (2.0 * half)));
  };
  if (has_after_) {
    const std::uint32_t half = half_window(now_, after_);
    if (to_end < half) {
      const std::int64_t d = -static_cast<std::int64_t>(to_end);
      blend_in(after_, static_cast<std::int64_t>(after_.begin) - 1 + d, weight(static_cast<double>(d), half), pose);
    }
  }
  if (has_before_) {
    const std::uint32_t half = half_window(before_, now_);
    const std::int64_t d = static_cast<std::int64_t>(frame_) - now_.begin + 1;
    if (d <= static_cast<std::int64_t>(half)) {
      blend_in(before_, static_cast<std::int64_t>(before_.end) - 1 + d, 1 - weight(static_cast<double>(d), half), pose);
    }
  }
  ++frame_;
  return true;
}

}  // namespace loom::graph
