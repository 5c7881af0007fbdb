// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/file.h>
#include <loom/base/json_text.h>
#include <loom/base/text.h>
#include <loom/io/detail/gltf_numbers.h>
#include <loom/io/gltf_write.h>
#include <loom/motion/kinematics.h>
#include <loom/skin/skin_mesh.h>

namespace loom::io {
namespace {

using motion::Clip;
using motion::Skeleton;
using nlohmann::ordered_json;

ordered_json vector_of(Vec3 v) { return ordered_json::array({v.x, v.y, v.z}); }

std::vector<float> flat(std::span<const Vec3> values) {
  std::vector<float> numbers;
  numbers.reserve(3 * values.size());
  for (const Vec3 v : values) numbers.insert(numbers.end(), {v.x, v.y, v.z});
  return numbers;
}

/// Builds the file, character by character.
class SceneWriter {
 public:
  void add(const GltfCharacter& character, bool alone) {
    const int first = static_cast<int>(nodes_.size());
    add_nodes(*character.skeleton);
    const int skin = add_skin(character, first);
    add_body(character, skin);
    std::set<std::string> names;
    for (const Clip& clip : character.clips) add_clip(clip, character.name, first, alone, names);
  }

  void add(const GltfProp& prop) {
    if (prop.mesh.triangles.empty()) return;
    const std::vector<float> positions = flat(prop.mesh.positions);
    const int corners = numbers_.add(std::span<const float>(positions), kFloat, 3, kVertices, true);
    const int indices = add_indices(prop.mesh.triangles, prop.mesh.positions.size());
    const Vec3 c = prop.colour;
    materials_.push_back(
        {{"name", clean_utf8(prop.name)},
         {"doubleSided", true},
         {"pbrMetallicRoughness",
          {{"baseColorFactor", {c.x, c.y, c.z, 1}}, {"metallicFactor", 0}, {"roughnessFactor", 0.9}}}});
    ordered_json primitive{
        {"attributes", {{"POSITION", corners}}}, {"indices", indices}, {"material", materials_.size() - 1}};
    meshes_.push_back({{"name", clean_utf8(prop.name)}, {"primitives", ordered_json::array({primitive})}});
    scene_.push_back(nodes_.size());
    nodes_.push_back({{"name", clean_utf8(prop.name)}, {"mesh", meshes_.size() - 1}});
  }

  /// The file's JSON, less the buffer, and its numbers.
  ordered_json finish() {
    ordered_json root{{"asset", {{"version", "2.0"}, {"generator", "Motion Loom"}}},
                      {"scene", 0},
                      {"scenes", ordered_json::array({{{"nodes", scene_}}})},
                      {"nodes", nodes_},
                      {"meshes", meshes_},
                      {"materials", materials_},
                      {"skins", skins_}};
    if (!animations_.empty()) root["animations"] = animations_;
    root["accessors"] = numbers_.accessors();
    root["bufferViews"] = numbers_.views();
    return root;
  }

  [[nodiscard]] const std::string& bytes() const { return numbers_.bytes(); }

 private:
  /// Joints in their order, then end sites.
  void add_nodes(const Skeleton& skeleton) {
    const std::size_t first = nodes_.size();
    rest_ = motion::rest_positions(skeleton);
    const float lowest = std::min_element(rest_.begin(), rest_.end(), [](Vec3 a, Vec3 b) { return a.y < b.y; })->y;
    for (Vec3& point : rest_) point.y -= lowest;
    std::vector<int> ends_of(skeleton.size());
    const auto hang = [&](int joint, ordered_json node) {
      ordered_json& parent = nodes_[first + static_cast<std::size_t>(joint)];
      parent["children"].push_back(nodes_.size());
      nodes_.push_back(std::move(node));
    };
    nodes_.push_back({{"name", clean_utf8(skeleton.joint(0).name)}, {"translation", vector_of(rest_[0])}});
    for (std::size_t j = 1; j < skeleton.size(); ++j) {
      const motion::Joint& joint = skeleton.joint(j);
      hang(joint.parent, {{"name", clean_utf8(joint.name)}, {"translation", vector_of(joint.offset)}});
    }
    for (const motion::EndSite& site : skeleton.end_sites()) {
      const int nth = ends_of[static_cast<std::size_t>(site.joint)]++;
      std::string name = skeleton.joint(static_cast<std::size_t>(site.joint)).name + "_end";
      if (nth > 0) name = fmt::format("{}{}_end", name.substr(0, name.size() - 3), nth + 1);
      hang(site.joint,
           {{"name", clean_utf8(name)}, {"translation", vector_of(site.offset)}, {"extras", {{"end_site", true}}}});
    }
    scene_.push_back(first);
  }

