// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include <loom/base/math.h>
#include <loom/motion/kinematics.h>
#include <loom/polish/foot.h>

namespace loom::polish {

/// The axis a knee bends about by how legs are built, in the frame of the thigh, which is turned by `thigh` in the
/// world: by the skeleton at rest, or, where that is no pose of standing, so that the knee points where the foot does
/// now.
Vec3 natural_knee_axis(const Foot& foot, Vec3 hip, Vec3 knee, const FootPlace& place, Quat thigh);

/// `bend` without what bends the knee backwards, against `natural` (unit length, `natural_knee_axis`). Two legs blended
/// in mid-step, or a join that swings past a straight leg, can come out bent backwards; following that would turn the
/// whole leg over. A knee that is bent by more than 60 degrees is believed, for then the skeleton is no usual one.
Vec3 forward_bend(Vec3 bend, Vec3 natural);

/// The axis a knee bends about in one pose, in the frame of the thigh, where nothing is known of the poses around.
/// `now` is how its foot lies.
Vec3 knee_axis_in(const motion::Skeleton& skeleton, const Foot& foot, const FootPlace& now, Vec3 root,
                  std::span<const Quat> rotations);

/// The axis a knee bends about in every frame, in the frame of the thigh, unit length.
///
/// While a knee is well bent this is the axis it is bent about. A nearly straight leg shows no more than noise, and
/// there the axis is that of the frames around, of which the better bent count more. Bending a leg about these axes
/// never makes its knee swing sideways.
std::vector<Vec3> knee_axes(const motion::WorldPoses& poses, const Foot& foot, double rate);

}  // namespace loom::polish
