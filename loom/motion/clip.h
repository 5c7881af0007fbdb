// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <loom/base/math.h>
#include <loom/base/result.h>
#include <loom/motion/skeleton.h>

namespace loom::motion {

/// A named stretch of a clip: "walk" from frame 0 up to, but not including, frame 80. Ranges may overlap.
struct Label {
  std::string name;
  std::size_t begin = 0;  ///< first frame
  std::size_t end = 0;    ///< one past the last frame; begin < end <= frames

  friend bool operator==(const Label&, const Label&) = default;
};

/// One pose: where the root is, and how every joint is turned relative to its parent.
struct Pose {
  Vec3 root;                    ///< metres
  std::vector<Quat> rotations;  ///< one unit quaternion a joint
};

/// A recorded or made motion: the currency of the whole library (Srinivasan 2009 §3.1, m(t) = (p0, q0, q1..n)).
///
/// Metres, Y up, right-handed, seconds. Frame f is at time f / rate. The frames are two flat arrays, so that a clip
/// is read, written and scanned at the speed of memory: (3 + 4 joints) floats a frame.
struct Clip {
  std::string name;
  std::shared_ptr<const Skeleton> skeleton;  ///< never null in a clip handed to or got from the library
  double rate = 30.0;                        ///< frames a second, positive and finite
  std::vector<Vec3> roots;                   ///< root translation, one a frame, metres
  std::vector<Quat> rotations;               ///< unit quaternions, frame after frame, joints() of them each
  std::vector<Label> labels;                 ///< in the order they were given

  [[nodiscard]] std::size_t frames() const { return roots.size(); }
  [[nodiscard]] std::size_t joints() const { return skeleton ? skeleton->size() : 0; }
  /// Seconds from the first frame to the last.
  [[nodiscard]] double duration() const { return frames() > 1 ? static_cast<double>(frames() - 1) / rate : 0.0; }
  [[nodiscard]] std::span<const Quat> pose(std::size_t frame) const {
    return {rotations.data() + frame * joints(), joints()};
  }
  [[nodiscard]] std::span<Quat> pose(std::size_t frame) { return {rotations.data() + frame * joints(), joints()}; }
};

/// Checks what every function here relies on: a skeleton, a usable rate, arrays of matching size, finite values,
/// quaternions of unit length (within 1e-3), labels within the clip. Says what is wrong, naming frame and joint.
Result<void> validate(const Clip& clip);

/// The pose of `clip` at `seconds`, as `resample` makes it, clamped to the clip's ends. The clip must have frames.
void sample_pose(const Clip& clip, double seconds, Pose& pose);

/// The clip at another rate, over the same stretch of time: root (Catmull and Rom 1974) and rotations (`turn_between`)
/// go along cubics, so that velocities are continuous and no made-up frame is smoother than its neighbours. Labels are
/// moved along. Fails on a rate that is not in [1, 1000] Hz. Down-sampling does not filter: capture is smooth below
/// 15 Hz.
Result<Clip> resample(const Clip& clip, double rate);

/// Frames [begin, end) of the clip, with the labels that reach into them. Fails on an empty or outside range.
Result<Clip> cut(const Clip& clip, std::size_t begin, std::size_t end);

/// One clip after the other in one. Each is moved on the floor so that it starts where the previous ends, in position
/// and heading; poses are not blended (a transition does that). The last frame of each and the first of the next
/// become one frame apart. Fails when skeletons or rates differ, saying how, or when there is nothing to join.
Result<Clip> join(std::span<const Clip> clips);

/// Makes every quaternion the nearer of `q` and `-q` to the one a frame before, so that the components are
/// continuous in time and may be filtered or compared directly.
void align_hemispheres(Clip& clip);

}  // namespace loom::motion
