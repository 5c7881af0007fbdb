// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/text.h>
#include <loom/io/detail/gltf_beside.h>
#include <loom/io/detail/gltf_document.h>
#include <loom/io/detail/gltf_numbers.h>
#include <loom/io/gltf_stage.h>

namespace loom::io {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kMostNodes = 4'000'000;

/// Makes several of one model.
class Stager {
 public:
  explicit Stager(ordered_json root, std::string binary) : root_(std::move(root)), binary_(std::move(binary)) {}

  Result<std::string> stage(std::size_t copies, std::span<const GltfProp> props, float scale) {
    ordered_json& nodes = root_["nodes"];
    if (!nodes.is_array() || nodes.empty()) return fail("the model has no nodes");
    if (copies == 0 || copies > kMostNodes / nodes.size()) return fail(fmt::format("{} copies cannot be made", copies));
    const ordered_json first = nodes, skins = list("skins"), roots = scene_roots();
    for (std::size_t c = 1; c < copies; ++c) add_copy(first, skins, roots, c);
    NumberStore numbers(std::move(binary_), list("bufferViews"), list("accessors"));
    for (const GltfProp& prop : props) add_prop(prop, scale, numbers);
    if (!numbers.accessors().empty()) root_["accessors"] = numbers.accessors();
    if (!numbers.views().empty()) root_["bufferViews"] = numbers.views();
    return glb_of(std::move(root_), numbers.bytes());
  }

 private:
  [[nodiscard]] ordered_json list(const char* key) const {
    const auto found = root_.find(key);
    return found != root_.end() && found->is_array() ? ordered_json(*found) : ordered_json::array();
  }

  /// The scene that is shown; one of all roots where the file has none.
  ordered_json& scene() {
    ordered_json& scenes = root_["scenes"];
    if (!scenes.is_array() || scenes.empty()) {
      std::vector<bool> below(root_["nodes"].size(), false);
      for (const ordered_json& node : root_["nodes"]) {
        for (const ordered_json& child : node.value("children", ordered_json::array())) {
          if (is_index(child, below.size())) below[child.get<std::size_t>()] = true;
        }
      }
      ordered_json roots = ordered_json::array();
      for (std::size_t n = 0; n < below.size(); ++n) {
        if (!below[n]) roots.push_back(n);
      }
      scenes = ordered_json::array({ordered_json{{"nodes", std::move(roots)}}});
      root_["scene"] = 0;
    }
    const auto shown = root_.find("scene");
    const bool told = shown != root_.end() && is_index(*shown, scenes.size());
    return scenes[told ? shown->get<std::size_t>() : 0];
  }

  ordered_json scene_roots() {
    ordered_json& shown = scene();
    if (!shown.is_object()) shown = ordered_json::object();
    if (!shown.contains("nodes") || !shown["nodes"].is_array()) shown["nodes"] = ordered_json::array();
    return shown["nodes"];
  }

  static bool is_index(const ordered_json& value, std::size_t count) {
    return value.is_number_unsigned() && value.get<std::size_t>() < count;
  }

  static void shift(ordered_json& index, std::size_t by) {
    if (index.is_number_unsigned()) index = index.get<std::size_t>() + by;
  }

  void add_copy(const ordered_json& nodes, const ordered_json& skins, const ordered_json& roots, std::size_t copy) {
    const std::size_t by = copy * nodes.size();
    for (ordered_json node : nodes) {
      if (node.is_object()) {
        if (node.contains("children") && node["children"].is_array()) {
          for (ordered_json& child : node["children"]) shift(child, by);
        }
        if (node.contains("skin")) shift(node["skin"], copy * skins.size());
        // What points at nodes of the first, as constraints of VRM do, would tie the copy to it.
        node.erase("extensions");
      }
      root_["nodes"].push_back(std::move(node));
    }
    for (ordered_json skin : skins) {
      if (skin.contains("skeleton")) shift(skin["skeleton"], by);
      if (skin.contains("joints")) {
        for (ordered_json& joint : skin["joints"]) shift(joint, by);
      }
      root_["skins"].push_back(std::move(skin));
    }
    for (ordered_json root : roots) {
      shift(root, by);
      scene()["nodes"].push_back(std::move(root));
    }
  }

  void add_prop(const GltfProp& prop, float scale, NumberStore& numbers) {
    if (prop.mesh.triangles.empty()) return;
    std::vector<float> places;
    for (const std::uint32_t corner : prop.mesh.triangles) {
      const Vec3 p = prop.mesh.positions[corner] * scale;
      places.insert(places.end(), {p.x, p.y, p.z});
    }
    const int positions = numbers.add(std::span<const float>(places), kFloat, 3, kVertices, true);
    const std::string name = clean_utf8(prop.name);
    root_["materials"].push_back(
        {{"name", name},
         {"doubleSided", true},
         {"pbrMetallicRoughness",
          {{"baseColorFactor", {prop.colour.x, prop.colour.y, prop.colour.z, 1.0f}}, {"metallicFactor", 0.0f}}}});
    root_["meshes"].push_back({{"name", name},
                               {"primitives", ordered_json::array({{{"attributes", {{"POSITION", positions}}},
                                                                    {"material", root_["materials"].size() - 1}}})}});
    scene()["nodes"].push_back(root_["nodes"].size());
    root_["nodes"].push_back({{"name", name}, {"mesh", root_["meshes"].size() - 1}});
  }

  ordered_json root_;
  std::string binary_;
};

}  // namespace

Result<std::string> stage_model(std::string_view glb, std::size_t copies, std::span<const GltfProp> props,
                                float prop_scale) {
  if (copies == 1 && props.empty()) return std::string(glb);
  const Result<GltfDocument> document = open_gltf(glb, {});
  if (!document) return fail_from(document);
  if (document->buffers().size() > 1) return fail("the model is not packed: it has several buffers");
  std::string binary = document->buffers().empty() ? std::string() : std::string(document->buffers()[0]);
  return Stager(document->root(), std::move(binary)).stage(copies, props, prop_scale);
}

}  // namespace loom::io
