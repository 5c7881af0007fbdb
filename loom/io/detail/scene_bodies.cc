// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <numeric>
#include <string_view>
#include <unordered_map>

#include <fmt/format.h>

#include <loom/base/whole.h>
#include <loom/io/detail/scene_bodies.h>

namespace loom::io {
namespace {

/// No body hangs deeper than this, and with it every walk up the hierarchy is short.
constexpr int kMaxDepth = 1024;
/// The most nodes of a scene; films have tens of thousands.
constexpr std::size_t kMaxNodes = 1'000'000;
/// The most bodies of a scene: a large crowd.
constexpr std::size_t kMaxBodies = 1000;

/// What the search needs to know of every node.
struct Tree {
  std::vector<int> order;                  ///< all nodes, parents first, children in the file's order
  std::vector<int> place;                  ///< of each node in `order`
  std::vector<int> depth;                  ///< 0 at a root
  std::vector<std::vector<int>> children;  ///< in the file's order
  std::vector<bool> tracked;               ///< some animation has keys for it
  std::vector<bool> moves;                 ///< some animation turns or moves it
};

Tree grow_tree(const AnimatedScene& scene) {
  const std::size_t count = scene.nodes.size();
  Tree tree{{}, std::vector<int>(count),  std::vector<int>(count),
            {}, std::vector<bool>(count), std::vector<bool>(count)};
  tree.children.resize(count);
  std::vector<int> open;
  for (int n = static_cast<int>(count) - 1; n >= 0; --n) {
    if (scene.nodes[index(n)].parent == kNoNode) open.push_back(n);
  }
  for (int n = 0; n < static_cast<int>(count); ++n) {
    const int parent = scene.nodes[index(n)].parent;
    if (parent != kNoNode) tree.children[index(parent)].push_back(n);
  }
  while (!open.empty()) {
    const int n = open.back();
    open.pop_back();
    tree.place[index(n)] = static_cast<int>(tree.order.size());
    tree.order.push_back(n);
    const auto& children = tree.children[index(n)];
    for (const int child : children) tree.depth[index(child)] = tree.depth[index(n)] + 1;
    open.insert(open.end(), children.rbegin(), children.rend());
  }
  for (const SceneAnimation& animation : scene.animations) {
    for (const NodeTracks& tracks : animation.tracks) {
      const std::size_t n = index(tracks.node);
      if (!tracks.rotation.empty() || !tracks.translation.empty()) tree.tracked[n] = true;
      if (varies(tracks.rotation, kStillRotation) || varies(tracks.translation, 1e-6f)) tree.moves[n] = true;
    }
  }
  return tree;
}

/// The deepest node above or at both, or kNoNode where they are in different trees. O(depth).
int common_ancestor(const AnimatedScene& scene, const Tree& tree, int a, int b) {
  while (a != b && a != kNoNode && b != kNoNode) {
    int& deeper = tree.depth[index(a)] >= tree.depth[index(b)] ? a : b;
    deeper = scene.nodes[index(deeper)].parent;
  }
  return a == b ? a : kNoNode;
}

/// For each node the highest of its ancestors, or itself, that is chosen; kNoNode where none is.
std::vector<int> topmost(const AnimatedScene& scene, const Tree& tree, const std::vector<bool>& chosen) {
  std::vector<int> top(scene.nodes.size(), kNoNode);
  for (const int n : tree.order) {
    const int parent = scene.nodes[index(n)].parent;
    top[index(n)] =
        parent != kNoNode && top[index(parent)] != kNoNode ? top[index(parent)] : (chosen[index(n)] ? n : kNoNode);
  }
  return top;
}

bool names_an_end(std::string_view name) {
  std::string lower(name.size(), ' ');
  std::transform(name.begin(), name.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return lower.ends_with("_end") || lower.ends_with("end site") || lower.ends_with("endsite");
}

/// Whether the node only tells where its parent's bone ends: so marked, or so named (Blender, Mixamo), and unmoved.
bool is_end(const AnimatedScene& scene, const Tree& tree, int n) {
  const SceneNode& node = scene.nodes[index(n)];
  if (node.parent == kNoNode || !tree.children[index(n)].empty()) return false;
  return node.end_site || (!tree.moves[index(n)] && names_an_end(node.name));
}

/// Parts the joints below `root` into joints and ends and puts them in order.
SceneBody make_body(const AnimatedScene& scene, const Tree& tree, int root, std::vector<int> nodes, std::string name) {
  std::sort(nodes.begin(), nodes.end(), [&](int a, int b) { return tree.place[index(a)] < tree.place[index(b)]; });
  SceneBody body{std::move(name), {}, {}};
  for (const int n : nodes) (n != root && is_end(scene, tree, n) ? body.ends : body.joints).push_back(n);
  return body;
}

/// Reorders the joints as `skin` lists them, if it lists them all and parents before children.
void keep_skin_order(const AnimatedScene& scene, const SceneSkin& skin, SceneBody& body) {
  std::unordered_map<int, std::size_t> rank;
  for (std::size_t i = 0; i < skin.joints.size(); ++i) rank[skin.joints[i]] = i;
  const auto rank_of = [&](int n) {
    const auto found = rank.find(n);
    return found == rank.end() ? skin.joints.size() : found->second;
  };
  for (const int n : body.joints) {
    if (rank_of(n) == skin.joints.size()) return;
    if (n != body.joints[0] && rank_of(scene.nodes[index(n)].parent) >= rank_of(n)) return;
  }
  const auto by_rank = [&](int a, int b) { return rank_of(a) < rank_of(b); };
  std::sort(body.joints.begin(), body.joints.end(), by_rank);
  std::sort(body.ends.begin(), body.ends.end(), by_rank);
}

/// Skins that share a joint, or hang below each other's joints, dress one body: gives each skin a group.
std::vector<int> group_skins(const AnimatedScene& scene, const std::vector<int>& top) {
  std::vector<int> group(scene.skins.size());
  std::iota(group.begin(), group.end(), 0);
  const auto find = [&](int s) {
    while (group[index(s)] != s) s = group[index(s)] = group[index(group[index(s)])];
    return s;
  };
  std::vector<int> owner(scene.nodes.size(), -1);  // of each topmost joint: a skin that uses it
  for (int s = 0; s < static_cast<int>(scene.skins.size()); ++s) {
    for (const int joint : scene.skins[index(s)].joints) {
      int& first = owner[index(top[index(joint)])];
      if (first < 0) first = s;
      const int a = find(first), b = find(s);
      group[index(std::max(a, b))] = std::min(a, b);
    }
  }
  for (int s = 0; s < static_cast<int>(group.size()); ++s) group[index(s)] = find(s);
  return group;
}

/// The nodes from `joints` up to `root`, each once, and the end sites that hang from them.
std::vector<int> close_upwards(const AnimatedScene& scene, const Tree& tree, int root, const std::vector<int>& joints,
                               std::vector<bool>& seen) {
  std::vector<int> nodes;
  for (int n : joints) {
    for (; !seen[index(n)]; n = scene.nodes[index(n)].parent) {
      seen[index(n)] = true;
      nodes.push_back(n);
      if (n == root) break;
    }
  }
  for (std::size_t i = 0, count = nodes.size(); i < count; ++i) {
    for (const int child : tree.children[index(nodes[i])]) {
      if (!seen[index(child)] && is_end(scene, tree, child)) nodes.push_back(child);
    }
  }
  for (const int n : nodes) seen[index(n)] = false;
  return nodes;
}

/// Where the body of these joints starts: the node they all hang from, or the highest above it that moves.
int find_root(const AnimatedScene& scene, const Tree& tree, const std::vector<int>& top,
              const std::vector<int>& joints) {
  int root = top[index(joints[0])];
  for (const int joint : joints) root = common_ancestor(scene, tree, root, top[index(joint)]);
  int highest = root;
  for (int n = root; n != kNoNode; n = scene.nodes[index(n)].parent) {
    if (tree.moves[index(n)]) highest = n;
  }
  return highest;
}

std::vector<SceneBody> bodies_of_skins(const AnimatedScene& scene, const Tree& tree) {
  std::vector<bool> in_skin(scene.nodes.size());
  for (const SceneSkin& skin : scene.skins) {
    for (const int joint : skin.joints) in_skin[index(joint)] = true;
  }
  const std::vector<int> top = topmost(scene, tree, in_skin);
  const std::vector<int> group = group_skins(scene, top);
  std::vector<int> file_root(scene.nodes.size());
  for (const int n : tree.order) {
    const int parent = scene.nodes[index(n)].parent;
    file_root[index(n)] = parent == kNoNode ? n : file_root[index(parent)];
  }
  // Joints of one skin under different roots of the file, against the specification, are bodies of their own.
  std::map<std::pair<int, int>, std::vector<int>> joints_of;
  for (std::size_t s = 0; s < group.size(); ++s) {
    for (const int joint : scene.skins[s].joints) joints_of[{group[s], file_root[index(joint)]}].push_back(joint);
  }
  std::vector<bool> seen(scene.nodes.size());
  std::vector<SceneBody> bodies;
  for (const auto& [where, joints] : joints_of) {
    const SceneSkin& skin = scene.skins[index(where.first)];
    const int root = find_root(scene, tree, top, joints);
    std::string name = skin.name.empty() ? scene.nodes[index(root)].name : skin.name;
    bodies.push_back(make_body(scene, tree, root, close_upwards(scene, tree, root, joints, seen), std::move(name)));
    keep_skin_order(scene, skin, bodies.back());
  }
  return bodies;
}

/// Everything at and below `root` but ornaments that do not lead to anything animated.
std::vector<int> subtree(const AnimatedScene& scene, const Tree& tree, int root, const std::vector<bool>& leads) {
  std::vector<int> nodes{root};
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (const int child : tree.children[index(nodes[i])]) {
      if (!scene.nodes[index(child)].ornament || leads[index(child)]) nodes.push_back(child);
    }
  }
  return nodes;
}

std::vector<SceneBody> bodies_of_tracks(AnimatedScene& scene, const Tree& tree) {
  const std::vector<int> top = topmost(scene, tree, tree.tracked);
  std::vector<bool> leads = tree.tracked;  // tracked, or above what is
  for (auto n = tree.order.rbegin(); n != tree.order.rend(); ++n) {
    const int parent = scene.nodes[index(*n)].parent;
    if (leads[index(*n)] && parent != kNoNode) leads[index(parent)] = true;
  }
  // One body below each root of the file: it starts where all its animated parts come together.
  std::vector<int> root_of(scene.nodes.size(), kNoNode);  // of each node: the topmost that is no container
  std::vector<int> start(scene.nodes.size(), kNoNode);    // of each such root: where its body starts
  for (const int n : tree.order) {
    const int parent = scene.nodes[index(n)].parent;
    root_of[index(n)] = parent == kNoNode || scene.nodes[index(parent)].container ? n : root_of[index(parent)];
    if (top[index(n)] != n) continue;
    int& begin = start[index(root_of[index(n)])];
    begin = begin == kNoNode ? n : common_ancestor(scene, tree, begin, n);
  }
  std::vector<SceneBody> bodies;
  for (const int n : tree.order) {
    const int root = start[index(n)];
    if (root == kNoNode) continue;
    bodies.push_back(make_body(scene, tree, root, subtree(scene, tree, root, leads), scene.nodes[index(root)].name));
  }
  const bool any_hierarchy =
      std::any_of(bodies.begin(), bodies.end(), [](const SceneBody& body) { return body.joints.size() > 1; });
  if (!any_hierarchy) return bodies;
  std::erase_if(bodies, [&](const SceneBody& body) {
    if (body.joints.size() > 1) return false;
    scene.warnings.push_back(fmt::format("The animated object '{}' is no body and was left out.", body.name));
    return true;
  });
  return bodies;
}

}  // namespace

bool varies(const KeyTrack<Quat>& track, float tolerance) {
  for (std::size_t k = 1; k < track.times.size(); ++k) {
    const Quat a = track.at_key(0), b = track.at_key(k);
    const float sign = dot(a, b) < 0 ? -1.0f : 1.0f;
    const Quat d{a.w - sign * b.w, a.x - sign * b.x, a.y - sign * b.y, a.z - sign * b.z};
    if (dot(d, d) > tolerance * tolerance) return true;
  }
  return false;
}

bool varies(const KeyTrack<Vec3>& track, float tolerance) {
  for (std::size_t k = 1; k < track.times.size(); ++k) {
    if (distance(track.at_key(0), track.at_key(k)) > tolerance) return true;
  }
  return false;
}

Result<void> check_hierarchy(const AnimatedScene& scene) {
  const std::size_t count = scene.nodes.size();
  if (count > kMaxNodes) return fail(fmt::format("{} nodes are more than the {} allowed", count, kMaxNodes));
  const auto exists = [&](int n) { return n >= 0 && index(n) < count; };
  std::vector<int> depth(count, -1);
  for (std::size_t first = 0; first < count; ++first) {
    // Up to the nearest node whose depth is known, then down again; a chain too long is a cycle or nearly one.
    std::vector<int> chain;
    int n = static_cast<int>(first);
    while (n != kNoNode && depth[index(n)] < 0) {
      chain.push_back(n);
      if (chain.size() > static_cast<std::size_t>(kMaxDepth)) break;
      n = scene.nodes[index(n)].parent;
      if (n != kNoNode && !exists(n))
        return fail(fmt::format("node {} hangs from node {}, which there is not", chain.back(), n));
    }
    int below = n == kNoNode ? 0 : depth[index(n)] + 1;
    if (chain.size() + static_cast<std::size_t>(std::max(below, 0)) > static_cast<std::size_t>(kMaxDepth)) {
      return fail(fmt::format("node {} ('{}') is its own ancestor, or lies more than {} nodes deep", first,
                              scene.nodes[first].name, kMaxDepth));
    }
    for (auto c = chain.rbegin(); c != chain.rend(); ++c) depth[index(*c)] = below++;
  }
  for (const SceneSkin& skin : scene.skins) {
    for (const int n : skin.joints) {
      if (!exists(n)) return fail(fmt::format("skin '{}' names node {}, which there is not", skin.name, n));
    }
  }
  for (const SceneAnimation& animation : scene.animations) {
    for (const NodeTracks& tracks : animation.tracks) {
      if (!exists(tracks.node)) {
        return fail(fmt::format("animation '{}' moves node {}, which there is not", animation.name, tracks.node));
      }
    }
  }
  return {};
}

Result<std::vector<SceneBody>> find_bodies(AnimatedScene& scene) {
  const Tree tree = grow_tree(scene);
  const bool skinned =
      std::any_of(scene.skins.begin(), scene.skins.end(), [](const SceneSkin& skin) { return !skin.joints.empty(); });
  std::vector<SceneBody> bodies = skinned ? bodies_of_skins(scene, tree) : bodies_of_tracks(scene, tree);
  if (bodies.size() > kMaxBodies) {
    return fail(fmt::format("{} bodies are more than the {} allowed in one file", bodies.size(), kMaxBodies));
  }
  for (const SceneBody& body : bodies) {
    if (body.joints.size() > motion::kMaxJoints) {
      return fail(fmt::format("the body below '{}' has {} joints, more than the {} a skeleton may have", body.name,
                              body.joints.size(), motion::kMaxJoints));
    }
  }
  return bodies;
}

}  // namespace loom::io
