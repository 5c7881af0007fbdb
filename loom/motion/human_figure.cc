// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>

#include <loom/base/whole.h>
#include <loom/motion/human_figure.h>
#include <loom/motion/kinematics.h>

namespace loom::motion {
namespace {

constexpr float kLegLength = 0.85f;      ///< metres, hip to ankle of an adult of 1.75 m: what `scale` 1 means
constexpr float kShoulderWidth = 0.36f;  ///< metres between the shoulder joints of that adult

constexpr int kMostPieces = 200;       ///< of a bone of the trunk: as many as its 3 cm make of 6 m
constexpr float kLargestReach = 3.0f;  ///< metres from the hips; nobody of scale 1 reaches so far

/// Half the width and half the depth of the trunk at a share of the height from hip joints to shoulders.
struct TrunkSection {
  float height, width, depth;
};
constexpr std::array<TrunkSection, 8> kTrunk = {{{-0.1f, 0.118f, 0.086f},
                                                 {0.05f, 0.142f, 0.096f},
                                                 {0.22f, 0.140f, 0.097f},
                                                 {0.42f, 0.132f, 0.093f},
                                                 {0.66f, 0.145f, 0.106f},
                                                 {0.82f, 0.146f, 0.103f},
                                                 {0.96f, 0.112f, 0.082f},
                                                 {1.10f, 0.056f, 0.054f}}};

/// The section at any height, by a cubic through those given (Catmull and Rom 1974).
TrunkSection trunk_at(float height) {
  std::size_t i = 1;
  while (i + 1 < kTrunk.size() && kTrunk[i].height < height) ++i;
  const TrunkSection &b = kTrunk[i - 1], &c = kTrunk[i];
  const TrunkSection &a = i > 1 ? kTrunk[i - 2] : b, &d = i + 1 < kTrunk.size() ? kTrunk[i + 1] : c;
  const float t = std::clamp((height - b.height) / (c.height - b.height), 0.0f, 1.0f);
  const auto cubic = [t](float p, float q, float r, float s) {
    return q + 0.5f * t * ((r - p) + t * ((2 * p - 5 * q + 4 * r - s) + t * (3 * (q - r) + s - p)));
  };
  return {height, cubic(a.width, b.width, c.width, d.width), cubic(a.depth, b.depth, c.depth, d.depth)};
}

/// Puts the skeleton into the figure's pose and models blob after blob around it.
class FigureMaker {
 public:
  FigureMaker(const Skeleton& skeleton, const Body& body)
      : skeleton_(skeleton), body_(body), rest_(rest_positions(skeleton)) {
    figure_.covered.assign(skeleton.size(), false);
  }

  HumanFigure make() {
    const Limb& leg = body_.left_leg;
    const float length = loom::distance(rest_[index(leg.upper)], rest_[index(leg.middle)]) +
                         loom::distance(rest_[index(leg.middle)], rest_[index(leg.end)]);
    figure_.scale = std::max(length, 1e-3f) / kLegLength;
    stand();
    cover();
    add_pelvis();
    add_trunk();
    add_head();
    for (const Limb* limb : {&body_.left_arm, &body_.right_arm}) {
      if (limb->complete()) add_arm(*limb, limb == &body_.left_arm ? 1.0f : -1.0f);
    }
    add_leg(body_.left_leg, 1);
    add_leg(body_.right_leg, -1);
    return std::move(figure_);
  }

 private:
  [[nodiscard]] Vec3 place(int joint) const { return figure_.positions[index(joint)]; }

  /// The highest joint of the trunk's chain: head, else neck, else the last of the spine.
  [[nodiscard]] int top() const {
    if (body_.head >= 0) return body_.head;
    if (body_.neck >= 0) return body_.neck;
    return body_.spine.empty() ? body_.hips : body_.spine.back();
  }

  /// The point a joint's bone leads to: the child `next`, else the joint's first end site, else nothing (-1).
  [[nodiscard]] int bone_end(int joint, int next) const {
    if (next >= 0) return next;
    for (std::size_t i = 0; i < skeleton_.end_sites().size(); ++i) {
      if (skeleton_.end_sites()[i].joint == joint) return static_cast<int>(skeleton_.size() + i);
    }
    return -1;
  }

