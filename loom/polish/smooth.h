// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <loom/base/math.h>
#include <loom/base/result.h>
#include <loom/motion/clip.h>

namespace loom::polish {

/// The clip without what shakes faster than `cutoff_hz`: a Gaussian over time that leaves 1/√2 of what swings at the
/// cutoff, half at 1.4 times it and nearly nothing at three times it. Nothing comes later than it did (Winter 2009 §3.4
/// uses 6 Hz and a filter run both ways for the same reasons). Towards the ends of the clip the Gaussian gets narrower
/// on both sides alike, so that the first and the last pose stay, and what moves evenly stays everywhere.
///
/// O(frames × rate / cutoff). Fails on a cutoff that is not above zero.
Result<motion::Clip> smooth(const motion::Clip& clip, double cutoff_hz);

/// The clip on the spot: the way of the root along the floor is taken off, and what it sways about that way by stays.
/// The way is the root's own, smoothed over about a step. Feet slide, as they must; heights and turns stay.
motion::Clip in_place(const motion::Clip& clip);

/// Each value averaged with its neighbours by a Gaussian of `sigma` frames, narrower towards the ends: see `smooth`.
std::vector<Vec3> smoothed(const std::vector<Vec3>& values, double sigma);

}  // namespace loom::polish
