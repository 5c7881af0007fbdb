// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>

#include <loom/base/whole.h>
#include <loom/character/detail/limb_search.h>

namespace loom::character {
namespace {

constexpr std::size_t kLongestPath = 24;  ///< joints from the body outwards; a finger of a real rig ends after 12
constexpr std::size_t kMostPaths = 48;    ///< ways outwards looked at from one top; a hand has 5 to 20

// What a seat is worth. Names that fit count 1 a joint; shape alone must find the same where names say nothing.
constexpr float kUnbalanced = 0.8f;  ///< for each factor e between the two bones
constexpr float kFingers = 0.3f;     ///< three or more chains hang from the hand
constexpr float kBend = 0.25f;       ///< the foot turns off from the shin
constexpr float kBendAngle = 30 * kDegree;
constexpr float kOtherLimb = 0.4f;       ///< against a joint named after a part of the other kind of limb
constexpr float kAside = 1.0f;           ///< against controls, twist joints and ends of bones
constexpr float kFarTip = 0.1f;          ///< toes lie further off than what else hangs from a foot
constexpr float kNoEnd = 0.6f;           ///< against a limb without a joint at its end
constexpr float kBetween = 0.15f;        ///< against each joint within a bone
constexpr float kBetweenInLine = 0.04f;  ///< the same where it lies on the bone, as twist joints do
constexpr float kBetterNamed = 0.8f;  ///< against beginning further in than the joint that is called what begins there
constexpr float kAgain = 0.5f;        ///< against the second of two joints of one name: upper_arm, upper_arm.001
constexpr float kInLine = 0.02f;      ///< share of the bone that a joint within it may lie beside
constexpr float kBeyondFingers = 0.6f;  ///< against a hand that lies beyond where three or more chains part
constexpr float kNarrow = 0.3f;         ///< against limbs that begin in the middle of the body: collarbones do
constexpr float kArmsApart = 0.25f, kLegsApart = 0.07f;  ///< share of the limb that its counterpart is apart at least
constexpr float kShortest = 0.02f;                       ///< share of the path that a bone of a limb has at least

struct MoreWords {
  std::string_view word;
  motion::LimbFit fit;
};

// Besides those that `leg_fit` and `arm_fit` know.
constexpr MoreWords kLegs[] = {
    {"talocrural", {0, 0, 3, 0}}, {"footthumb", {0, 0, 0, 3}}, {"loleg", {0, 3, 0, 0}},
    {"llg", {0, 3, 0, 0}},        {"lleg", {0, 3, 0, 0}},      {"uleg", {3, 0, 0, 0}},
    {"upperlegs", {3, 0, 0, 0}},  {"heel", {0, 0, 1, 0}},      {"legs", {1, 0, 0, 0}},
};
constexpr MoreWords kArms[] = {
    {"palm", {0, 0, 1, 0}}, {"loarm", {0, 3, 0, 0}}, {"larm", {0, 3, 0, 0}}, {"hands", {0, 0, 2, 0}},
    {"arms", {1, 0, 0, 0}}, {"fist", {0, 0, 2, 0}},  {"ulna", {0, 2, 0, 0}},
};

motion::LimbFit fit_of(std::string_view word, LimbKind kind) {
  // A hand in several joints, one a finger: "PalmI" to "PalmP".
  if (word.size() == 5 && word.starts_with("palm")) word.remove_suffix(1);
  const std::span<const MoreWords> more = kind == LimbKind::kLeg ? std::span<const MoreWords>(kLegs) : kArms;
  for (const MoreWords& entry : more) {
    if (entry.word == word) return entry.fit;
  }
  return kind == LimbKind::kLeg ? motion::leg_fit(word) : motion::arm_fit(word);
}

bool is_finger(std::string_view word) {
  constexpr std::string_view kWords[] = {"thumb", "index", "middle", "ring", "pinky", "little", "finger", "pointer"};
  return std::any_of(std::begin(kWords), std::end(kWords),
                     [&](std::string_view finger) { return word.find(finger) != word.npos; });
}

/// All ways from `top` outwards, depth first, the first of the file first.
void add_paths(const RigTree& tree, std::vector<int>& way, std::vector<std::vector<int>>& paths) {
  const std::vector<int>& children = tree.children[index(way.back())];
  if (children.empty() || way.size() >= kLongestPath) {
    paths.push_back(way);
    return;
  }
  for (const int child : children) {
    if (paths.size() >= kMostPaths) return;
    way.push_back(child);
    add_paths(tree, way, paths);
    way.pop_back();
  }
}

class Seating {
 public:
  Seating(const RigTree& tree, const std::vector<int>& path, LimbKind kind) : tree_(tree), path_(path), kind_(kind) {
    along_.assign(path.size(), 0);
    for (std::size_t i = 1; i < path.size(); ++i) along_[i] = along_[i - 1] + tree.bone[index(path[i])];
    const LimbKind other = kind == LimbKind::kLeg ? LimbKind::kArm : LimbKind::kLeg;
    for (const int j : path) {
      fits_.push_back(limb_fit(tree, j, kind));
      const motion::LimbFit against = limb_fit(tree, j, other);
      float cost = *std::max_element(against.begin(), against.end()) >
                           *std::max_element(fits_.back().begin(), fits_.back().end())
                       ? kOtherLimb
                       : 0;
      if (tree.end[index(j)] || tree.aside[index(j)]) cost += kAside;
      costs_.push_back(cost);
    }
  }

