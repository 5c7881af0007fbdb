// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <loom/live/body_solver.h>
#include <loom/live/jitter_buffer.h>
#include <loom/live/pose_feed.h>
#include <loom/motion/ground_frame.h>
#include <loom/motion/stream.h>

namespace loom::live {

struct LiveStreamOptions {
  double rate = 60;     ///< poses a second
  double delay = 0.06;  ///< seconds that are shown behind the newest frame: what jitter is taken up by
  BodySolverOptions body;
};

/// Motion as it is made: what a source sends, as a stream like any other. It can be carried to a character, layered
/// over the legs of another, handed over to and from; it never ends, and while the source is silent its last pose
/// stays.
///
/// Shown is what the source was like `delay` ago, by its own clock, whenever `next` is asked `rate` times a second. It
/// neither allocates, locks nor waits.
class LiveStream final : public motion::MotionStream {
 public:
  LiveStream(std::shared_ptr<const PoseFeed> feed, const character::HumanBody& body, const LiveStreamOptions& options);

  [[nodiscard]] const std::shared_ptr<const motion::Skeleton>& skeleton() const override { return skeleton_; }
  [[nodiscard]] double rate() const override { return options_.rate; }
  [[nodiscard]] std::vector<std::string> source_names() const override { return {}; }
  [[nodiscard]] motion::GroundFrame place() const override { return place_; }
  bool next(const motion::Control& control, motion::StreamPose& pose) override;
  [[nodiscard]] std::unique_ptr<motion::MotionStream> clone() const override {
    return std::make_unique<LiveStream>(*this);
  }

  [[nodiscard]] const JitterBuffer& buffer() const { return buffer_; }
  void set_delay(double seconds) { buffer_.set_delay(seconds); }
  /// Forgets where it stood.
  void reset() { solver_.reset(); }

 private:
  std::shared_ptr<const PoseFeed> feed_;
  std::shared_ptr<const motion::Skeleton> skeleton_;
  LiveStreamOptions options_;
  JitterBuffer buffer_;
  BodySolver solver_;
  motion::GroundFrameFinder finder_;
  motion::GroundFrame place_;
  std::uint64_t read_ = 0;  ///< frames of the feed
  PartFrame frame_;
};

}  // namespace loom::live
