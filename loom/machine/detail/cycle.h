// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <loom/behavior/state_machine.h>
#include <loom/blend/align/alignment.h>
#include <loom/compare/cost_matrix.h>
#include <loom/motion/clip.h>
#include <loom/motion/contacts.h>

namespace loom::machine {

/// A stretch of a clip whose end is like its beginning: frames [begin, end]. The `fade` frames before its end go over
/// into those before its beginning.
struct Cycle {
  std::size_t begin = 0, end = 0, fade = 0;
  double cost = 0;  ///< mean distance of the frames that go over to those they become

  [[nodiscard]] std::size_t frames() const { return end - begin; }
};

struct CycleLimits {
  std::size_t least = 0, most = 0;  ///< frames of a cycle
  std::size_t fade = 0;
};

/// How much worse than the best a cycle may be and yet be taken, for being longer: a walk of several steps varies as
/// one step does not (Srinivasan 2009 §5.4.3).
double worse_but_longer(double best);

/// The longest of the cheapest cycles of a clip, given the distances of all its frames to each other; of several as
/// long the one that begins first. Nothing where the clip is too short. O(frames × most × fade).
std::optional<Cycle> find_cycle(const compare::CostMatrix& self, const CycleLimits& limits);

/// Motion that goes round.
struct ClosedMotion {
  motion::Clip clip;  ///< whose last frame has the pose of its first
  motion::Contacts contacts;
};

/// Plays `clip` from `knots.back().to` to `knots.back().from`, seconds, and lets its end go over into its beginning
/// along the warp from its end to its beginning (Srinivasan 2009 §5.4.2): a uniform blend of poses and of the way over
/// the floor. The knots must lie in the clip, and the warp end after its end's moment begins.
ClosedMotion close_cycle(const motion::Clip& clip, const motion::Contacts& contacts,
                         std::span<const behavior::WarpKnot> knots);

/// Brings the ends of aligned clips together, each clip's own: by what they differ, one half is given to the beginning
/// and one to the end, and dies away into the motion. Returns how much they differed: the mean squared distance of
/// joints over all clips, square metres.
double close_examples(std::vector<motion::Clip>& clips, const blend::Alignment& alignment);

}  // namespace loom::machine