  LimbChain best() const {
    LimbChain best;
    best.score = -1e9f;
    const std::size_t n = path_.size();
    for (std::size_t u = 0; u + 1 < n; ++u) {
      for (std::size_t m = u + 1; m < n; ++m) {
        consider(u, m, n, best);
        for (std::size_t e = m + 1; e < n; ++e) consider(u, m, e, best);
      }
    }
    if (best.found()) best.path = path_;
    return best;
  }

 private:
  float name(std::size_t i, std::size_t place) const {
    return std::min(1.0f, static_cast<float>(fits_[i][place]) / 3.0f);
  }

  /// The toes: the best named joint behind the foot, else the first that is one and lies apart from it.
  std::size_t tip_behind(std::size_t e) const {
    std::size_t tip = path_.size();
    for (std::size_t i = e + 1; i < path_.size(); ++i) {
      if (tree_.end[index(path_[i])] || tree_.aside[index(path_[i])]) continue;
      if (along_[i] - along_[e] < kShortest * along_[e]) continue;
      if (tip == path_.size() || name(i, 3) > name(tip, 3)) tip = i;
    }
    return tip;
  }

  /// What joints strictly between two cost.
  float between(std::size_t from, std::size_t to) const {
    const auto& pose = tree_.rig.poses[0];
    const float bone = along_[to] - along_[from];
    float cost = 0;
    for (std::size_t i = from + 1; i < to; ++i) {
      const Vec3 a = pose[index(path_[from])], b = pose[index(path_[to])], p = pose[index(path_[i])];
      const float detour = distance(a, p) + distance(p, b) - distance(a, b);
      cost += detour < kInLine * bone ? kBetweenInLine : kBetween;
    }
    return cost;
  }

  /// A collarbone called shoulder before an upper arm called arm, however short that is.
  bool better_begins_behind(std::size_t u, std::size_t m) const {
    for (std::size_t i = u + 1; i < m; ++i) {
      if (name(i, 0) > name(u, 0) && name(u, 0) > 0 && !tree_.aside[index(path_[i])]) return true;
    }
    return false;
  }

  /// Whether a joint further in, down to `from`, is called the same as the one at `i`, which its name suits.
  bool is_again(std::size_t from, std::size_t i, std::size_t place) const {
    if (name(i, place) == 0) return false;
    for (std::size_t k = from; k < i; ++k) {
      if (tree_.names[index(path_[k])].word == tree_.names[index(path_[i])].word && !tree_.aside[index(path_[k])])
        return true;
    }
    return false;
  }

  /// Whether a finger by its name lies between two joints.
  bool has_finger_between(std::size_t m, std::size_t e) const {
    for (std::size_t i = m + 1; i < e; ++i) {
      if (is_finger(tree_.names[index(path_[i])].word)) return true;
    }
    return false;
  }

  bool is_narrow(std::size_t u, float limb) const {
    const int other = tree_.mirror[index(path_[u])];
    if (other < 0) return false;
    const auto& pose = tree_.rig.poses[0];
    const float apart = distance(pose[index(path_[u])], pose[index(other)]);
    return apart < (kind_ == LimbKind::kArm ? kArmsApart : kLegsApart) * limb;
  }

  /// The first joint behind `m` from which three chains or more part.
  std::size_t first_fan(std::size_t m) const {
    std::size_t i = m + 1;
    while (i < path_.size() && tree_.children[index(path_[i])].size() < 3) ++i;
    return i;
  }

