// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/whole.h>
#include <loom/io/detail/gltf_beside.h>
#include <loom/io/detail/gltf_document.h>
#include <loom/io/gltf_model.h>

namespace loom::io {
namespace {

using nlohmann::json;

constexpr Affine kIdentity = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
// Weights may be off one by so much: those in bytes are rounded four times.
constexpr float kSkinWeightsOff = 0.02f;
enum Mode { kTriangles = 4, kStrip = 5, kFan = 6 };

/// Gathers the meshes of a document, node by node.
class MeshReader {
 public:
  explicit MeshReader(GltfDocument& document) : document_(document), root_(document.root()) {}

  Result<ModelMesh> read() {
    const json& nodes = json_array(root_, "nodes");
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      const std::int64_t mesh = json_index(nodes[n], "mesh");
      const json& meshes = json_array(root_, "meshes");
      if (mesh < 0 || static_cast<std::size_t>(mesh) >= meshes.size()) continue;
      const Result<std::uint32_t> first = bind_node(static_cast<int>(n), json_index(nodes[n], "skin"));
      if (!first) return fail_from(first);
      const bool skinned = json_index(nodes[n], "skin") >= 0;
      skinned_ = skinned_ || skinned;
      for (const json& primitive : json_array(meshes[static_cast<std::size_t>(mesh)], "primitives")) {
        if (Result<void> added = add(primitive, *first, skinned); !added) return fail_from(added);
      }
    }
    tell();
    return std::move(made_);
  }

 private:
  /// What of the surface will not move as its maker meant it to.
  void tell() {
    if (made_.positions.empty() && !compressed_) {
      made_.warnings.emplace_back("There is no surface: only joints move.");
    } else if (!skinned_ && !compressed_) {
      made_.warnings.emplace_back("No skin binds the surface to joints: every part of it moves stiffly with its node.");
    }
    if (uneven_ > 0) {
      made_.warnings.push_back(fmt::format("The weights of {} of {} vertices do not sum to one, and are made to here.",
                                           uneven_, made_.positions.size()));
    }
    if (unbound_ > 0) {
      made_.warnings.push_back(
          fmt::format("The weights of {} of {} vertices bind them to no joint.", unbound_, made_.positions.size()));
    }
  }

  /// Adds what the vertices of a mesh may be bound to; returns the first of it.
  Result<std::uint32_t> bind_node(int node, std::int64_t skin) {
    const auto first = static_cast<std::uint32_t>(made_.to.size());
    const json& skins = json_array(root_, "skins");
    if (skin < 0 || static_cast<std::size_t>(skin) >= skins.size()) {
      made_.to.push_back({node, kIdentity});
      return first;
    }
    const json& told = skins[static_cast<std::size_t>(skin)];
    std::vector<float> inverse;
    if (told.contains("inverseBindMatrices")) {
      Result<std::vector<float>> numbers = document_.numbers(json_index(told, "inverseBindMatrices"), 16);
      if (!numbers) return fail_from(numbers);
      inverse = std::move(*numbers);
    }
    std::size_t j = 0;
    for (const json& joint : json_array(told, "joints")) {
      Affine matrix = kIdentity;
      for (std::size_t row = 0; row < 3 && 16 * j + 16 <= inverse.size(); ++row) {
        for (std::size_t column = 0; column < 4; ++column) matrix[row][column] = inverse[16 * j + 4 * column + row];
      }
      made_.to.push_back({joint.is_number_integer() ? joint.get<int>() : -1, matrix});
      ++j;
    }
    return first;
  }

  Result<void> add(const json& primitive, std::uint32_t first, bool skinned) {
    const std::int64_t told = json_index(primitive, "mode");
    const std::int64_t mode = told < 0 ? std::int64_t{kTriangles} : told;
    if (mode < kTriangles || mode > kFan || !primitive.contains("attributes")) return {};
    const json& attributes = primitive["attributes"];
    if (primitive.contains("extensions") && primitive["extensions"].contains("KHR_draco_mesh_compression")) {
      if (!compressed_) made_.warnings.emplace_back("A mesh is compressed with Draco and cannot be drawn.");
      compressed_ = true;
      return {};
    }
    const Result<std::vector<float>> positions = document_.numbers(json_index(attributes, "POSITION"), 3);
    if (!positions) return fail_from(positions);
    const std::size_t count = positions->size() / 3, base = made_.positions.size();
    for (std::size_t v = 0; v < count; ++v) {
      made_.positions.push_back({(*positions)[3 * v], (*positions)[3 * v + 1], (*positions)[3 * v + 2]});
    }
    if (Result<void> bound = add_binds(attributes, count, first, skinned); !bound) return bound;
    return add_triangles(primitive, mode, base, count);
  }

