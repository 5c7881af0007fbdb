// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>

#include <loom/base/whole.h>
#include <loom/character/detail/limb_search.h>
#include <loom/character/detail/rig_tree.h>
#include <loom/character/detail/upright.h>
#include <loom/character/map_joints.h>

namespace loom::character {
namespace {

using motion::Side;

constexpr std::size_t kMostTops = 200;  ///< pairs looked at as limbs; real rigs have under 40

// What speaks for a pair of legs and a pair of arms together, beside how well each is seated.
constexpr float kLegsAbove = 1.0f;   ///< the arms hang from further out than the legs
constexpr float kApart = 0.5f;       ///< from another branch
constexpr float kArmsAbove = -1.0f;  ///< the legs hang from further out
constexpr float kHead = 0.5f;        ///< something in the middle goes on beyond the arms
constexpr float kLong = 1.0f;        ///< limbs are the longest pairs of a body

constexpr float kHeadBone = 1.2f;  ///< so much longer than a neck's a last bone is the head itself

// How sure a joint is.
constexpr float kNamedAndSeated = 0.97f, kNamed = 0.9f, kSeated = 0.7f, kGuessed = 0.55f;
constexpr float kSideUnknown = 0.6f;  ///< times as much where left and right might be the other way round

// Parts that no arm, and no leg, of a human is named after.
constexpr std::array<std::string_view, 8> kLegParts = {"leg", "foot", "thigh",   "hoof",
                                                       "paw", "wing", "flipper", "calf"};
constexpr std::array<std::string_view, 6> kArmParts = {"forearm", "upperarm", "hand", "wing", "elbow", "wrist"};

/// A limb on both sides. The first is of no particular side until sides are told.
struct LimbPair {
  LimbChain a, b;
  int from = -1;  ///< what both hang from; -1 for two roots
};

struct Choice {
  LimbPair legs, arms;
  bool rigid = false;  ///< limbs of one part each, known by name alone
};

template <std::size_t N>
bool is_one_of(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Whether a word is one of a kind, or one with a letter that counts: "SkullA".
bool is_counted(std::string_view word, bool (*is_word)(std::string_view)) {
  if (is_word(word)) return true;
  return word.size() > 2 && word.back() >= 'a' && word.back() <= 'd' && is_word(word.substr(0, word.size() - 1));
}

bool is_head_word(std::string_view word) { return is_counted(word, motion::is_head_word); }
bool is_neck_word(std::string_view word) { return is_counted(word, motion::is_neck_word); }

bool is_spine_word(std::string_view word) {
  constexpr std::array<std::string_view, 10> kWords = {"spine", "abdomen", "belly", "waist",     "torso",
                                                       "chest", "stomach", "tummy", "lowerback", "back"};
  return is_one_of(word, kWords);
}

bool is_collar_word(std::string_view word) {
  constexpr std::array<std::string_view, 7> kWords = {
      "clavicle", "collar", "shoulder", "sternoclavicular", "collarbone", "acromioclavicular", "scapula"};
  return is_one_of(word, kWords);
}

class Mapper {
 public:
  explicit Mapper(const motion::Rig& rig) : tree_(rig) {}

  JointMap map() {
    find_pairs();
    const std::optional<Choice> choice = choose();
    if (!choice) {
      if (leg_pairs_.empty()) map_.missing.emplace_back("two legs");
      if (arm_pairs_.empty()) map_.missing.emplace_back("two arms");
      if (map_.missing.empty()) map_.missing.emplace_back("legs and arms that hang from one body");
      believe_file();
      return std::move(map_);
    }
    seat_torso(*choice);
    seat_limbs(*choice);
    if (!choice->rigid) {
      find_feet_elsewhere(*choice);
      judge(*choice);
      if (map_.human) add_twists_and_fingers();
    } else {
      map_.human = true;
      map_.unclear.emplace_back("Each limb is one part: only names tell that it is a human.");
    }
    if (!map_.human) map_.joints = {};
    believe_file();
    return std::move(map_);
  }

 private:
  // --- Limbs -------------------------------------------------------------------------------------------------------

  void find_pairs() {
    std::size_t tops = 0;
    for (const int a : tree_.order) {
      const int b = tree_.mirror[index(a)];
      if (b < 0 || a > b || (tree_.parent(a) >= 0 && tree_.mirror[index(tree_.parent(a))] >= 0)) continue;
      if (++tops > kMostTops) return;
      for (const LimbKind kind : {LimbKind::kLeg, LimbKind::kArm}) {
        LimbPair pair{find_limb(tree_, a, kind), {}, tree_.common(a, b)};
        if (!pair.a.found()) continue;
        pair.b = mirrored_limb(tree_, pair.a, kind);
        if (pair.b.found()) (kind == LimbKind::kLeg ? leg_pairs_ : arm_pairs_).push_back(std::move(pair));
      }
    }
  }

  float worth(const LimbPair& legs, const LimbPair& arms, float longest) const {
    float worth = legs.a.score + arms.a.score + kLong * (legs.a.length + arms.a.length) / longest;
    const bool outwards = tree_.is_above(legs.from, arms.from), inwards = tree_.is_above(arms.from, legs.from);
    if (outwards && !inwards) worth += kLegsAbove;
    if (!outwards && !inwards) worth += kApart;
    if (inwards && !outwards) worth += kArmsAbove;
    if (arms.from >= 0 && goes_on(arms)) worth += kHead;
    return worth;
  }

  /// Whether something in the middle of the body goes on from where the arms part.
  bool goes_on(const LimbPair& arms) const {
    const std::vector<int>& children = tree_.children[index(arms.from)];
    return std::any_of(children.begin(), children.end(), [&](int j) { return tree_.mirror[index(j)] < 0; });
  }

  std::optional<Choice> choose() const {
    float longest = 1e-12f, best = -1e9f;
    for (const LimbPair& pair : leg_pairs_) longest = std::max(longest, pair.a.length);
    for (const LimbPair& pair : arm_pairs_) longest = std::max(longest, pair.a.length);
    std::optional<Choice> chosen;
    for (const LimbPair& legs : leg_pairs_) {
      for (const LimbPair& arms : arm_pairs_) {
        if (legs.a.path[0] == arms.a.path[0] || legs.a.path[0] == arms.b.path[0]) continue;
        const float here = worth(legs, arms, longest);
        if (here > best) best = here, chosen = Choice{legs, arms, false};
      }
    }
    if (const std::optional<Choice> rigid = choose_rigid(); rigid && (!chosen || best < 0.5f)) return rigid;
    return chosen;
  }

  /// A figure of rigid parts: a pair named as legs and one named as arms, neither with a joint below.
  std::optional<Choice> choose_rigid() const {
    Choice choice;
    choice.rigid = true;
    for (const int a : tree_.order) {
      const int b = tree_.mirror[index(a)];
      if (b < 0 || tree_.names[index(a)].side != Side::kLeft || tree_.names[index(b)].side != Side::kRight) continue;
      if (!tree_.children[index(a)].empty() || tree_.aside[index(a)]) continue;
      for (const LimbKind kind : {LimbKind::kLeg, LimbKind::kArm}) {
        LimbPair& pair = kind == LimbKind::kLeg ? choice.legs : choice.arms;
        if (limb_fit(tree_, a, kind)[0] == 0 || pair.a.upper >= 0) continue;
        pair.a.upper = a, pair.b.upper = b;
        pair.a.path = {a}, pair.b.path = {b};
        pair.from = tree_.common(a, b);
      }
    }
    if (choice.legs.a.upper < 0 || choice.arms.a.upper < 0 || choice.arms.from < 0 ||
        !tree_.is_above(choice.legs.from, choice.arms.from)) {
      return std::nullopt;
    }
    return choice;
  }

  // --- Torso -------------------------------------------------------------------------------------------------------

  void set(Role role, int joint, float confidence) { map_.of(role) = {joint, joint < 0 ? 0 : confidence}; }

  const std::string& word(int joint) const { return tree_.names[index(joint)].word; }

  bool on_floor(int joint, const Choice& choice) const {
    const auto& pose = tree_.rig.poses[0];
    const Vec3 thighs = (pose[index(choice.legs.a.upper)] + pose[index(choice.legs.b.upper)]) / 2;
    return distance(pose[index(joint)], thighs) > 0.6f * choice.legs.a.length;
  }

  int find_hips(const Choice& choice) const {
    int hips = tree_.common(choice.legs.from, choice.arms.from);
    // The root of a whole rig on the floor is not where a body bends.
    if ((hips < 0 || on_floor(hips, choice)) && choice.legs.from >= 0 && !choice.rigid) hips = choice.legs.from;
    if (hips >= 0 && is_spine_word(word(hips))) {
      int above = tree_.parent(hips);
      for (int i = 0; i < 3 && above >= 0; ++i, above = tree_.parent(above)) {
        if (motion::is_hips_word(word(above))) return above;
      }
    }
    // Legs that hang from the spine: the hips are above it in the hierarchy and nearer to the thighs in space.
    if (hips >= 0 && tree_.parent(hips) >= 0 && !motion::is_hips_word(word(hips))) {
      const auto& pose = tree_.rig.poses[0];
      const Vec3 thighs = (pose[index(choice.legs.a.upper)] + pose[index(choice.legs.b.upper)]) / 2;
      const float here = distance(pose[index(hips)], thighs), above = distance(pose[index(tree_.parent(hips))], thighs);
      if (here > 0.05f * choice.legs.a.length && above < 0.5f * here) return tree_.parent(hips);
    }
    return hips;
  }

  /// The joints from below `top` down to `joint`.
  std::vector<int> way_to(int top, int joint) const {
    std::vector<int> way;
    if (!tree_.is_above(top, joint)) return way;
    for (; joint >= 0 && joint != top; joint = tree_.parent(joint)) way.push_back(joint);
    std::reverse(way.begin(), way.end());
    return way;
  }

  /// Whether the arms hang from the neck, as in Biped: by its name, or because they begin below it.
  bool carries_as_neck(const Choice& choice, int hips) const {
    const int from = choice.arms.from;
    if (is_neck_word(word(from))) return true;
    if (is_spine_word(word(from)) || choice.rigid || hips < 0 || tree_.parent(from) == hips || from == hips)
      return false;
    const auto& pose = tree_.rig.poses[0];
    const Vec3 thighs = (pose[index(choice.legs.a.upper)] + pose[index(choice.legs.b.upper)]) / 2;
    const Vec3 tops = (pose[index(choice.arms.a.path[0])] + pose[index(choice.arms.b.path[0])]) / 2;
    const Vec3 up = normalized(pose[index(from)] - thighs, {});
    return dot(tops - pose[index(from)], up) < -0.02f * choice.legs.a.length;
  }

  void seat_torso(const Choice& choice) {
    int hips = find_hips(choice);
    const std::vector<int> way = way_to(hips, choice.arms.from);
    if (!way.empty() && motion::is_hips_word(word(way.front())) && !motion::is_hips_word(word(hips)))
      hips = way.front();
    if (hips >= 0) set(Role::kHips, hips, motion::is_hips_word(word(hips)) ? kNamedAndSeated : kSeated + 0.1f);
    int chest = choice.arms.from, neck = -1;
    if (chest >= 0 && tree_.parent(chest) >= 0 && carries_as_neck(choice, hips)) {
      neck = chest;
      chest = tree_.parent(chest);
    }
    const int root = tree_.common(hips, chest);
    const std::vector<int> torso = way_to(root, chest);
    if (!torso.empty()) {
      set(Role::kSpine, torso.front(), is_spine_word(word(torso.front())) ? kNamedAndSeated : kSeated + 0.1f);
      if (torso.size() > 1)
        set(Role::kChest, torso.back(), is_spine_word(word(torso.back())) ? kNamedAndSeated : kSeated + 0.1f);
    }
    seat_head(choice, neck);
  }

  int named_head(int from) const {
    int found = -1;
    for (const int j : tree_.order) {
      if (j == from || tree_.names[index(j)].side != Side::kMiddle || !is_head_word(word(j))) continue;
      if (!tree_.is_above(from, j) || tree_.end[index(j)]) continue;
      if (found < 0) found = j;
    }
    return found;
  }

  /// The head by shape: the longest way in the middle beyond the arms, where faces branch or the long last bone begins.
  int shaped_head(int from, bool on_neck) const {
    std::vector<int> way;
    for (int j = from; j >= 0;) {
      int next = -1;
      for (const int child : tree_.children[index(j)]) {
        if (tree_.mirror[index(child)] >= 0 || tree_.end[index(child)]) continue;
        const float here = tree_.reach[index(child)] + tree_.bone[index(child)];
        if (next < 0 || here > tree_.reach[index(next)] + tree_.bone[index(next)]) next = child;
      }
      if (next >= 0) way.push_back(next);
      if (next >= 0 && way.size() > (on_neck ? 0U : 1U) && tree_.children[index(next)].size() >= 3) return next;
      if (way.size() > 32) return -1;
      j = next;
    }
    if (way.size() < 3) return way.empty() ? -1 : way.back();
    float longest = 0;
    for (std::size_t i = 1; i + 1 < way.size(); ++i) longest = std::max(longest, tree_.bone[index(way[i])]);
    return tree_.bone[index(way.back())] > kHeadBone * longest ? way[way.size() - 2] : way.back();
  }

  void seat_head(const Choice& choice, int neck) {
    const int from = choice.arms.from;
    if (from < 0) return;
    int head = named_head(from);
    const bool named = head >= 0;
    if (head < 0 && !choice.rigid) head = shaped_head(from, neck >= 0);
    if (head < 0) return;
    if (!named && neck < 0 && is_neck_word(word(head)) && way_to(from, head).size() == 1)
      return set(Role::kNeck, head, kNamed);
    set(Role::kHead, head, named ? kNamedAndSeated : kSeated);
    if (neck < 0) {
      const std::vector<int> way = way_to(from, head);
      if (way.size() > 1) neck = way.front();
      for (std::size_t i = way.size() - (way.empty() ? 0 : 1); i-- > 0;) {
        if (is_neck_word(word(way[i]))) neck = way[i];
      }
    }
    if (neck >= 0) set(Role::kNeck, neck, is_neck_word(word(neck)) ? kNamedAndSeated : kSeated);
  }

  // --- Sides and seats ---------------------------------------------------------------------------------------------

  /// +1 where names call the first limb left, -1 where right, 0 where they do not tell.
  int named_side(const LimbPair& pair) const {
    int vote = 0;
    const auto count = [&](const LimbChain& limb, int sign) {
      for (const int j : {limb.upper, limb.middle, limb.end}) {
        if (j < 0) continue;
        const Side side = tree_.names[index(j)].side;
        vote += side == Side::kLeft ? sign : (side == Side::kRight ? -sign : 0);
      }
    };
    count(pair.a, 1);
    count(pair.b, -1);
    return vote > 0 ? 1 : (vote < 0 ? -1 : 0);
  }

  static Vec3 across(const LimbPair& pair, const std::vector<Vec3>& pose) {
    Vec3 sum = pose[index(pair.a.upper)] - pose[index(pair.b.upper)];
    if (pair.a.middle >= 0 && pair.b.middle >= 0) sum += pose[index(pair.a.middle)] - pose[index(pair.b.middle)];
    if (pair.a.end >= 0 && pair.b.end >= 0) sum += pose[index(pair.a.end)] - pose[index(pair.b.end)];
    return sum;
  }

  /// Which way is left in a pose by the toes: up × forward; zero where they do not tell.
  Vec3 left_by_toes(const Choice& choice, const std::vector<Vec3>& pose) const {
    Vec3 forward;
    for (const LimbChain* leg : {&choice.legs.a, &choice.legs.b}) {
      if (leg->end < 0 || leg->path.empty()) continue;
      const int tip = leg->tip >= 0 ? leg->tip : leg->path.back();
      forward += pose[index(tip)] - pose[index(leg->end)];
    }
    const Vec3 up = (pose[index(choice.arms.a.upper)] + pose[index(choice.arms.b.upper)]) / 2 -
                    (pose[index(choice.legs.a.upper)] + pose[index(choice.legs.b.upper)]) / 2;
    const Vec3 upright = normalized(up);
    const Vec3 flat = forward - upright * dot(forward, upright);
    if (length(flat) < 0.05f * choice.legs.a.length) return {};
    return cross(upright, flat);
  }

  void seat_limbs(const Choice& choice) {
    const std::vector<Vec3>& pose = tree_.rig.poses[best_pose(choice)];
    int legs = named_side(choice.legs), arms = named_side(choice.arms);
    bool told = legs != 0 || arms != 0;
    Vec3 left = left_by_toes(choice, pose);
    if (legs != 0) left = across(choice.legs, pose) * static_cast<float>(legs);
    if (legs == 0 && arms != 0) left = across(choice.arms, pose) * static_cast<float>(arms);
    if (!told && length(left) > 0)
      told = true, map_.unclear.emplace_back("Names do not tell left from right; the toes do.");
    if (length(left) == 0) left = {1, 0, 0};
    if (!told) map_.unclear.emplace_back("Neither names nor toes tell left from right: +X was taken as left.");
    sure_ = told ? 1.0f : kSideUnknown;
    if (legs == 0) legs = dot(across(choice.legs, pose), left) >= 0 ? 1 : -1;
    if (arms == 0) arms = dot(across(choice.arms, pose), left) >= 0 ? 1 : -1;
    seat_leg(legs > 0 ? choice.legs.a : choice.legs.b, 0);
    seat_leg(legs > 0 ? choice.legs.b : choice.legs.a, 1);
    seat_arm(arms > 0 ? choice.arms.a : choice.arms.b, 0);
    seat_arm(arms > 0 ? choice.arms.b : choice.arms.a, 1);
  }

  static Role on_side(Role left, int right) { return static_cast<Role>(static_cast<int>(left) + right); }

  void seat(Role role, int joint, LimbKind kind, std::size_t place) {
    if (joint < 0) return;
    const bool named = limb_fit(tree_, joint, kind)[place] > 0, paired = tree_.mirror[index(joint)] >= 0;
    set(role, joint, sure_ * (named ? (paired ? kNamedAndSeated : kNamed) : (paired ? kSeated : kGuessed)));
  }

  void seat_leg(const LimbChain& leg, int right) {
    seat(on_side(Role::kLeftThigh, right), leg.upper, LimbKind::kLeg, 0);
    seat(on_side(Role::kLeftShin, right), leg.middle, LimbKind::kLeg, 1);
    seat(on_side(Role::kLeftFoot, right), leg.end, LimbKind::kLeg, 2);
    seat(on_side(Role::kLeftToe, right), leg.tip, LimbKind::kLeg, 3);
  }

  void seat_arm(const LimbChain& arm, int right) {
    seat(on_side(Role::kLeftUpperArm, right), arm.upper, LimbKind::kArm, 0);
    seat(on_side(Role::kLeftForearm, right), arm.middle, LimbKind::kArm, 1);
    seat(on_side(Role::kLeftHand, right), arm.end, LimbKind::kArm, 2);
    // The collarbone: named so, else the joint before the upper arm with the longest bone to the next.
    int collar = -1;
    float longest = -1;
    for (std::size_t i = 0; i + 1 < arm.path.size() && arm.path[i] != arm.upper; ++i) {
      if (tree_.aside[index(arm.path[i])]) continue;
      const float here = tree_.bone[index(arm.path[i + 1])] + (is_collar_word(word(arm.path[i])) ? 10 * tree_.size : 0);
      if (here > longest) longest = here, collar = arm.path[i];
    }
    if (collar >= 0) {
      set(on_side(Role::kLeftShoulder, right), collar,
          sure_ * (is_collar_word(word(collar)) ? kNamedAndSeated : kSeated));
    }
  }

  /// Where a bone ends for which there is no joint: a point of the file right behind `joint`; -1 where there is none.
  int end_behind(int joint) const {
    const std::vector<int>& children = tree_.children[index(joint)];
    const auto found = std::find_if(children.begin(), children.end(), [&](int j) { return tree_.end[index(j)]; });
    return found == children.end() ? -1 : *found;
  }

  bool has_role(int joint) const {
    return std::any_of(map_.joints.begin(), map_.joints.end(), [&](const MappedJoint& m) { return m.joint == joint; });
  }

  /// Feet of rigs made for inverse kinematics hang from the root: where the shin ends. Controls only where nothing else
  /// is there and they are called feet.
  void find_feet_elsewhere(const Choice& choice) {
    for (const int right : {0, 1}) {
      MappedJoint& foot = map_.of(on_side(Role::kLeftFoot, right));
      const int shin = map_.of(on_side(Role::kLeftShin, right)).joint;
      if (foot.joint >= 0 && !tree_.end[index(foot.joint)] && !tree_.children[index(foot.joint)].empty()) continue;
      const MappedJoint before = foot;
      const int was = foot.joint, point = was >= 0 ? was : end_behind(shin);
      foot = {};
      // A named foot may be further from the knee than that is from the hip.
      float nearest = 0.8f * choice.legs.a.length;
      const auto& pose = tree_.rig.poses[0];
      const Vec3 ankle = pose[index(point >= 0 ? point : shin)];
      if (point >= 0) nearest = (tree_.end[index(point)] ? 0.15f : 0.02f) * choice.legs.a.length;
      for (const bool controls : {false, true}) {
        if (foot.joint >= 0) break;
        for (const int j : tree_.order) {
          if (tree_.is_above(shin, j) || tree_.end[index(j)] || tree_.mirror[index(j)] < 0) continue;
          const bool named = limb_fit(tree_, j, LimbKind::kLeg)[2] > 0;
          const bool called = tree_.names[index(j)].key.find("foot") != std::string::npos && point >= 0;
          if (tree_.aside[index(j)] && !(controls && called)) continue;
          if (has_role(j)) continue;
          if (!named && was < 0 && !(controls && called)) continue;
          if (distance(pose[index(j)], ankle) > nearest) continue;
          nearest = distance(pose[index(j)], ankle);
          foot = {j, sure_ * (named ? kNamed : kGuessed)};
        }
      }
      // No joint at all where the shin ends, but the file has a point there: the foot is that, for want of a better.
      if (foot.joint < 0 && was >= 0) foot = {was, tree_.end[index(was)] ? sure_ * kGuessed * 0.8f : before.confidence};
    }
  }

  // --- Human or not ------------------------------------------------------------------------------------------------

  bool are_named(const LimbChain& limb, LimbKind kind) const {
    return limb_fit(tree_, limb.upper, kind)[0] > 0 && limb_fit(tree_, limb.middle, kind)[1] > 0;
  }

  /// Where a leg ends: its foot, if need be one found elsewhere, or the point of the file behind the knee, or the knee.
  int ankle_of(const LimbChain& leg) const {
    if (leg.end >= 0) return leg.end;
    for (const int right : {0, 1}) {
      const int foot = map_.of(on_side(Role::kLeftFoot, right)).joint;
      if (foot >= 0 && map_.of(on_side(Role::kLeftShin, right)).joint == leg.middle) return foot;
    }
    const int point = end_behind(leg.middle);
    return point >= 0 ? point : leg.middle;
  }

  UprightBody body_in(const Choice& choice, const std::vector<Vec3>& pose) const {
    const auto place = [&](int joint) -> std::optional<Vec3> {
      return joint < 0 ? std::nullopt : std::optional<Vec3>(pose[index(joint)]);
    };
    UprightBody body;
    body.thighs = {pose[index(choice.legs.a.upper)], pose[index(choice.legs.b.upper)]};
    body.feet = {pose[index(ankle_of(choice.legs.a))], pose[index(ankle_of(choice.legs.b))]};
    body.upper_arms = {pose[index(choice.arms.a.upper)], pose[index(choice.arms.b.upper)]};
    body.hands = {pose[index(choice.arms.a.end >= 0 ? choice.arms.a.end : choice.arms.a.middle)],
                  pose[index(choice.arms.b.end >= 0 ? choice.arms.b.end : choice.arms.b.middle)]};
    body.head = place(map_.of(Role::kHead).joint);
    body.leg = choice.legs.a.length;
    if (choice.legs.a.end < 0 && ankle_of(choice.legs.a) != choice.legs.a.middle) {
      body.leg = distance(pose[index(choice.legs.a.upper)], pose[index(choice.legs.a.middle)]) +
                 distance(pose[index(choice.legs.a.middle)], pose[index(ankle_of(choice.legs.a))]);
    }
    body.arm = choice.arms.a.length;
    if (choice.legs.a.tip >= 0) {
      body.foot = std::max(0.0f, tree_.reach[index(choice.legs.a.end)] - tree_.reach[index(choice.legs.a.tip)]);
    }
    body.named = are_named(choice.legs.a, LimbKind::kLeg) && are_named(choice.arms.a, LimbKind::kArm);
    body.one_joint = choice.legs.from == choice.arms.from;
    body.tail = tail_length(choice);
    return body;
  }

  /// The longest way of three joints or more in the middle of the body that leads neither to the arms nor to the head.
  float tail_length(const Choice& choice) const {
    const int hips = map_.of(Role::kHips).joint;
    float longest = 0;
    for (const int j : tree_.order) {
      const int parent = tree_.parent(j);
      if (parent < 0 || parent == choice.arms.from || tree_.mirror[index(j)] >= 0) continue;
      if (!tree_.is_above(hips, parent) || tree_.is_above(j, choice.arms.from) || tree_.is_above(j, choice.legs.from))
        continue;
      if (!tree_.is_above(parent, choice.arms.from) || tree_.count[index(j)] < 3) continue;
      longest = std::max(longest, tree_.reach[index(j)] + tree_.bone[index(j)]);
    }
    return longest;
  }

  std::size_t best_pose(const Choice& choice) const {
    if (choice.rigid) return 0;
    std::size_t best = 0, fewest = 1000;
    for (std::size_t p = 0; p < tree_.rig.poses.size(); ++p) {
      const std::size_t faults = faults_of(body_in(choice, tree_.rig.poses[p])).size();
      if (faults < fewest) fewest = faults, best = p;
    }
    return best;
  }

  void judge(const Choice& choice) {
    map_.missing = faults_of(body_in(choice, tree_.rig.poses[best_pose(choice)]));
    // Arms that are copies of the legs, names and all, say nothing by them.
    const bool copied = word(choice.arms.a.upper) == word(choice.legs.a.upper) &&
                        word(choice.arms.a.middle) == word(choice.legs.a.middle);
    if (!copied && says(choice.arms.a, kLegParts))
      map_.missing.emplace_back("arms: what might be arms is named otherwise");
    if (says(choice.legs.a, kArmParts)) map_.missing.emplace_back("legs: what might be legs is named otherwise");
    map_.human = map_.missing.empty();
  }

  /// Whether names of a limb's joints say that it is another.
  template <std::size_t N>
  bool says(const LimbChain& limb, const std::array<std::string_view, N>& parts) const {
    for (const int j : {limb.upper, limb.middle, limb.end}) {
      if (j < 0 || tree_.end[index(j)]) continue;
      const std::string& name = word(j);
      if (std::any_of(parts.begin(), parts.end(),
                      [&](std::string_view part) { return name.find(part) != name.npos; })) {
        return true;
      }
    }
    return false;
  }

  // --- What the file says itself -----------------------------------------------------------------------------------

  /// The role of a bone of VRM. Its upper chest, where there is one, is what the arms branch from.
  static std::optional<Role> role_of_bone(std::string_view bone, bool upper_chest) {
    static constexpr std::array<std::pair<std::string_view, Role>, kRoles> kBones = {{
        {"hips", Role::kHips},
        {"spine", Role::kSpine},
        {"chest", Role::kChest},
        {"neck", Role::kNeck},
        {"head", Role::kHead},
        {"leftShoulder", Role::kLeftShoulder},
        {"rightShoulder", Role::kRightShoulder},
        {"leftUpperArm", Role::kLeftUpperArm},
        {"rightUpperArm", Role::kRightUpperArm},
        {"leftLowerArm", Role::kLeftForearm},
        {"rightLowerArm", Role::kRightForearm},
        {"leftHand", Role::kLeftHand},
        {"rightHand", Role::kRightHand},
        {"leftUpperLeg", Role::kLeftThigh},
        {"rightUpperLeg", Role::kRightThigh},
        {"leftLowerLeg", Role::kLeftShin},
        {"rightLowerLeg", Role::kRightShin},
        {"leftFoot", Role::kLeftFoot},
        {"rightFoot", Role::kRightFoot},
        {"leftToes", Role::kLeftToe},
        {"rightToes", Role::kRightToe},
    }};
    if (bone == "upperChest") return Role::kChest;
    if (bone == "chest" && upper_chest) return std::nullopt;
    const auto found =
        std::find_if(kBones.begin(), kBones.end(), [&](const auto& known) { return known.first == bone; });
    return found == kBones.end() ? std::nullopt : std::optional(found->second);
  }

  /// A file that says which joint is which bone, all that a human must have, is believed; what it does not name stays
  /// as it was found.
  void believe_file() {
    std::array<int, kRoles> told;
    told.fill(-1);
    const auto& joints = tree_.rig.joints;
    const bool upper = std::any_of(joints.begin(), joints.end(), [](const auto& j) { return j.human == "upperChest"; });
    for (std::size_t j = 0; j < joints.size(); ++j) {
      if (joints[j].human.empty()) continue;
      if (const auto role = role_of_bone(joints[j].human, upper))
        told[static_cast<std::size_t>(*role)] = static_cast<int>(j);
    }
    constexpr std::array kNeeded = {Role::kHips,          Role::kSpine,       Role::kHead,         Role::kLeftUpperArm,
                                    Role::kRightUpperArm, Role::kLeftForearm, Role::kRightForearm, Role::kLeftHand,
                                    Role::kRightHand,     Role::kLeftThigh,   Role::kRightThigh,   Role::kLeftShin,
                                    Role::kRightShin,     Role::kLeftFoot,    Role::kRightFoot};
    if (std::any_of(kNeeded.begin(), kNeeded.end(), [&](Role r) { return told[static_cast<std::size_t>(r)] < 0; }))
      return;
    for (std::size_t r = 0; r < kRoles; ++r) {
      if (told[r] >= 0) {
        map_.joints[r] = {told[r], 1};
      } else if (std::find(told.begin(), told.end(), map_.joints[r].joint) != told.end()) {
        map_.joints[r] = {};
      }
    }
    map_.missing.clear();
    map_.twists.clear();
    map_.fingers.clear();
    map_.human = true;
    add_twists_and_fingers();
  }

  // --- What lies between and beyond --------------------------------------------------------------------------------

  void add_twists_and_fingers() {
    constexpr std::array<std::pair<Role, Role>, 4> kBones = {{{Role::kLeftUpperArm, Role::kLeftForearm},
                                                              {Role::kLeftForearm, Role::kLeftHand},
                                                              {Role::kLeftThigh, Role::kLeftShin},
                                                              {Role::kLeftShin, Role::kLeftFoot}}};
    for (const auto& bone : kBones) {
      for (const int right : {0, 1}) add_twists(on_side(bone.first, right), on_side(bone.second, right));
    }
    for (const int right : {0, 1}) add_fingers(map_.of(on_side(Role::kLeftHand, right)).joint, right == 0);
  }

  /// Joints on the way of a bone, and those beside it that are called so.
  void add_twists(Role from, Role to) {
    const int upper = map_.of(from).joint, lower = map_.of(to).joint;
    if (upper < 0 || lower < 0 || !tree_.is_above(upper, lower)) return;
    std::vector<int> way = way_to(upper, lower);
    way.pop_back();
    for (const int j : way) map_.twists.push_back({from, j});
    for (const int j : tree_.children[index(upper)]) {
      const std::string& key = tree_.names[index(j)].key;
      const bool twist = key.find("twist") != std::string::npos || key.find("roll") != std::string::npos;
      if (twist && std::find(way.begin(), way.end(), j) == way.end()) map_.twists.push_back({from, j});
    }
  }

  void add_fingers(int hand, bool left) {
    if (hand < 0) return;
    int finger = 0;
    for (int j : tree_.children[index(hand)]) {
      if (tree_.end[index(j)] || tree_.aside[index(j)]) continue;
      int place = 0;
      for (; j >= 0 && !tree_.end[index(j)]; ++place) {
        map_.fingers.push_back({left, finger, place, j});
        j = tree_.children[index(j)].empty() ? -1 : tree_.children[index(j)].front();
      }
      ++finger;
    }
  }

  RigTree tree_;
  std::vector<LimbPair> leg_pairs_, arm_pairs_;
  float sure_ = 1;
  JointMap map_;
};

}  // namespace

Result<JointMap> map_joints(const motion::Rig& rig) {
  if (Result<void> sound = motion::check_rig(rig); !sound) return fail_from(sound);
  return Mapper(rig).map();
}

}  // namespace loom::character
