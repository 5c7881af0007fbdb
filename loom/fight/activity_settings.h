// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <loom/base/result.h>
#include <loom/behavior/state_machine.h>

namespace loom::fight {

/// What an activity of a fighter judges motion by (Chiu 2007 §6): the kinds a machine may name.
enum class ActivityKind : std::uint8_t {
  kShadow,  ///< distance and facing to the opponent at the end
  kAttack,  ///< distance from fist or foot to the opponent's body at the first contact
  kEvade,   ///< distance to the opponent at the end
  kReact,   ///< how the body moves when it is hit, against where and how hard; begun by the blow, never chosen
};

/// The numbers that configure an activity; `setting_infos` says which are whose, and what they may be.
enum class Setting : std::uint8_t {
  kPriority,
  kEager,
  kRest,
  kDistance,
  kDistanceWeight,
  kFacingWeight,
  kReach,
  kDelay,
  kHead,
  kChest,
  kAbdomen,
  kDanger,
  kNear,
  kLongest,
  kCount,
};
inline constexpr std::size_t kSettingCount = static_cast<std::size_t>(Setting::kCount);

struct SettingInfo {
  const char* name;
  const char* kinds;  ///< the activities that have it, by their first letters; "saer" is all
  float usual, least, most;
  const char* meaning;
};

/// In the order of `Setting`.
const std::array<SettingInfo, kSettingCount>& setting_infos();

/// An activity of a machine as fighters understand it, polled by the supervisor in order of priority.
struct Activity {
  std::string name;
  ActivityKind kind = ActivityKind::kShadow;
  std::size_t state = 0;
  std::array<float, kSettingCount> settings{};

  [[nodiscard]] float operator[](Setting setting) const { return settings[static_cast<std::size_t>(setting)]; }
};

/// The activities of a machine as styles change them, applied in order; a style is a name, `behavior::kPlainStyle`, or
/// a slider as "kick=0.8" (see `set_slider`). Fails on a style there is none of, and on a kind or a setting that
/// fighters do not have, or one out of its range, with the line it is written in.
Result<std::vector<Activity>> activities_in(const behavior::StateMachine& machine,
                                            const std::vector<std::string>& styles);

/// Checks everything a machine says of activities and styles, used or not, and writes out what it leaves unsaid, so
/// that the machine keeps its meaning when what is usual changes. Fails as `activities_in` does.
Result<void> settle_activities(behavior::StateMachine& machine);

}  // namespace loom::fight
