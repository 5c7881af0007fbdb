// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <unordered_map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/file.h>
#include <loom/base/json_text.h>
#include <loom/base/number.h>
#include <loom/base/text.h>
#include <loom/base/whole.h>
#include <loom/io/detail/gltf_document.h>
#include <loom/io/detail/meshopt_views.h>

namespace loom::io {
namespace {

using nlohmann::json;

constexpr std::uint32_t kMagic = 0x46546C67;      // "glTF"
constexpr std::uint32_t kJsonChunk = 0x4E4F534A;  // "JSON"
constexpr std::uint32_t kBinChunk = 0x004E4942;   // "BIN\0"
constexpr std::size_t kHeaderBytes = 12, kChunkHeaderBytes = 8;

/// JSON beyond these is no scene. They bound what the parser may take: some 40 bytes a value.
constexpr JsonLimits kLimits{64, 20'000'000};
/// Numbers a file may make us read: a fixed amount and so many for each of its bytes.
constexpr std::uint64_t kFreeNumbers = 4'000'000, kNumbersPerByte = 4;

std::uint32_t word(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes.data() + at, sizeof value);  // both glTF and every machine we run on are little-endian
  return value;
}

struct Chunks {
  std::string_view json, binary;
  bool has_binary = false;
};

Result<Chunks> split_glb(std::string_view bytes) {
  if (bytes.size() < kHeaderBytes + kChunkHeaderBytes) return fail("the file ends within the glTF header");
  if (const std::uint32_t version = word(bytes, 4); version != 2) {
    return fail(fmt::format("this is glTF version {}; only version 2 can be read", version));
  }
  const std::uint64_t length = word(bytes, 8);
  if (length < kHeaderBytes + kChunkHeaderBytes) return fail(fmt::format("the file announces {} bytes", length));
  if (length > bytes.size()) {
    return fail(fmt::format("the file is cut short: it announces {} bytes and has {}", length, bytes.size()));
  }
  bytes = bytes.substr(0, static_cast<std::size_t>(length));
  Chunks chunks;
  std::size_t at = kHeaderBytes;
  for (int index = 0; at + kChunkHeaderBytes <= bytes.size() && index < 2; ++index) {
    const std::uint64_t size = word(bytes, at);
    const std::uint32_t kind = word(bytes, at + 4);
    at += kChunkHeaderBytes;
    if (size > bytes.size() - at) {
      return fail(fmt::format("chunk {} announces {} bytes where {} are left", index, size, bytes.size() - at));
    }
    const std::string_view content = bytes.substr(at, size);
    if (index == 0 && kind != kJsonChunk) return fail("the first chunk is not JSON");
    if (index == 0) chunks.json = content;
    if (index == 1 && kind == kBinChunk) {
      chunks.binary = content;
      chunks.has_binary = true;
    }
    at += size;
  }
  return chunks;
}

Result<json> parse_document(std::string_view text) {
  if (Result<void> sane = check_json_extent(text, kLimits); !sane) return fail_from(sane);
  try {
    json root = json::parse(text.begin(), text.end());
    if (!root.is_object()) return fail("the JSON is not an object");
    return root;
  } catch (const json::parse_error& error) {
    const std::size_t at = std::min(error.byte, text.size());
    const auto line =
        static_cast<std::size_t>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    return fail("this is not valid JSON", {}, line + 1);
  } catch (const json::exception& error) {
    return fail(fmt::format("this is not valid JSON: {}", error.what()));
  }
}

int base64_value(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+' || c == '-') return 62;
  if (c == '/' || c == '_') return 63;
  return -1;
}

Result<std::string> decode_base64(std::string_view text) {
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3 + 3);
  std::uint32_t bits = 0;
  int held = 0;
  for (const char c : text) {
    const int value = base64_value(c);
    if (value < 0) return fail(fmt::format("{} is no base64", in_quotes(std::string_view(&c, 1))));
    bits = bits << 6 | static_cast<std::uint32_t>(value);
    held += 6;
    if (held >= 8) {
      held -= 8;
      bytes.push_back(static_cast<char>(bits >> held & 0xFF));
    }
  }
  return bytes;
}

