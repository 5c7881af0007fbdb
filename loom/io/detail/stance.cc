// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include <loom/base/whole.h>
#include <loom/io/detail/stance.h>
#include <loom/motion/body.h>
#include <loom/motion/hinges.h>
#include <loom/motion/kinematics.h>

namespace loom::io {
namespace {

constexpr std::size_t kStanceFrames = 60;  // frames looked at
constexpr float kAligned = 0.98f;          // cosine to an axis of its joint from which a bone lies along it
constexpr float kHanging = 0.7f;           // cosine to the body's axis from which a leg hangs down along it
constexpr float kFollows = 60 * kDegree;   // that a joint is turned on average which follows the one above at rest
constexpr float kBends = 0.1f;             // mean sine from which a knee or an elbow tells its axis
constexpr float kHeldOut = 0.85f;          // cosine to the side of an arm that is held out
constexpr float kMeasured = 20 * kDegree;  // that left and right of a T-pose differ, drawn as a performer was measured
constexpr float kMirrored = 5 * kDegree;   // that left and right of a true rest pose differ at most
constexpr float kAnkleAboveToe = 0.07f;    // leg lengths, in a foot flat on the floor (Winter 2009: about 0.06)
constexpr float kSteepestFoot = 60 * kDegree;

/// The 24 turns that carry axes to axes.
std::vector<Quat> quarter_turns() {
  std::vector<Quat> turns;
  const std::array<Vec3, 3> axes = {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};
  for (int x = 0; x < 3; ++x) {
    for (int y = 0; y < 3; ++y) {
      if (x == y) continue;
      for (const float sign_x : {1.0f, -1.0f}) {
        for (const float sign_y : {1.0f, -1.0f}) {
          const Vec3 to_x = axes[index(x)] * sign_x, to_y = axes[index(y)] * sign_y;
          turns.push_back(from_axes(to_x, to_y, cross(to_x, to_y)));
        }
      }
    }
  }
  return turns;
}

/// The axes of a body that stands somehow: left, up and ahead.
std::optional<Quat> body_axes(Vec3 up, Vec3 left) {
  up = normalized(up, {});
  left = normalized(left - dot(left, up) * up, {});
  if (!(length(up) > 0) || !(length(left) > 0)) return std::nullopt;
  return from_axes(left, up, cross(left, up));
}

/// A bone of a limb, where it has to point at rest.
struct Aim {
  Vec3 bone;    ///< in its joint's frame
  Vec3 axis;    ///< nearest axis of the body
  Vec3 toward;  ///< where exactly
};

class StanceFinder {
 public:
  explicit StanceFinder(RawMotion& raw) : raw_(raw), turns_(quarter_turns()) {}

  /// Whether this is a human with a rest pose that stands; also true of what is no human.
  bool has_rest() {
    const auto drawn = look();
    return !drawn || is_true_rest(*drawn);
  }

  bool make_rest() {
    if (!look() || !set_aims()) return false;
    std::vector<Quat> before;
    for (const RawJoint& joint : raw_.joints) before.push_back(joint.rest);
    turn_joints();
    const auto made = skeleton_at_rest();
    if (made && is_true_rest(*made)) return true;
    for (std::size_t j = 0; j < before.size(); ++j) raw_.joints[j].rest = before[j];
    return false;
  }

 private:
  /// The body at rest, where it is a human.
  std::optional<motion::Skeleton> look() {
    auto drawn = skeleton_at_rest();
    if (!drawn) return std::nullopt;
    body_ = motion::find_body(*drawn);
    top_ = body_.head >= 0 ? body_.head : body_.neck;
    const bool human = body_.has_legs() && body_.left_arm.complete() && body_.right_arm.complete() && top_ >= 0;
    if (!human) return std::nullopt;
    return drawn;
  }

  /// The body as its rest rotations draw it.
  [[nodiscard]] std::optional<motion::Skeleton> skeleton_at_rest() const {
    std::vector<motion::Joint> joints;
    std::vector<motion::EndSite> sites = raw_.end_sites;
    std::vector<Quat> world(raw_.joints.size());
    for (std::size_t j = 0; j < world.size(); ++j) {
      const RawJoint& joint = raw_.joints[j];
      const Quat before = j == 0 ? Quat{} : world[index(joint.parent)];
      world[j] = normalized(before * joint.rest);
      joints.push_back({joint.name, joint.parent, j == 0 ? Vec3{} : rotate(before, joint.offset)});
    }
    for (motion::EndSite& site : sites) site.offset = rotate(world[index(site.joint)], site.offset);
    auto skeleton = motion::Skeleton::create(std::move(joints), std::move(sites));
    if (!skeleton) return std::nullopt;
    return std::move(*skeleton);
  }

