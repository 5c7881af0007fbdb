// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>

#include <loom/base/math.h>
#include <loom/motion/body.h>
#include <loom/motion/skeleton.h>

namespace loom::motion {

struct TwoBoneOptions {
  /// A direction in the world the knee or elbow should point to. By default the limb bends in the plane it is bent in;
  /// one that is straight bends as a knee where its end has toes, towards them, and else as an elbow, backwards.
  std::optional<Vec3> pole;
  /// From this share of the limb's full length on the last bit of stretch is approached asymptotically, so that a
  /// knee never snaps straight. 1 switches the softening off.
  float soften_from = 1.0f;
  /// Up to this share of its length the limb comes as straight as it is wanted, wherever the softening begins: a motion
  /// that has it so straight is not to lose that.
  float straight_to = 0;
  /// The limb is bent no further, radians: ends wanted nearer together stay apart.
  float most_bent = kPi;
  /// The axis the limb bends about, in the frame of `limb.upper` (see Hinge). It then bends about it and the way it
  /// says even where it was bent the other way a little; without it the limb keeps to the way it is bent.
  std::optional<Vec3> hinge{};
};

/// Bends a limb so that its end joint comes to `target` (world, metres), by the law of cosines; closed form, no
/// iteration, no allocation. Only the local rotations of `limb.upper` and `limb.middle` change; the end joint keeps
/// its orientation in the world by changing its own rotation too. Unreachable targets are approached as far as the
/// limb goes. Returns the distance left in metres. `limb` must be complete; joints between its three (twist bones) keep
/// their rotations.
float solve_two_bone(const Skeleton& skeleton, const Limb& limb, Vec3 root, std::span<Quat> rotations, Vec3 target,
                     const TwoBoneOptions& options = {});

}  // namespace loom::motion
