// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace loom::character {

/// The parts of a human body that a joint may be. A joint turns what is named: `kLeftShin` is the knee.
enum class Role : std::uint8_t {
  kHips,   ///< carries the body: legs and spine descend from it
  kSpine,  ///< the lowest joint of the torso above the hips
  kChest,  ///< the joint of the torso from which the arms branch; none where the spine is the only one
  kNeck,
  kHead,
  kLeftShoulder,  ///< the collarbone
  kRightShoulder,
  kLeftUpperArm,
  kRightUpperArm,
  kLeftForearm,
  kRightForearm,
  kLeftHand,
  kRightHand,
  kLeftThigh,
  kRightThigh,
  kLeftShin,
  kRightShin,
  kLeftFoot,
  kRightFoot,
  kLeftToe,
  kRightToe,
};

inline constexpr std::size_t kRoles = 21;

/// What roles are called in files and in `--json`, in the order of `Role`.
inline constexpr std::array<std::string_view, kRoles> kRoleNames = {
    "hips",           "spine",          "chest",           "neck",         "head",          "left_shoulder",
    "right_shoulder", "left_upper_arm", "right_upper_arm", "left_forearm", "right_forearm", "left_hand",
    "right_hand",     "left_thigh",     "right_thigh",     "left_shin",    "right_shin",    "left_foot",
    "right_foot",     "left_toe",       "right_toe",
};

inline std::string_view role_name(Role role) { return kRoleNames[static_cast<std::size_t>(role)]; }

/// The role of that name, or nothing.
inline std::optional<Role> find_role(std::string_view name) {
  for (std::size_t r = 0; r < kRoles; ++r) {
    if (kRoleNames[r] == name) return static_cast<Role>(r);
  }
  return std::nullopt;
}

}  // namespace loom::character