/// "%20" and the like, as addresses write them.
std::string decode_percent(std::string_view uri) {
  std::string text;
  const auto hex = [](char c) {
    if (c >= '0' && c <= '9') return c - '0';
    const char lower = static_cast<char>(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
  };
  for (std::size_t i = 0; i < uri.size(); ++i) {
    if (uri[i] == '%' && i + 2 < uri.size() && hex(uri[i + 1]) >= 0 && hex(uri[i + 2]) >= 0) {
      text.push_back(static_cast<char>(hex(uri[i + 1]) * 16 + hex(uri[i + 2])));
      i += 2;
    } else {
      text.push_back(uri[i]);
    }
  }
  return text;
}

/// The path an address names, whichever way it is written.
std::string normal_path(std::string_view uri) {
  return std::filesystem::path(decode_percent(uri)).lexically_normal().string();
}

/// How the numbers of an accessor lie in memory (glTF 2.0 §3.6.2.2).
struct Component {
  std::uint64_t bytes = 0;
  float (*read)(const char* at, bool normalized) = nullptr;
};

template <typename T>
float read_integer(const char* at, bool normalized) {
  T value{};
  std::memcpy(&value, at, sizeof value);
  const auto number = static_cast<float>(value);
  if (!normalized) return number;
  return std::max(number / static_cast<float>(std::numeric_limits<T>::max()), -1.0f);
}

float read_float(const char* at, bool /*normalized*/) {
  float value = 0;
  std::memcpy(&value, at, sizeof value);
  return value;
}

Component component_of(std::int64_t type) {
  switch (type) {
    case 5120:
      return {1, read_integer<std::int8_t>};
    case 5121:
      return {1, read_integer<std::uint8_t>};
    case 5122:
      return {2, read_integer<std::int16_t>};
    case 5123:
      return {2, read_integer<std::uint16_t>};
    case 5125:
      return {4, read_integer<std::uint32_t>};
    case 5126:
      return {4, read_float};
    default:
      return {};
  }
}

const char* type_name(int components) {
  switch (components) {
    case 1:
      return "SCALAR";
    case 2:
      return "VEC2";
    case 3:
      return "VEC3";
    case 4:
      return "VEC4";
    default:
      return "MAT4";
  }
}

const json& element(const json& root, const char* array, std::int64_t index) {
  static const json nothing;
  const json& elements = json_array(root, array);
  return index >= 0 && static_cast<std::uint64_t>(index) < elements.size() ? elements[static_cast<std::size_t>(index)]
                                                                           : nothing;
}

constexpr std::array kMeshopt = {"EXT_meshopt_compression", "KHR_meshopt_compression"};

/// What `object` says of its being packed; null where it is not.
const json* meshopt_of(const json& object) {
  const auto extensions = object.is_object() ? object.find("extensions") : object.end();
  if (extensions == object.end() || !extensions->is_object()) return nullptr;
  for (const char* name : kMeshopt) {
    const auto found = extensions->find(name);
    if (found != extensions->end() && found->is_object()) return &*found;
  }
  return nullptr;
}

/// What was unpacked needs the extension no more.
void forget_meshopt(json& root) {
  for (const char* key : {"extensionsUsed", "extensionsRequired"}) {
    const auto list = root.find(key);
    if (list == root.end() || !list->is_array()) continue;
    json kept = json::array();
    for (const json& name : *list) {
      if (name != kMeshopt[0] && name != kMeshopt[1]) kept.push_back(name);
    }
    if (kept.empty()) {
      root.erase(key);
    } else if (kept.size() < list->size()) {
      *list = std::move(kept);
    }
  }
}

/// The whole number under `key`, 0 where it is absent; -1 where it is there and is none.
std::int64_t json_count(const json& object, const char* key) {
  return object.contains(key) ? json_index(object, key) : 0;
}

}  // namespace

Result<std::string> load_uri(const std::string& uri, const GltfFetch& fetch) {
  if (!uri.starts_with("data:")) {
    if (!fetch) return fail(fmt::format("the file keeps its numbers in {}, outside itself", in_quotes(uri)));
    return fetch(decode_percent(uri));
  }
  const std::size_t comma = uri.find(',');
  const std::string_view head = std::string_view(uri).substr(0, comma);
  if (comma == std::string::npos || !head.ends_with(";base64")) return fail("a buffer's data address is not base64");
  return decode_base64(std::string_view(uri).substr(comma + 1));
}

std::int64_t json_index(const json& object, const char* key) {
  if (!object.is_object()) return -1;
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number()) return -1;
  // Some exporters write whole numbers as 3.0.
  const double value = found->get<double>();
  if (!(value >= 0 && value <= 9e15) || value != std::floor(value)) return -1;
  return to_whole<std::int64_t>(value);
}

std::string json_text(const json& object, const char* key) {
  if (!object.is_object()) return {};
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? clean_utf8(found->get_ref<const std::string&>()) : std::string();
}

const json& json_array(const json& object, const char* key) {
  static const json none = json::array();
  if (!object.is_object()) return none;
  const auto found = object.find(key);
  return found != object.end() && found->is_array() ? *found : none;
}