  /// The rotation that brings the body at rest upright and facing +Z. A trunk that leans a little stays as it is.
  [[nodiscard]] Quat upright() const {
    const Vec3 trunk = normalized(rest_[index(top())] - rest_[index(body_.hips)]);
    const Vec3 up = trunk.y > 0.75f ? Vec3{0, 1, 0} : trunk;
    const Vec3 left = rest_[index(body_.left_leg.upper)] - rest_[index(body_.right_leg.upper)];
    const Vec3 x = normalized(left - up * dot(left, up), {1, 0, 0});
    return conjugate(from_axes(x, up, cross(x, up)));
  }

  /// The point furthest along the foot: where its toes end, as far as the skeleton tells; -1 where it does not.
  [[nodiscard]] int foot_end(const Limb& leg) const {
    const int toes = leg.tip >= 0 ? bone_end(leg.tip, -1) : -1;
    return toes >= 0 ? toes : bone_end(leg.end, leg.tip);
  }

  /// From the ankle to the end of the foot at rest, with the body upright; zero where the skeleton does not tell.
  [[nodiscard]] Vec3 foot_at_rest(const Limb& leg) const {
    const int end = foot_end(leg);
    return end < 0 ? Vec3{} : rotate(upright_, rest_[index(end)] - rest_[index(leg.end)]);
  }

  void stand() {
    upright_ = upright();
    std::vector<std::array<Vec3, 2>> aim(skeleton_.size());  // where the bone goes at rest, and where it shall go
    const auto point = [&](int joint, int to, Vec3 direction) {
      if (joint >= 0 && to >= 0) aim[index(joint)] = {rest_[index(to)] - rest_[index(joint)], normalized(direction)};
    };
    for (const float side : {1.0f, -1.0f}) {
      const Limb& arm = side > 0 ? body_.left_arm : body_.right_arm;
      const Limb& leg = side > 0 ? body_.left_leg : body_.right_leg;
      if (arm.complete()) {
        point(arm.upper, arm.middle, {0.80f * side, -0.60f, 0});
        point(arm.middle, arm.end, {0.76f * side, -0.64f, 0.06f});
      }
      point(leg.upper, leg.middle, {0.10f * side, -1, 0});
      point(leg.middle, leg.end, {0.07f * side, -1, -0.03f});
      // A foot that points forward at rest stays as it is, so that its sole is flat. So does one whose end site lies
      // anywhere; only where toes are known to point down are they turned.
      const Vec3 foot = foot_at_rest(leg);
      const bool forward = foot.z > 0.5f * length(foot);
      if (forward) point(leg.end, foot_end(leg), foot);
      if (!forward && leg.tip >= 0) point(leg.end, foot_end(leg), {0.12f * side, -0.4f, 0.9f});
    }
    figure_.positions.resize(skeleton_.size());
    figure_.turns.resize(skeleton_.size());
    for (std::size_t j = 0; j < skeleton_.size(); ++j) {
      const int parent = skeleton_.joint(j).parent;
      const Quat before = parent < 0 ? upright_ : figure_.turns[index(parent)];
      if (parent >= 0) figure_.positions[j] = place(parent) + rotate(before, skeleton_.joint(j).offset);
      const bool aimed = length(aim[j][0]) > 1e-6f;
      figure_.turns[j] = aimed ? normalized(rotation_between(rotate(before, aim[j][0]), aim[j][1]) * before) : before;
      const bool foot = static_cast<int>(j) == body_.left_leg.end || static_cast<int>(j) == body_.right_leg.end;
      if (foot && !aimed) figure_.turns[j] = upright_;  // it stands flat at rest
    }
  }

