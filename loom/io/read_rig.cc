// SPDX-License-Identifier: MIT
#include <algorithm>
#include <exception>
#include <filesystem>
#include <map>

#include <fmt/format.h>

#include <loom/base/file.h>
#include <loom/base/text.h>
#include <loom/base/whole.h>
#include <loom/io/asf_amc.h>
#include <loom/io/assimp_read.h>
#include <loom/io/bvh.h>
#include <loom/io/detail/scene_bodies.h>
#include <loom/io/gltf_read.h>
#include <loom/io/read.h>
#include <loom/io/read_rig.h>
#include <loom/io/smartbody.h>

namespace loom::io {
namespace {

/// Whether two poses of a body differ by more than rounding.
bool differ(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  float size = 0, apart = 0;
  for (std::size_t j = 0; j < a.size(); ++j) {
    size = std::max(size, distance(a[j], a[0]));
    apart = std::max(apart, distance(a[j] - a[0], b[j] - b[0]));
  }
  return apart > 1e-3f * size;
}

/// Three axes and a place: what a node does to what hangs from it, uneven and mirrored scales included.
struct Frame {
  Vec3 x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1}, origin;

  [[nodiscard]] Vec3 turned(Vec3 v) const { return x * v.x + y * v.y + z * v.z; }
  /// The rotation in it. What mirrors counts as turned about the axis that it does not mirror.
  [[nodiscard]] Quat turn() const {
    const Vec3 ahead = normalized(z, {0, 0, 1}), side = normalized(cross(y, z), {1, 0, 0});
    return from_axes(side, normalized(cross(ahead, side)), ahead);
  }
  [[nodiscard]] float scale() const { return (length(x) + length(y) + length(z)) / 3; }
};

Frame below(const Frame& above, const SceneNode& node) {
  const auto axis = [&](Vec3 unit, float scale) { return above.turned(rotate(node.rotation, unit) * scale); };
  return {axis({1, 0, 0}, node.scale.x), axis({0, 1, 0}, node.scale.y), axis({0, 0, 1}, node.scale.z),
          above.origin + above.turned(node.translation)};
}

/// Nodes, parents before children.
std::vector<int> nodes_from_roots(const AnimatedScene& scene) {
  std::vector<std::vector<int>> children(scene.nodes.size());
  std::vector<int> order;
  for (std::size_t n = 0; n < scene.nodes.size(); ++n) {
    const int parent = scene.nodes[n].parent;
    (parent < 0 ? order : children[index(parent)]).push_back(static_cast<int>(n));
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto& next = children[index(order[i])];
    order.insert(order.end(), next.begin(), next.end());
  }
  return order;
}

/// Which nodes are joints: those of skins, what lies above them, and what hangs from them and is no mesh.
std::vector<bool> joints_in(const AnimatedScene& scene, const std::vector<int>& order) {
  std::vector<bool> chosen(scene.nodes.size(), scene.skins.empty());
  if (scene.skins.empty()) return chosen;
  for (const SceneSkin& skin : scene.skins) {
    for (const int n : skin.joints) chosen[index(n)] = true;
  }
  std::vector<bool> hangs = chosen;
  for (const int n : order) {
    const SceneNode& node = scene.nodes[index(n)];
    if (node.parent >= 0 && hangs[index(node.parent)] && !node.ornament) hangs[index(n)] = true;
  }
  for (auto n = order.rbegin(); n != order.rend(); ++n) {
    const int parent = scene.nodes[index(*n)].parent;
    if (chosen[index(*n)] && parent >= 0) chosen[index(parent)] = true;
  }
  for (std::size_t n = 0; n < chosen.size(); ++n) chosen[n] = chosen[n] || hangs[n];
  return chosen;
}

/// The pose in which the skins were bound, as far as orientations tell it.
std::vector<Vec3> bound_pose(const AnimatedScene& scene, const std::vector<int>& order,
                             const std::vector<Frame>& frames, std::vector<Quat>& turns) {
  std::vector<Vec3> pose(scene.nodes.size());
  turns.assign(scene.nodes.size(), {});
  for (const int n : order) {
    const SceneNode& node = scene.nodes[index(n)];
    const Quat above = node.parent < 0 ? Quat{} : turns[index(node.parent)];
    turns[index(n)] = node.bind ? *node.bind : normalized(above * node.rotation);
    if (node.parent < 0) {
      pose[index(n)] = node.translation;
      continue;
    }
    const float bone = distance(frames[index(n)].origin, frames[index(node.parent)].origin);
    pose[index(n)] = pose[index(node.parent)] + rotate(above, normalized(node.translation, {}) * bone);
  }
  return pose;
}

Result<std::vector<motion::Rig>> rigs_in_gltf(const std::string& path) {
  const Result<FileBytes> bytes = load_file(path);
  if (!bytes) return fail_from(bytes);
  const std::string folder = std::filesystem::path(path).parent_path().string();
  const Result<AnimatedScene> scene = read_gltf_scene(bytes->text(), path, folder.empty() ? "." : folder);
  if (!scene) return fail_from(scene);
  return rigs_of(*scene);
}

Result<std::vector<motion::Rig>> rigs_in(const std::string& path, const ReadOptions& options) {
  const std::string ending = lower_case(std::filesystem::path(path).extension().string());
  if (ending == ".glb" || ending == ".gltf" || ending == ".vrm" || ending == ".vrma") return rigs_in_gltf(path);
  if (ending == ".fbx" || ending == ".dae") {
    const Result<AnimatedScene> scene = read_scene_with_assimp(path);
    if (!scene) return fail_from(scene);
    return rigs_of(*scene);
  }
  if (ending == ".bvh") {
    const Result<FileBytes> bytes = load_file(path);
    if (!bytes) return fail_from(bytes);
    const Result<RawMotion> motion = read_bvh(bytes->text(), path, options);
    if (!motion) return fail_from(motion);
    return std::vector<motion::Rig>{rig_of(*motion)};
  }
  if (ending == ".sk" || ending == ".asf") {
    const Result<FileBytes> bytes = load_file(path);
    if (!bytes) return fail_from(bytes);
    if (ending == ".sk") {
      const Result<SkSkeleton> skeleton = read_sk(bytes->text(), path);
      if (!skeleton) return fail_from(skeleton);
      return std::vector<motion::Rig>{rig_of(rest_motion(*skeleton, path))};
    }
    const Result<AsfSkeleton> skeleton = read_asf(bytes->text(), path);
    if (!skeleton) return fail_from(skeleton);
    const Result<RawMotion> rest = rest_motion(*skeleton, path);
    if (!rest) return fail_from(rest);
    return std::vector<motion::Rig>{rig_of(*rest)};
  }
  if (!is_motion_file(path)) return fail("is no character file by its ending", path);
  // What is left is motion with its skeleton beside it: as the clip has it.
  const Result<std::vector<ReadClip>> clips = read_motion(path, options);
  if (!clips) return fail_from(clips);
  if (clips->empty()) return fail("holds no motion", path);
  RawMotion rest;
  const motion::Skeleton& skeleton = *clips->front().clip.skeleton;
  for (const motion::Joint& joint : skeleton.joints())
    rest.joints.push_back({joint.name, joint.parent, joint.offset, {}});
  return std::vector<motion::Rig>{rig_of(rest)};
}

}  // namespace

