// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/character/detail/upright.h>

namespace loom::character {
namespace {

// What humans and figures drawn like them stay within. Real bodies: arms 0.7 of the legs, torso 0.6, feet 0.2; drawn
// ones reach twice that and half of it. The animals at hand miss by far in posture, less in proportion.
constexpr float kUpright = 0.7f;  ///< cosine between the torso and the legs turned round; 1 stands, 0 is on all fours
constexpr float kUprightOdd = 0.9f;                      ///< the same for who has a tail, or arms and legs on one joint
constexpr float kShortArm = 0.3f, kLongArm = 1.7f;       ///< of the legs
constexpr float kShortTorso = 0.15f, kLongTorso = 2.2f;  ///< of the legs
constexpr float kHandsUp = 0.15f;                        ///< of the legs: how far above the feet hands are at least
constexpr float kLongFoot = 0.6f;                        ///< of the legs: animals on their toes have a third long bone
// Drawn figures whose joints are called what they are may go further: short legs in big boots.
constexpr float kLongArmNamed = 2.6f, kLongFootNamed = 1.1f;
constexpr float kLongTail = 0.5f;  ///< of the legs

Vec3 middle(const std::array<Vec3, 2>& pair) { return (pair[0] + pair[1]) / 2; }

}  // namespace

std::vector<std::string> faults_of(const UprightBody& body) {
  std::vector<std::string> faults;
  const Vec3 torso = middle(body.upper_arms) - middle(body.thighs), legs = middle(body.feet) - middle(body.thighs);
  const float leg = std::max(body.leg, 1e-12f), trunk = length(torso);
  const Vec3 up = normalized(-legs);
  const bool odd = body.tail > kLongTail * leg || body.one_joint;
  const float upright = dot(normalized(torso, {}), up);
  const bool drawn = body.named && upright >= kUprightOdd && !odd;
  if (upright < (odd ? kUprightOdd : kUpright)) faults.emplace_back("an upright torso above the legs");
  if (body.arm < kShortArm * leg) faults.emplace_back("arms as long as human ones");
  if (body.arm > (drawn ? kLongArmNamed : kLongArm) * leg) faults.emplace_back("arms no longer than human ones");
  if (trunk < kShortTorso * leg) faults.emplace_back("a torso between legs and arms");
  if (trunk > kLongTorso * leg) faults.emplace_back("legs as long as human ones");
  if (dot(middle(body.hands) - middle(body.feet), up) < kHandsUp * leg)
    faults.emplace_back("hands that are off the floor");
  if (body.head && dot(*body.head - middle(body.upper_arms), up) < 0) faults.emplace_back("a head above the arms");
  if (body.foot > (drawn ? kLongFootNamed : kLongFoot) * leg) faults.emplace_back("feet no longer than human ones");
  return faults;
}

}  // namespace loom::character
