// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <loom/character/transfer.h>
#include <loom/motion/stream.h>

namespace loom::character {

/// Another stream on another body: whatever produces motion plays on any character, pose by pose (see Transfer),
/// without delay. What is recorded is carried more smoothly as a whole (`transfer_clip`).
///
/// Controls are heard in the world of the character: a wanted velocity is scaled to the body that the wrapped stream
/// moves, and where it stands is scaled back. Contacts and sources are those of the wrapped stream. Its motion must
/// stand on the floor that the transfer was made for.
class TransferredStream final : public motion::MotionStream {
 public:
  /// Wraps `stream`, whose skeleton must be that of `transfer.from()`. Fails where it is another.
  static Result<std::unique_ptr<TransferredStream>> create(std::unique_ptr<motion::MotionStream> stream,
                                                           Transfer transfer);

  [[nodiscard]] const std::shared_ptr<const motion::Skeleton>& skeleton() const override {
    return transfer_.to().skeleton;
  }
  [[nodiscard]] double rate() const override { return stream_->rate(); }
  [[nodiscard]] std::vector<std::string> source_names() const override { return stream_->source_names(); }
  [[nodiscard]] motion::Inputs inputs() const override { return stream_->inputs(); }
  [[nodiscard]] motion::GroundFrame place() const override;
  bool next(const motion::Control& control, motion::StreamPose& pose) override;
  [[nodiscard]] std::unique_ptr<motion::MotionStream> clone() const override;

 private:
  TransferredStream(std::unique_ptr<motion::MotionStream> stream, Transfer transfer)
      : stream_(std::move(stream)), transfer_(std::move(transfer)), rotations_(transfer_.from().skeleton->size()) {}

  std::unique_ptr<motion::MotionStream> stream_;
  Transfer transfer_;
  std::vector<Quat> rotations_;  ///< of the wrapped stream's pose
};

}  // namespace loom::character
