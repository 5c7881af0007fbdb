// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <loom/policy/trace.h>

namespace loom::policy {

/// The habits of a simulated player with two sticks and a jump button, after the game of McCann & Pollard 2007 §4.1:
/// one stick is the velocity over the floor, the other the turn rate. All times are means of exponential durations.
struct PlayerHabits {
  double hold_seconds = 1.4;      ///< how long the velocity stick is held before it goes elsewhere
  double still_share = 0.15;      ///< of the times it moves, it is let go
  double run_share = 0.35;        ///< of the times it is pushed, it is pushed to a run
  double ahead_share = 0.75;      ///< of the times it is pushed, it points ahead within 30 degrees
  double walk_speed = 1.3;        ///< metres a second, spread by 15 %
  double run_speed = 2.9;         ///< metres a second, spread by 15 %
  double straight_seconds = 1.2;  ///< between turns
  double turn_seconds = 0.7;      ///< a turn lasts
  double turn_rate = 1.1;         ///< radians a second, spread by 25 %
  double stick_seconds = 0.12;    ///< a stick takes to come to a new place, smoothly
  double jump_every_seconds = 6;  ///< while moving
  double airborne_seconds = 0.5;  ///< after a press, spread by 15 %
  /// Of the times the velocity stick moves, it goes on with a routine: where to depends on where it is. The routine
  /// stands, walks ahead, runs, steps left, walks backwards, steps right and stands again. 0: a player without habits
  /// of order, who chooses anew each time.
  double routine_share = 0;
};

/// The habits of one of many players: player 0 has those above, the others differ from them by up to a third.
PlayerHabits habits_of(std::uint64_t player);

/// `seconds` of play at 60 samples a second. The same for the same habits and seed on every machine.
/// Flags beyond "airborne" are buttons held down for 1.5 s every 6 s, on average.
Trace simulate_player(const PlayerHabits& habits, double seconds, std::uint64_t seed,
                      const std::vector<std::string>& flags = {kAirborne});

/// How many traces, how long, from which players: what stands in where none were recorded.
struct SimulationOptions {
  std::size_t traces = 7;
  double seconds = 60;             ///< each; the work trained on seven minutes of two players
  std::uint64_t first_player = 0;  ///< traces take turns between this player and the next
  std::uint64_t seed = 1;
  std::vector<std::string> flags{kAirborne};
  double routine_share = 0;  ///< of all players (PlayerHabits)
};

std::vector<Trace> simulate_players(const SimulationOptions& options);

}  // namespace loom::policy
