// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace loom::studio {

/// What was measured, kept between one run of the studio and the next: small texts under the name of what they were
/// measured of, a hash of all of it, so that nothing old is ever found.
///
/// They lie in a folder of the user's caches and not in the library: looking at a library changes nothing in it, and
/// one that may only be read is looked at as quickly. Where there is no such folder nothing is kept. What is longest
/// unused goes when there is too much.
class MeasureCache {
 public:
  static constexpr std::size_t kMostFiles = 200;

  /// In `folder`, which is made when something is to be kept; empty: nothing is kept.
  explicit MeasureCache(std::string folder) : folder_(std::move(folder)) {}
  /// In `$XDG_CACHE_HOME/motionloom/measures`, or else `~/.cache/motionloom/measures`.
  static MeasureCache of_user();

  /// What was kept under a key, `content_hash`'s; nothing where that is nothing, or cannot be read.
  [[nodiscard]] std::optional<std::string> find(const std::string& key) const;
  /// Keeps it as far as that is possible: who measures does not care.
  void keep(const std::string& key, std::string_view text) const;

 private:
  [[nodiscard]] std::string path_of(const std::string& key) const;

  std::string folder_;
};

}  // namespace loom::studio