  /// Whether the body is drawn standing, whatever is up, with limbs that point the same way on both sides, as those of
  /// nobody in motion do.
  [[nodiscard]] bool is_true_rest(const motion::Skeleton& drawn) const {
    const auto axes = axes_of(motion::rest_positions(drawn));
    if (!axes) return false;
    const auto bone = [&](int joint) {
      return rotate(conjugate(*axes), normalized(drawn.joint(index(joint)).offset, {}));
    };
    const std::array<std::array<int, 2>, 4> pairs = {{{body_.left_leg.middle, body_.right_leg.middle},
                                                      {body_.left_leg.end, body_.right_leg.end},
                                                      {body_.left_arm.middle, body_.right_arm.middle},
                                                      {body_.left_arm.end, body_.right_arm.end}}};
    float mirrored = 1;
    bool held_out = true;  // in motion nobody holds both arms out straight
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const Vec3 left = bone(pairs[i][0]), right = bone(pairs[i][1]);
      const bool leg = i < 2;
      if (leg && std::max(left.y, right.y) > -kHanging) return false;
      mirrored = std::min(mirrored, dot(left, {-right.x, right.y, right.z}));
      if (!leg) held_out = held_out && left.x > kHeldOut && -right.x > kHeldOut;
    }
    return mirrored > std::cos(held_out ? kMeasured : kMirrored);
  }

  /// The axes of the body whose joints are at `at`.
  [[nodiscard]] std::optional<Quat> axes_of(const std::vector<Vec3>& at) const {
    const Vec3 left = at[index(body_.left_leg.upper)], right = at[index(body_.right_leg.upper)];
    return body_axes(at[index(top_)] - 0.5f * (left + right), left - right);
  }

  /// The bone from `joint` to `next`, or to the farthest end of it where that is -1.
  [[nodiscard]] Vec3 bone_of(int joint, int next) const {
    if (next >= 0) return raw_.joints[index(next)].offset;
    Vec3 farthest;
    for (const motion::EndSite& site : raw_.end_sites) {
      if (site.joint == joint && length(site.offset) > length(farthest)) farthest = site.offset;
    }
    return farthest;
  }

  /// False where a bone of a limb is oblique to the axes of its joint: this is another kind of rig.
  bool aim(int joint, int next, Vec3 axis, Vec3 toward) {
    const Vec3 bone = bone_of(joint, next), way = normalized(bone, {});
    if (std::max({std::fabs(way.x), std::fabs(way.y), std::fabs(way.z)}) < kAligned) return false;
    aims_[index(joint)] = Aim{bone, axis, toward};
    return true;
  }

  bool set_aims() {
    aims_.assign(raw_.joints.size(), std::nullopt);
    ends_.assign(raw_.joints.size(), false);
    for (std::size_t j = 1; j < ends_.size(); ++j) {
      const int parent = raw_.joints[j].parent;
      ends_[j] =
          ends_[index(parent)] || parent == top_ || parent == body_.left_arm.end || parent == body_.right_arm.end;
    }
    const Vec3 down{0, -1, 0}, ahead{0, 0, 1};
    for (const motion::Limb* leg : {&body_.left_leg, &body_.right_leg}) {
      if (!aim(leg->upper, leg->middle, down, down) || !aim(leg->middle, leg->end, down, down)) return false;
      hinges_.push_back({leg->upper, leg->middle, {1, 0, 0}});
      const Vec3 foot = bone_of(leg->end, leg->tip);
      const float legs = length(bone_of(leg->upper, leg->middle)) + length(bone_of(leg->middle, leg->end));
      if (!(length(foot) > 0)) continue;
      // A foot that lies along no axis has its slope in its offset: then its joint is turned by quarters alone.
      const float slope = std::asin(std::min(kAnkleAboveToe * legs / length(foot), std::sin(kSteepestFoot)));
      aim(leg->end, leg->tip, ahead, {0, -std::sin(slope), std::cos(slope)});
      if (leg->tip >= 0) aim(leg->tip, -1, ahead, ahead);
    }
    for (const bool left : {true, false}) {
      const motion::Limb& arm = left ? body_.left_arm : body_.right_arm;
      const Vec3 out{left ? 1.0f : -1.0f, 0, 0};
      if (!aim(arm.upper, arm.middle, out, out) || !aim(arm.middle, arm.end, out, out)) return false;
      hinges_.push_back({arm.upper, arm.middle, {0, left ? -1.0f : 1.0f, 0}});
      const int collar = raw_.joints[index(arm.upper)].parent;
      const bool in_trunk = std::find(body_.spine.begin(), body_.spine.end(), collar) != body_.spine.end();
      if (collar >= 0 && collar != body_.hips && !in_trunk) aim(collar, arm.upper, out, out);
    }
    return true;
  }

