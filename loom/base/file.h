// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <loom/base/result.h>

namespace loom {

/// The largest file that is read. An hour of 60 joints at 120 Hz is about 700 MB of BVH, so nothing real is near.
inline constexpr std::uint64_t kMaxFileBytes = std::uint64_t{2} << 30;

/// A file's bytes in memory.
///
/// They are copied rather than mapped: a mapped file that another program shortens meanwhile kills the process.
class FileBytes {
 public:
  FileBytes(std::unique_ptr<char[]> data, std::size_t size) : data_(std::move(data)), size_(size) {}

  [[nodiscard]] std::string_view text() const { return {data_.get(), size_}; }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  std::unique_ptr<char[]> data_;
  std::size_t size_;
};

/// Reads the whole file at `path`. Fails, before taking memory for it, when it is not a plain file or is larger than
/// `limit` bytes.
Result<FileBytes> load_file(const std::string& path, std::uint64_t limit = kMaxFileBytes);

/// Writes a file whole or not at all: into a temporary one beside it, renamed over `path`. Whatever stops it, even a
/// loss of power, leaves the old file or the new one, never half of one. Its mode stays, and a link stays a link.
Result<void> save_file(const std::string& path, std::string_view bytes);

}  // namespace loom
