// SPDX-License-Identifier: MIT
#include "studio/measure_cache.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include <loom/base/file.h>

namespace loom::studio {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostBytes = 64U << 20U;  ///< of one text: more is none of ours

}  // namespace

MeasureCache MeasureCache::of_user() {
  const auto set = [](const char* text) { return text != nullptr && *text != '\0'; };
  const char *cache = std::getenv("XDG_CACHE_HOME"), *home = std::getenv("HOME");
  if (set(cache)) return MeasureCache((fs::path(cache) / "motionloom/measures").string());
  if (set(home)) return MeasureCache((fs::path(home) / ".cache/motionloom/measures").string());
  return MeasureCache({});
}

std::string MeasureCache::path_of(const std::string& key) const {
  return (fs::path(folder_) / (key + ".json")).string();
}

std::optional<std::string> MeasureCache::find(const std::string& key) const {
  if (folder_.empty()) return std::nullopt;
  const auto bytes = load_file(path_of(key), kMostBytes);
  if (!bytes) return std::nullopt;
  std::error_code ignored;
  fs::last_write_time(path_of(key), fs::file_time_type::clock::now(), ignored);  // it is used
  const auto text = bytes->text();
  return std::string(text.begin(), text.end());
}

void MeasureCache::keep(const std::string& key, std::string_view text) const {
  if (folder_.empty()) return;
  std::error_code failed;
  fs::create_directories(folder_, failed);
  if (failed || !save_file(path_of(key), text)) return;
  std::vector<std::pair<fs::file_time_type, fs::path>> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_, failed)) {
    std::error_code ignored;
    if (entry.path().extension() == ".json") files.emplace_back(entry.last_write_time(ignored), entry.path());
  }
  if (files.size() <= kMostFiles) return;
  std::sort(files.begin(), files.end());
  for (std::size_t i = 0; i + kMostFiles < files.size(); ++i) fs::remove(files[i].second, failed);
}

}  // namespace loom::studio