  /// Frames spread over the motion, with the axes of the body in each.
  void look_at_frames() {
    const std::size_t step = std::max<std::size_t>(1, raw_.frames / kStanceFrames), joints = raw_.joints.size();
    std::vector<Vec3> at(joints);
    std::vector<Quat> world(joints);
    for (std::size_t f = 0; f < raw_.frames; f += step) {
      for (std::size_t j = 0; j < joints; ++j) {
        const Quat before = j == 0 ? Quat{} : world[index(raw_.joints[j].parent)];
        at[j] = j == 0 ? Vec3{} : at[index(raw_.joints[j].parent)] + rotate(before, raw_.joints[j].offset);
        world[j] = normalized(before * raw_.rotations[f * joints + j]);
      }
      if (const auto axes = axes_of(at)) frames_.push_back({f, *axes});
    }
  }

  /// How far a joint is turned in the motion on average where it is turned by `turn` at rest, on what `above` turns.
  [[nodiscard]] float left_over(std::size_t joint, Quat above, Quat turn) const {
    float sum = 0;
    for (const Frame& frame : frames_) {
      const Quat local = raw_.rotations[frame.number * raw_.joints.size() + joint];
      // The root, whose heading is free, is held against the axes of the body.
      sum += joint == 0 ? angle_between(local * conjugate(turn), frame.axes)
                        : angle_between(above * local * conjugate(turn), Quat{});
    }
    return sum / std::max(1.0f, static_cast<float>(frames_.size()));
  }

  /// The axis about which a limb bends at `next` in the motion, in the frame of the joint above; none where it stays
  /// straight.
  [[nodiscard]] Vec3 bend_at(int next) const {
    const Vec3 first = normalized(raw_.joints[index(next)].offset, {});
    Vec3 sum;
    for (const Frame& frame : frames_) {
      const Quat bent = raw_.rotations[frame.number * raw_.joints.size() + index(next)];
      sum += cross(first, rotate(bent, normalized(aims_[index(next)]->bone, {})));
    }
    sum = sum / std::max(1.0f, static_cast<float>(frames_.size()));
    return length(sum) > kBends ? normalized(sum) : Vec3{};
  }

  [[nodiscard]] static bool points(const Aim& aim, Quat turn) {
    return dot(rotate(turn, normalized(aim.bone, {})), aim.axis) > kAligned;
  }

  /// The turn of a joint at rest: that of the joint above, or the quarter turn that lets it point where it must and
  /// bend as it does.
  [[nodiscard]] Quat turn_of(std::size_t joint, Quat above) const {
    const std::optional<Aim>& aim = aims_[joint];
    const bool follows = ends_[joint] || ((!aim || points(*aim, above)) && left_over(joint, above, above) < kFollows);
    if (joint > 0 && follows) {
      return aim ? normalized(rotation_between(rotate(above, aim->bone), aim->toward) * above) : above;
    }
    const auto hinge = std::find_if(hinges_.begin(), hinges_.end(),
                                    [&](const HingeAim& one) { return one.joint == static_cast<int>(joint); });
    const Vec3 bend = hinge == hinges_.end() ? Vec3{} : bend_at(hinge->next);
    Quat best;
    float least = 1e30f;
    for (const Quat& turn : turns_) {
      if (aim && !points(*aim, turn)) continue;
      const float misfit = length(bend) > 0 ? -dot(rotate(turn, bend), hinge->axis) : left_over(joint, above, turn);
      if (misfit < least) least = misfit, best = turn;
    }
    if (!aim) return best;
    return normalized(rotation_between(rotate(best, aim->bone), aim->toward) * best);
  }

  void turn_joints() {
    look_at_frames();
    std::vector<Quat> world(raw_.joints.size());
    for (std::size_t j = 0; j < world.size(); ++j) {
      const int parent = raw_.joints[j].parent;
      world[j] = turn_of(j, parent < 0 ? Quat{} : world[index(parent)]);
      raw_.joints[j].rest = normalized(parent < 0 ? world[j] : conjugate(world[index(parent)]) * world[j]);
    }
  }

  struct Frame {
    std::size_t number;
    Quat axes;  ///< of the body
  };

  /// A knee or an elbow, which bends about `axis` where the limb is as at rest.
  struct HingeAim {
    int joint, next;
    Vec3 axis;
  };

  RawMotion& raw_;
  std::vector<Quat> turns_;
  std::vector<HingeAim> hinges_;
  motion::Body body_;
  int top_ = -1;  ///< head, or neck
  std::vector<std::optional<Aim>> aims_;
  std::vector<bool> ends_;  ///< of each joint: whether it is of the fingers or the face, which follow whatever they do
  std::vector<Frame> frames_;
};

}  // namespace

bool has_rest_pose(const RawMotion& raw) {
  RawMotion bare;
  bare.joints = raw.joints;
  bare.end_sites = raw.end_sites;
  return StanceFinder(bare).has_rest();
}

bool make_rest_pose(RawMotion& raw) {
  if (!StanceFinder(raw).make_rest()) return false;
  raw.notes.emplace_back("The file draws no body at rest; it is drawn standing, arms held out, by how it moves.");
  return true;
}

}  // namespace loom::io
