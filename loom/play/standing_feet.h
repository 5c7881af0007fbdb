// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include <loom/base/math.h>
#include <loom/motion/skeleton.h>
#include <loom/motion/stream.h>
#include <loom/polish/foot.h>
#include <loom/polish/spring.h>

namespace loom::play {

/// Keeps feet that stand from being drawn over the floor by a blend of several motions.
///
/// Two motions that stand on both feet have them a few centimetres apart, however they are laid on each other, and a
/// blend from the one to the other draws at least one foot from here to there. Here a foot that stands goes as it goes
/// in the motions that are blended, by the mean of its steps in them, and not by what lies between its places: where
/// it stands still in all of them it stands still (what Zhao 2009 §4.1.1 asks of interpolated motions, asked of
/// transitions). What it is apart from the blend then is kept while it stands, and dies away while it swings.
class StandingFeet {
 public:
  /// For poses on `skeleton`, `rate` of them a second. Nothing on a body without feet.
  static std::optional<StandingFeet> create(std::shared_ptr<const motion::Skeleton> skeleton, double rate);

  /// One of the motions that are blended: how much it weighs, what it has planted (FootBits), and its pose in this
  /// frame and in the one before.
  struct Blended {
    float weight = 0;
    std::uint8_t planted = 0;
    Vec3 root, root_before;
    std::span<const Quat> rotations, rotations_before;
  };

  /// Tells of one of the motions that the next pose is blended of; all of them, one after the other, before `hold`.
  void tell(const Blended& motion);
  /// Puts the feet of the blended pose where they belong, by what it has planted. Allocates nothing.
  void hold(motion::StreamPose& pose);

 private:
  /// A foot: where it was put in the last frame, what it is apart from the blend, and the steps of what is blended.
  struct Kept {
    polish::Foot foot;
    polish::FootPlace last;    ///< in the blend itself
    polish::Spring heel, toe;  ///< apart from it, along the floor, metres
    Vec3 heel_step, toe_step;  ///< of motions that stand, times their weights
    float standing = 0;        ///< the weights of those
    bool down = false;         ///< in the last frame
    Vec3 bend;                 ///< of the knee, of late
  };

  StandingFeet(std::shared_ptr<const motion::Skeleton> skeleton, const std::array<polish::Foot, 2>& feet, double rate);
  void move(Kept& kept, const polish::FootPlace& now, std::uint8_t planted) const;
  void put(Kept& kept, const polish::FootPlace& now, motion::StreamPose& pose) const;

  std::shared_ptr<const motion::Skeleton> skeleton_;
  float seconds_ = 0;  ///< from pose to pose
  std::array<Kept, 2> feet_;
};

}  // namespace loom::play
