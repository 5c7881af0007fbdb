// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <loom/base/result.h>
#include <loom/motion/stream.h>
#include <loom/play/hand_over.h>
#include <loom/play/layered_stream.h>

namespace loom::play {

/// What of a character a performer moves.
enum class PerformedPart {
  kUpper,  ///< the upper body; legs and the way over the floor stay those of what drives it
  kBody,   ///< all of it
};

/// A character that something drives (motion matching, a policy, a recording) and that somebody performs on while they
/// do: as long as nobody performs it is the driven motion, untouched. Going over to the performer and back never jumps:
/// upper bodies are mixed for a quarter of a second, whole ones are handed over as HandOverStream does, so that the
/// performer begins where the character stands.
///
/// Whether somebody performs is said from outside (`perform`), before the pose that is to show it. Both streams are
/// asked for poses all the time where the upper body is performed, that which is not shown stands still where the whole
/// is. It is over when the stream that is shown is. Allocates nothing while it plays, but in `perform`.
class PerformedStream final : public motion::MotionStream {
 public:
  /// `from`: of the upper body, the joint it begins with, as of LayeredStream. Fails on streams of different bodies or
  /// rates, and on a joint that is not there.
  static Result<std::unique_ptr<PerformedStream>> create(std::unique_ptr<motion::MotionStream> driven,
                                                         std::unique_ptr<motion::MotionStream> performer,
                                                         PerformedPart part, const std::string& from);

  /// From the next pose on somebody performs, or nobody. Saying the same again does nothing.
  void perform(bool on, const motion::Control& control = {});
  [[nodiscard]] bool performs() const { return performs_; }
  /// How often somebody began.
  [[nodiscard]] std::size_t performances() const { return performances_; }

  [[nodiscard]] const std::shared_ptr<const motion::Skeleton>& skeleton() const override { return shown().skeleton(); }
  [[nodiscard]] double rate() const override { return shown().rate(); }
  [[nodiscard]] std::vector<std::string> source_names() const override { return shown().source_names(); }
  [[nodiscard]] motion::Inputs inputs() const override { return shown().inputs(); }
  [[nodiscard]] motion::GroundFrame place() const override { return shown().place(); }
  bool next(const motion::Control& control, motion::StreamPose& pose) override;
  [[nodiscard]] std::unique_ptr<motion::MotionStream> clone() const override;

  static constexpr float kEaseSeconds = 0.25f;  ///< of going over and back: poses may be far apart

 private:
  PerformedStream() = default;
  [[nodiscard]] const motion::MotionStream& shown() const;
  [[nodiscard]] motion::MotionStream& shown();

  std::unique_ptr<LayeredStream> layered_;         ///< of kUpper
  std::unique_ptr<HandOverStream> whole_;          ///< of kBody
  std::unique_ptr<motion::MotionStream> waiting_;  ///< of kBody: the one of the two that is not shown
  bool performs_ = false;
  float share_ = 0;  ///< of kUpper, before it is eased
  std::size_t performances_ = 0;
};

}  // namespace loom::play