Result<std::vector<motion::Rig>> rigs_of(const AnimatedScene& scene) {
  if (Result<void> sound = check_hierarchy(scene); !sound) return fail_from(sound);
  const std::vector<int> order = nodes_from_roots(scene);
  const std::vector<bool> chosen = joints_in(scene, order);
  std::vector<Frame> frames(scene.nodes.size());
  std::vector<int> tree(scene.nodes.size(), -1);  // by node: which rig
  std::vector<int> number(scene.nodes.size(), -1);
  std::vector<motion::Rig> rigs;
  std::vector<std::vector<int>> nodes;  // by rig
  for (const int n : order) {
    const SceneNode& node = scene.nodes[index(n)];
    frames[index(n)] = below(node.parent < 0 ? Frame{} : frames[index(node.parent)], node);
    if (!chosen[index(n)] || node.container) continue;
    if (node.parent >= 0) tree[index(n)] = tree[index(node.parent)];
    if (tree[index(n)] < 0) {
      tree[index(n)] = static_cast<int>(rigs.size());
      rigs.push_back({node.name, {}, {}});
      nodes.emplace_back();
    }
    motion::Rig& rig = rigs[index(tree[index(n)])];
    number[index(n)] = static_cast<int>(rig.joints.size());
    rig.joints.push_back({node.name, node.parent < 0 ? -1 : number[index(node.parent)], node.end_site, node.human});
    nodes[index(tree[index(n)])].push_back(n);
  }
  std::vector<Quat> bound_turns;
  const std::vector<Vec3> bound = bound_pose(scene, order, frames, bound_turns);
  for (std::size_t r = 0; r < rigs.size(); ++r) {
    std::vector<Vec3> own, other;
    std::vector<Quat> own_turns, other_turns;
    for (const int n : nodes[r]) {
      own.push_back(frames[index(n)].origin), other.push_back(bound[index(n)]);
      own_turns.push_back(frames[index(n)].turn()), other_turns.push_back(bound_turns[index(n)]);
      rigs[r].scales.push_back(frames[index(n)].scale());
    }
    const bool two = differ(own, other);
    rigs[r].poses.push_back(std::move(own));
    rigs[r].turns.push_back(std::move(own_turns));
    if (two) rigs[r].poses.push_back(std::move(other)), rigs[r].turns.push_back(std::move(other_turns));
    rigs[r].nodes = std::move(nodes[r]);
  }
  std::erase_if(rigs, [](const motion::Rig& rig) { return !motion::check_rig(rig); });
  if (rigs.empty()) return fail_as(ErrorKind::kBadInput, "the file has no joints");
  return rigs;
}

