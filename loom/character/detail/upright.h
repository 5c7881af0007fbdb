// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include <loom/base/math.h>

namespace loom::character {

/// Where the parts of a body are in one pose, and how long they are: what tells a human from an animal whose joints
/// have human names.
struct UprightBody {
  std::array<Vec3, 2> thighs, feet, upper_arms, hands;
  std::optional<Vec3> head;
  float leg = 0, arm = 0;  ///< thigh and shin; upper arm and forearm
  float foot = 0;          ///< from the ankle to the toes; 0 where there are none
  bool named = false;      ///< joints of all limbs are called what they are
  bool one_joint = false;  ///< arms and legs hang from one joint
  float tail = 0;          ///< longest chain in the middle that is neither spine nor head; 0 where there is none
};

/// What keeps it from being a human that stands, each a phrase for people; empty for a human.
std::vector<std::string> faults_of(const UprightBody& body);

}  // namespace loom::character
