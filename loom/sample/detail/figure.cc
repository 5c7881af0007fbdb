// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/motion/kinematics.h>
#include <loom/sample/detail/figure.h>
#include <loom/sample/detail/limb.h>

namespace loom::sample {
namespace {

constexpr Vec3 kX{1, 0, 0}, kY{0, 1, 0}, kZ{0, 0, 1};
constexpr HingeLimb kLeg{{0, -1, 0}, {1, 0, 0}, kThigh, kShank};
constexpr std::array kArms = {HingeLimb{{1, 0, 0}, {0, -1, 0}, kUpperArm, kForeArm},
                              HingeLimb{{-1, 0, 0}, {0, 1, 0}, kUpperArm, kForeArm}};

/// A turn by yaw, then pitch, then roll in the body's own axes: left, forward, to the left.
Quat attitude(double yaw, double pitch, double roll) {
  return axis_angle(kY, static_cast<float>(yaw)) * axis_angle(kX, static_cast<float>(pitch)) *
         axis_angle(kZ, static_cast<float>(-roll));
}

/// The turns of the collar bone.
struct Collar {
  float shrug = 0;    ///< shoulder up
  float forward = 0;  ///< shoulder to the front
};

/// The collar bone follows an arm that points along `direction` (chest frame): up with a raised arm, forward with one
/// held out. About a third of lifting the arm is the shoulder's (Inman 1944); here less, the chest leans as well.
Collar follow_arm(Vec3 direction) {
  const float raised = std::acos(std::clamp(-direction.y, -1.0f, 1.0f));  // 0 hanging, pi overhead
  const auto share = static_cast<float>(ease((raised - 20 * kDegree) / (130 * kDegree)));
  return {22 * kDegree * share, 14 * kDegree * direction.z * std::min(1.0f, raised)};
}

Quat collar_rotation(Collar collar, Side side) {
  const float s = outward(side);
  return axis_angle(kY, -s * collar.forward) * axis_angle(kZ, s * collar.shrug);
}

/// Where an elbow points, naturally, when the hand lies along `direction` (chest frame) from the shoulder: behind a
/// hanging arm, below one held forward, in front of one held up; a little outward, and down and back for an arm held
/// out to the side.
Vec3 elbow_pole(Vec3 direction, Side side, float out) {
  const Vec3 outside = outward(side) * kX;
  const float sideways = std::fabs(dot(direction, kX));
  return cross(kX, direction) + (0.3f + out) * outside + sideways * sideways * Vec3{0, -0.6f, -0.5f};
}

float distance_to_segment(Vec3 p, Vec3 a, Vec3 b) {
  const Vec3 way = b - a;
  const float share = std::clamp(dot(p - a, way) / std::max(1e-9f, dot(way, way)), 0.0f, 1.0f);
  return distance(p, a + share * way);
}

/// The arm of one side on its way from posture to pose.
class Arm {
 public:
  Arm(const Posture& posture, Side side, Vec3 chest_position, Quat chest)
      : side_(side), limb_(kArms[side]), chest_position_(chest_position), chest_(chest) {
    const auto angle = [&](Channel left) { return static_cast<float>(posture[arm_channel(left, side)]); };
    const float s = outward(side);
    const Quat hang = axis_angle(kZ, -s * kPi / 2);
    upper_ = axis_angle(kX, -angle(Channel::kLeftArmFlex)) * axis_angle(kZ, s * angle(Channel::kLeftArmOut)) * hang *
             axis_angle(kX, angle(Channel::kLeftArmTwist));
    flexion_ = angle(Channel::kLeftElbow);
    forearm_twist_ = axis_angle(kX, angle(Channel::kLeftPronate));
    wrist_ = axis_angle(kZ, -s * angle(Channel::kLeftWrist));
    collar_ = follow_arm(rotate(upper_, limb_.bone));
  }

  /// Moves the hand towards a goal.
  void pull(const HandPull& goal) {
    if (goal.weight <= 0) return;
    const Vec3 hand = hand_position();
    const Vec3 line = normalized(hand - shoulder(collar_));
    const Vec3 pole = pole_of(limb_, upper_, line);
    const Vec3 wish = goal.in_chest ? goal.position : to_chest(goal.position);
    const Vec3 arc = goal.in_chest ? goal.arc : rotate(conjugate(chest_), goal.arc);
    const float w = goal.weight;
    const Vec3 target = lerp(hand, wish, w) + 4 * w * (1 - w) * arc;
    const Collar wanted = follow_arm(normalized(wish - shoulder({})));
    collar_ = {collar_.shrug + w * (wanted.shrug - collar_.shrug),
               collar_.forward + w * (wanted.forward - collar_.forward)};
    const Vec3 origin = shoulder(collar_);
    const Vec3 natural = normalized(elbow_pole(normalized(target - origin), side_, goal.elbow_out));
    const LimbPose pose = reach(limb_, origin, target, lerp(pole, natural, w), kStraightArm);
    upper_ = pose.upper;
    flexion_ = pose.flexion;
  }

