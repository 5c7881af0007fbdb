// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include <loom/base/whole.h>
#include <loom/motion/body.h>
#include <loom/motion/joint_names.h>
#include <loom/motion/kinematics.h>

namespace loom::motion {
namespace {

// A bone may be this much longer than its counterpart, in shares and in metres, before names are not believed.
constexpr float kUnlikeShare = 0.5f;
constexpr float kUnlikeMetres = 0.05f;
// Where geometry alone pairs: how far, in shares of the body's size, mirrored bones may miss each other.
constexpr float kMirroredMiss = 0.03f;

/// Pairs joints from the root outwards: the children of a pair are paired with each other, by names where those tell
/// sides and by the shape at rest where they do not.
class Pairing {
 public:
  explicit Pairing(const Skeleton& skeleton) : skeleton_(skeleton), children_(skeleton.size()) {
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
      names_.push_back(parse_joint_name(skeleton.joint(j).name));
      if (j > 0) children_[index(skeleton.joint(j).parent)].push_back(static_cast<int>(j));
    }
    for (const Vec3& p : rest_positions(skeleton)) size_ = std::max(size_, length(p));
    const Body body = find_body(skeleton);
    if (body.left_leg.upper < 0 || body.right_leg.upper < 0) return;
    const std::vector<Vec3> rest = rest_positions(skeleton);
    const Vec3 across = rest[index(body.left_leg.upper)] - rest[index(body.right_leg.upper)];
    if (length(across) > 1e-4f) left_ = normalized(across);
  }

  Result<std::vector<int>> find() {
    pairs_.assign(skeleton_.size(), -1);
    pairs_[0] = 0;
    // Parents come before children, so that every joint met here has its counterpart already.
    for (std::size_t j = 0; j < skeleton_.size(); ++j) {
      const int here = static_cast<int>(j), there = pairs_[j];
      if (here > there) continue;
      if (auto paired = here == there ? pair_in_middle(here) : pair_across(here, there); !paired) {
        return fail_from(paired);
      }
    }
    return std::move(pairs_);
  }

 private:
  [[nodiscard]] Vec3 mirrored(Vec3 v) const { return v - left_ * (2 * dot(v, left_)); }

  void set_pair(int a, int b) { pairs_[index(a)] = b, pairs_[index(b)] = a; }

  /// The joint among `others` that names call the counterpart of `joint`.
  [[nodiscard]] int counterpart_by_name(int joint, const std::vector<int>& others) const {
    const JointName& name = names_[index(joint)];
    const Side wanted = name.side == Side::kLeft ? Side::kRight : Side::kLeft;
    for (const int other : others) {
      if (names_[index(other)].side == wanted && names_[index(other)].key == name.key) return other;
    }
    return -1;
  }

  /// How far the subtree of `a`, mirrored, is from that of `b`: the largest miss of any bone, in metres, or a lower
  /// bound of it beyond what is tolerated; infinite when the hierarchies differ.
  float miss(int a, int b) {
    const auto& ca = children_[index(a)];
    const auto& cb = children_[index(b)];
    if (ca.size() != cb.size()) return std::numeric_limits<float>::infinity();
    float worst = length(mirrored(skeleton_.joint(index(a)).offset) - skeleton_.joint(index(b)).offset);
    if (ca.empty() || worst > kMirroredMiss * size_) return worst;  // too far already: no need to look further out
    const std::size_t key = index(a) * skeleton_.size() + index(b);
    if (const auto known = miss_.find(key); known != miss_.end()) return known->second;
    std::vector<bool> used(cb.size(), false);
    for (const int child : ca) {
      float least = std::numeric_limits<float>::infinity();
      std::size_t chosen = 0;
      for (std::size_t i = 0; i < cb.size(); ++i) {
        const float candidate = used[i] ? least : miss(child, cb[i]);
        if (candidate < least) least = candidate, chosen = i;
      }
      used[chosen] = true;
      worst = std::max(worst, least);
    }
    miss_[key] = worst;
    return worst;
  }

  Result<void> check_alike(int a, int b) const {
    const float la = length(skeleton_.joint(index(a)).offset), lb = length(skeleton_.joint(index(b)).offset);
    const float apart = std::abs(la - lb);
    if (apart <= kUnlikeMetres || apart <= kUnlikeShare * std::max(la, lb)) return {};
    return fail("joints '" + skeleton_.joint(index(a)).name + "' and '" + skeleton_.joint(index(b)).name +
                "' are named as counterparts but their bones differ too much in length to be mirrored");
  }

  /// The children of a joint in the middle of the body.
  Result<void> pair_in_middle(int joint) {
    const auto& children = children_[index(joint)];
    std::vector<int> unnamed;
    for (const int child : children) {
      if (pairs_[index(child)] >= 0) continue;
      if (names_[index(child)].side == Side::kMiddle) {
        unnamed.push_back(child);
        continue;
      }
      const int other = counterpart_by_name(child, children);
      if (other < 0) return missing(child);
      if (auto alike = check_alike(child, other); !alike) return alike;
      set_pair(child, other);
    }
    for (std::size_t i = 0; i < unnamed.size(); ++i) {
      const int child = unnamed[i];
      if (pairs_[index(child)] >= 0) continue;
      int best = child;
      float least = std::min(miss(child, child), kMirroredMiss * size_);
      for (std::size_t k = i + 1; k < unnamed.size() && least > 0; ++k) {
        if (pairs_[index(unnamed[k])] >= 0) continue;
        const float candidate = miss(child, unnamed[k]);
        if (candidate < least) least = candidate, best = unnamed[k];
      }
      set_pair(child, best);
    }
    return {};
  }

  /// The children of a joint on one side with those of its counterpart.
  Result<void> pair_across(int here, int there) {
    const auto& others = children_[index(there)];
    for (const int child : children_[index(here)]) {
      int other = -1;
      if (names_[index(child)].side != Side::kMiddle) {
        other = counterpart_by_name(child, others);
      } else {
        float least = std::numeric_limits<float>::max();
        for (const int candidate : others) {
          if (pairs_[index(candidate)] >= 0 || names_[index(candidate)].side != Side::kMiddle) continue;
          const float far = miss(child, candidate);
          if (far < least) least = far, other = candidate;
        }
      }
      if (other < 0 || pairs_[index(other)] >= 0) return missing(child);
      if (auto alike = check_alike(child, other); !alike) return alike;
      set_pair(child, other);
    }
    for (const int other : others) {
      if (pairs_[index(other)] < 0) return missing(other);
    }
    return {};
  }

  [[nodiscard]] Result<void> missing(int joint) const {
    const Side side = names_[index(joint)].side;
    const std::string which = side == Side::kLeft ? "left " : (side == Side::kRight ? "right " : "");
    return fail(which + "joint '" + skeleton_.joint(index(joint)).name +
                "' has no counterpart on the other side of the body");
  }

  const Skeleton& skeleton_;
  std::vector<JointName> names_;
  std::vector<std::vector<int>> children_;
  std::vector<int> pairs_;
  std::unordered_map<std::size_t, float> miss_;
  Vec3 left_{1, 0, 0};
  float size_ = 0;
};

}  // namespace

Result<std::vector<int>> mirror_pairs(const Skeleton& skeleton) { return Pairing(skeleton).find(); }

}  // namespace loom::motion
