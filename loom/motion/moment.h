// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include <loom/base/math.h>
#include <loom/motion/clip.h>

namespace loom::motion {

/// The pose of `clip` at a moment between two frames, clamped to those it has: fills in one rotation a joint and
/// returns the root's place. Poses lie on a cubic through the frames around it; rotations are mixed as quaternions of
/// one hemisphere and brought back to unit length. Allocates nothing: what plays recordings reads them with this.
Vec3 pose_at(const Clip& clip, double frame, std::span<Quat> rotations);

}  // namespace loom::motion
