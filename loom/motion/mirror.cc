// SPDX-License-Identifier: MIT
#include <algorithm>

#include <loom/base/whole.h>
#include <loom/motion/body.h>
#include <loom/motion/kinematics.h>
#include <loom/motion/label_ranges.h>
#include <loom/motion/mirror.h>
#include <loom/motion/mirror_frames.h>

namespace loom::motion {
namespace {

constexpr float kAlike = 0.001f;     ///< metres by which the sides of a body may differ and count as alike
constexpr float kLeastTrunk = 0.1f;  ///< metres from hip to shoulder; shorter, there is no trunk to be beside

/// Swings the arms of mirrored poses so that hands are where the mirror shows them beside the body.
class Arms {
 public:
  Arms(const Clip& clip, const Body& body) : clip_(clip), body_(body) {}

  [[nodiscard]] bool complete() const {
    return body_.has_legs() && body_.left_arm.complete() && body_.right_arm.complete();
  }
  void swing(std::size_t frame, Clip& mirrored) const {
    aim(frame, body_.right_arm, body_.right_leg, body_.left_arm, body_.left_leg, mirrored);
    aim(frame, body_.left_arm, body_.left_leg, body_.right_arm, body_.right_leg, mirrored);
  }

 private:
  static Vec3 place(const Clip& clip, std::size_t frame, int joint) {
    return joint_frame(*clip.skeleton, joint, clip.roots[frame], clip.pose(frame)).position;
  }
  [[nodiscard]] Vec3 seen(std::size_t frame, int joint) const {
    const Vec3 at = place(clip_, frame, joint);
    return {-at.x, at.y, at.z};
  }

  /// An arm points to where the mirror shows the hand of the other. Beside the shoulder that is as far from it as the
  /// hand was, beside the hip from that, and in between from what lies between. Elbows stay bent as they are: arms may
  /// differ by centimetres in length, which would bend a straight one for all to see.
  void aim(std::size_t frame, const Limb& from_arm, const Limb& from_leg, const Limb& arm, const Limb& leg,
           Clip& mirrored) const {
    const Vec3 shoulder = seen(frame, from_arm.upper), hip = seen(frame, from_leg.upper);
    const Vec3 hand = seen(frame, from_arm.end), trunk = shoulder - hip;
    if (length(trunk) < kLeastTrunk) return;
    const JointFrame upper = joint_frame(*mirrored.skeleton, arm.upper, mirrored.roots[frame], mirrored.pose(frame));
    const Vec3 by_shoulder = upper.position - shoulder, by_hip = place(mirrored, frame, leg.upper) - hip;
    const float up = std::clamp(dot(hand - hip, trunk) / dot(trunk, trunk), 0.0f, 1.0f);
    const Vec3 is = place(mirrored, frame, arm.end) - upper.position;
    const Vec3 wanted = hand + lerp(by_hip, by_shoulder, up) - upper.position;
    if (length(is) < kAlike || length(wanted) < kAlike) return;
    Quat& local = mirrored.pose(frame)[index(arm.upper)];
    local = normalized(local * conjugate(upper.rotation) * rotation_between(is, wanted) * upper.rotation);
  }

  const Clip& clip_;
  const Body& body_;
};

}  // namespace

Result<Clip> mirror(const Clip& clip) {
  const Result<MirrorFrames> frames = find_mirror_frames(*clip.skeleton);
  if (!frames) return fail_from(frames);
  const std::vector<Quat>& turns = frames->turns;
  constexpr Quat kWorld{0, 1, 0, 0};  // of the mirror in the plane x = 0, as those of the joints
  const Body body = find_body(*clip.skeleton);
  const Arms arms(clip, body);
  const bool alike = frames->miss < kAlike || !arms.complete();
  Clip mirrored = clip;
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    mirrored.roots[f].x = -clip.roots[f].x;
    for (std::size_t j = 0; j < clip.joints(); ++j) {
      const int parent = clip.skeleton->joint(j).parent;
      const Quat before = j == 0 ? kWorld : turns[static_cast<std::size_t>(parent)];
      mirrored.pose(f)[static_cast<std::size_t>(frames->pairs[j])] =
          normalized(conjugate(before) * clip.pose(f)[j] * turns[j]);
    }
    if (!alike) arms.swing(f, mirrored);
  }
  mirrored.labels = mirror_labels(clip.labels);
  return mirrored;
}

}  // namespace loom::motion