  /// Binds joints and end sites in the rest pose: a translation each.
  int add_skin(const GltfCharacter& character, int first) {
    std::vector<float> matrices;
    ordered_json joints = ordered_json::array();
    for (std::size_t i = 0; i < rest_.size(); ++i) {
      joints.push_back(first + static_cast<int>(i));
      const Vec3 p = rest_[i];
      matrices.insert(matrices.end(), {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -p.x, -p.y, -p.z, 1});
    }
    const int bind = numbers_.add(std::span<const float>(matrices), kFloat, 16, kNoTarget);
    skins_.push_back({{"name", clean_utf8(character.name)},
                      {"inverseBindMatrices", bind},
                      {"skeleton", first},
                      {"joints", std::move(joints)}});
    return static_cast<int>(skins_.size()) - 1;
  }

  void add_body(const GltfCharacter& character, int skin) {
    skin::SkinMesh mesh = skin::build_skin_mesh(*character.skeleton);
    for (Vec3& position : mesh.positions) position += rest_[0];
    std::vector<std::uint16_t> joints;
    std::vector<float> weights;
    for (const skin::SkinInfluence& influence : mesh.influences) {
      joints.insert(joints.end(), influence.joints.begin(), influence.joints.end());
      weights.insert(weights.end(), influence.weights.begin(), influence.weights.end());
    }
    const std::vector<float> positions = flat(mesh.positions), normals = flat(mesh.normals);
    ordered_json attributes{{"POSITION", numbers_.add(std::span<const float>(positions), kFloat, 3, kVertices, true)},
                            {"NORMAL", numbers_.add(std::span<const float>(normals), kFloat, 3, kVertices)},
                            {"JOINTS_0", numbers_.add(std::span<const std::uint16_t>(joints), kShort, 4, kVertices)},
                            {"WEIGHTS_0", numbers_.add(std::span<const float>(weights), kFloat, 4, kVertices)}};
    const int indices = add_indices(mesh.triangles, mesh.positions.size());
    const Vec3 c = character.colour;
    materials_.push_back(
        {{"name", clean_utf8(character.name)},
         {"pbrMetallicRoughness",
          {{"baseColorFactor", {c.x, c.y, c.z, 1}}, {"metallicFactor", 0}, {"roughnessFactor", 0.75}}}});
    ordered_json primitive{{"attributes", attributes}, {"indices", indices}, {"material", materials_.size() - 1}};
    meshes_.push_back({{"name", clean_utf8(character.name)}, {"primitives", ordered_json::array({primitive})}});
    // A skinned mesh stands where its joints take it; at the top of the scene nothing suggests otherwise.
    scene_.push_back(nodes_.size());
    nodes_.push_back({{"name", clean_utf8(character.name)}, {"mesh", meshes_.size() - 1}, {"skin", skin}});
  }

  int add_indices(const std::vector<std::uint32_t>& triangles, std::size_t vertices) {
    if (vertices > std::numeric_limits<std::uint16_t>::max()) {
      return numbers_.add(std::span<const std::uint32_t>(triangles), kInt, 1, kIndices);
    }
    const std::vector<std::uint16_t> small(triangles.begin(), triangles.end());
    return numbers_.add(std::span<const std::uint16_t>(small), kShort, 1, kIndices);
  }

  /// The animation called `name`: one that another character began, or a new one.
  ordered_json& animation_named(const std::string& name) {
    for (ordered_json& animation : animations_) {
      if (animation["name"] == name) return animation;
    }
    animations_.push_back({{"name", name}, {"channels", ordered_json::array()}, {"samplers", ordered_json::array()}});
    return animations_.back();
  }

  void add_clip(const Clip& clip, const std::string& character, int first, bool alone, std::set<std::string>& names) {
    std::string name = clean_utf8(clip.name);
    if (name.empty()) name = "motion";
    for (int n = 2; !names.insert(name).second; ++n) name = fmt::format("{} ({})", clean_utf8(clip.name), n);
    ordered_json& animation = animation_named(name);
    std::vector<float> seconds(clip.frames());
    for (std::size_t f = 0; f < seconds.size(); ++f) {
      seconds[f] = static_cast<float>(static_cast<double>(f) / clip.rate);
    }
    const int times = numbers_.add(std::span<const float>(seconds), kFloat, 1, kNoTarget, true);
    const int start = numbers_.add(std::span<const float>(seconds).first(1), kFloat, 1, kNoTarget, true);
    const std::vector<float> roots = flat(clip.roots);
    add_channel(animation, first, "translation", times,
                numbers_.add(std::span<const float>(roots), kFloat, 3, kNoTarget));
    for (std::size_t j = 0; j < clip.joints(); ++j) {
      const std::vector<float> turns = joint_rotations(clip, j);
      const int values = numbers_.add(std::span<const float>(turns), kFloat, 4, kNoTarget);
      const bool still = turns.size() == 4;
      add_channel(animation, first + static_cast<int>(j), "rotation", still ? start : times, values);
    }
    ordered_json& extras = animation["extras"];
    extras["rate"] = clip.rate;
    for (const motion::Label& label : clip.labels) {
      ordered_json kept{{"name", clean_utf8(label.name)}, {"begin", label.begin}, {"end", label.end}};
      if (!alone) kept["character"] = clean_utf8(character);
      extras["labels"].push_back(std::move(kept));
    }
  }

