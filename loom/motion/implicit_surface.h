// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <loom/base/math.h>

namespace loom::motion {

/// A soft tapered rod with round ends, wider along one direction than along the others: what a body is modelled from.
/// Its cross-section is an ellipse, `radius` everywhere but along `wide`, where it is `radius * widening`.
struct Blob {
  Vec3 a, b;                             ///< the ends of its axis, metres; may coincide
  float radius_a = 0, radius_b = 0;      ///< metres, positive
  Vec3 wide{1, 0, 0};                    ///< unit vector
  float widening_a = 1, widening_b = 1;  ///< above 1 wider, below 1 flatter along `wide`
  std::uint16_t joint = 0;               ///< the joint that carries it
  std::uint16_t group = 0;               ///< the part of the body it belongs to
};

/// Distance in metres from `p` to the surface of `blob`, negative inside; exact where it is round, near enough
/// elsewhere.
float distance_to(const Blob& blob, Vec3 p);

/// The distance to a body made of blobs. Blobs of one group, which must follow each other, are pieces of one rod of
/// changing thickness; groups flow into each other where they are less than `blend` metres apart (polynomial smooth
/// minimum, Quilez 2013).
float distance_to(std::span<const Blob> blobs, float blend, Vec3 p);

/// A triangle surface without anything else.
struct Surface {
  std::vector<Vec3> positions;
  std::vector<Vec3> normals;             ///< unit length, outward
  std::vector<std::uint32_t> triangles;  ///< three indices each, counter-clockwise seen from outside
};

/// The surface of that body on a grid of `cell` metres (surface nets, Gibson 1998), its vertices then moved onto it.
/// Closed. Features thinner than a cell are lost. O(blobs × cells near them).
Surface surface_of(std::span<const Blob> blobs, float blend, float cell);

}  // namespace loom::motion
