// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include <loom/motion/stream.h>
#include <loom/play/clip_join.h>
#include <loom/take/take_set.h>

namespace loom::play {

/// Plays clips from any frame to any other, joined by inertialisation: the hands of every controller of fragments,
/// features and policies, which only says when to jump and where to.
///
/// It reads one moment of one clip, placed in the world, at any speed of playing and any rate of poses. A jump keeps
/// the character where it stands and faces; what differs in the pose dies away. Feet are told to be planted where the
/// clip has them planted, also while a join still carries them there: whoever plants them (polish/foot_planter.h) sees
/// when they are down. Allocates nothing once made.
class Splice {
 public:
  /// `rate` poses a second, positive; `ease_seconds` as in Inertializer.
  Splice(std::shared_ptr<const take::TakeSet> motion, double rate, float ease_seconds);

  /// Starts at a frame, standing at `place`, with nothing to join to.
  void start(motion::SourceFrame at, const motion::GroundFrame& place);
  /// Goes over to another moment, a frame that need not be whole, at this instant; the character stays where it is.
  void jump(std::uint32_t clip, double frame);
  /// The same where it is known how the new clip lies: `world` carries its coordinates into the world's.
  void jump(std::uint32_t clip, double frame, const motion::GroundFrame& world);
  /// Carries the character, and the clip it plays, to `place`.
  void move_to(const motion::GroundFrame& place);
  /// Goes on by one pose, `speed` times as fast as recorded; stops at the clip's last frame.
  void advance(double speed = 1);
  /// The pose of this instant.
  void write(motion::StreamPose& pose) const;

  /// Where the character is: the track of what it plays, in the world.
  [[nodiscard]] motion::GroundFrame place() const { return world_ * track_at(clip_, frame_); }
  /// The track of a clip at a frame that need not be whole, in the clip's own coordinates.
  [[nodiscard]] motion::GroundFrame track_at(std::uint32_t clip, double frame) const {
    return take::track_at((*tracks_)[clip], frame);
  }
  [[nodiscard]] const motion::GroundFrame& world() const { return world_; }
  [[nodiscard]] std::uint32_t clip() const { return clip_; }
  /// The whole frame nearest to what is played.
  [[nodiscard]] std::uint32_t nearest_frame() const;
  /// Frames left to play in this clip.
  [[nodiscard]] double frames_left() const;
  /// Frames of the clips that pass from pose to pose at the recorded speed.
  [[nodiscard]] double frames_a_pose() const { return frames_a_pose_; }
  [[nodiscard]] const take::TakeSet& motion() const { return *motion_; }

 private:
  [[nodiscard]] ClipMoment now() const { return {motion_->clips[clip_], frame_, world_}; }

  std::shared_ptr<const take::TakeSet> motion_;
  const std::vector<take::Track>* tracks_;  ///< of `motion_`
  double frames_a_pose_;
  ClipJoin join_;
  motion::GroundFrame world_;
  std::uint32_t clip_ = 0;
  double frame_ = 0;
};

}  // namespace loom::play