  /// The rotations of one joint, signs chosen so that they run on smoothly; a single key where it never turns.
  static std::vector<float> joint_rotations(const Clip& clip, std::size_t joint) {
    std::vector<float> numbers;
    numbers.reserve(4 * clip.frames());
    Quat before = clip.pose(0)[joint];
    bool still = true;
    for (std::size_t f = 0; f < clip.frames(); ++f) {
      Quat q = clip.pose(f)[joint];
      still = still && q == clip.pose(0)[joint];
      if (dot(before, q) < 0) q = -q;
      numbers.insert(numbers.end(), {q.x, q.y, q.z, q.w});
      before = q;
    }
    if (still) numbers.resize(4);
    return numbers;
  }

  static void add_channel(ordered_json& animation, int node, const char* path, int times, int values) {
    ordered_json& samplers = animation["samplers"];
    samplers.push_back({{"input", times}, {"output", values}, {"interpolation", "LINEAR"}});
    animation["channels"].push_back({{"sampler", samplers.size() - 1}, {"target", {{"node", node}, {"path", path}}}});
  }

  NumberStore numbers_;
  std::vector<Vec3> rest_;  ///< of the character at hand: joints, then end sites, standing on the floor
  ordered_json scene_ = ordered_json::array(), nodes_ = ordered_json::array(), meshes_ = ordered_json::array(),
               materials_ = ordered_json::array(), skins_ = ordered_json::array(), animations_ = ordered_json::array();
};

Result<void> check(const GltfCharacter& character) {
  if (!character.skeleton) return fail(fmt::format("character '{}' has no skeleton", character.name));
  for (const Clip& clip : character.clips) {
    if (Result<void> valid = motion::validate(clip); !valid) return valid;
    if (clip.frames() == 0) return fail(fmt::format("clip '{}' has no frames", clip.name));
    if (clip.skeleton == character.skeleton || *clip.skeleton == *character.skeleton) continue;
    const std::string difference = motion::describe_difference(*character.skeleton, *clip.skeleton);
    return fail(fmt::format("clip '{}' is on another skeleton than the rest: {}", clip.name,
                            difference.empty() ? "its bones differ in length" : difference));
  }
  return {};
}

Result<SceneWriter> write_scene(std::span<const GltfCharacter> characters, std::span<const GltfProp> props) {
  if (characters.empty()) return fail("there is nobody to write");
  SceneWriter writer;
  for (const GltfCharacter& character : characters) {
    if (Result<void> sound = check(character); !sound) return fail_from(sound);
    writer.add(character, characters.size() == 1);
  }
  for (const GltfProp& prop : props) writer.add(prop);
  return writer;
}

std::string base64(std::string_view bytes) {
  static constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t have = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      bits = bits << 8 | (k < have ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    }
    for (std::size_t k = 0; k < 4; ++k) text.push_back(k <= have ? kDigits[bits >> (18 - 6 * k) & 63] : '=');
  }
  return text;
}

/// Names were made valid text before, so that nothing is left to throw.
std::string dump(const ordered_json& root, int indent) { return loom::json_text(root, indent); }

}  // namespace

Result<std::string> format_glb(std::span<const GltfCharacter> characters, std::span<const GltfProp> props) {
  Result<SceneWriter> scene = write_scene(characters, props);
  if (!scene) return fail_from(scene);
  std::string binary = scene->bytes();
  ordered_json root = scene->finish();
  return glb_of(std::move(root), std::move(binary));
}

Result<std::string> format_gltf(std::span<const GltfCharacter> characters, std::span<const GltfProp> props) {
  Result<SceneWriter> scene = write_scene(characters, props);
  if (!scene) return fail_from(scene);
  ordered_json root = scene->finish();
  root["buffers"] = ordered_json::array({{{"byteLength", scene->bytes().size()},
                                          {"uri", "data:application/octet-stream;base64," + base64(scene->bytes())}}});
  return dump(root, 1) + "\n";
}

Result<void> write_gltf(std::span<const GltfCharacter> characters, const std::string& path,
                        std::span<const GltfProp> props) {
  const bool text = lower_case(path).ends_with(".gltf");
  if (!text && !lower_case(path).ends_with(".glb")) return fail("expected a name that ends in .glb or .gltf", path);
  const Result<std::string> bytes = text ? format_gltf(characters, props) : format_glb(characters, props);
  if (!bytes) return fail_because(bytes.error(), bytes.error().message, path);
  return save_file(path, *bytes);
}

Result<void> write_gltf(std::span<const Clip> clips, const std::string& name, const std::string& path) {
  if (clips.empty()) return fail("there is no clip to write", path);
  GltfCharacter character;
  character.name = name;
  character.skeleton = clips[0].skeleton;
  character.clips.assign(clips.begin(), clips.end());
  return write_gltf(std::span<const GltfCharacter>(&character, 1), path);
}

}  // namespace loom::io
