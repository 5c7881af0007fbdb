// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include <loom/motion/body.h>
#include <loom/motion/kinematics.h>

namespace loom::motion {

/// A knee or an elbow: it bends about one axis, and one way only.
struct Hinge {
  Limb limb;
  Vec3 axis;  ///< unit length, in the frame of `limb.upper`; turning the second bone by a positive angle about it bends
              ///< the limb as such limbs do
};

/// Whether the rest pose is one of standing: both legs hang down in it. Where local frames follow the bones the offsets
/// draw no pose at all; then only motion tells how a body is built.
bool stands_at_rest(const Skeleton& skeleton, const Body& body);

/// The axis on which a limb bends, by the skeleton at rest: a knee so that it points to the toes, an elbow so that it
/// points backwards. In the frame of `limb.upper`, unit length. `limb` must be complete. Without meaning unless the
/// body `stands_at_rest`.
Vec3 hinge_axis_at_rest(const Skeleton& skeleton, const Body& body, const Limb& limb);

/// Left knee, right knee, left elbow, right elbow.
inline constexpr std::size_t kHinges = 4;
inline constexpr std::size_t kKnees = 2;
using Hinges = std::array<std::optional<Hinge>, kHinges>;

/// The hinges of a body, as far as it has them, with the axis each bends about in `poses`: bodies are not built on the
/// axes of their skeletons. A motion that never bends a joint well, or that bends it another way than a body can, has
/// no say; then it is the axis at rest, unless the body does not stand at rest.
Hinges find_hinges(const Skeleton& skeleton, const WorldPoses& poses);

/// How far the limb is bent in one frame, radians: 0 straight, negative where it bends the wrong way.
float signed_bend(const WorldPoses& poses, std::size_t frame, const Hinge& hinge);

}  // namespace loom::motion
