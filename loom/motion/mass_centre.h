// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include <loom/base/math.h>
#include <loom/motion/body.h>
#include <loom/motion/kinematics.h>

namespace loom::motion {

/// Finds the centre of mass of single poses, without allocating: the mean of the body's segments weighted by their
/// share of the mass (Winter 2009 table 4.1).
class MassCentre {
 public:
  /// The body must have legs; other missing parts are left out.
  explicit MassCentre(const Body& body);

  /// Where it is in a pose whose points are at `positions` (`forward_kinematics`), metres.
  [[nodiscard]] Vec3 find(std::span<const Vec3> positions) const;

 private:
  /// A segment between two points, each the mean of two joints: mass a share of the body's, centred at `along` from the
  /// first to the second.
  struct Segment {
    int from_a, from_b, to_a, to_b;
    float mass, along;
  };
  void add_limb(const Limb& limb, float upper, float lower, float last);

  std::vector<Segment> segments_;
  float mass_ = 0;  ///< of all of them
};

/// Where the body's centre of mass is, one a frame, in metres: the mean of its segments weighted by their share of the
/// mass (Winter 2009 table 4.1). In flight it falls freely whatever the limbs do, which the hips do not. Empty when the
/// body has no legs; other missing parts are left out.
std::vector<Vec3> mass_centre(const WorldPoses& poses, const Body& body);

}  // namespace loom::motion
