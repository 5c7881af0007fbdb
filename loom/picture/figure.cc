// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include <loom/motion/body.h>
#include <loom/picture/figure.h>

namespace loom::picture {
namespace {

using motion::Body;
using motion::Limb;
using motion::Skeleton;

constexpr float kUsualLeg = 0.85f;  ///< metres from hip to ankle; all sizes below are for this leg and scale with it

// Radii in metres, from the body's middle outwards.
constexpr float kPelvis = 0.077f, kWaist = 0.08f, kHalfWaist = 0.045f, kChest = 0.088f, kShoulders = 0.058f,
                kNeck = 0.045f;
constexpr float kJaw = 0.062f, kSkull = 0.09f, kNose = 0.014f;
constexpr float kHip = 0.083f, kKnee = 0.052f, kAnkle = 0.037f, kHeel = 0.034f, kBall = 0.032f, kToe = 0.022f;
constexpr float kUpperArm = 0.045f, kElbow = 0.036f, kWrist = 0.026f, kPalm = 0.02f, kFinger = 0.011f;
constexpr float kExtraBone = 0.012f;

enum Group { kTrunkGroup, kLeftArmGroup, kRightArmGroup, kLeftLegGroup, kRightLegGroup, kOtherGroup };

/// A pair of anchors.
struct Sides {
  int left, right;
};

/// Builds a figure joint by joint on the skeleton at rest, where every joint's frame is the world's.
class Builder {
 public:
  explicit Builder(const Skeleton& skeleton) : skeleton_(skeleton), body_(find_body(skeleton)), rest_(skeleton.size()) {
    children_.resize(skeleton.size());
    for (std::size_t j = 1; j < skeleton.size(); ++j) {
      const auto parent = static_cast<std::size_t>(skeleton.joint(j).parent);
      rest_[j] = rest_[parent] + skeleton.joint(j).offset;
      children_[parent].push_back(static_cast<int>(j));
    }
  }

  Figure build() {
    if (body_.hips >= 0 && body_.has_legs()) {
      build_person();
    } else {
      build_sticks();
    }
    return std::move(figure_);
  }

 private:
  [[nodiscard]] Vec3 rest(int joint) const { return rest_[static_cast<std::size_t>(joint)]; }
  [[nodiscard]] int parent(int joint) const { return skeleton_.joint(static_cast<std::size_t>(joint)).parent; }

  int anchor(int joint, Vec3 offset = {}) {
    figure_.anchors.push_back({joint, offset});
    return static_cast<int>(figure_.anchors.size()) - 1;
  }
  /// An anchor that hangs on `joint` and is at `place` when the body is at rest.
  int anchor_at(int joint, Vec3 place) { return anchor(joint, place - rest(joint)); }
  void part(int a, int b, float radius_a, float radius_b, Side side, int group) {
    figure_.parts.push_back({a, b, radius_a * unit_, radius_b * unit_, side, group});
  }

  // ---- a person -----------------------------------------------------------------------------------------------

  void build_person() {
    figure_.human = true;
    const Limb& left = body_.left_leg;
    unit_ = (distance(rest(left.upper), rest(left.middle)) + distance(rest(left.middle), rest(left.end))) / kUsualLeg;
    covered_.assign(skeleton_.size(), false);
    find_axes();
    build_trunk();
    figure_.left_sole = build_leg(body_.left_leg, Side::kLeft, kLeftLegGroup);
    figure_.right_sole = build_leg(body_.right_leg, Side::kRight, kRightLegGroup);
    build_arm(body_.left_arm, Side::kLeft, kLeftArmGroup);
    build_arm(body_.right_arm, Side::kRight, kRightArmGroup);
    build_extras();
  }

  /// The joint the neck, or failing that the shoulders, hang from.
  [[nodiscard]] int chest() const {
    if (!body_.spine.empty()) return body_.spine.back();
    if (body_.neck >= 0 && parent(body_.neck) >= 0) return parent(body_.neck);
    return body_.hips;
  }

