// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <utility>

#include <loom/base/result.h>

namespace loom {

/// A lock between processes, held as long as the object lives. It ends with the process however that ends, so nobody
/// waits for one that was killed.
class FileLock {
 public:
  /// Locks the file at `path`, which is made where there is none and stays behind, empty; waits for whoever holds it.
  static Result<FileLock> wait_for(const std::string& path);
  /// Locks a folder of this user's; nothing when somebody holds it, when it is gone or is not ours.
  static std::optional<FileLock> try_folder(const std::string& path);

  ~FileLock();
  FileLock(FileLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  FileLock& operator=(FileLock&&) = delete;

 private:
  explicit FileLock(int descriptor) : descriptor_(descriptor) {}

  int descriptor_;
};

}  // namespace loom
