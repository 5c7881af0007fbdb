// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <loom/base/result.h>
#include <loom/blend/align/alignment_costs.h>
#include <loom/blend/align/registration.h>
#include <loom/compare/time_warp.h>
#include <loom/motion/clip.h>
#include <loom/motion/contacts.h>
#include <loom/motion/stream.h>

namespace loom::blend {

/// What a user holds of the time warp between two clips; what is not held is the best there is.
struct PairOptions {
  std::vector<compare::WarpCell> pins;    ///< frames that are to happen together, in the order of time
  std::optional<compare::WarpCell> from;  ///< where the warp begins, instead of at the first frames
  std::optional<compare::WarpCell> to;    ///< where it ends, instead of at the last
  /// Up to a third of the shorter clip may be left out at either end, of one clip or the other, where that makes a
  /// better match: for clips cut at different moments of a cycle. Not at an end that is held.
  bool free_ends = false;
  bool strokes = true;  ///< let marked strokes coincide
};

/// The time warp between two clips.
struct PairWarp {
  compare::WarpPath path;  ///< frames of the first clip (rows) and of the second (columns)
  /// Strokes the path was made to meet: the n-th of one clip with the n-th of the other. None where the clips have
  /// different numbers of them.
  std::vector<compare::WarpCell> strokes;
  RegistrationCurve curve;  ///< the path made smooth: seconds of the first clip to seconds of the second
};

/// Two clips to be aligned by hand and eye: the time-alignment tool (Srinivasan 2009 §5.2), without its window.
///
/// Costs are computed once; each warp on them takes about as long as `compare::find_warp` does, so it can be asked for
/// anew with every move of a mouse.
class PairAlignment {
 public:
  /// Fails on clips of different bodies, without two frames, or on a rate out of range.
  static Result<PairAlignment> create(const motion::Clip& first, const motion::Clip& second, double rate);

  [[nodiscard]] double rate() const { return clips_[0].rate; }
  /// The clips at that rate.
  [[nodiscard]] const motion::Clip& clip(std::size_t which) const { return clips_[which]; }
  [[nodiscard]] const compare::CostMatrix& costs() const { return costs_; }

  /// The warp with what the user holds. Strokes are met even where that takes a steeper slope than `find_warp` allows;
  /// without strokes, pins that ask for one are refused. Fails on pins outside the clips or out of order.
  [[nodiscard]] Result<PairWarp> warp(const PairOptions& options = {}) const;

  /// The second clip in the time of the first: each moment of it comes when the warp has it come.
  [[nodiscard]] motion::Recording retimed(const PairWarp& warp) const;
  /// The same as a stream, which needs the pair no longer.
  [[nodiscard]] std::unique_ptr<motion::MotionStream> retimed_stream(const PairWarp& warp) const;

 private:
  PairAlignment() = default;
  [[nodiscard]] std::vector<compare::WarpCell> matching_strokes() const;

  std::vector<motion::Clip> clips_;
  std::vector<motion::Contacts> contacts_;  ///< of each
  compare::CostMatrix costs_;
};

}  // namespace loom::blend
