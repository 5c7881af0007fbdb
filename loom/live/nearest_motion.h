// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <loom/base/math.h>
#include <loom/base/result.h>
#include <loom/character/human_body.h>
#include <loom/live/part_frame.h>
#include <loom/motion/clip.h>

namespace loom::live {

/// Recorded poses to complete others from: what a body did when its sensed parts were turned like this.
///
/// Poses are kept ten times a second as turns of parts from the T-pose, with the heading of the hips taken off. The
/// nearest is found by looking at all of them, and the one that comes next in the recording counts as a little nearer,
/// so that motion goes on rather than jumps (Slyper and Hodgins 2008 search in the same way). About 0.1 µs a pose and
/// sensed part.
class NearestMotion {
 public:
  /// The most poses that are kept; of more every n-th.
  static constexpr std::size_t kMostPoses = 8192;

  struct Cursor {
    std::size_t pose = 0;
    bool begun = false;
  };

  /// Clips of any bodies; those that are no humans are left out. Fails where nothing is left.
  static Result<NearestMotion> create(std::span<const motion::Clip> clips);

  [[nodiscard]] std::size_t poses() const { return starts_.size(); }
  /// The pose that is most like the parts `frame` tells of, all of them in a world in which the body looks along +Z but
  /// for what it turns. `cursor` says where it was before, and is moved on.
  [[nodiscard]] std::span<const Quat, character::kRoles> nearest(const PartFrame& frame, Cursor& cursor) const;

 private:
  std::vector<Quat> turns_;   ///< poses × roles
  std::vector<bool> starts_;  ///< the pose does not follow the one before
};

}  // namespace loom::live
