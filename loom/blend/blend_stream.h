// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <loom/base/result.h>
#include <loom/blend/blend_space.h>
#include <loom/motion/ground_frame.h>
#include <loom/motion/stream.h>

namespace loom::blend {

/// How a blend is played.
enum class BlendPlay {
  kOnce,   ///< from beginning to end; time is stretched by less than a pose so that every stroke is shown exactly
  kAgain,  ///< from beginning to end, a pause, and again from where it began
  kCycle,  ///< without end, as locomotion: the end leads into the next beginning, wherever it has come to
  kHold,   ///< it stays at its first stroke (its middle, where it has none), and only the weights move it
};

/// Plays a blend, pose by pose, whose weights may change while it plays: the one player of blends, for motions made to
/// order, for parameters that lead a family along, and for the studio.
///
/// New weights take over at the same moment of the motion, in the same place. A cycle goes on from the phase it has
/// reached by the blended relative root motion; by what its end differs from its beginning it starts anew, and that
/// dies away within a quarter of a second. Feet are not held: see polish::PolishedStream. Of a Control nothing is
/// heard. Nothing is allocated while it plays.
class BlendStream final : public motion::MotionStream {
 public:
  /// `weights`, one a clip. `rate` poses a second; the clips' own where none is given. Fails on unusable weights.
  static Result<std::unique_ptr<BlendStream>> create(std::shared_ptr<const BlendSpace> space,
                                                     std::span<const float> weights, BlendPlay play,
                                                     std::optional<double> rate = std::nullopt);

  [[nodiscard]] const std::shared_ptr<const motion::Skeleton>& skeleton() const override {
    return blender_.space().skeleton();
  }
  [[nodiscard]] double rate() const override { return rate_; }
  [[nodiscard]] std::vector<std::string> source_names() const override;
  /// Of the pose shown last; the origin, where all blends begin, before the first.
  [[nodiscard]] motion::GroundFrame place() const override { return place_; }
  bool next(const motion::Control& control, motion::StreamPose& pose) override;
  [[nodiscard]] std::unique_ptr<motion::MotionStream> clone() const override {
    return std::unique_ptr<BlendStream>(new BlendStream(*this));
  }

  /// Other weights from the next pose on, as Blender::set_weights takes them. Not for what is played once.
  void set_weights(std::span<const float> weights);
  /// Holds a motion, at its stroke as kHold does, a cycle where it is; or lets it go on from there. Not for what is
  /// played once.
  void hold(bool held) { held_ = held; }
  /// The normalised time of the pose shown last.
  [[nodiscard]] double phase() const { return phase_; }
  /// Of what is played once: the poses that show the strokes, counted from 0.
  [[nodiscard]] const std::vector<std::size_t>& stroke_frames() const { return stroke_frames_; }
  [[nodiscard]] const Blender& blender() const { return blender_; }

 private:
  BlendStream(std::shared_ptr<const BlendSpace> space, BlendPlay play, std::optional<double> rate);
  void lay_out_frames();
  void go_on();
  void begin_anew();
  void show(double u, motion::StreamPose& pose);
  void join(motion::StreamPose& pose);
  motion::GroundFrame ground_at(double u);
  float fronted(double u, std::span<Quat> rotations);

  Blender blender_;
  BlendPlay play_;
  double rate_;
  motion::GroundFrameFinder finder_;
  std::vector<double> seconds_;             ///< of what is played once: the moment each pose shows
  std::vector<std::size_t> stroke_frames_;  ///< and which of them are strokes
  std::size_t poses_ = 0;                   ///< shown so far
  bool held_ = false;
  double stroke_ = 0.5;        ///< where it is held, normalised
  double phase_ = 0;           ///< normalised
  double late_ = 0;            ///< kAgain: seconds since the end, in the pause
  motion::GroundFrame place_;  ///< of the pose shown last
  motion::GroundFrame stands_,
      world_;                       ///< kCycle: where the body would be without a join; what carries the blend there
  std::vector<Quat> room_, begin_;  ///< for poses that are not shown
  std::vector<Vec3> turned_;        ///< radians, one a joint: by what the last end differed from the beginning
  float higher_ = 0;                ///< metres, the same of the root
  double since_join_ = 0;           ///< poses; as many as a join takes: there is none
};

}  // namespace loom::blend
