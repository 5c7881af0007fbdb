// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <unordered_map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/text.h>
#include <loom/io/animated_scene.h>
#include <loom/io/detail/gltf_beside.h>
#include <loom/io/detail/gltf_document.h>
#include <loom/io/gltf_read.h>

namespace loom::io {
namespace {

using nlohmann::json;

constexpr std::size_t kLongestBone = 64;  // letters; VRM's longest has 23

/// Takes a column-major 4 × 4 matrix apart. Shear is lost: a node's matrix may hold none (glTF 2.0 §3.5.2).
void set_from_matrix(const std::vector<float>& m, SceneNode& node) {
  const Vec3 x{m[0], m[1], m[2]}, y{m[4], m[5], m[6]}, z{m[8], m[9], m[10]};
  node.translation = {m[12], m[13], m[14]};
  node.scale = {length(x), length(y), length(z)};
  if (dot(cross(x, y), z) < 0) node.scale.x = -node.scale.x;
  if (node.scale.x == 0 || node.scale.y == 0 || node.scale.z == 0) {
    node.scale = {1, 1, 1};
    return;
  }
  node.rotation = from_axes(x / node.scale.x, y / node.scale.y, z / node.scale.z);
}

/// The orientation a joint was bound in, from its inverse bind matrix (column-major): the rows of that matrix are the
/// axes of the joint, each over its scale. Nothing where they are not at right angles.
std::optional<Quat> bind_orientation(const float* m) {
  const Vec3 x = normalized(Vec3{m[0], m[4], m[8]}, {}), y = normalized(Vec3{m[1], m[5], m[9]}, {}),
             z = normalized(Vec3{m[2], m[6], m[10]}, {});
  constexpr float kSquare = 0.02f;
  if (!(distance(cross(x, y), z) < kSquare) || !(std::fabs(dot(x, y)) < kSquare)) return std::nullopt;
  return from_axes(x, y, z);
}

/// Turns the document's arrays into a scene, one array a function.
class SceneReader {
 public:
  explicit SceneReader(GltfDocument& document) : document_(document), root_(document.root()) {
    // The specification says so; other units and axes come as a node's scale and rotation.
    scene_.metres_per_unit = 1;
    scene_.up_axis = 1;
  }

  Result<AnimatedScene> read() {
    read_nodes();
    read_humanoid();
    if (Result<void> linked = link_children(); !linked) return fail_from(linked);
    if (Result<void> skins = read_skins(); !skins) return fail_from(skins);
    const json& animations = json_array(root_, "animations");
    for (std::size_t i = 0; i < animations.size(); ++i) {
      if (Result<void> animation = read_animation(animations[i], i); !animation) return fail_from(animation);
    }
    return std::move(scene_);
  }

 private:
  void read_nodes() {
    std::vector<float> three(3), four(4), matrix(16);
    for (const json& node : json_array(root_, "nodes")) {
      SceneNode& added = scene_.nodes.emplace_back();
      added.name = json_text(node, "name");
      if (json_floats(node, "matrix", matrix)) set_from_matrix(matrix, added);
      if (json_floats(node, "translation", three)) added.translation = {three[0], three[1], three[2]};
      if (json_floats(node, "rotation", four)) added.rotation = {four[3], four[0], four[1], four[2]};
      if (json_floats(node, "scale", three)) added.scale = {three[0], three[1], three[2]};
      if (!node.is_object()) continue;
      added.ornament = node.contains("mesh") || node.contains("camera");
      const auto extras = node.find("extras");
      added.end_site = extras != node.end() && extras->is_object() && extras->value("end_site", json()) == true;
    }
  }

