// SPDX-License-Identifier: MIT
#include <loom/motion/turn_between.h>

namespace loom::motion {

Quat turn_between(Quat a, Quat b, Vec3 at_a, Vec3 at_b, float t) {
  const Vec3 first = (1.0f / 3) * at_a, last = (1.0f / 3) * at_b;
  // What is left to turn between the two ends.
  const Vec3 middle = log_vector(exp_vector(-first) * conjugate(a) * b * exp_vector(-last));
  const float rest = 1 - t;
  const float in_first = 1 - rest * rest * rest, in_middle = t * t * (3 - 2 * t), in_last = t * t * t;
  return normalized(a * exp_vector(in_first * first) * exp_vector(in_middle * middle) * exp_vector(in_last * last));
}

}  // namespace loom::motion
