// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/compare/metric.h>
#include <loom/graph/motion_graph.h>
#include <loom/graph/prune.h>
#include <loom/graph/stored_graph.h>
#include <loom/library/library.h>
#include <loom/motion/hand_contacts.h>
#include <loom/take/gather.h>

namespace loom::compare {
class PairEngine;
}

namespace loom::graph {

/// The parameters of the distances. As they are here, graphs are what they always were at 30 frames a second; in
/// seconds, so that another rate is the same metric.
struct MetricOptions {
  /// Of point clouds: the window a cloud is taken over (2L + 1 frames, Zhao 2009 eq. 3.2).
  double window_seconds = 1.0 / 3.0;
  double gaussian_seconds = 0;  ///< standard deviation of the Gaussian over it; 0: a quarter of the window
  /// Of joint angles: omega of Srinivasan 2009 eq. 3.1, radians a metre a second of the root.
  double velocity_weight = 0.2;
  /// The same for how fast joints turn (Zhao 2009 eq. 3.1, Srinivasan 2009 eq. A.1), see compare/joint_angles.h.
  double joint_velocity_weight = 0;
  /// Of both: all joints alike, in place of the fitted weights (compare/joint_weights.h).
  bool uniform_weights = false;
  std::map<std::string, double> joint_weights;  ///< of joints by name, in place of what they would weigh

  friend bool operator==(const MetricOptions&, const MetricOptions&) = default;
};

/// A distance of point clouds, square metres, as how far markers are apart on average in centimetres; and back.
double centimetres_of(double square_metres);
double square_metres_of(double centimetres);

struct BuildOptions {
  compare::MetricKind comparison = compare::MetricKind::kPointCloud;
  MetricOptions metric;
  std::optional<double> threshold;  ///< largest distance of a transition; not given: chosen for `connect`
  double connect = 0.9;  ///< share of all frames the graph is to keep, where no threshold is given and as far
                         ///< as transitions stay smooth
  double sigma = 0;      ///< of the cost (eq. 3.3); 0 takes the threshold, so that costs spread over [0, 0.63]
  /// Compare only frames of one cluster, so many for each way of standing (Zhao 2009 §3.2, compare/clusters.h): finds
  /// fewer transitions, and pays for sets of hundreds of thousands of frames. 0: compare all with all. Of point clouds.
  std::size_t clusters = 0;
  /// Compare only frames in which one foot passes the other (Huang 2012 §6.3, foot_crossings.h): of motion that walks,
  /// hundreds of times fewer pairs. Of point clouds, and not together with clusters.
  bool foot_crossings = false;
  bool match_stance = false;           ///< no transition between a stance on the left foot and one on the right
  double min_gap_seconds = 1.0 / 3.0;  ///< frames of one clip nearer in time than this are not compared
  /// Who compares, where frames are not chosen beforehand; null: this machine's processor. The graph is the same.
  const compare::PairEngine* engine = nullptr;
  motion::HandContactOptions hands;  ///< where asked for, no transition between frames whose hands touch differently
};

/// A finished build and what it cost.
struct Built {
  MotionGraph graph;
  std::vector<SimilarPair> pairs;    ///< all that were found, beyond the threshold too: what `explain` can tell from
  std::size_t frames = 0;            ///< compared
  double share_reached = 0;          ///< of all frames
  double pairs_per_second = 0;       ///< of comparing
  std::uint64_t pairs_compared = 0;  ///< in the last pass over all pairs
  std::uint64_t pairs_skipped = 0;   ///< there, since a lower bound kept them apart
  std::string on;                    ///< who compared: "cpu", "cuda" or, on a cluster, "cpu+cuda"
  std::string why_not_the_card;      ///< where a card might have compared and did not: in words
  double seconds = 0;                ///< of the whole build
  std::size_t peak_memory_bytes = 0;
};

/// Builds a graph of the motion in `source` (Zhao 2009 §3.2). Compares all frames with all, keeps local minima, and of
/// what is connected the largest strongly connected component.
///
/// Fails on parameters that make no sense or name joints the body lacks, when nothing is left, saying what threshold
/// would leave something, and when `progress` asks to stop.
Result<Built> build(const take::Gathered& source, const BuildOptions& options, const Progress& progress = {});

/// Stores a graph and its pairs under `name`, in place of what was there, in one transaction.
Result<void> store(library::Library& library, const std::string& name, const Built& built, const take::Gathered& source,
                   const std::string& parameters);

/// The similar pairs a stored graph was chosen from. Fails when they are damaged or do not belong to `graph`.
Result<std::vector<SimilarPair>> load_pairs(const library::Library& library, const std::string& name,
                                            const MotionGraph& graph);

}  // namespace loom::graph
