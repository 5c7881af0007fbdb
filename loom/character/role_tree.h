// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include <loom/character/role.h>

namespace loom::character {

/// The part that a part hangs from, on a body that has them all; of the hips none. It comes before it among roles.
constexpr std::optional<Role> parent_of(Role role) {
  switch (role) {
    case Role::kHips:
      return std::nullopt;
    case Role::kSpine:
    case Role::kLeftThigh:
    case Role::kRightThigh:
      return Role::kHips;
    case Role::kChest:
      return Role::kSpine;
    case Role::kNeck:
    case Role::kLeftShoulder:
    case Role::kRightShoulder:
      return Role::kChest;
    case Role::kHead:
      return Role::kNeck;
    case Role::kLeftUpperArm:
      return Role::kLeftShoulder;
    case Role::kRightUpperArm:
      return Role::kRightShoulder;
    default:  // outwards along a limb, side by side
      return static_cast<Role>(static_cast<int>(role) - 2);
  }
}

}  // namespace loom::character
