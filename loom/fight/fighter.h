// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <loom/base/random.h>
#include <loom/behavior/state_actor.h>
#include <loom/fight/activity.h>
#include <loom/fight/activity_settings.h>
#include <loom/fight/hit_reaction.h>
#include <loom/take/take_set.h>

namespace loom::fight {

/// A character that decides for itself: a body on a state graph, the path it is on, and the supervisor that asks its
/// activity controllers from the highest priority down and takes the first reasonable offer (Chiu 2007 §5).
///
/// It thinks in states; which frames of which recordings that means is looked up. A player may take the supervisor's
/// place at any time, and give it back.
class Fighter {
 public:
  /// `activities` as its style has them (`activities_in`).
  Fighter(std::shared_ptr<const behavior::StateGraph> states, std::shared_ptr<const take::TakeSet> motion,
          std::shared_ptr<const StateBody> body, std::vector<Activity> activities, const behavior::StatePlace& start,
          std::uint64_t seed);

  [[nodiscard]] const behavior::StatePlace& place() const { return actor_.place(); }
  [[nodiscard]] motion::GroundFrame stand() const { return place().world * body_->ground(place().frame); }
  [[nodiscard]] const behavior::StatePath& path() const { return path_; }
  [[nodiscard]] std::uint32_t steps() const { return steps_; }
  /// The blow it is about to deal, if it is attacking and has not dealt it.
  [[nodiscard]] std::optional<Blow> blow() const;
  /// The action it is on the way to or in, as a node of the state graph.
  [[nodiscard]] std::uint32_t action() const { return action_; }
  /// Whether the next path has to be decided, at time `now`: this one is done, or a player wants something else and no
  /// action is under way that has to be finished first.
  [[nodiscard]] bool must_decide(double now) const;

  /// Decides what to do next, at time `now`, seeing `opponent`: what the player wishes where it has one, else by its
  /// activities. `quiet` is for how many seconds neither of them has done anything: a fighter that decides for itself
  /// grows impatient, comes nearer and takes worse chances. Returns the activity chosen, or nothing where there was
  /// none and it idles or steps as it was told.
  const Activity* decide(const Fighter& opponent, double now, double quiet = 0);
  /// Does what a player wishes from now on; nothing: decides for itself again.
  void steer(const std::optional<FighterWish>& wish, double now);
  /// Whether an action is under way that will be finished whatever a player wishes.
  [[nodiscard]] bool acting() const { return steps_ < free_steps_; }
  /// Changes its style; what it is doing is done first.
  void restyle(std::vector<Activity> activities);
  /// One step along the path.
  void advance();
  /// Turns towards `opponent` as far as one frame allows: only while a foot is in the air, about the one that stands,
  /// and not while a blow is on its way. Call it after `advance`.
  void face(const motion::GroundFrame& opponent);
  /// Moves it on the floor, path and all.
  void shift(Vec3 by);
  /// Takes a hit. Where the machine has motion for it and some of it suits the place and the strength of
  /// the hit, it goes over to that at once, whatever it was doing; otherwise the pose gives way (HitReaction) and, in a
  /// state of steps, it steps back. `world` is how every joint is turned, `feet` how high the higher foot is, metres.
  void take(const Hit& hit, std::span<const Quat> world, float feet, const Fighter& opponent);
  /// The pose of this instant, in the room `pose` has.
  void show(motion::StreamPose& pose) const;
  /// Looks at itself as it will be if nothing changes, step by step: first the pose one step from now, then, with
  /// `again`, one step later each.
  void show_next(motion::StreamPose& pose, bool again);

  [[nodiscard]] const behavior::StateGraph& states() const { return *states_; }

 private:
  const Activity* obey(const Sight& sight, double now);
  void take(const Offer& offer, std::size_t activity, double now);
  /// A recorded reaction, and where its clip has to lie for its feet to be where those of the body are.
  struct Reaction {
    std::uint32_t node = 0;
    behavior::StatePlace begin;
  };
  [[nodiscard]] std::optional<Reaction> choose_reaction(const Hit& hit);
  [[nodiscard]] std::optional<motion::GroundFrame> on_same_feet(graph::Node begin) const;
  void step_back(const Hit& hit, const Fighter& opponent);
  [[nodiscard]] Act pending(double now) const;

  std::shared_ptr<const behavior::StateGraph> states_;
  std::shared_ptr<const StateBody> body_;
  behavior::StateActor actor_;
  std::vector<Activity> activities_;                 ///< by falling priority
  std::vector<std::vector<std::uint32_t>> actions_;  ///< nodes each of them can choose from
  std::vector<double> used_;                         ///< when each was last taken, seconds
  std::vector<double> done_;                         ///< when each node of the state graph was last begun, seconds
  Random random_;
  behavior::StatePath path_;
  std::uint32_t steps_ = 0;  ///< along the path
  std::uint32_t action_ = 0;
  std::uint32_t contact_steps_ = 0;                         ///< along the path; 0 where it deals no blow
  std::uint32_t free_steps_ = 0;                            ///< along the path; from here on a player may change it
  std::optional<FighterWish> wish_;                         ///< the player's
  double wished_ = 0;                                       ///< when its act was asked for, seconds
  Move moving_ = Move::kStay;                               ///< the move the present path answers
  std::vector<std::pair<std::uint32_t, Throw>> reactions_;  ///< nodes of the machine's reactions, and what each does
  float turning_ = 0;                                       ///< radians a second
  HitReaction reaction_;
  /// The same a while ahead; see `show_next`.
  behavior::StateActor coming_actor_;
  HitReaction coming_reaction_;
  std::uint32_t coming_steps_ = 0;
};

}  // namespace loom::fight
