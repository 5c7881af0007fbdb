// SPDX-License-Identifier: MIT
#include <algorithm>

#include <loom/live/live_stream.h>

namespace loom::live {

LiveStream::LiveStream(std::shared_ptr<const PoseFeed> feed, const character::HumanBody& body,
                       const LiveStreamOptions& options)
    : feed_(std::move(feed)),
      skeleton_(body.skeleton),
      options_(options),
      buffer_(options.delay),
      solver_(body, options.rate, options.body),
      finder_(*skeleton_) {}

bool LiveStream::next(const motion::Control&, motion::StreamPose& pose) {
  const std::uint64_t count = feed_->count();
  if (count > PoseFeed::kFrames) read_ = std::max(read_, count - PoseFeed::kFrames);
  PartFrame arrived;
  for (; read_ < count; ++read_) {
    if (feed_->read(read_, arrived)) buffer_.take(arrived);
  }
  // Before the first frame it stands as if nobody were sensed.
  buffer_.show(1 / options_.rate, frame_);
  pose.planted = solver_.solve(frame_, pose.root, pose.rotations);
  pose.source = {};
  place_ = finder_.find(pose.root, pose.rotations[0]);
  return true;
}

}  // namespace loom::live
