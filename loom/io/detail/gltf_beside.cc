// SPDX-License-Identifier: MIT
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <sys/stat.h>

#include <loom/base/file.h>
#include <loom/base/text.h>
#include <loom/io/detail/gltf_beside.h>

namespace loom::io {
namespace {

/// The file itself, whatever links and detours its names take: device and inode. The address where there is no file.
std::string file_beside(const std::string& folder, const std::string& uri) {
  struct stat status {};
  const std::string path = (std::filesystem::path(folder) / uri).string();
  if (uri.find('\0') != std::string::npos || ::stat(path.c_str(), &status) != 0) return uri;
  return fmt::format("{}:{}", status.st_dev, status.st_ino);
}

}  // namespace

Result<std::string> fetch_beside(const std::string& folder, const std::string& uri) {
  const std::filesystem::path relative = std::filesystem::path(uri).lexically_normal();
  const bool inside = !relative.empty() && relative.is_relative() && *relative.begin() != ".." &&
                      uri.find("://") == std::string::npos && uri.find('\0') == std::string::npos;
  if (!inside) return fail(fmt::format("the address {} leads out of the file's folder", in_quotes(uri)));
  std::error_code error;
  const std::filesystem::path base = std::filesystem::weakly_canonical(folder, error);
  const std::filesystem::path target = std::filesystem::weakly_canonical(base / relative, error);
  const auto [end, rest] = std::mismatch(base.begin(), base.end(), target.begin(), target.end());
  if (error || end != base.end())
    return fail(fmt::format("the address {} leads out of the file's folder", in_quotes(uri)));
  Result<FileBytes> bytes = load_file(target.string());
  if (!bytes) return fail_from(bytes);
  return std::string(bytes->text());
}

Result<GltfDocument> open_gltf(std::string_view bytes, const std::string& folder) {
  if (folder.empty()) return GltfDocument::parse(bytes, {});
  return GltfDocument::parse(
      bytes, [&](const std::string& uri) { return fetch_beside(folder, uri); },
      [&](const std::string& uri) { return file_beside(folder, uri); });
}

}  // namespace loom::io
