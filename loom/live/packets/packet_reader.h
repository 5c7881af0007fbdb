// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include <loom/base/math.h>

namespace loom::live {

/// Reads numbers of either byte order from a packet nobody vouches for: every read checks that its bytes are there.
/// After the first failure all further reads fail, so that a reader checks `ok()` once at the end of a group of reads.
class PacketReader {
 public:
  PacketReader(std::span<const std::byte> bytes, std::endian order) : bytes_(bytes), order_(order) {}

  template <typename T>
  T value() {
    static_assert(std::is_arithmetic_v<T>);
    std::array<std::byte, sizeof(T)> raw{};
    const std::span<const std::byte> from = take(sizeof(T));
    if (!ok_) return T{};
    std::copy(from.begin(), from.end(), raw.begin());
    if (order_ != std::endian::native) std::reverse(raw.begin(), raw.end());
    return std::bit_cast<T>(raw);
  }
  Vec3 vector() {
    const auto x = value<float>(), y = value<float>(), z = value<float>();
    return {x, y, z};
  }
  /// The next `size` bytes; none where there are fewer.
  std::span<const std::byte> take(std::size_t size) {
    if (!ok_ || size > bytes_.size()) {
      ok_ = false;
      return {};
    }
    const auto taken = bytes_.first(size);
    bytes_ = bytes_.subspan(size);
    return taken;
  }
  std::string_view text(std::size_t size) {
    const auto taken = take(size);
    return {reinterpret_cast<const char*>(taken.data()), taken.size()};
  }
  /// Text up to a zero byte, which is read too.
  std::string_view zero_ended() {
    const auto zero = std::find(bytes_.begin(), bytes_.end(), std::byte{0});
    if (zero == bytes_.end()) {
      ok_ = false;
      return {};
    }
    const std::string_view found = text(static_cast<std::size_t>(zero - bytes_.begin()));
    take(1);
    return found;
  }

  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] std::size_t left() const { return ok_ ? bytes_.size() : 0; }

 private:
  std::span<const std::byte> bytes_;
  std::endian order_;
  bool ok_ = true;
};

/// Puts a packet together.
class PacketWriter {
 public:
  explicit PacketWriter(std::endian order) : order_(order) {}

  template <typename T>
  void value(T v) {
    static_assert(std::is_arithmetic_v<T>);
    auto raw = std::bit_cast<std::array<std::byte, sizeof(T)>>(v);
    if (order_ != std::endian::native) std::reverse(raw.begin(), raw.end());
    bytes_.insert(bytes_.end(), raw.begin(), raw.end());
  }
  void text(std::string_view text) { bytes(std::as_bytes(std::span(text.data(), text.size()))); }
  void bytes(std::span<const std::byte> more) { bytes_.insert(bytes_.end(), more.begin(), more.end()); }
  void zeros(std::size_t count) { bytes_.resize(bytes_.size() + count); }

  [[nodiscard]] std::size_t size() const { return bytes_.size(); }
  [[nodiscard]] std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  std::endian order_;
  std::vector<std::byte> bytes_;
};

}  // namespace loom::live
