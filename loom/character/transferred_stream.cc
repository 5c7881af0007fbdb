// SPDX-License-Identifier: MIT
#include <utility>

#include <loom/character/transferred_stream.h>

namespace loom::character {

Result<std::unique_ptr<TransferredStream>> TransferredStream::create(std::unique_ptr<motion::MotionStream> stream,
                                                                     Transfer transfer) {
  const motion::Skeleton &moved = *stream->skeleton(), &from = *transfer.from().skeleton;
  if (&moved != &from && !(moved == from)) return fail("the stream moves another body than the transfer was made for");
  return std::unique_ptr<TransferredStream>(new TransferredStream(std::move(stream), std::move(transfer)));
}

motion::GroundFrame TransferredStream::place() const {
  motion::GroundFrame place = stream_->place();
  place.x *= transfer_.scale();
  place.z *= transfer_.scale();
  return place;
}

bool TransferredStream::next(const motion::Control& control, motion::StreamPose& pose) {
  motion::Control heard = control;
  heard.velocity = control.velocity / transfer_.scale();
  motion::StreamPose own{{}, rotations_, 0, {}};
  if (!stream_->next(heard, own)) return false;
  transfer_.apply(own.root, own.rotations, pose.root, pose.rotations);
  pose.planted = own.planted;
  pose.source = own.source;
  return true;
}

std::unique_ptr<motion::MotionStream> TransferredStream::clone() const {
  return std::unique_ptr<TransferredStream>(new TransferredStream(stream_->clone(), transfer_));
}

}  // namespace loom::character
