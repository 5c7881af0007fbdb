// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include <loom/base/math.h>
#include <loom/base/result.h>
#include <loom/motion/contacts.h>
#include <loom/motion/skeleton.h>
#include <loom/motion/soles.h>
#include <loom/polish/foot.h>
#include <loom/polish/spring.h>

namespace loom::polish {

struct FootPlanterOptions {
  float release_seconds = 0.08f;  ///< time constant with which a foot that was let go returns to its own way
  float root_seconds = 0.05f;     ///< the same for the root
  float max_wander = 0.15f;       ///< metres; a foot held back further than this steps
  /// Height in the world of each part of the feet while it stands, metres; learned from the motion where not given.
  std::optional<std::array<float, motion::kFootParts>> standing;
};

/// Holds planted feet in place while motion is being made, pose by pose.
///
/// The run-time sibling of `plant_feet`: it cannot look ahead, so a foot is held where it first touches the floor, and
/// when it lifts the correction dies away smoothly. Motion made of pieces may take the floor from under a body: where
/// one piece stands on the left foot and the next on the right, which is still in the air, the foot that stands is held
/// until the other has come down; where the next flies, until its sole leaves the floor. A foot that is held too far
/// from where the motion has it, or turned too far from it, makes a step of its own, off the floor. Adds no delay and
/// allocates nothing once made. Where the whole motion is known, `plant_feet` does better.
class FootPlanter {
 public:
  /// For poses on `skeleton`, `rate` of them a second (positive). Fails when it has no recognisable feet.
  static Result<FootPlanter> create(std::shared_ptr<const motion::Skeleton> skeleton, double rate,
                                    const FootPlanterOptions& options = {});

  /// Corrects the next pose in place. `planted` are the FootBits of this instant in the motion; none means that it
  /// flies, or is about to. Returns those of what is held.
  std::uint8_t plant(std::uint8_t planted, Vec3& root, std::span<Quat> rotations);

  /// Forgets the motion so far: the next pose starts a new one.
  void reset();

 private:
  /// One point of a foot.
  struct PointState {
    Spring offset;         ///< from where the motion has the point to where it is put, metres
    Vec3 held_at;          ///< while held
    Vec3 run_out;          ///< what is left of the speed with which a point landed that was too fast to stop at once
    Vec3 last;             ///< where the point was put in the last pose
    Vec3 own_last;         ///< where the motion itself had it then
    Vec3 own_step;         ///< and how it came there
    float lively = 0;      ///< the largest change of step in the motion itself lately, metres
    Spring offset_before;  ///< one pose ago
    Vec3 step_from;        ///< the offset from which it steps to where the motion has it
    Vec3 step_speed;       ///< and the speed of the offset then, metres a second
    bool held = false;
    float standing = 0;  ///< height while it stands, metres
    bool has_stood = false;
  };
  struct LegState {
    Foot foot;
    PointState heel, toe;
    Spring lift;             ///< along Y: how far the foot is lifted off the floor, metres
    float height = 0;        ///< of its sole before it was lifted, metres, one pose ago
    float step = 1;          ///< how much of a step of its own it has made, of 1
    float standing_for = 0;  ///< seconds for which it was held
    bool raised = false;     ///< it stands on its toe, since the leg does not reach the heel

    [[nodiscard]] bool held() const { return heel.held || toe.held; }
    [[nodiscard]] bool stepping() const { return step < 1; }
    Vec3 bend;  ///< of the knee, averaged over the last moments
  };
  /// One leg of the pose at hand.
  struct LegPose {
    FootPlace now, wanted;
    float along = 0;  ///< metres a second over the floor that it is moved at, of its slower end
    float sole = 0;   ///< height of the lowest point of the foot, metres
    Vec3 hip, knee, ankle;
    Quat thigh;
  };

  FootPlanter(std::shared_ptr<const motion::Skeleton> skeleton, const std::array<Foot, 2>& feet, double rate,
              const FootPlanterOptions& options);
  [[nodiscard]] float lowest_sole(const Foot& foot, Vec3 root, std::span<const Quat> rotations, const FootPlace& now,
                                  const FootPlace& wanted) const;
  [[nodiscard]] LegPose look_at(const Foot& foot, Vec3 root, std::span<const Quat> rotations) const;
  void watch_point(PointState& point, Vec3 now) const;
  [[nodiscard]] std::uint8_t held_bits(float fastest = 1e9f) const;
  [[nodiscard]] bool carried_off(const LegState& leg, const LegPose& pose, bool flies) const;
  [[nodiscard]] std::uint8_t keep_support(std::uint8_t planted, const std::array<LegPose, 2>& poses) const;
  void follow_end(PointState& point, const PointState& held) const;
  void move_point(LegState& leg, PointState& point, Vec3 now, bool planted, const PointState& other) const;
  void put_point(PointState& point, Vec3 now, Vec3 wanted, bool may_hold, bool both_held) const;
  void plan_foot(std::size_t side, std::array<LegPose, 2>& poses, std::uint8_t planted);
  void keep_from_spinning(const LegState& leg, LegPose& pose, float heel_share) const;
  void keep_apart(std::size_t side, std::array<LegPose, 2>& poses) const;
  [[nodiscard]] static float twist(const LegState& leg, const LegPose& pose);
  [[nodiscard]] bool has_to_step(const LegState& leg, const LegPose& pose, const LegState& other) const;
  [[nodiscard]] bool is_down(const LegState& leg, const LegPose& pose) const;
  static void begin_step(LegState& leg);
  void lift_foot(LegState& leg, LegPose& pose, Vec3 root, std::span<const Quat> rotations) const;
  void roll_over_toe(LegState& leg, LegPose& pose, const FootPlace& now) const;
  Vec3 knee_axis_of(LegState& leg, const LegPose& pose) const;

  std::shared_ptr<const motion::Skeleton> skeleton_;
  motion::Soles soles_;
  FootPlanterOptions options_;
  float seconds_ = 0;  ///< from pose to pose
  std::array<LegState, 2> legs_;
  Vec3 root_goal_;  ///< where the root is wanted to be moved to, as far as it is heeded
  Spring root_;     ///< how far the root is moved
  int poses_ = 0;   ///< seen so far, up to two: from then on steps and their changes are known
};

}  // namespace loom::polish
