// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <loom/base/result.h>
#include <loom/compare/cost_matrix.h>
#include <loom/compare/point_cloud.h>
#include <loom/compare/similar_pair.h>
#include <loom/motion/stream.h>
#include <loom/play/segment_player.h>
#include <loom/take/take_set.h>

namespace loom::graph {

/// The change from one clip to another, as a graph would play it.
struct PairTransition {
  motion::Recording motion;
  std::size_t change = 0;  ///< the first of its frames that is taken from the second clip
  double distance = 0;     ///< of the two frames, square metres
};

/// Two clips against each other, the way a graph compares its clips: on one floor, at one rate, by point clouds
/// (Kovar 2002 §3.1; Zhao 2009 §3.2). To look into a pair before building a graph, or to see why one has no transition.
class ClipPair {
 public:
  /// Fails on clips of different bodies, one shorter than the window of comparison, or a rate out of range.
  static Result<ClipPair> create(motion::Clip from, motion::Clip to, double rate);

  [[nodiscard]] double rate() const { return motion_->clips[0].rate; }
  /// Frames of the first clip (0) or the second (1), at that rate.
  [[nodiscard]] std::size_t frames(std::size_t which) const { return motion_->clips[which].frames(); }

  /// The distance of frame `i` of the first clip from frame `j` of the second, square metres; infinite near the ends of
  /// a clip, where none is defined, and beyond them.
  [[nodiscard]] double distance(std::size_t i, std::size_t j) const;
  /// All of them, rows of the first clip: 4 bytes a cell, 0.35 ms for 300 × 300 frames.
  [[nodiscard]] Result<compare::CostMatrix> distances() const;

  /// The way from frame `i` of the first clip over to frame `j` of the second, with `lead_seconds` before and after.
  /// Fails where no distance is defined.
  [[nodiscard]] Result<PairTransition> transition(std::size_t i, std::size_t j, double lead_seconds = 1.5) const;

 private:
  ClipPair() = default;
  [[nodiscard]] bool comparable(std::size_t which, std::size_t frame) const;

  std::shared_ptr<take::TakeSet> motion_;
  std::shared_ptr<const compare::FrameSet> set_;
  std::shared_ptr<const compare::PointCloud> metric_;
};

/// The cells no neighbour of which is below them: where a graph would put its transitions. Neither cells of distance
/// zero (a frame and itself) nor those at the edge of what is defined. `a` is the row, of the first clip, `b` the
/// column. Nearest first, `most` of them at most. O(cells).
std::vector<compare::SimilarPair> local_minima(const compare::CostMatrix& distances, std::size_t most);

}  // namespace loom::graph
