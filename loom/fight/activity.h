// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

#include <loom/base/random.h>
#include <loom/behavior/state_machine.h>
#include <loom/fight/activity_settings.h>
#include <loom/fight/fighter_wish.h>
#include <loom/fight/sight.h>

namespace loom::fight {

/// What an activity controller reports to the supervisor: the best way to do its part, and whether it is worth it.
struct Offer {
  bool reasonable = false;
  float cost = 0;  ///< of the best way, in the measure of the activity; lower is better
  behavior::StatePath path;
  std::uint32_t node = 0;           ///< the action at the heart of it; meaningless for shadowing
  std::uint32_t contact_steps = 0;  ///< an attack's first contact, steps from now
  std::uint32_t last_steps = 0;     ///< the action's last frame, steps from now: what comes after it can be changed
};

/// Finds the best way to do an activity: looks ahead on both characters' paths, no deeper than one action.
///
/// Shadow: of the ways on within the state, the one at whose end distance and facing are best. Attack: of the actions
/// that can be had in time, the one whose limb comes nearest to a target at the first contact. Evade: where a blow is
/// coming or the opponent is too near, the action at whose end the opponent is farthest and whose body is out of the
/// blow's way. `actions` are the nodes of the activity's state that have routes. O(actions) or O(transitions ahead).
Offer consider(const Activity& activity, const Sight& sight, std::span<const std::uint32_t> actions, Random& random);

/// Whether an act is a matter of this activity.
bool can_answer(const Activity& activity, Act act);

/// Finds the best way to do what a player asks of an activity (see `can_answer`), wise or not: of the actions that
/// answer it, punches by their fists and kicks by their feet, the one that comes soonest and suits the opponent's place
/// best. An evasion goes the way of `wish.move`, where there is one. Not reasonable only where there is no such action.
Offer answer(const FighterWish& wish, const Activity& activity, const Sight& sight,
             std::span<const std::uint32_t> actions, Random& random);

/// Steps the way a player asks, or keeps guard, always facing the opponent as well as the steps allow.
behavior::StatePath answer_move(Move move, const Sight& sight, Random& random);

/// A way to stay in a state for a moment without any purpose: what one does when there is nobody to fight.
behavior::StatePath idle_path(const behavior::StateGraph& states, const behavior::StatePlace& here, Random& random);

}  // namespace loom::fight
