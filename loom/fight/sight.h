// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include <loom/behavior/state_graph.h>
#include <loom/behavior/state_path.h>
#include <loom/fight/state_body.h>

namespace loom::fight {

/// A blow on its way: where the limb will be, and when.
struct Blow {
  BodyPoint limb = BodyPoint::kLeftFist;
  std::uint32_t steps = 0;  ///< from now
  Vec3 place;               ///< world
};

/// What a character sees when it decides: itself and its opponent, both on the paths they are on, which is how the
/// future is predicted (Chiu 2007 §6).
struct Sight {
  const behavior::StateGraph& states;
  const StateBody& body;
  behavior::StatePlace here;         ///< of the one who decides
  const behavior::StatePath& other;  ///< the opponent's path
  std::uint32_t other_steps = 0;     ///< how far along it the opponent is
  std::optional<Blow> blow;          ///< the opponent's, if one is on its way
  float impatience = 0;              ///< 0 to 1: nothing has happened for a while
  double now = 0;                    ///< seconds
  /// When one last did each action, seconds, one entry a node of the state graph; none: nothing is known of it.
  std::span<const double> done{};

  /// How fresh it is in everybody's mind that one did this action: 1 just now, 0 long ago.
  [[nodiscard]] float fresh(std::uint32_t node) const;
  /// Where the opponent is predicted to be `steps` from now.
  [[nodiscard]] behavior::StatePlace opponent(std::uint32_t steps) const {
    return other.at(states.graph, other_steps + steps);
  }
  /// Where one stands who is at `place`, and where a point of its body is.
  [[nodiscard]] motion::GroundFrame stand(const behavior::StatePlace& place) const {
    return place.world * body.ground(place.frame);
  }
  [[nodiscard]] Vec3 point(const behavior::StatePlace& place, BodyPoint which) const {
    return transform(place.world, body.point(place.frame, which));
  }
  /// A time as steps.
  [[nodiscard]] std::uint32_t steps_in(double seconds) const;
};

/// Metres between two along the floor.
float between(const motion::GroundFrame& a, const motion::GroundFrame& b);

/// Radians: the direction from one to another, as a heading.
float bearing(const motion::GroundFrame& from, const motion::GroundFrame& to);

}  // namespace loom::fight