  /// Holds a hanging arm off the thigh from `hip` to `knee` (world), as far as `free` of goals it is, 0 to 1.
  void clear_thigh(Vec3 hip, Vec3 knee, float free) {
    constexpr float kClear = 0.1f, kSoft = 0.012f;  // metres between the middles of hand and thigh, and to get there
    constexpr int kTimes = 3;
    const Vec3 a = to_chest(hip), b = to_chest(knee);
    for (int i = 0; i < kTimes && free > 0; ++i) {
      const Vec3 wrist = hand_position(), elbow = shoulder(collar_) + rotate(upper_, limb_.bone * limb_.upper);
      const Vec3 fingers = wrist + 0.6f * kHandLength * normalized(wrist - elbow);
      const float near = std::min(distance_to_segment(fingers, a, b), distance_to_segment(wrist, a, b));
      const float missing = kSoft * std::log1p(std::exp(std::min(30.0f, (kClear - near) / kSoft)));
      upper_ = axis_angle(kZ, outward(side_) * free * missing / (kArmLength + kHandLength)) * upper_;
    }
  }

  /// Writes the local rotations of the four joints from `shoulder` on.
  void write(std::span<Quat> rotations, std::size_t shoulder) const {
    const Quat collar = collar_rotation(collar_, side_);
    rotations[shoulder] = collar;
    rotations[shoulder + 1] = normalized(conjugate(collar) * upper_);
    rotations[shoulder + 2] = axis_angle(limb_.hinge, flexion_) * forearm_twist_;
    rotations[shoulder + 3] = wrist_;
  }

 private:
  [[nodiscard]] Vec3 to_chest(Vec3 world) const { return rotate(conjugate(chest_), world - chest_position_); }
  [[nodiscard]] Vec3 shoulder(Collar collar) const {
    const auto& joints = sample_skeleton()->joints();
    const std::size_t first = side_ == kLeft ? kLeftShoulder : kRightShoulder;
    return joints[first].offset + rotate(collar_rotation(collar, side_), joints[first + 1].offset);
  }
  [[nodiscard]] Vec3 hand_position() const {
    const Quat fore = upper_ * axis_angle(limb_.hinge, flexion_);
    return shoulder(collar_) + rotate(upper_, limb_.bone * limb_.upper) + rotate(fore, limb_.bone * limb_.lower);
  }