  /// Everything within the outline of the figure is covered: the chains of trunk and limbs and what hangs from hands,
  /// feet and head. What hangs from the rest and is long enough to be seen is not.
  void cover() {
    for (int j = top(); j >= 0; j = skeleton_.joint(index(j)).parent) figure_.covered[index(j)] = true;
    for (const Limb* limb : {&body_.left_leg, &body_.right_leg, &body_.left_arm, &body_.right_arm}) {
      const int last = limb->tip >= 0 ? limb->tip : limb->end;
      for (int j = limb->complete() ? last : -1; j >= 0; j = skeleton_.joint(index(j)).parent) {
        figure_.covered[index(j)] = true;
      }
    }
    std::vector<bool> within(skeleton_.size());  // at or below a foot or the head
    for (std::size_t j = 0; j < skeleton_.size(); ++j) {
      const int parent = skeleton_.joint(j).parent, joint = static_cast<int>(j);
      within[j] = joint == body_.left_leg.end || joint == body_.right_leg.end || joint == body_.head ||
                  joint == body_.left_arm.end || joint == body_.right_arm.end || (parent >= 0 && within[index(parent)]);
      const bool too_small = length(skeleton_.joint(j).offset) < 0.06f * figure_.scale;
      if (within[j] || (parent >= 0 && figure_.covered[index(parent)] && too_small)) figure_.covered[j] = true;
    }
  }

  /// A hand has fingers of its own when at least three chains of two or more bones leave it.
  [[nodiscard]] bool has_fingers(int hand) const {
    int chains = 0;
    std::vector<int> depth(skeleton_.size(), -1);
    depth[index(hand)] = 0;
    for (std::size_t j = index(hand) + 1; j < skeleton_.size(); ++j) {
      const int above = depth[index(skeleton_.joint(j).parent)];
      if (above >= 0) depth[j] = above + 1;
      if (depth[j] == 2) ++chains;
    }
    return chains >= 3;
  }

  /// A rod for every bone of the fingers, and a palm that reaches to where they start.
  void add_fingers(int hand, Vec3 front) {
    const float s = figure_.scale;
    std::vector<bool> below(skeleton_.size());
    const auto rod = [&](int joint, Vec3 to) {
      figure_.rods.push_back({rest_[index(joint)], to, 0.0095f * s, 0.0085f * s, static_cast<std::uint16_t>(joint)});
    };
    Vec3 knuckles;
    int count = 0;
    for (std::size_t j = index(hand) + 1; j < skeleton_.size(); ++j) {
      const int parent = skeleton_.joint(j).parent;
      below[j] = parent == hand || below[index(parent)];
      if (!below[j]) continue;
      if (parent != hand) rod(parent, rest_[j]);
      if (parent == hand) {
        knuckles += figure_.positions[j];
        ++count;
      }
    }
    for (const EndSite& site : skeleton_.end_sites()) {
      if (below[index(site.joint)]) rod(site.joint, rest_[index(site.joint)] + site.offset);
    }
    part();
    add(hand, place(hand), knuckles / static_cast<float>(std::max(count, 1)), 0.025f, 0.018f, front, 1.1f, 2.0f);
  }

  /// Adds a blob; radii in metres of the adult of scale 1.
  void add(int joint, Vec3 a, Vec3 b, float radius_a, float radius_b, Vec3 wide = {1, 0, 0}, float widening_a = 1,
           float widening_b = 1) {
    const float s = figure_.scale;
    figure_.blobs.push_back(
        {a, b, radius_a * s, radius_b * s, wide, widening_a, widening_b, static_cast<std::uint16_t>(joint), group_});
  }

  /// What follows is another part of the body.
  void part() { ++group_; }

  [[nodiscard]] Vec3 metres(float x, float y, float z) const { return Vec3{x, y, z} * figure_.scale; }

  [[nodiscard]] float share_of(float distance, float usual) const {
    return std::clamp(distance / (usual * figure_.scale), 0.8f, 1.3f);
  }

  void add_pelvis() {
    const Vec3 left = place(body_.left_leg.upper), right = place(body_.right_leg.upper);
    hip_half_ = loom::distance(left, right) * 0.5f;
    pelvis_ = (left + right) * 0.5f;
    for (const float side : {1.0f, -1.0f}) {
      const Vec3 seat = lerp(side > 0 ? left : right, pelvis_, 0.12f) + metres(0, 0.005f, -0.035f);
      part();
      add(body_.hips, seat, seat, 0.080f, 0.080f);
    }
  }