  /// Which nodes are which bones, as VRM 0.x, VRM 1.0 and VRM animations say. The joints of an animation are called
  /// after their bones: they stand for any character's.
  void read_humanoid() {
    const auto extensions = root_.is_object() ? root_.find("extensions") : root_.end();
    if (extensions == root_.end() || !extensions->is_object()) return;
    for (const char* name : {"VRM", "VRMC_vrm", "VRMC_vrm_animation"}) {
      const auto vrm = extensions->find(name);
      if (vrm == extensions->end() || !vrm->is_object() || !vrm->contains("humanoid")) continue;
      const json& humanoid = (*vrm)["humanoid"];
      const auto bones = humanoid.is_object() ? humanoid.find("humanBones") : humanoid.end();
      if (bones == humanoid.end()) continue;
      const auto set = [&](const std::string& bone, const json& told) {
        const std::int64_t n = json_index(told, "node");
        if (!is_node(n) || bone.empty() || bone.size() > kLongestBone) return;
        SceneNode& node = scene_.nodes[static_cast<std::size_t>(n)];
        node.human = bone;
        if (std::string_view(name) == "VRMC_vrm_animation") node.name = bone;
      };
      if (bones->is_object()) {
        for (const auto& [bone, told] : bones->items()) set(clean_utf8(bone), told);
      } else {
        for (const json& told : *bones) set(json_text(told, "bone"), told);
      }
    }
  }

  [[nodiscard]] bool is_node(std::int64_t n) const {
    return n >= 0 && static_cast<std::uint64_t>(n) < scene_.nodes.size();
  }

  Result<void> link_children() {
    const json& nodes = json_array(root_, "nodes");
    for (std::size_t parent = 0; parent < nodes.size(); ++parent) {
      for (const json& child : json_array(nodes[parent], "children")) {
        const std::int64_t n = child.is_number_integer() ? child.get<std::int64_t>() : -1;
        if (!is_node(n)) return fail(fmt::format("node {} has a child that there is not", parent));
        int& above = scene_.nodes[static_cast<std::size_t>(n)].parent;
        if (above != kNoNode) return fail(fmt::format("node {} hangs from two parents, {} and {}", n, above, parent));
        above = static_cast<int>(parent);
      }
    }
    return {};
  }

  Result<void> read_skins() {
    const json& skins = json_array(root_, "skins");
    for (std::size_t s = 0; s < skins.size(); ++s) {
      SceneSkin skin{json_text(skins[s], "name"), {}};
      for (const json& joint : json_array(skins[s], "joints")) {
        const std::int64_t n = joint.is_number_integer() ? joint.get<std::int64_t>() : -1;
        if (!is_node(n)) return fail(fmt::format("skin {} names a joint that there is not", s));
        skin.joints.push_back(static_cast<int>(n));
      }
      if (Result<void> bound = read_bind(skins[s], skin); !bound) return bound;
      scene_.skins.push_back(std::move(skin));
    }
    return {};
  }

  Result<void> read_bind(const json& json_skin, const SceneSkin& skin) {
    if (!json_skin.contains("inverseBindMatrices")) return {};
    const Result<std::vector<float>> matrices = document_.numbers(json_index(json_skin, "inverseBindMatrices"), 16);
    if (!matrices) return fail_from(matrices);
    if (matrices->size() < 16 * skin.joints.size()) {
      return fail(fmt::format("skin '{}' has {} joints and {} bind matrices", skin.name, skin.joints.size(),
                              matrices->size() / 16));
    }
    for (std::size_t j = 0; j < skin.joints.size(); ++j) {
      SceneNode& node = scene_.nodes[static_cast<std::size_t>(skin.joints[j])];
      if (!node.bind) node.bind = bind_orientation(matrices->data() + 16 * j);
    }
    return {};
  }

  Result<void> read_animation(const json& animation, std::size_t index) {
    SceneAnimation added;
    added.name = json_text(animation, "name");
    if (added.name.empty()) added.name = fmt::format("animation{}", index);
    read_extras(animation, added);
    std::unordered_map<int, std::size_t> entry;  // of each node in added.tracks
    for (const json& channel : json_array(animation, "channels")) {
      if (!channel.is_object()) return fail(fmt::format("{}: a channel is no object", added.name));
      const auto target = channel.find("target");
      if (target == channel.end() || !target->is_object() || !target->contains("node")) continue;  // nothing of ours
      const std::int64_t n = json_index(*target, "node");
      if (!is_node(n)) return fail(fmt::format("animation '{}' moves a node that there is not", added.name));
      const auto [found, is_new] = entry.try_emplace(static_cast<int>(n), added.tracks.size());
      if (is_new) added.tracks.push_back({static_cast<int>(n), {}, {}, {}});
      const Result<void> read =
          read_channel(animation, channel, json_text(*target, "path"), added.tracks[found->second]);
      if (!read) return fail_because(read.error(), fmt::format("animation '{}': {}", added.name, read.error().message));
    }
    scene_.animations.push_back(std::move(added));
    return {};
  }

