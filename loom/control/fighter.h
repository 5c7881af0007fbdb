// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <loom/base/random.h>
#include <loom/control/activity.h>
#include <loom/control/hit_reaction.h>
#include <loom/control/state_actor.h>

namespace loom::control {

/// A character that decides for itself: a body on a state graph, the path it is on, and the supervisor that asks its
/// activity controllers from the highest priority down and takes the first reasonable offer (Chiu 2007 §5).
///
/// It thinks in states; which frames of which recordings that means is looked up.
class Fighter {
 public:
  /// `activities` as its style has them (StateMachine::activities_in).
  Fighter(std::shared_ptr<const behavior::StateGraph> states, std::shared_ptr<const graph::GraphMotion> motion,
          std::shared_ptr<const StateBody> body, std::vector<behavior::Activity> activities, const StatePlace& start,
          std::uint64_t seed);

  [[nodiscard]] const StatePlace& place() const { return actor_.place(); }
  [[nodiscard]] motion::GroundFrame stand() const { return place().world * body_->ground(place().frame); }
  [[nodiscard]] const StatePath& path() const { return path_; }
  [[nodiscard]] std::uint32_t steps() const { return steps_; }
  /// The blow it is about to deal, if it is attacking and has not dealt it.
  [[nodiscard]] std::optional<Blow> blow() const;
  /// The action it is on the way to or in, as a node of the state graph.
  [[nodiscard]] std::uint32_t action() const { return action_; }
  /// Whether the path is done and the next one has to be decided.
  [[nodiscard]] bool must_decide() const { return steps_ >= path_.length(); }

  /// Decides what to do next, at time `now`, seeing `opponent`. Returns the activity chosen, or nothing where there was
  /// none and it idles.
  const behavior::Activity* decide(const Fighter& opponent, double now);
  /// One step along the path.
  void advance();
  /// Moves it on the floor, path and all.
  void shift(Vec3 by);
  /// Takes a hit: see HitReaction.
  void take(BodyPoint part, Vec3 blow, std::span<const Quat> world) { reaction_.take(part, blow, world); }
  /// The pose of this instant, in the room `pose` has.
  void show(motion::StreamPose& pose) const;

  [[nodiscard]] const behavior::StateGraph& states() const { return *states_; }

 private:
  std::shared_ptr<const behavior::StateGraph> states_;
  std::shared_ptr<const StateBody> body_;
  StateActor actor_;
  std::vector<behavior::Activity> activities_;       ///< by falling priority
  std::vector<std::vector<std::uint32_t>> actions_;  ///< nodes each of them can choose from
  std::vector<double> used_;                         ///< when each was last taken, seconds
  Random random_;
  StatePath path_;
  std::uint32_t steps_ = 0;  ///< along the path
  std::uint32_t action_ = 0;
  std::uint32_t contact_steps_ = 0;  ///< along the path; 0 where it deals no blow
  HitReaction reaction_;
};

}  // namespace loom::control
