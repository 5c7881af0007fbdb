// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/file.h>
#include <loom/base/text.h>
#include <loom/io/assimp_read.h>
#include <loom/io/detail/gltf_beside.h>
#include <loom/io/detail/gltf_document.h>
#include <loom/io/detail/gltf_numbers.h>
#include <loom/io/gltf_model.h>

namespace loom::io {
namespace {

using nlohmann::ordered_json;

// A node within this of where a still track has it needs no keys; of the size of what it says.
constexpr float kStill = 1e-5f;

// Weights may be off one by so much before it is told: those in bytes are rounded four times.
constexpr float kWeightsOff = 0.02f;
// And by so much before they are changed, for each set of four: what rounding of floats makes of them.
constexpr float kRounded = 2e-7f;

// A white point, as PNG: what stands for a picture that is not there.
constexpr unsigned char kWhitePoint[] = {
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52, 0x00,
    0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x00, 0x00, 0x00, 0x00, 0x3a, 0x7e, 0x9b, 0x55, 0x00,
    0x00, 0x00, 0x0a, 0x49, 0x44, 0x41, 0x54, 0x78, 0xda, 0x63, 0xf8, 0x0f, 0x00, 0x01, 0x01, 0x01, 0x00,
    0x1c, 0xb0, 0x8c, 0x99, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};

/// What kind of picture this is by its first bytes; empty where it is none that glTF takes.
std::string_view picture_kind(std::string_view bytes) {
  if (bytes.starts_with("\x89PNG")) return "image/png";
  if (bytes.starts_with("\xFF\xD8")) return "image/jpeg";
  if (bytes.size() > 12 && bytes.starts_with("RIFF") && bytes.substr(8, 4) == "WEBP") return "image/webp";
  if (bytes.starts_with("\xABKTX 20")) return "image/ktx2";
  return {};
}

/// Makes one file of a document and what lies beside it.
class Packer {
 public:
  Packer(const GltfDocument& document, const std::string& folder) : document_(document), folder_(folder) {}

  Result<PackedModel> pack() {
    root_ = document_.root();
    clear_last_rows();
    clear_strides_of_binds();
    Result<std::string> binary = join_buffers();
    if (!binary) return fail_from(binary);
    even_weights(*binary);
    numbers_ = NumberStore(std::move(*binary), take("bufferViews"), take("accessors"));
    if (root_.contains("images") && root_["images"].is_array()) {
      for (std::size_t i = 0; i < root_["images"].size(); ++i) {
        if (!take_in(root_["images"][i])) missing_.insert(static_cast<std::int64_t>(i));
      }
    }
    drop_missing_textures();
    put("accessors", numbers_.accessors());
    put("bufferViews", numbers_.views());
    Result<std::string> glb = glb_of(std::move(root_), numbers_.bytes());
    if (!glb) return fail_from(glb);
    return PackedModel{std::move(*glb), std::move(warnings_)};
  }

 private:
  ordered_json take(const char* key) {
    const auto found = root_.find(key);
    return found != root_.end() && found->is_array() ? ordered_json(*found) : ordered_json::array();
  }

  void put(const char* key, const ordered_json& value) {
    if (!value.empty()) root_[key] = value;
  }

  /// All buffers one after the other, and the views moved to where they now lie.
  Result<std::string> join_buffers() {
    std::string binary;
    std::vector<std::size_t> begins;
    const ordered_json& told = root_.contains("buffers") ? root_["buffers"] : ordered_json::array();
    for (std::size_t b = 0; b < document_.buffers().size(); ++b) {
      binary.resize((binary.size() + 3) & ~std::size_t{3});
      begins.push_back(binary.size());
      const std::size_t length = told[b].at("byteLength").get<std::size_t>();
      binary += document_.buffers()[b].substr(0, length);
    }
    if (!root_.contains("bufferViews") || !root_["bufferViews"].is_array()) return binary;
    for (ordered_json& view : root_["bufferViews"]) {
      const std::int64_t buffer = json_index(view, "buffer");
      if (buffer < 0 || static_cast<std::size_t>(buffer) >= begins.size()) return fail("a view lies in no buffer");
      const std::int64_t offset = view.contains("byteOffset") ? json_index(view, "byteOffset") : 0;
      if (offset < 0) return fail("a view has no usable offset");
      view["buffer"] = 0;
      view["byteOffset"] = begins[static_cast<std::size_t>(buffer)] + static_cast<std::size_t>(offset);
    }
    return binary;
  }