  Result<void> add_binds(const json& attributes, std::size_t count, std::uint32_t first, bool skinned) {
    std::vector<float> joints, weights;
    if (skinned && attributes.contains("JOINTS_0") && attributes.contains("WEIGHTS_0")) {
      Result<std::vector<float>> read = document_.numbers(json_index(attributes, "JOINTS_0"), 4);
      if (!read) return fail_from(read);
      joints = std::move(*read);
      read = document_.numbers(json_index(attributes, "WEIGHTS_0"), 4);
      if (!read) return fail_from(read);
      weights = std::move(*read);
    }
    const auto last = static_cast<std::uint32_t>(made_.to.size());
    for (std::size_t v = 0; v < count; ++v) {
      std::array<std::uint32_t, 4> binds{first, first, first, first};
      std::array<float, 4> shares{1, 0, 0, 0};
      float sum = 0;
      if (4 * v + 4 <= joints.size() && 4 * v + 4 <= weights.size()) {
        for (std::size_t k = 0; k < 4; ++k) {
          const float joint = joints[4 * v + k], weight = weights[4 * v + k];
          if (!(weight > 0) || !(joint >= 0 && joint < static_cast<float>(last - first))) continue;
          binds[k] = first + to_whole<std::uint32_t>(static_cast<double>(joint));
          shares[k] = weight;
          sum += weight;
          if (k > 0 && sum == weight) shares[0] = 0;
        }
      }
      if (!weights.empty()) {
        unbound_ += sum > 0 ? 0 : 1;
        uneven_ += sum > 0 && std::abs(sum - 1) > kSkinWeightsOff ? 1 : 0;
      }
      if (sum > 0) {
        for (std::size_t k = 0; k < 4; ++k) shares[k] = weights[4 * v + k] > 0 && shares[k] > 0 ? shares[k] / sum : 0;
      }
      made_.binds.push_back(binds);
      made_.weights.push_back(shares);
    }
    return {};
  }

  Result<void> add_triangles(const json& primitive, std::int64_t mode, std::size_t base, std::size_t count) {
    std::vector<std::uint32_t> corners;
    if (primitive.contains("indices")) {
      const Result<std::vector<float>> indices = document_.numbers(json_index(primitive, "indices"), 1);
      if (!indices) return fail_from(indices);
      for (const float i : *indices) {
        if (!(i >= 0 && i < static_cast<float>(count))) return fail("a triangle has a corner that there is not");
        corners.push_back(to_whole<std::uint32_t>(static_cast<double>(i)));
      }
    } else {
      for (std::size_t v = 0; v < count; ++v) corners.push_back(static_cast<std::uint32_t>(v));
    }
    const Vec3 colour = colour_of(json_index(primitive, "material"));
    const auto triangle = [&](std::size_t a, std::size_t b, std::size_t c) {
      for (const std::size_t corner : {a, b, c}) {
        made_.triangles.push_back(static_cast<std::uint32_t>(base) + corners[corner]);
      }
      made_.colours.push_back(colour);
    };
    for (std::size_t i = 2; i < corners.size(); mode == kTriangles ? i += 3 : ++i) {
      if (mode == kTriangles) triangle(i - 2, i - 1, i);
      if (mode == kStrip) triangle(i - 2 + i % 2, i - 1 - i % 2, i);
      if (mode == kFan) triangle(0, i - 1, i);
    }
    return {};
  }

  [[nodiscard]] Vec3 colour_of(std::int64_t index) const {
    const json& materials = json_array(root_, "materials");
    if (index < 0 || static_cast<std::size_t>(index) >= materials.size()) return {0.7f, 0.7f, 0.7f};
    const json& material = materials[static_cast<std::size_t>(index)];
    std::vector<float> factor(4);
    const auto found = material.is_object() ? material.find("pbrMetallicRoughness") : material.end();
    if (found == material.end() || found->contains("baseColorTexture")) return {0.7f, 0.68f, 0.65f};
    if (!json_floats(*found, "baseColorFactor", factor)) return {0.8f, 0.8f, 0.8f};
    return {factor[0], factor[1], factor[2]};
  }

  GltfDocument& document_;
  const json& root_;
  ModelMesh made_;
  bool compressed_ = false, skinned_ = false;
  std::size_t uneven_ = 0, unbound_ = 0;  ///< vertices whose weights do not sum to one, and that have none
};

}  // namespace

Result<ModelMesh> read_model_mesh(std::string_view glb) {
  Result<GltfDocument> document = open_gltf(glb, {});
  if (!document) return fail_from(document);
  return with_kind(MeshReader(*document).read(), ErrorKind::kBadInput);
}

}  // namespace loom::io
