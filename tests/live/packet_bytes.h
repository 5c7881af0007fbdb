// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

namespace loom::live::testing {

/// Bytes as a format's page has them, piece by piece.
class Bytes {
 public:
  Bytes& raw(std::initializer_list<int> values) {
    for (const int value : values) bytes_.push_back(static_cast<std::byte>(value));
    return *this;
  }
  Bytes& text(std::string_view text) {
    for (const char c : text) bytes_.push_back(static_cast<std::byte>(c));
    return *this;
  }
  /// One, two, a half, minus one and zero as 32-bit floats, as IEEE 754 has them, the most significant byte first.
  Bytes& big(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    for (const int shift : {24, 16, 8, 0}) bytes_.push_back(static_cast<std::byte>(bits >> shift & 0xff));
    return *this;
  }
  Bytes& little(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    for (const int shift : {0, 8, 16, 24}) bytes_.push_back(static_cast<std::byte>(bits >> shift & 0xff));
    return *this;
  }
  Bytes& little32(std::uint32_t bits) {
    for (const int shift : {0, 8, 16, 24}) bytes_.push_back(static_cast<std::byte>(bits >> shift & 0xff));
    return *this;
  }
  Bytes& little16(std::uint32_t bits) {
    for (const int shift : {0, 8}) bytes_.push_back(static_cast<std::byte>(bits >> shift & 0xff));
    return *this;
  }
  Bytes& zeros(std::size_t count) {
    bytes_.resize(bytes_.size() + count);
    return *this;
  }
  [[nodiscard]] std::span<const std::byte> all() const { return bytes_; }
  [[nodiscard]] std::size_t size() const { return bytes_.size(); }

 private:
  std::vector<std::byte> bytes_;
};

inline std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

inline std::span<const std::byte> as_bytes(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

}  // namespace loom::live::testing