  static std::int64_t json_index(const ordered_json& object, const char* key) {
    const auto found = object.is_object() ? object.find(key) : object.end();
    return found != object.end() && found->is_number_integer() ? found->get<std::int64_t>() : -1;
  }

  /// The last row of a matrix is 0 0 0 1 in glTF (2.0 §3.5.3), whatever a file says.
  void clear_last_rows() {
    const auto nodes = root_.find("nodes");
    if (nodes == root_.end() || !nodes->is_array()) return;
    for (ordered_json& node : *nodes) {
      const auto matrix = node.is_object() ? node.find("matrix") : node.end();
      if (matrix == node.end() || !matrix->is_array() || matrix->size() != 16) continue;
      for (const std::size_t i : {3, 7, 11}) (*matrix)[i] = 0;
      (*matrix)[15] = 1;
    }
  }

  /// Some exporters give the views of bind matrices a stride, which only those of vertices may have (glTF 2.0 §5.11).
  void clear_strides_of_binds() {
    const auto skins = root_.find("skins"), accessors = root_.find("accessors"), views = root_.find("bufferViews");
    if (skins == root_.end() || accessors == root_.end() || views == root_.end()) return;
    if (!skins->is_array() || !accessors->is_array() || !views->is_array()) return;
    for (const ordered_json& skin : *skins) {
      const std::int64_t a = json_index(skin, "inverseBindMatrices");
      if (a < 0 || static_cast<std::size_t>(a) >= accessors->size()) continue;
      const ordered_json& accessor = (*accessors)[static_cast<std::size_t>(a)];
      const std::int64_t v = json_index(accessor, "bufferView"), count = json_index(accessor, "count");
      if (v < 0 || static_cast<std::size_t>(v) >= views->size()) continue;
      ordered_json& view = (*views)[static_cast<std::size_t>(v)];
      constexpr std::int64_t kMatrix = 64;
      const std::int64_t length = json_index(view, "byteLength");
      // Whole of matrices alone: no vertex lies in it.
      if (json_index(view, "byteStride") == kMatrix && length % kMatrix == 0 && length / kMatrix == count)
        view.erase("byteStride");
    }
  }

  /// The numbers of one vertex in a view of floats, four each; nothing where they do not lie there plainly.
  struct Weights {
    std::size_t begin = 0, stride = 16, count = 0;
  };

  std::optional<Weights> weights_in(std::int64_t index, const std::string& binary) const {
    const auto accessors = root_.find("accessors"), views = root_.find("bufferViews");
    if (accessors == root_.end() || views == root_.end() || !accessors->is_array() || !views->is_array()) return {};
    if (index < 0 || static_cast<std::size_t>(index) >= accessors->size()) return {};
    const ordered_json& accessor = (*accessors)[static_cast<std::size_t>(index)];
    const std::int64_t v = json_index(accessor, "bufferView"), count = json_index(accessor, "count");
    if (accessor.contains("sparse") || json_index(accessor, "componentType") != kFloat || count < 1) return {};
    if (!accessor.contains("type") || accessor["type"] != "VEC4") return {};
    if (v < 0 || static_cast<std::size_t>(v) >= views->size()) return {};
    const ordered_json& view = (*views)[static_cast<std::size_t>(v)];
    const std::int64_t stride = view.contains("byteStride") ? json_index(view, "byteStride") : 16;
    const std::int64_t offset = accessor.contains("byteOffset") ? json_index(accessor, "byteOffset") : 0;
    const std::int64_t length = json_index(view, "byteLength");
    if (view.contains("extensions") || stride < 16 || stride > 252 || offset < 0 || offset > length) return {};
    const auto begin = static_cast<std::size_t>(json_index(view, "byteOffset") + offset);
    const Weights found{begin, static_cast<std::size_t>(stride), static_cast<std::size_t>(count)};
    // In this order nothing can be larger than a number holds: counts have been bounded by the reader.
    if (found.count > binary.size() / 16) return {};
    if (begin + (found.count - 1) * found.stride + 16 > binary.size()) return {};
    if ((found.count - 1) * found.stride + 16 > static_cast<std::size_t>(length - offset)) return {};
    return found;
  }

