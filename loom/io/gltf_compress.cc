// SPDX-License-Identifier: MIT
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/io/detail/gltf_beside.h>
#include <loom/io/detail/gltf_document.h>
#include <loom/io/detail/gltf_numbers.h>
#include <loom/io/detail/meshopt_views.h>
#include <loom/io/gltf_compress.h>

namespace loom::io {
namespace {

using nlohmann::ordered_json;

constexpr const char* kExtension = "EXT_meshopt_compression";

std::size_t number_in(const ordered_json& object, const char* key, std::size_t otherwise) {
  const auto found = object.is_object() ? object.find(key) : object.end();
  return found != object.end() && found->is_number_unsigned() ? found->get<std::size_t>() : otherwise;
}

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

/// What the accessors over a view hold.
struct ViewUse {
  std::size_t accessors = 0, element = 0;  ///< how many; bytes of an element of the last
  bool indices = false, triangles = true;  ///< of triangles only
};

std::size_t element_bytes(const ordered_json& accessor) {
  static const std::vector<std::pair<std::string, std::size_t>> kTypes = {
      {"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT4", 16}};
  std::size_t components = 0;
  for (const auto& [name, count] : kTypes) {
    if (accessor.contains("type") && accessor["type"] == name) components = count;
  }
  switch (number_in(accessor, "componentType", 0)) {
    case 5120:
    case 5121:
      return components;
    case 5122:
    case 5123:
      return 2 * components;
    case 5125:
    case 5126:
      return 4 * components;
    default:
      return 0;
  }
}

class Compressor {
 public:
  Compressor(ordered_json root, std::string_view binary) : root_(std::move(root)), binary_(binary) {}

  Result<std::string> compress() {
    find_uses();
    std::string packed;
    std::size_t whole = 0;
    bool any = false;
    for (std::size_t v = 0; v < uses_.size(); ++v) {
      ordered_json& view = root_["bufferViews"][v];
      const std::size_t offset = number_in(view, "byteOffset", 0), length = number_in(view, "byteLength", 0);
      if (offset > binary_.size() || length > binary_.size() - offset) return fail("a view reaches beyond its buffer");
      const std::string_view bytes = binary_.substr(offset, length);
      packed.resize((packed.size() + 3) & ~std::size_t{3});
      const std::size_t stride = number_in(view, "byteStride", uses_[v].element);
      const std::optional<std::string> mode = mode_of(uses_[v], stride, length);
      const Result<std::string> smaller =
          mode ? pack_meshopt(bytes, stride, *mode) : Result<std::string>(fail("stays as it is"));
      if (!smaller || smaller->size() >= bytes.size()) {
        view["byteOffset"] = packed.size();
        packed += bytes;
        continue;
      }
      view["extensions"][kExtension] = {
          {"buffer", 0},          {"byteOffset", packed.size()}, {"byteLength", smaller->size()},
          {"byteStride", stride}, {"count", length / stride},    {"mode", *mode}};
      packed += *smaller;
      whole = (whole + 3) & ~std::size_t{3};
      view["buffer"] = 1;
      view["byteOffset"] = whole;
      whole += length;
      any = true;
    }
    if (!any) return glb_of(std::move(root_), std::string(binary_));
    return finish(std::move(packed), whole);
  }

 private:
  void find_uses() {
    uses_.resize(root_.contains("bufferViews") && root_["bufferViews"].is_array() ? root_["bufferViews"].size() : 0);
    const ordered_json accessors = root_.contains("accessors") ? root_["accessors"] : ordered_json::array();
    const auto view_of = [&](std::size_t accessor) {
      return accessor < accessors.size() ? number_in(accessors[accessor], "bufferView", kNone) : kNone;
    };
    for (std::size_t a = 0; a < accessors.size(); ++a) {
      const std::size_t v = view_of(a);
      if (v >= uses_.size()) continue;
      ++uses_[v].accessors;
      uses_[v].element = element_bytes(accessors[a]);
      // The numbers of sparse accessors lie in views of their own, which nothing here knows of.
    }
    for (const ordered_json& mesh : root_.value("meshes", ordered_json::array())) {
      for (const ordered_json& primitive : mesh.value("primitives", ordered_json::array())) {
        const std::size_t v = view_of(number_in(primitive, "indices", kNone));
        if (v >= uses_.size()) continue;
        uses_[v].indices = true;
        uses_[v].triangles = uses_[v].triangles && number_in(primitive, "mode", 4) == 4 && uses_[v].accessors == 1;
      }
    }
  }

  static std::optional<std::string> mode_of(const ViewUse& use, std::size_t stride, std::size_t length) {
    if (use.accessors == 0 || stride == 0 || length % stride != 0) return std::nullopt;
    if (!use.indices) return "ATTRIBUTES";
    return use.triangles && length / stride % 3 == 0 ? "TRIANGLES" : "INDICES";
  }

  /// The buffer that readers without the extension would need, of which only the length is told.
  Result<std::string> finish(std::string packed, std::size_t whole) {
    for (const char* list : {"extensionsUsed", "extensionsRequired"}) {
      ordered_json& extensions = root_[list];
      if (!extensions.is_array()) extensions = ordered_json::array();
      if (std::find(extensions.begin(), extensions.end(), kExtension) == extensions.end())
        extensions.push_back(kExtension);
    }
    const ordered_json fallback{{"byteLength", whole}, {"extensions", {{kExtension, {{"fallback", true}}}}}};
    return glb_of(std::move(root_), std::move(packed), ordered_json::array({fallback}));
  }

  ordered_json root_;
  std::string_view binary_;
  std::vector<ViewUse> uses_;
};

}  // namespace

Result<std::string> compress_model(std::string_view glb) {
  const Result<GltfDocument> document = open_gltf(glb, {});
  if (!document) return fail_from(document);
  if (document->buffers().size() > 1) return fail("the model is not packed: it has several buffers");
  return Compressor(document->root(), document->buffers().empty() ? std::string_view() : document->buffers()[0])
      .compress();
}

}  // namespace loom::io