  Side side_;
  HingeLimb limb_;
  Vec3 chest_position_;
  Quat chest_;  ///< world
  Quat upper_;  ///< in the chest's frame
  float flexion_ = 0;
  Quat forearm_twist_, wrist_;
  Collar collar_;
};

/// The spine bends evenly; returns the chest's world orientation.
Quat bend_spine(const Posture& p, std::span<Quat> rotations) {
  constexpr std::array kShare = {0.3, 0.35, 0.35};
  Quat world = rotations[kHips];
  for (std::size_t i = 0; i < kShare.size(); ++i) {
    rotations[kSpine + i] = attitude(kShare[i] * p[Channel::kSpineTwist], kShare[i] * p[Channel::kSpineFlex],
                                     kShare[i] * p[Channel::kSpineSide]);
    world = world * rotations[kSpine + i];
  }
  return world;
}

/// The head keeps its gaze whatever the chest does, as far as the neck goes.
void hold_head(const Posture& p, double heading, Quat chest, std::span<Quat> rotations) {
  constexpr float kFree = 50 * kDegree, kMost = 75 * kDegree;  // a neck turns easily, then less and less
  const Quat wish = attitude(heading + p[Channel::kHeadYaw], p[Channel::kHeadPitch], p[Channel::kHeadRoll]);
  Vec3 turn = log_vector(normalized(conjugate(chest) * wish));
  const float angle = length(turn);
  if (angle > kFree) turn *= (kMost - (kMost - kFree) * std::exp((kFree - angle) / (kMost - kFree))) / angle;
  rotations[kNeck] = exp_vector(turn * 0.45f);
  rotations[kHead] = exp_vector(turn * 0.55f);
}

/// A foot carried close to the floor is held level enough for its toes to clear it.
Quat lift_toes(Quat foot, float ankle_height) {
  constexpr float kSoft = 0.08f, kClear = 0.015f;  // radians over which this sets in; metres
  const float pitch = std::asin(std::clamp(rotate(foot, kZ).y, -1.0f, 1.0f));
  const float drop = (kAnkleHeight - kToeTipHeight + kClear - ankle_height) / (kBallForward + kToeLength);
  const float least = std::asin(std::clamp(drop, -1.0f, 1.0f));
  const float missing = kSoft * std::log1p(std::exp(std::min(30.0f, (least - pitch) / kSoft)));
  return foot * axis_angle(kX, -missing);
}

/// Leg from the hips to the foot, knee forward between where the pelvis and the foot point.
void place_leg(const FigureTargets& targets, Side side, Vec3 hips, std::span<Quat> rotations) {
  const std::size_t first = side == kLeft ? kLeftUpLeg : kRightUpLeg;
  const FootPose& foot = targets.feet[side];
  const Vec3 hip = hips + rotate(rotations[kHips], sample_skeleton()->joints()[first].offset);
  const auto pelvis_yaw = static_cast<float>(targets.heading + targets.posture[Channel::kPelvisYaw]);
  const float yaw = pelvis_yaw + 0.5f * wrap_angle(static_cast<float>(foot.yaw) - pelvis_yaw) +
                    outward(side) * static_cast<float>(targets.posture[Channel::kKneesOut]);
  const Vec3 across = rotate(axis_angle(kY, yaw), kX);
  const LimbPose leg =
      reach(kLeg, hip, foot.ankle, cross(normalized(foot.ankle - hip), across), static_cast<float>(foot.straight));
  const Quat shank = leg.upper * axis_angle(kLeg.hinge, leg.flexion);
  rotations[first] = normalized(conjugate(rotations[kHips]) * leg.upper);
  rotations[first + 1] = axis_angle(kLeg.hinge, leg.flexion);
  const Quat hanging = lift_toes(shank * axis_angle(kX, static_cast<float>(foot.hang)), foot.ankle.y);
  const Quat turned = slerp(foot.rotation(), hanging, static_cast<float>(foot.free));
  rotations[first + 2] = normalized(conjugate(shank) * turned);
  rotations[first + 3] = axis_angle(kX, static_cast<float>(-foot.toe));
}

}  // namespace

Figure place_figure(const FigureTargets& targets, Vec3 hips) {
  const Posture& p = targets.posture;
  const motion::Skeleton& skeleton = *sample_skeleton();
  Figure figure;
  figure.pose.root = hips;
  figure.pose.rotations.resize(kJointCount);
  const std::span<Quat> rotations = figure.pose.rotations;
  rotations[kHips] =
      attitude(targets.heading + p[Channel::kPelvisYaw], p[Channel::kPelvisPitch], p[Channel::kPelvisRoll]);
  const Quat chest = bend_spine(p, rotations);
  hold_head(p, targets.heading, chest, rotations);
  for (const Side side : {kLeft, kRight}) place_leg(targets, side, hips, rotations);
  std::array<Quat, kJointCount> world;
  motion::forward_kinematics(skeleton, hips, rotations, figure.points, world);
  for (const Side side : {kLeft, kRight}) {
    Arm arm(p, side, figure.points[kSpine2], chest);
    float free = 1;
    for (const HandPull& goal : targets.hands) {
      if (goal.side == side) free *= 1 - goal.weight;
    }
    const std::size_t hip = side == kLeft ? kLeftUpLeg : kRightUpLeg;
    arm.clear_thigh(figure.points[hip], figure.points[hip + 1], free);
    for (const HandPull& goal : targets.hands) {
      if (goal.side == side) arm.pull(goal);
    }
    arm.write(rotations, side == kLeft ? kLeftShoulder : kRightShoulder);
  }
  motion::forward_kinematics(skeleton, hips, rotations, figure.points, world);
  return figure;
}

float missing_reach(const FigureTargets& targets, const Figure& figure) {
  float missing = 0;
  for (const Side side : {kLeft, kRight}) {
    const FootPose& foot = targets.feet[side];
    if (!foot.planted) continue;
    const Vec3 hip = figure.points[side == kLeft ? kLeftUpLeg : kRightUpLeg];
    const Vec3 way = foot.ankle - hip;
    const float far = static_cast<float>(foot.straight) * kLegLength;
    const float flat = way.x * way.x + way.z * way.z;
    const float highest = foot.ankle.y + std::sqrt(std::max(0.0f, far * far - flat));
    missing = std::max(missing, hip.y - highest);
  }
  return missing;
}

}  // namespace loom::sample
