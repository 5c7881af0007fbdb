// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <loom/base/math.h>
#include <loom/motion/clip.h>
#include <loom/motion/contacts.h>
#include <loom/motion/ground_frame.h>
#include <loom/motion/kinematics.h>
#include <loom/picture/drawing.h>
#include <loom/picture/figure.h>

namespace loom::picture {

/// A clip with everything that drawing it needs: the figure, where its joints are, its ground frames and contacts.
struct Performance {
  const motion::Clip* clip = nullptr;
  Figure figure;
  motion::WorldPoses poses;
  std::vector<motion::GroundFrame> ground;   ///< one a frame
  std::optional<motion::Contacts> contacts;  ///< none where the skeleton has no recognisable feet
  motion::Floor floor;                       ///< from the contacts, else level with the lowest point there is

  /// Where the figure's anchors are in `frame`.
  [[nodiscard]] std::vector<Vec3> anchors(std::size_t frame) const;
  /// The point of the floor below or above `p`.
  [[nodiscard]] Vec3 on_floor(Vec3 p) const { return {p.x, floor.at(p), p.z}; }
};

/// Makes `clip` (valid, at least one frame; must outlive the result) ready to be drawn. `contacts` are the clip's own
/// where they are known; otherwise they are found.
Performance prepare(const motion::Clip& clip, const motion::Contacts* contacts = nullptr);

/// A parallel view of the stage: three axes of the world on the paper.
struct Camera {
  Vec3 right{1, 0, 0}, up{0, 1, 0}, toward{0, 0, 1};  ///< unit vectors; `toward` points at the viewer
  Vec3 target;                                        ///< the point of the world that lies at `centre`
  Point centre;
  float scale = 100;  ///< pixels a metre

  [[nodiscard]] Point project(Vec3 p) const {
    const Vec3 d = p - target;
    return {centre.x + scale * dot(d, right), centre.y - scale * dot(d, up)};
  }
  [[nodiscard]] float depth(Vec3 p) const { return dot(p - target, toward); }
};

/// From where a figure is seen.
enum class View { kSide, kFront, kTop };

/// The axes of a camera that sees a body facing `heading` (radians, as in GroundFrame) from its right side, walking to
/// the right; from the front; or from above, walking to the right. `pitch` raises the camera above the horizon.
Camera look(View view, float heading, float pitch = 0);

/// Draws the figure with its anchors at `anchors`: parts far from the viewer paler, groups painted back to front,
/// each with a thin halo of paper so that a limb stands out before another. `fade` in [0, 1] pales it all.
void draw_figure(Drawing& drawing, const Figure& figure, const std::vector<Vec3>& anchors, const Camera& camera,
                 float fade = 0);

/// Draws the shadow the performer casts on the floor under light from straight above.
void draw_shadow(Drawing& drawing, const Performance& performance, const std::vector<Vec3>& anchors,
                 const Camera& camera, Color color);

/// A footprint: where a sole was while it stood.
struct Footprint {
  Vec3 heel, toe;  ///< on the floor
  Side side = Side::kMiddle;
};

/// The footprints of a performance in order of time: one for each stand of a foot, and another wherever the foot has
/// moved or turned on the floor since. Empty without contacts.
std::vector<Footprint> find_footprints(const Performance& performance);

void draw_footprint(Drawing& drawing, const Footprint& print, const Camera& camera, float alpha = 0.55f);

}  // namespace loom::picture
