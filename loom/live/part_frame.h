// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

#include <loom/base/math.h>
#include <loom/character/role.h>

namespace loom::live {

/// The turns of a body's parts from the T-pose at one instant, as they wait to be shown. Of fixed size, so that it can
/// be handed from thread to thread without memory being asked for.
struct PartFrame {
  double seconds = 0;          ///< by the source's clock
  double arrival = 0;          ///< by ours
  std::uint32_t sensed = 0;    ///< bit 1 << role: told by the source
  std::uint32_t has_hips = 0;  ///< 1: `hips` is told
  Vec3 hips;                   ///< metres, in the source's world
  float hip_height = 0;        ///< of the source's body in its T-pose, metres; 0 where that is not known
  std::array<Quat, character::kRoles> turns{};

  [[nodiscard]] bool has(character::Role role) const { return (sensed >> static_cast<unsigned>(role) & 1) != 0; }
  [[nodiscard]] Quat of(character::Role role) const { return turns[static_cast<std::size_t>(role)]; }
  void set(character::Role role, Quat turn) {
    turns[static_cast<std::size_t>(role)] = turn;
    sensed |= 1u << static_cast<unsigned>(role);
  }
};

}  // namespace loom::live
