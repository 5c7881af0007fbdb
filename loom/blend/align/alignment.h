// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <loom/base/result.h>
#include <loom/blend/align/alignment_costs.h>
#include <loom/blend/align/registration.h>
#include <loom/motion/clip.h>
#include <loom/motion/contacts.h>

namespace loom::blend {

struct AlignOptions {
  compare::MetricKind metric = compare::MetricKind::kPointCloud;
  /// Marked strokes, seconds, one list a clip and all of one length: they are made to coincide (Huang 2012 §5.3.2).
  /// Empty: no clip has any.
  std::vector<std::vector<double>> strokes;
  /// How much faster a clip may run than the reference, at any moment; 1 to compare::kMaxWarpSlope. Between strokes
  /// that ask for more, time is stretched evenly.
  std::size_t max_slope = 3;
  /// Seconds that may be left out at the start and at the end of a clip, for clips that were cut at different moments
  /// of a cycle. 0 keeps all of every clip.
  double free_seconds = 0;
  bool match_contacts = true;            ///< let the plants of the same foot begin and end together
  std::optional<std::size_t> reference;  ///< chosen where not given
  /// The mean cost up to which a clip belongs to the others, in the unit of the distance; by default
  /// `default_max_cost`.
  std::optional<double> max_cost;
};

/// Beyond this clips do not belong together. Point clouds, 0.05 square metres: walks at all speeds and turns, captured
/// or sample, lie within 0.01 of their reference, reaches all round the body within 0.021, a walk and a run at 0.04, a
/// run and someone standing, ducking or picking something up at 0.10 to 0.14. Joint angles, 1.25 radians of weighted
/// half-angles: 0.37, 0.76, 1.1 and 1.7 to 2.0.
double default_max_cost(compare::MetricKind metric);

/// How a set of clips runs together: what moment of each belongs to a moment of the reference (Srinivasan 2009 §5.3).
struct Alignment {
  std::size_t reference = 0;
  double begin = 0, end = 0;  ///< the seconds of the reference that every clip has a moment for
  std::vector<RegistrationCurve>
      curves;                      ///< one a clip: reference seconds to the clip's own; the reference's is straight
  std::vector<double> costs;       ///< one a clip: mean cost along its warp to the reference; 0 for the reference
  std::vector<double> mean_costs;  ///< one a clip: of its warps to all others; empty when the reference was given
  std::vector<double> strokes;     ///< seconds of the reference
};

/// Aligns the clips. `contacts` has one entry a clip.
///
/// The reference is the clip that is closest to all others on average, by the mean cost of the time warps. The time
/// warp of each to it, anchored at the strokes, is smoothed into a registration curve that meets the strokes and, where
/// they agree, the moments at which feet come down and lift. O(clips² frames²).
///
/// Fails on fewer than two clips, clips of different bodies or rates, strokes outside a clip or of different number,
/// and on clips that do not belong together, naming the clip and its cost: warps too steep or too costly, or feet that
/// mostly stand in one clip while they are lifted in the other.
Result<Alignment> align(std::span<const motion::Clip> clips, std::span<const motion::Contacts> contacts,
                        const AlignOptions& options = {});

}  // namespace loom::blend