bool json_floats(const json& object, const char* key, std::vector<float>& out) {
  const json& array = json_array(object, key);
  if (array.size() != out.size()) return false;
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (!array[i].is_number()) return false;
    const double value = array[i].get<double>();
    if (!(std::fabs(value) <= kLargestNumber)) return false;
    out[i] = static_cast<float>(value);
  }
  return true;
}

GltfDocument::GltfDocument() = default;
GltfDocument::~GltfDocument() = default;
GltfDocument::GltfDocument(GltfDocument&&) noexcept = default;
GltfDocument& GltfDocument::operator=(GltfDocument&&) noexcept = default;

Result<GltfDocument> GltfDocument::parse(std::string_view bytes, const GltfFetch& fetch, const GltfFileOf& file_of) {
  Chunks chunks{bytes, {}, false};
  if (bytes.size() >= 4 && word(bytes, 0) == kMagic) {
    Result<Chunks> split = split_glb(bytes);
    if (!split) return fail_from(split);
    chunks = *split;
  }
  Result<json> root = parse_document(chunks.json);
  if (!root) return fail_from(root);
  const auto asset = root->find("asset");
  if (asset == root->end()) return fail("the JSON holds no 'asset': this is no glTF");
  if (const std::string version = json_text(*asset, "version"); !version.starts_with("2.")) {
    return fail(fmt::format("this is glTF version {}; only version 2 can be read", in_quotes(version)));
  }
  GltfDocument document;
  document.root_ = std::make_unique<json>(std::move(*root));
  if (Result<void> loaded = document.load_buffers(chunks.binary, chunks.has_binary, fetch, file_of); !loaded) {
    return fail_from(loaded);
  }
  if (Result<void> unpacked = document.unpack_views(); !unpacked) return fail_from(unpacked);
  document.left_ = kFreeNumbers + kNumbersPerByte * bytes.size();
  return document;
}

Result<void> GltfDocument::load_buffers(std::string_view binary, bool has_binary, const GltfFetch& fetch,
                                        const GltfFileOf& file_of) {
  const json& buffers = json_array(*root_, "buffers");
  // The views below must not be moved from under.
  owned_.reserve(buffers.size() + json_array(*root_, "bufferViews").size());
  std::unordered_map<std::string, std::string_view> by_address;
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const json& buffer = buffers[i];
    const std::int64_t length = json_index(buffer, "byteLength");
    if (length < 0) return fail(fmt::format("buffer {} does not say its length", i));
    const auto uri = buffer.is_object() ? buffer.find("uri") : buffer.end();
    if (uri != buffer.end() && uri->is_string()) {
      const std::string& address = uri->get_ref<const std::string&>();
      // Buffers that name one file share it: a file of a few bytes must not take its memory many times.
      const bool inside = address.starts_with("data:");
      const std::string file =
          inside ? fmt::format("data:{}", i) : (file_of ? file_of(decode_percent(address)) : normal_path(address));
      auto known = by_address.find(file);
      if (known == by_address.end()) {
        const auto too_large = [&] { return fail(fmt::format("the buffers have more than {} bytes", kMaxFileBytes)); };
        if (total + static_cast<std::uint64_t>(length) > kMaxFileBytes) return too_large();
        Result<std::string> loaded = load_uri(address, fetch);
        if (!loaded) return fail_because(loaded.error(), fmt::format("buffer {}: {}", i, loaded.error().to_string()));
        total += loaded->size();
        if (total > kMaxFileBytes) return too_large();
        owned_.push_back(std::move(*loaded));
        known = by_address.emplace(file, owned_.back()).first;
      }
      buffers_.push_back(known->second);
    } else if (meshopt_of(buffer) != nullptr) {
      // For readers without the extension: nothing of it is needed, since what lies there is packed elsewhere.
      buffers_.emplace_back();
      (*root_)["buffers"][i]["byteLength"] = 0;
      continue;
    } else if (i == 0 && has_binary) {
      buffers_.push_back(binary);
    } else {
      return fail(fmt::format("buffer {} is nowhere: it has no address, and the file has no binary chunk for it", i));
    }
    if (buffers_.back().size() < static_cast<std::uint64_t>(length)) {
      return fail(fmt::format("buffer {} announces {} bytes and has {}", i, length, buffers_.back().size()));
    }
  }
  return {};
}

