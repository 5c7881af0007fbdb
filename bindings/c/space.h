// SPDX-License-Identifier: MIT
#pragma once

#include <loom/base/math.h>
#include <loom/character/bone_body.h>
#include <loom/motion/ground_frame.h>

#include "bindings/c/motionloom.h"

namespace loom::c {

/// The axes and units of a program: a signed permutation of ours and a scale.
///
/// A turn keeps its angle and its axis is carried along, the other way round where the space is left-handed. Headings
/// are turns to the left in every space.
class Space {
 public:
  explicit Space(loom_space which = LOOM_SPACE_LOOM) : which_(which) {}

  [[nodiscard]] static bool is_known(loom_space which) {
    return which >= LOOM_SPACE_LOOM && which <= LOOM_SPACE_UNREAL;
  }

  /// Ours as theirs.
  [[nodiscard]] loom_vector vector(Vec3 v) const {
    const Vec3 t = axes(v) * units();
    return {t.x, t.y, t.z};
  }
  [[nodiscard]] loom_quaternion turn(Quat q) const {
    const Vec3 axis = axes({q.x, q.y, q.z}) * hand();
    return {axis.x, axis.y, axis.z, q.w};
  }
  [[nodiscard]] loom_transform transform(const character::BonePose& pose) const {
    return {vector(pose.position), turn(pose.rotation)};
  }
  [[nodiscard]] loom_place place(const motion::GroundFrame& frame) const {
    return {vector(frame.position()), frame.heading};
  }

  /// Theirs as ours.
  [[nodiscard]] Vec3 vector(loom_vector v) const { return back({v.x, v.y, v.z}) / units(); }
  [[nodiscard]] Quat turn(loom_quaternion q) const {
    const Vec3 axis = back({q.x, q.y, q.z}) * hand();
    return {q.w, axis.x, axis.y, axis.z};
  }
  [[nodiscard]] character::BonePose transform(const loom_transform& t) const {
    return {vector(t.position), turn(t.rotation)};
  }
  [[nodiscard]] motion::GroundFrame place(const loom_place& place) const {
    const Vec3 at = vector(place.position);
    return {at.x, at.z, wrap_angle(place.heading)};
  }

 private:
  [[nodiscard]] Vec3 axes(Vec3 v) const {
    switch (which_) {
      case LOOM_SPACE_UNITY:
        return {-v.x, v.y, v.z};
      case LOOM_SPACE_UNREAL:
        return {v.z, -v.x, v.y};
      default:
        return v;
    }
  }
  [[nodiscard]] Vec3 back(Vec3 v) const {
    switch (which_) {
      case LOOM_SPACE_UNITY:
        return {-v.x, v.y, v.z};
      case LOOM_SPACE_UNREAL:
        return {-v.y, v.z, v.x};
      default:
        return v;
    }
  }
  [[nodiscard]] float units() const { return which_ == LOOM_SPACE_UNREAL ? 100.0f : 1.0f; }
  [[nodiscard]] float hand() const { return which_ == LOOM_SPACE_LOOM ? 1.0f : -1.0f; }

  loom_space which_;
};

}  // namespace loom::c
