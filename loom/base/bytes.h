// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <loom/base/result.h>

namespace loom {

static_assert(std::endian::native == std::endian::little, "artefacts are stored little-endian, as memory holds them");

/// Writes an artefact as bytes: numbers, strings and flat arrays one after the other, arrays led by their length.
class ByteWriter {
 public:
  template <typename T>
  void value(const T& v) {
    static_assert(std::is_trivially_copyable_v<T>);
    append(&v, sizeof(T));
  }
  template <typename T>
  void array(std::span<const T> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    value<std::uint64_t>(values.size());
    append(values.data(), values.size_bytes());
  }
  void string(std::string_view text) { array(std::span(text.data(), text.size())); }

  [[nodiscard]] std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  void append(const void* from, std::size_t size) {
    if (size == 0) return;
    const auto* begin = static_cast<const std::byte*>(from);
    bytes_.insert(bytes_.end(), begin, begin + size);
  }

  std::vector<std::byte> bytes_;
};

/// Reads what ByteWriter wrote, from bytes nobody vouches for: every read checks that they are there. After the first
/// failure all further reads fail, so that a reader checks `ok()` once at the end of a group of reads.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  template <typename T>
  T value() {
    static_assert(std::is_trivially_copyable_v<T>);
    T v{};
    copy(&v, sizeof(T));
    return v;
  }
  template <typename T>
  std::vector<T> array() {
    static_assert(std::is_trivially_copyable_v<T>);
    const auto count = value<std::uint64_t>();
    if (!ok_ || count > bytes_.size() / sizeof(T)) {
      ok_ = false;
      return {};
    }
    std::vector<T> values(static_cast<std::size_t>(count));
    copy(values.data(), values.size() * sizeof(T));
    return values;
  }
  std::string string() {
    const std::vector<char> text = array<char>();
    return {text.begin(), text.end()};
  }

  [[nodiscard]] bool ok() const { return ok_; }
  /// Whether all was read and nothing is left over.
  [[nodiscard]] bool finished() const { return ok_ && bytes_.empty(); }

 private:
  void copy(void* to, std::size_t size) {
    if (!ok_ || size > bytes_.size()) {
      ok_ = false;
      return;
    }
    if (size > 0) std::memcpy(to, bytes_.data(), size);
    bytes_ = bytes_.subspan(size);
  }

  std::span<const std::byte> bytes_;
  bool ok_ = true;
};

}  // namespace loom
