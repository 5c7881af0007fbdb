// SPDX-License-Identifier: MIT
#include <cctype>
#include <string>
#include <utility>

#include <loom/live/packets/human_bones.h>

namespace loom::live {

using character::Role;

namespace {

constexpr std::pair<std::string_view, Role> kMiddle[] = {
    {"hips", Role::kHips},    {"hip", Role::kHips},  {"pelvis", Role::kHips}, {"spine", Role::kSpine},
    {"l5", Role::kSpine},     {"ab", Role::kSpine},  {"chest", Role::kChest}, {"t8", Role::kChest},
    {"spine3", Role::kChest}, {"neck", Role::kNeck}, {"head", Role::kHead},
};
/// Of the left side; those of the right come one after.
constexpr std::pair<std::string_view, Role> kSides[] = {
    {"shoulder", Role::kLeftShoulder}, {"upperarm", Role::kLeftUpperArm}, {"arm", Role::kLeftUpperArm},
    {"uarm", Role::kLeftUpperArm},     {"lowerarm", Role::kLeftForearm},  {"forearm", Role::kLeftForearm},
    {"farm", Role::kLeftForearm},      {"hand", Role::kLeftHand},         {"upperleg", Role::kLeftThigh},
    {"upleg", Role::kLeftThigh},       {"thigh", Role::kLeftThigh},       {"lowerleg", Role::kLeftShin},
    {"leg", Role::kLeftShin},          {"shin", Role::kLeftShin},         {"foot", Role::kLeftFoot},
    {"toe", Role::kLeftToe},           {"toes", Role::kLeftToe},
};

}  // namespace

std::optional<Role> role_called(std::string_view name) {
  if (name.size() > 32) return std::nullopt;
  std::string plain;
  for (const char c : name) {
    if (c != ' ' && c != '_' && c != '-') plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  for (const auto& [word, role] : kMiddle) {
    if (plain == word) return role;
  }
  for (const auto& [side, right] :
       {std::pair<std::string_view, bool>{"left", false}, {"right", true}, {"l", false}, {"r", true}}) {
    if (!plain.starts_with(side)) continue;
    const std::string_view rest = std::string_view(plain).substr(side.size());
    for (const auto& [word, role] : kSides) {
      if (rest == word) return static_cast<Role>(static_cast<int>(role) + (right ? 1 : 0));
    }
  }
  return std::nullopt;
}

RoleTurns world_turns(const RoleTurns& local) {
  RoleTurns world;
  std::array<Quat, character::kRoles> turn;
  for (std::size_t r = 0; r < character::kRoles; ++r) {
    const auto parent = parent_of(static_cast<Role>(r));  // which comes before it
    const Quat above = parent ? turn[static_cast<std::size_t>(*parent)] : Quat{};
    turn[r] = local[r] ? normalized(above * *local[r]) : above;
    if (local[r]) world[r] = turn[r];
  }
  return world;
}

}  // namespace loom::live
