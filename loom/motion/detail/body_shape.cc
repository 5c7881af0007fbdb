// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <vector>

#include <loom/base/whole.h>
#include <loom/motion/detail/body_shape.h>

namespace loom::motion {
namespace {

// Shares of the body's size (its largest extent at rest).
constexpr float kAlike = 0.03f;        // two sides of one body differ less than this
constexpr float kShortestArm = 0.08f;  // upper arms and forearms are about 0.15, thighs and shins 0.25
constexpr float kApart = 0.06f;        // shoulders are 0.2 apart, hips 0.1
constexpr float kNearFloor = 0.12f;    // ankles are this near to the lowest point, hands are not
constexpr float kToeLength = 0.02f;    // a foot shorter than this does not tell where is forward
constexpr std::size_t kLongestChain = 32;

/// From a joint on outwards: the points one passes following, at every fork, the longer way.
struct Chain {
  std::vector<int> points;  ///< joints, then perhaps one end site (joints + its number)
};

/// Two like chains on the two sides of the body, hanging from one joint.
struct ChainPair {
  int from = -1;
  Chain a, b;
  std::size_t upper = 0;  ///< where in the chains the two longest bones in a row start
  float bones = 0;        ///< length of these two bones
};

class ShapeFinder {
 public:
  ShapeFinder(const Skeleton& skeleton, std::span<const Vec3> rest) : skeleton_(skeleton), rest_(rest) {
    Vec3 low = rest_[0], high = rest_[0];
    for (const Vec3& p : rest_) {
      low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    floor_ = low.y;
    size_ = std::max({high.x - low.x, high.y - low.y, high.z - low.z});
    follow_longest();
  }

  Body find(std::optional<Vec3> left) const;

 private:
  void follow_longest();
  [[nodiscard]] Chain chain_from(int joint) const;
  [[nodiscard]] bool alike(const Chain& a, const Chain& b) const;
  [[nodiscard]] std::vector<ChainPair> find_pairs() const;
  [[nodiscard]] Limb limb(const ChainPair& pair, const Chain& chain) const;
  [[nodiscard]] Vec3 left_from_feet(const ChainPair& legs) const;
  void find_head(const ChainPair& arms, Body& body) const;
  [[nodiscard]] bool on_floor(const ChainPair& pair) const {
    return rest_[index(pair.a.points[pair.upper + 2])].y < floor_ + kNearFloor * size_;
  }

  const Skeleton& skeleton_;
  std::span<const Vec3> rest_;
  float floor_ = 0, size_ = 0;
  std::vector<int> next_;     ///< for every joint the next point of its longest chain, -1 at its end
  std::vector<float> reach_;  ///< for every joint the length of that chain
};

void ShapeFinder::follow_longest() {
  const std::size_t joints = skeleton_.size();
  next_.assign(joints, -1);
  reach_.assign(joints, 0.0f);
  const auto& sites = skeleton_.end_sites();
  for (std::size_t s = 0; s < sites.size(); ++s) {
    const std::size_t j = index(sites[s].joint);
    if (length(sites[s].offset) > reach_[j])
      reach_[j] = length(sites[s].offset), next_[j] = static_cast<int>(joints + s);
  }
  for (std::size_t j = joints; j-- > 1;) {
    const std::size_t parent = index(skeleton_.joint(j).parent);
    const float way = length(skeleton_.joint(j).offset) + reach_[j];
    // A joint at no distance still continues the chain.
    if (way > reach_[parent] || next_[parent] < 0) reach_[parent] = way, next_[parent] = static_cast<int>(j);
  }
}

Chain ShapeFinder::chain_from(int joint) const {
  Chain chain;
  for (int p = joint; p >= 0 && chain.points.size() < kLongestChain;) {
    chain.points.push_back(p);
    p = index(p) < skeleton_.size() ? next_[index(p)] : -1;
  }
  return chain;
}

/// Same bones, same heights, and all points apart along one horizontal line.
bool ShapeFinder::alike(const Chain& a, const Chain& b) const {
  if (a.points.size() != b.points.size()) return false;
  const std::size_t n = a.points.size();
  Vec3 across;
  for (std::size_t i = 0; i < n; ++i) across += rest_[index(a.points[i])] - rest_[index(b.points[i])];
  if (length(across) < kAlike * size_) return false;
  across = normalized(across);
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3 apart = rest_[index(a.points[i])] - rest_[index(b.points[i])];
    if (length(apart - across * dot(apart, across)) > kAlike * size_) return false;
    if (i == 0) continue;
    const float bone_a = distance(rest_[index(a.points[i])], rest_[index(a.points[i - 1])]);
    const float bone_b = distance(rest_[index(b.points[i])], rest_[index(b.points[i - 1])]);
    if (std::abs(bone_a - bone_b) > kAlike * size_) return false;
  }
  return std::abs(across.y) < 0.2f;
}

std::vector<ChainPair> ShapeFinder::find_pairs() const {
  std::vector<std::vector<int>> children(skeleton_.size());
  for (std::size_t j = 1; j < skeleton_.size(); ++j) {
    // Only what is long enough for a limb takes part.
    if (reach_[j] >= 2 * kShortestArm * size_)
      children[index(skeleton_.joint(j).parent)].push_back(static_cast<int>(j));
  }
  std::vector<ChainPair> pairs;
  for (std::size_t j = 0; j < skeleton_.size(); ++j) {
    for (std::size_t c = 0; c < children[j].size(); ++c) {
      for (std::size_t d = c + 1; d < children[j].size(); ++d) {
        ChainPair pair{static_cast<int>(j), chain_from(children[j][c]), chain_from(children[j][d]), 0, 0};
        if (pair.a.points.size() < 3 || !alike(pair.a, pair.b)) continue;
        for (std::size_t i = 0; i + 2 < pair.a.points.size(); ++i) {
          // Collarbones start near the middle of the body, upper arms and thighs do not.
          if (distance(rest_[index(pair.a.points[i])], rest_[index(pair.b.points[i])]) < kApart * size_) continue;
          const float first = distance(rest_[index(pair.a.points[i])], rest_[index(pair.a.points[i + 1])]);
          const float second = distance(rest_[index(pair.a.points[i + 1])], rest_[index(pair.a.points[i + 2])]);
          if (std::min(first, second) < kShortestArm * size_ || first + second <= pair.bones) continue;
          pair.bones = first + second;
          pair.upper = i;
        }
        // The end must be a joint, not a mere end site.
        if (pair.bones > 0 && index(pair.a.points[pair.upper + 2]) < skeleton_.size()) pairs.push_back(std::move(pair));
      }
    }
  }
  return pairs;
}

Limb ShapeFinder::limb(const ChainPair& pair, const Chain& chain) const {
  const std::size_t u = pair.upper;
  Limb found{chain.points[u], chain.points[u + 1], chain.points[u + 2], -1};
  if (u + 3 < chain.points.size() && index(chain.points[u + 3]) < skeleton_.size()) found.tip = chain.points[u + 3];
  return found;
}

/// Toes point forward; left is up × forward. Zero where the feet do not tell.
Vec3 ShapeFinder::left_from_feet(const ChainPair& legs) const {
  Vec3 forward;
  for (const Chain* leg : {&legs.a, &legs.b}) {
    if (legs.upper + 3 >= leg->points.size()) continue;
    forward += rest_[index(leg->points.back())] - rest_[index(leg->points[legs.upper + 2])];
  }
  forward.y = 0;
  if (length(forward) < 2 * kToeLength * size_) return {};
  return cross(Vec3{0, 1, 0}, forward);
}

void ShapeFinder::find_head(const ChainPair& arms, Body& body) const {
  int best = -1;
  for (std::size_t j = index(arms.from) + 1; j < skeleton_.size(); ++j) {
    const int child = static_cast<int>(j);
    if (skeleton_.joint(j).parent != arms.from || child == arms.a.points[0] || child == arms.b.points[0]) continue;
    if (rest_[j].y < rest_[index(arms.from)].y) continue;
    if (best < 0 || reach_[j] > reach_[index(best)]) best = child;
  }
  if (best < 0) return;
  Chain chain = chain_from(best);
  if (index(chain.points.back()) >= skeleton_.size()) chain.points.pop_back();
  body.head = chain.points.back();
  if (chain.points.size() > 1) body.neck = chain.points.front();
}

Body ShapeFinder::find(std::optional<Vec3> left) const {
  const std::vector<ChainPair> pairs = find_pairs();
  const ChainPair *legs = nullptr, *arms = nullptr;
  std::size_t walking = 0;
  for (const ChainPair& pair : pairs) {
    const ChainPair*& best = on_floor(pair) ? legs : arms;
    walking += on_floor(pair) ? 1 : 0;
    if (best == nullptr || pair.bones > best->bones) best = &pair;
  }
  Body body;
  if (legs == nullptr || walking > 1) return body;  // nobody, or somebody on four legs
  Vec3 to_left = left ? *left : left_from_feet(*legs);
  const Vec3 across = rest_[index(legs->a.points[legs->upper])] - rest_[index(legs->b.points[legs->upper])];
  if (length(to_left) == 0) to_left = std::abs(across.x) >= std::abs(across.z) ? Vec3{1, 0, 0} : Vec3{0, 0, -1};
  const auto assign = [&](const ChainPair& pair, Limb& left_limb, Limb& right_limb) {
    Vec3 apart;
    for (std::size_t i = 0; i < pair.a.points.size(); ++i) {
      apart += rest_[index(pair.a.points[i])] - rest_[index(pair.b.points[i])];
    }
    const bool a_is_left = dot(apart, to_left) > 0;
    left_limb = limb(pair, a_is_left ? pair.a : pair.b);
    right_limb = limb(pair, a_is_left ? pair.b : pair.a);
  };
  assign(*legs, body.left_leg, body.right_leg);
  body.hips = legs->from;
  if (arms != nullptr) {
    assign(*arms, body.left_arm, body.right_arm);
    find_head(*arms, body);
  }
  return body;
}

}  // namespace

Body find_body_by_shape(const Skeleton& skeleton, std::span<const Vec3> rest, std::optional<Vec3> left) {
  if (skeleton.size() < 7) return {};  // hips and three joints a leg
  return ShapeFinder(skeleton, rest).find(left);
}

}  // namespace loom::motion
