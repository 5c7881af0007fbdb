// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include <loom/base/result.h>

namespace loom::io {

enum ComponentType { kByte = 5121, kShort = 5123, kInt = 5125, kFloat = 5126 };
enum Target { kNoTarget = 0, kVertices = 34962, kIndices = 34963 };

/// Collects numbers and describes where they lie: the buffer of the file, its views and accessors.
class NumberStore {
 public:
  using json = nlohmann::ordered_json;

  NumberStore() = default;
  /// Goes on behind what a file has already.
  NumberStore(std::string bytes, json views, json accessors)
      : bytes_(std::move(bytes)), views_(std::move(views)), accessors_(std::move(accessors)) {}

  /// Adds an accessor over a view of its own. With `bounds`, its least and largest value by component, as the
  /// specification wants for positions and key times.
  template <typename T>
  int add(std::span<const T> values, ComponentType type, int components, Target target, bool bounds = false) {
    bytes_.resize((bytes_.size() + 3) & ~std::size_t{3});
    json view{{"buffer", 0}, {"byteOffset", bytes_.size()}, {"byteLength", values.size_bytes()}};
    if (target != kNoTarget) view["target"] = static_cast<int>(target);
    const std::size_t at = bytes_.size();
    bytes_.resize(at + values.size_bytes());
    std::memcpy(bytes_.data() + at, values.data(), values.size_bytes());
    views_.push_back(std::move(view));

    const auto each = static_cast<std::size_t>(components);
    static constexpr const char* kNames[] = {"", "SCALAR", "VEC2", "VEC3", "VEC4"};
    json accessor{{"bufferView", views_.size() - 1},
                  {"componentType", static_cast<int>(type)},
                  {"count", values.size() / each},
                  {"type", components == 16 ? "MAT4" : kNames[each]}};
    if (bounds) {
      for (std::size_t c = 0; c < each; ++c) {
        T low = values[c], high = values[c];
        for (std::size_t i = c; i < values.size(); i += each) {
          low = std::min(low, values[i]);
          high = std::max(high, values[i]);
        }
        accessor["min"].push_back(low);
        accessor["max"].push_back(high);
      }
    }
    accessors_.push_back(std::move(accessor));
    return static_cast<int>(accessors_.size()) - 1;
  }

  /// Adds a view of bytes that are no numbers, such as a picture's.
  int add_bytes(std::string_view content) {
    bytes_.resize((bytes_.size() + 3) & ~std::size_t{3});
    views_.push_back({{"buffer", 0}, {"byteOffset", bytes_.size()}, {"byteLength", content.size()}});
    bytes_ += content;
    return static_cast<int>(views_.size()) - 1;
  }

  [[nodiscard]] const std::string& bytes() const { return bytes_; }
  [[nodiscard]] const json& views() const { return views_; }
  [[nodiscard]] const json& accessors() const { return accessors_; }

 private:
  std::string bytes_;
  json views_ = json::array(), accessors_ = json::array();
};

/// A glTF document and its one buffer as the bytes of a `.glb` file; `others` are buffers that are told of and are not
/// in it. Fails past the 4 GiB that one can hold.
Result<std::string> glb_of(nlohmann::ordered_json root, std::string binary,
                           const nlohmann::ordered_json& others = nlohmann::ordered_json::array());

}  // namespace loom::io
