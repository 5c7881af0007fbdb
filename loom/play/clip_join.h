// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include <loom/motion/clip.h>
#include <loom/motion/ground_frame.h>
#include <loom/play/inertialize.h>
#include <loom/play/join_floor.h>
#include <loom/take/take_set.h>

namespace loom::play {

/// A moment of a clip, and where the clip lies in the world.
struct ClipMoment {
  const motion::Clip& clip;
  double frame = 0;                  ///< need not be whole, nor within the clip, to which it is clamped
  const motion::GroundFrame& world;  ///< carries the clip's own coordinates into the world's
};

/// How a player reads clips: at whole frames, exactly as recorded, or at any moment.
enum class Reading { kFrames, kMoments };

/// Goes over from one clip to another: reads both around the moment and keeps what the change would show as an offset
/// that dies away (see Inertializer), while feet keep out of the floor (see JoinFloor). The one join of all players.
/// Allocates nothing once made.
class ClipJoin {
 public:
  /// Joins the clips of `motion`. `seconds_a_pose` pass from pose to pose, and `frames_a_pose` frames of the clips,
  /// both positive; `ease_seconds` as in Inertializer.
  ClipJoin(const take::TakeSet& motion, Reading reading, float ease_seconds, double frames_a_pose,
           float seconds_a_pose);

  /// Forgets all offsets: the motion starts anew.
  void reset();
  /// Both at this instant: what would have been shown, and what is shown instead.
  void join(const ClipMoment& from, const ClipMoment& to);
  /// One pose later.
  void step();
  /// The pose of a moment, with what is left of the joins; returns the root's place.
  Vec3 read(const ClipMoment& at, std::span<Quat> rotations) const;

 private:
  /// Memory for a step of one motion.
  struct StepRoom {
    std::vector<Quat> before, now;
  };
  Vec3 read_plain(const ClipMoment& at, double frame, std::span<Quat> rotations) const;
  PoseStep read_step(const ClipMoment& at, StepRoom& room) const;

  Reading reading_;
  double frames_a_pose_;
  float seconds_a_pose_;
  Inertializer offsets_;
  JoinFloor floor_;
  float fade_seconds_;  ///< for which a join shows
  float fades_ = 0;     ///< seconds for which the last one still does
  StepRoom from_, to_;
};

}  // namespace loom::play