  /// Which way the body at rest stands and faces, from its own parts: a rest pose may lie down or face anywhere.
  void find_axes() {
    const Vec3 hips = lerp(rest(body_.left_leg.upper), rest(body_.right_leg.upper), 0.5f);
    const Vec3 feet = lerp(rest(body_.left_leg.end), rest(body_.right_leg.end), 0.5f);
    up_ = normalized(hips - feet);
    left_ = rest(body_.left_leg.upper) - rest(body_.right_leg.upper);
    left_ = normalized(left_ - up_ * dot(left_, up_), {1, 0, 0});
    forward_ = cross(left_, up_);
  }

  void build_trunk() {
    for (int j = body_.hips; j >= 0; j = parent(j)) cover(j);
    for (int j : body_.spine) cover(j);
    const int left_hip = anchor(body_.left_leg.upper), right_hip = anchor(body_.right_leg.upper);
    part(left_hip, right_hip, kPelvis, kPelvis, Side::kMiddle, kTrunkGroup);

    const bool arms = body_.left_arm.upper >= 0 && body_.right_arm.upper >= 0;
    const Vec3 hips = lerp(rest(body_.left_leg.upper), rest(body_.right_leg.upper), 0.5f);
    const Vec3 top = body_.neck >= 0 ? rest(body_.neck)
                     : arms          ? lerp(rest(body_.left_arm.upper), rest(body_.right_arm.upper), 0.5f)
                                     : rest(chest());
    if (distance(top, hips) < 0.05f * unit_) return;
    const int waist_joint = body_.spine.empty() ? body_.hips : body_.spine.front();
    const Vec3 waist_place = lerp(hips, top, 0.42f), half = left_ * (kHalfWaist * unit_);
    const Sides waist{anchor_at(waist_joint, waist_place + half), anchor_at(waist_joint, waist_place - half)};
    part(left_hip, waist.left, kPelvis, kWaist, Side::kMiddle, kTrunkGroup);
    part(right_hip, waist.right, kPelvis, kWaist, Side::kMiddle, kTrunkGroup);
    part(waist.left, waist.right, kWaist, kWaist, Side::kMiddle, kTrunkGroup);
    const int neck = anchor_at(chest(), top);
    if (arms) {
      build_shoulders(waist, top, lerp(hips, top, 0.78f));
    } else {
      part(waist.left, neck, kWaist, kChest, Side::kMiddle, kTrunkGroup);
      part(waist.right, neck, kWaist, kChest, Side::kMiddle, kTrunkGroup);
    }
    build_head(neck);
  }

  /// Two flanks from the waist to the sides of the chest, and the line of the shoulders: breadth without thickness.
  void build_shoulders(Sides waist, Vec3 top, Vec3 breast) {
    int line[2], side[2];
    const Limb* arms[2] = {&body_.left_arm, &body_.right_arm};
    for (int i = 0; i < 2; ++i) {
      const Vec3 shoulder = rest(arms[i]->upper);
      line[i] = anchor(arms[i]->upper);
      side[i] = anchor_at(chest(), breast + left_ * (dot(shoulder - breast, left_) * 0.45f));
      part(i == 0 ? waist.left : waist.right, side[i], kWaist, kChest, Side::kMiddle, kTrunkGroup);
      const int collar = anchor_at(chest(), lerp(top, shoulder, 0.45f) - up_ * (0.02f * unit_));
      part(side[i], collar, kChest, kShoulders, Side::kMiddle, kTrunkGroup);
      part(collar, line[i], kShoulders, kUpperArm * 0.85f, Side::kMiddle, kTrunkGroup);
      for (int j = arms[i]->upper; j >= 0 && !covered(j); j = parent(j)) cover(j);
    }
    part(side[0], side[1], kChest, kChest, Side::kMiddle, kTrunkGroup);
  }

