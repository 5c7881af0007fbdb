// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <loom/motion/ground_frame.h>
#include <loom/plan/action_space.h>
#include <loom/plan/weight_path.h>
#include <loom/plan/weight_search.h>
#include <loom/world/world.h>

namespace loom::plan {

/// Middles of spheres that fill what stands within reach of somebody at `stand` (Huang 2012 §7.7), in the world; of
/// meshes points of their surface.
std::vector<Vec3> sphere_middles(const world::World& world, const motion::GroundFrame& stand, double seconds);

/// The potential of collision of poses, to be made less by changing their weights: the sum over spheres and points of
/// the body of a Gaussian of their distance (§7.7). The work looks at the end of the arm alone; here points lie all
/// along both arms and up the back to the head.
class CollisionPotential {
 public:
  CollisionPotential(const ActionSpace& space, std::vector<Vec3> spheres, const motion::GroundFrame& stand);

  /// Changes the weights of a slice along the falling potential until the pose is free; false where it gets stuck.
  bool push_out(std::size_t slice, const IsFree& is_free, std::vector<float>& weights) const;

 private:
  const ActionSpace& space_;
  std::vector<Vec3> spheres_;  ///< seen from where the action begins
  /// A point of the body: `offset` in the frame of a joint.
  struct BodyPoint {
    int joint = -1;
    Vec3 offset;
  };
  std::vector<BodyPoint> points_;
};

/// Finds weights over time that are free from slice `first` to slice `last`, as `search_weights` does, by pushing the
/// slices that are not free out of obstacles one after the other (PF-InvBld, Huang 2012 §7.7). Empty where one gets
/// stuck, or what lies between two is not free.
std::vector<WeightNode> push_way_out(const CollisionPotential& potential, std::size_t first, std::size_t last,
                                     std::span<const float> wanted, const IsFree& is_free);

}  // namespace loom::plan