Result<void> GltfDocument::unpack_views() {
  const std::size_t count = json_array(*root_, "bufferViews").size();
  std::uint64_t total = 0;
  for (std::size_t v = 0; v < count; ++v) {
    json& view = (*root_)["bufferViews"][v];
    const json* packed = meshopt_of(view);
    if (packed == nullptr) continue;
    const auto named = [&](std::string_view what) { return fail(fmt::format("buffer view {}: {}", v, what)); };
    const std::int64_t buffer = json_index(*packed, "buffer"), offset = json_count(*packed, "byteOffset"),
                       length = json_index(*packed, "byteLength"), elements = json_index(*packed, "count"),
                       stride = json_index(*packed, "byteStride");
    if (buffer < 0 || static_cast<std::uint64_t>(buffer) >= buffers_.size() || offset < 0 || length < 0 ||
        elements < 0 || stride < 0) {
      return named("is packed, and does not say how");
    }
    const std::string_view bytes = buffers_[static_cast<std::size_t>(buffer)];
    if (static_cast<std::uint64_t>(offset) > bytes.size() ||
        static_cast<std::uint64_t>(length) > bytes.size() - static_cast<std::uint64_t>(offset)) {
      return named("is packed beyond its buffer");
    }
    Result<std::string> whole =
        unpack_meshopt({bytes.substr(static_cast<std::size_t>(offset), static_cast<std::size_t>(length)),
                        static_cast<std::size_t>(elements), static_cast<std::size_t>(stride),
                        json_text(*packed, "mode"), json_text(*packed, "filter")});
    if (!whole) return named(whole.error().message);
    total += whole->size();
    if (total > kMaxFileBytes) return fail(fmt::format("what is packed has more than {} bytes", kMaxFileBytes));
    owned_.push_back(std::move(*whole));
    buffers_.emplace_back(owned_.back());
    view["buffer"] = (*root_)["buffers"].size();
    view["byteOffset"] = 0;
    view["byteLength"] = owned_.back().size();
    view.erase("extensions");
    (*root_)["buffers"].push_back({{"byteLength", owned_.back().size()}});
  }
  forget_meshopt(*root_);
  return {};
}

Result<std::string_view> GltfDocument::view_bytes(std::int64_t view, std::uint64_t& stride) const {
  const json& json_view = element(*root_, "bufferViews", view);
  if (!json_view.is_object()) return fail(fmt::format("there is no buffer view {}", view));
  const std::int64_t buffer = json_index(json_view, "buffer");
  if (buffer < 0 || static_cast<std::uint64_t>(buffer) >= buffers_.size()) {
    return fail(fmt::format("buffer view {} lies in a buffer there is not", view));
  }
  const std::string_view bytes = buffers_[static_cast<std::size_t>(buffer)];
  const std::int64_t offset = json_count(json_view, "byteOffset"), length = json_index(json_view, "byteLength");
  if (offset < 0 || length < 0 || static_cast<std::uint64_t>(offset) > bytes.size() ||
      static_cast<std::uint64_t>(length) > bytes.size() - static_cast<std::uint64_t>(offset)) {
    return fail(fmt::format("buffer view {} reaches beyond its buffer", view));
  }
  const std::int64_t told = json_count(json_view, "byteStride");
  if (told < 0 || told > 252) return fail(fmt::format("buffer view {} has a stride that is not allowed", view));
  stride = static_cast<std::uint64_t>(told);
  return bytes.substr(static_cast<std::size_t>(offset), static_cast<std::size_t>(length));
}

namespace {

/// `count` elements of `components` numbers from `bytes`, elements `stride` bytes apart.
std::vector<float> unpack(std::string_view bytes, std::uint64_t count, int components, std::uint64_t stride,
                          Component component, bool normalized) {
  const auto each = static_cast<std::size_t>(components);
  std::vector<float> values(static_cast<std::size_t>(count) * each);
  for (std::size_t i = 0; i < count; ++i) {
    const char* at = bytes.data() + i * stride;
    for (std::size_t c = 0; c < each; ++c) values[i * each + c] = component.read(at + c * component.bytes, normalized);
  }
  return values;
}

/// Whether `count` elements of `size` bytes, `stride` apart from `offset` on, lie within `available` bytes.
bool fits(std::uint64_t available, std::uint64_t offset, std::uint64_t count, std::uint64_t stride,
          std::uint64_t size) {
  if (count == 0) return true;
  if (offset > available || available - offset < size) return false;
  return count - 1 <= (available - offset - size) / stride;
}

}  // namespace

