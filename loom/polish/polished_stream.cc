// SPDX-License-Identifier: MIT
#include <loom/polish/polished_stream.h>

namespace loom::polish {

Result<std::unique_ptr<PolishedStream>> PolishedStream::create(std::unique_ptr<motion::MotionStream> stream,
                                                               const FootPlanterOptions& options) {
  Result<FootPlanter> planter = FootPlanter::create(stream->skeleton(), stream->rate(), options);
  if (!planter) return fail_from(planter);
  return std::unique_ptr<PolishedStream>(new PolishedStream(std::move(stream), std::move(*planter)));
}

std::unique_ptr<motion::MotionStream> PolishedStream::clone() const {
  auto inner = stream_->clone();
  if (inner == nullptr) return nullptr;
  return std::unique_ptr<PolishedStream>(new PolishedStream(std::move(inner), planter_));
}

bool PolishedStream::next(const motion::Control& control, motion::StreamPose& pose) {
  if (!stream_->next(control, pose)) return false;
  pose.planted = planter_.plant(pose.planted, pose.root, pose.rotations);
  return true;
}

}  // namespace loom::polish
