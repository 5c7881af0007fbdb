// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <loom/base/math.h>
#include <loom/base/result.h>
#include <loom/motion/clip.h>
#include <loom/motion/ground_frame.h>

namespace loom::compare {

/// Where a frame of a `FrameSet` comes from.
struct FrameAddress {
  std::size_t clip = 0;   ///< index into the clips the set was made of
  std::size_t frame = 0;  ///< within that clip
};

/// All frames of some clips on one skeleton, one clip after the other, in flat arrays: what the distances read.
///
/// A frame of the set is called by one number in [0, frames()); clip c owns [starts[c], starts[c + 1]). Mirrored
/// copies are simply more clips. (28 joints + 12) bytes a frame.
struct FrameSet {
  std::shared_ptr<const motion::Skeleton> skeleton;
  double rate = 0;                          ///< frames a second, the same for all clips
  std::vector<std::size_t> starts;          ///< clips() + 1 entries, ascending, from 0 to frames()
  std::vector<Vec3> positions;              ///< frames × joints, in the world of each clip, metres
  std::vector<Quat> rotations;              ///< frames × joints, relative to the parent
  std::vector<motion::GroundFrame> ground;  ///< one a frame: where the body stands and faces

  [[nodiscard]] std::size_t frames() const { return ground.size(); }
  [[nodiscard]] std::size_t joints() const { return skeleton ? skeleton->size() : 0; }
  [[nodiscard]] std::size_t clips() const { return starts.empty() ? 0 : starts.size() - 1; }
  [[nodiscard]] const Vec3& position(std::size_t frame, std::size_t joint) const {
    return positions[frame * joints() + joint];
  }
  [[nodiscard]] const Quat& rotation(std::size_t frame, std::size_t joint) const {
    return rotations[frame * joints() + joint];
  }
  /// Which clip and which of its frames `frame` is. O(log clips).
  [[nodiscard]] FrameAddress address(std::size_t frame) const;
  /// The inverse of `address`.
  [[nodiscard]] std::size_t frame_at(FrameAddress at) const { return starts[at.clip] + at.frame; }
};

/// Lays the frames of `clips` out for comparing. Fails on no clips, an invalid clip, a clip of another rate or body
/// (named, with what differs), or more than 2^31 frames. O(frames × joints).
Result<FrameSet> make_frame_set(std::span<const motion::Clip> clips);

}  // namespace loom::compare