Result<std::vector<float>> GltfDocument::numbers(std::int64_t index, int components) {
  const json& accessor = element(*root_, "accessors", index);
  const auto wrong = [&](std::string_view what) { return fail(fmt::format("accessor {} {}", index, what)); };
  if (!accessor.is_object()) return fail(fmt::format("there is no accessor {}", index));
  if (json_text(accessor, "type") != type_name(components)) {
    return wrong(
        fmt::format("holds {} where {} is needed", in_quotes(json_text(accessor, "type")), type_name(components)));
  }
  const Component component = component_of(json_index(accessor, "componentType"));
  if (component.read == nullptr) return wrong("has no known type of number");
  const std::int64_t count = json_index(accessor, "count"), offset = json_count(accessor, "byteOffset");
  if (count < 0 || offset < 0) return wrong("has no usable count or offset");
  const auto each = static_cast<std::uint64_t>(components);
  const auto wanted = static_cast<std::uint64_t>(count);
  if (wanted > left_ / each) return wrong("holds, with what was read before, more than a file of this size can");
  left_ -= wanted * each;

  const auto flag = accessor.find("normalized");
  const bool normalized = flag != accessor.end() && *flag == true;
  std::vector<float> values;
  if (accessor.contains("bufferView")) {
    std::uint64_t stride = 0;
    const Result<std::string_view> bytes = view_bytes(json_index(accessor, "bufferView"), stride);
    if (!bytes) return wrong("cannot be read: " + bytes.error().message);
    const std::uint64_t size = component.bytes * each;
    if (stride == 0) stride = size;
    if (stride < size) return wrong("has elements that overlap");
    if (!fits(bytes->size(), static_cast<std::uint64_t>(offset), wanted, stride, size)) {
      return wrong(fmt::format("announces {} elements, more than its buffer view holds", count));
    }
    values = unpack(wanted > 0 ? bytes->substr(static_cast<std::size_t>(offset)) : std::string_view(), wanted,
                    components, stride, component, normalized);
  } else {
    values.resize(static_cast<std::size_t>(wanted * each));  // zeros by the specification; bounded by `left_` above
  }
  if (const auto sparse = accessor.find("sparse"); sparse != accessor.end()) {
    const Result<std::uint64_t> added = add_sparse(accessor, components, values);
    if (!added) return wrong("cannot be read: " + added.error().message);
    left_ -= std::min(left_, *added * each);
  }
  return values;
}

Result<std::uint64_t> GltfDocument::add_sparse(const json& accessor, int components, std::vector<float>& values) const {
  const json& sparse = accessor["sparse"];
  const std::int64_t count = json_index(sparse, "count");
  const auto indices = sparse.is_object() ? sparse.find("indices") : sparse.end();
  const auto replaced = sparse.is_object() ? sparse.find("values") : sparse.end();
  if (count < 0 || indices == sparse.end() || replaced == sparse.end()) return fail("its sparse part is incomplete");
  const Component index_type = component_of(json_index(*indices, "componentType"));
  const Component value_type = component_of(json_index(accessor, "componentType"));
  if (index_type.read == nullptr) return fail("its sparse indices have no known type");

  const auto each = static_cast<std::uint64_t>(components), wanted = static_cast<std::uint64_t>(count);
  std::uint64_t stride = 0;  // sparse parts are tightly packed; a stride is not allowed and not looked at
  const Result<std::string_view> index_bytes = view_bytes(json_index(*indices, "bufferView"), stride);
  if (!index_bytes) return fail_from(index_bytes);
  const Result<std::string_view> value_bytes = view_bytes(json_index(*replaced, "bufferView"), stride);
  if (!value_bytes) return fail_from(value_bytes);
  const std::int64_t index_offset = json_count(*indices, "byteOffset"),
                     value_offset = json_count(*replaced, "byteOffset");
  const std::uint64_t value_size = value_type.bytes * each;
  if (index_offset < 0 || value_offset < 0 ||
      !fits(index_bytes->size(), static_cast<std::uint64_t>(index_offset), wanted, index_type.bytes,
            index_type.bytes) ||
      !fits(value_bytes->size(), static_cast<std::uint64_t>(value_offset), wanted, value_size, value_size)) {
    return fail("its sparse part reaches beyond its buffer view");
  }
  const auto flag = accessor.find("normalized");
  const bool normalized = flag != accessor.end() && *flag == true;
  for (std::uint64_t i = 0; i < wanted; ++i) {
    std::uint32_t target = 0;
    std::memcpy(&target, index_bytes->data() + index_offset + i * index_type.bytes, index_type.bytes);
    if (target >= values.size() / each)
      return fail(fmt::format("its sparse part sets element {}, which there is not", target));
    const char* from = value_bytes->data() + value_offset + i * value_size;
    for (std::uint64_t c = 0; c < each; ++c) {
      values[target * each + c] = value_type.read(from + c * value_type.bytes, normalized);
    }
  }
  return wanted;
}

}  // namespace loom::io
