// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>

#include <nlohmann/json.hpp>

#include <loom/base/result.h>
#include <loom/machine/machine_player.h>

#include "studio/scene.h"

namespace loom::studio {

/// The states of a built machine: name, whether it is cyclic, how many examples it has, its parameters and where in
/// them the examples lie.
nlohmann::json built_states_json(const machine::BuiltMachine& built);

/// A character that plays a machine by wishes (Srinivasan 2009 §6.1), with its feet held.
///
/// Hears {"wish": state, "queue": bool} (after those that wait, or in place of them), {"drop": true},
/// {"state": name, "parameter": name, "value": number} and {"speed": number}. What makes no sense is not heard.
///
/// Values of a frame: which state is played, its phase, which one is entered, how much of the transition is done, and
/// the parameters of the state that is played. News tell the same in words whenever it changes, with what waits.
Result<std::unique_ptr<Scene>> make_machine_scene(std::shared_ptr<const machine::BuiltMachine> built,
                                                  const machine::PlayerOptions& options);

}  // namespace loom::studio
