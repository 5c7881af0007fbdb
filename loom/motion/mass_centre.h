// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <loom/base/math.h>
#include <loom/motion/body.h>
#include <loom/motion/kinematics.h>

namespace loom::motion {

/// Where the body's centre of mass is, one a frame, in metres: the mean of its segments weighted by their share of the
/// mass (Winter 2009 table 4.1). In flight it falls freely whatever the limbs do, which the hips do not. Empty when the
/// body has no legs; other missing parts are left out.
std::vector<Vec3> mass_centre(const WorldPoses& poses, const Body& body);

}  // namespace loom::motion
