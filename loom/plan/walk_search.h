// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/plan/unrolled_graph.h>
#include <loom/world/floor_field.h>

namespace loom::plan {

/// A place to start from or to come to.
struct WalkEnd {
  world::Point at;
  std::optional<double> heading;  ///< radians; none: any
};

struct SearchWatch;

struct SearchOptions {
  double seconds = 5;             ///< by the clock, then the best so far is taken
  std::function<double()> clock;  ///< seconds since some moment; none: the clock on the wall
  double bound = 1.2;             ///< good enough: at most this many times the least time
  double first_bound = 10;        ///< the weight of the heuristic to begin with
  double margin = 0.02;           ///< metres that bodies keep from obstacles
  double root_radius = 0.1;       ///< metres that the root keeps from what does not ask to be passed
  double goal_radius = 0.2;       ///< metres from the goal that count as there: the last stretch is bent by as much
  double goal_turn = 0.26;        ///< radians likewise
  double cell = 0.25;             ///< metres: states of one node nearer than this are one. 0: exactly the same place
  double turn_cell = 0.35;        ///< radians, likewise
  double time_cell = 0;        ///< seconds, likewise: where obstacles move, when one is there matters. 0: it does not
  double min_seconds = 0.25;   ///< between two transitions
  std::size_t ways = 0;        ///< transitions looked at in a step, the cheapest; 0: all
  std::size_t scout_ways = 6;  ///< the same of the scout
  std::size_t starts = 48;     ///< nodes to start from
  std::optional<graph::Node> start_node;  ///< start from this one alone
  bool scout = true;                      ///< look for a first answer with poses taken together
  /// Metres of detour over the floor's shortest way beyond which nothing is looked at (Huang 2012 fig. 6.2); 0:
  /// anywhere.
  double corridor = 0;
  double ask_reach = 1.2;  ///< metres from an obstacle that asks, within which motion made for it is played
  std::size_t most_states = 12'000'000;  ///< kept, where there is memory for so many
  const SearchWatch* watch = nullptr;    ///< told of the search while it goes on; must outlive it
};

/// How a search stood when something better was found.
struct SearchStep {
  double seconds = 0;  ///< by the clock, since it began
  double cost = 0;     ///< seconds of motion of the best so far
  double bound = 0;    ///< it takes at most this many times the least
  std::size_t expanded = 0;
};

/// Somebody who looks on while a search goes on, and may say that what it has is enough. Called on the search's thread;
/// what is not set is not called.
struct SearchWatch {
  /// A state was looked at: the body was at `from` where its way to there began, and is at `to`.
  std::function<void(world::Point from, world::Point to)> looked;
  /// Something better was found, or is known of what was found.
  std::function<void(const SearchStep& step)> better;
  /// Whether to go no further: the best so far is taken, as when the time is over. Asked every 64 states.
  std::function<bool()> enough;
};

/// A walk that a search found.
struct FoundWalk {
  std::vector<graph::Node> nodes;  ///< one a frame
  motion::GroundFrame world;       ///< carries the coordinates of the first node's clip into the world's
  motion::GroundFrame end;         ///< where the last frame is
};

struct SearchResult {
  std::optional<FoundWalk> walk;     ///< the best that was accepted
  std::optional<FoundWalk> refused;  ///< where none was: what was not accepted
  double seconds = 0;                ///< by the clock
  double seconds_first = 0;          ///< to the first answer
  double cost = 0;                   ///< seconds of motion
  double least = 0;                  ///< no walk within the duplicate grid takes less
  double bound = 0;                  ///< cost / least
  bool exhausted = false;            ///< there was nothing left to look at
  std::size_t expanded = 0, states = 0;
  std::size_t memory = 0;  ///< bytes that were kept at the most, about
  std::vector<SearchStep> steps;
};

/// Finds the quickest walk from a start to a goal on an unrolled graph: ARA* (Likhachev 2003), which weighs its
/// heuristic much at first, answers soon, and then weighs it less and less until the bound or the time is reached.
///
/// A state is a node with a place and a heading (Zhao 2009 §5.6.2). From it one goes on for eight frames, or takes a
/// transition at one of them and plays at least `min_seconds` of what follows. The heuristic is never more than the
/// truth: the floor's distance to the goal (GoalDistance) at the graph's best pace (Pace), and the turn that is left at
/// its best pace of turning. Bodies are tried against the field of the floor: first a disc around eight frames, then
/// one around each, then the discs of the body. Obstacles that ask are tried by `passes`.
///
/// The bound holds among walks that the duplicate grid (`cell`, `turn_cell`) tells apart. With `scout` a first search
/// takes poses of like speed and turn for the same; what it finds is an upper bound for the second.
class WalkSearch {
 public:
  /// Whether the body of a node, carried by `world`, is clear of what the field does not know: obstacles that ask, and
  /// those that move, at a moment.
  using Passes = std::function<bool(graph::Node node, const motion::GroundFrame& world, double seconds)>;
  /// Whether nothing of that kind is near a disc at a moment and for eight frames after it, so that single bodies need
  /// not be looked at.
  using Far = std::function<bool(double x, double z, double radius, double seconds)>;

  WalkSearch(const UnrolledGraph& graph, const world::FloorField& field, const world::GoalDistance& distance,
             Passes passes = {}, Far far = {});
  /// How far it is from the start: what a corridor is seen by. It must live as long as searches do.
  void set_from_start(const world::GoalDistance& from_start) { from_start_ = &from_start; }
  ~WalkSearch();

  /// Whether a walk that was found will do when it is played: what the search looks at does not know blends.
  using Accepts = std::function<bool(const FoundWalk& walk)>;

  /// Answers are tried by `accepts`, where there is one; the search ends at once where its first is refused, and keeps
  /// what was accepted where a better one is. Fails when `progress` asks to stop.
  Result<SearchResult> find(const WalkEnd& start, const WalkEnd& goal, const SearchOptions& options,
                            const Progress& progress = {}, const Accepts& accepts = {});
  /// What the heuristic says of a node carried by `world`: seconds at least to the goal.
  [[nodiscard]] double seconds_left(graph::Node node, const motion::GroundFrame& world, const WalkEnd& goal,
                                    const SearchOptions& options) const;
  /// Whether the body of a node, carried by `world`, is clear of everything.
  [[nodiscard]] bool clear(graph::Node node, const motion::GroundFrame& world, const SearchOptions& options,
                           double seconds = 0) const;

 private:
  struct Engine;
  const UnrolledGraph& graph_;
  const world::FloorField& field_;
  const world::GoalDistance& distance_;
  const world::GoalDistance* from_start_ = nullptr;
  Passes passes_;
  Far far_;
};

}  // namespace loom::plan
