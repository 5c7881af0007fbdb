// SPDX-License-Identifier: MIT
#pragma once

#include <loom/motion/clip.h>
#include <loom/motion/contacts.h>

namespace loom::motion {

/// How the world grows with the legs: everything is scaled about the point of the floor below the origin.
struct Similarity {
  float scale = 1;
  float floor = 0;  ///< height of the floor, which stays where it is; metres

  [[nodiscard]] float height(float y) const { return floor + (y - floor) * scale; }
  [[nodiscard]] Vec3 operator()(Vec3 p) const { return {p.x * scale, height(p.y), p.z * scale}; }
};

/// Plants the feet of `after`, which is `before` on a body of other proportions in a world grown by `grow`, where they
/// were planted on the old one. Only legs and the height of the root change. Both bodies have legs and feet, both clips
/// the same frames, and `contacts` are those of `before`. Returns how far a foot had to be moved at most, in metres.
///
/// A foot planted before moves just as it moved there (which is hardly), stays as high above the floor as there, and
/// between plants eases back to where its rotations put it (after Kovar 2002b, footskate cleanup). The root rises and
/// sinks a little, smoothly, so that knees stay as bent as they were. O(frames × joints).
float replant_feet(const Clip& before, const Contacts& contacts, const Similarity& grow, Clip& after);

}  // namespace loom::motion
