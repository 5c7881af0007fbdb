// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include <loom/base/result.h>
#include <loom/motion/clip.h>

namespace loom::polish {

/// Where a clip can go round: the pose of frame `end` is like that of frame `begin`, and moves alike.
struct LoopEnds {
  std::size_t begin = 0, end = 0;  ///< both included
  double gap_m = 0;                ///< how far joints of the two lie apart, root mean square, metres
};

/// The ends that fit best, of stretches at least as long as half the clip and 0.3 s; of those nearly as good as the
/// best the longest, for somebody who asks for a loop wants to keep the motion. Poses are compared as seen from where
/// each stands, with their velocities. O(frames² × joints) up to 600 frames; longer clips are first looked at in
/// steps. Fails on a clip that is shorter than 0.4 s.
Result<LoopEnds> find_loop(const motion::Clip& clip);

/// The stretch between these ends, closed: its last pose is its first one, as seen from where each stands. What they
/// differ by is shared by both and dies away within 0.4 s, or half the stretch. Fails on ends that lie outside.
Result<motion::Clip> close_loop(const motion::Clip& clip, const LoopEnds& ends);

/// How far joints of the last pose lie from those of the first, as seen from where each stands: root mean square,
/// metres. 0 for a clip without frames.
double loop_gap_m(const motion::Clip& clip);

}  // namespace loom::polish
