// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/fight/hit_reaction.h>
#include <loom/motion/body.h>
#include <loom/polish/knee.h>

namespace loom::fight {
namespace {

constexpr float kEaseSeconds = 0.09f;  ///< of pushes and springs: the bend is greatest after twice as long
constexpr float kMostBlow = 9.0f;      ///< metres a second: harder blows bend no farther
// Peak bend of all joints together for a blow of one metre a second: a push v that dies away with the time constant T
// of its spring has it peak at 2 v T / e².
constexpr float kHeadBend = 0.065f, kSpineBend = 0.050f, kArmBend = 0.035f;  ///< radians
constexpr float kTurn = 0.9f;                         ///< of the bend, for each 10 cm off the middle
constexpr float kGivesWay = 0.009f, kSinks = 0.005f;  ///< metres the hips go with the blow and down
constexpr float kImpulse = 3.69453f / kEaseSeconds;
constexpr float kWhereMotionMoves = 0.4f;  ///< of all that, where recorded motion shows the reaction
constexpr float kNoDirection = 1e-5f;      ///< metres

}  // namespace

HitReaction::HitReaction(std::shared_ptr<const motion::Skeleton> of) : skeleton_(std::move(of)) {
  const motion::Skeleton& skeleton = *skeleton_;
  if (const auto feet = polish::find_feet(skeleton)) feet_ = *feet;
  const motion::Body body = motion::find_body(skeleton);
  const auto add = [&](std::vector<Knock>& knocks, int joint) {
    if (joint <= 0) return;
    const auto j = static_cast<std::size_t>(joint);
    knocks.push_back({j, static_cast<std::size_t>(skeleton.joint(j).parent), {}});
  };
  for (const int joint : body.spine) add(spine_, joint);
  add(head_, body.neck);
  add(head_, body.head);
  add(arms_, body.left_arm.upper);
  add(arms_, body.right_arm.upper);
}

void HitReaction::take(const Hit& hit, std::span<const Quat> world, bool moves) {
  const float speed = std::min(length(hit.blow), kMostBlow) * (moves ? kWhereMotionMoves : 1.0f);
  const Vec3 direction = normalized(hit.blow, {0, 0, 0}), flat{direction.x, 0, direction.z};
  // A blow tips what is above the hips over; one to the abdomen folds the body over the fist instead.
  Vec3 axis = cross({0, 1, 0}, flat);
  if (hit.part == BodyPoint::kAbdomen) axis = -axis;
  const Vec3 beside = hit.place - hit.centre;
  const Vec3 turn{0, std::clamp(10 * kTurn * cross(beside, flat).y, -kTurn, kTurn), 0};
  const auto knock = [&](std::vector<Knock>& knocks, Vec3 about, float bend) {
    for (Knock& k : knocks) {
      k.offset.push +=
          rotate(conjugate(world[k.parent]), about) * (bend * speed * kImpulse / static_cast<float>(knocks.size()));
    }
  };
  knock(spine_, axis + turn, kSpineBend);
  // What hangs from the trunk stays behind at first.
  for (Knock& k : arms_) {
    k.offset.push += rotate(conjugate(world[k.parent]), -axis) * (kArmBend * speed * kImpulse);
  }
  if (hit.part == BodyPoint::kHead) knock(head_, axis + turn, kHeadBend);
  root_.push += (flat * kGivesWay - Vec3{0, kSinks, 0}) * (speed * kImpulse);
}

void HitReaction::Swing::step(float seconds) {
  const Vec3 left = push * std::exp(-seconds / kEaseSeconds);
  spring.velocity += push - left;
  push = left;
  spring.step({}, seconds, kEaseSeconds);
}

void HitReaction::step(float seconds) {
  for (std::vector<Knock>* knocks : {&spine_, &head_, &arms_}) {
    for (Knock& k : *knocks) k.offset.step(seconds);
  }
  root_.step(seconds);
}

/// Moves the hips, and bends the legs so that the feet stay.
void HitReaction::sink(Vec3& root, std::span<Quat> rotations) const {
  if (length(root_.spring.value) < kNoDirection) return;
  root += root_.spring.value;
  if (!feet_) return;
  for (const polish::Foot& foot : *feet_) {
    const polish::FootPlace now = polish::place_of(*skeleton_, foot, root, rotations);
    const polish::FootPlace wanted{now.heel - root_.spring.value, now.toe - root_.spring.value};
    polish::place_foot(*skeleton_, foot, root, rotations, polish::knee_axis_in(*skeleton_, foot, now, root, rotations),
                       now, wanted);
  }
}

void HitReaction::apply(Vec3& root, std::span<Quat> rotations) const {
  sink(root, rotations);
  for (const std::vector<Knock>* knocks : {&spine_, &head_, &arms_}) {
    for (const Knock& k : *knocks)
      rotations[k.joint] = normalized(exp_vector(k.offset.spring.value) * rotations[k.joint]);
  }
}

}  // namespace loom::fight
