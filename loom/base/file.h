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

/// The same for what is too large to hold in memory: written piece by piece, there as a whole once it is finished.
/// Destroyed before that, it leaves nothing.
class FileWriter {
 public:
  /// Fails where no file can be written at `path`.
  static Result<FileWriter> create(const std::string& path);

  FileWriter(FileWriter&&) noexcept;
  FileWriter& operator=(FileWriter&&) noexcept;
  ~FileWriter();

  /// Appends bytes. Small pieces are gathered, so that a line at a time is quick enough.
  Result<void> write(std::string_view bytes);
  /// Puts the file in its place. Nothing is written after that.
  Result<void> finish();
  /// Bytes given to it so far.
  [[nodiscard]] std::uint64_t bytes() const;

 private:
  struct State;
  explicit FileWriter(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace loom
