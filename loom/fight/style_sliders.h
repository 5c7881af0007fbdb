// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <loom/base/result.h>
#include <loom/fight/activity_settings.h>

namespace loom::fight {

/// A style in four numbers that a person sets without knowing the machine, each in [0, 1]: how readily it punches,
/// kicks and evades, and how far it keeps away. Of a machine's attacks those with "kick" in their name are kicks.
inline constexpr std::array<const char*, 4> kSliders = {"punch", "kick", "evade", "distance"};

/// Where the sliders of these activities stand, in the order of `kSliders`; nothing where no activity has one.
std::array<std::optional<float>, kSliders.size()> sliders_of(std::span<const Activity> activities);

/// Sets a slider written as "kick=0.8": how eager its activities are and, since the eager are asked first, their
/// priority; of "distance" the distance kept, 0.7 to 1.5 m. Fails on other names, on what is no number in [0, 1], and
/// where no activity has the slider.
Result<void> set_slider(std::span<Activity> activities, std::string_view written);

/// "aggressive+kick=0.2,defensive" taken apart: for each fighter (with commas between) the parts its style is made of
/// (with '+' between), for `activities_in`.
std::vector<std::vector<std::string>> parse_styles(std::string_view text);

}  // namespace loom::fight