  void build_head(int neck) {
    if (body_.head < 0) return;
    for (int j = body_.head; j >= 0 && !covered(j); j = parent(j)) cover(j);
    cover_below(body_.head);
    // A head joint sits at the base of the skull, and heads are upright at rest: the skull is above, the face in front.
    const Vec3 base = rest(body_.head);
    const auto at = [&](float up, float forward) {
      return anchor_at(body_.head, base + (up_ * up + forward_ * forward) * unit_);
    };
    const int jaw = at(0.045f, 0.03f), skull = at(0.115f, 0.005f);
    part(neck, anchor(body_.head), kNeck, kNeck, Side::kMiddle, kTrunkGroup);
    part(jaw, skull, kJaw, kSkull, Side::kMiddle, kTrunkGroup);
    part(at(0.09f, 0.085f), at(0.06f, 0.1f), kNose, kNose, Side::kMiddle, kTrunkGroup);
  }

  Sole build_leg(const Limb& leg, Side side, int group) {
    for (int j = leg.end; j >= 0 && !covered(j); j = parent(j)) cover(j);
    cover_below(leg.end);
    const int hip = anchor(leg.upper), knee = anchor(leg.middle), ankle = anchor(leg.end);
    part(hip, knee, kHip, kKnee, side, group);
    part(knee, ankle, kKnee, kAnkle, side, group);

    const Anchor tip = farthest_below(leg.end);
    const Vec3 toe_place = rest(tip.joint) + tip.offset;
    const Vec3 along = toe_place - rest(leg.end);
    if (length(along) < 0.03f * unit_) return {};  // a leg that stops at the ankle
    // The floor is taken to be where toes rest, so the whole sole is put at the height of the toes: the balls that
    // make the foot stand on it, and the heel is a quarter of the foot's length behind the ankle.
    const float sole = std::min(dot(toe_place, up_), dot(rest(leg.end), up_) - 0.02f * unit_);
    const auto standing = [&](Vec3 place, float radius) {
      return place + up_ * std::max(0.0f, sole + radius * unit_ - dot(place, up_));
    };
    const Vec3 flat = along - up_ * dot(along, up_);
    const Vec3 behind = rest(leg.end) - flat * 0.22f;
    const int heel = anchor_at(leg.end, behind - up_ * (dot(behind, up_) - sole - kHeel * unit_));
    const int toe = anchor_at(tip.joint, standing(toe_place, kToe));
    const int ball_joint = leg.tip >= 0 ? leg.tip : leg.end;
    const Vec3 ball_place = leg.tip >= 0 ? rest(leg.tip) : lerp(rest(leg.end), toe_place, 0.7f);
    const int ball = anchor_at(ball_joint, standing(ball_place, kBall));
    part(ankle, heel, kAnkle, kHeel, side, group);
    part(ankle, ball, kAnkle, kBall, side, group);
    part(heel, ball, kHeel, kBall, side, group);
    part(ball, toe, kBall, kToe, side, group);
    return {heel, toe};
  }

  void build_arm(const Limb& arm, Side side, int group) {
    if (arm.upper < 0 || arm.middle < 0) return;
    const int shoulder = anchor(arm.upper), elbow = anchor(arm.middle);
    part(shoulder, elbow, kUpperArm, kElbow, side, group);
    cover(arm.middle);
    if (arm.end < 0) return;
    for (int j = arm.end; j >= 0 && !covered(j); j = parent(j)) cover(j);
    const int wrist = anchor(arm.end);
    part(elbow, wrist, kElbow, kWrist, side, group);
    add_hand(arm.end, wrist, kWrist, kPalm, side, group);
    cover_below(arm.end);
  }

  /// Palm and fingers: every bone below the wrist, thinner and thinner.
  void add_hand(int joint, int from, float radius, float next_radius, Side side, int group) {
    for (const motion::EndSite& site : skeleton_.end_sites()) {
      if (site.joint == joint) part(from, anchor(joint, site.offset), radius, next_radius * 0.8f, side, group);
    }
    for (int child : children_[static_cast<std::size_t>(joint)]) {
      const int to = anchor(child);
      part(from, to, radius, next_radius, side, group);
      add_hand(child, to, next_radius, kFinger, side, group);
    }
  }

