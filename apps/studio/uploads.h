// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include <loom/base/result.h>

#include "studio/message.h"

namespace loom::studio {

struct UploadLimits {
  std::uint64_t bytes = std::uint64_t{4} << 30;  ///< of all files that wait to be imported
  std::size_t files = 20'000;                    ///< that wait
};

/// Deletes a folder and all in it, however long that takes.
using DeleteFolder = std::function<void(const std::filesystem::path& folder)>;

/// Files that a page has sent and that wait to be imported, in a temporary folder that goes with the object. One that a
/// killed process left behind goes when the next object is made.
///
/// Files of one drop lie in one folder (a batch), under their own names: an AMC or SKM file finds its skeleton there,
/// and labels their motions. What waits is bounded; a batch to which nothing came for an hour, and that nobody imports,
/// makes room. What goes is moved aside at once and deleted on a thread of its own, which nobody waits for before the
/// end: thousands of files take seconds. May be used from several threads.
class Uploads {
 public:
  /// `delete_folder` is for tests; without one folders are deleted.
  static Result<Uploads> create(const UploadLimits& limits = {}, DeleteFolder delete_folder = {});
  ~Uploads();
  Uploads(Uploads&&) noexcept;
  Uploads& operator=(Uploads&&) = delete;

  /// Where a file called `name` of batch `batch`, of `bytes` at most, is to be written. Refused are names that are not
  /// plain or not of a kind that can be imported, what there is no room for, and what comes to a batch that was taken.
  tl::expected<std::string, Refusal> place_for(const std::string& batch, const std::string& name, std::uint64_t bytes);
  /// The file is there whole: from now on it takes the room that it takes.
  void settle(const std::string& path);
  /// The file did not come whole: it is taken away, and its room with it.
  void drop(const std::string& path);

  /// Takes a batch to import it and gives its folder, which is there until it is removed. Fails where there is none,
  /// and where it was taken before: then it is another's to remove.
  [[nodiscard]] Result<std::filesystem::path> take(const std::string& batch);

  /// Takes a batch away.
  void remove(const std::string& batch);

 private:
  struct State;
  explicit Uploads(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace loom::studio