  float bend_at(std::size_t m, std::size_t e) const {
    if (e + 1 >= path_.size()) return 0;
    const auto& pose = tree_.rig.poses[0];
    const Vec3 shin = pose[index(path_[e])] - pose[index(path_[m])],
               foot = pose[index(path_.back())] - pose[index(path_[e])];
    const float lengths = length(shin) * length(foot);
    if (lengths <= 0) return 0;
    return dot(shin, foot) < std::cos(kBendAngle) * lengths ? kBend : 0;
  }

  void consider(std::size_t u, std::size_t m, std::size_t e, LimbChain& best) const {
    const bool ends = e < path_.size();
    const float total = std::max(tree_.reach[index(path_[0])], 1e-12f);
    const float upper = along_[m] - along_[u], lower = ends ? along_[e] - along_[m] : upper;
    float named = name(u, 0) + name(m, 1) + (ends ? name(e, 2) : 0);
    float score = -costs_[u] - costs_[m] - (ends ? costs_[e] : kNoEnd);
    if (!ends) {
      // Only names tell that a chain stops at the knee: and what follows is not seated.
      if (name(u, 0) == 0 || name(m, 1) == 0) return;
      score += 0.5f;
    } else if (std::min(upper, lower) < kShortest * total) {
      // Bones without length: only names tell.
      if (name(u, 0) == 0 || name(m, 1) == 0 || name(e, 2) == 0) return;
    } else {
      score += (upper + lower) / total - kUnbalanced * std::fabs(std::log(upper / lower));
      score -= between(u, m) + between(m, e);
      if (better_begins_behind(u, m)) score -= kBetterNamed;
      if (is_again(0, u, 0)) score -= kAgain;
      if (is_again(u + 1, m, 1)) score -= kAgain;
      if (is_narrow(u, upper + lower)) score -= kNarrow;
    }
    std::size_t tip = path_.size();
    if (ends && kind_ == LimbKind::kArm) {
      const std::size_t fan = first_fan(m);
      if (fan == e) score += kFingers;
      if (fan < e || has_finger_between(m, e)) score -= kBeyondFingers;
    }
    if (ends && kind_ == LimbKind::kLeg) {
      score += bend_at(m, e);
      tip = tip_behind(e);
      if (tip < path_.size()) {
        named += name(tip, 3);
        score += kFarTip * (along_.back() - along_[e]) / std::max(along_[e], 1e-12f);
      }
    }
    score += named;
    if (score <= best.score) return;
    best.score = score;
    best.named = named;
    best.length = upper + lower;
    best.upper = path_[u];
    best.middle = path_[m];
    best.end = ends ? path_[e] : -1;
    best.tip = tip < path_.size() ? path_[tip] : -1;
  }

  const RigTree& tree_;
  const std::vector<int>& path_;
  LimbKind kind_;
  std::vector<float> along_;  ///< way from path[0]
  std::vector<motion::LimbFit> fits_;
  std::vector<float> costs_;
};

}  // namespace

motion::LimbFit limb_fit(const RigTree& tree, int joint, LimbKind kind) {
  return fit_of(tree.names[index(joint)].word, kind);
}

LimbChain find_limb(const RigTree& tree, int top, LimbKind kind) {
  std::vector<int> way{top};
  std::vector<std::vector<int>> paths;
  add_paths(tree, way, paths);
  LimbChain best;
  best.score = -1e9f;
  for (const std::vector<int>& path : paths) {
    LimbChain chain = Seating(tree, path, kind).best();
    if (chain.found() && chain.score > best.score) best = std::move(chain);
  }
  return best;
}

LimbChain mirrored_limb(const RigTree& tree, const LimbChain& limb, LimbKind kind) {
  const auto other = [&](int joint) { return joint < 0 ? -1 : tree.mirror[index(joint)]; };
  LimbChain found = limb;
  found.upper = other(limb.upper);
  found.middle = other(limb.middle);
  found.end = other(limb.end);
  found.tip = other(limb.tip);
  const bool whole = found.upper >= 0 && found.middle >= 0 && (found.end >= 0) == (limb.end >= 0) &&
                     (found.tip >= 0) == (limb.tip >= 0);
  if (!whole) return find_limb(tree, tree.mirror[index(limb.path[0])], kind);
  for (int& joint : found.path) joint = other(joint);
  std::erase(found.path, -1);
  return found;
}

}  // namespace loom::character
