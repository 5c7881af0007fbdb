// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <loom/motion/stream.h>

namespace loom::motion {

/// Another stream to which something is done pose by pose. What it is asked, it asks the one it wraps, but for what it
/// answers itself.
class WrappedStream : public MotionStream {
 public:
  [[nodiscard]] const std::shared_ptr<const Skeleton>& skeleton() const override { return stream_->skeleton(); }
  [[nodiscard]] double rate() const override { return stream_->rate(); }
  [[nodiscard]] std::vector<std::string> source_names() const override { return stream_->source_names(); }
  [[nodiscard]] Inputs inputs() const override { return stream_->inputs(); }
  [[nodiscard]] GroundFrame place() const override { return stream_->place(); }

 protected:
  explicit WrappedStream(std::unique_ptr<MotionStream> stream) : stream_(std::move(stream)) {}

  std::unique_ptr<MotionStream> stream_;
};

}  // namespace loom::motion