  /// Makes the weights of every vertex sum to one (glTF 2.0 §3.7.3.3), where they are floats. What binds to nothing is
  /// bound to the first joint that it names.
  void even_weights(std::string& binary) {
    const auto meshes = root_.find("meshes");
    if (meshes == root_.end() || !meshes->is_array()) return;
    std::set<std::int64_t> done;
    for (const ordered_json& mesh : *meshes) {
      const auto primitives = mesh.is_object() ? mesh.find("primitives") : mesh.end();
      if (primitives == mesh.end() || !primitives->is_array()) continue;
      for (const ordered_json& primitive : *primitives) {
        const auto told = primitive.is_object() ? primitive.find("attributes") : primitive.end();
        if (told == primitive.end()) continue;
        std::vector<Weights> sets;
        std::vector<std::int64_t> numbers;
        bool plain = true;
        for (int set = 0; told->contains(fmt::format("WEIGHTS_{}", set)); ++set) {
          const std::int64_t index = json_index(*told, fmt::format("WEIGHTS_{}", set).c_str());
          const std::optional<Weights> found = weights_in(index, binary);
          plain = plain && found && (sets.empty() || found->count == sets[0].count) && done.insert(index).second;
          if (found) sets.push_back(*found), numbers.push_back(index);
        }
        if (!plain || sets.empty() || !even_vertices(sets, binary)) continue;
        for (const std::int64_t index : numbers) {
          root_["accessors"][static_cast<std::size_t>(index)].erase("min");
          root_["accessors"][static_cast<std::size_t>(index)].erase("max");
        }
      }
    }
    if (uneven_ > 0) {
      warnings_.push_back(
          fmt::format("The weights of {} of {} vertices do not sum to one, and are made to here.", uneven_, vertices_));
    }
    if (unbound_ > 0) {
      warnings_.push_back(fmt::format("The weights of {} of {} vertices bind them to no joint.", unbound_, vertices_));
    }
  }

  /// Whether any was changed.
  bool even_vertices(const std::vector<Weights>& sets, std::string& binary) {
    vertices_ += sets[0].count;
    std::vector<float> weights(4 * sets.size());
    bool changed = false;
    for (std::size_t v = 0; v < sets[0].count; ++v) {
      float sum = 0;
      bool sound = true;
      for (std::size_t s = 0; s < sets.size(); ++s) {
        std::memcpy(&weights[4 * s], binary.data() + sets[s].begin + v * sets[s].stride, 16);
      }
      for (float& weight : weights) {
        if (!(weight >= 0) || !std::isfinite(weight)) weight = 0, sound = false;
        sum += weight;
      }
      if (sound && std::fabs(sum - 1) <= kRounded * static_cast<float>(sets.size())) continue;
      changed = true;
      uneven_ += sum > 0 && std::fabs(sum - 1) > kWeightsOff ? 1 : 0;
      unbound_ += sum > 0 ? 0 : 1;
      for (float& weight : weights) weight = sum > 0 && std::isfinite(sum) ? weight / sum : 0;
      if (!(sum > 0) || !std::isfinite(sum)) weights[0] = 1;
      for (std::size_t s = 0; s < sets.size(); ++s) {
        std::memcpy(binary.data() + sets[s].begin + v * sets[s].stride, &weights[4 * s], 16);
      }
    }
    return changed;
  }