  /// Blobs along the chain from the pelvis to the head, as wide as the trunk is there; above the shoulders a neck.
  void add_trunk() {
    std::vector<int> chain;
    for (int j = top(); j >= 0 && j != body_.hips; j = skeleton_.joint(index(j)).parent) chain.push_back(j);
    chain.push_back(body_.hips);
    std::reverse(chain.begin(), chain.end());
    const bool arms = body_.left_arm.complete() && body_.right_arm.complete();
    const Vec3 end = place(top());
    shoulder_y_ = arms ? (place(body_.left_arm.upper).y + place(body_.right_arm.upper).y) * 0.5f
                       : pelvis_.y + 0.8f * (end.y - pelvis_.y);
    const float spread = arms ? loom::distance(place(body_.left_arm.upper), place(body_.right_arm.upper)) : 0.0f;
    shoulder_share_ = arms ? share_of(spread, kShoulderWidth) : 1.0f;
    part();
    add_trunk_bone(body_.hips, pelvis_ + metres(0, -0.04f, 0), place(body_.hips));
    for (std::size_t i = 0; i + 1 < chain.size(); ++i) add_trunk_bone(chain[i], place(chain[i]), place(chain[i + 1]));
  }

  void add_trunk_bone(int joint, Vec3 from, Vec3 to) {
    if (from.y < shoulder_y_)
      throat_ = lerp(from, to, std::min((shoulder_y_ - from.y) / std::max(to.y - from.y, 1e-4f), 1.0f));
    const float piece = 0.03f * figure_.scale;
    const int pieces = std::clamp(to_whole<int>(std::ceil(loom::distance(from, to) / piece)), 1, kMostPieces);
    if (loom::distance(from, to) < 1e-4f) return;
    for (int i = 0; i < pieces; ++i) {
      const Vec3 a = lerp(from, to, static_cast<float>(i) / static_cast<float>(pieces));
      const Vec3 b = lerp(from, to, static_cast<float>(i + 1) / static_cast<float>(pieces));
      const TrunkSection low = section(a), high = section(b);
      if (low.height > 1.08f) {
        add(joint, a, b, 0.053f, 0.051f);
      } else {
        const auto forward = [&](const TrunkSection& s) {
          return metres(0, 0, 0.012f * (1 - smoothstep((s.height - 0.7f) / 0.4f)));
        };
        add(joint, a + forward(low), b + forward(high), low.depth, high.depth, {1, 0, 0}, low.width / low.depth,
            high.width / high.depth);
      }
    }
  }

  /// The trunk's section at the height of `p`, with hips and shoulders as wide as this body's.
  [[nodiscard]] TrunkSection section(Vec3 p) const {
    const float height = (p.y - pelvis_.y) / std::max(shoulder_y_ - pelvis_.y, 0.1f * figure_.scale);
    TrunkSection section = trunk_at(height);
    const float hips = hip_half_ + 0.066f * figure_.scale - 0.3f * std::fabs(height - 0.05f) * hip_half_;
    const float above = section.width * figure_.scale * shoulder_share_;
    section.width = (hips + (above - hips) * smoothstep((height - 0.05f) / 0.4f)) / figure_.scale;
    section.height = height;
    return section;
  }

  void add_head() {
    const int joint = top();
    if (body_.head < 0 && body_.neck < 0) return;
    const Vec3 base = place(joint);
    part();
    if (body_.head < 0) add(joint, base, base + metres(0, 0.10f, 0.01f), 0.054f, 0.052f);
    const Vec3 centre = base + (body_.head < 0 ? metres(0, 0.18f, 0.02f) : metres(0, 0.09f, 0.02f));
    const Vec3 across{1, 0, 0};
    add(joint, base, centre + metres(0, -0.04f, -0.02f), 0.050f, 0.052f);  // neck
    part();
    add(joint, centre + metres(0, 0.022f, -0.020f), centre + metres(0, 0.020f, 0.012f), 0.094f, 0.090f, across, 0.84f,
        0.84f);  // skull
    part();
    add(joint, centre + metres(0, 0.0f, 0.022f), centre + metres(0, -0.080f, 0.046f), 0.074f, 0.040f, across, 0.92f,
        0.95f);  // face
    part();
    add(joint, centre + metres(0, 0.0f, 0.090f), centre + metres(0, -0.022f, 0.100f), 0.012f, 0.015f);  // nose
  }

