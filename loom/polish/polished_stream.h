// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <loom/motion/stream.h>
#include <loom/polish/foot_planter.h>

namespace loom::polish {

/// Another stream with its feet held where they are planted, pose by pose (see FootPlanter). The contacts it tells are
/// those of the feet that are held.
class PolishedStream final : public motion::MotionStream {
 public:
  /// Wraps `stream`. Fails when its skeleton has no recognisable feet.
  static Result<std::unique_ptr<PolishedStream>> create(std::unique_ptr<motion::MotionStream> stream,
                                                        const FootPlanterOptions& options = {});

  [[nodiscard]] const std::shared_ptr<const motion::Skeleton>& skeleton() const override { return stream_->skeleton(); }
  [[nodiscard]] double rate() const override { return stream_->rate(); }
  [[nodiscard]] std::vector<std::string> source_names() const override { return stream_->source_names(); }
  bool next(const motion::Control& control, motion::StreamPose& pose) override;
  [[nodiscard]] std::unique_ptr<motion::MotionStream> clone() const override;

 private:
  PolishedStream(std::unique_ptr<motion::MotionStream> stream, FootPlanter planter)
      : stream_(std::move(stream)), planter_(std::move(planter)) {}

  std::unique_ptr<motion::MotionStream> stream_;
  FootPlanter planter_;
};

}  // namespace loom::polish
