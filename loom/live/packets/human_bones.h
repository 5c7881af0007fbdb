// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include <loom/base/math.h>
#include <loom/character/role.h>
#include <loom/character/role_tree.h>

namespace loom::live {

/// What Unity calls the parts of a human (HumanBodyBones), and with it VMC; in the order of `Role`.
inline constexpr std::array<std::string_view, character::kRoles> kUnityBones = {
    "Hips",          "Spine",         "Chest",         "Neck",          "Head",      "LeftShoulder", "RightShoulder",
    "LeftUpperArm",  "RightUpperArm", "LeftLowerArm",  "RightLowerArm", "LeftHand",  "RightHand",    "LeftUpperLeg",
    "RightUpperLeg", "LeftLowerLeg",  "RightLowerLeg", "LeftFoot",      "RightFoot", "LeftToes",     "RightToes",
};

/// Which part a name means, in the words of any of the protocols here ("RightForeArm", "rightLowerArm",
/// "right_forearm", "RForearm"): capitals, blanks and underscores do not count. Nothing where it means none.
std::optional<character::Role> role_called(std::string_view name);

/// Of rotations against the parent, by role, those in the world; a part that was not sent moves with its parent.
using RoleTurns = std::array<std::optional<Quat>, character::kRoles>;
RoleTurns world_turns(const RoleTurns& local);

}  // namespace loom::live