  /// What a body has besides: a tail, a prop, a cape. Twist joints inside a limb vanish within it.
  void build_extras() {
    for (std::size_t j = 1; j < skeleton_.size(); ++j) {
      const int joint = static_cast<int>(j);
      if (covered(joint) || length(skeleton_.joint(j).offset) < 0.02f * unit_) continue;
      part(anchor(parent(joint)), anchor(joint), kExtraBone, kExtraBone, Side::kMiddle, kOtherGroup);
    }
  }

  [[nodiscard]] bool covered(int joint) const { return covered_[static_cast<std::size_t>(joint)]; }
  void cover(int joint) { covered_[static_cast<std::size_t>(joint)] = true; }
  void cover_below(int joint) {
    for (std::size_t j = static_cast<std::size_t>(joint) + 1; j < skeleton_.size(); ++j) {
      if (is_below(static_cast<int>(j), joint)) covered_[j] = true;
    }
  }
  [[nodiscard]] bool is_below(int joint, int ancestor) const {
    while (joint > ancestor) joint = parent(joint);
    return joint == ancestor;
  }

  /// The joint or end site below `joint` that is farthest from it at rest.
  [[nodiscard]] Anchor farthest_below(int joint) const {
    Anchor best{joint, {}};
    float reach = 0;
    const auto consider = [&](int at, Vec3 offset) {
      const float d = distance(rest(at) + offset, rest(joint));
      if (d > reach && is_below(at, joint)) {
        reach = d;
        best = {at, offset};
      }
    };
    for (std::size_t j = 0; j < skeleton_.size(); ++j) consider(static_cast<int>(j), {});
    for (const motion::EndSite& site : skeleton_.end_sites()) consider(site.joint, site.offset);
    return best;
  }

  // ---- anything else ------------------------------------------------------------------------------------------

  void build_sticks() {
    std::vector<int> anchors;
    float longest = 0, total = 0;
    const auto bone = [&](Vec3 offset) {
      longest = std::max(longest, length(offset));
      total += length(offset);
    };
    for (std::size_t j = 0; j < skeleton_.size(); ++j) {
      anchors.push_back(anchor(static_cast<int>(j)));
      if (j > 0) bone(skeleton_.joint(j).offset);
    }
    for (const motion::EndSite& site : skeleton_.end_sites()) bone(site.offset);
    const float bones = static_cast<float>(skeleton_.point_count() - 1);
    const float radius = longest > 0 ? std::min(longest * 0.06f, total / bones * 0.12f) : 0.05f;
    const auto stick = [&](int a, int b) { part(a, b, radius, radius * 0.7f, Side::kMiddle, kOtherGroup); };
    for (std::size_t j = 1; j < skeleton_.size(); ++j) {
      if (length(skeleton_.joint(j).offset) > 0)
        stick(anchors[static_cast<std::size_t>(skeleton_.joint(j).parent)], anchors[j]);
    }
    for (const motion::EndSite& site : skeleton_.end_sites()) {
      if (length(site.offset) > 0)
        stick(anchors[static_cast<std::size_t>(site.joint)], anchor(site.joint, site.offset));
    }
    if (figure_.parts.empty()) stick(anchors[0], anchors[0]);
  }

  const Skeleton& skeleton_;
  Body body_;
  std::vector<Vec3> rest_;
  std::vector<std::vector<int>> children_;
  std::vector<bool> covered_;  ///< joints that some part of the person already stands for
  float unit_ = 1;             ///< the body's size against the usual one
  Vec3 up_, left_, forward_;
  Figure figure_;
};

}  // namespace

void Figure::place(std::span<const Vec3> positions, std::span<const Quat> rotations, std::span<Vec3> out) const {
  for (std::size_t i = 0; i < anchors.size(); ++i) {
    const auto joint = static_cast<std::size_t>(anchors[i].joint);
    out[i] = positions[joint] + rotate(rotations[joint], anchors[i].offset);
  }
}

Figure make_figure(const Skeleton& skeleton) { return Builder(skeleton).build(); }

}  // namespace loom::picture
