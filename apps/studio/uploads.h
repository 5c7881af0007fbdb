// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <utility>

#include <loom/base/result.h>

namespace loom::studio {

/// Files that a page has sent and that wait to be imported, in a temporary folder that goes with the object.
///
/// Files of one drop lie in one folder (a batch), under their own names: an AMC file finds its ASF there, and labels
/// their motions.
class Uploads {
 public:
  static Result<Uploads> create();
  ~Uploads();
  Uploads(Uploads&& other) noexcept : folder_(std::exchange(other.folder_, {})) {}
  Uploads& operator=(Uploads&&) = delete;

  /// Where a file called `name` of batch `batch` is to be written. Fails on names that are not plain or not of a kind
  /// that can be imported.
  [[nodiscard]] Result<std::string> place_for(const std::string& batch, const std::string& name) const;

  /// The folder of a batch; fails where there is none.
  [[nodiscard]] Result<std::filesystem::path> folder_of(const std::string& batch) const;

  /// Takes a batch away.
  void remove(const std::string& batch) const;

 private:
  explicit Uploads(std::filesystem::path folder) : folder_(std::move(folder)) {}

  std::filesystem::path folder_;
};

}  // namespace loom::studio
