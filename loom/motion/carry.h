// SPDX-License-Identifier: MIT
#pragma once

#include <loom/base/math.h>
#include <loom/motion/ground_frame.h>

namespace loom::motion {

/// A pose carried by `by`: its root is moved and turned, and with it the whole body.
inline void carry(const GroundFrame& by, Vec3& root, Quat& root_rotation) {
  root = transform(by, root);
  root_rotation = normalized(by.rotation() * root_rotation);
}

}  // namespace loom::motion