  /// Takes textures whose picture is missing off everything that would show them.
  void drop_missing_textures() {
    const auto textures = root_.find("textures"), materials = root_.find("materials");
    if (missing_.empty() || textures == root_.end() || materials == root_.end() || !textures->is_array()) return;
    std::set<std::int64_t> gone;
    for (std::size_t t = 0; t < textures->size(); ++t) {
      if (missing_.contains(json_index((*textures)[t], "source"))) gone.insert(static_cast<std::int64_t>(t));
    }
    take_off(*materials, gone, 0);
  }

  static void take_off(ordered_json& value, const std::set<std::int64_t>& gone, int depth) {
    constexpr int kDeepest = 64;
    if (depth > kDeepest || !value.is_structured()) return;
    if (value.is_object()) {
      std::vector<std::string> names;
      for (const auto& [name, inner] : value.items()) {
        if (name.ends_with("Texture") && gone.contains(json_index(inner, "index"))) names.push_back(name);
      }
      for (const std::string& name : names) value.erase(name);
    }
    for (ordered_json& inner : value) take_off(inner, gone, depth + 1);
  }

  /// Puts a texture beside the file into it. Whether there is a picture; where there is none, a white point is put in
  /// its place, and what it was called is kept as its name.
  bool take_in(ordered_json& image) {
    const auto uri = image.is_object() ? image.find("uri") : image.end();
    if (uri == image.end() || !uri->is_string()) {
      const std::int64_t view = json_index(image, "bufferView");
      if (view >= 0 && static_cast<std::size_t>(view) < numbers_.views().size()) return true;
      warnings_.emplace_back("A texture lies in no part of the file, and stays missing.");
      return stand_in(image, {});
    }
    const std::string address = uri->get<std::string>();
    const GltfFetch fetch = [&](const std::string& name) -> Result<std::string> {
      if (folder_.empty()) return fail("nothing beside the file may be read");
      return fetch_beside(folder_, name);
    };
    const Result<std::string> bytes = load_uri(address, fetch);
    const std::string_view kind = bytes ? picture_kind(*bytes) : std::string_view();
    if (kind.empty()) {
      const std::string shown = address.starts_with("data:") ? "within the file" : in_quotes(address);
      warnings_.push_back(bytes ? fmt::format("The texture {} is no picture that is known, and stays as it is.", shown)
                                : fmt::format("The texture {} is not there, and stays named only.", shown));
      return bytes ? true : stand_in(image, address);
    }
    image.erase("uri");
    image["bufferView"] = numbers_.add_bytes(*bytes);
    image["mimeType"] = kind;
    return true;
  }

  bool stand_in(ordered_json& image, const std::string& address) {
    if (!image.is_object()) image = ordered_json::object();
    image.erase("uri");
    if (!image.contains("name") && !address.empty() && !address.starts_with("data:"))
      image["name"] = clean_utf8(address);
    image["bufferView"] = numbers_.add_bytes({reinterpret_cast<const char*>(kWhitePoint), sizeof kWhitePoint});
    image["mimeType"] = "image/png";
    return false;
  }

  const GltfDocument& document_;
  const std::string& folder_;
  ordered_json root_;
  NumberStore numbers_;
  std::set<std::int64_t> missing_;  ///< images without a picture
  std::size_t vertices_ = 0, uneven_ = 0, unbound_ = 0;
  std::vector<std::string> warnings_;
};

/// Puts animations into a document.
class Animator {
 public:
  Animator(ordered_json root, std::string binary)
      : root_(std::move(root)), numbers_(std::move(binary), list("bufferViews"), list("accessors")) {}

