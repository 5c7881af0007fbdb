// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include <loom/base/whole.h>
#include <loom/character/detail/rig_tree.h>

namespace loom::character {
namespace {

// Left and right bones differ by less than this: a share of themselves, and of the whole.
constexpr float kUnlikeBone = 0.15f, kUnlikeSize = 0.01f;

/// Joints below one that are compared with each other; a face has a hundred.
constexpr std::size_t kMostSiblings = 256;

template <typename List>
bool has_word(const std::string& text, const List& words) {
  return std::any_of(std::begin(words), std::end(words),
                     [&](std::string_view word) { return text.find(word) != std::string::npos; });
}

/// Maya writes a point in a name as FBXASC046, and other signs alike: they only part words.
std::string readable(std::string name) {
  for (std::size_t i = name.find("FBXASC"); i != std::string::npos; i = name.find("FBXASC", i + 1)) {
    std::size_t end = i + 6;
    while (end < name.size() && end < i + 9 && name[end] >= '0' && name[end] <= '9') ++end;
    name.replace(i, end - i, ".");
  }
  return name;
}

/// Where the number begins that ends a name, "_012" and the like; its length where there is none.
std::size_t number_at_end(const std::string& name) {
  std::size_t digits = name.size();
  while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9') --digits;
  return digits < name.size() && digits > 1 && name[digits - 1] == '_' ? digits - 1 : name.size();
}

/// Whether a tool has numbered all joints through, as Sketchfab does: such numbers say nothing.
bool are_numbered(const motion::Rig& rig) {
  std::set<std::string> numbers;
  std::size_t named = 0;
  for (const motion::RigJoint& joint : rig.joints) {
    if (joint.name.empty()) continue;
    ++named;
    if (const std::size_t end = number_at_end(joint.name); end < joint.name.size())
      numbers.insert(joint.name.substr(end));
  }
  return named >= 8 && numbers.size() * 10 >= named * 8;
}

/// The words of a key, one by one: "toe end " has "end", "tendon" has not.
bool has_token(const std::string& key, std::string_view token) {
  const std::string spaced = " " + key;
  return spaced.find(" " + std::string(token) + " ") != std::string::npos;
}

}  // namespace

RigTree::RigTree(const motion::Rig& source) : rig(source), order(motion::joints_from_roots(source)) {
  const std::size_t joints = rig.joints.size();
  children.resize(joints);
  depth.assign(joints, 0);
  for (const int j : order) {
    if (parent(j) < 0) continue;
    children[index(parent(j))].push_back(j);
    depth[index(j)] = depth[index(parent(j))] + 1;
  }
  constexpr std::array<std::string_view, 7> kEnds = {"end", "nub", "site", "tip", "null", "effector", "leaf"};
  constexpr std::array<std::string_view, 16> kAside = {"ctrl",   "control", "twist",   "roll",  "pole",   "target",
                                                       "helper", "socket",  "correct", "share", "attach", "jiggle",
                                                       "muscle", "weapon",  "slot",    "marker"};
  const bool numbered = are_numbered(rig);
  for (std::size_t j = 0; j < joints; ++j) {
    const std::string& name = rig.joints[j].name;
    names.push_back(motion::parse_joint_name(readable(numbered ? name.substr(0, number_at_end(name)) : name)));
    const std::string& key = names[j].key;
    const bool named_end = children[j].empty() && std::any_of(kEnds.begin(), kEnds.end(), [&](std::string_view word) {
                             return has_token(key, word);
                           });
    end.push_back(rig.joints[j].end || named_end);
    aside.push_back(has_word(key, kAside) || has_token(key, "ik") || has_token(key, "fk") || has_token(key, "mch") ||
                    has_token(key, "sec") || has_token(key, "adj"));
  }
  // Rigify: what deforms the surface is called DEF, and what it was made of ORG.
  const bool deforms =
      std::any_of(names.begin(), names.end(), [](const auto& name) { return has_token(name.key, "def"); });
  for (std::size_t j = 0; deforms && j < joints; ++j) aside[j] = aside[j] || has_token(names[j].key, "org");
  measure();
  find_mirrors();
}

void RigTree::measure() {
  const std::size_t joints = rig.joints.size();
  bone.assign(joints, 0);
  reach.assign(joints, 0);
  count.assign(joints, 1);
  for (const int j : order) {
    if (parent(j) >= 0) bone[index(j)] = distance(rig.poses[0][index(j)], rig.poses[0][index(parent(j))]);
  }
  for (auto j = order.rbegin(); j != order.rend(); ++j) {
    if (parent(*j) < 0) {
      size = std::max(size, reach[index(*j)]);
      continue;
    }
    float& above = reach[index(parent(*j))];
    above = std::max(above, reach[index(*j)] + bone[index(*j)]);
    count[index(parent(*j))] += count[index(*j)];
  }
}

bool RigTree::is_above(int ancestor, int joint) const {
  if (ancestor < 0) return true;
  while (joint >= 0 && depth_of(joint) > depth_of(ancestor)) joint = parent(joint);
  return joint == ancestor;
}

int RigTree::common(int a, int b) const {
  while (a != b) {
    int& deeper = depth_of(a) >= depth_of(b) ? a : b;
    if (deeper < 0) return -1;
    deeper = parent(deeper);
  }
  return a;
}

bool RigTree::alike(int a, int b) const {
  const auto near = [&](float x, float y) {
    return std::fabs(x - y) <= kUnlikeBone * std::max(x, y) + kUnlikeSize * size;
  };
  const bool same_places =
      distance(rig.poses[0][index(a)], rig.poses[0][index(b)]) < 1e-4f * size && children[index(a)].empty();
  const int more = std::max(count[index(a)], count[index(b)]), fewer = std::min(count[index(a)], count[index(b)]);
  if (5 * fewer < 3 * more) return false;
  return near(bone[index(a)], bone[index(b)]) && near(reach[index(a)], reach[index(b)]) && !same_places;
}

/// Pairs each of `here` with one of `there`: the same children where the joint above is in the middle of the body, else
/// those of its counterpart.
void RigTree::pair_children(const std::vector<int>& here, const std::vector<int>& there, bool across) {
  using motion::Side;
  const auto free = [&](int a, int b) { return a != b && mirror[index(a)] < 0 && mirror[index(b)] < 0; };
  const auto pair = [&](int a, int b) { mirror[index(a)] = b, mirror[index(b)] = a; };
  for (const int a : here) {
    const Side side = names[index(a)].side;
    if (side == Side::kMiddle) continue;
    for (const int b : there) {
      const Side other = names[index(b)].side;
      if (free(a, b) && other != Side::kMiddle && other != side && names[index(a)].key == names[index(b)].key)
        pair(a, b);
    }
  }
  // Names that say nothing, or that one side spells otherwise: like bones, the likest first.
  struct Like {
    float miss;
    int a, b;
  };
  std::vector<Like> likes;
  if (here.size() > kMostSiblings || there.size() > kMostSiblings) return;
  for (const int a : here) {
    for (const int b : there) {
      if (!free(a, b) || (!across && a > b) || !alike(a, b)) continue;
      if (!across && names[index(a)].side != Side::kMiddle && names[index(a)].side == names[index(b)].side) continue;
      likes.push_back({std::fabs(bone[index(a)] - bone[index(b)]) + std::fabs(reach[index(a)] - reach[index(b)]) +
                           size * 0.02f * static_cast<float>(std::abs(count[index(a)] - count[index(b)])),
                       a, b});
    }
  }
  std::stable_sort(likes.begin(), likes.end(), [](const Like& x, const Like& y) { return x.miss < y.miss; });
  for (const Like& like : likes) {
    if (free(like.a, like.b)) pair(like.a, like.b);
  }
}

void RigTree::find_mirrors() {
  mirror.assign(rig.joints.size(), -1);
  std::vector<int> roots;
  for (const int j : order) {
    if (parent(j) < 0) roots.push_back(j);
  }
  pair_children(roots, roots, false);
  for (const int j : order) {
    const int other = mirror[index(j)];
    if (other < 0) {
      pair_children(children[index(j)], children[index(j)], false);
    } else if (j < other) {
      pair_children(children[index(j)], children[index(other)], true);
    }
  }
}

}  // namespace loom::character
