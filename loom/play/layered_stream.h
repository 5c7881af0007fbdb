// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <loom/base/result.h>
#include <loom/motion/ground_frame.h>
#include <loom/motion/stream.h>

namespace loom::play {

/// Two streams as one character: the legs and the way over the floor of one, the upper body of the other. Where the
/// chest points is the upper body's matter: it is turned against the facing of the body as in its own motion, however
/// the hips below it turn and lean.
///
/// How much of the upper body is the other's can be changed while it plays (`set_share`): none of it leaves the first
/// stream as it is.
///
/// The control is given to both; what it counts as behaviors and flags are those of the legs. Whoever made the streams
/// may keep pointers to them (a machine player to be wished of, say). It is over when one of them is. Allocates nothing
/// while it plays.
class LayeredStream final : public motion::MotionStream {
 public:
  /// `from` is the joint from which on the upper body counts, by name: a child of the root, and all below it. Fails on
  /// streams of different bodies or rates, and on a joint that is not there or is the root.
  static Result<std::unique_ptr<LayeredStream>> create(std::unique_ptr<motion::MotionStream> legs,
                                                       std::unique_ptr<motion::MotionStream> upper,
                                                       const std::string& from);

  [[nodiscard]] const std::shared_ptr<const motion::Skeleton>& skeleton() const override { return legs_->skeleton(); }
  [[nodiscard]] double rate() const override { return legs_->rate(); }
  [[nodiscard]] std::vector<std::string> source_names() const override { return legs_->source_names(); }
  [[nodiscard]] motion::Inputs inputs() const override { return legs_->inputs(); }
  [[nodiscard]] motion::GroundFrame place() const override { return legs_->place(); }
  bool next(const motion::Control& control, motion::StreamPose& pose) override;
  [[nodiscard]] std::unique_ptr<motion::MotionStream> clone() const override;

  [[nodiscard]] motion::MotionStream& legs() { return *legs_; }
  [[nodiscard]] motion::MotionStream& upper() { return *upper_; }
  /// 1, as at first: the upper body is the second stream's; 0: the first has all of it; between, each joint lies
  /// between the two.
  void set_share(float share) { share_ = share; }

 private:
  LayeredStream(std::unique_ptr<motion::MotionStream> legs, std::unique_ptr<motion::MotionStream> upper,
                std::size_t from);

  std::unique_ptr<motion::MotionStream> legs_, upper_;
  motion::GroundFrameFinder finder_;
  std::size_t from_;
  float share_ = 1;
  std::vector<std::size_t> joints_;  ///< of the upper body, `from_` itself not among them
  std::vector<std::size_t> chain_;   ///< from the root's child down to the parent of `from_`: what lies between
  std::vector<Quat> room_;           ///< the pose of the upper stream
};

}  // namespace loom::play