  Result<std::string> animate(std::span<const NodeAnimation> animations) {
    root_["animations"] = ordered_json::array();
    std::set<std::string> names;
    for (const NodeAnimation& animation : animations) {
      if (Result<void> added = add(animation, names); !added) return fail_from(added);
    }
    if (root_["animations"].empty()) root_.erase("animations");
    root_["accessors"] = numbers_.accessors();
    root_["bufferViews"] = numbers_.views();
    return glb_of(std::move(root_), numbers_.bytes());
  }

 private:
  ordered_json list(const char* key) const {
    const auto found = root_.find(key);
    return found != root_.end() && found->is_array() ? ordered_json(*found) : ordered_json::array();
  }

  Result<void> add(const NodeAnimation& animation, std::set<std::string>& names) {
    std::string name = clean_utf8(animation.name);
    if (name.empty()) name = "motion";
    for (int n = 2; !names.insert(name).second; ++n) name = fmt::format("{} ({})", clean_utf8(animation.name), n);
    ordered_json made{{"name", name}, {"channels", ordered_json::array()}, {"samplers", ordered_json::array()}};
    std::size_t frames = 1;
    for (const NodeMotion& motion : animation.nodes) {
      frames = std::max({frames, motion.rotations.size(), motion.translations.size()});
    }
    std::vector<float> seconds(frames);
    for (std::size_t f = 0; f < frames; ++f) seconds[f] = static_cast<float>(static_cast<double>(f) / animation.rate);
    const int times = numbers_.add(std::span<const float>(seconds), kFloat, 1, kNoTarget, true);
    const int start =
        frames == 1 ? times : numbers_.add(std::span<const float>(seconds).first(1), kFloat, 1, kNoTarget, true);
    for (const NodeMotion& motion : animation.nodes) {
      ordered_json& nodes = root_["nodes"];
      if (!nodes.is_array() || motion.node < 0 || static_cast<std::size_t>(motion.node) >= nodes.size()) {
        return fail(fmt::format("the model has no node {}", motion.node));
      }
      ordered_json& node = nodes[static_cast<std::size_t>(motion.node)];
      for (const std::size_t keys : {motion.rotations.size(), motion.translations.size()}) {
        if (keys > 1 && keys != frames) return fail(fmt::format("{} keys were given for {} frames", keys, frames));
      }
      free_of_matrix(node);
      add_channel(made, motion.node, "rotation", flat(motion.rotations), own(node, "rotation", {0, 0, 0, 1}), 4,
                  motion.rotations.size() > 1 ? times : start);
      add_channel(made, motion.node, "translation", flat(motion.translations), own(node, "translation", {0, 0, 0}), 3,
                  motion.translations.size() > 1 ? times : start);
    }
    if (made["channels"].empty()) return {};
    made["extras"]["rate"] = animation.rate;
    for (const motion::Label& label : animation.labels) {
      made["extras"]["labels"].push_back(
          {{"name", clean_utf8(label.name)}, {"begin", label.begin}, {"end", label.end}});
    }
    root_["animations"].push_back(std::move(made));
    return {};
  }

  static std::vector<float> flat(const std::vector<Quat>& turns) {
    std::vector<float> numbers;
    numbers.reserve(4 * turns.size());
    Quat before = turns.empty() ? Quat{} : turns[0];
    for (Quat q : turns) {
      if (dot(before, q) < 0) q = -q;
      numbers.insert(numbers.end(), {q.x, q.y, q.z, q.w});
      before = q;
    }
    return numbers;
  }

  static std::vector<float> flat(const std::vector<Vec3>& places) {
    std::vector<float> numbers;
    numbers.reserve(3 * places.size());
    for (const Vec3 p : places) numbers.insert(numbers.end(), {p.x, p.y, p.z});
    return numbers;
  }

  static std::vector<float> own(const ordered_json& node, const char* key, std::vector<float> otherwise) {
    const auto found = node.find(key);
    if (found == node.end() || !found->is_array() || found->size() != otherwise.size()) return otherwise;
    for (std::size_t i = 0; i < otherwise.size(); ++i) {
      if ((*found)[i].is_number()) otherwise[i] = (*found)[i].get<float>();
    }
    return otherwise;
  }