  void add_arm(const Limb& arm, float side) {
    const Vec3 shoulder = place(arm.upper), elbow = place(arm.middle), wrist = place(arm.end);
    const int above = skeleton_.joint(index(arm.upper)).parent;
    const int girdle = above >= 0 ? above : body_.hips;
    const Vec3 throat{throat_.x, shoulder_y_, throat_.z};
    part();  // collar bone, and the slope from the neck
    add(girdle, throat + metres(0.03f * side, 0.008f, 0), shoulder + metres(-0.02f * side, 0.004f, 0), 0.052f, 0.050f);
    part();
    add(girdle, throat + metres(0.015f * side, 0.065f, -0.012f),
        lerp(throat, shoulder, 0.7f) + metres(0, 0.018f, -0.008f), 0.040f, 0.036f);
    part();  // chest to armpit
    add(girdle, lerp(throat, shoulder, 0.42f) + metres(0, -0.10f, 0.008f), shoulder + metres(-0.035f * side, -0.03f, 0),
        0.076f, 0.050f);
    part();
    add(arm.upper, shoulder, lerp(shoulder, elbow, 0.25f), 0.055f, 0.049f);
    add(arm.upper, lerp(shoulder, elbow, 0.25f), lerp(shoulder, elbow, 0.55f), 0.049f, 0.046f);
    add(arm.upper, lerp(shoulder, elbow, 0.55f), elbow, 0.046f, 0.039f);
    add(arm.middle, elbow, lerp(elbow, wrist, 0.28f), 0.039f, 0.042f);
    add(arm.middle, lerp(elbow, wrist, 0.28f), lerp(elbow, wrist, 0.65f), 0.042f, 0.034f);
    add(arm.middle, lerp(elbow, wrist, 0.65f), wrist, 0.034f, 0.027f);
    add_hand(arm, side, elbow, wrist);
  }

  /// A flat hand along the forearm's line or the hand's own bone, its edge forward and the thumb in front.
  void add_hand(const Limb& arm, float side, Vec3 elbow, Vec3 wrist) {
    Vec3 along = normalized(wrist - elbow, {side, 0, 0});
    const int end = bone_end(arm.end, arm.tip);
    if (end >= 0 && length(rest_[index(end)] - rest_[index(arm.end)]) > 0.02f * figure_.scale) {
      along = normalized(rotate(figure_.turns[index(arm.end)], rest_[index(end)] - rest_[index(arm.end)]));
    }
    const Vec3 front = normalized(Vec3{0, 0, 1} - along * along.z, {0, 0, 1});
    const auto reach = [&](float out, float forward) {
      return wrist + (along * out + front * forward) * figure_.scale;
    };
    if (has_fingers(arm.end)) return add_fingers(arm.end, front);
    part();
    add(arm.end, wrist, reach(0.07f, 0.002f), 0.026f, 0.021f, front, 1.05f, 1.9f);
    add(arm.end, reach(0.07f, 0.002f), reach(0.145f, 0), 0.021f, 0.015f, front, 1.9f, 1.8f);
    part();
    add(arm.end, reach(0.025f, 0.022f), reach(0.082f, 0.052f), 0.019f, 0.015f);
  }

  void add_leg(const Limb& leg, float side) {
    const Vec3 hip = place(leg.upper), knee = place(leg.middle), ankle = place(leg.end);
    const Vec3 thigh = lerp(hip, knee, 0.4f), calf = lerp(knee, ankle, 0.28f) + metres(0, 0, -0.012f);
    part();
    add(leg.upper, hip + metres(-0.004f * side, -0.02f, 0), thigh, 0.087f, 0.077f);
    add(leg.upper, thigh, lerp(hip, knee, 0.8f), 0.077f, 0.060f);
    add(leg.upper, lerp(hip, knee, 0.8f), knee, 0.060f, 0.053f);
    add(leg.middle, knee, calf, 0.053f, 0.056f);
    add(leg.middle, calf, lerp(knee, ankle, 0.65f), 0.056f, 0.043f);
    add(leg.middle, lerp(knee, ankle, 0.65f), lerp(knee, ankle, 0.95f), 0.043f, 0.034f);
    add_foot(leg, ankle);
  }

