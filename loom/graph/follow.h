// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/graph/motion_graph.h>
#include <loom/play/segment_player.h>
#include <loom/take/take_set.h>

namespace loom::graph {

/// A line drawn on the floor for a character to follow.
struct FloorPath {
  std::vector<Vec3> points;  ///< at least two, on the floor, metres; y is ignored
  std::vector<std::string>
      labels;  ///< wanted from each point on to the next; empty: no wish. As many as points, or none
};

/// Checks a path: two points at least, finite, some length, labels the graph has. Says what is wrong and where.
Result<void> validate(const FloorPath& path, const MotionGraph& graph);

/// Farther off the path somewhere, in metres, nobody would say that it was followed.
inline constexpr double kFarOff = 1;

inline constexpr double kGoodMean = 0.1, kGoodMost = 0.5;  ///< metres off the path that are good enough

struct FollowOptions {
  std::size_t beam = 64;      ///< states kept for every stretch of the path at first; more finds better paths, slower
  double seconds = 10;        ///< how long to look for a better path, reckoned at kStatesASecond; 0: only once
  double facing = 0.05;       ///< weight of facing along the path: square metres for a radian squared
  double label = 0.5;         ///< square metres a frame off its wanted label counts as
  double skipped = 5;         ///< square metre seconds of leaving a stretch without its action
  double time = 0.02;         ///< square metres every frame counts as: dawdling costs
  double roughness = 0.05;    ///< square metre seconds of a transition of cost 1
  double min_seconds = 0.25;  ///< between two transitions
  double max_seconds = 3.0;   ///< without one, before the search looks further
};

/// States one core looks at in a second, or fewer. A search is bounded by states and not by the clock, so that it finds
/// the same on every machine.
inline constexpr double kStatesASecond = 5e6;

/// How well a path was followed.
struct Followed {
  std::vector<play::Segment> segments;
  double seconds = 0;
  double cost = 0;          ///< what the search made least, in square metre seconds, as FollowOptions weighs it
  double length_m = 0;      ///< of the drawn path
  double mean_error_m = 0;  ///< distance of the root on the floor from the path, mean over frames
  double max_error_m = 0;
  double end_error_m = 0;           ///< distance of the last frame from the end of the path
  double off_label_share = 0;       ///< of the frames on labelled stretches
  std::size_t actions_skipped = 0;  ///< stretches that name an action and were left without it
  std::size_t states = 0;           ///< looked at by all searches
  std::size_t beam = 0;             ///< of the search that found it
  std::size_t searches = 0;         ///< each with a wider beam than the one before
};

/// Finds motion along a path (Kovar 2002 §4 and §5, searched otherwise).
///
/// Kovar's branch and bound looks a few seconds ahead and commits. Here the path is cut into short stretches, and for
/// every stretch the best states (node, place, heading) that have come so far are kept, whatever time they took; each
/// is played on until it may change clip, and what comes of it lands in a later stretch. So the choice made at a bend
/// is judged by what it leads to, and the work grows with the length of the path, not with the branches.
/// O(length × beam × transitions within max_seconds). Deterministic. A beam that has room for all that come to a
/// stretch finds the best there is; a narrower one promises only that what it found costs what it says.
///
/// A label wanted on a stretch is kept to where it is a state; where it is an action (actions.h), it is performed from
/// its beginning to its end, at least once on the stretch, unless that would cost more than `skipped`. Only frames of
/// an action that is performed count as on its label.
///
/// The larger a graph, the more states a stretch needs to have the right one among them. So where a search does not
/// arrive, or comes by the path only roughly (`kGoodMean`, `kGoodMost`), it is done again with a wider beam, until it
/// is good, widening no longer helps, or the seconds are used up. Fails on paths that are none, when `progress` asks to
/// stop, and when nothing arrives, saying how far it looked.
Result<Followed> follow(const MotionGraph& graph, const take::TakeSet& motion, const FloorPath& path,
                        const FollowOptions& options = {}, const Progress& progress = {});

}  // namespace loom::graph
