// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <loom/base/math.h>
#include <loom/motion/kinematics.h>
#include <loom/polish/foot.h>

namespace loom::polish {

/// The axis a knee bends about in every frame, in the frame of the thigh, unit length.
///
/// While a knee is well bent this is the axis it is bent about. A nearly straight leg shows no more than noise, and
/// there the axis is that of the frames around, of which the better bent count more. Bending a leg about these axes
/// never makes its knee swing sideways.
std::vector<Vec3> knee_axes(const motion::WorldPoses& poses, const Foot& foot, double rate);

}  // namespace loom::polish