  /// Heel, instep and toes on a sole as deep below the ankle as the bones say.
  void add_foot(const Limb& leg, Vec3 ankle) {
    const float s = figure_.scale;
    const int end = foot_end(leg);
    const bool told = end >= 0 && (leg.tip >= 0 || foot_at_rest(leg).z > 0.5f * length(foot_at_rest(leg)));
    const Vec3 toes = told ? rotate(figure_.turns[index(leg.end)], rest_[index(end)] - rest_[index(leg.end)])
                           : metres(0, -0.07f, 0.19f);
    const Vec3 level{toes.x, 0, toes.z};
    const Vec3 ahead = normalized(level, {0, 0, 1});
    const Vec3 across{ahead.z, 0, -ahead.x};
    // The ball of the foot lies where the skeleton bends there, or at two thirds.
    const Vec3 bend = leg.tip >= 0 ? place(leg.tip) - ankle : Vec3{};
    const float ball = dot(bend, ahead) > 0.05f * s ? dot(bend, ahead) : 0.66f * length(level);
    const float bone = std::clamp(ball, 0.09f * s, 0.15f * s);
    const float drop = std::clamp(-toes.y + 0.02f * s, 0.06f * s, 0.11f * s);
    const auto on_sole = [&](float forward, float height) {
      return Vec3{ankle.x + ahead.x * forward, ankle.y - drop + height * s, ankle.z + ahead.z * forward};
    };
    const Vec3 heel = on_sole(-0.035f * s, 0.033f), fore = on_sole(bone, 0.027f);
    const Vec3 tip = on_sole(bone + 0.06f * s, 0.020f);
    part();
    add(leg.end, heel, fore, 0.033f, 0.027f, across, 1.0f, 1.55f);
    add(leg.tip >= 0 ? leg.tip : leg.end, fore, tip, 0.027f, 0.019f, across, 1.55f, 1.7f);
    part();
    add(leg.end, ankle + metres(0, 0.01f, 0), lerp(ankle, fore, 0.7f), 0.036f, 0.028f, across, 1, 1.2f);
  }

  const Skeleton& skeleton_;
  const Body& body_;
  std::vector<Vec3> rest_;  ///< of all points
  Quat upright_;            ///< brings the body at rest upright and facing +Z
  HumanFigure figure_;
  Vec3 pelvis_;           ///< between the hip joints
  Vec3 throat_;           ///< the middle of the trunk at the height of the shoulders
  float shoulder_y_ = 0;  ///< height of the shoulder joints
  std::uint16_t group_ = 0;
  float hip_half_ = 0;        ///< metres from the middle to a hip joint
  float shoulder_share_ = 1;  ///< how much wider the shoulders are than the adult's of this size
};

}  // namespace

std::optional<HumanFigure> make_figure(const Skeleton& skeleton, const Body& body) {
  if (!body.has_legs() || body.hips < 0) return std::nullopt;
  if (body.head < 0 && body.neck < 0 && body.spine.empty()) return std::nullopt;
  HumanFigure figure = FigureMaker(skeleton, body).make();
  // Limbs many times as long as the legs are no person's, and the grid of such a figure would fill the memory.
  const Vec3 hips = figure.positions[index(body.hips)];
  const bool human = std::all_of(figure.blobs.begin(), figure.blobs.end(), [&](const Blob& blob) {
    const float far = std::max(loom::distance(blob.a, hips), loom::distance(blob.b, hips));
    return far < kLargestReach * figure.scale && std::min(blob.radius_a, blob.radius_b) > 0;
  });
  return human ? std::optional<HumanFigure>(std::move(figure)) : std::nullopt;
}

}  // namespace loom::motion