motion::Rig rig_of(const RawMotion& motion) {
  motion::Rig rig{motion.name, {}, {}};
  const std::size_t count = motion.joints.size();
  for (const RawJoint& joint : motion.joints) rig.joints.push_back({joint.name, joint.parent, false});
  const auto pose = [&](const auto& turn) {
    std::vector<Vec3> places(count);
    std::vector<Quat> turns(count);
    for (std::size_t j = 0; j < count; ++j) {
      const int parent = motion.joints[j].parent;
      const Quat above = parent < 0 ? Quat{} : turns[index(parent)];
      turns[j] = normalized(above * turn(j));
      places[j] = (parent < 0 ? Vec3{} : places[index(parent)]) + rotate(above, motion.joints[j].offset);
    }
    // Where bones end shows which way the last joint points.
    for (const motion::EndSite& site : motion.end_sites) {
      places.push_back(places[index(site.joint)] + rotate(turns[index(site.joint)], site.offset));
    }
    return places;
  };
  for (const motion::EndSite& site : motion.end_sites) rig.joints.push_back({"", site.joint, true});
  rig.poses.push_back(pose([&](std::size_t j) { return motion.joints[j].rest; }));
  if (motion.rotations.size() >= count && motion.frames > 0) {
    std::vector<Vec3> first = pose([&](std::size_t j) { return motion.rotations[j]; });
    if (differ(rig.poses[0], first)) rig.poses.push_back(std::move(first));
  }
  return rig;
}

Result<std::vector<motion::Rig>> read_rigs(const std::string& path, const ReadOptions& options) {
  try {
    Result<std::vector<motion::Rig>> rigs = with_kind(rigs_in(path, options), ErrorKind::kBadInput);
    if (!rigs && rigs.error().file.empty()) return fail_because(rigs.error(), rigs.error().message, path);
    return rigs;
  } catch (const std::exception& exception) {
    const bool memory = dynamic_cast<const std::bad_alloc*>(&exception) != nullptr;
    return fail_as(memory ? ErrorKind::kOutOfMemory : ErrorKind::kBadInput,
                   fmt::format("cannot be read: {}", exception.what()), path);
  }
}

}  // namespace loom::io
