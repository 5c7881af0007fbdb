// SPDX-License-Identifier: MIT
#include <algorithm>

#include <loom/control/hit_reaction.h>
#include <loom/motion/body.h>

namespace loom::control {
namespace {

constexpr float kEaseSeconds = 0.12f;  ///< of the springs: the bend is greatest after this long
constexpr float kMostBlow = 8.0f;      ///< metres a second: harder blows bend no farther
// Peak bend of all joints together for a blow of one metre a second: an impulse v of a spring peaks at v T / e.
constexpr float kHeadBend = 0.055f, kSpineBend = 0.035f;  ///< radians
constexpr float kImpulse = 2.71828f / kEaseSeconds;

}  // namespace

HitReaction::HitReaction(const motion::Skeleton& skeleton) {
  const motion::Body body = motion::find_body(skeleton);
  const auto add = [&](std::vector<Knock>& knocks, int joint) {
    if (joint <= 0) return;
    const auto j = static_cast<std::size_t>(joint);
    knocks.push_back({j, static_cast<std::size_t>(skeleton.joint(j).parent), {}});
  };
  for (const int joint : body.spine) add(spine_, joint);
  add(head_, body.neck);
  add(head_, body.head);
}

void HitReaction::take(BodyPoint part, Vec3 blow, std::span<const Quat> world) {
  const float speed = std::min(length(blow), kMostBlow);
  // A blow tips what is above the hips over; one to the abdomen folds the body over the fist instead.
  Vec3 axis = normalized(cross({0, 1, 0}, blow), {0, 0, 0});
  if (part == BodyPoint::kAbdomen) axis = -axis;
  const auto knock = [&](std::vector<Knock>& knocks, float bend) {
    for (Knock& k : knocks) {
      k.offset.velocity +=
          rotate(conjugate(world[k.parent]), axis) * (bend * speed * kImpulse / static_cast<float>(knocks.size()));
    }
  };
  knock(spine_, kSpineBend);
  if (part == BodyPoint::kHead) knock(head_, kHeadBend);
}

void HitReaction::step(float seconds) {
  for (std::vector<Knock>* knocks : {&spine_, &head_}) {
    for (Knock& k : *knocks) k.offset.step({}, seconds, kEaseSeconds);
  }
}

void HitReaction::apply(std::span<Quat> rotations) const {
  for (const std::vector<Knock>* knocks : {&spine_, &head_}) {
    for (const Knock& k : *knocks) rotations[k.joint] = normalized(exp_vector(k.offset.value) * rotations[k.joint]);
  }
}

}  // namespace loom::control
