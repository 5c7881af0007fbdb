// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include <loom/library/detail/database.h>
#include <loom/library/library.h>

namespace loom::library {

/// What an open library keeps. Seen by the sources of `Library` alone, which are several files, one a subject.
struct Library::State {
  std::unique_ptr<Database> database;
  /// Skeletons read so far by their hash, so that clips share them. Row numbers would not do: one is given again
  /// after its skeleton is removed or its transaction undone.
  std::map<std::string, std::shared_ptr<const motion::Skeleton>> skeletons;

  Result<std::shared_ptr<const motion::Skeleton>> skeleton(std::int64_t id);
  /// The row of the clip called `name`; fails as `Library::clip_info` does.
  Result<std::int64_t> clip_row(std::string_view name);
  Result<std::vector<motion::Label>> labels(std::int64_t clip);
  /// Removes labels of a clip: `sql` takes the clip's row first, and `which` binds the rest. Returns how many.
  Result<std::size_t> remove_labels(std::string_view clip, const char* sql,
                                    const std::function<void(Statement&)>& which);
};

}  // namespace loom::library
