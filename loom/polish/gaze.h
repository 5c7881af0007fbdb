// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <loom/base/math.h>
#include <loom/base/result.h>
#include <loom/motion/skeleton.h>
#include <loom/motion/wrapped_stream.h>

namespace loom::polish {

/// How somebody looks.
struct GazeOptions {
  float widest = 1.2f;            ///< radians the head turns to either side of the chest
  float highest = 0.8f;           ///< radians up
  float lowest = 0.9f;            ///< radians down
  float behind = 2.0f;            ///< radians from the chest's front beyond which a target begins to be given up
  float given_up = 2.7f;          ///< and at which it is
  float eye_share = 0.25f;        ///< of a turn, where the body has eyes that turn
  float neck_share = 0.4f;        ///< of what is left, where it has a neck; the head does the rest
  float seconds = 0.3f;           ///< a small turn takes; and so many more for each radian:
  float seconds_a_radian = 0.3f;  ///< a turn by 90 degrees takes 0.77 s and is 220 degrees a second at its quickest
};

/// Turns head, neck and eyes of any motion to what is to be looked at (Huang 2012 §7.9).
///
/// What the motion's own head does stays where nothing is looked at. A new target, or none, is turned to along a bell
/// of velocity (minimum jerk, as in the work's fig. 7.14); a turn that begins while another is under way is added to
/// it, so that the head never starts or stops at once. Targets are in the world and may move. What is farther round
/// than a head turns is looked at as far as that goes, and given up behind the back.
class Gaze {
 public:
  /// Fails on a skeleton without a head.
  static Result<Gaze> create(const motion::Skeleton& skeleton, const GazeOptions& options = {});

  /// What to look at from now on, metres in the world; nothing: whatever the motion looks at. A target that moves is
  /// told `same`, and is followed; another is turned to.
  void look_at(std::optional<Vec3> target, bool same = false);
  /// Turns the head of the next pose, `seconds` after the last.
  void apply(float seconds, Vec3 root, std::span<Quat> rotations);

  /// Which way a head looks in a pose, in the world, and where from.
  struct Sight {
    Vec3 eyes, direction;
  };
  [[nodiscard]] Sight sight(Vec3 root, std::span<const Quat> rotations) const;

 private:
  /// Angles from the chest's front: to the left and up.
  struct Angles {
    float yaw = 0, pitch = 0;
  };
  /// A turn under way: what is still missing of it is `left` times what a bell leaves.
  struct Turn {
    Angles left;
    float elapsed = 0, seconds = 0;
  };
  /// The joints on the way to the head in a pose.
  struct Chain {
    Vec3 eyes;                           ///< where the head is
    Quat chest, above_neck, neck, head;  ///< in the world; `above_neck`: what the neck hangs from
  };
  Gaze() = default;
  [[nodiscard]] Chain chain_of(Vec3 root, std::span<const Quat> rotations) const;
  [[nodiscard]] Angles angles_of(Quat chest, Vec3 direction) const;
  [[nodiscard]] Quat frame_of(Angles angles) const;
  [[nodiscard]] Angles wanted(const Chain& chain, Angles own, const std::optional<Vec3>& target) const;
  void begin_turn(Angles missing);

  GazeOptions options_;
  std::vector<int> way_;                    ///< joints from the root to the head
  std::vector<Vec3> offset_;                ///< of each of them from the one before
  int chest_ = -1, neck_ = -1, head_ = -1;  ///< places in way_; the neck may be missing
  std::vector<int> eyes_;                   ///< joints
  float front_ = 0;                         ///< heading of the body at rest, radians
  std::optional<Vec3> target_, next_;
  bool changed_ = false;
  std::array<Turn, 4> turns_{};
};

/// Turns the head through a whole clip to one place, from its first frame on. Fails on a body without a head.
Result<void> look_at(motion::Clip& clip, Vec3 target, const GazeOptions& options = {});

/// Another stream that looks at things. It may be told at any time what at.
class GazeStream final : public motion::WrappedStream {
 public:
  /// Wraps `stream`. Fails when its skeleton has no head.
  static Result<std::unique_ptr<GazeStream>> create(std::unique_ptr<motion::MotionStream> stream,
                                                    const GazeOptions& options = {});

  void look_at(std::optional<Vec3> target, bool same = false) { gaze_.look_at(target, same); }

  bool next(const motion::Control& control, motion::StreamPose& pose) override;
  [[nodiscard]] std::unique_ptr<motion::MotionStream> clone() const override;

 private:
  GazeStream(std::unique_ptr<motion::MotionStream> stream, Gaze gaze)
      : WrappedStream(std::move(stream)), gaze_(std::move(gaze)) {}

  Gaze gaze_;
};

}  // namespace loom::polish
