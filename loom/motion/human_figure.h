// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include <loom/motion/body.h>
#include <loom/motion/implicit_surface.h>

namespace loom::motion {

/// A rod with round ends from `a` to `b`, carried by one joint.
struct Rod {
  Vec3 a, b;  ///< metres; may coincide: then it is a ball
  float radius_a = 0, radius_b = 0;
  std::uint16_t joint = 0;
};

/// A human figure around a skeleton, modelled in a pose of its own: upright, facing +Z, arms half raised, so that limbs
/// lie apart whatever pose the skeleton rests in.
struct HumanFigure {
  std::vector<Blob> blobs;
  std::vector<Rod> rods;        ///< fingers, too thin for the blobs' grid; in the rest pose
  std::vector<Vec3> positions;  ///< of the joints in that pose
  std::vector<Quat> turns;      ///< of the joints, from the rest pose to that pose, in the world
  std::vector<bool> covered;    ///< joints that the blobs show, or that have nothing to show
  float scale = 1;              ///< 1 for an adult of 1.75 m; lengths of the figure follow it
};

/// Models the figure; nothing where the body lacks legs or anything above the hips.
///
/// Thickness comes from average proportions of an adult, lengths and widths from the bones: a figure fits its skeleton
/// from child to giant. Arms, hands, neck and head are optional.
std::optional<HumanFigure> make_figure(const Skeleton& skeleton, const Body& body);

}  // namespace loom::motion
