// SPDX-License-Identifier: MIT
#include <algorithm>
#include <filesystem>
#include <system_error>
#include <unordered_set>

#include <loom/io/read.h>
#include <loom/library/motion_files.h>

namespace loom::library {
namespace {

namespace fs = std::filesystem;

bool hidden(const fs::path& path) { return path.filename().string().starts_with('.'); }

/// All motion files in `folder` and below, sorted.
std::vector<std::string> search(const fs::path& folder, std::vector<FileNote>& failed) {
  std::vector<std::string> found;
  std::error_code problem;
  fs::recursive_directory_iterator entry(folder, problem);
  while (!problem && entry != fs::recursive_directory_iterator()) {
    std::error_code ignored;
    if (hidden(entry->path())) {
      entry.disable_recursion_pending();
    } else if (entry->is_regular_file(ignored) && io::is_motion_file(entry->path().string())) {
      found.push_back(entry->path().string());
    }
    entry.increment(problem);
  }
  if (problem) failed.push_back({folder.string(), "cannot be searched: " + problem.message()});
  std::sort(found.begin(), found.end());
  if (!problem && found.empty()) failed.push_back({folder.string(), "there are no motion files in this folder"});
  return found;
}

}  // namespace

MotionFiles find_motion_files(std::span<const std::string> paths) {
  MotionFiles result;
  std::unordered_set<std::string> seen;
  const auto take = [&](const std::string& file) {
    std::error_code problem;
    const fs::path canonical = fs::canonical(file, problem);
    if (seen.insert(problem ? file : canonical.string()).second) result.files.push_back(file);
  };
  for (const std::string& path : paths) {
    std::error_code problem;
    const fs::file_status status = fs::status(path, problem);
    if (fs::is_directory(status)) {
      for (const std::string& file : search(path, result.failed)) take(file);
    } else if (fs::exists(status)) {
      take(path);
    } else {
      result.failed.push_back({path, "there is no such file or folder"});
    }
  }
  return result;
}

}  // namespace loom::library
