// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <loom/character/human_body.h>
#include <loom/live/nearest_motion.h>
#include <loom/live/part_frame.h>
#include <loom/motion/body.h>

namespace loom::live {

struct BodySolverOptions {
  bool mirror = false;  ///< an arm that is not sensed does what the other does, mirrored (Huang 2012 §9.4)
  /// Where parts that are not sensed are taken from; none: they are guessed, see below.
  std::shared_ptr<const NearestMotion> motion;
};

/// Makes a whole body's pose of the parts that are known.
///
/// What is sensed is shown as it is. A trunk and a neck between two that are known share the turn out; above the last
/// one that is known all moves with it. Collarbones follow raised arms a little. An arm that nobody senses hangs, or
/// mirrors the other. Legs that nobody senses stand: the feet are held, and the hips give way a little to where the
/// trunk leans. Where legs are sensed but no place is told, the lower foot is held and the body moves over it. Where
/// there is a `NearestMotion`, what is not sensed is as there, in the moment that is most like what is.
///
/// The pose is one of a live body (see live_body.h). Allocates nothing once made.
class BodySolver {
 public:
  /// `body` from make_live_body; `rate` poses a second, positive.
  BodySolver(const character::HumanBody& body, double rate, BodySolverOptions options = {});

  /// Fills in root and rotations, one a joint; returns the FootBits of feet that stand.
  std::uint8_t solve(const PartFrame& frame, Vec3& root, std::span<Quat> rotations);
  /// Forgets where the feet stood.
  void reset();

 private:
  using Turns = std::array<Quat, character::kRoles>;

  void fill_trunk(const PartFrame& frame, Turns& turns) const;
  void fill_arms(const PartFrame& frame, Turns& turns) const;
  void fill_legs(const PartFrame& frame, Turns& turns) const;
  void take_nearest(const PartFrame& frame, Turns& turns);
  [[nodiscard]] static bool senses_legs(const PartFrame& frame);
  void write(const Turns& turns, std::span<Quat> rotations) const;
  std::uint8_t stand(Vec3& root, std::span<Quat> rotations) const;
  std::uint8_t walk(Vec3& root, std::span<const Quat> rotations);
  std::uint8_t follow(const PartFrame& frame, Vec3& root, std::span<const Quat> rotations);
  [[nodiscard]] float lowest_sole(Vec3 root, std::span<const Quat> rotations, int side) const;

  character::HumanBody body_;
  float seconds_;
  BodySolverOptions options_;
  std::array<motion::Limb, 2> legs_;
  std::array<Vec3, 2> stands_at_;  ///< where ankles are while it stands
  // Of motion so far.
  bool begun_ = false;
  int support_ = 0;               ///< the foot that is held: 0 left, 1 right
  Vec3 support_at_;               ///< where its ankle is
  float source_height_ = 0;       ///< of the hips of the source, where it never told
  std::array<Vec3, 2> ankles_{};  ///< one pose ago
  NearestMotion::Cursor cursor_;
  Turns completed_{};  ///< smoothed, of what is not sensed
  bool completes_ = false;
  // Room for kinematics.
  mutable std::vector<Vec3> points_;
  mutable std::vector<Quat> world_;
};

}  // namespace loom::live