  /// An animated node may have no matrix (glTF 2.0 §3.11): it is taken apart.
  static void free_of_matrix(ordered_json& node) {
    if (!node.is_object() || !node.contains("matrix")) return;
    std::vector<float> m = own(node, "matrix", {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1});
    node.erase("matrix");
    Vec3 x{m[0], m[1], m[2]}, y{m[4], m[5], m[6]}, z{m[8], m[9], m[10]};
    Vec3 scale{length(x), length(y), length(z)};
    if (dot(cross(x, y), z) < 0) scale.x = -scale.x;
    node["translation"] = {m[12], m[13], m[14]};
    if (scale.x == 0 || scale.y == 0 || scale.z == 0) return;
    const Quat q = normalized(from_axes(x / scale.x, y / scale.y, z / scale.z));
    node["rotation"] = {q.x, q.y, q.z, q.w};
    node["scale"] = {scale.x, scale.y, scale.z};
  }

  void add_channel(ordered_json& animation, int node, const char* path, std::vector<float> values,
                   const std::vector<float>& own, std::size_t each, int times) {
    if (values.empty()) return;
    float size = 0, off = 0, other = 0;
    const float sign = each == 4 && own[3] * values[3] < 0 ? -1.0f : 1.0f;
    for (std::size_t i = 0; i < values.size(); ++i) {
      size = std::max(size, std::fabs(values[i]));
      off = std::max(off, std::fabs(values[i] - own[i % each]));
      other = std::max(other, std::fabs(values[i] - sign * own[i % each]));
    }
    if (std::min(off, other) <= kStill * std::max(size, 1e-6f)) return;  // it stands there anyway
    ordered_json& samplers = animation["samplers"];
    const int output = numbers_.add(std::span<const float>(values), kFloat, static_cast<int>(each), kNoTarget);
    samplers.push_back({{"input", times}, {"output", output}, {"interpolation", "LINEAR"}});
    animation["channels"].push_back({{"sampler", samplers.size() - 1}, {"target", {{"node", node}, {"path", path}}}});
  }

  ordered_json root_;
  NumberStore numbers_;
};

}  // namespace

Result<PackedModel> pack_gltf(std::string_view bytes, const std::string& file, const std::string& folder) {
  const Result<GltfDocument> document = open_gltf(bytes, folder);
  if (!document) return fail_because(document.error(), document.error().message, file, document.error().line);
  Result<PackedModel> packed = Packer(*document, folder).pack();
  if (!packed) return fail_because(packed.error(), packed.error().message, file);
  return packed;
}

Result<PackedModel> read_model(const std::string& path) {
  const std::string ending = lower_case(std::filesystem::path(path).extension().string());
  if (ending == ".fbx" || ending == ".dae") {
    const Result<std::string> glb = read_glb_with_assimp(path);
    if (!glb) return fail_from(glb);
    return pack_gltf(*glb, path, std::filesystem::path(path).parent_path().string());
  }
  if (ending != ".glb" && ending != ".gltf" && ending != ".vrm") {
    return fail_as(ErrorKind::kBadInput, "is no model by its ending: .glb, .gltf, .vrm, .fbx or .dae", path);
  }
  const Result<FileBytes> bytes = load_file(path);
  if (!bytes) return fail_from(bytes);
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return with_kind(pack_gltf(bytes->text(), path, folder.empty() ? "." : folder), ErrorKind::kBadInput);
}

Result<std::string> animate_model(std::string_view glb, std::span<const NodeAnimation> animations) {
  const Result<GltfDocument> document = open_gltf(glb, {});
  if (!document) return fail_from(document);
  if (document->buffers().size() > 1) return fail("the model is not packed: it has several buffers");
  std::string binary = document->buffers().empty() ? std::string() : std::string(document->buffers()[0]);
  return Animator(document->root(), std::move(binary)).animate(animations);
}

}  // namespace loom::io