  Result<void> read_channel(const json& animation, const json& channel, const std::string& path, NodeTracks& tracks) {
    const json& samplers = json_array(animation, "samplers");
    const std::int64_t s = json_index(channel, "sampler");
    if (s < 0 || static_cast<std::uint64_t>(s) >= samplers.size())
      return fail("a channel names a sampler there is not");
    const json& sampler = samplers[static_cast<std::size_t>(s)];
    if (path == "rotation") return read_track(sampler, 4, tracks.rotation);
    if (path == "translation") return read_track(sampler, 3, tracks.translation);
    if (path == "scale") return read_track(sampler, 3, tracks.scale);
    return {};  // morph weights and extensions do not move joints
  }

  template <typename Value>
  Result<void> read_track(const json& sampler, int components, KeyTrack<Value>& track) {
    if (!track.empty()) return {};  // a second channel for the same value, which is not allowed: the first holds
    const std::string kind = json_text(sampler, "interpolation");
    if (kind == "STEP") track.interpolation = Interpolation::kStep;
    if (kind == "CUBICSPLINE") track.interpolation = Interpolation::kCubic;
    const Result<std::vector<float>> input = document_.numbers(json_index(sampler, "input"), 1);
    if (!input) return fail_from(input);
    const Result<std::vector<float>> output = document_.numbers(json_index(sampler, "output"), components);
    if (!output) return fail_from(output);
    const std::size_t each = track.interpolation == Interpolation::kCubic ? 3 : 1;
    const std::size_t values = output->size() / static_cast<std::size_t>(components);
    if (values != each * input->size()) {
      return fail(fmt::format("a sampler has {} key times and {} values", input->size(), values));
    }
    track.times.assign(input->begin(), input->end());
    track.values.resize(values);
    for (std::size_t i = 0; i < values; ++i)
      set(output->data() + i * static_cast<std::size_t>(components), track.values[i]);
    return {};
  }

  static void set(const float* from, Quat& value) { value = {from[3], from[0], from[1], from[2]}; }
  static void set(const float* from, Vec3& value) { value = {from[0], from[1], from[2]}; }

  /// What `write_gltf` adds for us: the frame rate and the labels.
  static void read_extras(const json& animation, SceneAnimation& added) {
    const auto extras = animation.is_object() ? animation.find("extras") : animation.end();
    if (extras == animation.end() || !extras->is_object()) return;
    if (const auto rate = extras->find("rate"); rate != extras->end() && rate->is_number()) {
      const double hertz = rate->get<double>();
      if (hertz >= 1 && hertz <= 1000) added.rate = hertz;
    }
    for (const json& label : json_array(*extras, "labels")) {
      const std::int64_t begin = json_index(label, "begin"), end = json_index(label, "end");
      const std::string name = json_text(label, "name");
      if (begin < 0 || end <= begin || name.empty()) continue;
      added.labels.push_back(
          {{name, static_cast<std::size_t>(begin), static_cast<std::size_t>(end)}, json_text(label, "character")});
    }
  }

  GltfDocument& document_;
  const json& root_;
  AnimatedScene scene_;
};

}  // namespace

Result<AnimatedScene> read_gltf_scene(std::string_view bytes, const std::string& file, const std::string& folder) {
  const auto named = [&](const Error& error) { return fail_because(error, error.message, file, error.line); };
  Result<GltfDocument> document = open_gltf(bytes, folder);
  if (!document) return named(document.error());
  Result<AnimatedScene> scene = SceneReader(*document).read();
  if (!scene) return named(scene.error());
  scene->file_bytes = bytes.size();
  return scene;
}

Result<std::vector<RawMotion>> read_gltf(std::string_view bytes, const std::string& file, const std::string& folder) {
  Result<AnimatedScene> scene = read_gltf_scene(bytes, file, folder);
  if (!scene) return fail_from(scene);
  Result<std::vector<RawMotion>> motions = motions_of(std::move(*scene));
  if (!motions) return fail_because(motions.error(), motions.error().message, file, motions.error().line);
  return motions;
}

}  // namespace loom::io
